//===- Random.h - Random tensors --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: random tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RANDOM_H
#define NACRE_DIALECT_IE_IR_RANDOM_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Random.h.inc"

#endif // NACRE_DIALECT_IE_IR_RANDOM_H
