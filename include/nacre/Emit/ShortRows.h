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

/// Has LLVM vectorise innermost loops of a constant number of steps with the
/// last vector under a mask, where `machine` can store elements of any width
/// so, and from `level` 2 on also those that stay loops by whole registers.
void maskShortRows(llvm::Module &module, const llvm::TargetMachine &machine,
                   unsigned level);

} // namespace nacre

#endif // NACRE_EMIT_SHORTROWS_H
