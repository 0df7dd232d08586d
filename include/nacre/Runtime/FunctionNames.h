//===- FunctionNames.h - Symbols that nacre writes by name ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the C runtime that compiled code calls beside those on
// values (of which the Runtime dialect has an op each), and other names that
// artifacts have and nobody may change: they are part of what a compiled model
// is.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_RUNTIME_FUNCTIONNAMES_H
#define NACRE_RUNTIME_FUNCTIONNAMES_H

#include "llvm/ADT/StringRef.h"

namespace nacre::names {

// Runs, and how they fail (nacre-c/Compiled.h).
inline constexpr llvm::StringLiteral kRun = "nacre_run";
inline constexpr llvm::StringLiteral kFail = "nacre_fail";
inline constexpr llvm::StringLiteral kRefuse = "nacre_refuse";
inline constexpr llvm::StringLiteral kError = "nacre_error";

// Memory.
inline constexpr llvm::StringLiteral kAlloc = "nacre_alloc";
inline constexpr llvm::StringLiteral kFree = "nacre_free";
inline constexpr llvm::StringLiteral kMapWeights = "nacre_map_weights";
inline constexpr llvm::StringLiteral kReleaseWeights = "nacre_release_weights";

// Threads.
inline constexpr llvm::StringLiteral kShare = "nacre_share";
inline constexpr llvm::StringLiteral kRunShare = "nacre_run_share";

// Values of a model's boundary (nacre-c/Runtime.h).
inline constexpr llvm::StringLiteral kValueType = "nacre_value";
inline constexpr llvm::StringLiteral kRetain = "nacre_retain";
inline constexpr llvm::StringLiteral kRelease = "nacre_release";

// What every shared library calls its interface, besides the names with the
// model's own prefix: nacre_model_run and so on.
inline constexpr llvm::StringLiteral kModelPrefix = "nacre_model";

// What a profiled run calls, which no artifact does.
inline constexpr llvm::StringLiteral kProfileStep = "nacre_profile_step";

// Constants in a module, and the files of an archive.
inline constexpr llvm::StringLiteral kTextPrefix = "nacre_text_";
inline constexpr llvm::StringLiteral kTwoOverPi = "nacre_two_over_pi";
inline constexpr llvm::StringLiteral kRuntimeFile = "nacre_runtime.o";
inline constexpr llvm::StringLiteral kThreadsFile = "nacre_threads.o";
inline constexpr llvm::StringLiteral kHalfFile = "nacre_half.o";

} // namespace nacre::names

#endif // NACRE_RUNTIME_FUNCTIONNAMES_H
