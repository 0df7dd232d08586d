// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul_with_batches_broadcasts
func.func @matmul_with_batches_broadcasts() -> tensor<2x1x1xi32> {
  %a = IE.Constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %b = IE.Constant dense<[[10], [100]]> : tensor<2x1xi32>
  // CHECK: IE.Constant dense<{{\[\[\[}}210]], {{\[\[}}430]]]> : tensor<2x1x1xi32>
  %0 = IE.MatMul(%a, %b) : (tensor<2x1x2xi32>, tensor<2x1xi32>) -> tensor<2x1x1xi32>
  return %0 : tensor<2x1x1xi32>
}

// -----

// CHECK-LABEL: func @matmul_of_vectors_is_scalar
func.func @matmul_of_vectors_is_scalar() -> tensor<f32> {
  %a = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = IE.Constant dense<[10.0, 100.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<2.100000e+02> : tensor<f32>
  %0 = IE.MatMul(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @gemm_with_all_attributes
func.func @gemm_with_all_attributes() -> tensor<2x2xf32> {
  %a = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = IE.Constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %c = IE.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  // A'B' is [[31, 3100], [42, 4200]].
  // CHECK: IE.Constant dense<{{\[\[}}6.300000e+01, 6.201000e+03], [8.600000e+01, 8.402000e+03]]> : tensor<2x2xf32>
  %0 = IE.Gemm(%a, %b, %c) {alpha = 2.0 : f32, beta = 1.0 : f32, transA = 1 : i64, transB = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
