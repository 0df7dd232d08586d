//===- Constant.h - Constants and generated tensors -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: constants and generated tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONSTANT_H
#define NACRE_DIALECT_IE_IR_CONSTANT_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Constant.h.inc"

#endif // NACRE_DIALECT_IE_IR_CONSTANT_H
