// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-infer-shapes))' -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @chain_with_static_argument_becomes_static
// CHECK-SAME: -> tensor<2x8xf32>
func.func @chain_with_static_argument_becomes_static(%x: tensor<2x8xf32>) -> tensor<?x?xf32> {
  // CHECK: IE.Relu %{{.*}} : tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Relu %x : tensor<2x8xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @declared_static_result_is_kept
// CHECK-SAME: -> tensor<4x8xf32>
func.func @declared_static_result_is_kept(%x: tensor<?x8xf32>) -> tensor<4x8xf32> {
  // CHECK: IE.Relu %{{.*}} : tensor<?x8xf32> -> tensor<4x8xf32>
  %0 = IE.Relu %x : tensor<?x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// What the loop keeps is static; what grows stays dynamic.
// CHECK-LABEL: func @carried_values_are_as_static_as_they_stay
// CHECK-SAME: -> (tensor<2xf32>, tensor<?xf32>)
func.func @carried_values_are_as_static_as_they_stay(%n: tensor<i64>, %x: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<?xf32>):
  // CHECK: IE.Relu %{{.*}} : tensor<2xf32> -> tensor<2xf32>
  %0:2 = IE.Loop(%n, %x, %x) {operandSegmentSizes = array<i32: 1, 0, 2>} : (tensor<i64>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %kept: tensor<?xf32>, %grown: tensor<?xf32>):
    %relu = IE.Relu %kept : tensor<?xf32> -> tensor<?xf32>
    %longer = IE.Concat %grown, %relu {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %c, %relu, %longer : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}
