// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-tile-to-cmx --vpu-verify-cmx --split-input-file | FileCheck %s --check-prefix=NPU
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-tile-to-cmx --vpu-verify-cmx --split-input-file | FileCheck %s --check-prefix=CPU

// On an NPU all operands move to CMX; on a CPU only the padding is tiled.
// NPU-LABEL: @large_padded_convolution
// CPU-LABEL: @large_padded_convolution
func.func @large_padded_convolution(%x: tensor<1x256x56x56xf32>, %w: tensor<1x1x3x3x256x512xf32>, %b: tensor<1x512xf32>) -> tensor<1x1x56x56x512xf32> {
  %p = tensor.empty() : tensor<1x1x58x58x256xf32>
  %pad = VPU.Copy ins(%x : tensor<1x256x56x56xf32>) outs(%p : tensor<1x1x58x58x256xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x58x58x256xf32>
  %e = tensor.empty() : tensor<1x1x56x56x512xf32>
  // NPU: scf.for %[[ROW:[a-z0-9]+]] =
  // NPU: VPU.Copy ins(%arg0 : tensor<1x256x56x56xf32>) offset(%[[ROW]]) outs(%{{.*}} : tensor<1x1x{{[0-9]+}}x58x256xf32, #VPU.layout<order = ANY, memory = CMX>>)
  // NPU: scf.for
  // NPU: %[[W:.*]] = VPU.Copy ins(%{{.*}} : tensor<1x1x3x3x256x{{[0-9]+}}xf32>)
  // NPU: %[[Y:.*]] = VPU.NCE.Convolution ins(%{{.*}}, %[[W]]
  // NPU: VPU.Copy ins(%[[Y]]
  // CPU: scf.for %[[ROW:[a-z0-9]+]] =
  // CPU: VPU.Copy ins(%arg0 : tensor<1x256x56x56xf32>) offset(%[[ROW]])
  // CPU-NOT: CMX>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x1x58x58x256xf32>, tensor<1x1x3x3x256x512xf32>) bias(%b : tensor<1x512xf32>) outs(%e : tensor<1x1x56x56x512xf32>) -> tensor<1x1x56x56x512xf32>
  return %0 : tensor<1x1x56x56x512xf32>
}

// -----

// What fits needs no loop.
// NPU-LABEL: @small_eltwise
// CPU-LABEL: @small_eltwise
func.func @small_eltwise(%a: tensor<1x1x8x8x64xf32>, %b: tensor<1x1x8x8x64xf32>) -> tensor<1x1x8x8x64xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x64xf32>
  // NPU-NOT: scf.for
  // NPU: VPU.Copy
  // NPU: VPU.Copy
  // NPU: VPU.NCE.Eltwise
  // NPU: VPU.Copy
  // CPU-NOT: VPU.Copy
  %0 = VPU.NCE.Eltwise ins(%a, %b : tensor<1x1x8x8x64xf32>, tensor<1x1x8x8x64xf32>) outs(%e : tensor<1x1x8x8x64xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x8x8x64xf32>
  return %0 : tensor<1x1x8x8x64xf32>
}

// -----

// What an accumulator starts from is not moved out of a loop, where each
// iteration would copy it; the buffer is.
// NPU-LABEL: @start_of_a_sum_stays_in_the_loop
// CPU-LABEL: @start_of_a_sum_stays_in_the_loop
// CPU: tensor.empty
// CPU: scf.for
// CPU-NOT: tensor.empty
// CPU: linalg.fill
// CPU: linalg.reduce
func.func @start_of_a_sum_stays_in_the_loop(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %y) -> tensor<4xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %e = tensor.empty() : tensor<1xf32>
    %start = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %sum = linalg.reduce {arith.addf} ins(%row : tensor<1x8xf32>) outs(%start : tensor<1xf32>) dimensions = [1]
    %next = tensor.insert_slice %sum into %acc[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Tiles of a depthwise convolution are read right after they are computed.
// NPU-LABEL: @depthwise_before_pointwise_shares_its_tiles
// NPU: scf.for
// NPU: VPU.NCE.DepthConvolution
// NPU: scf.yield
// NPU: scf.for
// NPU: VPU.NCE.Convolution
// CPU-LABEL: @depthwise_before_pointwise_shares_its_tiles
func.func @depthwise_before_pointwise_shares_its_tiles(%x: tensor<1x24x56x56x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %p = tensor.empty() : tensor<1x24x58x58x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x24x56x56x16xf32>) outs(%p : tensor<1x24x58x58x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x58x58x16xf32>
  %e = tensor.empty() : tensor<1x24x56x56x16xf32>
  // CPU: scf.for %[[ROW:[a-z0-9]+]] =
  // CPU: %[[PAD:.*]] = VPU.Copy ins(%arg0 : tensor<1x24x56x56x16xf32>) offset(%[[ROW]])
  // CPU: %[[DEPTH:.*]] = VPU.NCE.DepthConvolution ins(%[[PAD]], %arg1
  // CPU: VPU.NCE.Convolution ins(%[[DEPTH]], %arg2
  // CPU-NOT: scf.for
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x58x58x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x56x56x16xf32>) -> tensor<1x24x56x56x16xf32>
  %f = tensor.empty() : tensor<1x4x56x56x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x56x56x16xf32>, tensor<4x24x1x1x16x16xf32>) outs(%f : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %1 : tensor<1x4x56x56x16xf32>
}

// -----

// Both fit the cache as they are.
// NPU-LABEL: @small_depthwise_before_pointwise_needs_no_tiles
// CPU-LABEL: @small_depthwise_before_pointwise_needs_no_tiles
// CPU-NOT: scf.for
func.func @small_depthwise_before_pointwise_needs_no_tiles(%x: tensor<1x24x7x7x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>) -> tensor<1x4x7x7x16xf32> {
  %p = tensor.empty() : tensor<1x24x9x9x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x24x7x7x16xf32>) outs(%p : tensor<1x24x9x9x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x9x9x16xf32>
  %e = tensor.empty() : tensor<1x24x7x7x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x9x9x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x7x7x16xf32>) -> tensor<1x24x7x7x16xf32>
  %f = tensor.empty() : tensor<1x4x7x7x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x7x7x16xf32>, tensor<4x24x1x1x16x16xf32>) outs(%f : tensor<1x4x7x7x16xf32>) -> tensor<1x4x7x7x16xf32>
  return %1 : tensor<1x4x7x7x16xf32>
}
