// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="isolated=true" --vpu-verify-strategies --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="isolated=true" --vpu-verify-strategies --split-input-file | FileCheck %s --check-prefixes=CHECK,NPU

// Large ops are not split, and no cache has tiles of them: a scratchpad has.
// CHECK-LABEL: @large_op_stays_whole
// CPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<>
// NPU: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<tiles = [1, {{[0-9]+}}, {{[0-9]+}}, 1, 1]>
func.func @large_op_stays_whole(%x: tensor<1x4x112x112x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x112x112x16xf32> {
  %p = tensor.empty() : tensor<1x4x114x114x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x4x112x112x16xf32>) outs(%p : tensor<1x4x114x114x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x114x114x16xf32>
  %e = tensor.empty() : tensor<1x4x112x112x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x114x114x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x112x112x16xf32>) -> tensor<1x4x112x112x16xf32>
  return %0 : tensor<1x4x112x112x16xf32>
}

// -----

// A copy that pads stays one.
// CHECK-LABEL: @image_is_not_padded_in_place
// CHECK-NOT: padInPlace
// CHECK: return
func.func @image_is_not_padded_in_place(%x: tensor<1x1x16x16x16xf32>, %w: tensor<1x1x3x3x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %i = tensor.empty() : tensor<1x1x8x8x16xf32>
  %image = VPU.NCE.MaxPool ins(%x : tensor<1x1x16x16x16xf32>) outs(%i : tensor<1x1x8x8x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x8x8x16xf32>
  %p = tensor.empty() : tensor<1x1x10x10x16xf32>
  %pad = VPU.Copy ins(%image : tensor<1x1x8x8x16xf32>) outs(%p : tensor<1x1x10x10x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x10x10x16xf32>
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x1x10x10x16xf32>, tensor<1x1x3x3x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  return %0 : tensor<1x1x8x8x16xf32>
}

// -----

// What a person has written stays.
// CHECK-LABEL: @given_strategy_stays
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<tiles = [1, 1, 2, 1, 1]>
func.func @given_strategy_stays(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {VPU.strategy = #VPU.strategy<tiles = [1, 1, 2, 1, 1]>} -> tensor<1x1x8x8x16xf32>
  return %0 : tensor<1x1x8x8x16xf32>
}
