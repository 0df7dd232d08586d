//===- StackedElements.h - Elements of dynamic sizes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop stacks of elements whose sizes, or number, nobody knows before
// they are there is a sequence until the loop ends.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_STACKEDELEMENTS_H
#define NACRE_LIB_CONVERSION_IETOLINALG_STACKEDELEMENTS_H

#include "Common.h"

namespace nacre {

/// The sequence that a loop starts with for elements to be stacked along `axis`
/// of a result of type `whole`.
mlir::Value buildEmptyStack(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::RankedTensorType whole, int64_t axis);

/// `stack` with one more element, behind the others or in front of them.
mlir::Value pushElement(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value stack, mlir::Value element, bool atFront);

/// The `count` elements side by side; a run ends where their shapes differ, or
/// where there is another number than the model declares.
/// None have the sizes that are known.
mlir::Value joinStack(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value stack, mlir::RankedTensorType whole,
                      int64_t axis, mlir::Value count);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_STACKEDELEMENTS_H
