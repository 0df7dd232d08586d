// Tiles of a matrix unit for weights of few bits, as they are chosen and as a person
// may have written them.

// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-verify-strategies=decided=buffers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-allocate-scratch --split-input-file --verify-diagnostics

func.func @tiles_that_fit(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 2, pieceWords = 4, rowTiles = 2, panels = 2, pieces = 1>>>, bits = 4 : i64}
  return
}

// -----

func.func @no_strategy(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xf32>) {
  // expected-error@+1 {{expected a strategy with a lowBitTile, as vpu-choose-strategies gives it with decide=buffers}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @pieces_of_three_words(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xf32>) {
  // expected-error@+1 {{expected pieceWords to divide the 4 words of a block, found 3}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 3, pieceWords = 3, rowTiles = 2, panels = 2, pieces = 2>>>, bits = 4 : i64}
  return
}

// -----

// A tile has 16 rows, of pairs of bf16.
func.func @steps_beyond_a_tile(%a: memref<1x30x64xf32>, %w: memref<3x1x8x16xi32>, %s: memref<3x1x16xf32>, %y: memref<1x30x40xf32>) {
  // expected-error@+1 {{expected at most 4 stepWords, which a tile of the matrix unit holds, found 8}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x1x8x16xi32>) scale(%s : memref<3x1x16xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 8, pieceWords = 8, rowTiles = 2, panels = 2, pieces = 1>>>, bits = 4 : i64}
  return
}

// -----

func.func @more_pieces_than_there_are(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xf32>) {
  // expected-error@+1 {{expected at most 2 pieces at a time, found 3}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 2, pieces = 3>>>, bits = 4 : i64}
  return
}

// -----

// Results of 16 bits are no place for sums on their way.
func.func @some_pieces_for_results_of_16_bits(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xbf16>) {
  // expected-error@+1 {{expected all 2 pieces at a time, found 1}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xbf16>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 2, pieces = 1>>>, bits = 4 : i64}
  return
}
