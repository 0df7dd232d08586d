// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s

// 576 words of two vectors push pixels out of the first cache, so that they pass it by.
// CHECK-LABEL: func @long_rows
// CHECK: kernel = <matrixTiles = <streamRight = true>>
func.func @long_rows(%x: memref<1x16x16x16x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x14x14x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x16x16x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x14x14x16xf32>)
  return
}

// -----

// Tiles of seven pixels would be half empty.
// CHECK-LABEL: func @short_rows_are_one
// CHECK: kernel = <matrixTiles = <joinRows = true, streamRight = true>>
func.func @short_rows_are_one(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>)
  return
}

// -----

// There is nothing to compute.
// CHECK-LABEL: func @no_rows
// CHECK: kernel = <matrixTiles = <streamRight = true>>
func.func @no_rows(%x: memref<1x16x2x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x0x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x2x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x0x7x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @no_columns
// CHECK: kernel = <matrixTiles = <streamRight = true>>
func.func @no_columns(%x: memref<1x16x9x2x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x0x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x2x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x0x16xf32>)
  return
}

// -----

// A row of a tile holds four blocks of 16 bytes; the 17 tiles are two strips.
// CHECK-LABEL: func @pointwise_blocks_are_packed
// CHECK: kernel = <matrixTiles = <pieces = 4, stripTiles = 10>>
func.func @pointwise_blocks_are_packed(%x: memref<1x4x1x272x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x1x272x16xf32>)
  return
}

// -----

// Two tiles of pixels would take 258 KB of the stack.
// CHECK-LABEL: func @pointwise_of_very_many_channels
// CHECK: kernel = <prefetchWeights = true, matrixTiles = <streamRight = true>>
func.func @pointwise_of_very_many_channels(%x: memref<1x516x1x272x16xi8>, %w: memref<8x516x1x1x4x16x4xi8>, %y: memref<1x8x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x516x1x272x16xi8>, memref<8x516x1x1x4x16x4xi8>) outs(%y : memref<1x8x1x272x16xf32>)
  return
}

// -----

// One vector is not worth the copies.
// CHECK-LABEL: func @pointwise_to_few_channels
// CHECK: kernel = <matrixTiles = <>>
func.func @pointwise_to_few_channels(%x: memref<1x4x1x272x16xi8>, %w: memref<1x4x1x1x4x16x4xi8>, %y: memref<1x1x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<1x4x1x1x4x16x4xi8>) outs(%y : memref<1x1x1x272x16xf32>)
  return
}

// -----

// Of a window, weights are copied, too: nine full steps instead of twelve. The pixels of
// all 224 tiles fit the stack.
// CHECK-LABEL: func @blocks_of_a_window_are_packed
// CHECK: kernel = <matrixTiles = <pieces = 4, stripTiles = 224>>
func.func @blocks_of_a_window_are_packed(%x: memref<1x4x58x58x16xi8>, %w: memref<4x4x3x3x4x16x4xi8>, %y: memref<1x4x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x58x58x16xi8>, memref<4x4x3x3x4x16x4xi8>) outs(%y : memref<1x4x56x56x16xf32>)
  return
}

// -----

// Of 28 rows, 14 at a time fit the stack beside the weights.
// CHECK-LABEL: func @blocks_of_a_strided_window_are_packed
// CHECK: kernel = <matrixTiles = <pieces = 4, stripTiles = 28>>
func.func @blocks_of_a_strided_window_are_packed(%x: memref<1x8x58x58x16xi8>, %w: memref<8x8x3x3x4x16x4xi8>, %y: memref<1x8x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x8x58x58x16xi8>, memref<8x8x3x3x4x16x4xi8>) outs(%y : memref<1x8x28x28x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// Two blocks of eight words would be no more than the twelve that three pixels of one
// have.
// CHECK-LABEL: func @few_blocks_of_a_window
// CHECK: kernel = <matrixTiles = <>>
func.func @few_blocks_of_a_window(%x: memref<1x2x58x58x16xi8>, %w: memref<4x2x3x3x4x16x4xi8>, %y: memref<1x4x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x58x58x16xi8>, memref<4x2x3x3x4x16x4xi8>) outs(%y : memref<1x4x56x56x16xf32>)
  return
}

// -----

// To copy weights takes longer than few pixels save.
// CHECK-LABEL: func @window_of_few_pixels
// CHECK: kernel = <matrixTiles = <streamRight = true>>
func.func @window_of_few_pixels(%x: memref<1x16x4x4x16xi8>, %w: memref<16x16x3x3x4x16x4xi8>, %y: memref<1x16x2x2x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x4x4x16xi8>, memref<16x16x3x3x4x16x4xi8>) outs(%y : memref<1x16x2x2x16xf32>)
  return
}

// -----

// The weights of two vectors alone would take 295 KB of the stack.
// CHECK-LABEL: func @window_of_very_many_channels
// CHECK: kernel = <{{.*}}matrixTiles = <{{.*}}streamRight = true>>
func.func @window_of_very_many_channels(%x: memref<1x32x58x58x16xbf16>, %w: memref<4x32x3x3x8x16x2xbf16>, %y: memref<1x4x56x56x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x58x58x16xbf16>, memref<4x32x3x3x8x16x2xbf16>) outs(%y : memref<1x4x56x56x16xbf16>)
  return
}

// -----

// Two rows of seven words each are a row of a tile, and four steps eight rows, of which
// the last one has weights of zero.
// CHECK-LABEL: func @rows_of_a_window_are_packed
// CHECK: kernel = <matrixTiles = <windowRows = 2, stripTiles = 196>>
func.func @rows_of_a_window_are_packed(%x: memref<1x1x230x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x112x112x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x112x112x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// Two rows would fit, but seven do not divide by two, and of floats no element may be
// multiplied by a weight that is not there.
// CHECK-LABEL: func @rows_of_a_window_of_floats
// CHECK: kernel = <matrixTiles = <>>
func.func @rows_of_a_window_of_floats(%x: memref<1x1x230x230x2xbf16>, %w: memref<4x1x7x7x1x16x2xbf16>, %y: memref<1x4x112x112x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x230x230x2xbf16>, memref<4x1x7x7x1x16x2xbf16>) outs(%y : memref<1x4x112x112x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// A row of the window alone has 24 words.
// CHECK-LABEL: func @rows_of_a_window_that_fill_more_than_a_tile
// CHECK: kernel = <matrixTiles = <>>
func.func @rows_of_a_window_that_fill_more_than_a_tile(%x: memref<1x1x16x16x16xbf16>, %w: memref<2x1x3x3x8x16x2xbf16>, %y: memref<1x2x14x14x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x16x16x16xbf16>, memref<2x1x3x3x8x16x2xbf16>) outs(%y : memref<1x2x14x14x16xf32>)
  return
}

// -----

// Weights that stay in no cache had better be read once, not for each strip.
// CHECK-LABEL: func @window_of_many_weights
// CHECK: kernel = <{{.*}}matrixTiles = <{{(joinRows = true, )?}}streamRight = true>>
func.func @window_of_many_weights(%x: memref<1x32x30x30x16xi8>, %w: memref<32x32x3x3x4x16x4xi8>, %y: memref<1x32x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x30x30x16xi8>, memref<32x32x3x3x4x16x4xi8>) outs(%y : memref<1x32x28x28x16xf32>)
  return
}

// -----

// Five rows of five words: three rows are a row of a tile, and five of 20 words, of
// which none fits, stay as they are.
// CHECK-LABEL: func @five_rows_of_a_window
// CHECK: kernel = <matrixTiles = <windowRows = 3, stripTiles = {{[0-9]+}}>>
func.func @five_rows_of_a_window(%x: memref<1x1x68x68x4xi8>, %w: memref<4x1x5x5x1x16x4xi8>, %y: memref<1x4x64x64x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x68x68x4xi8>, memref<4x1x5x5x1x16x4xi8>) outs(%y : memref<1x4x64x64x16xf32>)
  return
}
// CHECK-LABEL: func @five_rows_of_a_block
// CHECK: kernel = <matrixTiles = <>>
func.func @five_rows_of_a_block(%x: memref<1x1x20x20x16xi8>, %w: memref<4x1x5x5x4x16x4xi8>, %y: memref<1x4x16x16x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x20x20x16xi8>, memref<4x1x5x5x4x16x4xi8>) outs(%y : memref<1x4x16x16x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @image_of_dynamic_size
// CHECK: kernel = <matrixTiles = <>>
func.func @image_of_dynamic_size(%x: memref<1x4x?x?x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x?x?x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x?x?x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x?x?x16xf32>)
  return
}

// -----

// CHECK-LABEL: func @weights_for_few_pixels_are_prefetched
// CHECK: kernel = <prefetchWeights = true, matrixTiles = <{{.*}}>>
func.func @weights_for_few_pixels_are_prefetched(%x: memref<1x32x9x9x16xbf16>, %w: memref<32x32x3x3x8x16x2xbf16>, %y: memref<1x32x7x7x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x9x9x16xbf16>, memref<32x32x3x3x8x16x2xbf16>) outs(%y : memref<1x32x7x7x16xbf16>)
  return
}

// -----

// A pair of left tiles stays in the first cache while all right ones pass it by.
// CHECK-LABEL: func @shallow_product
// CHECK: kernel = <matrixTiles = <pixelsFirst = true, streamRight = true>>
func.func @shallow_product(%a: memref<1x256x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x256x256xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x256x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x256x256xf32>)
  return
}

// -----

// Of fewer rows than columns, the left ones are read again for each two vectors.
// CHECK-LABEL: func @product_of_few_rows
// CHECK: kernel = <matrixTiles = <>>
func.func @product_of_few_rows(%a: memref<1x64x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x64x256xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x64x256xf32>)
  return
}

// -----

// One row makes no use of a tile.
// CHECK-LABEL: func @one_row
// CHECK: kernel = <registers = [{{.*}}]>
func.func @one_row(%a: memref<1x1x80xbf16>, %b: memref<1x1x40x16x2xbf16>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x80xbf16>, memref<1x1x40x16x2xbf16>) outs(%y : memref<1x1x16xf32>)
  return
}
