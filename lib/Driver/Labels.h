//===- Labels.h - Names and numbers of classes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the classes of a classifier are called, and which are expected.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LABELS_H
#define NACRE_LIB_DRIVER_LABELS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace nacre::driver {

/// The names of classes, a line of a file each.
class Labels {
public:
  /// Prints an error and fails where the file cannot be read.
  mlir::LogicalResult read(llvm::StringRef path);

  /// The name of a class; empty where the file has none.
  llvm::StringRef get(int64_t number) const;
  /// The class that a text means, by its number or its name.
  std::optional<int64_t> find(llvm::StringRef text) const;

private:
  std::vector<std::string> names;
};

/// The classes that pictures are of.
class ExpectedLabels {
public:
  /// Reads a file whose lines are a picture's name and its class each, or the
  /// classes alone, of one picture after the other. Prints an error and fails
  /// for others.
  mlir::LogicalResult read(llvm::StringRef path, const Labels &labels);

  /// The class of the `index`th picture. Prints an error and fails where the
  /// file does not say it.
  mlir::FailureOr<int64_t> get(size_t index, llvm::StringRef path) const;

private:
  std::string file;
  bool hasNames = false;
  llvm::StringMap<int64_t> byName;
  std::vector<int64_t> inOrder;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LABELS_H
