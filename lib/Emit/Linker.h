//===- Linker.h - Objects into libraries ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls LLVM's linker.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_LINKER_H
#define NACRE_LIB_EMIT_LINKER_H

#include "nacre/Support/Files.h"

namespace nacre {

/// Where the weights are in a shared library.
constexpr llvm::StringRef kWeightsSection = ".nacre.weights";

/// Links objects into one that can be linked further.
mlir::LogicalResult linkObject(mlir::Location loc,
                               llvm::ArrayRef<llvm::StringRef> objects,
                               llvm::StringRef output, TemporaryFiles &files);

struct LibraryOptions {
  llvm::StringRef soname;
  /// The prefix of the model's functions.
  llvm::StringRef name;
  /// Of this symbol the objects have a placeholder, in a section of that name.
  llvm::StringRef weightsSymbol;
  /// Libraries that the code needs are the host's own.
  bool isForHost = true;
};

/// Links objects into a shared library and adds the bytes of the file `weights`
/// to it: a linker would map what it reads and what it writes, and so take
/// twice their memory.
mlir::LogicalResult linkLibrary(mlir::Location loc,
                                llvm::ArrayRef<llvm::StringRef> objects,
                                llvm::StringRef weights, llvm::StringRef output,
                                const LibraryOptions &options,
                                TemporaryFiles &files);

} // namespace nacre

#endif // NACRE_LIB_EMIT_LINKER_H
