//===- Artifact.h - Files a compilation leaves behind -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects, archives and shared libraries with their headers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_ARTIFACT_H
#define NACRE_EMIT_ARTIFACT_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

enum class ArtifactKind { Shared, Static, Object };

/// True for the name of a shared library, with a version or without: `x.so`,
/// `libx.so.1.2`.
bool isSharedLibraryName(llvm::StringRef path);

/// `path` without its extension, which of a shared library is `.so` with what
/// follows it.
llvm::StringRef dropArtifactExtension(llvm::StringRef path);

/// Where the header of an artifact is: beside it, with the extension `.h`.
std::string getHeaderPath(llvm::StringRef path);

/// Where the description of an instrumented artifact's steps is: beside it,
/// with the extension `.steps.json`.
std::string getStepsPath(llvm::StringRef path);

/// Writes the program as `path`, its header, and of an instrumented one what
/// its steps are. Shared libraries are linked by LLVM's lld.
mlir::LogicalResult writeArtifact(mlir::Location loc, Program &program,
                                  ArtifactKind kind, llvm::StringRef path);

} // namespace nacre

#endif // NACRE_EMIT_ARTIFACT_H
