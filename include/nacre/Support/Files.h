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

#include <csignal>
#include <deque>

namespace nacre {

/// Puts the signals off that end a program, SIGHUP, SIGINT and SIGTERM, as long
/// as this object lives. Programs that are started meanwhile do the same.
class SignalDelay {
public:
  SignalDelay();
  ~SignalDelay();
  SignalDelay(const SignalDelay &) = delete;
  SignalDelay &operator=(const SignalDelay &) = delete;

private:
  sigset_t before;
};

using WriteFunction =
    llvm::function_ref<mlir::LogicalResult(llvm::raw_ostream &)>;

/// Files that are written beside their destinations, so that a rename does not
/// cross file systems, and take these places together: none does before all are
/// whole, and no signal comes in between. What has not been renamed is removed
/// with this object, or by the signal that ends the process.
class TemporaryFiles {
public:
  explicit TemporaryFiles(mlir::Location loc) : loc(loc) {}
  ~TemporaryFiles();
  TemporaryFiles(const TemporaryFiles &) = delete;
  TemporaryFiles &operator=(const TemporaryFiles &) = delete;

  /// Creates an empty file beside `destination` that never becomes it.
  mlir::FailureOr<llvm::StringRef> create(llvm::StringRef destination);
  /// Creates an empty file that becomes `destination`.
  mlir::FailureOr<llvm::StringRef> createFor(llvm::StringRef destination,
                                             bool executable = false);
  /// Writes a file that becomes `destination`. What cannot be replaced is
  /// written at once: standard output, which is `-`, a device, a pipe.
  mlir::LogicalResult write(llvm::StringRef destination, WriteFunction write);
  mlir::LogicalResult write(llvm::StringRef destination, llvm::StringRef bytes);
  /// Renames the files to their destinations. `marker` is one that says that
  /// the others are whole: an old one goes first, so that it is beside none of
  /// the new ones even where the process is killed in between.
  mlir::LogicalResult keep(llvm::StringRef marker = {});

private:
  struct File {
    llvm::SmallString<128> path;
    std::string destination; // empty for one that goes away
    bool executable = false;
  };

  mlir::FailureOr<llvm::StringRef> add(llvm::StringRef beside, File file);

  mlir::Location loc;
  /// Paths stay where they are.
  std::deque<File> files;
};

/// True for what a file cannot replace: a device, a pipe, a folder.
bool isSpecialFile(llvm::StringRef path);

/// Flushes the stream and takes its error, if there is one: LLVM ends a process
/// that leaves an error behind.
std::error_code takeError(llvm::raw_fd_ostream &stream);

/// Makes writing beyond the limit of a file's size an error like a full disk;
/// by default it ends the process. For after InitLLVM.
void ignoreFileSizeSignal();

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
