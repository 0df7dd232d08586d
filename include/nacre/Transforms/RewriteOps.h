//===- RewriteOps.h - Patterns for some ops of a module ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_REWRITEOPS_H
#define NACRE_TRANSFORMS_REWRITEOPS_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre {

/// Applies patterns greedily to the ops in `root` that `isRoot` is true for,
/// and to what becomes of them. The greedy driver would else fold all other ops
/// of the module, too, which takes longer than the few rewrites.
inline llvm::LogicalResult
rewriteOps(mlir::Operation *root, mlir::RewritePatternSet &&patterns,
           llvm::function_ref<bool(mlir::Operation *)> isRoot) {
  llvm::SmallVector<mlir::Operation *> ops;
  root->walk([&](mlir::Operation *op) {
    if (isRoot(op)) {
      ops.push_back(op);
    }
  });
  mlir::GreedyRewriteConfig config;
  config.setScope(&root->getRegion(0));
  return mlir::applyOpPatternsGreedily(ops, std::move(patterns), config);
}

} // namespace nacre

#endif // NACRE_TRANSFORMS_REWRITEOPS_H
