//===- RaisePatterns.h - Patterns of ie-raise -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the ie-raise pass share.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_RAISEPATTERNS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_RAISEPATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace nacre::IE {

/// The finite number that every element of a constant is.
std::optional<double> getUniform(mlir::Value value);

void populateRaiseActivationPatterns(mlir::RewritePatternSet &patterns);
void populateRaiseNormalizationPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_RAISEPATTERNS_H
