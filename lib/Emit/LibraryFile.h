//===- LibraryFile.h - Is a file a library to load? -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loader takes for granted about a file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_LIBRARYFILE_H
#define NACRE_LIB_EMIT_LIBRARYFILE_H

#include "mlir/IR/Diagnostics.h"

namespace nacre {

/// Emits an error and fails unless the file is a whole library that nacre made
/// for a machine as this one.
mlir::LogicalResult checkLibraryFile(mlir::Location loc, llvm::StringRef path);

} // namespace nacre

#endif // NACRE_LIB_EMIT_LIBRARYFILE_H
