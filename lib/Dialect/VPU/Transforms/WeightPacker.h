//===- WeightPacker.h - Elements of weights, packed -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the elements of constant weights in the order of VPU.PackWeights.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_WEIGHTPACKER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_WEIGHTPACKER_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

/// Replaces the op by a constant, and erases the weights before it where
/// nothing else reads them. Fails, after an error, where they are not constant.
llvm::LogicalResult replaceByPacked(mlir::RewriterBase &rewriter,
                                    PackWeightsOp op);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_WEIGHTPACKER_H
