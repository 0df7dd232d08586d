//===- WideRows.h - Bytes of rows as 16-bit words ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no instruction multiplies bytes, they are extended to 16 bits first:
// those of a tile's rows once, rather than at each step of the reduction.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H

#include "KernelBuilder.h"

namespace nacre {

/// The rows of a tile on the stack, extended without a sign: what `widenRows`
/// of a register tile asks for.
class WideRows {
public:
  /// Room for so many rows of so many bytes.
  WideRows(KernelBuilder &kernel, int64_t rows, int64_t bytes);

  /// Stores the first rows of a matrix of bytes (B, M, K) from `first`, the
  /// position of an element, on.
  void fill(mlir::Value matrix, llvm::ArrayRef<mlir::Value> first,
            int64_t rows);
  /// The `pack` words of a row at a step of the reduction, in every lane.
  mlir::Value load(int64_t row, mlir::Value step, int64_t pack) const;
  /// Gives the room back.
  void release();

private:
  KernelBuilder *kernel;
  mlir::Value stack, memref;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WIDEROWS_H
