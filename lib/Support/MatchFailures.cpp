//===- MatchFailures.cpp - Why patterns left an op alone ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/MatchFailures.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;

void MatchFailures::notifyOperationInserted(Operation *op,
                                            OpBuilder::InsertPoint previous) {
  if (next) {
    next->notifyOperationInserted(op, previous);
  }
}

void MatchFailures::notifyOperationErased(Operation *op) {
  // Another op may get its address.
  reasons.erase(op);
  if (next) {
    next->notifyOperationErased(op);
  }
}

void MatchFailures::notifyPatternBegin(const Pattern &tried, Operation *op) {
  current = op;
  pattern = &tried;
  auto found = reasons.find(op);
  if (found != reasons.end()) {
    found->second.erase(&tried);
  }
}

void MatchFailures::notifyMatchFailure(
    Location loc, function_ref<void(Diagnostic &)> describe) {
  if (!current) {
    return;
  }
  Diagnostic reason(loc, DiagnosticSeverity::Remark);
  describe(reason);
  reasons[current][pattern] = reason.str();
}

std::string MatchFailures::getReasons(Operation *op) const {
  llvm::SetVector<StringRef> found;
  auto it = reasons.find(op);
  if (it != reasons.end()) {
    for (const auto &[tried, reason] : it->second) {
      found.insert(reason);
    }
  }
  return llvm::join(found, "; ");
}
