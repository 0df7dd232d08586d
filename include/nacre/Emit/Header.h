//===- Header.h - The C header of a compiled model --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates NAME.h.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_HEADER_H
#define NACRE_EMIT_HEADER_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// The text of the header that declares a compiled model's C interface.
std::string buildHeader(const ArtifactInfo &info);

} // namespace nacre

#endif // NACRE_EMIT_HEADER_H
