// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=buffers --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=2" --vpu-choose-strategies=decide=buffers --split-input-file | FileCheck %s --check-prefix=BYTES

// All of a small image in one chunk.
// CHECK-LABEL: @small_image_is_one_chunk
// CHECK: VPU.NCE.WinogradConvolution  {{.*}} {VPU.strategy = #VPU.strategy<chunk = [2, 2]>}
func.func @small_image_is_one_chunk(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>)
  return
}

// -----

// CHECK-LABEL: @transformed_inputs_are_rounded
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<chunk = [2, 4]>, tileSize = 2 : i64}
func.func @transformed_inputs_are_rounded(%x: memref<1x1x6x10x16xbf16>, %u: memref<16x1x1x8x16x2xbf16>, %y: memref<1x1x4x8x16xbf16>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x10x16xbf16>, memref<16x1x1x8x16x2xbf16>) outs(%y : memref<1x1x4x8x16xbf16>) {tileSize = 2 : i64}
  return
}

// -----

// A row of tiles exceeds the cache: even parts of it.
// CHECK-LABEL: @wide_image_is_cut_into_parts_of_rows
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<chunk = [1, 14]>}
func.func @wide_image_is_cut_into_parts_of_rows(%x: memref<1x4x226x226x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<1x8x224x224x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x226x226x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<1x8x224x224x16xf32>)
  return
}

// -----

// Every chunk would read the 37 MB of weights.
// CHECK-LABEL: @large_weights_want_one_large_chunk
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<chunk = [7, 7]>}
func.func @large_weights_want_one_large_chunk(%x: memref<1x32x30x30x16xf32>, %u: memref<36x32x32x16x16xf32>, %y: memref<1x32x28x28x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x32x30x30x16xf32>, memref<36x32x32x16x16xf32>) outs(%y : memref<1x32x28x28x16xf32>)
  return
}

// -----

// Of images of any size, groups of six tiles: as many as fit half a megabyte.
// CHECK-LABEL: @images_of_unknown_size_are_counted_in_groups
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<chunk = [3, 6]>}
func.func @images_of_unknown_size_are_counted_in_groups(%x: memref<?x4x?x?x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<?x8x?x?x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x4x?x?x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<?x8x?x?x16xf32>)
  return
}

// -----

// On tensors there is nothing to allocate yet.
// CHECK-LABEL: @tensors_stay
// CHECK-NOT: VPU.strategy
func.func @tensors_stay(%x: tensor<1x1x6x6x16xf32>, %u: tensor<36x1x1x16x16xf32>, %e: tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32> {
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x1x6x6x16xf32>, tensor<36x1x1x16x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %0 : tensor<1x1x4x4x16xf32>
}

// -----

// What a person wrote stays.
// CHECK-LABEL: @given_chunk_stays
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<chunk = [1, 1]>}
func.func @given_chunk_stays(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [1, 1]>}
  return
}

// -----

// Rows are integers where a machine multiplies four bytes a lane: of many as many
// as the cache holds, in even parts of whole register tiles.
// CHECK-LABEL: @rows_beyond_the_cache
// CHECK-NOT: VPU.strategy
// BYTES-LABEL: @rows_beyond_the_cache
// BYTES: VPU.NCE.MatMulNBits {{.*}} {VPU.strategy = #VPU.strategy<chunk = [18]>, bits = 4 : i64}
func.func @rows_beyond_the_cache(%a: memref<1x96x8192xf32>, %w: memref<28x256x4x16xi32>, %s: memref<28x256x16xf32>, %y: memref<1x96x448xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x96x8192xf32>, memref<28x256x4x16xi32>) scale(%s : memref<28x256x16xf32>) outs(%y : memref<1x96x448xf32>) {bits = 4 : i64}
  return
}

// -----

// BYTES-LABEL: @rows_of_unknown_number
// BYTES: VPU.NCE.MatMulNBits {{.*}} {VPU.strategy = #VPU.strategy<chunk = [{{[0-9]+}}]>, bits = 4 : i64}
func.func @rows_of_unknown_number(%a: memref<1x?x64xf32>, %w: memref<35x2x4x16xi32>, %s: memref<35x2x16xf32>, %y: memref<1x?x560xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<35x2x4x16xi32>) scale(%s : memref<35x2x16xf32>) outs(%y : memref<1x?x560xf32>) {bits = 4 : i64}
  return
}

// -----

// Few rows are, all of them; no rows need nothing.
// BYTES-LABEL: @few_rows
// BYTES: VPU.NCE.MatMulNBits {{.*}} {VPU.strategy = #VPU.strategy<chunk = [3]>, bits = 4 : i64}
// BYTES: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64}
func.func @few_rows(%a: memref<1x3x64xf32>, %none: memref<1x0x64xf32>, %w: memref<13x2x4x16xi32>, %s: memref<13x2x16xf32>, %y: memref<1x3x208xf32>, %z: memref<1x0x208xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x3x64xf32>, memref<13x2x4x16xi32>) scale(%s : memref<13x2x16xf32>) outs(%y : memref<1x3x208xf32>) {bits = 4 : i64}
  VPU.NCE.MatMulNBits ins(%none, %w : memref<1x0x64xf32>, memref<13x2x4x16xi32>) scale(%s : memref<13x2x16xf32>) outs(%z : memref<1x0x208xf32>) {bits = 4 : i64}
  return
}

// -----

// Columns so few that bytes save less than making them takes.
// BYTES-LABEL: @few_columns
// BYTES-NOT: VPU.strategy
func.func @few_columns(%a: memref<1x30x64xf32>, %w: memref<19x2x4x16xi32>, %s: memref<19x2x16xf32>, %y: memref<1x30x304xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<19x2x4x16xi32>) scale(%s : memref<19x2x16xf32>) outs(%y : memref<1x30x304xf32>) {bits = 4 : i64}
  return
}

// -----

// Of rows of an unknown number, too, unless they are few: these are read with all
// weights, from one end to the other.
// BYTES-LABEL: @few_columns_for_unknown_rows
// BYTES: VPU.NCE.MatMulNBits {{.*}} {VPU.strategy = #VPU.strategy<chunk = [8]>, bits = 4 : i64}
func.func @few_columns_for_unknown_rows(%a: memref<1x?x64xf32>, %w: memref<34x2x4x16xi32>, %s: memref<34x2x16xf32>, %y: memref<1x?x544xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<34x2x4x16xi32>) scale(%s : memref<34x2x16xf32>) outs(%y : memref<1x?x544xf32>) {bits = 4 : i64}
  return
}

// -----

// Blocks so short that bytes save nothing.
// BYTES-LABEL: @many_rows_of_short_blocks
// BYTES-NOT: VPU.strategy
func.func @many_rows_of_short_blocks(%a: memref<1x30x64xf32>, %w: memref<3x4x2x16xi32>, %s: memref<3x4x16xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x4x2x16xi32>) scale(%s : memref<3x4x16xf32>) outs(%y : memref<1x30x40xf32>) {bits = 4 : i64}
  return
}
