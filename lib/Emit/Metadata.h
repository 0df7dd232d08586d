//===- Metadata.h - What an artifact says of itself -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of NAME_metadata, and of a section of a bundle's object.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_METADATA_H
#define NACRE_LIB_EMIT_METADATA_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// Names, types, shapes, sizes, architectures and their targets as JSON.
std::string buildMetadata(const ArtifactInfo &info);

/// The reverse; an error at `loc` for what is none.
mlir::LogicalResult parseMetadata(mlir::Location loc, llvm::StringRef text,
                                  ArtifactInfo &info);

/// Where a bundle's object has it: a program that is linked leaves it out.
constexpr llvm::StringRef kMetadataSection = ".nacre.metadata";

} // namespace nacre

#endif // NACRE_LIB_EMIT_METADATA_H
