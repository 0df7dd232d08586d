//===- Convolution.h - Convolutions -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: convolutions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONVOLUTION_H
#define NACRE_DIALECT_IE_IR_CONVOLUTION_H

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/WindowUtils.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Convolution.h.inc"

#endif // NACRE_DIALECT_IE_IR_CONVOLUTION_H
