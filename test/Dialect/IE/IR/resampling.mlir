// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @resize_by_constant_scales_infers_its_shape
func.func @resize_by_constant_scales_infers_its_shape(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x8x7xf32> {
  %s = IE.Constant dense<[1.0, 1.0, 2.0, 1.5]> : tensor<4xf32>
  // CHECK: IE.Resize(%{{.*}}) scales(%{{.*}} : tensor<4xf32>) {mode = "linear"} : (tensor<1x3x4x5xf32>) -> tensor<1x3x8x7xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<4xf32>) {mode = "linear"} : (tensor<1x3x4x5xf32>) -> tensor<1x3x8x7xf32>
  return %0 : tensor<1x3x8x7xf32>
}

// CHECK-LABEL: func @resize_of_two_axes_keeping_the_aspect_ratio
func.func @resize_of_two_axes_keeping_the_aspect_ratio(%x: tensor<1x3x4x8xf32>) -> tensor<1x3x3x6xf32> {
  %s = IE.Constant dense<[4, 6]> : tensor<2xi64>
  // CHECK: IE.Resize(%{{.*}}) sizes(%{{.*}} : tensor<2xi64>) {axes = array<i64: 2, -1>, keep_aspect_ratio_policy = "not_larger"} : (tensor<1x3x4x8xf32>) -> tensor<1x3x3x6xf32>
  %0 = IE.Resize(%x) sizes(%s : tensor<2xi64>) {axes = array<i64: 2, -1>, keep_aspect_ratio_policy = "not_larger"} : (tensor<1x3x4x8xf32>) -> tensor<1x3x3x6xf32>
  return %0 : tensor<1x3x3x6xf32>
}

// CHECK-LABEL: func @resize_by_unknown_sizes_is_dynamic
func.func @resize_by_unknown_sizes_is_dynamic(%x: tensor<1x3x4x8xf32>, %s: tensor<1xi64>) -> tensor<1x3x4x?xf32> {
  // CHECK: -> tensor<1x3x4x?xf32>
  %0 = IE.Resize(%x) sizes(%s : tensor<1xi64>) {axes = array<i64: 3>} : (tensor<1x3x4x8xf32>) -> tensor<1x3x4x?xf32>
  return %0 : tensor<1x3x4x?xf32>
}

// -----

func.func @resize_without_scales_and_sizes_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected either scales or sizes}}
  %0 = IE.Resize(%x) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @resize_by_a_scalar_is_an_error(%x: tensor<4x4xf32>, %s: tensor<f32>) {
  // expected-error @+2 {{expected a vector, found 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Resize(%x) scales(%s : tensor<f32>) : (tensor<4x4xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @resize_with_too_few_scales_is_an_error(%x: tensor<4x4xf32>) {
  %s = IE.Constant dense<2.0> : tensor<1xf32>
  // expected-error @+2 {{expected 2 scales, found 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) : (tensor<4x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

// CHECK-LABEL: func @resize_of_nothing_is_nothing
func.func @resize_of_nothing_is_nothing(%x: tensor<0x4xf32>) -> tensor<0x8xf32> {
  %s = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: IE.Resize
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) : (tensor<0x4xf32>) -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// -----

func.func @resize_of_nothing_to_something_is_an_error(%x: tensor<0xf32>) {
  %s = IE.Constant dense<3> : tensor<1xi64>
  // expected-error @+2 {{expected positive sizes of a plausible result for dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Resize(%x) sizes(%s : tensor<1xi64>) : (tensor<0xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @resize_by_a_negative_scale_is_an_error(%x: tensor<4xf32>) {
  %s = IE.Constant dense<-1.0> : tensor<1xf32>
  // expected-error @+2 {{expected positive scales of a plausible result for dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @linear_resize_of_integers_is_an_error(%x: tensor<4xi32>, %s: tensor<1xf32>) {
  // expected-error @+1 {{expected floats in mode 'linear'}}
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) {mode = "linear"} : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @resize_in_an_unknown_mode_is_an_error(%x: tensor<4xf32>, %s: tensor<1xf32>) {
  // expected-error @+1 {{'nearest' or 'linear' or 'cubic'}}
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) {mode = "lanczos"} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func @grid_sample_has_the_shape_of_its_grid
func.func @grid_sample_has_the_shape_of_its_grid(%x: tensor<1x3x8x8xf32>, %g: tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32> {
  // CHECK: IE.GridSample(%{{.*}}, %{{.*}}) {align_corners = 1 : i64, mode = "cubic", padding_mode = "border"} : (tensor<1x3x8x8xf32>, tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32>
  %0 = IE.GridSample(%x, %g) {align_corners = 1 : i64, mode = "cubic", padding_mode = "border"} : (tensor<1x3x8x8xf32>, tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32>
  return %0 : tensor<1x3x4x6xf32>
}

// -----

// CHECK-LABEL: func @grid_sample_of_a_volume_has_the_shape_of_its_grid
func.func @grid_sample_of_a_volume_has_the_shape_of_its_grid(%x: tensor<1x3x8x8x8xf32>, %g: tensor<1x4x5x6x3xf32>) -> tensor<1x3x4x5x6xf32> {
  // CHECK: IE.GridSample(%{{.*}}, %{{.*}}) : (tensor<1x3x8x8x8xf32>, tensor<1x4x5x6x3xf32>) -> tensor<1x3x4x5x6xf32>
  %0 = IE.GridSample(%x, %g) : (tensor<1x3x8x8x8xf32>, tensor<1x4x5x6x3xf32>) -> tensor<1x3x4x5x6xf32>
  return %0 : tensor<1x3x4x5x6xf32>
}

// -----

func.func @grid_sample_of_a_line_is_an_error(%x: tensor<1x3x8xf32>, %g: tensor<1x4x1xf32>) {
  // expected-error @+2 {{expected an image (N, C, H, W) or a volume (N, C, D, H, W) and a grid of as many dimensions, found 'tensor<1x3x8xf32>' and 'tensor<1x4x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.GridSample(%x, %g) : (tensor<1x3x8xf32>, tensor<1x4x1xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

func.func @grid_sample_with_three_coordinates_is_an_error(%x: tensor<1x3x8x8xf32>, %g: tensor<1x4x4x3xf32>) {
  // expected-error @+2 {{expected a grid of 2 coordinates for each image}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.GridSample(%x, %g) : (tensor<1x3x8x8xf32>, tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @grid_sample_of_an_empty_image_is_an_error(%x: tensor<1x3x0x8xf32>, %g: tensor<1x4x4x2xf32>) {
  // expected-error @+2 {{expected an image with elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.GridSample(%x, %g) : (tensor<1x3x0x8xf32>, tensor<1x4x4x2xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @linear_grid_sample_of_integers_is_an_error(%x: tensor<1x3x8x8xi32>, %g: tensor<1x4x4x2xf32>) {
  // expected-error @+1 {{expected floats in mode 'linear'}}
  %0 = IE.GridSample(%x, %g) : (tensor<1x3x8x8xi32>, tensor<1x4x4x2xf32>) -> tensor<1x3x4x4xi32>
  return
}

// -----

func.func @grid_sample_in_an_unknown_padding_mode_is_an_error(%x: tensor<1x3x8x8xf32>, %g: tensor<1x4x4x2xf32>) {
  // expected-error @+1 {{'zeros' or 'border' or 'reflection'}}
  %0 = IE.GridSample(%x, %g) {padding_mode = "wrap"} : (tensor<1x3x8x8xf32>, tensor<1x4x4x2xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

// CHECK-LABEL: func @roi_align_has_a_bin_per_element
func.func @roi_align_has_a_bin_per_element(%x: tensor<1x3x16x16xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) -> tensor<7x3x5x4xf32> {
  // CHECK: IE.RoiAlign(%{{.*}}, %{{.*}}, %{{.*}}) {mode = "max", output_height = 5 : i64, output_width = 4 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x5x4xf32>
  %0 = IE.RoiAlign(%x, %r, %b) {mode = "max", output_height = 5 : i64, output_width = 4 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x5x4xf32>
  return %0 : tensor<7x3x5x4xf32>
}

// -----

func.func @roi_align_of_three_coordinates_is_an_error(%x: tensor<1x3x16x16xf32>, %r: tensor<7x3xf32>, %b: tensor<7xi64>) {
  // expected-error @+2 {{expected four coordinates of each region, found 'tensor<7x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.RoiAlign(%x, %r, %b) : (tensor<1x3x16x16xf32>, tensor<7x3xf32>, tensor<7xi64>) -> tensor<7x3x1x1xf32>
  return
}

// -----

func.func @roi_align_of_too_few_indices_is_an_error(%x: tensor<1x3x16x16xf32>, %r: tensor<7x4xf32>, %b: tensor<6xi64>) {
  // expected-error @+2 {{expected a batch index for each of 7 regions, found 'tensor<6xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.RoiAlign(%x, %r, %b) : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<6xi64>) -> tensor<7x3x1x1xf32>
  return
}

// -----

func.func @roi_align_of_an_empty_image_is_an_error(%x: tensor<1x3x0x16xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{expected images with elements, found 'tensor<1x3x0x16xf32>'}}
  %0 = IE.RoiAlign(%x, %r, %b) : (tensor<1x3x0x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x1x1xf32>
  return
}

// -----

func.func @roi_align_of_a_negative_ratio_is_an_error(%x: tensor<1x3x16x16xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) {
  // expected-error @+1 {{expected 'sampling_ratio' of 0 or more, found -1}}
  %0 = IE.RoiAlign(%x, %r, %b) {sampling_ratio = -1 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x1x1xf32>
  return
}
