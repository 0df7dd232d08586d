//===- Version.h - What --version says --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number is that of the file VERSION at the top of the project.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_VERSION_H
#define NACRE_TARGET_VERSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace nacre {

/// As "0.1.0".
llvm::StringRef getVersion();

/// The versions of nacre and of LLVM, and the architectures built in.
void printVersion(llvm::raw_ostream &os);

} // namespace nacre

#endif // NACRE_TARGET_VERSION_H
