//===- OnePart.h - Loops over cores that are one part -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many parts a loop over a dynamic size has, a run computes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_LLVM_ONEPART_H
#define NACRE_LIB_TRANSFORMS_LLVM_ONEPART_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace nacre {

/// True where only a run knows whether each of the loops that `loop` stands for
/// has one step.
bool mayBeOnePart(mlir::scf::ForallOp loop);

/// Has a run compare before `loop`, on buffers, and do its only step where it
/// has one; else it does the loop.
void doOnePartAlone(mlir::scf::ForallOp loop);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_LLVM_ONEPART_H
