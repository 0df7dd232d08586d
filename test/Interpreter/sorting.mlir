// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// Of equal elements the one in front comes first.
// CHECK-LABEL: func @top_k_of_largest_is_in_descending_order
func.func @top_k_of_largest_is_in_descending_order() -> (tensor<2x3xi32>, tensor<2x3xi64>) {
  %x = IE.Constant dense<[[4, 7, 7, -1], [0, 0, 1, 0]]> : tensor<2x4xi32>
  %k = IE.Constant dense<3> : tensor<1xi64>
  // CHECK-DAG{LITERAL}: IE.Constant dense<[[7, 7, 4], [1, 0, 0]]> : tensor<2x3xi32>
  // CHECK-DAG{LITERAL}: IE.Constant dense<[[1, 2, 0], [2, 0, 1]]> : tensor<2x3xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x4xi32>, tensor<1xi64>) -> (tensor<2x3xi32>, tensor<2x3xi64>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2x3xi64>
}

// -----

// CHECK-LABEL: func @top_k_of_smallest_along_the_first_axis
func.func @top_k_of_smallest_along_the_first_axis() -> (tensor<1x2xf32>, tensor<1x2xi64>) {
  %x = IE.Constant dense<[[4.0, 7.0], [2.0, 9.0], [3.0, 8.0]]> : tensor<3x2xf32>
  %k = IE.Constant dense<1> : tensor<1xi64>
  // CHECK-DAG{LITERAL}: IE.Constant dense<[[2.000000e+00, 7.000000e+00]]> : tensor<1x2xf32>
  // CHECK-DAG{LITERAL}: IE.Constant dense<[[1, 0]]> : tensor<1x2xi64>
  %0:2 = IE.TopK(%x, %k) {axis = 0 : i64, largest = 0 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> (tensor<1x2xf32>, tensor<1x2xi64>)
  return %0#0, %0#1 : tensor<1x2xf32>, tensor<1x2xi64>
}

// -----

// CHECK-LABEL: func @nan_is_the_largest_number
func.func @nan_is_the_largest_number() -> tensor<3xi64> {
  %x = IE.Constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %k = IE.Constant dense<3> : tensor<1xi64>
  // CHECK: IE.Constant dense<[1, 2, 0]> : tensor<3xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<3xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi64>)
  return %0#1 : tensor<3xi64>
}
