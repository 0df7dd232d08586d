//===- Decompose.h - Decompositions by family -------------------*- C++ -*-===//
//
// The patterns of ie-decompose that live in files of their own.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSE_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSE_H

#include "mlir/IR/PatternMatch.h"

namespace nacre::IE {

/// RNN, GRU and LSTM.
void populateDecomposeRecurrentPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_DECOMPOSE_H
