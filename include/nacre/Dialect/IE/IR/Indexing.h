//===- Indexing.h - Element access by index ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: element access by index.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_INDEXING_H
#define NACRE_DIALECT_IE_IR_INDEXING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Indexing.h.inc"

#endif // NACRE_DIALECT_IE_IR_INDEXING_H
