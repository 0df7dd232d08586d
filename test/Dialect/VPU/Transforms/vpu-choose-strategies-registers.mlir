// Register tiles for 16 registers of 8 lanes, 32 of 16, 32 of 4, and a matrix unit.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,V3
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,V4
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,AMX

// CHECK-LABEL: func @large_image
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
func.func @large_image(%x: memref<1x2x58x58x16xf32>, %w: memref<4x2x3x3x16x16xf32>, %y: memref<1x4x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x58x58x16xf32>, memref<4x2x3x3x16x16xf32>) outs(%y : memref<1x4x56x56x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @rows_of_a_small_image_are_joined
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>]>>
func.func @rows_of_a_small_image_are_joined(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @image_of_dynamic_size
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>]>>
func.func @image_of_dynamic_size(%x: memref<1x2x?x?x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x?x?x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x?x?x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x?x?x16xf32>)
  return
}

// -----

// One row of known columns is less than a tile.
// CHECK-LABEL: func @dynamic_rows_of_known_columns
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 4, columns = 6>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 4, columns = 6>]>>
func.func @dynamic_rows_of_known_columns(%x: memref<1x1x?x8x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x?x6x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @dynamic_rows_of_groups
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 6, vectors = 2>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 6, vectors = 2>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 6, vectors = 2>]>>
func.func @dynamic_rows_of_groups(%x: memref<1x1x?x8x16xf32>, %w: memref<1x3x3x2x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x3x3x2x16xf32>) outs(%y : memref<1x1x?x6x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @pointwise_image_is_one_row
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4>]>>
func.func @pointwise_image_is_one_row(%x: memref<1x2x7x7x16xf32>, %w: memref<4x2x1x1x16x16xf32>, %y: memref<1x4x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x7x7x16xf32>, memref<4x2x1x1x16x16xf32>) outs(%y : memref<1x4x7x7x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @channels_beyond_the_last_vector_have_a_tile
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>, <columns = 14>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>, <columns = 28>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 5>, <columns = 28>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>, <columns = 28>]>>
func.func @channels_beyond_the_last_vector_have_a_tile(%x: memref<1x1x30x30x3xf32>, %w: memref<1x1x3x3x3x37xf32>, %y: memref<1x1x28x28x37xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x30x30x3xf32>, memref<1x1x3x3x3x37xf32>) outs(%y : memref<1x1x28x28x37xf32>)
  return
}

// -----

// These fit CMX, and the second cache, of which that is a half, the next ones, too.
// CHECK-LABEL: func @weights_for_few_pixels_are_prefetched
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 6>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 6>], prefetchWeights = true>>
func.func @weights_for_few_pixels_are_prefetched(%x: memref<1x8x9x9x16xf32>, %w: memref<16x8x3x3x16x16xf32>, %y: memref<1x16x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x8x9x9x16xf32>, memref<16x8x3x3x16x16xf32>) outs(%y : memref<1x16x7x7x16xf32>)
  return
}

// -----

// Of three vectors 885 KB stay in the second cache from one tile to the next,
// but not with the next ones.
// CHECK-LABEL: func @weights_that_fill_the_cache_are_not_prefetched
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7, vectors = 3>]>>
func.func @weights_that_fill_the_cache_are_not_prefetched(%x: memref<1x32x9x9x16xf32>, %w: memref<16x32x3x3x16x16xf32>, %y: memref<1x16x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x9x9x16xf32>, memref<16x32x3x3x16x16xf32>) outs(%y : memref<1x16x7x7x16xf32>)
  return
}

// -----

// Two vectors of weights, 1.2 MB, would not stay in the second cache.
// CHECK-LABEL: func @weights_beyond_the_cache_are_of_one_vector
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = {{[0-9]+}}>]>>
func.func @weights_beyond_the_cache_are_of_one_vector(%x: memref<1x12x34x34x16xf32>, %w: memref<4x12x7x7x16x16xf32>, %y: memref<1x4x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x12x34x34x16xf32>, memref<4x12x7x7x16x16xf32>) outs(%y : memref<1x4x28x28x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @narrow_weights_of_many_pixels_are_buffered
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2, bufferWeights = true>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2, bufferWeights = true>]>>
func.func @narrow_weights_of_many_pixels_are_buffered(%x: memref<1x1x30x30x16xf32>, %w: memref<2x1x3x3x16x16xf16>, %y: memref<1x2x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x30x30x16xf32>, memref<2x1x3x3x16x16xf16>) outs(%y : memref<1x2x28x28x16xf32>)
  return
}

// -----

// Ten tiles of pixels. Blocks of 16 channels are no vectors of 8 or of 4.
// CHECK-LABEL: func @narrow_weights_of_few_pixels_are_prefetched
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 2, bufferWeights = true>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4, bufferWeights = true>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 4, bufferWeights = true>], prefetchWeights = true>>
func.func @narrow_weights_of_few_pixels_are_prefetched(%x: memref<1x1x7x7x16xf32>, %w: memref<8x1x1x1x16x16xf16>, %y: memref<1x8x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x7x7x16xf32>, memref<8x1x1x1x16x16xf16>) outs(%y : memref<1x8x7x7x16xf32>)
  return
}

// -----

// Of more than a hundred tiles, nothing is gained.
// CHECK-LABEL: func @narrow_weights_of_many_tiles_are_not_prefetched
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
func.func @narrow_weights_of_many_tiles_are_not_prefetched(%x: memref<1x1x28x28x16xf32>, %w: memref<8x1x1x1x16x16xf16>, %y: memref<1x8x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x28x28x16xf32>, memref<8x1x1x1x16x16xf16>) outs(%y : memref<1x8x28x28x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @border_of_a_small_image_is_left_out
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>], skipBorder = [rows, columns]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>], skipBorder = [rows, columns]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>], skipBorder = [rows, columns]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>], skipBorder = [rows, columns]>>
func.func @border_of_a_small_image_is_left_out(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// What both edges of 5x5 taps leave out is much code, and here a part of all cycles.
// CHECK-LABEL: func @large_window_of_a_small_image
// V3: kernel = <registers = [<columns = 6, vectors = 2>], skipBorder = [rows, columns]>
// V4: kernel = <registers = [<rows = 2, columns = 6, vectors = 2>], skipBorder = [rows, columns]>
// NEON: kernel = <registers = [<columns = 6, vectors = 4>], skipBorder = [rows, columns]>
// AMX: kernel = <registers = [<rows = 2, columns = 6, vectors = 2>], skipBorder = [rows, columns]>
func.func @large_window_of_a_small_image(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>) outs(%y : memref<1x2x6x6x16xf32>) {zeroBorder = array<i64: 2, 2, 2, 2>}
  return
}

// -----

// Of a model that does much else it would be code for nothing. That of 3x3 taps is
// little.
// CHECK-LABEL: func private @large_window
// V3: skipBorder = [rows, columns]
// V4: <rows = 2, columns = 6, vectors = 2>], skipBorder = [columns]
// NEON: skipBorder = [rows, columns]
// AMX: <rows = 2, columns = 6, vectors = 2>], skipBorder = [columns]
func.func private @large_window(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>) outs(%y : memref<1x2x6x6x16xf32>) {zeroBorder = array<i64: 2, 2, 2, 2>}
  return
}
// CHECK-LABEL: func private @small_window
// CHECK: VPU.NCE.Convolution{{.*}}skipBorder = [rows, columns]
func.func private @small_window(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x8x8x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x8x8x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}
func.func private @all_else(%x: memref<1x64x56x56x16xf32>, %w: memref<64x64x1x1x16x16xf32>, %y: memref<1x64x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x64x56x56x16xf32>, memref<64x64x1x1x16x16xf32>) outs(%y : memref<1x64x56x56x16xf32>)
  return
}
func.func @main(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>, %u: memref<2x2x3x3x16x16xf32>, %z: memref<1x2x8x8x16xf32>, %a: memref<1x64x56x56x16xf32>, %b: memref<64x64x1x1x16x16xf32>, %c: memref<1x64x56x56x16xf32>) {
  call @large_window(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  call @small_window(%x, %u, %z) : (memref<1x2x10x10x16xf32>, memref<2x2x3x3x16x16xf32>, memref<1x2x8x8x16xf32>) -> ()
  call @all_else(%a, %b, %c) : (memref<1x64x56x56x16xf32>, memref<64x64x1x1x16x16xf32>, memref<1x64x56x56x16xf32>) -> ()
  return
}

// -----

// Windows reach 24 pixels beyond an image of 53: of eight tiles of six columns, all
// would have code of their own, of three tiles of 14 that is little. Tiles of one row
// have none.
// CHECK-LABEL: func @border_that_most_tiles_meet
// V3: kernel = <registers = [<columns = 6, vectors = 2>], skipBorder = [rows]>
// V4: kernel = <registers = [<columns = 14, vectors = 2>], skipBorder = [rows, columns]>
// NEON: kernel = <registers = [<columns = 6, vectors = 4>], skipBorder = [rows]>
// AMX: kernel = <registers = [<columns = 14, vectors = 2>], skipBorder = [rows, columns]>
func.func @border_that_most_tiles_meet(%x: memref<1x2x101x101x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x53x53x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x101x101x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x53x53x16xf32>) {dilations = array<i64: 24, 24>, zeroBorder = array<i64: 24, 24, 24, 24>}
  return
}

// -----

// 1 in 200 products.
// CHECK-LABEL: func @border_of_a_large_image_stays
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 5, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>]>>
func.func @border_of_a_large_image_stays(%x: memref<1x2x226x226x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x224x224x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x226x226x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x224x224x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// A tap has three steps, which LLVM unrolls with those of its neighbours.
// CHECK-LABEL: func @border_of_few_channels_stays
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 7, vectors = 2>]>>
func.func @border_of_few_channels_stays(%x: memref<1x1x9x9x3xf32>, %w: memref<2x1x3x3x3x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x9x9x3xf32>, memref<2x1x3x3x3x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// All four sums of a group of channels are in a tile.
// CHECK-LABEL: func @groups_of_four
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, vectors = 4>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
func.func @groups_of_four(%x: memref<1x1x9x14x16xf32>, %w: memref<1x3x3x4x16xf32>, %y: memref<1x1x7x12x16xf32>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x9x14x16xf32>, memref<1x3x3x4x16xf32>) outs(%y : memref<1x1x7x12x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @depthwise
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4>], rollWindow = true>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
func.func @depthwise(%x: memref<1x1x30x30x16xf32>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x28x28x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x30x30x16xf32>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x28x28x16xf32>)
  return
}

// -----

// Rows of less than three tiles are straight-line code, and so is not a window.
// CHECK-LABEL: func @depthwise_of_short_rows
// V3: registers = [<columns = 4>], rollWindow = true
// V4: registers = [<columns = 8>], rollWindow = true
// NEON: registers = [<columns = 8>], rollWindow = true
// AMX: registers = [<columns = 8>], rollWindow = true
func.func @depthwise_of_short_rows(%x: memref<1x1x30x25x16xf32>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x28x23x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x30x25x16xf32>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x28x23x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @depthwise_of_rows_of_dynamic_length
// V3: registers = [<columns = 4>], rollWindow = true
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
func.func @depthwise_of_rows_of_dynamic_length(%x: memref<1x1x30x?x16xf32>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x28x?x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x30x?x16xf32>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x28x?x16xf32>)
  return
}

// -----

// Chunks of 2x4 tiles, and of 1x4 where the image ends.
// CHECK-LABEL: func @winograd_has_a_tile_for_each_chunk
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>, <columns = 4, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 5, outputs = 4>>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>, <columns = 4, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 2>>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>, <columns = 4, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 2>>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>, <columns = 4, vectors = 4>], stagedColumns = <inputs = 2>>>
func.func @winograd_has_a_tile_for_each_chunk(%x: memref<1x4x22x18x16xf32>, %u: memref<36x4x4x16x16xf32>, %v: memref<76000xf32>, %m: memref<76000xf32>, %y: memref<1x4x20x16x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x22x18x16xf32>, memref<36x4x4x16x16xf32>) scratch(%v, %m : memref<76000xf32>, memref<76000xf32>) outs(%y : memref<1x4x20x16x16xf32>) {chunk = array<i64: 2, 4>}
  return
}

// -----

// Registers hold all columns of a small tile, unless they are few.
// CHECK-LABEL: func @columns_of_small_tiles_stay_in_registers
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>], prefetchWeights = true, stagedColumns = <inputs = 2, outputs = 2>>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 4>]>>
func.func @columns_of_small_tiles_stay_in_registers(%x: memref<1x4x22x18x16xf32>, %u: memref<16x4x4x16x16xf32>, %b: memref<4x16xf32>, %v: memref<76000xf32>, %m: memref<76000xf32>, %y: memref<1x4x20x16x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x22x18x16xf32>, memref<16x4x4x16x16xf32>) bias(%b : memref<4x16xf32>) scratch(%v, %m : memref<76000xf32>, memref<76000xf32>) outs(%y : memref<1x4x20x16x16xf32>) {chunk = array<i64: 2, 4>, tileSize = 2 : i64}
  return
}

// -----

// CHECK-LABEL: func @pixels_of_a_pool
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
func.func @pixels_of_a_pool(%x: memref<1x1x30x30x16xf32>, %y: memref<1x1x28x28x16xf32>) {
  VPU.NCE.MaxPool ins(%x : memref<1x1x30x30x16xf32>) outs(%y : memref<1x1x28x28x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>}
  return
}

// -----

// Each column that windows share has a register, of which there are 16 or 32. No
// fewer pixels than windows would have that share none, if there are not enough.
// CHECK-LABEL: func @pixels_of_wide_windows
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>
func.func @pixels_of_wide_windows(%x: memref<1x1x30x30x8xf32>, %w: memref<1x1x24x24x8xf32>, %y: memref<1x1x18x18x8xf32>) {
  VPU.NCE.MaxPool ins(%x : memref<1x1x30x30x8xf32>) outs(%w : memref<1x1x24x24x8xf32>) {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>}
  VPU.NCE.MaxPool ins(%x : memref<1x1x30x30x8xf32>) outs(%y : memref<1x1x18x18x8xf32>) {kernel = array<i64: 13, 13>, strides = array<i64: 1, 1>}
  return
}

// -----

// CHECK-LABEL: func @mean_of_an_image_is_one_pixel
// CHECK: VPU.strategy = #VPU.strategy<kernel = <registers = [<>]>>
func.func @mean_of_an_image_is_one_pixel(%x: memref<1x1x?x?x16xf32>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x?x?x16xf32>) outs(%y : memref<1x1x1x1x16xf32>) {kernel = array<i64>}
  return
}

// -----

// As many lines ahead as memory delivers while one is waited for. Panels are as
// wide as a vector of some of these machines.
// CHECK-LABEL: func @weights_of_few_bits_are_asked_for
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], prefetchBytes = 2368>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], prefetchBytes = 2368>>
func.func @weights_of_few_bits_are_asked_for(%a: memref<1x1x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %y: memref<1x1x96xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) outs(%y : memref<1x1x96xf32>) {bits = 4 : i64}
  return
}

// -----

// CHECK-LABEL: func @narrow_panels_of_few_bits_are_asked_for
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2>], prefetchBytes = 2048>>
func.func @narrow_panels_of_few_bits_are_asked_for(%a: memref<1x1x64xf32>, %w: memref<6x2x4x8xi32>, %s: memref<6x2x8xf32>, %y: memref<1x1x48xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x8xi32>) scale(%s : memref<6x2x8xf32>) outs(%y : memref<1x1x48xf32>) {bits = 4 : i64}
  return
}

// -----

// Panels become floats before they are multiplied, from one end to the other.
// CHECK-LABEL: func @weights_of_few_bits_for_many_rows_are_not_asked_for
// CHECK-NOT: prefetchBytes
// CHECK: return
func.func @weights_of_few_bits_for_many_rows_are_not_asked_for(%a: memref<1x64x64xf32>, %w: memref<6x2x4x8xi32>, %s: memref<6x2x8xf32>, %m: memref<1024xf32>, %y: memref<1x64x48xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x64xf32>, memref<6x2x4x8xi32>) scale(%s : memref<6x2x8xf32>) scratch(%m : memref<1024xf32>) outs(%y : memref<1x64x48xf32>) {bits = 4 : i64}
  return
}

// -----

// CHECK-LABEL: func @one_row
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 6>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 8>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 8>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 8>]>>
func.func @one_row(%x: memref<1x1x64xf32>, %w: memref<1x8x64x16xf32>, %y: memref<1x1x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x1x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x1x128xf32>)
  return
}

// -----

// One row has nothing to compute while it waits.
// CHECK-LABEL: func @one_row_prefetches_nothing
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 8>]>>
func.func @one_row_prefetches_nothing(%x: memref<1x1x64xf32>, %w: memref<1x32x64x16xf32>, %y: memref<1x1x512xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x1x64xf32>, memref<1x32x64x16xf32>) outs(%y : memref<1x1x512xf32>)
  return
}

// -----

// There are no weights to share the cache.
// CHECK-LABEL: func @empty_sums_have_no_weights
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
func.func @empty_sums_have_no_weights(%x: memref<1x96x0xf32>, %w: memref<1x8x0x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x0xf32>, memref<1x8x0x16xf32>) outs(%y : memref<1x96x128xf32>)
  return
}

// -----

// One row reads them once, however many they are.
// CHECK-LABEL: func @one_row_of_weights_beyond_the_cache
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 8>]>>
func.func @one_row_of_weights_beyond_the_cache(%x: memref<1x1x25088xf32>, %w: memref<1x64x25088x16xf32>, %y: memref<1x1x1024xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x1x25088xf32>, memref<1x64x25088x16xf32>) outs(%y : memref<1x1x1024xf32>)
  return
}

// -----

// The next panels are on their way, where they are a vector wide.
// CHECK-LABEL: func @many_rows
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>
func.func @many_rows(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>)
  return
}

// -----

// CHECK-LABEL: func @narrow_weights_of_some_rows_are_prefetched
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>], prefetchWeights = true>>
func.func @narrow_weights_of_some_rows_are_prefetched(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf16>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x96x128xf32>)
  return
}

// -----

// There are two vectors of 16 lanes.
// CHECK-LABEL: func @narrow_weights_of_one_tile_are_not_prefetched
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = {{[0-9]+}}, vectors = 2, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = {{[0-9]+}}, vectors = 2, bufferWeights = true>]>>
func.func @narrow_weights_of_one_tile_are_not_prefetched(%x: memref<1x96x64xf32>, %w: memref<1x2x64x16xf16>, %y: memref<1x96x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x2x64x16xf16>) outs(%y : memref<1x96x32xf32>)
  return
}

// -----

// The second tile is for runs of few rows.
// CHECK-LABEL: func @dynamic_rows_of_narrow_weights
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>, <columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>, <columns = 6, vectors = 4>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>, <columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>, <columns = 6, vectors = 4>], prefetchWeights = true>>
func.func @dynamic_rows_of_narrow_weights(%x: memref<1x?x64xf32>, %w: memref<1x8x64x16xf16>, %y: memref<1x?x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x?x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x?x128xf32>)
  return
}

// -----

// CHECK-LABEL: func @transposed_matrix_is_buffered
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>
func.func @transposed_matrix_is_buffered(%x: memref<1x12x64xf32>, %w: memref<1x1x128x64xf32>, %y: memref<1x12x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x12x64xf32>, memref<1x1x128x64xf32>) outs(%y : memref<1x12x128xf32>) {transposed}
  return
}

// -----

// A matrix unit has no register tiles.
// CHECK-LABEL: func @pairs_of_bf16
// V3: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>
// V4: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>
// NEON: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>
// AMX: VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <>>>
func.func @pairs_of_bf16(%x: memref<1x64x64xbf16>, %w: memref<1x8x32x16x2xbf16>, %y: memref<1x64x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x64x64xbf16>, memref<1x8x32x16x2xbf16>) outs(%y : memref<1x64x128xf32>)
  return
}

// -----

// What a person wrote stays.
// CHECK-LABEL: @given
// CHECK: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2>]>>
func.func @given(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2>]>>}
  return
}

// -----

// CHECK-LABEL: @strategy_that_decides_nothing
// CHECK: VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = {{2|4}}>]{{.*}}>>
func.func @strategy_that_decides_nothing(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<>}
  return
}

// -----

// On tensors there is no kernel yet.
// CHECK-LABEL: @tensors_stay
// CHECK-NOT: VPU.strategy
func.func @tensors_stay(%x: tensor<1x96x64xf32>, %w: tensor<1x8x64x16xf32>, %e: tensor<1x96x128xf32>) -> tensor<1x96x128xf32> {
  %y = VPU.NCE.MatMul ins(%x, %w : tensor<1x96x64xf32>, tensor<1x8x64x16xf32>) outs(%e : tensor<1x96x128xf32>) -> tensor<1x96x128xf32>
  return %y : tensor<1x96x128xf32>
}
