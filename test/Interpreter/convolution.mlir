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

// -----

// Padding is zero after the subtraction, so that the outer windows have two
// products.
// CHECK-LABEL: func @conv_integer_with_zero_points_pads_the_difference
func.func @conv_integer_with_zero_points_pads_the_difference() -> tensor<1x1x3xi32> {
  %x = IE.Constant dense<[[[255, 10, 0]]]> : tensor<1x1x3xui8>
  %w = IE.Constant dense<[[[-127, 2, 12]]]> : tensor<1x1x3xi8>
  %xz = IE.Constant dense<10> : tensor<ui8>
  %wz = IE.Constant dense<1> : tensor<i8>
  // The input is 245, 0, -10, the weights are -128, 1, 11.
  // CHECK: IE.Constant dense<{{\[\[\[}}245, -31470, -10]]]> : tensor<1x1x3xi32>
  %0 = IE.ConvInteger(%x, %w) zero(%xz : tensor<ui8>) weightsZero(%wz : tensor<i8>) {pads = array<i64: 1, 1>} : (tensor<1x1x3xui8>, tensor<1x1x3xi8>) -> tensor<1x1x3xi32>
  return %0 : tensor<1x1x3xi32>
}

// -----

// CHECK-LABEL: func @conv_integer_with_zero_per_output_channel
func.func @conv_integer_with_zero_per_output_channel() -> tensor<1x2x1xi32> {
  %x = IE.Constant dense<[[[1, 2], [10, 20]]]> : tensor<1x2x2xi8>
  %w = IE.Constant dense<[[[255, 128]], [[3, 4]]]> : tensor<2x1x2xui8>
  %wz = IE.Constant dense<[128, 5]> : tensor<2xui8>
  // The weights are 127, 0 and -2, -1.
  // CHECK: IE.Constant dense<{{\[\[\[}}127], [-40]]]> : tensor<1x2x1xi32>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%wz : tensor<2xui8>) {group = 2 : i64} : (tensor<1x2x2xi8>, tensor<2x1x2xui8>) -> tensor<1x2x1xi32>
  return %0 : tensor<1x2x1xi32>
}
