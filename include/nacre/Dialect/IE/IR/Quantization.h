//===- Quantization.h - Linear quantization ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: linear quantization.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_QUANTIZATION_H
#define NACRE_DIALECT_IE_IR_QUANTIZATION_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Quantization.h.inc"

namespace nacre::IE {

/// The smallest and largest value of an integer element type.
std::pair<int64_t, int64_t> getIntegerRange(mlir::Type type);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_QUANTIZATION_H
