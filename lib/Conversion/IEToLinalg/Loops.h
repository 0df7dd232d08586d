//===- Loops.h - Loops that carry values ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shorthands for the scf loops of kernels that are no loop nest over a result:
// their steps depend on each other.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_LOOPS_H
#define NACRE_LIB_CONVERSION_IETOLINALG_LOOPS_H

#include "Common.h"

namespace nacre {

using Values = llvm::SmallVector<mlir::Value>;

/// What a loop carries on from the iteration `i` that got `carried`.
using ForBody = llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value i,
                                          mlir::ValueRange carried)>;

/// The values that scf.for from `first` below `end` carries in the end; `step`
/// is 1 when it is null.
Values buildFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value first,
                mlir::Value end, mlir::ValueRange init, ForBody body,
                mlir::Value step = {});

/// Says of a loop whose values are tensors that its iterations do not need each
/// other: each writes what has its number along dimension `dim` of the results,
/// and nothing reads what else the loop carries, which has other types.
void markIndependent(mlir::Operation *loop, int64_t dim);

/// The values that scf.while carries in the end: as long as `condition` gives
/// true, `body` gives the next ones.
Values buildWhile(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange init,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>
        condition,
    llvm::function_ref<Values(mlir::OpBuilder &, mlir::ValueRange)> body);

/// What `body` makes of `values` where `condition` holds, else `values`.
Values buildIf(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::Value condition, mlir::ValueRange values,
               llvm::function_ref<Values(mlir::OpBuilder &)> body);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_LOOPS_H
