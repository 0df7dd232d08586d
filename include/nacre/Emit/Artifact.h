//===- Artifact.h - Files a compilation leaves behind -----------*- C++ -*-===//
//
// Objects, archives and shared libraries with their headers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_ARTIFACT_H
#define NACRE_EMIT_ARTIFACT_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

enum class ArtifactKind { Shared, Static, Object };

/// Writes the program as `path` and its header as the same path with the
/// extension `.h`. Shared libraries are linked by LLVM's lld.
mlir::LogicalResult writeArtifact(mlir::Location loc, Program &program,
                                  ArtifactKind kind, llvm::StringRef path);

} // namespace nacre

#endif // NACRE_EMIT_ARTIFACT_H
