//===- PatternRoots.h - Which ops patterns are for --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_PATTERNROOTS_H
#define NACRE_SUPPORT_PATTERNROOTS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace nacre {

/// The ops that patterns start from, those aside that start from any.
inline llvm::DenseSet<mlir::OperationName>
getRoots(mlir::RewritePatternSet &patterns) {
  llvm::DenseSet<mlir::OperationName> roots;
  for (const auto &pattern : patterns.getNativePatterns()) {
    if (std::optional<mlir::OperationName> root = pattern->getRootKind()) {
      roots.insert(*root);
    }
  }
  return roots;
}

} // namespace nacre

#endif // NACRE_SUPPORT_PATTERNROOTS_H
