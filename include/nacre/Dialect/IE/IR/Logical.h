//===- Logical.h - Comparison, logic and selection --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: comparison, logic and selection.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_LOGICAL_H
#define NACRE_DIALECT_IE_IR_LOGICAL_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Logical.h.inc"

#endif // NACRE_DIALECT_IE_IR_LOGICAL_H
