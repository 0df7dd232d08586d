// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-verify-strategies --split-input-file --verify-diagnostics

func.func @tile_that_fits(%x: tensor<1x1x64x64x256xf32>, %w: tensor<1x1x1x1x256x256xf32>) -> tensor<1x1x64x64x256xf32> {
  %e = tensor.empty() : tensor<1x1x64x64x256xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x64x64x256xf32>, tensor<1x1x1x1x256x256xf32>) outs(%e : tensor<1x1x64x64x256xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 8, 1, 1]>} -> tensor<1x1x64x64x256xf32>
  return %0 : tensor<1x1x64x64x256xf32>
}

// -----

func.func @tile_beyond_the_scratchpad(%x: tensor<1x1x64x64x256xf32>, %w: tensor<1x1x1x1x256x256xf32>) -> tensor<1x1x64x64x256xf32> {
  %e = tensor.empty() : tensor<1x1x64x64x256xf32>
  // expected-error@+1 {{expected tiles of at most 2097152 bytes, the CMX of NPU37XX, found 4456448}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x64x64x256xf32>, tensor<1x1x1x1x256x256xf32>) outs(%e : tensor<1x1x64x64x256xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1]>} -> tensor<1x1x64x64x256xf32>
  return %0 : tensor<1x1x64x64x256xf32>
}
