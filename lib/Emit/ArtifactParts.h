//===- ArtifactParts.h - What files of a program have in common -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_ARTIFACTPARTS_H
#define NACRE_LIB_EMIT_ARTIFACTPARTS_H

#include "nacre/Emit/CodeGen.h"

#include <optional>

namespace nacre {

/// Fails, after an error, where the machine has no room for a part of a
/// program: a tensor, the arena, the weights.
mlir::LogicalResult checkSizes(mlir::Location loc, const llvm::Triple &triple,
                               const ArtifactInfo &info);

/// Whether the runtime's objects, where the machine has one, pass floats as the
/// program does.
bool hasABIOfRuntime(const ArtifactInfo &info);

/// The object with the conversions of float16 that the object `code` leaves to
/// the compiler's library; none where it leaves none.
std::optional<llvm::StringRef> findHalfObject(const Program &program,
                                              llvm::ArrayRef<char> code);

} // namespace nacre

#endif // NACRE_LIB_EMIT_ARTIFACTPARTS_H
