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

/// Writes the elements of `weights`, which has the shape of the op's operand,
/// or the one that all of them are, and may be at any address, to `packed`,
/// which has the shape of its result.
void packWeights(PackWeightsOp op, llvm::ArrayRef<char> weights,
                 llvm::MutableArrayRef<char> packed);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_WEIGHTPACKER_H
