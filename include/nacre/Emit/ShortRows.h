//===- ShortRows.h - Loops over rows of few vectors -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_SHORTROWS_H
#define NACRE_EMIT_SHORTROWS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nacre {

/// Has LLVM vectorise innermost loops of a constant number of steps by whole
/// registers, and those of one to some vectors with the last vector under a
/// mask, where `machine` can store elements of any width so.
void maskShortRows(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace nacre

#endif // NACRE_EMIT_SHORTROWS_H
