//===- Loops.h - What code generation is told of loops ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints on loops that survive down to LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_LLVM_LOOPS_H
#define NACRE_TRANSFORMS_LLVM_LOOPS_H

namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace nacre {

/// Keeps LLVM from unrolling `loop`, after which it would find that steps load
/// the same, keep that in more registers than there are, and spill.
void keepRolled(mlir::scf::ForOp loop);

} // namespace nacre

#endif // NACRE_TRANSFORMS_LLVM_LOOPS_H
