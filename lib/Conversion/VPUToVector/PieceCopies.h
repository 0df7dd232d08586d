//===- PieceCopies.h - Pieces of pixels beside each other -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of pixels whose elements lie in several blocks of channels, each block
// apart: a piece of every one goes beside the others, so that a pixel is a row
// of a matrix unit's tile.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_PIECECOPIES_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_PIECECOPIES_H

#include "KernelBuilder.h"

namespace nacre {

/// An address so many bytes further; both are LLVM pointers, and bytes are i64.
mlir::Value moveAddress(KernelBuilder &kernel, mlir::Value address,
                        mlir::Value bytes);

struct PieceCopies {
  /// Numbers of pieces of a pixel and bytes of each.
  int64_t pieces, pieceBytes;
  /// Bytes, as i64, from a piece of the source to the next one of the same
  /// pixel, and to that of the next pixel.
  mlir::Value pieceStride, pixelStride;

  /// Copies so many pixels, each to a row of a tile.
  void emit(KernelBuilder &kernel, mlir::Value from, mlir::Value to,
            mlir::Value pixels) const;

private:
  /// As many pixels as each has pieces, which fill a row of a tile.
  void transpose(KernelBuilder &kernel, mlir::Value from, mlir::Value to) const;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_PIECECOPIES_H
