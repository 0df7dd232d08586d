//===- Recurrent.h - Recurrent layers ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: recurrent layers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RECURRENT_H
#define NACRE_DIALECT_IE_IR_RECURRENT_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Recurrent.h.inc"

#endif // NACRE_DIALECT_IE_IR_RECURRENT_H
