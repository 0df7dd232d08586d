//===- ArtifactFile.h - Reading what nacre compile wrote --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an artifact says of itself, for whatever machine it is: nothing of it is
// loaded.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_ARTIFACTFILE_H
#define NACRE_EMIT_ARTIFACTFILE_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

struct ArtifactFile {
  ArtifactInfo info;
  /// Bytes of code and of constants, without the weights.
  int64_t codeBytes = 0;
};

/// Reads a shared library, an archive, an object, or the folder of a bundle;
/// an error at `loc` for what is none of these.
mlir::FailureOr<ArtifactFile> readArtifactFile(mlir::Location loc,
                                               llvm::StringRef path);

/// True for an ELF file whose code is for another machine than this.
bool isForOtherMachine(llvm::StringRef path);

/// ArtifactFile::codeBytes of a library or an object, 0 if it cannot be read.
int64_t countCodeBytes(llvm::StringRef path);

} // namespace nacre

#endif // NACRE_EMIT_ARTIFACTFILE_H
