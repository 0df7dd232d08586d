//===- Elementwise.h - Elementwise arithmetic and math ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: elementwise arithmetic and math.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ELEMENTWISE_H
#define NACRE_DIALECT_IE_IR_ELEMENTWISE_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Elementwise.h.inc"

#endif // NACRE_DIALECT_IE_IR_ELEMENTWISE_H
