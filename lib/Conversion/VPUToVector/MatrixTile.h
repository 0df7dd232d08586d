//===- MatrixTile.h - The contraction on a matrix unit ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same contraction as that of a register tile, on a unit that multiplies
// two-dimensional tiles: x86's AMX. A left tile holds some elements of up to 16
// pixels (or matrix rows), a right one the weights of 16 output channels for
// them, and sums stay in tiles until the reduction ends.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXTILE_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXTILE_H

#include "Epilogue.h"
#include "TileRegisters.h"

#include <functional>

namespace nacre {

/// A part of a reduction, cut into steps.
struct MatrixReduction {
  /// Of 32-bit numbers that a step reduces: for each pixel they are
  /// contiguous, and so are those of a vector's lanes.
  int64_t depth;
  /// Unless left tiles are packed: those of a pixel may be in several pieces
  /// then, so many bytes apart.
  int64_t pieces = 1;
  mlir::Value pieceStride = {};
  /// Extents of the loops of steps, outermost first.
  llvm::SmallVector<mlir::OpFoldResult> steps;
  /// Where the operands of a step, the last argument, start.
  std::function<mlir::Value(mlir::Value image, mlir::Value row,
                            mlir::Value column, mlir::ValueRange step)>
      left;
  std::function<mlir::Value(mlir::Value image, mlir::Value vector,
                            mlir::ValueRange step)>
      right;
};

/// What is contracted: for each image, rows × columns of pixels times vectors
/// of output channels.
struct MatrixContraction {
  /// The operands are bf16, or 8-bit integers, the left ones unsigned.
  Epilogue epilogue;
  /// Of each vector.
  Lanes lanes;
  mlir::OpFoldResult images, rows, columns;
  /// Unless 0, the image is one row in which each of its own takes so many
  /// pixels, of which the first `validColumns` are results: what lies between
  /// rows of the padded input is multiplied along, which fills tiles where
  /// rows are short.
  int64_t pitch = 0, validColumns = 0;
  /// One part or, of different depths, two.
  llvm::SmallVector<MatrixReduction, 2> parts;
  /// Bytes from a pixel to the next in a row, and from one 32-bit number of all
  /// lanes to the next.
  mlir::Value leftStride, rightStride;
  /// The indices of a vector among channels, and of its results for a pixel.
  std::function<llvm::SmallVector<mlir::Value>(mlir::Value vector)> channel;
  std::function<llvm::SmallVector<mlir::Value>(
      mlir::Value image, mlir::Value row, mlir::Value column,
      mlir::Value vector)>
      pixel;
  /// Asks for the right operand of the next vectors while it multiplies these.
  /// For few pixels: many find it in the cache.
  bool prefetchesNext = false;
  /// Unless 0, copies so many left tiles to where each is contiguous, before it
  /// multiplies them by all vectors. For one part of one loop, and numbers of
  /// pixels that are known.
  int64_t stripTiles = 0;
  /// If given, what copies instead: the pixels that the tiles of a strip read,
  /// of which the first one starts at this row and column, then the right tiles
  /// of so many vectors. `left` and `right` of the part are in the copies.
  std::function<void(mlir::Value image, mlir::Value row, mlir::Value column)>
      packPixels = {};
  std::function<void(mlir::Value vector, int64_t vectors)> packWeights = {};
  /// A pair of left tiles meets all vectors before the next one does.
  bool pixelsFirst = false;
  /// Right tiles are loaded without leaving them in the first cache, which then
  /// keeps the left ones.
  bool streamRight = false;
};

/// Builds the contraction of `count` vectors from `first` on. Tiles of the last
/// columns of a row overlap those before; what is in both is stored once.
void buildMatrixContraction(KernelBuilder &kernel,
                            const MatrixContraction &contraction,
                            mlir::Value first, mlir::OpFoldResult count);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_MATRIXTILE_H
