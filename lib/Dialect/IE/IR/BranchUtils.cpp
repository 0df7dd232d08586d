//===- BranchUtils.cpp - Branches that runs may take ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/BranchUtils.h"

#include "nacre/Dialect/IE/IR/Logical.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace nacre;

SmallVector<Value> IE::requireBranch(IfOp op, bool isThen,
                                     const Twine &message) {
  Block &taken = (isThen ? op.getThenBranch() : op.getElseBranch()).front();
  Operation *yield = taken.getTerminator();
  SmallVector<Value> results(yield->getOperands());
  IRRewriter rewriter(op);
  rewriter.inlineBlockBefore(&taken, op);
  rewriter.eraseOp(yield);
  Value holds = op.getCondition();
  if (!isThen) {
    holds =
        NotOp::create(rewriter, op.getLoc(), TypeRange(holds.getType()), holds)
            ->getResult(0);
  }
  StringAttr text = rewriter.getStringAttr(message);
  for (Value &result : results) {
    result = RequireOp::create(rewriter, op.getLoc(),
                               TypeRange(result.getType()), result, holds, text)
                 ->getResult(0);
  }
  return results;
}

FailureOr<SmallVector<Value>>
IE::requireFittingBranch(IfOp op, bool isThen, ArrayRef<Diagnostic> errors) {
  Region &fit = isThen ? op.getThenBranch() : op.getElseBranch();
  TypeRange types = fit.front().getTerminator()->getOperandTypes();
  const auto *error = llvm::find_if(errors, [](const Diagnostic &diagnostic) {
    return diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  if (error == errors.end() || types.empty() ||
      !llvm::all_of(types, llvm::IsaPred<RankedTensorType>)) {
    return failure();
  }
  return requireBranch(op, isThen,
                       "a branch of If that does not fit its values: " +
                           Twine(error->str()));
}
