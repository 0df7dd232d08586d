//===- TensorText.h - Tensors for people and other programs -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms in which values are shown and written besides NumPy's.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TENSORTEXT_H
#define NACRE_LIB_DRIVER_TENSORTEXT_H

#include "nacre/Interpreter/Tensor.h"

#include "llvm/Support/raw_ostream.h"

namespace nacre::driver {

/// Element type and sizes, as "float32[1,3,224,224]".
std::string describeType(const interpreter::Tensor &tensor);

/// What a tensor's numbers are like. Nothing counts that is not a number.
struct TensorRange {
  double min = 0, max = 0, mean = 0;
  int64_t numNaN = 0, numInfinite = 0;
};
/// Fails for a tensor without numbers: of strings, or without elements.
mlir::FailureOr<TensorRange> measureRange(const interpreter::Tensor &tensor);

/// The first and last three elements of each dimension in brackets, a row a
/// line.
void printElements(const interpreter::Tensor &tensor, llvm::raw_ostream &os);

/// One element a line, in as many digits as tell it from all others; strings
/// with escapes, complex numbers as two.
void writeLines(const interpreter::Tensor &tensor, llvm::raw_ostream &os);

/// Elements as memory has them, small numbers and bools a byte each. A string
/// is its length, in four bytes, and its bytes.
void writeBytes(const interpreter::Tensor &tensor, llvm::raw_ostream &os);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TENSORTEXT_H
