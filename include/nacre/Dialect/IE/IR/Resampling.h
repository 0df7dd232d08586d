//===- Resampling.h - Images of other sizes ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RESAMPLING_H
#define NACRE_DIALECT_IE_IR_RESAMPLING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

namespace nacre::IE {
/// A dimension that Resize changes, whose sizes may be dynamic. What is
/// a Value is a double.
struct SizedResize {
  int64_t dim = 0;
  mlir::OpFoldResult inputSize, outputSize;
  mlir::Value inputLength, outputLength, scale;
  std::optional<double> knownScale;

  /// A known scale that is a whole number, which multiplies every size.
  std::optional<int64_t> getKnownTimes() const;
};
} // namespace nacre::IE

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Resampling.h.inc"

#endif // NACRE_DIALECT_IE_IR_RESAMPLING_H
