//===- LongBlocks.h - Blocks of very many calls -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_LONGBLOCKS_H
#define NACRE_EMIT_LONGBLOCKS_H

#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace nacre {

/// Moves stretches of `mostCalls` calls out of blocks that call more functions,
/// each into a function of its own.
void splitLongBlocks(llvm::Module &module, int64_t mostCalls = 256);

} // namespace nacre

#endif // NACRE_EMIT_LONGBLOCKS_H
