// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-quantization))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @conv_of_dequantized_operands_becomes_conv_integer
// CHECK: %[[S:.*]] = IE.ConvInteger(%arg0, %arg1) zero(%{{.*}} : tensor<ui8>) weightsZero(%{{.*}} : tensor<i8>) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>) -> tensor<1x4x4x4xi32>
// CHECK: %[[F:.*]] = IE.Cast %[[S]] to f32
// CHECK: %[[P:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK: %[[Y:.*]] = IE.Mul %[[F]], %[[P]] : tensor<1x4x4x4xf32>, tensor<f32> -> tensor<1x4x4x4xf32>
// CHECK: return %[[Y]]
func.func @conv_of_dequantized_operands_becomes_conv_integer(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>) -> tensor<1x4x4x4xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %xz = IE.Constant dense<128> : tensor<ui8>
  %ws = IE.Constant dense<0.25> : tensor<f32>
  %wz = IE.Constant dense<0> : tensor<i8>
  %0 = IE.DequantizeLinear(%x, %xs, %xz) : (tensor<1x3x8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %ws, %wz) : (tensor<4x3x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<4x3x3x3xf32>
  %2 = IE.Conv(%0, %1) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// -----

// Scales and bias, one for each output channel, broadcast to its images.
// CHECK-LABEL: func @conv_of_weights_per_channel_with_bias_scales_channels
// CHECK: %[[S:.*]] = IE.ConvInteger(%arg0, %arg1) {group = 2 : i64} : (tensor<1x4x8x8xui8>, tensor<4x2x3x3xi8>) -> tensor<1x4x6x6xi32>
// CHECK: %[[F:.*]] = IE.Cast %[[S]] to f32
// CHECK: %[[W:.*]] = IE.Reshape %{{.*}} : tensor<4xf32>, tensor<3xi64> -> tensor<4x1x1xf32>
// CHECK: %[[P:.*]] = IE.Mul %[[W]], %{{.*}} : tensor<4x1x1xf32>, tensor<f32> -> tensor<4x1x1xf32>
// CHECK: %[[Y:.*]] = IE.Mul %[[F]], %[[P]] : tensor<1x4x6x6xf32>, tensor<4x1x1xf32>
// CHECK: %[[B:.*]] = IE.Reshape %arg2, %{{.*}} : tensor<4xf32>, tensor<3xi64> -> tensor<4x1x1xf32>
// CHECK: IE.Add %[[Y]], %[[B]] : tensor<1x4x6x6xf32>, tensor<4x1x1xf32>
func.func @conv_of_weights_per_channel_with_bias_scales_channels(%x: tensor<1x4x8x8xui8>, %w: tensor<4x2x3x3xi8>, %b: tensor<4xf32>) -> tensor<1x4x6x6xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %ws = IE.Constant dense<[0.25, 0.5, 1.0, 2.0]> : tensor<4xf32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %ws) {axis = -4 : i64} : (tensor<4x2x3x3xi8>, tensor<4xf32>) -> tensor<4x2x3x3xf32>
  %2 = IE.Conv(%0, %1, %b) {group = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %2 : tensor<1x4x6x6xf32>
}

// -----

// CHECK-LABEL: func @matmul_with_weights_per_column_scales_columns
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %arg1) lhsZero(%arg2 : tensor<ui8>) rhsZero(%arg3 : tensor<5xi8>) : (tensor<2x3x4xui8>, tensor<4x5xi8>) -> tensor<2x3x5xi32>
// CHECK: %[[F:.*]] = IE.Cast %[[S]] to f32
// CHECK: %[[P:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<f32>, tensor<5xf32> -> tensor<5xf32>
// CHECK: IE.Mul %[[F]], %[[P]] : tensor<2x3x5xf32>, tensor<5xf32>
func.func @matmul_with_weights_per_column_scales_columns(%x: tensor<2x3x4xui8>, %w: tensor<4x5xi8>, %xz: tensor<ui8>, %wz: tensor<5xi8>) -> tensor<2x3x5xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %ws = IE.Constant dense<[0.25, 0.5, 1.0, 2.0, 4.0]> : tensor<5xf32>
  %0 = IE.DequantizeLinear(%x, %xs, %xz) : (tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x4xf32>
  %1 = IE.DequantizeLinear(%w, %ws, %wz) : (tensor<4x5xi8>, tensor<5xf32>, tensor<5xi8>) -> tensor<4x5xf32>
  %2 = IE.MatMul(%0, %1) : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

// -----

// The rows of the transposed matrix are the product's columns.
// CHECK-LABEL: func @gemm_with_transposed_weights_and_addend_transposes_integers
// CHECK: %[[T:.*]] = IE.Transpose %arg1 {perm = array<i64: 1, 0>} : tensor<5x4xi8> -> tensor<4x5xi8>
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %[[T]]) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
// CHECK: IE.Cast %[[S]] to f32
// CHECK: %[[Y:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<3x5xf32>, tensor<5xf32>
// CHECK: IE.Add %[[Y]], %arg2 : tensor<3x5xf32>, tensor<3x1xf32> -> tensor<3x5xf32>
// CHECK-NOT: IE.Gemm
func.func @gemm_with_transposed_weights_and_addend_transposes_integers(%x: tensor<3x4xui8>, %w: tensor<5x4xi8>, %c: tensor<3x1xf32>) -> tensor<3x5xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %ws = IE.Constant dense<[0.25, 0.5, 1.0, 2.0, 4.0]> : tensor<5xf32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<3x4xui8>, tensor<f32>) -> tensor<3x4xf32>
  %1 = IE.DequantizeLinear(%w, %ws) {axis = 0 : i64} : (tensor<5x4xi8>, tensor<5xf32>) -> tensor<5x4xf32>
  %2 = IE.Gemm(%0, %1, %c) {transB = 1 : i64} : (tensor<3x4xf32>, tensor<5x4xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// CHECK-LABEL: func @moving_of_dequantized_elements_moves_integers
// CHECK: %[[R:.*]] = IE.Reshape %arg0, %{{.*}} : tensor<2x12xui8>, tensor<3xi64> -> tensor<2x3x4xui8>
// CHECK: %[[T:.*]] = IE.Transpose %[[R]] {perm = array<i64: 0, 2, 1>} : tensor<2x3x4xui8> -> tensor<2x4x3xui8>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%[[T]], %{{.*}}, %{{.*}}) : (tensor<2x4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4x3xf32>
// CHECK: return %[[D]]
func.func @moving_of_dequantized_elements_moves_integers(%x: tensor<2x12xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2x4x3xf32> {
  %shape = IE.Constant dense<[2, 3, 4]> : tensor<3xi64>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<2x12xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x12xf32>
  %1 = IE.Reshape %0, %shape : tensor<2x12xf32>, tensor<3xi64> -> tensor<2x3x4xf32>
  %2 = IE.Transpose %1 {perm = array<i64: 0, 2, 1>} : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
  return %2 : tensor<2x4x3xf32>
}

// -----

// CHECK-LABEL: func @max_pool_of_dequantized_image_pools_integers
// CHECK: %[[P:.*]] = IE.MaxPool(%arg0) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x4x8x8xui8>) -> tensor<1x4x8x8xui8>
// CHECK: IE.DequantizeLinear(%[[P]], %{{.*}}) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
func.func @max_pool_of_dequantized_image_pools_integers(%x: tensor<1x4x8x8xui8>) -> tensor<1x4x8x8xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %1 : tensor<1x4x8x8xf32>
}

// -----

// What the pool gives is dequantized behind it, and fused like any operand.
// CHECK-LABEL: func @conv_behind_max_pool_becomes_conv_integer
// CHECK: %[[P:.*]] = IE.MaxPool(%arg0) {{.*}} -> tensor<1x4x7x7xui8>
// CHECK: IE.ConvInteger(%[[P]], %arg1)
// CHECK-NOT: IE.Conv(
func.func @conv_behind_max_pool_becomes_conv_integer(%x: tensor<1x4x8x8xui8>, %w: tensor<4x4x1x1xi8>) -> tensor<1x4x7x7xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %s) : (tensor<4x4x1x1xi8>, tensor<f32>) -> tensor<4x4x1x1xf32>
  %2 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x7x7xf32>
  %3 = IE.Conv(%2, %1) : (tensor<1x4x7x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x7x7xf32>
  return %3 : tensor<1x4x7x7xf32>
}

// -----

// No factor behind the sums can stand for scales inside them.
// CHECK-LABEL: func @conv_of_input_scaled_per_channel_stays
// CHECK: IE.Conv(
// CHECK-NOT: IE.ConvInteger
func.func @conv_of_input_scaled_per_channel_stays(%x: tensor<1x4x8x8xui8>, %w: tensor<4x4x1x1xi8>) -> tensor<1x4x8x8xf32> {
  %xs = IE.Constant dense<[0.25, 0.5, 1.0, 2.0]> : tensor<4xf32>
  %ws = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<1x4x8x8xui8>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %ws) : (tensor<4x4x1x1xi8>, tensor<f32>) -> tensor<4x4x1x1xf32>
  %2 = IE.Conv(%0, %1) : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: func @conv_of_weights_scaled_per_input_channel_stays
// CHECK: IE.Conv(
// CHECK-NOT: IE.ConvInteger
func.func @conv_of_weights_scaled_per_input_channel_stays(%x: tensor<1x4x8x8xui8>, %w: tensor<4x4x1x1xi8>) -> tensor<1x4x8x8xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %ws = IE.Constant dense<[0.25, 0.5, 1.0, 2.0]> : tensor<4xf32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %ws) {axis = 1 : i64} : (tensor<4x4x1x1xi8>, tensor<4xf32>) -> tensor<4x4x1x1xf32>
  %2 = IE.Conv(%0, %1) : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: func @conv_of_float_weights_stays
// CHECK: IE.Conv(
// CHECK-NOT: IE.ConvInteger
func.func @conv_of_float_weights_stays(%x: tensor<1x4x8x8xui8>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %1 : tensor<1x4x8x8xf32>
}

// -----

// CHECK-LABEL: func @matmul_of_weights_scaled_per_row_stays
// CHECK: IE.MatMul(
// CHECK-NOT: IE.MatMulInteger
func.func @matmul_of_weights_scaled_per_row_stays(%x: tensor<3x4xui8>, %w: tensor<4x5xi8>) -> tensor<3x5xf32> {
  %xs = IE.Constant dense<0.5> : tensor<f32>
  %ws = IE.Constant dense<[0.25, 0.5, 1.0, 2.0]> : tensor<4xf32>
  %0 = IE.DequantizeLinear(%x, %xs) : (tensor<3x4xui8>, tensor<f32>) -> tensor<3x4xf32>
  %1 = IE.DequantizeLinear(%w, %ws) {axis = 0 : i64} : (tensor<4x5xi8>, tensor<4xf32>) -> tensor<4x5xf32>
  %2 = IE.MatMul(%0, %1) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// CHECK-LABEL: func @gemm_with_alpha_stays
// CHECK: IE.Gemm
// CHECK-NOT: IE.MatMulInteger
func.func @gemm_with_alpha_stays(%x: tensor<3x4xui8>, %w: tensor<4x5xi8>) -> tensor<3x5xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<3x4xui8>, tensor<f32>) -> tensor<3x4xf32>
  %1 = IE.DequantizeLinear(%w, %s) : (tensor<4x5xi8>, tensor<f32>) -> tensor<4x5xf32>
  %2 = IE.Gemm(%0, %1) {alpha = 2.0 : f32} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// CHECK-LABEL: func @gemm_of_transposed_lhs_stays
// CHECK: IE.Gemm
// CHECK-NOT: IE.MatMulInteger
func.func @gemm_of_transposed_lhs_stays(%x: tensor<4x3xui8>, %w: tensor<4x5xi8>) -> tensor<3x5xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<4x3xui8>, tensor<f32>) -> tensor<4x3xf32>
  %1 = IE.DequantizeLinear(%w, %s) : (tensor<4x5xi8>, tensor<f32>) -> tensor<4x5xf32>
  %2 = IE.Gemm(%0, %1) {transA = 1 : i64} : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// The largest integer stands for the least number.
// CHECK-LABEL: func @max_pool_of_negative_scale_stays
// CHECK: IE.DequantizeLinear(%arg0,
// CHECK: IE.MaxPool(%{{.*}}) {{.*}} : (tensor<1x4x8x8xf32>)
func.func @max_pool_of_negative_scale_stays(%x: tensor<1x4x8x8xui8>) -> tensor<1x4x7x7xf32> {
  %s = IE.Constant dense<-0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x7x7xf32>
  return %1 : tensor<1x4x7x7xf32>
}

// -----

// A scale for each column belongs to no dimension of the reshaped tensor.
// CHECK-LABEL: func @reshape_of_tensor_scaled_per_column_stays
// CHECK: IE.DequantizeLinear(%arg0,
// CHECK: IE.Reshape %{{.*}} : tensor<2x4xf32>
func.func @reshape_of_tensor_scaled_per_column_stays(%x: tensor<2x4xui8>, %s: tensor<4xf32>) -> tensor<8xf32> {
  %shape = IE.Constant dense<8> : tensor<1xi64>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x4xui8>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = IE.Reshape %0, %shape : tensor<2x4xf32>, tensor<1xi64> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// How many scales there are decides how they broadcast.
// CHECK-LABEL: func @conv_of_scales_of_unknown_number_stays
// CHECK: IE.Conv(
func.func @conv_of_scales_of_unknown_number_stays(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %s: tensor<f32>, %t: tensor<?xf32>) -> tensor<1x4x6x6xf32> {
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x3x8x8xui8>, tensor<f32>) -> tensor<1x3x8x8xf32>
  %1 = IE.DequantizeLinear(%w, %t) {axis = 0 : i64} : (tensor<4x3x3x3xi8>, tensor<?xf32>) -> tensor<4x3x3x3xf32>
  %2 = IE.Conv(%0, %1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %2 : tensor<1x4x6x6xf32>
}

// -----

// Signed integers become unsigned, so that zero is half the range; a column is
// two blocks of 16.
// CHECK-LABEL: func @product_reads_blocks_of_four_bits
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<153> : tensor<2x2x8xui8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<{{\[\[}}5.000000e-01, 2.000000e+00], [1.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK: %[[Y:.*]] = IE.MatMulNBits(%arg0, %[[W]], %[[S]]) {K = 32 : i64, bits = 4 : i64, block_size = 16 : i64} : (tensor<?x32xf32>, tensor<2x2x8xui8>, tensor<2x2xf32>) -> tensor<?x2xf32>
// CHECK: return %[[Y]]
func.func @product_reads_blocks_of_four_bits(%x: tensor<?x32xf32>) -> tensor<?x2xf32> {
  %q = IE.Constant dense<1> : tensor<32x2xi4>
  %s = IE.Constant dense<[[0.5, 1.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %b = IE.Cast %q to i8 : tensor<32x2xi4> -> tensor<32x2xi8>
  %w = IE.DequantizeLinear(%b, %s) {axis = 0 : i64, block_size = 16 : i64} : (tensor<32x2xi8>, tensor<2x2xf32>) -> tensor<32x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x32xf32>, tensor<32x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// 3 and, in the upper half, the next 3.
// CHECK-LABEL: func @gemm_of_transposed_weights_has_zero_points_and_a_bias
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<51> : tensor<2x1x8xui8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<{{\[\[}}5.000000e-01], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: %[[Z:.*]] = IE.Constant dense<{{\[\[}}7], [9]]> : tensor<2x1xui8>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<3.000000e+00> : tensor<2xf32>
// CHECK: IE.MatMulNBits(%arg0, %[[W]], %[[S]]) zeroPoints(%[[Z]] : tensor<2x1xui8>) bias(%[[B]] : tensor<2xf32>) {K = 16 : i64, bits = 4 : i64, block_size = 16 : i64}
// CHECK-NOT: IE.Add
func.func @gemm_of_transposed_weights_has_zero_points_and_a_bias(%x: tensor<3x16xf32>) -> tensor<3x2xf32> {
  %q = IE.Constant dense<3> : tensor<2x16xui4>
  %s = IE.Constant dense<[0.5, 2.0]> : tensor<2xf32>
  %z = IE.Constant dense<[7, 9]> : tensor<2xui8>
  %c = IE.Constant dense<3.0> : tensor<2xf32>
  %b = IE.Cast %q to ui8 : tensor<2x16xui4> -> tensor<2x16xui8>
  %w = IE.DequantizeLinear(%b, %s, %z) {axis = 0 : i64} : (tensor<2x16xui8>, tensor<2xf32>, tensor<2xui8>) -> tensor<2x16xf32>
  %0 = IE.Gemm(%x, %w, %c) {transB = 1 : i64} : (tensor<3x16xf32>, tensor<2x16xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// A factor of the product multiplies it, other operands become those of it.
// CHECK-LABEL: func @gemm_of_other_forms_is_a_product_all_the_same
// CHECK: %[[X:.*]] = IE.Transpose %arg0
// CHECK: %[[P:.*]] = IE.MatMulNBits(%[[X]], %{{.*}}, %{{.*}}) {K = 16 : i64, bits = 8 : i64, block_size = 16 : i64}
// CHECK: %[[M:.*]] = IE.Mul %[[P]], %{{.*}}
// CHECK: %[[A:.*]] = IE.Mul %arg1, %{{.*}}
// CHECK: IE.Add %[[M]], %[[A]]
func.func @gemm_of_other_forms_is_a_product_all_the_same(%x: tensor<16x3xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %q = IE.Constant dense<3> : tensor<16x2xi8>
  %s = IE.Constant dense<0.5> : tensor<f32>
  %w = IE.DequantizeLinear(%q, %s) : (tensor<16x2xi8>, tensor<f32>) -> tensor<16x2xf32>
  %0 = IE.Gemm(%x, %w, %c) {alpha = 2.0 : f32, beta = 3.0 : f32, transA = 1 : i64} : (tensor<16x3xf32>, tensor<16x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Whether a product or another op transposes them, weights are there once.
// CHECK-LABEL: func @products_share_weights
// CHECK: %[[T:.*]] = IE.Constant {{.*}} : tensor<32x2x8xui8>
// CHECK: %[[A:.*]] = IE.MatMulNBits(%arg0, %[[T]],
// CHECK: %[[B:.*]] = IE.MatMulNBits(%[[A]], %[[T]],
// CHECK-NOT: IE.MatMulNBits
func.func @products_share_weights(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %q = IE.Constant dense<3> : tensor<32x32xui4>
  %s = IE.Constant dense<0.5> : tensor<32x2xf32>
  %b = IE.Cast %q to ui8 : tensor<32x32xui4> -> tensor<32x32xui8>
  %w = IE.DequantizeLinear(%b, %s) {axis = 1 : i64, block_size = 16 : i64} : (tensor<32x32xui8>, tensor<32x2xf32>) -> tensor<32x32xf32>
  %t = IE.Transpose %w {perm = array<i64: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  %1 = IE.Gemm(%0, %w) {transB = 1 : i64} : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %1 : tensor<1x32xf32>
}

// -----

// Blocks of columns are none of the rows that are summed.
// CHECK-LABEL: func @blocks_of_columns_stay
// CHECK: IE.DequantizeLinear
// CHECK: IE.MatMul(
func.func @blocks_of_columns_stay(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %q = IE.Constant dense<3> : tensor<32x32xi8>
  %s = IE.Constant dense<0.5> : tensor<32x2xf32>
  %w = IE.DequantizeLinear(%q, %s) {axis = 1 : i64, block_size = 16 : i64} : (tensor<32x32xi8>, tensor<32x2xf32>) -> tensor<32x32xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}

// -----

// CHECK-LABEL: func @computed_weights_and_scales_stay
// CHECK: IE.MatMul(
// CHECK: IE.MatMul(
func.func @computed_weights_and_scales_stay(%x: tensor<1x32xf32>, %q: tensor<32x32xi8>, %s: tensor<2x32xf32>) -> tensor<1x32xf32> {
  %c = IE.Constant dense<3> : tensor<32x32xi8>
  %t = IE.Constant dense<0.5> : tensor<2x32xf32>
  %v = IE.DequantizeLinear(%q, %t) {axis = 0 : i64, block_size = 16 : i64} : (tensor<32x32xi8>, tensor<2x32xf32>) -> tensor<32x32xf32>
  %0 = IE.MatMul(%x, %v) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  %w = IE.DequantizeLinear(%c, %s) {axis = 0 : i64, block_size = 16 : i64} : (tensor<32x32xi8>, tensor<2x32xf32>) -> tensor<32x32xf32>
  %1 = IE.MatMul(%0, %w) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %1 : tensor<1x32xf32>
}

// -----

// Blocks that are no whole words, and integers of 16 bits.
// CHECK-LABEL: func @other_integers_stay
// CHECK-NOT: IE.MatMulNBits
func.func @other_integers_stay(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %c = IE.Constant dense<3> : tensor<32x32xi8>
  %s = IE.Constant dense<0.5> : tensor<16x32xf32>
  %v = IE.DequantizeLinear(%c, %s) {axis = 0 : i64, block_size = 2 : i64} : (tensor<32x32xi8>, tensor<16x32xf32>) -> tensor<32x32xf32>
  %0 = IE.MatMul(%x, %v) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  %d = IE.Constant dense<3> : tensor<32x32xi16>
  %t = IE.Constant dense<0.5> : tensor<f32>
  %w = IE.DequantizeLinear(%d, %t) : (tensor<32x32xi16>, tensor<f32>) -> tensor<32x32xf32>
  %1 = IE.MatMul(%0, %w) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %1 : tensor<1x32xf32>
}

// -----

// A product of integers is exact, and comes first.
// CHECK-LABEL: func @product_of_dequantized_rows_is_one_of_integers
// CHECK: IE.MatMulInteger
// CHECK-NOT: IE.MatMulNBits
func.func @product_of_dequantized_rows_is_one_of_integers(%x: tensor<1x32xui8>) -> tensor<1x32xf32> {
  %q = IE.Constant dense<3> : tensor<32x32xi8>
  %s = IE.Constant dense<0.5> : tensor<f32>
  %a = IE.DequantizeLinear(%x, %s) : (tensor<1x32xui8>, tensor<f32>) -> tensor<1x32xf32>
  %w = IE.DequantizeLinear(%q, %s) : (tensor<32x32xi8>, tensor<f32>) -> tensor<32x32xf32>
  %0 = IE.MatMul(%a, %w) : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}

// -----

// CHECK-LABEL: func @gathered_rows_are_dequantized
// CHECK-DAG: %[[TABLE:.*]] = IE.Constant {{.*}} : tensor<8x16xui8>
// CHECK-DAG: %[[SCALES:.*]] = IE.Constant {{.*}} : tensor<8x2xf16>
// CHECK: %[[ROWS:.*]] = IE.Gather %[[TABLE]], %arg0 {{.*}} -> tensor<?x?x16xui8>
// CHECK: IE.BitShift {{.*}} -> tensor<?x?x16x2xui8>
// CHECK: IE.BitwiseAnd
// CHECK: IE.Reshape {{.*}} -> tensor<?x?x32xui8>
// CHECK: %[[BYTES:.*]] = IE.Cast {{.*}} -> tensor<?x?x32xi8>
// CHECK: %[[SIGNED:.*]] = IE.Sub %[[BYTES]]
// CHECK: %[[HALVES:.*]] = IE.Gather %[[SCALES]], %arg0 {{.*}} -> tensor<?x?x2xf16>
// CHECK: %[[SCALE:.*]] = IE.Cast %[[HALVES]] to f32
// CHECK: IE.DequantizeLinear(%[[SIGNED]], %[[SCALE]]) {axis = 2 : i64, block_size = 16 : i64} : (tensor<?x?x32xi8>, tensor<?x?x2xf32>) -> tensor<?x?x32xf32>
func.func @gathered_rows_are_dequantized(%ids: tensor<?x?xi64>) -> tensor<?x?x32xf32> {
  %q = IE.Constant dense<3> : tensor<8x32xi4>
  %h = IE.Constant dense<0.5> : tensor<8x2xf16>
  %s = IE.Cast %h to f32 : tensor<8x2xf16> -> tensor<8x2xf32>
  %b = IE.Cast %q to i8 : tensor<8x32xi4> -> tensor<8x32xi8>
  %w = IE.DequantizeLinear(%b, %s) {axis = 1 : i64, block_size = 16 : i64} : (tensor<8x32xi8>, tensor<8x2xf32>) -> tensor<8x32xf32>
  %0 = IE.Gather %w, %ids : tensor<8x32xf32>, tensor<?x?xi64> -> tensor<?x?x32xf32>
  return %0 : tensor<?x?x32xf32>
}

// -----

// CHECK-LABEL: func @rows_with_a_scale_each_are_one_block
// CHECK: %[[ROWS:.*]] = IE.Gather %{{.*}}, %arg0 {{.*}} -> tensor<3x32xui8>
// CHECK: %[[SCALES:.*]] = IE.Gather {{.*}} -> tensor<3xf32>
// CHECK: %[[SCALE:.*]] = {{.*}} -> tensor<3x1xf32>
// CHECK: IE.DequantizeLinear(%[[ROWS]], %[[SCALE]]) {{{(axis = 1 : i64, )?}}block_size = 32 : i64}
func.func @rows_with_a_scale_each_are_one_block(%ids: tensor<3xi64>) -> tensor<3x32xf32> {
  %q = IE.Constant dense<3> : tensor<8x32xui8>
  %s = IE.Constant dense<0.5> : tensor<8xf32>
  %w = IE.DequantizeLinear(%q, %s) {axis = 0 : i64} : (tensor<8x32xui8>, tensor<8xf32>) -> tensor<8x32xf32>
  %0 = IE.Gather %w, %ids : tensor<8x32xf32>, tensor<3xi64> -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// -----

// CHECK-LABEL: func @tables_of_shared_scales_and_gathered_columns_stay
// CHECK: IE.DequantizeLinear
// CHECK: IE.Gather
// CHECK: IE.DequantizeLinear
// CHECK: IE.Gather
func.func @tables_of_shared_scales_and_gathered_columns_stay(%ids: tensor<3xi64>) -> (tensor<3x32xf32>, tensor<8x3xf32>) {
  %q = IE.Constant dense<3> : tensor<8x32xui8>
  %s = IE.Constant dense<0.5> : tensor<4x32xf32>
  %w = IE.DequantizeLinear(%q, %s) {axis = 0 : i64, block_size = 2 : i64} : (tensor<8x32xui8>, tensor<4x32xf32>) -> tensor<8x32xf32>
  %0 = IE.Gather %w, %ids : tensor<8x32xf32>, tensor<3xi64> -> tensor<3x32xf32>
  %t = IE.Constant dense<0.5> : tensor<8xf32>
  %v = IE.DequantizeLinear(%q, %t) {axis = 0 : i64} : (tensor<8x32xui8>, tensor<8xf32>) -> tensor<8x32xf32>
  %1 = IE.Gather %v, %ids {axis = 1 : i64} : tensor<8x32xf32>, tensor<3xi64> -> tensor<8x3xf32>
  return %0, %1 : tensor<3x32xf32>, tensor<8x3xf32>
}
