// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-shuffle-channels --canonicalize --split-input-file | FileCheck %s

// Two groups of eight channels: planes move, blocks stay.
// CHECK-LABEL: @shuffle_stays_in_blocks
// CHECK-NOT: linalg.transpose
// CHECK: %[[S:.*]] = VPU.ShuffleChannels ins(%arg0 : tensor<1x2x14x14x8xf32>) {{.*}} {channels = array<i64: 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15>}
// CHECK: VPU.Copy ins(%[[S]] : tensor<1x2x14x14x8xf32>) {{.*}} {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>}
func.func @shuffle_stays_in_blocks(%x: tensor<1x2x14x14x8xf32>) -> tensor<1x2x16x16x8xf32> {
  %e0 = tensor.empty() : tensor<1x16x14x14xf32>
  %planes = VPU.Copy ins(%x : tensor<1x2x14x14x8xf32>) outs(%e0 : tensor<1x16x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x14x14xf32>
  %apart = tensor.expand_shape %planes [[0], [1, 2], [3], [4]] output_shape [1, 2, 8, 14, 14] : tensor<1x16x14x14xf32> into tensor<1x2x8x14x14xf32>
  %e1 = tensor.empty() : tensor<1x8x2x14x14xf32>
  %moved = linalg.transpose ins(%apart : tensor<1x2x8x14x14xf32>) outs(%e1 : tensor<1x8x2x14x14xf32>) permutation = [0, 2, 1, 3, 4]
  %joined = tensor.collapse_shape %moved [[0], [1, 2], [3], [4]] : tensor<1x8x2x14x14xf32> into tensor<1x16x14x14xf32>
  %e2 = tensor.empty() : tensor<1x2x16x16x8xf32>
  %y = VPU.Copy ins(%joined : tensor<1x16x14x14xf32>) outs(%e2 : tensor<1x2x16x16x8xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x8xf32>
  return %y : tensor<1x2x16x16x8xf32>
}

// -----

// Rows and columns that change places do not stay where they are.
// CHECK-LABEL: @transposition_of_images_leaves_blocks
// CHECK-NOT: VPU.ShuffleChannels
// CHECK: linalg.transpose
func.func @transposition_of_images_leaves_blocks(%x: tensor<1x2x14x14x8xf32>) -> tensor<1x2x16x16x8xf32> {
  %e0 = tensor.empty() : tensor<1x16x14x14xf32>
  %planes = VPU.Copy ins(%x : tensor<1x2x14x14x8xf32>) outs(%e0 : tensor<1x16x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x14x14xf32>
  %apart = tensor.expand_shape %planes [[0], [1, 2], [3], [4]] output_shape [1, 2, 8, 14, 14] : tensor<1x16x14x14xf32> into tensor<1x2x8x14x14xf32>
  %e1 = tensor.empty() : tensor<1x2x8x14x14xf32>
  %moved = linalg.transpose ins(%apart : tensor<1x2x8x14x14xf32>) outs(%e1 : tensor<1x2x8x14x14xf32>) permutation = [0, 1, 2, 4, 3]
  %joined = tensor.collapse_shape %moved [[0], [1, 2], [3], [4]] : tensor<1x2x8x14x14xf32> into tensor<1x16x14x14xf32>
  %e2 = tensor.empty() : tensor<1x2x16x16x8xf32>
  %y = VPU.Copy ins(%joined : tensor<1x16x14x14xf32>) outs(%e2 : tensor<1x2x16x16x8xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x8xf32>
  return %y : tensor<1x2x16x16x8xf32>
}

// -----

// Somebody else reads planes.
// CHECK-LABEL: @shuffle_with_two_readers_leaves_blocks
// CHECK-NOT: VPU.ShuffleChannels
// CHECK: linalg.transpose
func.func @shuffle_with_two_readers_leaves_blocks(%x: tensor<1x2x14x14x8xf32>) -> (tensor<1x2x16x16x8xf32>, tensor<1x16x14x14xf32>) {
  %e0 = tensor.empty() : tensor<1x16x14x14xf32>
  %planes = VPU.Copy ins(%x : tensor<1x2x14x14x8xf32>) outs(%e0 : tensor<1x16x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x14x14xf32>
  %apart = tensor.expand_shape %planes [[0], [1, 2], [3], [4]] output_shape [1, 2, 8, 14, 14] : tensor<1x16x14x14xf32> into tensor<1x2x8x14x14xf32>
  %e1 = tensor.empty() : tensor<1x8x2x14x14xf32>
  %moved = linalg.transpose ins(%apart : tensor<1x2x8x14x14xf32>) outs(%e1 : tensor<1x8x2x14x14xf32>) permutation = [0, 2, 1, 3, 4]
  %joined = tensor.collapse_shape %moved [[0], [1, 2], [3], [4]] : tensor<1x8x2x14x14xf32> into tensor<1x16x14x14xf32>
  %e2 = tensor.empty() : tensor<1x2x16x16x8xf32>
  %y = VPU.Copy ins(%joined : tensor<1x16x14x14xf32>) outs(%e2 : tensor<1x2x16x16x8xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x8xf32>
  return %y, %joined : tensor<1x2x16x16x8xf32>, tensor<1x16x14x14xf32>
}

// -----

// Six channels a group fill a part of a block each; who reads them counts images
// and blocks otherwise.
// CHECK-LABEL: @groups_get_blocks_of_their_own
// CHECK-NOT: tensor.expand_shape
// CHECK: %[[S:.*]] = VPU.ShuffleChannels ins(%arg0 : tensor<1x2x?x?x8xf32>) outs(%{{.*}} : tensor<1x2x?x?x8xf32>) {channels = array<i64: 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1>}
// CHECK: return %[[S]]
func.func @groups_get_blocks_of_their_own(%x: tensor<1x2x?x?x8xf32>, %h: index, %w: index) -> tensor<1x2x?x?x8xf32> {
  %e0 = tensor.empty(%h, %w) : tensor<1x12x?x?xf32>
  %planes = VPU.Copy ins(%x : tensor<1x2x?x?x8xf32>) outs(%e0 : tensor<1x12x?x?xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x12x?x?xf32>
  %apart = tensor.expand_shape %planes [[0], [1, 2], [3], [4]] output_shape [1, 2, 6, %h, %w] : tensor<1x12x?x?xf32> into tensor<1x2x6x?x?xf32>
  %groups = tensor.collapse_shape %apart [[0, 1], [2], [3], [4]] : tensor<1x2x6x?x?xf32> into tensor<2x6x?x?xf32>
  %e1 = tensor.empty(%h, %w) : tensor<2x1x?x?x8xf32>
  %blocks = VPU.Copy ins(%groups : tensor<2x6x?x?xf32>) outs(%e1 : tensor<2x1x?x?x8xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<2x1x?x?x8xf32>
  %more = tensor.expand_shape %blocks [[0, 1], [2], [3], [4], [5]] output_shape [1, 2, 1, %h, %w, 8] : tensor<2x1x?x?x8xf32> into tensor<1x2x1x?x?x8xf32>
  %y = tensor.collapse_shape %more [[0], [1, 2], [3], [4], [5]] : tensor<1x2x1x?x?x8xf32> into tensor<1x2x?x?x8xf32>
  return %y : tensor<1x2x?x?x8xf32>
}

// -----

// A copy may know rows and columns that its source does not.
// CHECK-LABEL: @rows_that_only_the_last_copy_knows
// CHECK: %[[S:.*]] = VPU.ShuffleChannels {{.*}} -> tensor<1x2x?x?x8xf32>
// CHECK: tensor.cast %[[S]] : tensor<1x2x?x?x8xf32> to tensor<1x2x14x14x8xf32>
func.func @rows_that_only_the_last_copy_knows(%x: tensor<1x2x?x?x8xf32>) -> tensor<1x2x14x14x8xf32> {
  %e0 = tensor.empty() : tensor<1x16x14x14xf32>
  %planes = VPU.Copy ins(%x : tensor<1x2x?x?x8xf32>) outs(%e0 : tensor<1x16x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x14x14xf32>
  %e1 = tensor.empty() : tensor<1x2x14x14x8xf32>
  %y = VPU.Copy ins(%planes : tensor<1x16x14x14xf32>) outs(%e1 : tensor<1x2x14x14x8xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x2x14x14x8xf32>
  return %y : tensor<1x2x14x14x8xf32>
}
