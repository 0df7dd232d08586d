//===- Embedded.h - The runtime as nacre carries it -------------*- C++ -*-===//
//
// The C runtime of compiled models (nacre-c/Runtime.h) for linking into
// artifacts, and for binding in this process.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_RUNTIME_EMBEDDED_H
#define NACRE_RUNTIME_EMBEDDED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace nacre {

/// The runtime as an ELF object of this machine's architecture.
llvm::StringRef getRuntimeObject();

/// The text of nacre-c/Runtime.h.
llvm::StringRef getRuntimeHeader();

/// Names and addresses of the runtime's functions in this process.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> getRuntimeFunctions();

} // namespace nacre

#endif // NACRE_RUNTIME_EMBEDDED_H
