// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @batch_normalization_round_trips
func.func @batch_normalization_round_trips(%x: tensor<1x3x8x8xf32>, %p: tensor<3xf32>) -> tensor<1x3x8x8xf32> {
  // CHECK: IE.BatchNormalization(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {epsilon = 1.000000e-03 : f32}
  %0 = IE.BatchNormalization(%x, %p, %p, %p, %p) {epsilon = 1.0e-03 : f32}
      : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// CHECK-LABEL: func @instance_normalization_round_trips
func.func @instance_normalization_round_trips(%x: tensor<1x3x8xf32>, %p: tensor<3xf32>) -> tensor<1x3x8xf32> {
  // CHECK: IE.InstanceNormalization(%{{.*}}, %{{.*}}, %{{.*}}) :
  %0 = IE.InstanceNormalization(%x, %p, %p) : (tensor<1x3x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// CHECK-LABEL: func @lrn_round_trips
func.func @lrn_round_trips(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  // CHECK: IE.LRN(%{{.*}}) {alpha = 2.000000e-04 : f32, size = 5 : i64}
  %0 = IE.LRN(%x) {alpha = 2.0e-04 : f32, size = 5 : i64} : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// CHECK-LABEL: func @softmax_of_dynamic_shape_keeps_it
func.func @softmax_of_dynamic_shape_keeps_it(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Softmax(%{{.*}}) {axis = 0 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %0 = IE.Softmax(%x) {axis = 0 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: IE.LogSoftmax(%{{.*}}) : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = IE.LogSoftmax(%0) : (tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: IE.Hardmax(%{{.*}}) {axis = -2 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = IE.Hardmax(%1) {axis = -2 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

// CHECK-LABEL: func @layer_normalization_gives_statistics_in_f32
func.func @layer_normalization_gives_statistics_in_f32(%x: tensor<?x4x8xf16>, %p: tensor<4x8xf16>) -> (tensor<?x4x8xf16>, tensor<?x1x1xf32>) {
  // CHECK: IE.LayerNormalization(%{{.*}}, %{{.*}}, %{{.*}}) {axis = 1 : i64, epsilon = 1.000000e-03 : f32} : (tensor<?x4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> (tensor<?x4x8xf16>, tensor<?x1x1xf32>, tensor<?x1x1xf32>)
  %0:3 = IE.LayerNormalization(%x, %p, %p) {axis = 1 : i64, epsilon = 1.0e-03 : f32}
      : (tensor<?x4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> (tensor<?x4x8xf16>, tensor<?x1x1xf32>, tensor<?x1x1xf32>)
  return %0#0, %0#1 : tensor<?x4x8xf16>, tensor<?x1x1xf32>
}

// What is no f32 then is the input's type, and the scale knows a size.
// CHECK-LABEL: func @layer_normalization_of_another_stash_type
func.func @layer_normalization_of_another_stash_type(%x: tensor<2x?xbf16>, %p: tensor<8xbf16>) -> tensor<2x8xbf16> {
  // CHECK: IE.LayerNormalization(%{{.*}}, %{{.*}}) {stash_type = 16 : i64} : (tensor<2x?xbf16>, tensor<8xbf16>) -> (tensor<2x8xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>)
  %0:3 = IE.LayerNormalization(%x, %p) {stash_type = 16 : i64}
      : (tensor<2x?xbf16>, tensor<8xbf16>) -> (tensor<2x8xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>)
  return %0#0 : tensor<2x8xbf16>
}

// CHECK-LABEL: func @layer_normalization_of_vectors_without_elements
func.func @layer_normalization_of_vectors_without_elements(%x: tensor<0xf64>, %p: tensor<0xf64>) -> tensor<1xf64> {
  // CHECK: (tensor<0xf64>, tensor<0xf64>) -> (tensor<0xf64>, tensor<1xf64>, tensor<1xf64>)
  %0:3 = IE.LayerNormalization(%x, %p) : (tensor<0xf64>, tensor<0xf64>) -> (tensor<0xf64>, tensor<1xf64>, tensor<1xf64>)
  return %0#1 : tensor<1xf64>
}

// -----

func.func @layer_normalization_of_a_number_is_rejected(%x: tensor<f32>) {
  // expected-error @below {{expected an axis in [0, -1], found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0:3 = IE.LayerNormalization(%x, %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @layer_normalization_with_other_parameters_is_rejected(%x: tensor<2x8xf32>, %p: tensor<4xf32>) {
  // expected-error @below {{expected shapes that broadcast, found 'tensor<2x8xf32>', 'tensor<4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0:3 = IE.LayerNormalization(%x, %p) : (tensor<2x8xf32>, tensor<4xf32>) -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @layer_normalization_that_grows_is_rejected(%x: tensor<1x8xf32>, %p: tensor<4x8xf32>) {
  // expected-error @below {{expected scale and bias that broadcast to the input's shape, found 'tensor<4x8xf32>' for 'tensor<1x8xf32>'}}
  %0:3 = IE.LayerNormalization(%x, %p) : (tensor<1x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<1x1xf32>, tensor<1x1xf32>)
  return
}

// -----

func.func @layer_normalization_of_mixed_types_is_rejected(%x: tensor<2x8xf16>, %p: tensor<8xf32>) {
  // expected-error @below {{requires the same element type for all operands}}
  %0:3 = IE.LayerNormalization(%x, %p) : (tensor<2x8xf16>, tensor<8xf32>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @batch_normalization_of_vector_is_rejected(%x: tensor<3xf32>, %p: tensor<3xf32>) {
  // expected-error @below {{expected an input of rank 2 or more, found 'tensor<3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.BatchNormalization(%x, %p, %p, %p, %p) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @batch_normalization_with_longer_mean_is_rejected(%x: tensor<1x3x8x8xf32>, %p: tensor<3xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected parameters of shape [3], found 'tensor<4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.BatchNormalization(%x, %p, %p, %m, %p) : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
  return
}

// -----

func.func @lrn_of_no_channels_is_rejected(%x: tensor<1x8x4x4xf32>) {
  // expected-error @below {{expected a positive 'size', found 0}}
  %0 = IE.LRN(%x) {size = 0 : i64} : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return
}

// -----

func.func @softmax_along_missing_axis_is_rejected(%x: tensor<2x8xf32>) {
  // expected-error @below {{expected an axis in [-2, 1], found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Softmax(%x) {axis = 2 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}
