//===- Zip.h - Archives of files --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the archives that numpy.savez writes: files that are not compressed.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_ZIP_H
#define NACRE_LIB_DRIVER_ZIP_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace nacre::driver {

struct ZipEntry {
  std::string name;
  llvm::StringRef bytes; // within those of the archive
};

/// The files of an archive, in its order. Emits an error at `loc` and fails
/// where it is damaged, compressed, or beyond 4 GB.
mlir::FailureOr<std::vector<ZipEntry>> readZip(mlir::Location loc,
                                               llvm::StringRef bytes);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_ZIP_H
