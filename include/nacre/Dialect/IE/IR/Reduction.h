//===- Reduction.h - Reductions along axes ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: reductions along axes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_REDUCTION_H
#define NACRE_DIALECT_IE_IR_REDUCTION_H

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ReductionUtils.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Reduction.h.inc"

#endif // NACRE_DIALECT_IE_IR_REDUCTION_H
