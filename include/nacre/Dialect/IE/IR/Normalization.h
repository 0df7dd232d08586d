//===- Normalization.h - Normalisation and softmax --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: normalisation and softmax.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_NORMALIZATION_H
#define NACRE_DIALECT_IE_IR_NORMALIZATION_H

#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Normalization.h.inc"

#endif // NACRE_DIALECT_IE_IR_NORMALIZATION_H
