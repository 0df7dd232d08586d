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

func.func @dequantize_in_blocks_is_an_error(%x: tensor<4x4xi8>, %s: tensor<2x4xf32>) {
  // expected-error @+1 {{blocked quantization is not supported}}
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<4x4xi8>, tensor<2x4xf32>) -> tensor<4x4xf32>
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
