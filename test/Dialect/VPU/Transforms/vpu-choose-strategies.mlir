// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="min-cycles=8000" --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="min-cycles=8000" --split-input-file | FileCheck %s --check-prefixes=CHECK,NPU

// Rows split evenly. Of a part, a cache holds so many rows at a time where a copy
// pads them, and a scratchpad half.
// CHECK-LABEL: @padded_convolution_is_split_over_rows
// CPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 14, 1, 1]>
// NPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 2, 1, 1]>
func.func @padded_convolution_is_split_over_rows(%x: tensor<1x4x112x112x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x112x112x16xf32> {
  %p = tensor.empty() : tensor<1x4x114x114x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x4x112x112x16xf32>) outs(%p : tensor<1x4x114x114x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x114x114x16xf32>
  %e = tensor.empty() : tensor<1x4x112x112x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x114x114x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x112x112x16xf32>) -> tensor<1x4x112x112x16xf32>
  return %0 : tensor<1x4x112x112x16xf32>
}

// -----

// CHECK-LABEL: @odd_rows_are_split_over_blocks
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 2, 1, 1, 1]>
func.func @odd_rows_are_split_over_blocks(%x: tensor<1x32x7x7x16xf32>, %w: tensor<32x32x1x1x16x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x7x7x16xf32>, tensor<32x32x1x1x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// CHECK-LABEL: @columns_that_end_within_a_vector_leave_a_rest
// CPU: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 8>
// NPU: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 8, tiles = [1, 1, 31]>
func.func @columns_that_end_within_a_vector_leave_a_rest(%x: tensor<1x1x2048xf32>, %w: tensor<1x63x2048x16xf32>) -> tensor<1x1x1000xf32> {
  %e = tensor.empty() : tensor<1x1x1000xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x1x2048xf32>, tensor<1x63x2048x16xf32>) outs(%e : tensor<1x1x1000xf32>) -> tensor<1x1x1000xf32>
  return %0 : tensor<1x1x1000xf32>
}

// -----

// CHECK-LABEL: @small_op_stays_on_one_cluster
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<>
func.func @small_op_stays_on_one_cluster(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  return %0 : tensor<1x1x8x8x16xf32>
}

// -----

// The image is computed where it is padded: the copy is not needed, so that the
// convolution has no tiles.
// CHECK-LABEL: @image_is_padded_in_place
// CPU: VPU.Copy {{.*}}VPU.strategy = #VPU.strategy<padInPlace = true>
// CPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1]>
// NPU-NOT: padInPlace
func.func @image_is_padded_in_place(%x: tensor<1x4x224x224x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x112x112x16xf32> {
  %i = tensor.empty() : tensor<1x4x112x112x16xf32>
  %image = VPU.NCE.MaxPool ins(%x : tensor<1x4x224x224x16xf32>) outs(%i : tensor<1x4x112x112x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x4x112x112x16xf32>
  %p = tensor.empty() : tensor<1x4x114x114x16xf32>
  %pad = VPU.Copy ins(%image : tensor<1x4x112x112x16xf32>) outs(%p : tensor<1x4x114x114x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x114x114x16xf32>
  %e = tensor.empty() : tensor<1x4x112x112x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x114x114x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x112x112x16xf32>) -> tensor<1x4x112x112x16xf32>
  return %0 : tensor<1x4x112x112x16xf32>
}

// -----

// What a person wrote stays, and others are chosen around it: the copy is in the
// loop of the convolution again.
// CHECK-LABEL: @given_strategies_stay
// CPU: VPU.Copy {{.*}}VPU.strategy = #VPU.strategy<>
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 4, 1, 1, 1], tiles = [1, 1, 28, 1, 1]>
func.func @given_strategies_stay(%x: tensor<1x4x224x224x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x112x112x16xf32> {
  %i = tensor.empty() : tensor<1x4x112x112x16xf32>
  %image = VPU.NCE.MaxPool ins(%x : tensor<1x4x224x224x16xf32>) outs(%i : tensor<1x4x112x112x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x4x112x112x16xf32>
  %p = tensor.empty() : tensor<1x4x114x114x16xf32>
  %pad = VPU.Copy ins(%image : tensor<1x4x112x112x16xf32>) outs(%p : tensor<1x4x114x114x16xf32>) {VPU.strategy = #VPU.strategy<>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x114x114x16xf32>
  %e = tensor.empty() : tensor<1x4x112x112x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x114x114x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x112x112x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 4, 1, 1, 1], tiles = [1, 1, 28, 1, 1]>} -> tensor<1x4x112x112x16xf32>
  return %0 : tensor<1x4x112x112x16xf32>
}

// -----

// The depthwise convolution is computed in the loops of the 1×1 one, and so is,
// in blocks, the one that widens the image for it.
// CHECK-LABEL: @widening_and_depthwise_share_tiles
// CPU: VPU.NCE.Convolution ins(%arg0{{.*}}VPU.strategy = #VPU.strategy<>
// CPU: VPU.NCE.DepthConvolution {{.*}}VPU.strategy = #VPU.strategy<>
// CPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 4, 1, 1], fused = [producer], wideningBlocks = 2>
// NPU: VPU.NCE.DepthConvolution {{.*}}VPU.strategy = #VPU.strategy<>
// NPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], fused = [producer]>
func.func @widening_and_depthwise_share_tiles(%x: tensor<1x2x56x56x16xf32>, %w: tensor<8x2x1x1x16x16xf32>, %d: tensor<8x3x3x16xf32>, %v: tensor<2x8x1x1x16x16xf32>) -> tensor<1x2x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x8x56x56x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %w : tensor<1x2x56x56x16xf32>, tensor<8x2x1x1x16x16xf32>) outs(%e : tensor<1x8x56x56x16xf32>) -> tensor<1x8x56x56x16xf32>
  %p = tensor.empty() : tensor<1x8x58x58x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x8x56x56x16xf32>) outs(%p : tensor<1x8x58x58x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x8x58x58x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x8x58x58x16xf32>, tensor<8x3x3x16xf32>) outs(%e : tensor<1x8x56x56x16xf32>) -> tensor<1x8x56x56x16xf32>
  %f = tensor.empty() : tensor<1x2x56x56x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %v : tensor<1x8x56x56x16xf32>, tensor<2x8x1x1x16x16xf32>) outs(%f : tensor<1x2x56x56x16xf32>) -> tensor<1x2x56x56x16xf32>
  return %1 : tensor<1x2x56x56x16xf32>
}

// -----

// Rows of it would need all panels of all products, which one cluster packs.
// CHECK-LABEL: @batch_of_products_is_split_over_the_batch
// CPU: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverBatch, parts = [2, 1, 1]>
// NPU: VPU.NCE.MatMul {{.*}}multiCluster = SplitOverBatch, parts = [2, 1, 1]
func.func @batch_of_products_is_split_over_the_batch(%a: tensor<12x128x128xf32>, %b: tensor<12x2x128x16xf32>) -> tensor<12x128x32xf32> {
  %e = tensor.empty() : tensor<12x128x32xf32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<12x128x128xf32>, tensor<12x2x128x16xf32>) outs(%e : tensor<12x128x32xf32>) -> tensor<12x128x32xf32>
  return %0 : tensor<12x128x32xf32>
}

// -----

// One cluster would have two of the three, the other one.
// CHECK-LABEL: @odd_batch_of_products_is_split_over_rows
// CPU: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 1]>
// NPU: VPU.NCE.MatMul {{.*}}multiCluster = SplitOverHeight, parts = [1, 2, 1]
func.func @odd_batch_of_products_is_split_over_rows(%a: tensor<3x128x128xf32>, %b: tensor<3x8x128x16xf32>) -> tensor<3x128x128xf32> {
  %e = tensor.empty() : tensor<3x128x128xf32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<3x128x128xf32>, tensor<3x8x128x16xf32>) outs(%e : tensor<3x128x128xf32>) -> tensor<3x128x128xf32>
  return %0 : tensor<3x128x128xf32>
}
