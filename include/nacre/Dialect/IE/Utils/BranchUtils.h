//===- BranchUtils.h - Branches that runs may take --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch may be for other sizes or ranks than a model is compiled for. That
// does no harm unless a run takes it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_BRANCHUTILS_H
#define NACRE_DIALECT_IE_UTILS_BRANCHUTILS_H

#include "nacre/Dialect/IE/IR/ControlFlow.h"

#include "mlir/IR/Diagnostics.h"

namespace nacre::IE {

/// Moves one branch of `op` before it and gives the branch's results, each of
/// which ends with `message` a run that would take the other branch. `op` has
/// no use any more, and is left to the caller.
llvm::SmallVector<mlir::Value> requireBranch(IfOp op, bool isThen,
                                             const llvm::Twine &message);

/// The same for a branch that does not fit what it works on, by the errors that
/// this has led to. Fails where the branch that does fit gives anything but
/// tensors: nothing requires a condition of other values.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
requireFittingBranch(IfOp op, bool isThen,
                     llvm::ArrayRef<mlir::Diagnostic> errors);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_BRANCHUTILS_H
