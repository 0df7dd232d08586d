//===- MatMul.h - Matrix products -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: matrix products.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MATMUL_H
#define NACRE_DIALECT_IE_IR_MATMUL_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/MatMul.h.inc"

#endif // NACRE_DIALECT_IE_IR_MATMUL_H
