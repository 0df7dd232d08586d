// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=buffers --vpu-verify-strategies=decided=buffers --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=buffers --vpu-allocate-scratch --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefix=KERNEL

// A tile of 16 pairs is four words of 4 bits; a pair of tiles holds 30 rows.
// CHECK-LABEL: func @many_rows
// CHECK: VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>
// KERNEL-LABEL: func @many_rows
// KERNEL: VPU.strategy = #VPU.strategy<kernel = <prefetchBytes = 2368, lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>
func.func @many_rows(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x40xf32>) {bits = 4 : i64}
  return
}

// -----

// Of blocks of 256 rows, halves are scaled.
// CHECK-LABEL: func @long_blocks
// CHECK: lowBitTile = <stepWords = 4, pieceWords = 16, rowTiles = 4, panels = 2, pieces = 2>
func.func @long_blocks(%a: memref<1x64x256xf32>, %w: memref<2x1x32x16xi32>, %s: memref<2x1x16xf32>, %y: memref<1x64x32xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x256xf32>, memref<2x1x32x16xi32>) scale(%s : memref<2x1x16xf32>) outs(%y : memref<1x64x32xf32>) {bits = 4 : i64}
  return
}

// -----

// Rows of 64 K elements are split for some pieces at a time: sums fit the result.
// CHECK-LABEL: func @rows_beyond_the_cache
// CHECK: lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 4, panels = 2, pieces = {{[0-9]+}}>
func.func @rows_beyond_the_cache(%a: memref<1x64x65536xf32>, %w: memref<2x2048x4x16xi32>, %s: memref<2x2048x16xf32>, %y: memref<1x64x32xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x65536xf32>, memref<2x2048x4x16xi32>) scale(%s : memref<2x2048x16xf32>) outs(%y : memref<1x64x32xf32>) {bits = 4 : i64}
  return
}

// -----

// Which bf16 results do not.
// CHECK-LABEL: func @results_of_16_bits
// CHECK: lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 4, panels = 2, pieces = 2048>
func.func @results_of_16_bits(%a: memref<1x64x65536xf32>, %w: memref<2x2048x4x16xi32>, %s: memref<2x2048x16xf32>, %y: memref<1x64x32xbf16>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x65536xf32>, memref<2x2048x4x16xi32>) scale(%s : memref<2x2048x16xf32>) outs(%y : memref<1x64x32xbf16>) {bits = 4 : i64}
  return
}

// -----

// Any number of rows: few are multiplied as integers, with a register tile.
// CHECK-LABEL: func @dynamic_rows
// CHECK: VPU.strategy = #VPU.strategy<chunk = [8], kernel = <lowBitTile = <{{.*}}>>>
// KERNEL-LABEL: func @dynamic_rows
// KERNEL: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], prefetchBytes = 2368, lowBitTile = <{{.*}}>>>{{.*}} integerRows = 8
func.func @dynamic_rows(%a: memref<1x?x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x?x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x?x40xf32>) {bits = 4 : i64}
  return
}

// -----

// CHECK-LABEL: func @few_rows
// CHECK: VPU.strategy = #VPU.strategy<chunk = [3]>
// KERNEL-LABEL: func @few_rows
// KERNEL: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], prefetchBytes = 2368>>
func.func @few_rows(%a: memref<1x3x64xf32>, %w: memref<13x2x4x16xi32>, %s: memref<13x2x16xf32>, %y: memref<1x3x200xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x3x64xf32>, memref<13x2x4x16xi32>) scale(%s : memref<13x2x16xf32>) outs(%y : memref<1x3x200xf32>) {bits = 4 : i64}
  return
}
