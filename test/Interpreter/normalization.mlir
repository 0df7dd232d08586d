// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @batch_normalization_of_two_channels
func.func @batch_normalization_of_two_channels() -> tensor<1x2x2xf32> {
  %x = IE.Constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %scale = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %shift = IE.Constant dense<[0.0, 10.0]> : tensor<2xf32>
  %mean = IE.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %variance = IE.Constant dense<[4.0, 0.25]> : tensor<2xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}0.000000e+00, 5.000000e-01], [1.000000e+01, 1.400000e+01]]]>
  %0 = IE.BatchNormalization(%x, %scale, %shift, %mean, %variance) {epsilon = 0.0 : f32}
      : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: func @instance_normalization_has_zero_mean
func.func @instance_normalization_has_zero_mean() -> tensor<1x1x2xf32> {
  %x = IE.Constant dense<[[[2.0, 6.0]]]> : tensor<1x1x2xf32>
  %scale = IE.Constant dense<[3.0]> : tensor<1xf32>
  %shift = IE.Constant dense<[1.0]> : tensor<1xf32>
  // CHECK: IE.Constant dense<{{\[\[\[}}-2.000000e+00, 4.000000e+00]]]>
  %0 = IE.InstanceNormalization(%x, %scale, %shift) {epsilon = 0.0 : f32} : (tensor<1x1x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// -----

// An even size reaches further to later channels.
// CHECK-LABEL: func @lrn_of_even_size_looks_ahead
func.func @lrn_of_even_size_looks_ahead() -> tensor<1x3x1xf32> {
  %x = IE.Constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  // Sums of squares 5, 13, 9.
  // CHECK: IE.Constant dense<{{\[\[\[}}2.000000e-01], [0.15384616], [0.333333343]]]>
  %0 = IE.LRN(%x) {alpha = 2.0 : f32, beta = 1.0 : f32, bias = 0.0 : f32, size = 2 : i64} : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// -----

// CHECK-LABEL: func @softmax_of_large_numbers_does_not_overflow
func.func @softmax_of_large_numbers_does_not_overflow() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = IE.Constant dense<[10000.0, 10000.0]> : tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<5.000000e-01> : tensor<2xf32>
  %0 = IE.Softmax(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<-0.693147182> : tensor<2xf32>
  %1 = IE.LogSoftmax(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func @hardmax_of_equal_elements_takes_first
func.func @hardmax_of_equal_elements_takes_first() -> tensor<2x2xf32> {
  %x = IE.Constant dense<[[3.0, 3.0], [1.0, 3.0]]> : tensor<2x2xf32>
  // CHECK: IE.Constant dense<{{\[\[}}1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]>
  %0 = IE.Hardmax(%x) {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func @layer_normalization_of_two_rows
func.func @layer_normalization_of_two_rows() -> (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %x = IE.Constant dense<[[1.0, 5.0], [-4.0, 4.0]]> : tensor<2x2xf32>
  %scale = IE.Constant dense<[3.0, 2.0]> : tensor<2xf32>
  %bias = IE.Constant dense<[[1.0], [0.5]]> : tensor<2x1xf32>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}-2.000000e+00, 3.000000e+00], [-2.500000e+00, 2.500000e+00]]>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}3.000000e+00], [0.000000e+00]]>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}5.000000e-01], [2.500000e-01]]>
  %0:3 = IE.LayerNormalization(%x, %scale, %bias) {epsilon = 0.0 : f32}
      : (tensor<2x2xf32>, tensor<2xf32>, tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// -----

// A mean that f32 has no square of the digits of.
// CHECK-LABEL: func @layer_normalization_far_from_zero_keeps_its_digits
func.func @layer_normalization_far_from_zero_keeps_its_digits() -> tensor<2xf16> {
  %x = IE.Constant dense<[1000.0, 1001.0]> : tensor<2xf16>
  %one = IE.Constant dense<1.0> : tensor<1xf16>
  // CHECK: IE.Constant dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf16>
  %0:3 = IE.LayerNormalization(%x, %one) {axis = 0 : i64, epsilon = 0.0 : f32}
      : (tensor<2xf16>, tensor<1xf16>) -> (tensor<2xf16>, tensor<1xf32>, tensor<1xf32>)
  return %0#0 : tensor<2xf16>
}
