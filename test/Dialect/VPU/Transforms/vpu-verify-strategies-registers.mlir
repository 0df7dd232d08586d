// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=registers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-vpu-to-vector --split-input-file --verify-diagnostics

func.func @tiles_that_fit(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 4, columns = 7>], skipBorder = [rows]>>, zeroBorder = array<i64: 0, 0, 1, 0>}
  return
}

// -----

func.func @rows_of_an_image_of_dynamic_height(%x: memref<1x1x?x8x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x?x6x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 4, columns = 6>]>>}
  return
}

// -----

func.func @rows_of_groups_of_dynamic_height(%x: memref<1x1x?x8x16xf32>, %w: memref<1x3x3x2x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x3x3x2x16xf32>) outs(%y : memref<1x1x?x6x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 6, vectors = 2>]>>}
  return
}

// -----

func.func @prefetch_of_what_is_buffered(%x: memref<1x1x30x30x16xf32>, %w: memref<2x1x3x3x16x16xf16>, %y: memref<1x2x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x30x30x16xf32>, memref<2x1x3x3x16x16xf16>) outs(%y : memref<1x2x28x28x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, bufferWeights = true>], prefetchWeights = true>>}
  return
}

// -----

func.func @prefetch_of_buffered_panels(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf16>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true>], prefetchWeights = true>>}
  return
}

// -----

func.func @no_strategy(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected a strategy with the register tiles of its kernel, as vpu-choose-strategies gives it with decide=registers}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>)
  return
}

// -----

func.func @strategy_of_something_else(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected a strategy with the register tiles of its kernel, as vpu-choose-strategies gives it with decide=registers, found #VPU.strategy<tiles = [1, 2, 1]>}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<tiles = [1, 2, 1]>}
  return
}

// -----

func.func @kernel_of_a_copy(%a: memref<16xf32>, %b: memref<16xf32>) {
  // expected-error@+1 {{expected no kernel strategy: its code follows from its shapes}}
  VPU.Copy ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {VPU.strategy = #VPU.strategy<kernel = <>>}
  return
}

// -----

func.func @no_tiles(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected 1 register tiles, found 0}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <>>}
  return
}

// -----

func.func @no_tile_of_the_last_channels(%x: memref<1x1x30x30x3xf32>, %w: memref<1x1x3x3x3x37xf32>, %y: memref<1x1x28x28x37xf32>) {
  // expected-error@+1 {{expected 2 register tiles, found 1}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x30x30x3xf32>, memref<1x1x3x3x3x37xf32>) outs(%y : memref<1x1x28x28x37xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 14, vectors = 2>]>>}
  return
}

// -----

// 28 sums, 4 vectors of weights and a pixel.
func.func @more_sums_than_registers(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected a register tile that leaves some of the 32 vector registers for weights and pixels, found 1x7x4 sums}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7, vectors = 4>]>>}
  return
}

// -----

func.func @too_many_pixels_of_a_depthwise_convolution(%x: memref<1x1x30x30x16xf32>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x28x28x16xf32>) {
  // expected-error@+1 {{expected a register tile that leaves some of the 32 vector registers for weights and pixels, found 1x9x1 sums}}
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x30x30x16xf32>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x28x28x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 9>]>>}
  return
}

// -----

func.func @rows_of_a_convolution_as_a_loop(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected no rollWindow: it is for the window of a DepthConvolution}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 4, columns = 7>], rollWindow = true>>}
  return
}

// -----

func.func @more_vectors_than_channels(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected at most 2 vectors in a register tile, found 4}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>}
  return
}

// -----

func.func @more_columns_than_the_image(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected at most 7 columns in a register tile, found 8}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8>]>>}
  return
}

// -----

func.func @rows_of_an_image_of_dynamic_size(%x: memref<1x2x?x?x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x?x?x16xf32>) {
  // expected-error@+1 {{expected at most 1 rows in a register tile, found 2}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x?x?x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x?x?x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 2, columns = 4>]>>}
  return
}

// -----

func.func @five_rows_of_an_image_of_dynamic_height(%x: memref<1x1x?x8x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  // expected-error@+1 {{expected at most 4 rows in a register tile, found 5}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x?x6x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<rows = 5, columns = 3>]>>}
  return
}

// -----

func.func @half_of_a_group(%x: memref<1x1x9x14x16xf32>, %w: memref<1x3x3x4x16xf32>, %y: memref<1x1x7x12x16xf32>) {
  // expected-error@+1 {{expected all 4 vectors in a register tile, found 2}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x9x14x16xf32>, memref<1x3x3x4x16xf32>) outs(%y : memref<1x1x7x12x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>]>>}
  return
}

// -----

func.func @transposed_matrix_in_place(%a: memref<1x12x64xf32>, %b: memref<1x1x128x64xf32>, %y: memref<1x12x128xf32>) {
  // expected-error@+1 {{expected bufferWeights: rows of a transposed matrix are no vectors of columns}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x12x64xf32>, memref<1x1x128x64xf32>) outs(%y : memref<1x12x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>]>>, transposed}
  return
}

// -----

// 256 KB hold 4 vectors of 1024 steps.
func.func @buffer_beyond_the_stack(%a: memref<1x96x1024xf32>, %b: memref<1x8x1024x16xf16>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected at most 4 vectors with bufferWeights, found 5}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x1024xf32>, memref<1x8x1024x16xf16>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 5, bufferWeights = true>]>>}
  return
}

// -----

func.func @buffer_for_bytes(%a: memref<1x96x64xi8>, %b: memref<1x8x64x16xi8>, %s: memref<8x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no bufferWeights: its weights are used as they are stored, or take too much memory}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xi8>, memref<1x8x64x16xi8>) scale(%s : memref<8x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<bufferWeights = true>]>>}
  return
}

// -----

func.func @buffer_for_f32(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no bufferWeights: its weights are used as they are stored, or take too much memory}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>}
  return
}

// -----

func.func @buffer_for_f32_of_a_window(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected no bufferWeights: its weights are used as they are stored, or take too much memory}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7, bufferWeights = true>]>>}
  return
}

// -----

// Few rows have weights that are not buffered.
func.func @no_tile_of_few_rows(%a: memref<1x?x64xf32>, %b: memref<1x8x64x16xf16>, %y: memref<1x?x128xf32>) {
  // expected-error@+1 {{expected 2 register tiles, found 1}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x?x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x?x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>}
  return
}

// -----

func.func @prefetch_of_panels(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>}
  return
}

// -----

// The vectors of a panel take turns.
func.func @prefetch_of_wide_panels(%a: memref<1x96x64xf32>, %b: memref<1x4x64x32xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no prefetchWeights: it is for vectors of channels whose weights lie side by side, and for panels of a matrix that are a vector wide}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x4x64x32xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>}
  return
}

// -----

func.func @prefetch_of_a_transposed_matrix(%a: memref<1x12x64xf32>, %b: memref<1x1x128x64xf16>, %y: memref<1x12x128xf32>) {
  // expected-error@+1 {{expected no prefetchWeights}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x12x64xf32>, memref<1x1x128x64xf16>) outs(%y : memref<1x12x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>], prefetchWeights = true>>, transposed}
  return
}

// -----

func.func @border_of_data(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected no skipBorder: it is for taps of a convolution in vector registers that meet a border of zeros}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7>], skipBorder = [rows]>>}
  return
}

// -----

// All of eight tiles meet zeros.
func.func @border_with_too_much_code(%x: memref<1x2x101x101x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x53x53x16xf32>) {
  // expected-error@+1 {{expected no skipBorder along edges with more than 4 register tiles, each of which has code of its own}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x101x101x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x53x53x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], skipBorder = [columns]>>, dilations = array<i64: 24, 24>, zeroBorder = array<i64: 24, 24, 24, 24>}
  return
}

// -----

func.func @scratch_for_less_than_a_panel(%a: memref<1x12x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %f: memref<56xf32>, %y: memref<1x12x40xf32>) {
  // expected-error@+1 {{expected scratch for at least one panel, 1024 elements, found 'memref<56xf32>'}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x12x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) scratch(%f : memref<56xf32>) outs(%y : memref<1x12x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <>>, bits = 4 : i64}
  return
}

// -----

func.func @low_bit_tile_without_a_matrix_unit(%a: memref<1x3x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x3x16xf32>) {
  // expected-error@+1 {{expected no lowBitTile: no matrix unit multiplies it by weights of few bits}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x3x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x3x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 2, pieces = 2>>>, bits = 4 : i64}
  return
}

// -----

func.func @columns_of_a_tile_that_wait_in_memory(%x: memref<1x4x22x18x16xf32>, %u: memref<36x4x4x16x16xf32>, %v: memref<76000xf32>, %m: memref<76000xf32>, %y: memref<1x4x20x16x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x22x18x16xf32>, memref<36x4x4x16x16xf32>) scratch(%v, %m : memref<76000xf32>, memref<76000xf32>) outs(%y : memref<1x4x20x16x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>, <columns = 4, vectors = 2>], stagedColumns = <inputs = 6>>>, chunk = array<i64: 2, 4>}
  return
}

// -----

func.func @more_columns_than_a_tile(%x: memref<1x4x22x18x16xf32>, %u: memref<36x4x4x16x16xf32>, %v: memref<76000xf32>, %m: memref<76000xf32>, %y: memref<1x4x20x16x16xf32>) {
  // expected-error@+1 {{expected at most 6 staged columns, as many as a tile has, found #VPU.staged_columns<outputs = 7>}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x22x18x16xf32>, memref<36x4x4x16x16xf32>) scratch(%v, %m : memref<76000xf32>, memref<76000xf32>) outs(%y : memref<1x4x20x16x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 8, vectors = 2>, <columns = 4, vectors = 2>], stagedColumns = <outputs = 7>>>, chunk = array<i64: 2, 4>}
  return
}

// -----

func.func @columns_of_a_matrix(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no stagedColumns: they are of tiles of Winograd's algorithm}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], stagedColumns = <inputs = 1>>>}
  return
}

// -----

func.func @weights_of_few_bits_are_asked_for(%a: memref<1x1x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %y: memref<1x1x96xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) outs(%y : memref<1x1x96xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>], prefetchBytes = 512>>, bits = 4 : i64}
  return
}

// -----

// They become floats in scratch memory first, all of a panel.
func.func @weights_of_few_bits_that_are_unpacked_before(%a: memref<1x64x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %m: memref<2048xf32>, %y: memref<1x64x96xf32>) {
  // expected-error@+1 {{expected no prefetchBytes: they are for weights of few bits that it multiplies by in the order in which they lie}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) scratch(%m : memref<2048xf32>) outs(%y : memref<1x64x96xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 10, vectors = 2>], prefetchBytes = 512>>, bits = 4 : i64}
  return
}

// -----

func.func @prefetch_of_floats_in_bytes(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no prefetchBytes}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], prefetchBytes = 64>>}
  return
}

// -----

func.func @too_many_pixels_of_a_pool(%x: memref<1x1x30x30x16xf32>, %y: memref<1x1x28x28x16xf32>) {
  // expected-error@+1 {{expected a register tile that leaves some of the 32 vector registers for weights and pixels, found 1x28x1 sums}}
  VPU.NCE.MaxPool ins(%x : memref<1x1x30x30x16xf32>) outs(%y : memref<1x1x28x28x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 28>]>>, kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>}
  return
}

// -----

func.func @integers_on_a_machine_without_products_of_bytes(%a: memref<1x1x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %m: memref<56xf32>, %y: memref<1x1x96xf32>) {
  // expected-error@+1 {{expected integerRows = 0: x86-64-v4 does not multiply its weights by rows of bytes}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) scratch(%m : memref<56xf32>) outs(%y : memref<1x1x96xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6>]>>, bits = 4 : i64, integerRows = 1 : i64}
  return
}

// -----

func.func @pixels_of_the_next_tile(%x: memref<1x4x56x56x16xf32>, %w: memref<2x4x1x1x16x16xf32>, %y: memref<1x2x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x56x56x16xf32>, memref<2x4x1x1x16x16xf32>) outs(%y : memref<1x2x56x56x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>], prefetchPixels = true>>}
  return
}

// -----

// Tiles share most pixels of a window.
func.func @pixels_of_a_window(%x: memref<1x2x9x9x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected no prefetchPixels: it is for convolutions without a window that no matrix unit multiplies}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7>], prefetchPixels = true>>}
  return
}

// -----

func.func @rows_of_words(%a: memref<1x96x64xi8>, %b: memref<1x8x32x16x2xi8>, %y: memref<1x96x128xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xi8>, memref<1x8x32x16x2xi8>) outs(%y : memref<1x96x128xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, widenRows = true>]>>}
  return
}

// -----

func.func @rows_of_floats(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  // expected-error@+1 {{expected no widenRows: it is for rows, or pixels, of bytes that are multiplied in pairs of words and stay in the first cache}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, widenRows = true>]>>}
  return
}

// -----

func.func @rows_that_no_cache_keeps(%a: memref<1x96x4096xi8>, %b: memref<1x8x2048x16x2xi8>, %y: memref<1x96x128xi32>) {
  // expected-error@+1 {{expected no widenRows}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x4096xi8>, memref<1x8x2048x16x2xi8>) outs(%y : memref<1x96x128xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, widenRows = true>]>>}
  return
}

// -----

// Windows may pass over pixels where a person wants that.
func.func @widened_pixels(%x: memref<1x1x52x52x4xi8>, %w: memref<8x1x3x3x2x16x2xi8>, %y: memref<1x8x28x28x16xi32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x52x52x4xi8>, memref<8x1x3x3x2x16x2xi8>) outs(%y : memref<1x8x28x28x16xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2, widenRows = true>]>>, dilations = array<i64: 12, 12>}
  return
}

// -----

func.func @too_many_widened_pixels(%x: memref<1x9x52x52x16xi8>, %w: memref<8x9x3x3x8x16x2xi8>, %y: memref<1x8x28x28x16xi32>) {
  // expected-error@+1 {{expected no widenRows}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x9x52x52x16xi8>, memref<8x9x3x3x8x16x2xi8>) outs(%y : memref<1x8x28x28x16xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2, widenRows = true>]>>, dilations = array<i64: 12, 12>}
  return
}

// -----

func.func @tiles_of_rows_of_bytes(%a: memref<1x2x64xi8>, %b: memref<1x1x64x100xi8>, %y: memref<1x2x100xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x2x64xi8>, memref<1x1x64x100xi8>) outs(%y : memref<1x2x100xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, vectors = 4, steps = 3>]>>}
  return
}

// -----

// Rows are packed in pairs.
func.func @a_part_of_a_pack_of_rows(%a: memref<1x2x64xi8>, %b: memref<1x1x64x100xi8>, %y: memref<1x2x100xi32>) {
  // expected-error@+1 {{expected a multiple of 2 vectors in a register tile, found 3}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x2x64xi8>, memref<1x1x64x100xi8>) outs(%y : memref<1x2x100xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, vectors = 3>]>>}
  return
}

// -----

func.func @steps_of_panels(%a: memref<1x2x64xi8>, %b: memref<1x8x32x16x2xi8>, %y: memref<1x2x128xi32>) {
  // expected-error@+1 {{expected no steps: they are for rows of bytes that a tile packs in registers, without a buffer}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x2x64xi8>, memref<1x8x32x16x2xi8>) outs(%y : memref<1x2x128xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, vectors = 2, steps = 3>]>>}
  return
}

// -----

func.func @steps_of_a_buffer(%a: memref<1x200x64xi8>, %b: memref<1x1x64x100xi8>, %y: memref<1x200x100xi32>) {
  // expected-error@+1 {{expected no steps}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x200x64xi8>, memref<1x1x64x100xi8>) outs(%y : memref<1x200x100xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2, bufferWeights = true, steps = 3>]>>}
  return
}
