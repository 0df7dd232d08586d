//===- MergeSort.h - Sorting by a given order -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts positions by whatever order the caller computes between two of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_MERGESORT_H
#define NACRE_LIB_CONVERSION_IETOLINALG_MERGESORT_H

#include "ScalarEmitter.h"

namespace nacre {

/// True when the element at position `a` belongs in front of that at `b`; both
/// are of index type.
using IsBefore = llvm::function_ref<mlir::Value(mlir::OpBuilder &,
                                                mlir::Value a, mlir::Value b)>;

/// The vector of i64 `positions` with its first `count` elements sorted; equal
/// ones stay in order. Uses `scratch`, of the same type. Takes a multiple of
/// n log n comparisons.
mlir::Value buildMergeSort(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value positions, mlir::Value scratch,
                           mlir::Value count, IsBefore isBefore);

/// a < b in a total order, in which NaN is the largest number.
mlir::Value isLessInOrder(const ScalarEmitter &emitter, mlir::Value a,
                          mlir::Value b);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_MERGESORT_H
