//===- DataMovement.h - Reordering and copying of elements ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: reordering and copying of elements.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_DATAMOVEMENT_H
#define NACRE_DIALECT_IE_IR_DATAMOVEMENT_H

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/DataMovement.h.inc"

#endif // NACRE_DIALECT_IE_IR_DATAMOVEMENT_H
