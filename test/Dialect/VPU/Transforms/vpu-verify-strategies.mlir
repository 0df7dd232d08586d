// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies --split-input-file --verify-diagnostics

func.func @good(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 4, 7, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @none(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected a strategy, as vpu-choose-strategies gives each op of the engine}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @uneven(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected parts of dimension 2 to cut 56 evenly}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 3, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @tiles_of_a_part(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected tiles of dimension 2 to cut 28 evenly}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1], tiles = [1, 1, 8, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @within_panels(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected parts of dimension 2 to cut 64 evenly between multiples of 16}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 8]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @other_rank(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected 3 numbers of tiles, found 2}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<tiles = [1, 2]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @other_dimension(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected parts of the dimension that SplitOverKernel splits}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 2, 1]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @no_width(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected parts of the dimension that SplitOverWidth splits, which it does not have}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverWidth, parts = [1, 2, 1]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

// Rows and blocks may both be split, as rows.
func.func @rows_and_blocks(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 2]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @neighbour_of_parts_of_blocks(%x: tensor<1x4x8x8x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x64x8x8xf32> {
  %e = tensor.empty() : tensor<1x4x8x8x16xf32>
  // expected-error@+1 {{expected no neighbours in loops over parts of dimension 1, of which they need all}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x8x8x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x8x8x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 4, 1, 1], fused = [unblocking]>} -> tensor<1x4x8x8x16xf32>
  %u = tensor.empty() : tensor<1x64x8x8xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x8x8x16xf32>) outs(%u : tensor<1x64x8x8xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x64x8x8xf32>
  return %1 : tensor<1x64x8x8xf32>
}

// -----

func.func @two_dimensions(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected parts of dimension 2 alone with SplitOverKernel, found 2 of dimension 1}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 2, 2]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @number_of_unknown_rows(%a: tensor<1x?x64xf32>, %b: tensor<1x4x64x16xf32>, %n: index) -> tensor<1x?x64xf32> {
  %e = tensor.empty(%n) : tensor<1x?x64xf32>
  // expected-error@+1 {{expected parts of dimension 1 to be 1 or `?`, as its size is dynamic}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x?x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x?x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 1]>} -> tensor<1x?x64xf32>
  return %0 : tensor<1x?x64xf32>
}

// -----

func.func @large_rest(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected a rest of fewer than 64, found 64}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 64>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @no_producer(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected no producer in its loops: there is no depthwise convolution that it alone reads}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<fused = [producer]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @producer_with_parts(%x: tensor<1x4x58x58x16xf32>, %d: tensor<4x3x3x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected no parts: it is computed in the loops of its reader}}
  %0 = VPU.NCE.DepthConvolution ins(%x, %d : tensor<1x4x58x58x16xf32>, tensor<4x3x3x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<fused = [producer]>} -> tensor<1x4x56x56x16xf32>
  return %1 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @no_unblocking(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected no unblocking in its loops: there is no copy to the model's order that alone reads it}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<fused = [unblocking]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @no_widening(%x: tensor<1x4x58x58x16xf32>, %d: tensor<4x3x3x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected wideningBlocks = 0: there is no 1×1 convolution that is padded for it alone}}
  %0 = VPU.NCE.DepthConvolution ins(%x, %d : tensor<1x4x58x58x16xf32>, tensor<4x3x3x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<wideningBlocks = 2>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @padding_in_place_of_no_copy(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected padInPlace on copies alone}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<padInPlace = true>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @copy_of_an_argument(%x: tensor<1x4x56x56x16xf32>) -> tensor<1x4x58x58x16xf32> {
  %p = tensor.empty() : tensor<1x4x58x58x16xf32>
  // expected-error@+1 {{expected no padInPlace: it does more than to pad what one op of the engine computes}}
  %pad = VPU.Copy ins(%x : tensor<1x4x56x56x16xf32>) outs(%p : tensor<1x4x58x58x16xf32>) {VPU.strategy = #VPU.strategy<padInPlace = true>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x58x58x16xf32>
  return %pad : tensor<1x4x58x58x16xf32>
}

// -----

func.func @copy_with_tiles(%x: tensor<1x4x56x56x16xf32>) -> tensor<1x4x58x58x16xf32> {
  %p = tensor.empty() : tensor<1x4x58x58x16xf32>
  // expected-error@+1 {{expected padInPlace alone on a copy: it is in the loops of what reads it}}
  %pad = VPU.Copy ins(%x : tensor<1x4x56x56x16xf32>) outs(%p : tensor<1x4x58x58x16xf32>) {VPU.strategy = #VPU.strategy<tiles = [1, 1, 2, 1, 1]>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x58x58x16xf32>
  return %pad : tensor<1x4x58x58x16xf32>
}

// -----

func.func @algorithm_that_was_not_applied(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected no algorithm: vpu-apply-winograd replaces convolutions before their loops are decided about}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = direct>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @group_that_was_not_applied(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected no group: vpu-fuse-rows makes loops of groups before those of single ops are decided about}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<group = 1>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @chunk_before_loops(%x: tensor<1x1x9x9x16xf32>) -> tensor<1x1x9x9x16xf32> {
  %e = tensor.empty() : tensor<1x1x9x9x16xf32>
  // expected-error@+1 {{expected no chunk: it is chosen on buffers}}
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x9x9x16xf32>, tensor<1x1x9x9x16xf32>) outs(%e : tensor<1x1x9x9x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [4]>, kind = #VPU.eltwise<MAX>} -> tensor<1x1x9x9x16xf32>
  return %0 : tensor<1x1x9x9x16xf32>
}

// -----

func.func @few_samples_of_matrices(%x: tensor<?x?x64xf32>, %w: tensor<1x2x64x16xf32>, %e: tensor<?x?x32xf32>) -> tensor<?x?x32xf32> {
  // expected-error@+1 {{expected no fewSteps: it is for images of which the rows and the batch have parts `?`}}
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<?x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<?x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverBatch, parts = [?, ?, 1], grain = 100, fewSteps = 4>} -> tensor<?x?x32xf32>
  return %0 : tensor<?x?x32xf32>
}
