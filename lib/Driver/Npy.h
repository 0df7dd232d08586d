//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes .npy files (format versions 1 and 2, C order).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_NPY_H
#define NACRE_LIB_DRIVER_NPY_H

#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Diagnostics.h"

namespace nacre::driver {

/// Emits an error and fails when the file is not a little-endian, C-ordered
/// array of a type that IE has.
mlir::FailureOr<interpreter::Tensor> readNpy(mlir::MLIRContext &context,
                                             llvm::StringRef path);
/// The same of a file's bytes; errors are at `loc`.
mlir::FailureOr<interpreter::Tensor> parseNpy(mlir::Location loc,
                                              llvm::StringRef bytes);

/// The file's bytes. bfloat16, which NumPy lacks, is written as uint16.
std::string formatNpy(const interpreter::Tensor &tensor);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_NPY_H
