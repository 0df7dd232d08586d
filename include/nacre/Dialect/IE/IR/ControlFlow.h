//===- ControlFlow.h - Branches and loops -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: control flow.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONTROLFLOW_H
#define NACRE_DIALECT_IE_IR_CONTROLFLOW_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "nacre/Dialect/IE/IR/ControlFlowInterface.h.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/ControlFlow.h.inc"

#endif // NACRE_DIALECT_IE_IR_CONTROLFLOW_H
