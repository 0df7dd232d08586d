//===- TargetGuard.h - Is a program for the model's machine? ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of code for microcontrollers nothing asks the CPU, and linkers compare
// little: the header does.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_TARGETGUARD_H
#define NACRE_LIB_EMIT_TARGETGUARD_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// Lines of C that end the compilation of a program for another machine, or
/// with another way to pass floats.
std::string buildTargetGuard(const ArtifactInfo &info);

} // namespace nacre

#endif // NACRE_LIB_EMIT_TARGETGUARD_H
