//===- RuntimeObjects.h - The runtime as nacre carries it -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C runtime of compiled models (include/nacre-c) for linking into
// artifacts, and for binding in this process.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_RUNTIMEOBJECTS_H
#define NACRE_TARGET_RUNTIMEOBJECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class Triple;
} // namespace llvm

namespace nacre {

/// The runtime as ELF objects for one machine.
struct RuntimeObject {
  llvm::StringRef triple;
  llvm::StringRef bytes;   // of everything but threads
  llvm::StringRef threads; // which need nothing else of it
  llvm::StringRef half;    // conversions of float16 that compilers call
};

/// One for each machine that nacre has a descriptor of.
llvm::ArrayRef<RuntimeObject> getRuntimeObjects();

/// What runs where code for `triple` does; null if there is none.
const RuntimeObject *getRuntimeObject(const llvm::Triple &triple);

/// The conversions of float16 for a machine, whatever C library it has; none if
/// nacre has no descriptor of such a one.
std::optional<llvm::StringRef> getHalfObject(const llvm::Triple &triple);

/// The texts of nacre-c/Runtime.h, nacre-c/Status.h and nacre-c/Hooks.h.
llvm::StringRef getRuntimeHeader();
llvm::StringRef getStatusHeader();
llvm::StringRef getHooksHeader();

/// Names and addresses of the runtime's functions in this process.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> getRuntimeFunctions();

} // namespace nacre

#endif // NACRE_TARGET_RUNTIMEOBJECTS_H
