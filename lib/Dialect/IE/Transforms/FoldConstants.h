//===- FoldConstants.h - Evaluating ops of constants ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ie-constant-fold does, for passes that compute constants by ops.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_FOLDCONSTANTS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_FOLDCONSTANTS_H

#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"

namespace nacre::IE {

/// The ops that a rewriter has added, and not removed again. It holds until
/// foldAdded, which erases ops without telling.
class AddedOps final : public mlir::RewriterBase::Listener {
public:
  bool contains(mlir::Operation *op) const { return ops.contains(op); }

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override {
    // An op that has been somewhere is moved.
    if (!previous.isSet()) {
      ops.insert(op);
    }
  }
  void notifyOperationErased(mlir::Operation *op) override { ops.erase(op); }

private:
  llvm::DenseSet<mlir::Operation *> ops;
};

/// Replaces ops in `root` by what the interpreter computes of their constant
/// operands: those that `selects` is true for, with results within the bounds.
/// Returns their number, or failure after an error at one of them.
mlir::FailureOr<int64_t>
foldConstants(mlir::Operation *root, const ConstantFoldOptions &bounds,
              llvm::function_ref<bool(mlir::Operation *)> selects);

/// The same for what a pass has added, within the pass's own bounds.
inline mlir::LogicalResult foldAdded(mlir::Operation *root,
                                     const AddedOps &added) {
  return foldConstants(root, ConstantFoldOptions(),
                       [&](mlir::Operation *op) { return added.contains(op); });
}

/// Applies patterns until none matches, and folds what they have added.
inline mlir::LogicalResult applyAndFold(mlir::Operation *root,
                                        mlir::RewritePatternSet patterns) {
  AddedOps added;
  mlir::GreedyRewriteConfig config;
  config.setListener(&added);
  return mlir::success(succeeded(mlir::applyPatternsGreedily(
                           root, std::move(patterns), config)) &&
                       succeeded(foldAdded(root, added)));
}

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_FOLDCONSTANTS_H
