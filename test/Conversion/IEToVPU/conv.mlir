// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s --check-prefix=NPU

// Few input channels stay unpadded; output channels fill blocks of 16 lanes.
// CHECK-LABEL: @conv_of_rgb_image
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 : tensor<1x3x32x32xf32>) outs({{.*}}) {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHW>} -> tensor<1x1x34x34x3xf32>
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution ins(%[[X]], %{{.*}} : tensor<1x1x34x34x3xf32>, tensor<2x1x3x3x3x16xf32>) bias(%{{.*}} : tensor<2x16xf32>) outs({{.*}}) {strides = array<i64: 2, 2>, zeroBorder = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x16xf32>
// CHECK: VPU.Copy ins(%[[Y]] {{.*}} -> tensor<1x24x16x16xf32>
// NPU-LABEL: @conv_of_rgb_image
// NPU: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x34x34x3xf32>, tensor<1x1x3x3x3x24xf32>) bias({{.*}} : tensor<1x24xf32>)
func.func @conv_of_rgb_image(%x: tensor<1x3x32x32xf32>) -> tensor<1x24x16x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<24x3x3x3xf32>
  %b = IE.Constant dense<0.2> : tensor<24xf32>
  %0 = IE.Conv(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x32x32xf32>, tensor<24x3x3x3xf32>, tensor<24xf32>) -> tensor<1x24x16x16xf32>
  return %0 : tensor<1x24x16x16xf32>
}

// -----

// Weights land in (OCB, ICB, KH, KW, ic, oc) order.
// CHECK-LABEL: @packed_weights_are_transposed
// CHECK-DAG: arith.constant dense<{{\[\[\[\[\[\[}}1.000000e+00, 3.000000e+00, 0.000000e+00{{.*}}], [2.000000e+00, 4.100000e+00, 0.000000e+00{{.*}}]]]]]]> : tensor<1x1x1x1x2x16xf32>
func.func @packed_weights_are_transposed(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = IE.Constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.1]]]]> : tensor<2x2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

// Between two convolutions no value leaves the blocked layout.
// CHECK-LABEL: @conv_chain_converts_at_its_ends
// CHECK: VPU.Copy {{.*}}srcOrder = #VPU.order<NCHW>
// CHECK: %[[A:.*]] = VPU.NCE.Convolution
// CHECK: %[[P:.*]] = VPU.Copy ins(%[[A]] {{.*}}pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>
// CHECK: VPU.NCE.DepthConvolution ins(%[[P]], {{.*}}tensor<1x3x3x16xf32>)
// CHECK: VPU.Copy {{.*}}dstOrder = #VPU.order<NCHW>,
// CHECK-NOT: VPU.Copy
func.func @conv_chain_converts_at_its_ends(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %d = IE.Constant dense<0.1> : tensor<16x1x3x3xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.Conv(%0, %d) {pads = array<i64: 1, 1, 1, 1>, group = 16 : i64} : (tensor<1x16x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @conv_1d_is_an_image_of_one_row
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x1x12x4xf32>, tensor<1x1x1x3x4x16xf32>)
// CHECK: tensor.collapse_shape
func.func @conv_1d_is_an_image_of_one_row(%x: tensor<1x4x10xf32>) -> tensor<1x8x10xf32> {
  %w = IE.Constant dense<0.1> : tensor<8x4x3xf32>
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1>} : (tensor<1x4x10xf32>, tensor<8x4x3xf32>) -> tensor<1x8x10xf32>
  return %0 : tensor<1x8x10xf32>
}

// -----

// CHECK-LABEL: @groups_of_whole_blocks
// CHECK: VPU.NCE.Convolution {{.*}} {groups = 2 : i64}
func.func @groups_of_whole_blocks(%x: tensor<1x32x8x8xf32>) -> tensor<1x64x8x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<64x16x1x1xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<1x32x8x8xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x8x8xf32>
  return %0 : tensor<1x64x8x8xf32>
}

// -----

// Each group is blocked by itself, as if it were an image.
// CHECK-LABEL: @groups_of_part_blocks
// CHECK: %[[IMAGES:.*]] = tensor.collapse_shape {{.*}} into tensor<2x6x8x8xf32>
// CHECK: %[[BLOCKS:.*]] = VPU.Copy ins(%[[IMAGES]] : tensor<2x6x8x8xf32>) outs({{.*}} : tensor<2x1x8x8x16xf32>)
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x16xf32>, tensor<2x1x1x1x16x16xf32>) outs({{.*}} : tensor<1x2x8x8x16xf32>) {groups = 2 : i64, inputChannels = 6 : i64}
// CHECK: VPU.Copy ins({{.*}} : tensor<2x1x8x8x16xf32>) outs({{.*}} : tensor<2x6x8x8xf32>)
func.func @groups_of_part_blocks(%x: tensor<1x12x8x8xf32>) -> tensor<1x12x8x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<12x6x1x1xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<1x12x8x8xf32>, tensor<12x6x1x1xf32>) -> tensor<1x12x8x8xf32>
  return %0 : tensor<1x12x8x8xf32>
}

// -----

// Groups that fill a block together share it, and leave the layout as it is
// between others. An NPU has a block for each.
// CHECK-LABEL: @groups_within_blocks
// CHECK: %[[A:.*]] = VPU.NCE.Convolution
// CHECK: %[[P:.*]] = VPU.Copy ins(%[[A]] {{.*}}pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>
// CHECK: VPU.NCE.GroupConvolution ins(%[[P]], %{{.*}} : tensor<1x2x10x10x16xf32>, tensor<2x3x3x4x16xf32>) bias(%{{.*}} : tensor<2x16xf32>) outs({{.*}} : tensor<1x2x4x4x16xf32>) {strides = array<i64: 2, 2>}
// CHECK: VPU.Copy {{.*}}dstOrder = #VPU.order<NCHW>,
// CHECK-NOT: VPU.Copy
// NPU-LABEL: @groups_within_blocks
// NPU: VPU.NCE.Convolution {{.*}}groups = 8
func.func @groups_within_blocks(%x: tensor<1x16x8x8xf32>) -> tensor<1x32x4x4xf32> {
  %v = IE.Constant dense<0.1> : tensor<32x16x1x1xf32>
  %w = IE.Constant dense<0.1> : tensor<32x4x3x3xf32>
  %b = IE.Constant dense<0.1> : tensor<32xf32>
  %0 = IE.Conv(%x, %v) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  %1 = IE.Conv(%0, %w, %b) {group = 8 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x32x8x8xf32>, tensor<32x4x3x3xf32>, tensor<32xf32>) -> tensor<1x32x4x4xf32>
  return %1 : tensor<1x32x4x4xf32>
}

// -----

// Two groups of two channels: to output o, input i adds what is at distance
// o xor i in the lane of i. The block's other lanes are zero.
// CHECK-LABEL: @weights_of_groups_lie_by_distance
// CHECK-DAG: arith.constant dense<{{\[\[\[\[\[}}1.000000e+00, 4.000000e+00, 5.000000e+00, 8.100000e+00, 0.000000e+00{{.*}}], [3.000000e+00, 2.000000e+00, 7.000000e+00, 6.000000e+00, 0.000000e+00{{.*}}]]]]]> : tensor<1x1x1x2x16xf32>
func.func @weights_of_groups_lie_by_distance(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %w = IE.Constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]], [[[5.0]], [[6.0]]], [[[7.0]], [[8.1]]]]> : tensor<4x2x1x1xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// One group is a dense convolution, and so is one that changes the number of
// channels.
// CHECK-LABEL: @one_small_group_is_dense
// CHECK-NOT: VPU.NCE.GroupConvolution
// CHECK: return
func.func @one_small_group_is_dense(%x: tensor<1x4x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %v = IE.Constant dense<0.1> : tensor<4x4x1x1xf32>
  %w = IE.Constant dense<0.1> : tensor<8x2x1x1xf32>
  %0 = IE.Conv(%x, %v) : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = IE.Conv(%0, %w) {group = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<8x2x1x1xf32>) -> tensor<1x8x4x4xf32>
  return %1 : tensor<1x8x4x4xf32>
}

// -----

// The layout of the groups is kept through activations and other convolutions.
// CHECK-LABEL: @groups_of_part_blocks_stay_blocked
// CHECK-COUNT-1: VPU.Copy
// CHECK: VPU.NCE.Convolution
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.Eltwise
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.Convolution
// CHECK: VPU.Copy
// CHECK-NOT: VPU.Copy
// CHECK: return
func.func @groups_of_part_blocks_stay_blocked(%x: tensor<2x10x8x8xf32>) -> tensor<2x10x8x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<10x5x1x1xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<2x10x8x8xf32>, tensor<10x5x1x1xf32>) -> tensor<2x10x8x8xf32>
  %1 = IE.Relu %0 : tensor<2x10x8x8xf32> -> tensor<2x10x8x8xf32>
  %2 = IE.Conv(%1, %w) {group = 2 : i64} : (tensor<2x10x8x8xf32>, tensor<10x5x1x1xf32>) -> tensor<2x10x8x8xf32>
  return %2 : tensor<2x10x8x8xf32>
}

// -----

// Blocks are vectors, of which those of f64 have half as many lanes.
// CHECK-LABEL: @conv_of_doubles
// CHECK: arith.constant {{.*}} : tensor<2x2x1x1x8x8xf64>
// CHECK: VPU.NCE.Convolution ins({{.*}} : tensor<1x2x8x8x8xf64>, tensor<2x2x1x1x8x8xf64>)
// CHECK-NOT: IE.Conv
func.func @conv_of_doubles(%x: tensor<1x16x8x8xf64>) -> tensor<1x16x8x8xf64> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf64>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf64>, tensor<16x16x1x1xf64>) -> tensor<1x16x8x8xf64>
  return %0 : tensor<1x16x8x8xf64>
}

// -----

// CHECK-LABEL: func @one_dimensional_conv_with_part_block_groups
// CHECK: VPU.NCE.Convolution {{.*}} {groups = 2 : i64, inputChannels = 2 : i64}
func.func @one_dimensional_conv_with_part_block_groups(%x: tensor<2x4x6xf32>) -> tensor<2x6x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<6x2x3xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<2x4x6xf32>, tensor<6x2x3xf32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}

// -----

// Groups that make two channels of one would leave most of their blocks empty.
// CHECK-LABEL: @groups_of_one_channel_read_it_as_often_as_they_make_some
// CHECK: %[[PLACES:.*]] = IE.Constant dense<[0, 0, 1, 1, 2, 2, 3, 3,
// CHECK: IE.Gather %arg0, %[[PLACES]] {axis = 1 : i64} : tensor<1x8x?x6xf32>, tensor<16xi64> -> tensor<1x16x?x6xf32>
// CHECK: VPU.NCE.DepthConvolution
// NPU-LABEL: @groups_of_one_channel_read_it_as_often_as_they_make_some
// NPU-NOT: IE.Gather
func.func @groups_of_one_channel_read_it_as_often_as_they_make_some(%x: tensor<1x8x?x6xf32>) -> tensor<1x16x?x4xf32> {
  %w = IE.Constant dense<0.5> : tensor<16x1x3x3xf32>
  %0 = IE.Conv(%x, %w) {group = 8 : i64} : (tensor<1x8x?x6xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x?x4xf32>
  return %0 : tensor<1x16x?x4xf32>
}

// -----

// These fill a block each.
// CHECK-LABEL: @groups_that_make_a_block_of_channels_keep_their_input
// CHECK-NOT: IE.Gather
// CHECK: VPU.NCE.Convolution {{.*}}groups = 2
func.func @groups_that_make_a_block_of_channels_keep_their_input(%x: tensor<1x2x6x6xf32>) -> tensor<1x32x4x4xf32> {
  %w = IE.Constant dense<0.5> : tensor<32x1x3x3xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<1x2x6x6xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}
