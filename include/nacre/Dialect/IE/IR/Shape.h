//===- Shape.h - Changes of shape that move no element ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: changes of shape that move no element.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SHAPE_H
#define NACRE_DIALECT_IE_IR_SHAPE_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Shape.h.inc"

#endif // NACRE_DIALECT_IE_IR_SHAPE_H
