//===- Folders.h - Folders that a command makes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder for temporary files, one for results, and the names of files in it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_FOLDERS_H
#define NACRE_LIB_DRIVER_FOLDERS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace nacre::driver {

/// A new folder among the system's temporary files, which is removed with this
/// object and all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  mlir::LogicalResult create();
  /// The path of a file in it, which is also removed when a signal ends the
  /// process.
  std::string getFile(llvm::StringRef name);
  /// Makes a folder in it, of which the same is true.
  mlir::LogicalResult createInside(llvm::StringRef name);
  llvm::StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
};

/// A folder for results. What did not exist of its path is made, and removed
/// again with this object, or by the signal that ends the process, unless it
/// holds something by then.
class OutputFolder {
public:
  OutputFolder() = default;
  ~OutputFolder();
  OutputFolder(const OutputFolder &) = delete;
  OutputFolder &operator=(const OutputFolder &) = delete;

  mlir::LogicalResult create(llvm::StringRef path);

private:
  std::vector<std::string> created;
};

/// Prints an error and fails where there is no folder for a file that is
/// written at the end of a long run.
mlir::LogicalResult requireFolderOf(llvm::StringRef path);

/// The paths in a folder that are wanted, ordered by the numbers in them.
std::vector<std::string>
listFolder(llvm::StringRef folder,
           llvm::function_ref<bool(llvm::StringRef)> isWanted);

/// A file name for `name`, without the characters that a path cannot have, that
/// none of `used` is. Those have small letters: some file systems do not tell
/// them from large ones.
std::string makeFileName(llvm::StringRef name, llvm::StringRef extension,
                         llvm::StringSet<> &used);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_FOLDERS_H
