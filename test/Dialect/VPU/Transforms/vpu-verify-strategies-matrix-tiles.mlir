// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-verify-strategies=decided=registers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --convert-vpu-to-vector --split-input-file --verify-diagnostics

func.func @tiles_that_fit(%x: memref<1x4x1x272x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x1x272x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 2, stripTiles = 3>>>}
  return
}

// -----

func.func @no_tiles(%a: memref<1x64x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x64x256xf32>) {
  // expected-error@+1 {{expected matrixTiles: a matrix unit multiplies it}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x64x256xf32>) {VPU.strategy = #VPU.strategy<kernel = <>>}
  return
}

// -----

func.func @register_tiles_of_a_matrix_unit(%a: memref<1x64x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x64x256xf32>) {
  // expected-error@+1 {{expected 0 register tiles, found 1}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x64x256xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<>], matrixTiles = <>>>}
  return
}

// -----

func.func @matrix_tiles_of_vectors(%a: memref<1x64x256xf32>, %b: memref<1x16x256x16xf32>, %y: memref<1x64x256xf32>) {
  // expected-error@+1 {{expected no matrixTiles: no matrix unit multiplies it}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xf32>, memref<1x16x256x16xf32>) outs(%y : memref<1x64x256xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<>], matrixTiles = <>>>}
  return
}

// -----

func.func @joined_rows_of_a_strided_window(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x4x4x16xf32>) {
  // expected-error@+1 {{expected no joinRows: it is for windows of stride 1 over an image of known size, whose rows lie one behind the other}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x4x4x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <joinRows = true>>>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @pieces_of_a_window(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <joinRows = true, pieces = 4, stripTiles = 3>>>}
  return
}

// -----

func.func @pieces_of_separate_rows(%x: memref<1x16x9x9x16xi8, strided<[23040, 1440, 160, 16, 1]>>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected pieces = 1: it is for convolutions of known size with whole blocks of channels, and if they have a window, of rows that lie one behind the other, found 4}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8, strided<[23040, 1440, 160, 16, 1]>>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 7>>>}
  return
}

// -----

func.func @pieces_of_parts_of_rows(%x: memref<1x4x58x58x16xi8>, %w: memref<4x4x3x3x4x16x4xi8>, %y: memref<1x4x56x56x16xf32>) {
  // expected-error@+1 {{expected stripTiles of whole rows, which have 4, found 6}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x58x58x16xi8>, memref<4x4x3x3x4x16x4xi8>) outs(%y : memref<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 6>>>}
  return
}

// -----

// 322 KB of pixels, and 18 KB of weights.
func.func @window_beyond_the_stack(%x: memref<1x4x71x71x16xi8>, %w: memref<4x4x3x3x4x16x4xi8>, %y: memref<1x4x69x69x16xf32>) {
  // expected-error@+1 {{expected stripTiles that take at most 262144 bytes, found 345}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x71x71x16xi8>, memref<4x4x3x3x4x16x4xi8>) outs(%y : memref<1x4x69x69x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 345>>>}
  return
}

// -----

func.func @uneven_pieces(%x: memref<1x4x1x272x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x1x272x16xf32>) {
  // expected-error@+1 {{expected pieces that divide the 4 blocks of channels and make rows of at most 16 words, found 3}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x1x272x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 3, stripTiles = 4>>>}
  return
}

// -----

func.func @strips_beyond_the_stack(%x: memref<1x4x1x272x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x1x272x16xf32>) {
  // expected-error@+1 {{expected stripTiles that take at most 262144 bytes, found 257}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x1x272x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 257>>>}
  return
}

// -----

// Even two tiles take more.
func.func @two_tiles_beyond_the_stack(%x: memref<1x516x1x272x16xi8>, %w: memref<8x516x1x1x4x16x4xi8>, %y: memref<1x8x1x272x16xf32>) {
  // expected-error@+1 {{expected stripTiles that take at most 262144 bytes, found 2}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x516x1x272x16xi8>, memref<8x516x1x1x4x16x4xi8>) outs(%y : memref<1x8x1x272x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 2>>>}
  return
}

// -----

func.func @joined_rows_of_nothing(%x: memref<1x16x2x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x0x7x16xf32>) {
  // expected-error@+1 {{expected no joinRows}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x2x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x0x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <joinRows = true>>>}
  return
}

// -----

func.func @scratch_of_a_low_bit_tile(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %f: memref<8192xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) scratch(%f : memref<8192xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>, bits = 4 : i64}
  return
}

// -----

func.func @scratch_of_a_smaller_low_bit_tile(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %f: memref<6656xf32>, %y: memref<1x30x40xf32>) {
  // expected-error@+1 {{expected a lowBitTile for the scratch that it has, which is 'memref<6656xf32>', found one of 8192 elements}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) scratch(%f : memref<6656xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>, bits = 4 : i64}
  return
}

// -----

func.func @prefetched_panels(%a: memref<1x64x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x64x256xf32>) {
  // expected-error@+1 {{expected no prefetchWeights}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x64x256xf32>) {VPU.strategy = #VPU.strategy<kernel = <prefetchWeights = true, matrixTiles = <>>>}
  return
}

// -----

func.func @border_of_a_matrix_unit(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected no skipBorder}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <skipBorder = [rows], matrixTiles = <>>>, zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

func.func @rows_of_a_window(%x: memref<1x1x230x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x112x112x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x112x112x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <windowRows = 1, stripTiles = 7>>>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @rows_of_a_window_of_several_blocks(%x: memref<1x4x58x58x16xi8>, %w: memref<4x4x3x3x4x16x4xi8>, %y: memref<1x4x56x56x16xf32>) {
  // expected-error@+1 {{expected no windowRows: they are for convolutions of known size with one full block of channels and dilations of 1, found 1}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x58x58x16xi8>, memref<4x4x3x3x4x16x4xi8>) outs(%y : memref<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <windowRows = 1, stripTiles = 4>>>}
  return
}

// -----

func.func @rows_wider_than_a_tile(%x: memref<1x1x230x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x112x112x16xf32>) {
  // expected-error@+1 {{expected windowRows that the window has, of at most a tile's row of words, and of floats a divisor of its rows, found 3}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x112x112x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <windowRows = 3, stripTiles = 7>>>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @rows_of_floats_that_are_not_there(%x: memref<1x1x32x32x2xbf16>, %w: memref<4x1x3x3x1x16x2xbf16>, %y: memref<1x4x30x30x16xf32>) {
  // expected-error@+1 {{and of floats a divisor of its rows, found 2}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x32x32x2xbf16>, memref<4x1x3x3x1x16x2xbf16>) outs(%y : memref<1x4x30x30x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <windowRows = 2, stripTiles = 2>>>}
  return
}

// -----

func.func @rows_beyond_the_stack(%x: memref<1x1x230x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x112x112x16xf32>) {
  // expected-error@+1 {{expected stripTiles that take at most 262144 bytes, found 784}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x112x112x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <windowRows = 2, stripTiles = 784>>>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @prefetched_rows_of_a_window(%x: memref<1x1x230x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x112x112x16xf32>) {
  // expected-error@+1 {{expected no prefetchWeights with windowRows}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x112x112x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <prefetchWeights = true, matrixTiles = <windowRows = 2, stripTiles = 7>>>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @pieces_of_spread_channels(%x: memref<1x4x9x9x16xi8, strided<[10368, 2592, 288, 32, 2]>>, %w: memref<2x4x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  // expected-error@+1 {{expected pieces = 1}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x9x9x16xi8, strided<[10368, 2592, 288, 32, 2]>>, memref<2x4x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <matrixTiles = <pieces = 4, stripTiles = 7>>>}
  return
}

// -----

func.func @pixels_of_a_matrix_unit(%x: memref<1x2x28x28x16xbf16>, %w: memref<2x2x1x1x8x16x2xbf16>, %y: memref<1x2x28x28x16xf32>) {
  // expected-error@+1 {{expected no prefetchPixels: it is for convolutions without a window that no matrix unit multiplies}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x28x28x16xbf16>, memref<2x2x1x1x8x16x2xbf16>) outs(%y : memref<1x2x28x28x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <prefetchPixels = true, matrixTiles = <>>>}
  return
}
