//===- ColumnTopK.h - The best few of many columns --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of TopK along an axis that is not the last one, and of many short
// lines.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_COLUMNTOPK_H
#define NACRE_LIB_CONVERSION_IETOLINALG_COLUMNTOPK_H

#include "Loops.h"

namespace nacre {

/// How elements are ordered.
struct ElementOrder {
  bool descending, isUnsigned;
};

/// The `k` best along the middle axis of `input`, rows by length by columns,
/// and their positions, filled into `outputs`.
Values buildColumnTopK(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value input, int64_t k, ElementOrder order,
                       mlir::ValueRange outputs);

/// Columns of a row, from `start` on, whose `k` best are known: of column `c`
/// of these, that of rank `place` has a position, which is an integer.
struct FoundColumns {
  mlir::Value row, start;
  int64_t width, k;
  llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value place,
                                 mlir::Value c)>
      getPosition;
};

/// Writes the elements of `input` that were found, and their positions, to
/// their ranks in `outputs`.
Values writeBest(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value input, const FoundColumns &found,
                 mlir::ValueRange outputs);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_COLUMNTOPK_H
