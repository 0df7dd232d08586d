// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @max_pool_of_bytes_round_trips
func.func @max_pool_of_bytes_round_trips(%x: tensor<1x3x8x8xui8>) -> tensor<1x3x4x4xui8> {
  // CHECK: IE.MaxPool(%{{.*}}) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>) -> tensor<1x3x4x4xui8>
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>) -> tensor<1x3x4x4xui8>
  return %0 : tensor<1x3x4x4xui8>
}

// CHECK-LABEL: func @max_pool_with_ceil_mode_rounds_up
func.func @max_pool_with_ceil_mode_rounds_up(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  // CHECK: IE.MaxPool(%{{.*}}) {ceil_mode = 1 : i64
  %0 = IE.MaxPool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// A window that would start in the trailing padding does not exist.
// CHECK-LABEL: func @average_pool_with_ceil_mode_starts_inside
func.func @average_pool_with_ceil_mode_starts_inside(%x: tensor<1x1x3xf32>) -> tensor<1x1x2xf32> {
  // CHECK: IE.AveragePool
  %0 = IE.AveragePool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 1>, strides = array<i64: 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// Of an image smaller than the window there is one that hangs over.
// CHECK-LABEL: func @max_pool_with_ceil_mode_hangs_over_a_small_image
func.func @max_pool_with_ceil_mode_hangs_over_a_small_image(%x: tensor<1x1x2xf32>) -> tensor<1x1x1xf32> {
  // CHECK: IE.MaxPool
  %0 = IE.MaxPool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3>, strides = array<i64: 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// CHECK-LABEL: func @max_pool_with_indices_has_two_results
func.func @max_pool_with_indices_has_two_results(%x: tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xi64> {
  // CHECK: IE.MaxPoolWithIndices(%{{.*}}) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  %0:2 = IE.MaxPoolWithIndices(%x) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  return %0#1 : tensor<1x1x2x2xi64>
}

// CHECK-LABEL: func @global_average_pool_of_dynamic_image_is_static
func.func @global_average_pool_of_dynamic_image_is_static(%x: tensor<2x3x?x?xf32>) -> tensor<2x3x1x1xf32> {
  // CHECK: IE.GlobalAveragePool(%{{.*}}) : (tensor<2x3x?x?xf32>) -> tensor<2x3x1x1xf32>
  %0 = IE.GlobalAveragePool(%x) : (tensor<2x3x?x?xf32>) -> tensor<2x3x1x1xf32>
  return %0 : tensor<2x3x1x1xf32>
}

// -----

func.func @max_pool_without_spatial_dimensions_is_rejected(%x: tensor<1x3xf32>) {
  // expected-error @below {{expected an input with 1 to 3 spatial dimensions, found 'tensor<1x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>} : (tensor<1x3xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @max_pool_with_short_kernel_shape_is_rejected(%x: tensor<1x3x8x8xf32>) {
  // expected-error @below {{expected 2 values in 'kernel_shape', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x7x7xf32>
  return
}

// -----

func.func @average_pool_with_empty_kernel_shape_is_rejected(%x: tensor<1x3x8x8xf32>) {
  // expected-error @below {{expected a 'kernel_shape'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @average_pool_of_integers_is_rejected(%x: tensor<1x3x8x8xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of floating point values}}
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x3x8x8xi32>) -> tensor<1x3x7x7xi32>
  return
}

// -----

func.func @global_max_pool_of_matrix_is_rejected(%x: tensor<1x3xf32>) {
  // expected-error @below {{expected an input with spatial dimensions, found 'tensor<1x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.GlobalMaxPool(%x) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// CHECK-LABEL: func @max_unpool_undoes_its_window
func.func @max_unpool_undoes_its_window(%x: tensor<1x3x2x3xf32>, %i: tensor<1x3x2x3xi64>) -> tensor<1x3x4x5xf32> {
  // CHECK: IE.MaxUnpool(%{{.*}}, %{{.*}}) {kernel_shape = array<i64: 2, 3>, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xi64>) -> tensor<1x3x4x5xf32>
  %0 = IE.MaxUnpool(%x, %i) {kernel_shape = array<i64: 2, 3>, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xi64>) -> tensor<1x3x4x5xf32>
  return %0 : tensor<1x3x4x5xf32>
}

// -----

// CHECK-LABEL: func @max_unpool_to_a_given_shape
func.func @max_unpool_to_a_given_shape(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xi64>) -> tensor<1x1x5xf32> {
  %s = IE.Constant dense<[1, 1, 5]> : tensor<3xi64>
  // CHECK: -> tensor<1x1x5xf32>
  %0 = IE.MaxUnpool(%x, %i, %s) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<1x1x5xf32>
  return %0 : tensor<1x1x5xf32>
}

// -----

func.func @max_unpool_to_a_smaller_shape_is_an_error(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xi64>, %s: tensor<3xi64>) {
  // expected-error @+1 {{expected a result of at least 'tensor<1x1x4xf32>', found 'tensor<1x1x3xf32>'}}
  %0 = IE.MaxUnpool(%x, %i, %s) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @max_unpool_without_an_index_for_each_element_is_an_error(%x: tensor<1x1x2xf32>, %i: tensor<1x1x3xi64>) {
  // expected-error @+1 {{expected an index for each element of 'tensor<1x1x2xf32>', found 'tensor<1x1x3xi64>'}}
  %0 = IE.MaxUnpool(%x, %i) {kernel_shape = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xi64>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @max_unpool_with_too_few_kernel_sizes_is_an_error(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) {
  // expected-error @+1 {{expected as many values in 'kernel_shape', 'strides' and half of 'pads' as the input has spatial dimensions}}
  %0 = IE.MaxUnpool(%x, %i) {kernel_shape = array<i64: 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> tensor<1x1x3x3xf32>
  return
}

// -----

func.func @max_unpool_of_an_absurd_stride_is_an_error(%x: tensor<1x1x3xf32>, %i: tensor<1x1x3xi64>) {
  // expected-error @+1 {{expected a window that fits dimension 2 of 'tensor<1x1x3xf32>', found kernel 2, stride 9223372036854775807 and pads 0}}
  %0 = IE.MaxUnpool(%x, %i) {kernel_shape = array<i64: 2>, strides = array<i64: 9223372036854775807>} : (tensor<1x1x3xf32>, tensor<1x1x3xi64>) -> tensor<1x1x4xf32>
  return
}

// -----

// By less than a stride: any further, and no window starts.
func.func @max_pool_that_hangs_over_by_a_stride_is_an_error(%x: tensor<1x1x1xf32>) {
  // expected-error @+2 {{expected a window that fits the padded input, found extent 3 over 1 in dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.MaxPool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 3>, strides = array<i64: 2>} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return
}
