//===- Sequence.h - Lists of tensors, and nothing ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: sequences and optionals.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SEQUENCE_H
#define NACRE_DIALECT_IE_IR_SEQUENCE_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/IE/IR/SequenceTypes.h.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Sequence.h.inc"

namespace nacre::IE {

/// The narrowest type that holds values of both: dimensions in which tensors
/// differ are dynamic, and those of different ranks are unranked tensors when
/// `allowUnranked`; sequences and optionals are joined by their elements. Null
/// when element types, or kinds of values, differ.
mlir::Type joinTypes(mlir::Type lhs, mlir::Type rhs,
                     bool allowUnranked = false);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_SEQUENCE_H
