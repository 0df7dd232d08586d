// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @max_pool_of_negatives_ignores_padding
func.func @max_pool_of_negatives_ignores_padding() -> tensor<1x1x3xf32> {
  %x = IE.Constant dense<[[[-1.0, -2.0]]]> : tensor<1x1x2xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}-1.000000e+00, -1.000000e+00, -2.000000e+00]]]>
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>} : (tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

// CHECK-LABEL: func @max_pool_of_bytes_is_unsigned
func.func @max_pool_of_bytes_is_unsigned() -> tensor<1x1x1xui8> {
  %x = IE.Constant dense<[[[1, 200]]]> : tensor<1x1x2xui8>
  // CHECK: IE.Constant dense<200> : tensor<1x1x1xui8>
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>} : (tensor<1x1x2xui8>) -> tensor<1x1x1xui8>
  return %0 : tensor<1x1x1xui8>
}

// -----

// Positions count over the whole input, here with columns first.
// CHECK-LABEL: func @max_pool_with_indices_in_column_order
func.func @max_pool_with_indices_in_column_order() -> tensor<1x2x1x1xi64> {
  %x = IE.Constant dense<[[[[1.0, 5.0, 2.0], [3.0, 4.0, 0.0]], [[1.0, 5.0, 2.0], [7.0, 4.0, 0.0]]]]> : tensor<1x2x2x3xf32>
  // CHECK: IE.Constant dense<{{\[\[\[\[}}2]], {{\[\[}}7]]]]> : tensor<1x2x1x1xi64>
  %0:2 = IE.MaxPoolWithIndices(%x) {kernel_shape = array<i64: 2, 3>, storage_order = 1 : i64} : (tensor<1x2x2x3xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x1x1xi64>)
  return %0#1 : tensor<1x2x1x1xi64>
}

// -----

// CHECK-LABEL: func @average_pool_divides_by_elements_inside
func.func @average_pool_divides_by_elements_inside() -> tensor<1x1x3xf32> {
  %x = IE.Constant dense<[[[2.0, 4.0]]]> : tensor<1x1x2xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}2.000000e+00, 3.000000e+00, 4.000000e+00]]]>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>} : (tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

// What ceil_mode adds beyond the padding never counts.
// CHECK-LABEL: func @average_pool_with_pads_counts_declared_ones
func.func @average_pool_with_pads_counts_declared_ones() -> tensor<1x1x2xf32> {
  %x = IE.Constant dense<[[[2.0, 4.0, 6.0]]]> : tensor<1x1x3xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}2.000000e+00, 5.000000e+00]]]>
  %0 = IE.AveragePool(%x) {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: func @average_pool_that_hangs_over_averages_what_there_is
func.func @average_pool_that_hangs_over_averages_what_there_is() -> tensor<1x1x1xf32> {
  %x = IE.Constant dense<[[[2.0, 4.0]]]> : tensor<1x1x2xf32>
  // CHECK: IE.Constant dense<3.000000e+00>
  %0 = IE.AveragePool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3>, strides = array<i64: 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: func @global_pools_reduce_each_channel
func.func @global_pools_reduce_each_channel() -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>) {
  %x = IE.Constant dense<[[[2.0, 4.0], [-6.0, -8.0]]]> : tensor<1x2x2xf32>
  // CHECK-DAG: IE.Constant dense<{{\[\[\[}}3.000000e+00], [-7.000000e+00]]]>
  %0 = IE.GlobalAveragePool(%x) : (tensor<1x2x2xf32>) -> tensor<1x2x1xf32>
  // CHECK-DAG: IE.Constant dense<{{\[\[\[}}4.000000e+00], [-6.000000e+00]]]>
  %1 = IE.GlobalMaxPool(%x) : (tensor<1x2x2xf32>) -> tensor<1x2x1xf32>
  return %0, %1 : tensor<1x2x1xf32>, tensor<1x2x1xf32>
}
