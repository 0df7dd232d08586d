//===- LargeLoops.h - Loops that stay loops ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_LARGELOOPS_H
#define NACRE_EMIT_LARGELOOPS_H

namespace llvm {
class LoopInfo;
class Module;
class ScalarEvolution;
} // namespace llvm

namespace nacre {

/// Keeps LLVM from unrolling loops of more than a few instructions, those of
/// the loops in them included.
void keepLargeLoops(llvm::Module &module);

/// Lets LLVM unroll the loops of a function that were around others and are
/// small now that those became vectors.
void releaseSmallLoops(const llvm::LoopInfo &loops,
                       llvm::ScalarEvolution &evolution);

} // namespace nacre

#endif // NACRE_EMIT_LARGELOOPS_H
