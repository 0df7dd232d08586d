//===- LargeLoops.h - Loops that stay loops ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_LARGELOOPS_H
#define NACRE_EMIT_LARGELOOPS_H

namespace llvm {
class Module;
} // namespace llvm

namespace nacre {

/// Keeps LLVM from unrolling loops of more than a few instructions, those of
/// the loops in them included.
void keepLargeLoops(llvm::Module &module);

} // namespace nacre

#endif // NACRE_EMIT_LARGELOOPS_H
