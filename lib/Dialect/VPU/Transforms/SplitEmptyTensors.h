//===- SplitEmptyTensors.h - Empty tensors for each use ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_SPLITEMPTYTENSORS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_SPLITEMPTYTENSORS_H

#include "mlir/IR/Operation.h"

namespace nacre::VPU {

/// Gives every use of a `tensor.empty` in `root` one of its own, and so every
/// use of a fill or a view of one.
void splitEmptyTensors(mlir::Operation *root);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_SPLITEMPTYTENSORS_H
