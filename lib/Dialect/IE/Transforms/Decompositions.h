//===- Decompositions.h - Patterns of ie-decompose --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of the ie-decompose pass that are in files of their own, by
// operator family.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSITIONS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSITIONS_H

#include "mlir/IR/PatternMatch.h"

namespace nacre::IE {

void populateDecomposeDynamicQuantizationPatterns(
    mlir::RewritePatternSet &patterns);
void populateDecomposeNGramPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeNormalizationPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeRandomPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeRecurrentPatterns(mlir::RewritePatternSet &patterns);
void populateDecomposeSignalPatterns(mlir::RewritePatternSet &patterns);

/// Means over all pixels of images as pools.
void populateReduceToPoolPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSITIONS_H
