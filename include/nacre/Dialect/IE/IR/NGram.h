//===- NGram.h - Runs of tokens ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: runs of tokens.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_NGRAM_H
#define NACRE_DIALECT_IE_IR_NGRAM_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/NGram.h.inc"

#endif // NACRE_DIALECT_IE_IR_NGRAM_H
