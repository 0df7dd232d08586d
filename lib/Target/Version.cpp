//===- Version.cpp - What --version says ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that a change of the version compiles again.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/Version.h"
#include "nacre/Target/ArchDescriptor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace nacre;

llvm::StringRef nacre::getVersion() { return NACRE_VERSION; }

void nacre::printVersion(llvm::raw_ostream &os) {
  os << "nacre " << getVersion() << "\nLLVM " << LLVM_VERSION_STRING
     << "\narchitectures: ";
  llvm::interleaveComma(getArchNames(), os);
  os << "\n";
}
