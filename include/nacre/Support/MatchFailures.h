//===- MatchFailures.h - Why patterns left an op alone ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the reasons that patterns give to notifyMatchFailure().
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_MATCHFAILURES_H
#define NACRE_SUPPORT_MATCHFAILURES_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace nacre {

/// A listener of a pattern driver that knows, of each op, why the patterns last
/// tried on it did not match. Notifies `next`, if there is one, of all else.
class MatchFailures final : public mlir::RewriterBase::Listener {
public:
  explicit MatchFailures(mlir::RewriterBase::Listener *next = nullptr)
      : next(next) {}

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(mlir::Operation *op) override;
  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyMatchFailure(
      mlir::Location loc,
      llvm::function_ref<void(mlir::Diagnostic &)> describe) override;

  /// The reasons of all patterns tried on `op`, each once; empty where none
  /// gave one.
  std::string getReasons(mlir::Operation *op) const;

private:
  mlir::RewriterBase::Listener *next;
  mlir::Operation *current = nullptr;
  const mlir::Pattern *pattern = nullptr;
  llvm::DenseMap<mlir::Operation *,
                 llvm::MapVector<const mlir::Pattern *, std::string>>
      reasons;
};

} // namespace nacre

#endif // NACRE_SUPPORT_MATCHFAILURES_H
