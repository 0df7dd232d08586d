//===- PackedWindow.h - Operands of windows, copied -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of what a strip of tiles reads and of two vectors' weights, in which
// blocks of channels, or rows of a window, lie beside each other
// (nacre/Dialect/VPU/IR/WindowStrip.h).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_PACKEDWINDOW_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_PACKEDWINDOW_H

#include "TileRegisters.h"

#include "nacre/Dialect/VPU/IR/WindowStrip.h"

namespace nacre {

class PackedWindow {
public:
  /// Makes room on the stack. `input` is (N, blocks, rows, columns, channels),
  /// of which rows follow each other, and `weights` (blocks, input blocks,
  /// kernel rows, kernel columns, words, elements).
  PackedWindow(KernelBuilder &kernel, mlir::Value input, mlir::Value weights,
               const VPU::WindowStrip &strip);

  /// Copies the pixels of an image's blocks from `firstBlock` on; the first one
  /// is `pixel` of its padded rows as one.
  void packPixels(mlir::Value image, mlir::Value firstBlock, mlir::Value pixel);
  /// Copies the weights of so many vectors, and may ask for those of as many
  /// behind them.
  void packWeights(mlir::Value vector, int64_t vectors, bool prefetchesNext);

  /// Where the elements of a pixel start, and a vector's weights for it; `step`
  /// is the set of blocks, kernel row and kernel column.
  mlir::Value pixel(mlir::Value set, mlir::Value pixel);
  mlir::Value weights(mlir::Value vector, mlir::ValueRange step);

  /// Bytes from a pixel to one so many steps further, and from a word of all
  /// lanes to the next.
  mlir::Value getPixelStride(int64_t step) { return pixels.getStride(1, step); }
  mlir::Value getWeightsStride() { return packed.getStride(4); }

private:
  KernelBuilder &kernel;
  VPU::WindowStrip strip;
  RowPointer input, filter;  // what is copied
  RowPointer pixels, packed; // and where to
  /// The first ones that are there.
  mlir::Value firstPixel, firstVector;
};

/// The same where rows of a window lie beside each other.
class PackedRows {
public:
  /// Makes room on the stack; for `input` and `weights` as above, of one input
  /// block, and a window that moves so many columns.
  PackedRows(KernelBuilder &kernel, mlir::Value input, mlir::Value weights,
             const VPU::RowStrip &strip, int64_t columnStride);

  /// Copies from a row of the padded input's block on.
  void packRows(mlir::Value image, mlir::Value block, mlir::Value row);
  /// Copies the weights of so many vectors.
  void packWeights(mlir::Value vector, int64_t vectors);

  /// Where the elements start that a column of the result meets from a row of
  /// the padded input on, and a vector's weights for the step.
  mlir::Value row(mlir::Value row, mlir::Value column);
  mlir::Value weights(mlir::Value vector, mlir::Value step);

  mlir::Value getColumnStride() { return rows.getStride(1); }
  mlir::Value getWeightsStride() { return packed.getStride(2); }

private:
  /// Copies some words, of fewer than fill a vector.
  void copyWords(mlir::Value from, mlir::Value to);

  KernelBuilder &kernel;
  VPU::RowStrip strip;
  int64_t columnStride;
  RowPointer input, filter; // what is copied
  RowPointer rows, packed;  // and where to
  /// The first ones that are there.
  mlir::Value firstRow, firstVector;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_PACKEDWINDOW_H
