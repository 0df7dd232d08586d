//===- WideRows.h - Bytes of rows as 16-bit words ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no instruction multiplies bytes, they are extended to 16 bits first:
// those of a tile's rows, or of the pixels that its windows meet, once, rather
// than at each step of the reduction.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H

#include "StackBuffer.h"

namespace nacre {

/// The rows, or the pixels, of a tile on the stack, extended without a sign:
/// what `widenRows` of a register tile asks for.
class WideRows {
public:
  /// Room of the given shape, whose last dimension are bytes that become words.
  WideRows(KernelBuilder &kernel, llvm::ArrayRef<int64_t> shape);

  /// Stores rows of bytes of a tensor that follow each other from `first`, the
  /// position of an element, on, to those of the room from `place` on, the
  /// position of a row.
  void fill(mlir::Value tensor, llvm::ArrayRef<mlir::Value> first,
            llvm::ArrayRef<mlir::Value> place, int64_t rows) const;
  /// The `pack` words of the row at `place` at a step of the reduction, in
  /// every lane.
  mlir::Value load(llvm::ArrayRef<mlir::Value> place, mlir::Value step,
                   int64_t pack) const;
  llvm::ArrayRef<int64_t> getShape() const;
  /// Gives the room back.
  void release();

private:
  KernelBuilder *kernel;
  StackBuffer buffer;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H
