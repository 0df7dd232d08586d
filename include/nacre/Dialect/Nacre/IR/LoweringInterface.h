//===- LoweringInterface.h - How operators are lowered ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_H
#define NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

#include "nacre/Dialect/Nacre/IR/LoweringInterface.h.inc"

namespace nacre {

/// True where one of the discardable attributes of `op` says that it is to be
/// computed in software.
bool isLeftToSoftware(mlir::Operation *op);

} // namespace nacre

#endif // NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_H
