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
#include "nacre/Support/HugePages.h"

namespace nacre {

/// Where the weights are in a shared library.
constexpr llvm::StringRef kWeightsSection = ".nacre.weights";

/// Bytes left free before so many bytes of weights in a file that may become a
/// library: no more than their alignment would leave empty.
constexpr int64_t getRoomBeforeWeights(int64_t bytes) {
  return bytes < kLargeWeights ? 0 : kHugePage;
}

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
  int64_t weightBytes = 0;
  /// Libraries that the code needs are the host's own.
  bool isForHost = true;
};

/// Links objects into a shared library and adds the weights to it: a linker
/// would map what it reads and what it writes, and so take twice their memory.
/// They are the rest of the file `weights` behind getRoomBeforeWeights(), which
/// becomes the library where that is room enough.
mlir::LogicalResult linkLibrary(mlir::Location loc,
                                llvm::ArrayRef<llvm::StringRef> objects,
                                llvm::StringRef weights, llvm::StringRef output,
                                const LibraryOptions &options,
                                TemporaryFiles &files);

} // namespace nacre

#endif // NACRE_LIB_EMIT_LINKER_H
