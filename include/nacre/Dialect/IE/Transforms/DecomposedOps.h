//===- DecomposedOps.h - What ie-decompose takes apart ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_DECOMPOSEDOPS_H
#define NACRE_DIALECT_IE_TRANSFORMS_DECOMPOSEDOPS_H

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace nacre::IE {

/// The ops that ie-decompose has patterns for.
llvm::DenseSet<mlir::OperationName>
getDecomposedOps(mlir::MLIRContext *context);

/// Adds the patterns of ie-decompose for what it may leave whole: ops with the
/// trait WholeInGraph.
void populateDecomposeWholePatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_DECOMPOSEDOPS_H
