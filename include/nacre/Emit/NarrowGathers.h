//===- NarrowGathers.h - Loops that gather small elements -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_NARROWGATHERS_H
#define NACRE_EMIT_NARROWGATHERS_H

namespace llvm {
class Module;
} // namespace llvm

namespace nacre {

/// Keeps LLVM from vectorising loops that do nothing but move elements of 8 and
/// 16 bits from computed places, and moves those as integers; not in functions
/// for cores with `prefer-no-gather`.
void keepNarrowGathers(llvm::Module &module);

} // namespace nacre

#endif // NACRE_EMIT_NARROWGATHERS_H
