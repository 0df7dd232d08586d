//===- Samples.h - Data that a model is run on ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the samples that users collect in folders.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SAMPLES_H
#define NACRE_LIB_DRIVER_SAMPLES_H

#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace nacre::driver {

/// True for an ONNX test data folder, and for one that holds some.
bool holdsSamples(llvm::StringRef place);

/// The first `limit` ONNX test data folders among `places`, each of which is
/// one or holds some, in the order of their numbers; or the first pictures, if
/// the places hold these. Prints an error and fails where a place has none, or
/// others than the first place has.
mlir::FailureOr<std::vector<std::string>>
findSamples(llvm::ArrayRef<llvm::StringRef> places, size_t limit);

/// The names and types of all inputs of each test data folder, in words. Prints
/// an error and fails where a file cannot be read.
mlir::FailureOr<std::vector<std::string>>
describeSamples(llvm::ArrayRef<std::string> folders);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SAMPLES_H
