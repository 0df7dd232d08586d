//===- Files.h - Files that tools write -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files, and writing to files with diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_FILES_H
#define NACRE_SUPPORT_FILES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace nacre {

/// Files beside a destination, so that a rename does not cross file systems.
/// They are removed with this object, except where they have been renamed.
class TemporaryFiles {
public:
  TemporaryFiles(mlir::Location loc, llvm::StringRef destination)
      : loc(loc), destination(destination) {}
  ~TemporaryFiles();
  TemporaryFiles(const TemporaryFiles &) = delete;
  TemporaryFiles &operator=(const TemporaryFiles &) = delete;

  /// Creates an empty file.
  mlir::FailureOr<llvm::StringRef> create();
  /// Renames one of the files to the destination.
  mlir::LogicalResult keep(llvm::StringRef path, bool executable = false);

private:
  mlir::Location loc;
  std::string destination;
  /// Paths stay where they are.
  std::deque<llvm::SmallString<128>> paths;
};

/// True for what a file cannot replace: a device, a pipe, a folder.
bool isSpecialFile(llvm::StringRef path);

/// Flushes the stream and takes its error, if there is one: LLVM ends a process
/// that leaves an error behind.
std::error_code takeError(llvm::raw_fd_ostream &stream);

/// Makes writing beyond the limit of a file's size an error like a full disk;
/// by default it ends the process. For after InitLLVM.
void ignoreFileSizeSignal();

using WriteFunction =
    llvm::function_ref<mlir::LogicalResult(llvm::raw_ostream &)>;

/// Overwrites the file with what `write` writes.
mlir::LogicalResult writeStream(mlir::Location loc, llvm::StringRef path,
                                WriteFunction write);

mlir::LogicalResult writeBytes(mlir::Location loc, llvm::StringRef path,
                               llvm::StringRef bytes);

/// Writes what `write` writes to `path` through a temporary file that is
/// renamed, so that `path` never holds half of it, and may be what `write`
/// reads. `-` is standard output.
mlir::LogicalResult writeFile(mlir::Location loc, llvm::StringRef path,
                              WriteFunction write);

mlir::LogicalResult writeFile(mlir::Location loc, llvm::StringRef path,
                              llvm::StringRef bytes);

} // namespace nacre

#endif // NACRE_SUPPORT_FILES_H
