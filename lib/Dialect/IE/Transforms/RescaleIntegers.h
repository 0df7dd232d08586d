//===- RescaleIntegers.h - Integers of one scale in another -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of the ie-fold-quantization-scale pass that are about integers
// which become integers again.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_RESCALEINTEGERS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_RESCALEINTEGERS_H

#include "nacre/Dialect/IE/IR/Quantization.h"

#include "mlir/IR/PatternMatch.h"

namespace nacre::IE {

/// The DequantizeLinear of f32 from integers of 16 bits at most that a
/// QuantizeLinear reads, directly, moved or rectified; null where it reads
/// others.
DequantizeLinearOp getRescaledSource(QuantizeLinearOp op);

/// One multiplication instead of one and a division, and one pair of ops
/// instead of two, where each of the integers gives the same one.
void populateRescaleIntegersPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_RESCALEINTEGERS_H
