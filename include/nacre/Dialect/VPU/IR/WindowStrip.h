//===- WindowStrip.h - Copies for windows on a matrix unit ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a convolution with a window copies to the stack before a matrix unit
// multiplies it, so that rows of left tiles are full: what some left tiles
// read, and the weights of two vectors in the same order.
//
// Where `#VPU.matrix_tiles` has several `pieces`, these are pixels, in each of
// which the elements of so many blocks of channels lie beside each other. A row
// of a tile is a pixel, wherever in the window.
//
// Where it has `windowRows`, they are so many rows of the window beside each
// other, for each column of the result and each row of the padded input at
// which some start. If the window's rows do not divide by their number, weights
// of zero meet what the last copy has too many of.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_WINDOWSTRIP_H
#define NACRE_DIALECT_VPU_IR_WINDOWSTRIP_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Tiles of pixels, and vectors of channels, that are multiplied at a time.
constexpr int64_t kPixelTiles = 2, kTileVectors = 2;

/// A tile's elements are summed in words.
constexpr int64_t kTileWordBytes = 4;

/// Whether a pixel of the result needs several of the input, apart from what
/// a stride leaves out.
bool hasWindow(NCEConvolutionOp op);

struct WindowStrip {
  /// Of an op of known size that has `tiles.pieces` of several blocks.
  static WindowStrip get(NCEConvolutionOp op, MatrixTilesAttr tiles,
                         MatrixUnitAttr unit);

  /// Sets of blocks whose elements lie beside each other, the blocks of one and
  /// the words of a block for each pixel.
  int64_t sets, pieces, blockWords;
  /// The kernel's rows and columns.
  int64_t windowRows, windowColumns;
  /// Pixels of a row of the padded input, and those of an image.
  int64_t pitch, imagePixels;
  /// The most pixels of the padded input that a strip's tiles read, between its
  /// first and its last one, and all strips of an image.
  int64_t pixels, strips;

  /// Words of a pixel in a set of blocks: the depth of a tile.
  int64_t getDepth() const { return pieces * blockWords; }
  /// Tiles of a reduction.
  int64_t getSteps() const { return sets * windowRows * windowColumns; }
  /// Bytes of the pixels, each a row of a tile, and of a vector's weights.
  int64_t getPixelBytes(MatrixUnitAttr unit) const;
  int64_t getVectorBytes(MatrixUnitAttr unit) const;
  /// Of both, with the weights of two vectors.
  int64_t getBytes(MatrixUnitAttr unit) const;
};

struct RowStrip {
  /// Of an op of known size that has `tiles.windowRows`.
  static RowStrip get(NCEConvolutionOp op, MatrixTilesAttr tiles,
                      MatrixUnitAttr unit);

  /// The kernel's rows, and those beside each other; words of one.
  int64_t windowRows, together, rowWords;
  /// Rows of the padded input, and from one whose copies there are to the next.
  int64_t inputRows, rowStep;
  /// Columns of the result, the most rows of copies of a strip, and all strips
  /// of an image.
  int64_t columns, rows, strips;

  /// Words of a copy: the depth of a tile. And tiles of a reduction.
  int64_t getDepth() const { return together * rowWords; }
  int64_t getSteps() const;
  /// Bytes of both, with the weights of two vectors.
  int64_t getBytes(MatrixUnitAttr unit) const;
};

/// Left tiles of a row of an op of known size, or of its rows as one.
int64_t countTilesOfRow(NCEConvolutionOp op, MatrixTilesAttr tiles,
                        MatrixUnitAttr unit);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_WINDOWSTRIP_H
