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

/// Where one of the best is: the position is an integer.
struct FoundElement {
  mlir::Value row, position, column;
};

/// Writes an element of `input` and its position to the rank `place` of its row
/// and column in `outputs`.
Values writeBest(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value input, const FoundElement &found,
                 mlir::Value place, mlir::ValueRange outputs);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_COLUMNTOPK_H
