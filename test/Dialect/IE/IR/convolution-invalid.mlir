// RUN: nacre-opt %s -split-input-file -verify-diagnostics

func.func @conv_without_spatial_dimensions_is_rejected(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) {
  // expected-error @below {{expected an input with 1 to 3 spatial dimensions, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @conv_with_weights_of_other_rank_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @below {{expected weights of the input's rank 4, found rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_weights_of_other_type_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf64>) {
  // expected-error @below {{expected weights of the input's element type}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf64>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_wrong_channels_is_rejected(%x: tensor<1x5x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected 3 input channels in each of 1 groups, found 5 in all}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x5x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_indivisible_outputs_is_rejected(%x: tensor<1x6x8x8xf32>, %w: tensor<5x3x3x3xf32>) {
  // expected-error @below {{expected output channels divisible by 2 groups, found 5}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<1x6x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv_without_groups_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected a positive 'group', found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {group = 0 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_longer_bias_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{expected a bias of shape [4], found 'tensor<5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w, %b) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<5xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_other_kernel_shape_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected 'kernel_shape' to be the weights' spatial shape}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {kernel_shape = array<i64: 3, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_too_few_strides_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected 2 values in 'strides', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {strides = array<i64: 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_zero_stride_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected values of at least 1 in 'strides', found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {strides = array<i64: 1, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_negative_pads_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected values of at least 0 in 'pads', found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {pads = array<i64: 0, -1, 0, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x5xf32>
  return
}

// -----

func.func @conv_with_excessive_dilation_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected values of at most 2147483648 in 'dilations', found 4294967296}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) {dilations = array<i64: 1, 4294967296>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_window_beyond_input_is_rejected(%x: tensor<1x3x2x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{expected a window that fits the padded input, found extent 3 over 2 in dimension 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x3x2x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x1x6xf32>
  return
}

// -----

func.func @conv_with_unknown_auto_pad_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{attribute 'auto_pad' failed to satisfy constraint: 'NOTSET' or 'SAME_UPPER' or 'SAME_LOWER' or 'VALID'}}
  %0 = IE.Conv(%x, %w) {auto_pad = "SAME"} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @conv_with_contradicting_result_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @below {{op inferred type(s) 'tensor<1x4x6x6xf32>' are incompatible with return type(s) of operation 'tensor<1x4x8x8xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @conv_integer_with_wrong_channels_is_rejected(%x: tensor<1x5x8x8xui8>, %w: tensor<4x3x3x3xi8>) {
  // expected-error @below {{expected 3 input channels in each of 1 groups, found 5 in all}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x5x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_indivisible_outputs_is_rejected(%x: tensor<1x6x8x8xui8>, %w: tensor<5x3x3x3xi8>) {
  // expected-error @below {{expected output channels divisible by 2 groups, found 5}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ConvInteger(%x, %w) {group = 2 : i64} : (tensor<1x6x8x8xui8>, tensor<5x3x3x3xi8>) -> tensor<1x5x6x6xi32>
  return
}

// -----

func.func @conv_integer_of_floats_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xi8>) {
  // expected-error @below {{operand #0 must be ranked tensor of 8-bit signless integer or 8-bit unsigned integer values}}
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_input_zero_of_other_type_is_rejected(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %zero: tensor<i8>) {
  // expected-error @below {{expected a single zero point of the input's type, found 'tensor<i8>'}}
  %0 = IE.ConvInteger(%x, %w) zero(%zero : tensor<i8>) : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_input_zero_per_channel_is_rejected(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %zero: tensor<3xui8>) {
  // expected-error @below {{expected a single zero point of the input's type, found 'tensor<3xui8>'}}
  %0 = IE.ConvInteger(%x, %w) zero(%zero : tensor<3xui8>) : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_weights_zero_of_other_type_is_rejected(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %zero: tensor<ui8>) {
  // expected-error @below {{expected one zero point of the weights' type, or one for each output channel, found 'tensor<ui8>'}}
  %0 = IE.ConvInteger(%x, %w) weightsZero(%zero : tensor<ui8>) : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_weights_zero_per_input_channel_is_rejected(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %zero: tensor<3xi8>) {
  // expected-error @below {{expected one zero point of the weights' type, or one for each output channel, found 'tensor<3xi8>'}}
  %0 = IE.ConvInteger(%x, %w) weightsZero(%zero : tensor<3xi8>) : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_integer_with_matrix_of_weights_zeros_is_rejected(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %zero: tensor<4x1xi8>) {
  // expected-error @below {{expected one zero point of the weights' type, or one for each output channel, found 'tensor<4x1xi8>'}}
  %0 = IE.ConvInteger(%x, %w) weightsZero(%zero : tensor<4x1xi8>) : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x6x6xi32>
  return
}

// -----

func.func @conv_transpose_with_wrong_channels_is_rejected(%x: tensor<1x3x8x8xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @below {{expected the input's 3 channels, divisible by 'group', as the weights' first dimension, found 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ConvTranspose(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<1x2x10x10xf32>
  return
}

// -----

func.func @conv_transpose_cropped_to_nothing_is_rejected(%x: tensor<1x3x1x8xf32>, %w: tensor<3x2x3x3xf32>) {
  // expected-error @below {{expected a positive output size in dimension 0, found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 2, 0, 2, 0>} : (tensor<1x3x1x8xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x1x10xf32>
  return
}

// -----

func.func @qlinear_conv_with_input_scales_of_channels_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<3x2x3x3xui8>, %s: tensor<f32>, %z: tensor<ui8>, %many: tensor<2xf32>) {
  // expected-error @+1 {{expected single scales and zero points of input and result, found 'tensor<2xf32>'}}
  %0 = IE.QLinearConv(%x, %many, %z, %w, %s, %z, %s, %z) : (tensor<1x2x5x5xui8>, tensor<2xf32>, tensor<ui8>, tensor<3x2x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x3x3xui8>
  return
}

// -----

func.func @qlinear_conv_with_too_few_scales_of_weights_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<3x2x3x3xui8>, %s: tensor<f32>, %z: tensor<ui8>, %many: tensor<2xf32>) {
  // expected-error @+1 {{expected a scale and zero point of the weights, or one for each output channel, found 'tensor<2xf32>'}}
  %0 = IE.QLinearConv(%x, %s, %z, %w, %many, %z, %s, %z) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x3x3xui8>, tensor<2xf32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x3x3xui8>
  return
}

// -----

func.func @qlinear_conv_with_a_zero_point_of_another_type_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<3x2x3x3xui8>, %s: tensor<f32>, %z: tensor<ui8>, %zs: tensor<i8>) {
  // expected-error @+1 {{expected a zero point of the type of 'tensor<3x2x3x3xui8>', found 'tensor<i8>'}}
  %0 = IE.QLinearConv(%x, %s, %z, %w, %s, %zs, %s, %z) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x3x3xui8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x3x3xui8>
  return
}

// -----

func.func @qlinear_conv_with_too_few_biases_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<3x2x3x3xui8>, %s: tensor<f32>, %z: tensor<ui8>, %b: tensor<2xi32>) {
  // expected-error @+2 {{expected a bias of shape [3], found 'tensor<2xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z, %b) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<2xi32>) -> tensor<1x3x3x3xui8>
  return
}

// -----

func.func @qlinear_conv_with_a_scalar_for_weights_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<ui8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error @+2 {{expected weights of the input's rank 4, found rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x3x3xui8>
  return
}

// -----

func.func @conv_integer_with_zero_points_for_a_scalar_is_rejected(%x: tensor<1x2x5x5xui8>, %w: tensor<ui8>, %z: tensor<2xui8>) {
  // expected-error @+1 {{expected one zero point of the weights' type, or one for each output channel, found 'tensor<2xui8>'}}
  %0 = IE.ConvInteger(%x, %w) weightsZero(%z : tensor<2xui8>) : (tensor<1x2x5x5xui8>, tensor<ui8>) -> tensor<1x3x3x3xi32>
  return
}
