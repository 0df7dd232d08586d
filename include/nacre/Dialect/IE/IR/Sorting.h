//===- Sorting.h - Elements by their order ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: sorting.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SORTING_H
#define NACRE_DIALECT_IE_IR_SORTING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Sorting.h.inc"

#endif // NACRE_DIALECT_IE_IR_SORTING_H
