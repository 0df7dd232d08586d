// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-matmul-add))' | FileCheck %s

// CHECK-LABEL: func @matmul_with_a_bias_row_becomes_gemm
// CHECK: IE.Reshape %{{.*}} -> tensor<6x4xf32>
// CHECK: %[[G:.*]] = IE.Gemm(%{{.*}}) : (tensor<6x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
// CHECK: IE.Reshape %[[G]]{{.*}} -> tensor<2x3x5xf32>
// CHECK-NOT: IE.Add
func.func @matmul_with_a_bias_row_becomes_gemm(%x: tensor<2x3x4xf32>) -> tensor<2x3x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = IE.Add %b, %0 : tensor<5xf32>, tensor<2x3x5xf32> -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @matmul_with_runtime_weights_stays
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @matmul_with_runtime_weights_stays(%x: tensor<3x4xf32>, %w: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = IE.Add %0, %b : tensor<3x5xf32>, tensor<5xf32> -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// CHECK-LABEL: func @addend_of_a_column_stays
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @addend_of_a_column_stays(%x: tensor<3x4xf32>) -> tensor<3x3xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x3xf32>
  %b = IE.Constant dense<1.0> : tensor<3x1xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
  %1 = IE.Add %0, %b : tensor<3x3xf32>, tensor<3x1xf32> -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
