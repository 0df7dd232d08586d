// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-verify-strategies=decided=buffers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-allocate-scratch --split-input-file --verify-diagnostics

func.func @chunk_of_all(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [2, 2]>}
  return
}

// -----

func.func @no_strategy(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  // expected-error@+1 {{expected a strategy with a chunk of a number of rows and of columns of tiles, as vpu-choose-strategies gives it with decide=buffers}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>)
  return
}

// -----

func.func @too_many_rows(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  // expected-error@+1 {{expected at most 2 in a chunk, found 3}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [3, 2]>}
  return
}

// -----

func.func @too_many_groups(%x: memref<?x4x?x?x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<?x8x?x?x16xf32>) {
  // expected-error@+1 {{expected at most 65536 in a chunk, found 65537}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x4x?x?x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<?x8x?x?x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [65537, 6]>}
  return
}

// -----

func.func @columns_of_a_product(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x30x310xf32>) {
  // expected-error@+1 {{expected a strategy with a chunk of a number of rows, as}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x30x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [10, 16]>, bits = 4 : i64}
  return
}

// -----

func.func @too_many_rows_of_a_product(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x30x310xf32>) {
  // expected-error@+1 {{expected at most 30 in a chunk, found 31}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x30x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [31]>, bits = 4 : i64}
  return
}

// -----

// Floats may be faster: that is for who decides.
func.func @integers_of_few_columns(%a: memref<1x30x64xf32>, %w: memref<19x2x4x16xi32>, %s: memref<19x2x16xf32>, %y: memref<1x30x304xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<19x2x4x16xi32>) scale(%s : memref<19x2x16xf32>) outs(%y : memref<1x30x304xf32>) {VPU.strategy = #VPU.strategy<chunk = [2]>, bits = 4 : i64}
  return
}

// -----

func.func @floats_of_many_columns(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x30x310xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x30x310xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @integers_by_zero_points_that_are_floats(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %z: memref<20x2x16xf32>, %y: memref<1x30x310xf32>) {
  // expected-error@+1 {{expected no chunk: nothing of it is computed in scratch memory at a time}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) zeroPoint(%z : memref<20x2x16xf32>) outs(%y : memref<1x30x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [2]>, bits = 4 : i64}
  return
}

// -----

func.func @fewer_than_few_of_a_dynamic_number_of_rows(%a: memref<1x?x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x?x310xf32>) {
  // expected-error@+1 {{expected at least 8 of a dynamic number of rows in a chunk, found 7}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x?x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [7]>, bits = 4 : i64}
  return
}
