//===- Optimization.h - LLVM's passes for kernels ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_OPTIMIZATION_H
#define NACRE_EMIT_OPTIMIZATION_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nacre {

/// Optimises the module's functions for the machine. Levels 0 and 1 are LLVM's
/// own; 2, and 3, which unrolls more loops, are for code that MLIR's passes
/// have inlined, unrolled and vectorised.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level);

} // namespace nacre

#endif // NACRE_EMIT_OPTIMIZATION_H
