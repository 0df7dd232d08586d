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

namespace nacre {

/// The `k` best along the middle axis of `input`, rows by length by columns, of
/// which only the rows may be dynamic, and their positions, filled into
/// `outputs`. Order keys and positions fit in an integer.
Values buildColumnSort(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value input, int64_t k, ElementOrder order,
                       mlir::ValueRange outputs);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_COLUMNSORT_H
