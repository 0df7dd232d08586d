//===- QuantizationFusions.h - Parts of ie-fuse-quantization ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of the ie-fuse-quantization pass that are in a file of their
// own, and what they share with the others.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZATIONFUSIONS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZATIONFUSIONS_H

#include "nacre/Dialect/IE/IR/Quantization.h"

#include "mlir/IR/PatternMatch.h"

namespace nacre::IE {

/// One scale and zero point for the whole tensor.
bool isPerTensor(DequantizeLinearOp op);

/// Products and gathers of constants of few bits.
void populateFuseLowBitWeightsPatterns(mlir::RewritePatternSet &patterns);

/// Pairs of DequantizeLinear and QuantizeLinear, and activations beside one of
/// them, that change nothing.
void populateFuseRequantizationPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_QUANTIZATIONFUSIONS_H
