// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @quantize_of_the_whole_tensor_round_trips
func.func @quantize_of_the_whole_tensor_round_trips(%x: tensor<1x8x4xf32>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<1x8x4xi8> {
  // CHECK: IE.QuantizeLinear(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<1x8x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x8x4xi8>
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<1x8x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x8x4xi8>
  return %0 : tensor<1x8x4xi8>
}

// Without a zero point the result is uint8.
// CHECK-LABEL: func @quantize_without_zero_point_gives_bytes
func.func @quantize_without_zero_point_gives_bytes(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xui8> {
  // CHECK: IE.QuantizeLinear(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// CHECK-LABEL: func @dequantize_along_an_axis_round_trips
func.func @dequantize_along_an_axis_round_trips(%x: tensor<3x4xi32>, %s: tensor<4xf32>) -> tensor<3x4xf32> {
  // CHECK: IE.DequantizeLinear(%{{.*}}, %{{.*}}) {axis = -1 : i64} : (tensor<3x4xi32>, tensor<4xf32>) -> tensor<3x4xf32>
  %0 = IE.DequantizeLinear(%x, %s) {axis = -1 : i64} : (tensor<3x4xi32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// The last block of five rows has one.
// CHECK-LABEL: func @dequantize_in_blocks_round_trips
func.func @dequantize_in_blocks_round_trips(%x: tensor<5x?xui8>, %s: tensor<3x4xf32>, %z: tensor<3x4xui8>) -> tensor<5x?xf32> {
  // CHECK: IE.DequantizeLinear(%{{.*}}, %{{.*}}, %{{.*}}) {axis = -2 : i64, block_size = 2 : i64} : (tensor<5x?xui8>, tensor<3x4xf32>, tensor<3x4xui8>) -> tensor<5x?xf32>
  %0 = IE.DequantizeLinear(%x, %s, %z) {axis = -2 : i64, block_size = 2 : i64} : (tensor<5x?xui8>, tensor<3x4xf32>, tensor<3x4xui8>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// CHECK-LABEL: func @dynamic_quantize_round_trips
func.func @dynamic_quantize_round_trips(%x: tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>) {
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = IE.DynamicQuantizeLinear(%{{.*}}) : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  %y, %scale, %zero = IE.DynamicQuantizeLinear(%x) : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  return %y, %scale, %zero : tensor<?x4xui8>, tensor<f32>, tensor<ui8>
}

// -----

func.func @quantize_to_another_type_than_the_zero_points_is_an_error(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<4xi8>' are incompatible}}
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xui8>
  return
}

// -----

func.func @dequantize_with_too_few_scales_is_an_error(%x: tensor<3x4xi8>, %s: tensor<3xf32>) {
  // expected-error @+1 {{expected a scale for each of the 4 indices of dimension 1, found 'tensor<3xf32>'}}
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<3x4xi8>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @dequantize_with_scales_of_blocks_without_their_size_is_an_error(%x: tensor<4x4xi8>, %s: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a scale of one element or one dimension, found 'tensor<2x4xf32>'}}
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<4x4xi8>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dequantize_in_blocks_of_negative_size_is_an_error(%x: tensor<4x4xi8>, %s: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a block_size that is not negative, found -2}}
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64, block_size = -2 : i64} : (tensor<4x4xi8>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dequantize_with_too_few_blocks_is_an_error(%x: tensor<5x4xi8>, %s: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a scale of shape 'tensor<3x4xf32>' for blocks of 2, found 'tensor<2x4xf32>'}}
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64, block_size = 2 : i64} : (tensor<5x4xi8>, tensor<2x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @dequantize_with_a_zero_point_of_other_blocks_is_an_error(%x: tensor<4x4xi8>, %s: tensor<2x4xf32>, %z: tensor<4x2xi8>) {
  // expected-error @+1 {{expected a zero point of the scale's shape, found 'tensor<4x2xi8>' and 'tensor<2x4xf32>'}}
  %0 = IE.DequantizeLinear(%x, %s, %z) {axis = 0 : i64, block_size = 2 : i64} : (tensor<4x4xi8>, tensor<2x4xf32>, tensor<4x2xi8>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dequantize_in_blocks_of_an_absent_axis_is_an_error(%x: tensor<4x4xi8>, %s: tensor<2x4xf32>) {
  // expected-error @+1 {{expected an axis within the input's rank 2, found 2}}
  %0 = IE.DequantizeLinear(%x, %s) {axis = 2 : i64, block_size = 2 : i64} : (tensor<4x4xi8>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dequantize_with_a_zero_point_of_another_type_is_an_error(%x: tensor<4xi8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error @+1 {{expected a zero point of the input's type}}
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<4xi8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  return
}

// -----

func.func @quantize_along_an_absent_axis_is_an_error(%x: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis within the input's rank 1, found 1}}
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xui8>
  return
}

// -----

func.func @quantize_with_other_zero_points_than_scales_is_an_error(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %z: tensor<2xi8>) {
  // expected-error @+1 {{expected a zero point of the scale's shape}}
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<2x4xf32>, tensor<4xf32>, tensor<2xi8>) -> tensor<2x4xi8>
  return
}
