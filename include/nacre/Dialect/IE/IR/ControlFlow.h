//===- ControlFlow.h - Branches and loops -----------------------*- C++ -*-===//
//
// Declares the IE operator family: control flow.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONTROLFLOW_H
#define NACRE_DIALECT_IE_IR_CONTROLFLOW_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace nacre::IE {
/// The narrowest type that holds values of both tensor types: dimensions in
/// which they differ are dynamic. Null when rank or element type differ.
mlir::RankedTensorType joinTypes(mlir::Type lhs, mlir::Type rhs);
} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/ControlFlowInterface.h.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/ControlFlow.h.inc"

#endif // NACRE_DIALECT_IE_IR_CONTROLFLOW_H
