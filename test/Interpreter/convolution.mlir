// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @conv_of_ones_counts_window_elements
func.func @conv_of_ones_counts_window_elements() -> tensor<1x1x3x3xf32> {
  %x = IE.Constant dense<1.0> : tensor<1x1x3x3xf32>
  %w = IE.Constant dense<1.0> : tensor<1x1x3x3xf32>
  // CHECK: IE.Constant dense<{{\[\[\[\[}}4.000000e+00, 6.000000e+00, 4.000000e+00], [6.000000e+00, 9.000000e+00, 6.000000e+00], [4.000000e+00, 6.000000e+00, 4.000000e+00]]]]>
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  return %0 : tensor<1x1x3x3xf32>
}

// -----

// CHECK-LABEL: func @conv_with_groups_dilation_and_bias
func.func @conv_with_groups_dilation_and_bias() -> tensor<1x2x2xf32> {
  %x = IE.Constant dense<[[[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]]]> : tensor<1x2x4xf32>
  %w = IE.Constant dense<[[[1.0, 2.0]], [[1.0, -1.0]]]> : tensor<2x1x2xf32>
  %b = IE.Constant dense<[100.0, 0.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}1.070000e+02, 1.100000e+02], [-2.000000e+01, -2.000000e+01]]]>
  %0 = IE.Conv(%x, %w, %b) {dilations = array<i64: 2>, group = 2 : i64} : (tensor<1x2x4xf32>, tensor<2x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// -----

// The odd element of padding goes to the end.
// CHECK-LABEL: func @conv_with_same_upper_pads_end
func.func @conv_with_same_upper_pads_end() -> tensor<1x1x3xf64> {
  %x = IE.Constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf64>
  %w = IE.Constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf64>
  // CHECK: IE.Constant dense<{{\[\[\[}}2.100000e+01, 3.200000e+01, 3.000000e+00]]]>
  %0 = IE.Conv(%x, %w) {auto_pad = "SAME_UPPER"} : (tensor<1x1x3xf64>, tensor<1x1x2xf64>) -> tensor<1x1x3xf64>
  return %0 : tensor<1x1x3xf64>
}

// -----

// CHECK-LABEL: func @conv_with_same_lower_pads_beginning
func.func @conv_with_same_lower_pads_beginning() -> tensor<1x1x3xf16> {
  %x = IE.Constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf16>
  %w = IE.Constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf16>
  // CHECK: IE.Constant dense<{{\[\[\[}}1.000000e+01, 2.100000e+01, 3.200000e+01]]]>
  %0 = IE.Conv(%x, %w) {auto_pad = "SAME_LOWER"} : (tensor<1x1x3xf16>, tensor<1x1x2xf16>) -> tensor<1x1x3xf16>
  return %0 : tensor<1x1x3xf16>
}

// -----

// CHECK-LABEL: func @conv_transpose_spreads_elements
func.func @conv_transpose_spreads_elements() -> tensor<1x1x6xf32> {
  %x = IE.Constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %w = IE.Constant dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}1.000000e+00, 1.000000e+01, 1.020000e+02, 2.000000e+01, 2.000000e+02, 0.000000e+00]]]>
  %0 = IE.ConvTranspose(%x, %w) {output_padding = array<i64: 1>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x6xf32>
  return %0 : tensor<1x1x6xf32>
}

// -----

// CHECK-LABEL: func @conv_transpose_with_pads_crops
func.func @conv_transpose_with_pads_crops() -> tensor<1x1x3xf32> {
  %x = IE.Constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %w = IE.Constant dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}1.000000e+01, 1.020000e+02, 2.000000e+01]]]>
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}
