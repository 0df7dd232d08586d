// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-apply-tiles | FileCheck %s

// The rows of a tile that are counted at run time fit the limits of the strategy,
// written by hand: 64 columns of 1000 bytes, and 11 pixels at least. The machine
// is not asked.
// CHECK-LABEL: @rows_within_limits
// CHECK: %[[BYTES:.*]] = arith.constant 64000 : index
// CHECK: arith.ceildivui %[[BYTES]]
// CHECK: %[[PIXELS:.*]] = arith.constant 11 : index
// CHECK: arith.ceildivui %[[PIXELS]]
// CHECK: scf.for
// CHECK: VPU.NCE.Convolution
// CHECK-NOT: VPU.strategy
func.func @rows_within_limits(%x: tensor<1x1x?x?x16xf32>, %w: tensor<1x1x3x3x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %padded = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%padded, %w : tensor<1x1x?x?x16xf32>, tensor<1x1x3x3x16x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) {VPU.strategy = #VPU.strategy<tiles = [1, 1, ?, 1, 1], limits = <bytes = 1000, leastPixels = 11>>} -> tensor<1x1x?x?x16xf32>
  return %0 : tensor<1x1x?x?x16xf32>
}
