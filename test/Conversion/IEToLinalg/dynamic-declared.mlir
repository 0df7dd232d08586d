// RUN: nacre-opt %s --convert-ie-to-linalg --split-input-file | FileCheck %s

// A model may declare more of a result than its operands show: a run compares.

// CHECK-LABEL: @expand_of_unknown_operand_has_the_declared_size
// CHECK: cf.assert {{.*}}
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x1xf32>)
func.func @expand_of_unknown_operand_has_the_declared_size(%x: tensor<?x?xf32>) -> tensor<4x1xf32> {
  %shape = IE.Constant dense<[4, 1]> : tensor<2xi64>
  %0 = IE.Expand %x, %shape : tensor<?x?xf32>, tensor<2xi64> -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: @max_pool_with_indices_of_declared_size_casts_only_them
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: %[[INDICES:.*]] = tensor.cast %[[BOTH]]#1 : tensor<1x1x?x?xi64> to tensor<1x1x2x2xi64>
// CHECK: return %[[BOTH]]#0, %[[INDICES]]
func.func @max_pool_with_indices_of_declared_size_casts_only_them(%x: tensor<1x1x?x?xf32>) -> (tensor<1x1x?x?xf32>, tensor<1x1x2x2xi64>) {
  %0, %1 = IE.MaxPoolWithIndices(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x?x?xf32>) -> (tensor<1x1x?x?xf32>, tensor<1x1x2x2xi64>)
  return %0, %1 : tensor<1x1x?x?xf32>, tensor<1x1x2x2xi64>
}
