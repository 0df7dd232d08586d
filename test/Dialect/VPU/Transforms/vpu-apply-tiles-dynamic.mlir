// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies --vpu-apply-padding --vpu-apply-tiles --split-input-file | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies --vpu-apply-padding --vpu-apply-tiles --split-input-file 2>&1 | FileCheck %s --check-prefix=NPU

// As many rows as fit the cache, of an image or of a cluster's part of one, are
// counted at run time.
// CHECK-LABEL: @padded_convolution_of_unknown_size_is_tiled_by_a_run
// CHECK: %[[BUDGET:.*]] = arith.ceildivui
// CHECK: %[[FITTING:.*]] = arith.maxui
// CHECK: %[[TILES:.*]] = arith.ceildivui %{{.*}}, %[[FITTING]]
// CHECK: %[[SIZE:.*]] = arith.ceildivui %{{.*}}, %[[TILES]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %[[SIZE]]
// CHECK: %[[PADDED:.*]] = VPU.Copy ins(%arg0 : tensor<1x1x?x?x16xf32>) offset(%[[ROW]])
// CHECK: VPU.NCE.Convolution ins(%[[PADDED]]
// NPU: error: 'VPU.NCE.Convolution' op no tile of it is known to fit the CMX of NPU37XX: an NPU needs all sizes, which --shape gives
func.func @padded_convolution_of_unknown_size_is_tiled_by_a_run(%x: tensor<1x1x?x?x16xf32>, %w: tensor<1x1x3x3x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %padded = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%padded, %w : tensor<1x1x?x?x16xf32>, tensor<1x1x3x3x16x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %0 : tensor<1x1x?x?x16xf32>
}

// -----

// Whole rows of tiles.
// CHECK: #[[FITTING:.*]] = affine_map<()[s0] -> (((s0 - {{.*}}) floordiv {{.*}}) * 4, 4)>
// CHECK: #[[WHOLE:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>
// CHECK-LABEL: @winograd_convolution_of_unknown_size_is_cut_between_tiles
// CHECK: affine.max #[[FITTING]]()
// CHECK: %[[SIZE:.*]] = affine.apply #[[WHOLE]]()
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %[[SIZE]]
// CHECK: %[[PADDED:.*]] = VPU.Copy ins(%arg0 : tensor<1x1x?x?x16xf32>) offset(%[[ROW]])
// CHECK: VPU.NCE.WinogradConvolution ins(%[[PADDED]]
func.func @winograd_convolution_of_unknown_size_is_cut_between_tiles(%x: tensor<1x1x?x?x16xf32>, %u: tensor<36x1x1x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %padded = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.WinogradConvolution ins(%padded, %u : tensor<1x1x?x?x16xf32>, tensor<36x1x1x16x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %0 : tensor<1x1x?x?x16xf32>
}

// -----

// Every tile would read 38 MB of weights: an eighth of that is less to read.
// CHECK-LABEL: @convolution_of_many_weights_has_tiles_beyond_the_cache
// CHECK: %[[BYTES:.*]] = arith.constant 301989888 : index
// CHECK: arith.ceildivui %[[BYTES]]
// CHECK: scf.for
// CHECK: VPU.NCE.WinogradConvolution
func.func @convolution_of_many_weights_has_tiles_beyond_the_cache(%x: tensor<1x32x?x?x16xf32>, %h: index, %width: index) -> tensor<1x32x?x?x16xf32> {
  %u = arith.constant dense<0.5> : tensor<36x32x32x16x16xf32>
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x32x?x?x16xf32>
  %padded = VPU.Copy ins(%x : tensor<1x32x?x?x16xf32>) outs(%p : tensor<1x32x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x32x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x32x?x?x16xf32>
  %0 = VPU.NCE.WinogradConvolution ins(%padded, %u : tensor<1x32x?x?x16xf32>, tensor<36x32x32x16x16xf32>) outs(%e : tensor<1x32x?x?x16xf32>) -> tensor<1x32x?x?x16xf32>
  return %0 : tensor<1x32x?x?x16xf32>
}

// -----

// A depthwise convolution is computed with the 1×1 convolution that reads it.
// CHECK-LABEL: @depthwise_before_pointwise_of_unknown_size_shares_its_tiles
// CHECK: scf.for
// CHECK: VPU.Copy ins(%arg0 : tensor<1x1x?x?x16xf32>) offset
// CHECK: %[[DEPTH:[a-z0-9_]+]] = VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution ins(%[[DEPTH]]
// CHECK-NOT: scf.for
func.func @depthwise_before_pointwise_of_unknown_size_shares_its_tiles(%x: tensor<1x1x?x?x16xf32>, %d: tensor<1x3x3x16xf32>, %w: tensor<1x1x1x1x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x1x?x?x16xf32>, tensor<1x3x3x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  %f = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x1x?x?x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%f : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %1 : tensor<1x1x?x?x16xf32>
}

// -----

// CHECK-LABEL: @copy_of_unknown_size_to_the_models_order_shares_the_tiles
// CHECK: scf.for %[[ROW:.*]] = {{.*}} iter_args(%[[OUT:[a-z0-9]+]] =
// CHECK: %[[TILE:.*]] = VPU.NCE.Convolution
// CHECK: %[[PART:.*]] = VPU.Copy ins(%[[TILE]]
// CHECK: tensor.insert_slice %[[PART]] into %[[OUT]][0, 0, %[[ROW]], 0]
func.func @copy_of_unknown_size_to_the_models_order_shares_the_tiles(%x: tensor<1x1x?x?x16xf32>, %w: tensor<4x1x1x1x16x16xf32>, %h: index, %width: index) -> tensor<1x50x?x?xf32> {
  %e = tensor.empty(%h, %width) : tensor<1x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x?x?x16xf32>, tensor<4x1x1x1x16x16xf32>) outs(%e : tensor<1x4x?x?x16xf32>) -> tensor<1x4x?x?x16xf32>
  %f = tensor.empty(%h, %width) : tensor<1x50x?x?xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x?x?x16xf32>) outs(%f : tensor<1x50x?x?xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x50x?x?xf32>
  return %1 : tensor<1x50x?x?xf32>
}
