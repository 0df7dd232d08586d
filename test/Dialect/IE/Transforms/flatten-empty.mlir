// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-flatten-empty))' | FileCheck %s

// CHECK-LABEL: func @empty_boundary_becomes_vectors
// CHECK-SAME: (%arg0: tensor<0xf32>, %[[X:.*]]: tensor<2x3xf32>) -> (tensor<0xf32>, tensor<2x3xf32>)
// CHECK: %[[A:.*]] = IE.Constant dense<> : tensor<2x0xf32>
// CHECK: %[[Y:.*]] = IE.Concat %[[A]], %[[X]]
// CHECK: %[[E:.*]] = IE.Constant dense<> : tensor<0xf32>
// CHECK: return %[[E]], %[[Y]]
func.func @empty_boundary_becomes_vectors(%a: tensor<2x0xf32>, %x: tensor<2x3xf32>) -> (tensor<0x2xf32>, tensor<2x3xf32>) {
  %0 = IE.Transpose %a {perm = array<i64: 1, 0>} : tensor<2x0xf32> -> tensor<0x2xf32>
  %1 = IE.Concat %a, %x {axis = 1 : i64} : tensor<2x0xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return %0, %1 : tensor<0x2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func @tensors_with_elements_stay
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[X]]
func.func @tensors_with_elements_stay(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// Strings are passed as a value, which knows its shape.
// CHECK-LABEL: func @strings_stay
// CHECK-SAME: (%[[X:.*]]: tensor<2x0x!IE.String>) -> tensor<2x0x!IE.String>
// CHECK-NEXT: return %[[X]]
func.func @strings_stay(%x: tensor<2x0x!IE.String>) -> tensor<2x0x!IE.String> {
  return %x : tensor<2x0x!IE.String>
}
