// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// CHECK-LABEL: func @conv_with_bias_round_trips
func.func @conv_with_bias_round_trips(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<16xf32>) -> tensor<1x16x4x4xf32> {
  // CHECK: IE.Conv(%{{.*}}, %{{.*}}, %{{.*}}) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<1x16x4x4xf32>
  %0 = IE.Conv(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// CHECK-LABEL: func @conv_of_one_dimension_is_accepted
func.func @conv_of_one_dimension_is_accepted(%x: tensor<2x4x9xf64>, %w: tensor<6x2x3xf64>) -> tensor<2x6x5xf64> {
  // CHECK: IE.Conv(%{{.*}}, %{{.*}}) {dilations = array<i64: 2>, group = 2 : i64}
  %0 = IE.Conv(%x, %w) {dilations = array<i64: 2>, group = 2 : i64}
      : (tensor<2x4x9xf64>, tensor<6x2x3xf64>) -> tensor<2x6x5xf64>
  return %0 : tensor<2x6x5xf64>
}

// SAME_UPPER gives ceil(input / stride), whatever the kernel.
// CHECK-LABEL: func @conv_with_auto_pad_divides_by_stride
func.func @conv_with_auto_pad_divides_by_stride(%x: tensor<1x1x7x7xf32>, %w: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: IE.Conv(%{{.*}}, %{{.*}}) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>}
  %0 = IE.Conv(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>}
      : (tensor<1x1x7x7xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func @conv_with_dynamic_batch_stays_dynamic
func.func @conv_with_dynamic_batch_stays_dynamic(%x: tensor<?x3x?x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<?x16x?x6xf32> {
  // CHECK: IE.Conv(%{{.*}}, %{{.*}}) : (tensor<?x3x?x8xf32>, tensor<16x3x3x3xf32>) -> tensor<?x16x?x6xf32>
  %0 = IE.Conv(%x, %w) : (tensor<?x3x?x8xf32>, tensor<16x3x3x3xf32>) -> tensor<?x16x?x6xf32>
  return %0 : tensor<?x16x?x6xf32>
}

// CHECK-LABEL: func @conv_integer_without_zero_points_sums_in_32_bits
func.func @conv_integer_without_zero_points_sums_in_32_bits(%x: tensor<1x3x8x8xui8>, %w: tensor<16x3x3x3xi8>) -> tensor<1x16x6x6xi32> {
  // CHECK: IE.ConvInteger(%{{.*}}, %{{.*}}) : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x6x6xi32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x6x6xi32>
  return %0 : tensor<1x16x6x6xi32>
}

// CHECK-LABEL: func @conv_integer_with_input_zero_round_trips
func.func @conv_integer_with_input_zero_round_trips(%x: tensor<1x3x8x8xui8>, %w: tensor<16x3x3x3xi8>, %zero: tensor<ui8>) -> tensor<1x16x8x8xi32> {
  // CHECK: IE.ConvInteger(%{{.*}}, %{{.*}}) zero(%{{.*}} : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x8x8xi32>
  %0 = IE.ConvInteger(%x, %w) zero(%zero : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// CHECK-LABEL: func @conv_integer_with_only_weights_zero_round_trips
func.func @conv_integer_with_only_weights_zero_round_trips(%x: tensor<1x3x8x8xi8>, %w: tensor<16x3x3x3xui8>, %zero: tensor<ui8>) -> tensor<1x16x6x6xi32> {
  // CHECK: IE.ConvInteger(%{{.*}}, %{{.*}}) weightsZero(%{{.*}} : tensor<ui8>) : (tensor<1x3x8x8xi8>, tensor<16x3x3x3xui8>) -> tensor<1x16x6x6xi32>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%zero : tensor<ui8>) : (tensor<1x3x8x8xi8>, tensor<16x3x3x3xui8>) -> tensor<1x16x6x6xi32>
  return %0 : tensor<1x16x6x6xi32>
}

// CHECK-LABEL: func @conv_integer_with_zero_per_output_channel_round_trips
func.func @conv_integer_with_zero_per_output_channel_round_trips(%x: tensor<2x4x9xui8>, %w: tensor<6x2x3xi8>, %xzero: tensor<1xui8>, %wzero: tensor<6xi8>) -> tensor<2x6x5xi32> {
  // CHECK: IE.ConvInteger(%{{.*}}, %{{.*}}) zero(%{{.*}} : tensor<1xui8>) weightsZero(%{{.*}} : tensor<6xi8>) {dilations = array<i64: 2>, group = 2 : i64}
  %0 = IE.ConvInteger(%x, %w) zero(%xzero : tensor<1xui8>) weightsZero(%wzero : tensor<6xi8>) {dilations = array<i64: 2>, group = 2 : i64}
      : (tensor<2x4x9xui8>, tensor<6x2x3xi8>) -> tensor<2x6x5xi32>
  return %0 : tensor<2x6x5xi32>
}

// stride * (input - 1) + output_padding + extent - pads
// CHECK-LABEL: func @conv_transpose_with_output_padding_grows
func.func @conv_transpose_with_output_padding_grows(%x: tensor<1x1x3x3xf32>, %w: tensor<1x2x3x3xf32>) -> tensor<1x2x10x8xf32> {
  // CHECK: IE.ConvTranspose(%{{.*}}, %{{.*}}) {output_padding = array<i64: 1, 1>, strides = array<i64: 3, 2>}
  %0 = IE.ConvTranspose(%x, %w) {output_padding = array<i64: 1, 1>, strides = array<i64: 3, 2>}
      : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x10x8xf32>
  return %0 : tensor<1x2x10x8xf32>
}

// CHECK-LABEL: func @conv_transpose_with_output_shape_has_it
func.func @conv_transpose_with_output_shape_has_it(%x: tensor<1x1x3x3xf32>, %w: tensor<1x2x3x3xf32>) -> tensor<1x2x10x8xf32> {
  // CHECK: IE.ConvTranspose(%{{.*}}, %{{.*}}) {output_shape = array<i64: 10, 8>, strides = array<i64: 3, 2>}
  %0 = IE.ConvTranspose(%x, %w) {output_shape = array<i64: 10, 8>, strides = array<i64: 3, 2>}
      : (tensor<1x1x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x10x8xf32>
  return %0 : tensor<1x2x10x8xf32>
}

// CHECK-LABEL: func @qlinear_conv_has_the_type_of_its_zero_point
func.func @qlinear_conv_has_the_type_of_its_zero_point(%x: tensor<1x2x5x5xui8>, %w: tensor<3x2x3x3xi8>, %s: tensor<f32>, %ws: tensor<3xf32>, %z: tensor<ui8>, %wz: tensor<3xi8>, %yz: tensor<i8>, %b: tensor<3xi32>) -> tensor<1x3x3x3xi8> {
  // CHECK: IE.QLinearConv({{.*}}) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x3x3xi8>, tensor<3xf32>, tensor<3xi8>, tensor<f32>, tensor<i8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  %0 = IE.QLinearConv(%x, %s, %z, %w, %ws, %wz, %s, %yz, %b) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x3x3xi8>, tensor<3xf32>, tensor<3xi8>, tensor<f32>, tensor<i8>, tensor<3xi32>) -> tensor<1x3x3x3xi8>
  return %0 : tensor<1x3x3x3xi8>
}
