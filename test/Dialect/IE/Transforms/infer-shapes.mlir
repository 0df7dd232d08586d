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
