// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @relu_of_floats
func.func @relu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = IE.Relu %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @hard_swish_of_floats
func.func @hard_swish_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.33333334{{[0-9]*}}, 0.000000e+00, 1.6666666{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.HardSwish %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @mish_of_floats
func.func @mish_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.25250148{{[0-9]*}}, 0.000000e+00, 1.943959]> : tensor<3xf32>
  %r = IE.Mish %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @swish_of_floats
func.func @swish_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.0643{{[0-9]*}}, 0.000000e+00, 1.93{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Swish %0 {alpha = 1.702 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_of_floats
func.func @sigmoid_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[0.11920291{{[0-9]*}}, 5.000000e-01, 0.88079708{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Sigmoid %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @softplus_of_floats
func.func @softplus_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[0.12692801{{[0-9]*}}, 0.69314718{{[0-9]*}}, 2.1269280{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Softplus %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @softsign_of_floats
func.func @softsign_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.66666668{{[0-9]*}}, 0.000000e+00, 0.66666668{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Softsign %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @tanh_of_floats
func.func @tanh_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.96402758{{[0-9]*}}, 0.000000e+00, 0.96402758{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Tanh %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @leaky_relu_of_floats
func.func @leaky_relu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-5.000000e-01, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = IE.LeakyRelu %0 {alpha = 0.25 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @elu_of_floats
func.func @elu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-1.7293294{{[0-9]*}}, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = IE.Elu %0 {alpha = 2.0 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @celu_of_floats
func.func @celu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-1.2642411, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = IE.Celu %0 {alpha = 2.0 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @selu_of_floats
func.func @selu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-1.5201665{{[0-9]*}}, 0.000000e+00, 2.1014020{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Selu %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @thresholded_relu_of_floats
func.func @thresholded_relu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = IE.ThresholdedRelu %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @hard_sigmoid_of_floats
func.func @hard_sigmoid_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00]> : tensor<3xf32>
  %r = IE.HardSigmoid %0 {alpha = 0.25 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @shrink_of_floats
func.func @shrink_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-1.500000e+00, 0.000000e+00, 1.500000e+00]> : tensor<3xf32>
  %r = IE.Shrink %0 {bias = 0.5 : f32, lambd = 1.5 : f32} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @gelu_of_floats
func.func @gelu_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.04550026{{[0-9]*}}, 0.000000e+00, 1.9544997{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Gelu %0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @gelu_with_tanh_of_floats
func.func @gelu_with_tanh_of_floats() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-0.04540230{{[0-9]*}}, 0.000000e+00, 1.9545977{{[0-9]*}}]> : tensor<3xf32>
  %r = IE.Gelu %0 {approximate = "tanh"} : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @relu_keeps_nan
func.func @relu_keeps_nan() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0x7FC00000, -1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0x7FC00000, 0.000000e+00]> : tensor<2xf32>
  %r = IE.Relu %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @relu_of_ints
func.func @relu_of_ints() -> tensor<2xi32> {
  %0 = IE.Constant dense<[-3, 3]> : tensor<2xi32>
  // CHECK: IE.Constant dense<[0, 3]> : tensor<2xi32>
  %r = IE.Relu %0 : tensor<2xi32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @shrink_of_ints_truncates
func.func @shrink_of_ints_truncates() -> tensor<3xi32> {
  %0 = IE.Constant dense<[-2, 0, 2]> : tensor<3xi32>
  // CHECK: IE.Constant dense<[-1, 0, 1]> : tensor<3xi32>
  %r = IE.Shrink %0 {bias = 0.5 : f32, lambd = 1.5 : f32} : tensor<3xi32> -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// CHECK-LABEL: func @softplus_of_large_floats_does_not_overflow
func.func @softplus_of_large_floats_does_not_overflow() -> tensor<2xf32> {
  %0 = IE.Constant dense<[1000.0, -1000.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.000000e+03, 0.000000e+00]> : tensor<2xf32>
  %r = IE.Softplus %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @prelu_broadcasts_slope
func.func @prelu_broadcasts_slope() -> tensor<2x2xf32> {
  %0 = IE.Constant dense<[[-1.0, 2.0], [-3.0, -4.0]]> : tensor<2x2xf32>
  %1 = IE.Constant dense<[[0.5], [2.0]]> : tensor<2x1xf32>
  // CHECK: IE.Constant dense<{{\[\[}}-5.000000e-01, 2.000000e+00], [-6.000000e+00, -8.000000e+00{{\]\]}}> : tensor<2x2xf32>
  %r = IE.PRelu %0, %1 : tensor<2x2xf32>, tensor<2x1xf32> -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
