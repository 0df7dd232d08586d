//===- LoopOptions.h - What LLVM is told of a loop --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_LOOPOPTIONS_H
#define NACRE_LIB_EMIT_LOOPOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class LLVMContext;
class Loop;
class MDNode;
} // namespace llvm

namespace nacre {

/// Names of LLVM's options, as metadata of a loop.
inline constexpr llvm::StringLiteral kIsVectorized = "llvm.loop.isvectorized";
inline constexpr llvm::StringLiteral kFoldsTail =
    "llvm.loop.vectorize.predicate.enable";
inline constexpr llvm::StringLiteral kVectorWidth = "llvm.loop.vectorize.width";

/// An option without a value, with a flag, with a number, or with a list of
/// other options.
llvm::MDNode *makeOption(llvm::LLVMContext &context, llvm::StringRef name);
llvm::MDNode *makeFlag(llvm::LLVMContext &context, llvm::StringRef name,
                       bool value);
llvm::MDNode *makeNumber(llvm::LLVMContext &context, llvm::StringRef name,
                         uint32_t value);
llvm::MDNode *makeList(llvm::LLVMContext &context, llvm::StringRef name,
                       llvm::ArrayRef<llvm::MDNode *> options);

/// Changes the options of a loop: those whose names begin so are removed.
void changeOptions(llvm::Loop &loop, llvm::ArrayRef<llvm::StringRef> removed,
                   llvm::ArrayRef<llvm::MDNode *> added);

} // namespace nacre

#endif // NACRE_LIB_EMIT_LOOPOPTIONS_H
