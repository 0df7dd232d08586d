// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=min-cycles=1000000000 --vpu-apply-padding --vpu-apply-tiles --vpu-verify-cmx --split-input-file | FileCheck %s --check-prefix=NPU
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies --vpu-apply-padding --vpu-apply-tiles --vpu-verify-cmx --split-input-file | FileCheck %s --check-prefix=CPU

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

// -----

// Blocks of channels are widened right before the depthwise convolution of these
// reads them, and where they are padded already.
// NPU-LABEL: @widening_before_depthwise_shares_its_blocks
// NPU-NOT: VPU.FillBorder
// CPU-LABEL: @widening_before_depthwise_shares_its_blocks
// CPU-NOT: VPU.NCE
// CPU: scf.for %[[BLOCK:[a-z0-9]+]] =
// CPU: %[[FRAME:.*]] = VPU.FillBorder outs(%{{.*}} : tensor<1x2x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
// CPU: %[[INSIDE:.*]] = tensor.extract_slice %[[FRAME]][0, 0, 1, 1, 0] [1, 2, 14, 14, 16]
// CPU: %[[WIDE:.*]] = VPU.NCE.Convolution ins(%arg0, %{{.*}} : {{.*}}) outs(%[[INSIDE]] :
// CPU: %[[PADDED:.*]] = tensor.insert_slice %[[WIDE]] into %[[FRAME]][0, 0, 1, 1, 0]
// CPU: %[[INPUT:.*]] = tensor.extract_slice %[[PADDED]][0, 0, 0, 0, 0] [1, 2, 16, 16, 16]
// CPU: VPU.NCE.DepthConvolution ins(%[[INPUT]],
// CPU: scf.yield
// CPU: VPU.NCE.Convolution
// CPU-NOT: VPU.NCE
func.func @widening_before_depthwise_shares_its_blocks(%x: tensor<1x1x14x14x16xf32>, %v: tensor<6x1x1x1x16x16xf32>, %d: tensor<6x3x3x16xf32>, %w: tensor<2x6x1x1x16x16xf32>) -> tensor<1x2x14x14x16xf32> {
  %0 = tensor.empty() : tensor<1x6x14x14x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x1x14x14x16xf32>, tensor<6x1x1x1x16x16xf32>) outs(%0 : tensor<1x6x14x14x16xf32>) -> tensor<1x6x14x14x16xf32>
  %1 = tensor.empty() : tensor<1x6x16x16x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x6x14x14x16xf32>) outs(%1 : tensor<1x6x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x6x16x16x16xf32>
  %2 = tensor.empty() : tensor<1x6x14x14x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x6x16x16x16xf32>, tensor<6x3x3x16xf32>) outs(%2 : tensor<1x6x14x14x16xf32>) -> tensor<1x6x14x14x16xf32>
  %3 = tensor.empty() : tensor<1x2x14x14x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x6x14x14x16xf32>, tensor<2x6x1x1x16x16xf32>) outs(%3 : tensor<1x2x14x14x16xf32>) -> tensor<1x2x14x14x16xf32>
  return %y : tensor<1x2x14x14x16xf32>
}

// -----

// Tiles of rows compute what they have in common once each. All tiles have rows
// of one size: of the last one, the first row is not needed.
// NPU-LABEL: @widening_of_a_large_image_shares_rows
// CPU-LABEL: @widening_of_a_large_image_shares_rows
// CPU: scf.for %[[ROW:[a-z0-9]+]] =
// CPU: %[[FIRST:.*]] = affine.max #{{.*}}(%[[ROW]])
// CPU: %[[START:.*]] = affine.min #{{.*}}(%[[FIRST]])
// CPU-DAG: %[[X:.*]] = tensor.extract_slice %arg0[0, 0, %[[START]], 0, 0] [1, 1, [[ROWS:[0-9]+]], 112, 16]
// CPU-DAG: %[[SHIFT:.*]] = affine.apply #{{.*}}(%[[START]], %[[ROW]])
// CPU: scf.for
// CPU: VPU.FillBorder outs(
// CPU: VPU.NCE.Convolution ins(%[[X]],
// CPU: %[[WINDOW:.*]] = tensor.extract_slice %{{.*}}[0, 0, %[[SHIFT]], 0, 0] [1, 2, [[ROWS]], 114, 16]
// CPU: VPU.NCE.DepthConvolution ins(%[[WINDOW]],
func.func @widening_of_a_large_image_shares_rows(%x: tensor<1x1x112x112x16xf32>, %v: tensor<6x1x1x1x16x16xf32>, %d: tensor<6x3x3x16xf32>, %w: tensor<2x6x1x1x16x16xf32>) -> tensor<1x2x56x56x16xf32> {
  %0 = tensor.empty() : tensor<1x6x112x112x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x1x112x112x16xf32>, tensor<6x1x1x1x16x16xf32>) outs(%0 : tensor<1x6x112x112x16xf32>) -> tensor<1x6x112x112x16xf32>
  %1 = tensor.empty() : tensor<1x6x114x114x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x6x112x112x16xf32>) outs(%1 : tensor<1x6x114x114x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x6x114x114x16xf32>
  %2 = tensor.empty() : tensor<1x6x56x56x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x6x114x114x16xf32>, tensor<6x3x3x16xf32>) outs(%2 : tensor<1x6x56x56x16xf32>) {strides = array<i64: 2, 2>} -> tensor<1x6x56x56x16xf32>
  %3 = tensor.empty() : tensor<1x2x56x56x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x6x56x56x16xf32>, tensor<2x6x1x1x16x16xf32>) outs(%3 : tensor<1x2x56x56x16xf32>) -> tensor<1x2x56x56x16xf32>
  return %y : tensor<1x2x56x56x16xf32>
}

// -----

// Who else reads the wide image needs all of it.
// NPU-LABEL: @widening_with_two_users_is_computed_once
// CPU-LABEL: @widening_with_two_users_is_computed_once
// CPU-NOT: VPU.FillBorder
func.func @widening_with_two_users_is_computed_once(%x: tensor<1x1x14x14x16xf32>, %v: tensor<6x1x1x1x16x16xf32>, %d: tensor<6x3x3x16xf32>, %w: tensor<2x6x1x1x16x16xf32>) -> (tensor<1x2x14x14x16xf32>, tensor<1x6x14x14x16xf32>) {
  %0 = tensor.empty() : tensor<1x6x14x14x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x1x14x14x16xf32>, tensor<6x1x1x1x16x16xf32>) outs(%0 : tensor<1x6x14x14x16xf32>) -> tensor<1x6x14x14x16xf32>
  %1 = tensor.empty() : tensor<1x6x16x16x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x6x14x14x16xf32>) outs(%1 : tensor<1x6x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x6x16x16x16xf32>
  %2 = tensor.empty() : tensor<1x6x14x14x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x6x16x16x16xf32>, tensor<6x3x3x16xf32>) outs(%2 : tensor<1x6x14x14x16xf32>) -> tensor<1x6x14x14x16xf32>
  %3 = tensor.empty() : tensor<1x2x14x14x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x6x14x14x16xf32>, tensor<2x6x1x1x16x16xf32>) outs(%3 : tensor<1x2x14x14x16xf32>) -> tensor<1x2x14x14x16xf32>
  return %y, %wide : tensor<1x2x14x14x16xf32>, tensor<1x6x14x14x16xf32>
}

// -----

// Tiles of a single row would compute three times as many.
// NPU-LABEL: @widening_of_very_wide_rows_is_computed_once
// CPU-LABEL: @widening_of_very_wide_rows_is_computed_once
// CPU-NOT: VPU.FillBorder
func.func @widening_of_very_wide_rows_is_computed_once(%x: tensor<1x1x64x4096x16xf32>, %v: tensor<6x1x1x1x16x16xf32>, %d: tensor<6x3x3x16xf32>, %w: tensor<2x6x1x1x16x16xf32>) -> tensor<1x2x64x4096x16xf32> {
  %0 = tensor.empty() : tensor<1x6x64x4096x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x1x64x4096x16xf32>, tensor<6x1x1x1x16x16xf32>) outs(%0 : tensor<1x6x64x4096x16xf32>) -> tensor<1x6x64x4096x16xf32>
  %1 = tensor.empty() : tensor<1x6x66x4098x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x6x64x4096x16xf32>) outs(%1 : tensor<1x6x66x4098x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x6x66x4098x16xf32>
  %2 = tensor.empty() : tensor<1x6x64x4096x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x6x66x4098x16xf32>, tensor<6x3x3x16xf32>) outs(%2 : tensor<1x6x64x4096x16xf32>) -> tensor<1x6x64x4096x16xf32>
  %3 = tensor.empty() : tensor<1x2x64x4096x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x6x64x4096x16xf32>, tensor<2x6x1x1x16x16xf32>) outs(%3 : tensor<1x2x64x4096x16xf32>) -> tensor<1x2x64x4096x16xf32>
  return %y : tensor<1x2x64x4096x16xf32>
}

// -----

// What gets the model's order does so tile by tile, while it is in the cache: of
// the result in blocks, only a tile exists.
// CPU-LABEL: @copy_to_the_models_order_shares_the_tiles
// CPU: scf.for %[[ROW:[a-z0-9]+]] = {{.*}} iter_args(%[[OUT:[a-z0-9]+]] =
// CPU: %[[PAD:.*]] = VPU.Copy ins(%arg0 : tensor<1x16x256x256xf32>) offset(%[[ROW]])
// CPU: %[[TILE:.*]] = VPU.NCE.Convolution ins(%[[PAD]]
// CPU: %[[PART:.*]] = VPU.Copy ins(%[[TILE]]
// CPU: tensor.insert_slice %[[PART]] into %[[OUT]][0, 0, %[[ROW]], 0]
// NPU-LABEL: @copy_to_the_models_order_shares_the_tiles
// NPU: scf.for
// NPU: }
// NPU: VPU.Copy ins({{.*}} : tensor<1x8x256x256x16xf32>)
func.func @copy_to_the_models_order_shares_the_tiles(%x: tensor<1x16x256x256xf32>, %w: tensor<8x1x3x3x16x16xf32>) -> tensor<1x128x256x256xf32> {
  %p = tensor.empty() : tensor<1x1x260x260x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x16x256x256xf32>) outs(%p : tensor<1x1x260x260x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 2, 2, 2, 2>} -> tensor<1x1x260x260x16xf32>
  %e = tensor.empty() : tensor<1x8x256x256x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x1x260x260x16xf32>, tensor<8x1x3x3x16x16xf32>) outs(%e : tensor<1x8x256x256x16xf32>) {dilations = array<i64: 2, 2>} -> tensor<1x8x256x256x16xf32>
  %f = tensor.empty() : tensor<1x128x256x256xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x8x256x256x16xf32>) outs(%f : tensor<1x128x256x256xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x256x256xf32>
  return %1 : tensor<1x128x256x256xf32>
}

// -----

// Neither where the blocks are read elsewhere, too, nor where all of it fits.
// CPU-LABEL: @copy_of_what_is_read_elsewhere_is_not_tiled
// CPU-NOT: scf.for
// CPU-LABEL: @small_copy_to_the_models_order_is_not_tiled
// CPU-NOT: scf.for
func.func @copy_of_what_is_read_elsewhere_is_not_tiled(%x: tensor<1x1x256x256x16xf32>, %w: tensor<8x1x1x1x16x16xf32>) -> (tensor<1x128x256x256xf32>, tensor<1x8x256x256x16xf32>) {
  %e = tensor.empty() : tensor<1x8x256x256x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x256x256x16xf32>, tensor<8x1x1x1x16x16xf32>) outs(%e : tensor<1x8x256x256x16xf32>) -> tensor<1x8x256x256x16xf32>
  %f = tensor.empty() : tensor<1x128x256x256xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x8x256x256x16xf32>) outs(%f : tensor<1x128x256x256xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x256x256xf32>
  return %1, %0 : tensor<1x128x256x256xf32>, tensor<1x8x256x256x16xf32>
}
func.func @small_copy_to_the_models_order_is_not_tiled(%x: tensor<1x1x28x28x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x16x28x28xf32> {
  %e = tensor.empty() : tensor<1x1x28x28x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x28x28x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x28x28x16xf32>) -> tensor<1x1x28x28x16xf32>
  %f = tensor.empty() : tensor<1x16x28x28xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x1x28x28x16xf32>) outs(%f : tensor<1x16x28x28xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x28x28xf32>
  return %1 : tensor<1x16x28x28xf32>
}

// -----

// What is decided about later keeps its strategy: which loops run at the same
// time, and what is left to one core.
// CPU-LABEL: @strategies_of_others_stay
// CPU: VPU.NCE.MatMul
// CPU-NOT: VPU.strategy
// CPU: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CPU: linalg.exp {VPU.strategy = #VPU.strategy<>}
func.func @strategies_of_others_stay(%x: tensor<1x8x64xf32>, %w: tensor<1x4x64x16xf32>) -> (tensor<1x8x64xf32>, tensor<1x8x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<1x8x64xf32>
  %0 = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<1x8x64xf32> {
    %t = VPU.NCE.MatMul ins(%s, %w : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
    scf.yield %t : tensor<1x8x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %1 = linalg.exp {VPU.strategy = #VPU.strategy<>} ins(%x : tensor<1x8x64xf32>) outs(%e : tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
  return %0, %1 : tensor<1x8x64xf32>, tensor<1x8x64xf32>
}

// -----

// Shares of windows move to CMX with the rows that they are of.
// NPU-LABEL: @pool_with_shares
// NPU-SAME: %[[SHARES:[a-z0-9]+]]: tensor<400x400xf32>
// NPU: scf.for %[[ROW:[a-z0-9]+]] =
// NPU: %[[PART:.*]] = tensor.extract_slice %[[SHARES]][%[[ROW]], 0] [{{[0-9]+}}, 400] [1, 1]
// NPU: %[[IN_CMX:.*]] = VPU.Copy ins(%[[PART]] :
// NPU: VPU.NCE.AveragePool ins(%{{.*}}) shares(%[[IN_CMX]]
// CPU-LABEL: @pool_with_shares
func.func @pool_with_shares(%x: tensor<1x1x402x402x16xf32>, %s: tensor<400x400xf32>) -> tensor<1x1x400x400x16xf32> {
  %e = tensor.empty() : tensor<1x1x400x400x16xf32>
  %0 = VPU.NCE.AveragePool ins(%x : tensor<1x1x402x402x16xf32>) shares(%s : tensor<400x400xf32>) outs(%e : tensor<1x1x400x400x16xf32>) {kernel = array<i64: 3, 3>} -> tensor<1x1x400x400x16xf32>
  return %0 : tensor<1x1x400x400x16xf32>
}
