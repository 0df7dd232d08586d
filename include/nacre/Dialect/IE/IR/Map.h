//===- Map.h - Values by keys -----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: maps.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MAP_H
#define NACRE_DIALECT_IE_IR_MAP_H

#include "nacre/Dialect/IE/IR/Sequence.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Map.h.inc"

#endif // NACRE_DIALECT_IE_IR_MAP_H
