// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s --check-prefix=V4
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --canonicalize --split-input-file | FileCheck %s --check-prefix=CANON
// RUN: nacre-opt %s --init-compiler="vpu-arch=generic threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s --check-prefix=GENERIC

// All that follows the sums is post-processing. Padding is the zero point, and
// the offset is what the zero point adds to the sums: 3 * 2 * 16 * 9.
// CHECK-LABEL: @conv_with_all_that_follows_is_one_op
// CHECK-DAG: %[[O:.*]] = arith.constant dense<{{\[\[}}-864, {{.*}}], [-864, -864, -864, -864, 0, {{.*}}0]]> : tensor<2x16xi32>
// CHECK-DAG: %[[S:.*]] = arith.constant dense<{{\[\[}}2.500000e-01, {{.*}}> : tensor<2x16xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[\[}}5.000000e-01, {{.*}}> : tensor<2x16xf32>
// CHECK: %[[X:.*]] = tensor.bitcast %arg0 : tensor<1x16x8x8xui8> to tensor<1x16x8x8xi8>
// CHECK: %[[P:.*]] = VPU.Copy ins(%[[X]] : tensor<1x16x8x8xi8>) {{.*}}padValue = 3.000000e+00 : f32, pads = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<1x1x10x10x16xi8>
// CHECK: VPU.NCE.Convolution ins(%[[P]], %{{.*}} : tensor<1x1x10x10x16xi8>, tensor<2x1x3x3x4x16x4xi8>) offset(%[[O]] : tensor<2x16xi32>) scale(%[[S]] : tensor<2x16xf32>) bias(%[[B]] : tensor<2x16xf32>) outs({{.*}}) {ppe = #VPU.PPE<mode = RELU, zeroPoint = 5 : i64>} -> tensor<1x2x8x8x16xi8>
// CHECK-NOT: IE.
// CHECK: tensor.bitcast %{{.*}} : tensor<1x20x8x8xi8> to tensor<1x20x8x8xui8>
// V4-LABEL: @conv_with_all_that_follows_is_one_op
// V4: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x10x10x16xi8>, tensor<2x1x3x3x8x16x2xi8>) offset({{.*}}) scale({{.*}}) bias({{.*}}) outs({{.*}}) {ppe = #VPU.PPE<mode = RELU, zeroPoint = 5 : i64>} -> tensor<1x2x8x8x16xi8>
// V4-NOT: IE.
// V4: return
func.func @conv_with_all_that_follows_is_one_op(%x: tensor<1x16x8x8xui8>) -> tensor<1x20x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<20x16x3x3xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %y = IE.Constant dense<5> : tensor<ui8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %b = IE.Constant dense<0.5> : tensor<20x1x1xf32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xui8>, tensor<20x16x3x3xi8>) -> tensor<1x20x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x20x8x8xi32> -> tensor<1x20x8x8xf32>
  %2 = IE.Mul %1, %s : tensor<1x20x8x8xf32>, tensor<f32> -> tensor<1x20x8x8xf32>
  %3 = IE.Add %2, %b : tensor<1x20x8x8xf32>, tensor<20x1x1xf32> -> tensor<1x20x8x8xf32>
  %4 = IE.Relu %3 : tensor<1x20x8x8xf32> -> tensor<1x20x8x8xf32>
  %5 = IE.QuantizeLinear(%4, %t, %y) : (tensor<1x20x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x20x8x8xui8>
  return %5 : tensor<1x20x8x8xui8>
}

// -----

// Only where the zero point is 0 is padding a border of zeros.
// CHECK-LABEL: @padding_of_zero_point_0_is_a_border_of_zeros
// CHECK: VPU.NCE.Convolution {{.*}} {zeroBorder = array<i64: 1, 0, 2, 1>}
// CHECK: VPU.NCE.Convolution
// CHECK-NOT: zeroBorder
// CHECK: return
func.func @padding_of_zero_point_0_is_a_border_of_zeros(%x: tensor<1x16x8x8xui8>) -> (tensor<1x16x9x7xi32>, tensor<1x16x9x7xi32>) {
  %w = IE.Constant dense<2> : tensor<16x16x3x3xi8>
  %0 = IE.ConvInteger(%x, %w) {pads = array<i64: 1, 0, 2, 1>} : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>) -> tensor<1x16x9x7xi32>
  %z = IE.Constant dense<3> : tensor<ui8>
  %1 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) {pads = array<i64: 1, 0, 2, 1>} : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>) -> tensor<1x16x9x7xi32>
  return %0, %1 : tensor<1x16x9x7xi32>, tensor<1x16x9x7xi32>
}

// -----

// Three channels fill the pack of four they are multiplied in, the fourth's
// weights are zero. An input of zero point 0 needs no offset.
// CHECK-LABEL: @conv_of_rgb_image_has_blocks_of_one_pack
// CHECK: arith.constant dense<{{\[\[\[\[\[\[\[}}1, 2, 3, 0], [-4, -5, -6, 0], [0, 0, 0, 0], {{.*}}> : tensor<1x1x1x1x1x16x4xi8>
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x8x8x4xi8>, tensor<1x1x1x1x1x16x4xi8>) outs({{.*}}) {inputChannels = 3 : i64, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>}
// V4-LABEL: @conv_of_rgb_image_has_blocks_of_one_pack
// V4: arith.constant dense<{{\[\[\[\[\[\[\[}}1, 2], [-4, -5], [0, 0], {{.*}}], {{\[\[}}3, 0], [-6, 0], [0, 0], {{.*}}> : tensor<1x1x1x1x2x16x2xi8>
// V4: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x8x8x4xi8>, tensor<1x1x1x1x2x16x2xi8>) outs({{.*}}) {inputChannels = 3 : i64, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>}
func.func @conv_of_rgb_image_has_blocks_of_one_pack(%x: tensor<1x3x8x8xui8>) -> tensor<1x2x8x8xui8> {
  %w = IE.Constant dense<[[[[1]], [[2]], [[3]]], [[[-4]], [[-5]], [[-6]]]]> : tensor<2x3x1x1xi8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x3x8x8xui8>, tensor<2x3x1x1xi8>) -> tensor<1x2x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x2x8x8xi32> -> tensor<1x2x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x2x8x8xf32>, tensor<f32>) -> tensor<1x2x8x8xui8>
  return %2 : tensor<1x2x8x8xui8>
}

// -----

// Unsigned weights around 128 are signed ones around zero.
// CHECK-LABEL: @conv_of_unsigned_weights_shifts_them
// CHECK: arith.constant dense<{{\[\[\[\[\[\[\[}}-128, -1, 0, 127], [0, 0, 0, 0], {{.*}}> : tensor<1x1x1x1x1x16x4xi8>
// CHECK: VPU.NCE.Convolution
func.func @conv_of_unsigned_weights_shifts_them(%x: tensor<1x4x8x8xui8>) -> tensor<1x1x8x8xf32> {
  %w = IE.Constant dense<[[[[0]], [[127]], [[128]], [[255]]]]> : tensor<1x4x1x1xui8>
  %z = IE.Constant dense<128> : tensor<ui8>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%z : tensor<ui8>) : (tensor<1x4x8x8xui8>, tensor<1x4x1x1xui8>) -> tensor<1x1x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x1x8x8xi32> -> tensor<1x1x8x8xf32>
  return %1 : tensor<1x1x8x8xf32>
}

// -----

// CHECK-LABEL: @conv_without_quantization_gives_floats
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x8x8x16xi8>, tensor<1x1x1x1x4x16x4xi8>) scale({{.*}} : tensor<1x16xf32>) outs({{.*}} : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
// CHECK: return %{{.*}} : tensor<1x16x8x8xf32>
func.func @conv_without_quantization_gives_floats(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.Mul %1, %s : tensor<1x16x8x8xf32>, tensor<f32> -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// -----

// A division is left to the software kernel; the sums it divides are floats.
// CHECK-LABEL: @quantization_of_another_scale_than_one_stays
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xf32>
// CHECK: IE.QuantizeLinear
func.func @quantization_of_another_scale_than_one_stays(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %s) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  return %2 : tensor<1x16x8x8xui8>
}

// -----

// Signed bytes are the engine's with the sign bit changed.
// CHECK-LABEL: @quantization_to_signed_bytes_is_shifted_by_half_the_range
// CHECK: VPU.NCE.Convolution {{.*}}zeroPoint = 128 : i64>{{.*}} -> tensor<1x1x8x8x16xi8>
// CHECK: IE.BitwiseXor
func.func @quantization_to_signed_bytes_is_shifted_by_half_the_range(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xi8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %s = IE.Constant dense<1.0> : tensor<f32>
  %z = IE.Constant dense<0> : tensor<i8>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %s, %z) : (tensor<1x16x8x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x16x8x8xi8>
  return %2 : tensor<1x16x8x8xi8>
}

// -----

// Between two convolutions bytes stay in the blocked layout, once the signs
// that they pass through cancel.
// CANON-LABEL: @chain_of_convs_stays_blocked
// CANON: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi8>
// CANON-NOT: VPU.Copy
// CANON: VPU.NCE.Convolution ins(%[[Y]],
func.func @chain_of_convs_stays_blocked(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.ConvInteger(%2, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %4 = IE.Cast %3 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %4 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @groups_of_whole_packs_are_blocked_by_group
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x16xi8>, tensor<2x1x1x1x4x16x4xi8>) outs({{.*}}) {groups = 2 : i64, inputChannels = 8 : i64}
func.func @groups_of_whole_packs_are_blocked_by_group(%x: tensor<1x16x8x8xui8>) -> tensor<1x32x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<32x8x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) {group = 2 : i64} : (tensor<1x16x8x8xui8>, tensor<32x8x1x1xi8>) -> tensor<1x32x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x32x8x8xi32> -> tensor<1x32x8x8xf32>
  return %1 : tensor<1x32x8x8xf32>
}

// -----

// Groups that fill a block together are one, whose weights between them are zero.
// CHECK-LABEL: @groups_within_blocks_are_one_for_each_block
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x2x2x16xi8>, tensor<1x1x1x1x4x16x4xi8>) outs({{.*}} : tensor<1x1x2x2x16xf32>) -> tensor<1x1x2x2x16xf32>
func.func @groups_within_blocks_are_one_for_each_block(%x: tensor<1x4x2x2xui8>) -> tensor<1x4x2x2xf32> {
  %w = IE.Constant dense<2> : tensor<4x2x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) {group = 2 : i64} : (tensor<1x4x2x2xui8>, tensor<4x2x1x1xi8>) -> tensor<1x4x2x2xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x4x2x2xi32> -> tensor<1x4x2x2xf32>
  return %1 : tensor<1x4x2x2xf32>
}

// -----

// The last block may hold fewer.
// CHECK-LABEL: @groups_within_two_blocks_are_two
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x16xi8>, tensor<2x1x1x1x4x16x4xi8>) outs({{.*}} : tensor<1x2x8x8x16xf32>) {groups = 2 : i64}
func.func @groups_within_two_blocks_are_two(%x: tensor<1x20x8x8xui8>) -> tensor<1x20x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<20x4x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) {group = 5 : i64} : (tensor<1x20x8x8xui8>, tensor<20x4x1x1xi8>) -> tensor<1x20x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x20x8x8xi32> -> tensor<1x20x8x8xf32>
  return %1 : tensor<1x20x8x8xf32>
}

// -----

// CHECK-LABEL: @groups_of_part_packs_multiply_channels_one_by_one
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x16xi8>, tensor<2x1x1x1x16x16xi8>) {{.*}}groups = 2 : i64, inputChannels = 6 : i64
// V4-LABEL: @groups_of_part_packs_multiply_channels_one_by_one
// V4: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x16xi8>, tensor<2x1x1x1x8x16x2xi8>) {{.*}}groups = 2 : i64, inputChannels = 6 : i64
func.func @groups_of_part_packs_multiply_channels_one_by_one(%x: tensor<1x12x8x8xui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x6x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) {group = 2 : i64} : (tensor<1x12x8x8xui8>, tensor<16x6x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// The offset of a column is what the zero point adds to it: 3 * (1 + 2 + 3 + 4).
// CHECK-LABEL: @matmul_of_rows_with_all_that_follows_is_one_op
// CHECK-DAG: arith.constant dense<{{\[\[\[\[\[}}1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 0], {{.*}}> : tensor<1x1x1x16x4xi8>
// CHECK-DAG: arith.constant dense<{{\[\[}}-30, -78, 0, {{.*}}> : tensor<1x16xi32>
// CHECK-DAG: arith.constant dense<{{\[\[}}2.500000e-01, 5.000000e-01, 0.000000e+00, {{.*}}> : tensor<1x16xf32>
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x6x4xi8>, tensor<1x1x1x16x4xi8>) offset({{.*}} : tensor<1x16xi32>) scale({{.*}} : tensor<1x16xf32>) bias({{.*}} : tensor<1x16xf32>) outs({{.*}} : tensor<1x6x2xi8>) {ppe = #VPU.PPE<mode = NOOP, zeroPoint = 7 : i64>}
// CHECK-NOT: IE.
// CHECK: tensor.bitcast %{{.*}} : tensor<2x3x2xi8> to tensor<2x3x2xui8>
// V4-LABEL: @matmul_of_rows_with_all_that_follows_is_one_op
// V4-DAG: arith.constant dense<{{\[\[\[\[\[}}1, 2], [5, 6], [0, 0], {{.*}}], {{\[\[}}3, 4], [7, 8], [0, 0], {{.*}}> : tensor<1x1x2x16x2xi8>
// V4: VPU.NCE.MatMul ins({{.*}} : tensor<1x6x4xi8>, tensor<1x1x2x16x2xi8>) offset(
func.func @matmul_of_rows_with_all_that_follows_is_one_op(%x: tensor<2x3x4xui8>) -> tensor<2x3x2xui8> {
  %w = IE.Constant dense<[[1, 5], [2, 6], [3, 7], [4, 8]]> : tensor<4x2xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %y = IE.Constant dense<7> : tensor<ui8>
  %s = IE.Constant dense<[0.25, 0.5]> : tensor<2xf32>
  %b = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.MatMulInteger(%x, %w) lhsZero(%z : tensor<ui8>) : (tensor<2x3x4xui8>, tensor<4x2xi8>) -> tensor<2x3x2xi32>
  %1 = IE.Cast %0 to f32 : tensor<2x3x2xi32> -> tensor<2x3x2xf32>
  %2 = IE.Mul %1, %s : tensor<2x3x2xf32>, tensor<2xf32> -> tensor<2x3x2xf32>
  %3 = IE.Add %2, %b : tensor<2x3x2xf32>, tensor<2xf32> -> tensor<2x3x2xf32>
  %4 = IE.QuantizeLinear(%3, %t, %y) : (tensor<2x3x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3x2xui8>
  return %4 : tensor<2x3x2xui8>
}

// -----

// Rows of zeros make whole packs; what the left operand has there is anything.
// CHECK-LABEL: @matmul_of_part_packs_fills_the_last
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1x3x8xi8>
// CHECK: %[[X:.*]] = tensor.insert_slice %{{.*}} into %[[E]][0, 0, 0] [1, 3, 6] [1, 1, 1]
// CHECK: VPU.NCE.MatMul ins(%[[X]], {{.*}} : tensor<1x3x8xi8>, tensor<1x1x2x16x4xi8>)
// V4-LABEL: @matmul_of_part_packs_fills_the_last
// V4-NOT: tensor.insert_slice
// V4: VPU.NCE.MatMul ins({{.*}} : tensor<1x3x6xi8>, tensor<1x1x3x16x2xi8>)
func.func @matmul_of_part_packs_fills_the_last(%x: tensor<3x6xui8>) -> tensor<3x2xf32> {
  %w = IE.Constant dense<2> : tensor<6x2xi8>
  %0 = IE.MatMulInteger(%x, %w) : (tensor<3x6xui8>, tensor<6x2xi8>) -> tensor<3x2xi32>
  %1 = IE.Cast %0 to f32 : tensor<3x2xi32> -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @matmul_of_two_computed_matrices_packs_one_at_run_time
// CHECK: %[[B:.*]] = VPU.Copy ins({{.*}} : tensor<2x4x3xi8>) outs({{.*}}) {dstOrder = #VPU.order<KNn>, srcOrder = #VPU.order<KN>} -> tensor<2x1x1x16x4xi8>
// CHECK: VPU.NCE.MatMul ins({{.*}}, %[[B]] : tensor<2x5x4xi8>, tensor<2x1x1x16x4xi8>) outs({{.*}}) -> tensor<2x5x3xi32>
func.func @matmul_of_two_computed_matrices_packs_one_at_run_time(%x: tensor<2x5x4xui8>, %w: tensor<2x4x3xi8>) -> tensor<2x5x3xi32> {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<2x5x4xui8>, tensor<2x4x3xi8>) -> tensor<2x5x3xi32>
  return %0 : tensor<2x5x3xi32>
}

// -----

// Unsigned bytes on the right are signed ones around 128, by the sign bit.
// CHECK-LABEL: @matmul_of_computed_unsigned_weights_changes_their_sign
// CHECK: VPU.Copy {{.*}} outs({{.*}} : tensor<1x1x1x16x4xi8>) {{.*}}flipsSign
// CHECK: VPU.NCE.MatMul
// GENERIC-LABEL: @matmul_of_computed_unsigned_weights_changes_their_sign
// GENERIC: VPU.Copy {{.*}} outs({{.*}} : tensor<1x1x4x4xi8>) {{.*}}flipsSign
func.func @matmul_of_computed_unsigned_weights_changes_their_sign(%x: tensor<3x4xui8>, %w: tensor<4x2xui8>) -> tensor<3x2xi32> {
  %z = IE.Constant dense<128> : tensor<ui8>
  %0 = IE.MatMulInteger(%x, %w) rhsZero(%z : tensor<ui8>) : (tensor<3x4xui8>, tensor<4x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// Rows that packs are filled up with are zero with the other sign.
// CHECK-LABEL: @matmul_of_computed_unsigned_weights_in_parts_of_packs
// CHECK: %[[ZERO:.*]] = arith.constant -128 : i8
// CHECK: linalg.fill ins(%[[ZERO]] : i8) outs({{.*}} : tensor<1x8x2xi8>)
// CHECK: VPU.Copy {{.*}}flipsSign
func.func @matmul_of_computed_unsigned_weights_in_parts_of_packs(%x: tensor<3x5xui8>, %w: tensor<5x2xui8>) -> tensor<3x2xi32> {
  %z = IE.Constant dense<128> : tensor<ui8>
  %0 = IE.MatMulInteger(%x, %w) rhsZero(%z : tensor<ui8>) : (tensor<3x5xui8>, tensor<5x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// As it lies, a matrix has no more rows: columns of the left operand that fill up
// packs are zeros.
// CHECK-LABEL: @matmul_of_rows_of_bytes_fills_up_the_left_operand
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: linalg.fill ins(%[[ZERO]] : i8) outs({{.*}} : tensor<1x3x8xi8>)
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x3x8xi8>, tensor<1x1x5x2xi8>) outs({{.*}} : tensor<1x3x2xi32>) {unsignedRhs}
func.func @matmul_of_rows_of_bytes_fills_up_the_left_operand(%x: tensor<3x5xui8>, %w: tensor<5x2xui8>) -> tensor<3x2xi32> {
  %z = IE.Constant dense<128> : tensor<ui8>
  %0 = IE.MatMulInteger(%x, %w) rhsZero(%z : tensor<ui8>) {VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<3x5xui8>, tensor<5x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// One offset for both matrices there is not.
// CHECK-LABEL: @matmul_of_computed_matrices_with_a_zero_point_stays
// CHECK: IE.MatMulInteger
func.func @matmul_of_computed_matrices_with_a_zero_point_stays(%x: tensor<2x5x4xui8>, %w: tensor<2x4x3xi8>, %z: tensor<ui8>) -> tensor<2x5x3xi32> {
  %0 = IE.MatMulInteger(%x, %w) lhsZero(%z : tensor<ui8>) : (tensor<2x5x4xui8>, tensor<2x4x3xi8>) -> tensor<2x5x3xi32>
  return %0 : tensor<2x5x3xi32>
}

// -----

// What a run quantizes by is part of the op: the offset is the zero point times
// minus the sums of columns, 10 and 26, the scale one for all.
// CHECK-LABEL: @matmul_of_an_input_quantized_by_its_range_is_one_op
// CHECK: %[[SUMS:.*]] = arith.constant dense<{{\[\[}}-10, -26, 0, {{.*}}> : tensor<1x16xi32>
// CHECK: %[[Z:.*]] = IE.Cast %{{.*}} to i32 : tensor<ui8> -> tensor<i32>
// CHECK: %[[O:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<{{.*}}i32>, tensor<{{.*}}i32> -> tensor<1x16xi32>
// CHECK: %[[S:.*]] = IE.Mul %{{.*}} -> tensor<1x16xf32>
// CHECK: VPU.NCE.MatMul ins({{.*}}) offset(%[[O]] : tensor<1x16xi32>) scale(%[[S]] : tensor<1x16xf32>) bias({{.*}} : tensor<1x16xf32>) outs({{.*}}) {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x?x2xf32>
// CHECK-NOT: IE.
// CHECK: return
func.func @matmul_of_an_input_quantized_by_its_range_is_one_op(%x: tensor<?x4xui8>, %z: tensor<ui8>, %s: tensor<f32>) -> tensor<?x2xf32> {
  %w = IE.Constant dense<[[1, 5], [2, 6], [3, 7], [4, 8]]> : tensor<4x2xi8>
  %t = IE.Constant dense<0.5> : tensor<f32>
  %b = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = IE.MatMulInteger(%x, %w) lhsZero(%z : tensor<ui8>) : (tensor<?x4xui8>, tensor<4x2xi8>) -> tensor<?x2xi32>
  %1 = IE.Cast %0 to f32 : tensor<?x2xi32> -> tensor<?x2xf32>
  %2 = IE.Mul %s, %t : tensor<f32>, tensor<f32> -> tensor<f32>
  %3 = IE.Mul %1, %2 : tensor<?x2xf32>, tensor<f32> -> tensor<?x2xf32>
  %4 = IE.Add %b, %3 : tensor<2xf32>, tensor<?x2xf32> -> tensor<?x2xf32>
  %5 = IE.Relu %4 : tensor<?x2xf32> -> tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}

// -----

// A bias of integers, as QLinearConv has it, is part of what sums start from.
// CHECK-LABEL: @bias_of_integers_is_part_of_the_offset
// CHECK: arith.constant dense<{{\[\[}}-91, -82, 0, {{.*}}> : tensor<1x16xi32>
// CHECK: VPU.NCE.Convolution {{.*}} offset({{.*}} : tensor<1x16xi32>) scale({{.*}}) outs({{.*}}) {{.*}}zeroPoint = 7 : i64
// CHECK-NOT: IE.
// CHECK: return
func.func @bias_of_integers_is_part_of_the_offset(%x: tensor<1x16x8x8xui8>) -> tensor<1x2x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<2x16x1x1xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %y = IE.Constant dense<7> : tensor<ui8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %b = IE.Constant dense<[[[5]], [[14]]]> : tensor<2x1x1xi32>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) : (tensor<1x16x8x8xui8>, tensor<2x16x1x1xi8>) -> tensor<1x2x8x8xi32>
  %1 = IE.Add %0, %b : tensor<1x2x8x8xi32>, tensor<2x1x1xi32> -> tensor<1x2x8x8xi32>
  %2 = IE.Cast %1 to f32 : tensor<1x2x8x8xi32> -> tensor<1x2x8x8xf32>
  %3 = IE.Mul %2, %s : tensor<1x2x8x8xf32>, tensor<f32> -> tensor<1x2x8x8xf32>
  %4 = IE.QuantizeLinear(%3, %t, %y) : (tensor<1x2x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x8x8xui8>
  return %4 : tensor<1x2x8x8xui8>
}

// -----

// CHECK-LABEL: @quantized_sum_behind_engine_op_adds_bytes
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi8>
// CHECK: VPU.NCE.Eltwise ins(%[[Y]], %{{.*}} : tensor<1x1x8x8x16xi8>, tensor<1x1x8x8x16xi8>) outs({{.*}}) {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 0>, ppe = #VPU.PPE<mode = RELU, zeroPoint = 9 : i64>, rhsQuant = #VPU.quant<scale = 2.500000e-01 : f32, zeroPoint = 128>} -> tensor<1x1x8x8x16xi8>
// CHECK-NOT: IE.
// CHECK: return
func.func @quantized_sum_behind_engine_op_adds_bytes(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %a = IE.Constant dense<0.5> : tensor<f32>
  %b = IE.Constant dense<0.25> : tensor<f32>
  %z = IE.Constant dense<128> : tensor<ui8>
  %y = IE.Constant dense<9> : tensor<ui8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.DequantizeLinear(%2, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %4 = IE.DequantizeLinear(%x, %b, %z) : (tensor<1x16x8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x16x8x8xf32>
  %5 = IE.Add %3, %4 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %6 = IE.Relu %5 : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %7 = IE.QuantizeLinear(%6, %t, %y) : (tensor<1x16x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x16x8x8xui8>
  return %7 : tensor<1x16x8x8xui8>
}

// -----

// CHECK-LABEL: @quantized_sum_away_from_the_engine_stays
// CHECK: IE.Add
// CHECK: IE.QuantizeLinear
func.func @quantized_sum_away_from_the_engine_stays(%x: tensor<1x16x8x8xui8>, %y: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8> {
  %a = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %1 = IE.DequantizeLinear(%y, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %2 = IE.Add %0, %1 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  return %3 : tensor<1x16x8x8xui8>
}

// -----

// CHECK-LABEL: @quantized_global_average_behind_engine_op_pools_bytes
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi8>
// CHECK: VPU.NCE.AveragePool ins(%[[Y]] : tensor<1x1x8x8x16xi8>) outs({{.*}}) {inputQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 4>, kernel = array<i64: 8, 8>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 9 : i64>} -> tensor<1x1x1x1x16xi8>
// CHECK-NOT: IE.
// CHECK: return
func.func @quantized_global_average_behind_engine_op_pools_bytes(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x1x1xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %a = IE.Constant dense<0.5> : tensor<f32>
  %z = IE.Constant dense<4> : tensor<ui8>
  %y = IE.Constant dense<9> : tensor<ui8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.DequantizeLinear(%2, %a, %z) : (tensor<1x16x8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x16x8x8xf32>
  %4 = IE.GlobalAveragePool(%3) : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  %5 = IE.QuantizeLinear(%4, %t, %y) : (tensor<1x16x1x1xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x16x1x1xui8>
  return %5 : tensor<1x16x1x1xui8>
}

// -----

// CHECK-LABEL: @quantized_global_average_away_from_the_engine_stays
// CHECK: IE.GlobalAveragePool
// CHECK: IE.QuantizeLinear
func.func @quantized_global_average_away_from_the_engine_stays(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x1x1xui8> {
  %a = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %1 = IE.GlobalAveragePool(%0) : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x1x1xf32>, tensor<f32>) -> tensor<1x16x1x1xui8>
  return %2 : tensor<1x16x1x1xui8>
}

// -----

// The range that signed input is shifted by is part of what the zero point
// adds to the sums: 16 weights of 2, times 128.
// CHECK-LABEL: @conv_of_signed_input_shifts_it
// CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<-4096> : tensor<1x16xi32>
// CHECK: %[[X:.*]] = IE.BitwiseXor %arg0
// CHECK: VPU.Copy ins(%[[X]] : tensor<1x16x8x8xi8>)
// CHECK: VPU.NCE.Convolution {{.*}}offset(%[[OFFSET]]
func.func @conv_of_signed_input_shifts_it(%x: tensor<1x16x8x8xi8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xi8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @conv_of_weights_around_another_zero_stays
// CHECK: IE.ConvInteger
func.func @conv_of_weights_around_another_zero_stays(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %z = IE.Constant dense<1> : tensor<i8>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%z : tensor<i8>) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @conv_of_computed_weights_stays
// CHECK: IE.ConvInteger
func.func @conv_of_computed_weights_stays(%x: tensor<1x16x8x8xui8>, %w: tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xf32> {
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @conv_of_zero_point_known_at_run_time_pads_with_it
// CHECK: %[[Z:.*]] = tensor.extract %{{.*}}[] : tensor<i8>
// CHECK: %[[P:.*]] = VPU.Copy ins({{.*}}) fill(%[[Z]]) outs({{.*}}) {{.*}}pads = array<i64: 1, 1, 1, 1>
// CHECK: %[[O:.*]] = IE.Mul %{{.*}} -> tensor<1x16xi32>
// CHECK: VPU.NCE.Convolution ins(%[[P]], {{.*}}) offset(%[[O]] : tensor<1x16xi32>)
func.func @conv_of_zero_point_known_at_run_time_pads_with_it(%x: tensor<1x16x8x8xui8>, %z: tensor<ui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x3x3xi8>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// Signed bytes are the engine's less 128; so is their zero point.
// CHECK-LABEL: @zero_point_of_signed_bytes_known_at_run_time_is_shifted
// CHECK: %[[Z:.*]] = IE.Cast %arg1 to i32 : tensor<i8> -> tensor<i32>
// CHECK: IE.Add %{{.*}} : tensor<i32>, tensor<i32> -> tensor<i32>
// CHECK: VPU.NCE.Convolution
func.func @zero_point_of_signed_bytes_known_at_run_time_is_shifted(%x: tensor<1x16x8x8xi8>, %z: tensor<i8>) -> tensor<1x16x8x8xi32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<i8>) : (tensor<1x16x8x8xi8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

// CHECK-LABEL: @depthwise_conv_of_zero_point_known_at_run_time_is_offset
// CHECK: %[[O:.*]] = IE.Cast %{{.*}} to f32 : tensor<1x16xi32> -> tensor<1x16xf32>
// CHECK: VPU.NCE.DepthConvolution {{.*}} offset(%[[O]] : tensor<1x16xf32>) {{.*}}inputQuant = #VPU.quant<scale = 1.000000e+00 : f32, zeroPoint = 0>
// CHECK: IE.Cast %{{.*}} to i32
func.func @depthwise_conv_of_zero_point_known_at_run_time_is_offset(%x: tensor<1x16x8x8xui8>, %z: tensor<ui8>) -> tensor<1x16x8x8xi32> {
  %w = IE.Constant dense<2> : tensor<16x1x1x1xui8>
  %q = IE.Constant dense<1> : tensor<ui8>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) weightsZero(%q : tensor<ui8>) {group = 16 : i64} : (tensor<1x16x8x8xui8>, tensor<16x1x1x1xui8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

// Between two convolutions an image stays in blocks while its range is found
// and it is quantized by that. Channels beyond the last have no part in that.
// CANON-LABEL: @image_is_quantized_by_its_range_in_blocks
// CANON: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x2x8x8x16xf32>
// CANON-NOT: dstOrder = #VPU.order<NCHW>}
// CANON: %[[FULL:.*]] = tensor.extract_slice %[[Y]][0, 0, 0, 0, 0] [1, 1, 8, 8, 16]
// CANON: %[[A:.*]] = IE.ReduceMax(%[[FULL]])
// CANON: %[[REST:.*]] = tensor.extract_slice %[[Y]][0, 1, 0, 0, 0] [1, 1, 8, 8, 4]
// CANON: %[[B:.*]] = IE.ReduceMax(%[[REST]])
// CANON: %[[S:.*]] = IE.Max %[[A]], %[[B]]
// CANON: %[[Q:.*]] = IE.QuantizeLinear(%[[Y]], %[[S]], %arg1)
// CANON: VPU.NCE.Convolution
func.func @image_is_quantized_by_its_range_in_blocks(%x: tensor<1x16x8x8xui8>, %z: tensor<ui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<20x16x1x1xi8>
  %v = IE.Constant dense<3> : tensor<16x20x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<20x16x1x1xi8>) -> tensor<1x20x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x20x8x8xi32> -> tensor<1x20x8x8xf32>
  %2 = IE.ReduceMax(%1) {keepdims = 0 : i64} : (tensor<1x20x8x8xf32>) -> tensor<f32>
  %3 = IE.QuantizeLinear(%1, %2, %z) : (tensor<1x20x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x20x8x8xui8>
  %4 = IE.ConvInteger(%3, %v) zero(%z : tensor<ui8>) : (tensor<1x20x8x8xui8>, tensor<16x20x1x1xi8>) -> tensor<1x16x8x8xi32>
  %5 = IE.Cast %4 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %5 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @range_of_channels_is_left_to_software
// CHECK: IE.ReduceMax(%{{.*}}, %{{.*}}) : (tensor<1x16x8x8xf32>, tensor<2xi64>)
func.func @range_of_channels_is_left_to_software(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x1x1xf32> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %a = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.ReduceMax(%1, %a) {keepdims = 1 : i64} : (tensor<1x16x8x8xf32>, tensor<2xi64>) -> tensor<1x16x1x1xf32>
  return %2 : tensor<1x16x1x1xf32>
}

// -----

// Depthwise sums are floats, of integers.
// CHECK-LABEL: @depthwise_conv_gives_its_input_a_meaning
// CHECK: VPU.NCE.DepthConvolution ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x16xi8>, tensor<1x1x1x16xf32>) {{.*}}inputQuant = #VPU.quant<scale = 1.000000e+00 : f32, zeroPoint = 3>
func.func @depthwise_conv_gives_its_input_a_meaning(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<2> : tensor<16x1x1x1xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) {group = 16 : i64} : (tensor<1x16x8x8xui8>, tensor<16x1x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// Sums that somebody else reads stay what they are.
// CHECK-LABEL: @conv_of_sums_that_are_read_as_integers_gives_them
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi32>
// CHECK: IE.Cast
func.func @conv_of_sums_that_are_read_as_integers_gives_them(%x: tensor<1x16x8x8xui8>) -> (tensor<1x16x8x8xi32>, tensor<1x16x8x8xf32>) {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  return %0, %1 : tensor<1x16x8x8xi32>, tensor<1x16x8x8xf32>
}

// -----

// Padding is the least unsigned number.
// CHECK-LABEL: @max_pool_of_bytes_is_an_engine_op
// CHECK: %[[X:.*]] = VPU.Copy {{.*}} outs(%{{.*}} : tensor<1x1x10x10x16xi8>) {{.*}}pads = array<i64: 1, 1, 1, 1>
// CHECK-NOT: padValue
// CHECK: VPU.NCE.MaxPool ins(%{{.*}} : tensor<1x1x10x10x16xi8>) {{.*}}inputQuant = #VPU.quant<scale = 1.000000e+00 : f32, zeroPoint = 0>
func.func @max_pool_of_bytes_is_an_engine_op(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8>
  return %0 : tensor<1x16x8x8xui8>
}

// -----

// CHECK-LABEL: func @product_of_bytes_by_software_stays
// CHECK: IE.MatMulInteger
func.func @product_of_bytes_by_software_stays(%x: tensor<1x4xui8>, %w: tensor<4x2xi8>) -> tensor<1x2xi32> {
  %0 = IE.MatMulInteger(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = software>} : (tensor<1x4xui8>, tensor<4x2xi8>) -> tensor<1x2xi32>
  return %0 : tensor<1x2xi32>
}

// -----

// CHECK-LABEL: @bytes_behind_engine_op_are_rescaled_where_they_lie
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi8>
// CHECK: VPU.NCE.Eltwise ins(%[[Y]], %[[Y]] : tensor<1x1x8x8x16xi8>, tensor<1x1x8x8x16xi8>) outs({{.*}}) {kind = #VPU.eltwise<MAX>, lhsQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 0>, ppe = #VPU.PPE<mode = RELU, zeroPoint = 137 : i64>, rhsQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 0>} -> tensor<1x1x8x8x16xi8>
// CHECK-NOT: IE.DequantizeLinear
// CHECK: return
func.func @bytes_behind_engine_op_are_rescaled_where_they_lie(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xi8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %a = IE.Constant dense<0.5> : tensor<f32>
  %y = IE.Constant dense<9> : tensor<i8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.DequantizeLinear(%2, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %4 = IE.Relu %3 : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %5 = IE.QuantizeLinear(%4, %t, %y) : (tensor<1x16x8x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x16x8x8xi8>
  return %5 : tensor<1x16x8x8xi8>
}

// -----

// The engine's post-processing has no division.
// CHECK-LABEL: @bytes_of_two_scales_stay_with_software
// CHECK: IE.DequantizeLinear
// CHECK: IE.QuantizeLinear
func.func @bytes_of_two_scales_stay_with_software(%x: tensor<1x16x8x8xui8>) -> tensor<1x16x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %a = IE.Constant dense<0.1> : tensor<f32>
  %b = IE.Constant dense<0.2> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.DequantizeLinear(%2, %a) : (tensor<1x16x8x8xui8>, tensor<f32>) -> tensor<1x16x8x8xf32>
  %4 = IE.QuantizeLinear(%3, %b) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  return %4 : tensor<1x16x8x8xui8>
}

// -----

// What the engine has computed is joined as its bytes; signed ones are flipped
// at the edges alone.
// CHECK-LABEL: @bytes_of_the_engine_are_joined_in_its_layout
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x8x8x16xi8>
// CHECK: %[[J:.*]] = tensor.insert_slice %[[Y]] into %{{.*}} : tensor<1x1x8x8x16xi8> into tensor<1x2x8x8x16xi8>
// CHECK: tensor.insert_slice %{{.*}} into %[[J]]{{.*}} : tensor<1x1x8x8x16xi8> into tensor<1x2x8x8x16xi8>
// CHECK-NOT: IE.Concat
// CHECK: return
func.func @bytes_of_the_engine_are_joined_in_its_layout(%x: tensor<1x16x8x8xui8>, %u: tensor<1x16x8x8xi8>) -> tensor<1x32x8x8xi8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %y = IE.Constant dense<9> : tensor<i8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t, %y) : (tensor<1x16x8x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x16x8x8xi8>
  %3 = IE.Concat %2, %u {axis = 1 : i64} : tensor<1x16x8x8xi8>, tensor<1x16x8x8xi8> -> tensor<1x32x8x8xi8>
  return %3 : tensor<1x32x8x8xi8>
}

// -----

// CHECK-LABEL: @joined_bytes_that_end_within_a_block_stay
// CHECK: IE.Concat
func.func @joined_bytes_that_end_within_a_block_stay(%x: tensor<1x16x8x8xui8>, %u: tensor<1x3x8x8xui8>) -> tensor<1x19x8x8xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x8x8xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x8x8xi32> -> tensor<1x16x8x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x8x8xf32>, tensor<f32>) -> tensor<1x16x8x8xui8>
  %3 = IE.Concat %2, %u {axis = 1 : i64} : tensor<1x16x8x8xui8>, tensor<1x3x8x8xui8> -> tensor<1x19x8x8xui8>
  return %3 : tensor<1x19x8x8xui8>
}
