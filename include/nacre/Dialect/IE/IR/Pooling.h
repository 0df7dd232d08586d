//===- Pooling.h - Pooling --------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_POOLING_H
#define NACRE_DIALECT_IE_IR_POOLING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/WindowUtils.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Pooling.h.inc"

#endif // NACRE_DIALECT_IE_IR_POOLING_H
