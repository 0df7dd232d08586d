// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-allocate-scratch --split-input-file | FileCheck %s

// Chunks as strategies say, by hand; vpu-choose-strategies-scratch.mlir has those
// that are chosen.
// CHECK-LABEL: @chunk_of_tiles
// CHECK: %[[V:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2880xf32>
// CHECK: %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2880xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} scratch(%[[V]], %[[M]] : memref<2880xf32>, memref<2880xf32>) {{.*}} {chunk = array<i64: 2, 2>}
func.func @chunk_of_tiles(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [2, 2]>}
  return
}

// -----

// Inputs are of the weights' type, products are f32.
// CHECK-LABEL: @transformed_inputs_are_rounded
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2304xbf16>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2304xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 2, 4>, tileSize = 2 : i64}
func.func @transformed_inputs_are_rounded(%x: memref<1x1x6x10x16xbf16>, %u: memref<16x1x1x8x16x2xbf16>, %y: memref<1x1x4x8x16xbf16>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x10x16xbf16>, memref<16x1x1x8x16x2xbf16>) outs(%y : memref<1x1x4x8x16xbf16>) {VPU.strategy = #VPU.strategy<chunk = [2, 4]>, tileSize = 2 : i64}
  return
}

// -----

// Of images of dynamic size, groups of tiles.
// CHECK-LABEL: @chunk_of_groups
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<43200xf32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<84672xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 3, 6>}
func.func @chunk_of_groups(%x: memref<?x4x?x?x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<?x8x?x?x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x4x?x?x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<?x8x?x?x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [3, 6]>}
  return
}

// -----

// Each row of integers takes 56 numbers.
// CHECK-LABEL: @chunk_of_rows
// CHECK: %[[S:.*]] = memref.alloc() {alignment = 64 : i64} : memref<560xf32>
// CHECK: VPU.NCE.MatMulNBits {{.*}} scratch(%[[S]] : memref<560xf32>) {{.*}} {bits = 4 : i64, integerRows = 10 : i64}
func.func @chunk_of_rows(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x30x310xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x30x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [10]>, bits = 4 : i64}
  return
}

// -----

// Of a dynamic number of rows, as many are integers at a time as the chunk says;
// or only few, which the same memory holds as two panels of floats for more.
// CHECK-LABEL: @chunk_of_any_rows
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<1008xf32>
// CHECK: integerRows = 18 : i64
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
// CHECK: integerRows = 8 : i64
func.func @chunk_of_any_rows(%a: memref<1x?x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x?x310xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x?x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [18]>, bits = 4 : i64}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x?x310xf32>) {VPU.strategy = #VPU.strategy<chunk = [8]>, bits = 4 : i64}
  return
}

// -----

// Two panels as floats, where no strategy says more.
// CHECK-LABEL: @panels
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
func.func @panels(%a: memref<1x30x64xf32>, %w: memref<3x4x2x16xi32>, %s: memref<3x4x16xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x4x2x16xi32>) scale(%s : memref<3x4x16xf32>) outs(%y : memref<1x30x40xf32>) {bits = 4 : i64}
  return
}

// -----

// As floats two panels of few columns, too, and in registers where rows are few.
// CHECK-LABEL: @few_columns
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
func.func @few_columns(%a: memref<1x30x64xf32>, %w: memref<19x2x4x16xi32>, %s: memref<19x2x16xf32>, %y: memref<1x30x304xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<19x2x4x16xi32>) scale(%s : memref<19x2x16xf32>) outs(%y : memref<1x30x304xf32>) {bits = 4 : i64}
  return
}

// -----

// CHECK-LABEL: @few_rows_by_few_columns
// CHECK-NOT: memref.alloc
// CHECK-NOT: scratch
func.func @few_rows_by_few_columns(%a: memref<1x8x64xf32>, %w: memref<17x2x4x16xi32>, %s: memref<17x2x16xf32>, %y: memref<1x8x272xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x8x64xf32>, memref<17x2x4x16xi32>) scale(%s : memref<17x2x16xf32>) outs(%y : memref<1x8x272xf32>) {bits = 4 : i64}
  return
}

// -----

// CHECK-LABEL: @few_rows_by_many_columns
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<448xf32>
func.func @few_rows_by_many_columns(%a: memref<1x8x64xf32>, %w: memref<18x2x4x16xi32>, %s: memref<18x2x16xf32>, %y: memref<1x8x288xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x8x64xf32>, memref<18x2x4x16xi32>) scale(%s : memref<18x2x16xf32>) outs(%y : memref<1x8x288xf32>) {VPU.strategy = #VPU.strategy<chunk = [8]>, bits = 4 : i64}
  return
}

// -----

// On tensors there is nothing to allocate yet.
// CHECK-LABEL: @tensors_stay
// CHECK-NOT: memref.alloc
// CHECK-NOT: scratch
func.func @tensors_stay(%x: tensor<1x1x6x6x16xf32>, %u: tensor<36x1x1x16x16xf32>, %e: tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32> {
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x1x6x6x16xf32>, tensor<36x1x1x16x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %0 : tensor<1x1x4x4x16xf32>
}
