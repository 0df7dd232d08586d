//===- Resampling.h - Images of other sizes ---------------------*- C++ -*-===//
//
// Declares the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RESAMPLING_H
#define NACRE_DIALECT_IE_IR_RESAMPLING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Resampling.h.inc"

#endif // NACRE_DIALECT_IE_IR_RESAMPLING_H
