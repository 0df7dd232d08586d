//===- Activation.h - Activation functions ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: activation functions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ACTIVATION_H
#define NACRE_DIALECT_IE_IR_ACTIVATION_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Activation.h.inc"

#endif // NACRE_DIALECT_IE_IR_ACTIVATION_H
