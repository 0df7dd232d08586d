//===- Files.h - Files that artifacts are built from ------------*- C++ -*-===//
//
// Temporary files, and writing to files with diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_FILES_H
#define NACRE_LIB_EMIT_FILES_H

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

private:
  mlir::Location loc;
  std::string destination;
  /// Paths stay where they are.
  std::deque<llvm::SmallString<128>> paths;
};

/// Overwrites the file with what `write` writes.
mlir::LogicalResult
writeStream(mlir::Location loc, llvm::StringRef path,
            llvm::function_ref<mlir::LogicalResult(llvm::raw_ostream &)> write);

mlir::LogicalResult writeBytes(mlir::Location loc, llvm::StringRef path,
                               llvm::StringRef bytes);

} // namespace nacre

#endif // NACRE_LIB_EMIT_FILES_H
