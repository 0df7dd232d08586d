//===- GettingStarted.h - The tutorial's ops --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what docs/Tutorial.md explains: ops, an attribute, a type and an
// interface.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTED_H
#define NACRE_DIALECT_IE_IR_GETTINGSTARTED_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/IE/IR/GettingStartedAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/IE/IR/GettingStartedTypes.h.inc"

namespace nacre::IE::detail {
/// Fails when the counter of an op with GettingStartedInterface is too large.
mlir::LogicalResult verifyGettingStarted(mlir::Operation *op);
} // namespace nacre::IE::detail

#include "nacre/Dialect/IE/IR/GettingStartedInterface.h.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/GettingStarted.h.inc"

namespace nacre::IE {
/// Makes func.call count its operands: an interface on an op of a dialect that
/// knows nothing of it.
void registerGettingStartedExternalModels(mlir::DialectRegistry &registry);
} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTED_H
