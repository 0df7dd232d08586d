// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @nearest_resize_repeats
func.func @nearest_resize_repeats() -> tensor<1x4xi64> {
  %x = IE.Constant dense<[[1, 2]]> : tensor<1x2xi64>
  %s = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[1, 1, 2, 2]]> : tensor<1x4xi64>
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) : (tensor<1x2xi64>) -> tensor<1x4xi64>
  return %0 : tensor<1x4xi64>
}

// -----

// CHECK-LABEL: func @linear_resize_interpolates
func.func @linear_resize_interpolates() -> tensor<4xf32> {
  %x = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = IE.Constant dense<4> : tensor<1xi64>
  // CHECK: IE.Constant dense<[1.000000e+00, 1.250000e+00, 1.750000e+00, 2.000000e+00]> : tensor<4xf32>
  %0 = IE.Resize(%x) sizes(%s : tensor<1xi64>) {mode = "linear"} : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @crop_beyond_the_image_extrapolates
func.func @crop_beyond_the_image_extrapolates() -> tensor<3xf32> {
  %x = IE.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = IE.Constant dense<[0.0, 2.0]> : tensor<2xf32>
  %s = IE.Constant dense<3> : tensor<1xi64>
  // CHECK: IE.Constant dense<[1.000000e+00, 3.000000e+00, 1.000000e+01]> : tensor<3xf32>
  %0 = IE.Resize(%x) roi(%r : tensor<2xf32>) sizes(%s : tensor<1xi64>) {mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 10.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
