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

// -----

// The positions are -0.5, 0.5 and 1.5: halves round to even, and -1 would be
// outside.
// CHECK-LABEL: func @nearest_grid_sample_picks_elements
func.func @nearest_grid_sample_picks_elements() -> tensor<1x1x1x3xi32> {
  %x = IE.Constant dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi32>
  %g = IE.Constant dense<[[[[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]]]> : tensor<1x1x3x2xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[[[1, 1, 0]]]]> : tensor<1x1x1x3xi32>
  %0 = IE.GridSample(%x, %g) {mode = "nearest"} : (tensor<1x1x1x2xi32>, tensor<1x1x3x2xf32>) -> tensor<1x1x1x3xi32>
  return %0 : tensor<1x1x1x3xi32>
}

// -----

// Half of the outermost element's neighbours are zeros.
// CHECK-LABEL: func @linear_grid_sample_fades_to_zero_beyond_the_edge
func.func @linear_grid_sample_fades_to_zero_beyond_the_edge() -> tensor<1x1x1x2xf32> {
  %x = IE.Constant dense<[[[[2.0, 4.0]]]]> : tensor<1x1x1x2xf32>
  %g = IE.Constant dense<[[[[-1.0, 0.0], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[[[1.000000e+00, 3.000000e+00]]]]> : tensor<1x1x1x2xf32>
  %0 = IE.GridSample(%x, %g) : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// -----

// Position 4 of the mirror image 0 1 2 1 0 1 2 is 0, position 5 is 1.
// CHECK-LABEL: func @grid_sample_reflects_at_the_centers_of_aligned_corners
func.func @grid_sample_reflects_at_the_centers_of_aligned_corners() -> tensor<1x1x1x2xf32> {
  %x = IE.Constant dense<[[[[7.0, 8.0, 9.0]]]]> : tensor<1x1x1x3xf32>
  %g = IE.Constant dense<[[[[3.0, 0.0], [4.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[[[7.000000e+00, 8.000000e+00]]]]> : tensor<1x1x1x2xf32>
  %0 = IE.GridSample(%x, %g) {align_corners = 1 : i64, padding_mode = "reflection"} : (tensor<1x1x1x3xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// -----

// The first coordinate is that of the last dimension.
// CHECK-LABEL: func @grid_sample_of_a_volume_counts_from_the_last_dimension
func.func @grid_sample_of_a_volume_counts_from_the_last_dimension() -> tensor<1x1x1x1x3xf32> {
  %x = IE.Constant dense<[[[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]]]> : tensor<1x1x2x2x2xf32>
  %g = IE.Constant dense<[[[[[1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [0.0, 0.0, 0.0]]]]]> : tensor<1x1x1x3x3xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[[[[1.000000e+00, 4.000000e+00, 3.500000e+00]]]]]> : tensor<1x1x1x1x3xf32>
  %0 = IE.GridSample(%x, %g) {align_corners = 1 : i64} : (tensor<1x1x2x2x2xf32>, tensor<1x1x1x3x3xf32>) -> tensor<1x1x1x1x3xf32>
  return %0 : tensor<1x1x1x1x3xf32>
}
