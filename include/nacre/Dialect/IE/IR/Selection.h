//===- Selection.h - Results as large as the data say -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: selection.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SELECTION_H
#define NACRE_DIALECT_IE_IR_SELECTION_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Selection.h.inc"

#endif // NACRE_DIALECT_IE_IR_SELECTION_H
