//===- ColumnSort.h - Sorting many columns side by side ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of TopK of a large part of the elements, for columns beside each
// other.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_COLUMNSORT_H
#define NACRE_LIB_CONVERSION_IETOLINALG_COLUMNSORT_H

#include "ColumnTopK.h"
#include "Loops.h"

namespace nacre {

/// How many of `columns` are sorted at once; 0 if the order keys of their
/// elements and positions up to `length` do not fit in an integer.
int64_t getColumnsSortedAtOnce(int64_t columns, int64_t length,
                               mlir::Type elementType);

/// True if the `k` best along an axis of `length` with `columns` elements
/// behind it are found faster by sorting several columns at once than by
/// looking for candidates in one after the other. Sizes that are not known are
/// ShapedType::kDynamic.
bool paysBySortingColumns(int64_t k, int64_t columns, int64_t length,
                          mlir::Type elementType);

/// The `k` best along the middle axis of `input`, rows by length by columns, of
/// which only the rows may be dynamic, and their positions, filled into
/// `outputs`.
Values buildColumnSort(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value input, int64_t k, ElementOrder order,
                       mlir::ValueRange outputs);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_COLUMNSORT_H
