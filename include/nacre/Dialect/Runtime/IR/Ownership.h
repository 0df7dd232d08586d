//===- Ownership.h - Who owns values of the runtime -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the interfaces of ops that have such values.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_H
#define NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_H

#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

#include "nacre/Dialect/Runtime/IR/RuntimeInterfaces.h.inc"

namespace nacre::rt {

/// Gives ops of arith, func and scf that pass values on OwnershipOpInterface.
void registerOwnershipExternalModels(mlir::DialectRegistry &registry);

} // namespace nacre::rt

#endif // NACRE_DIALECT_RUNTIME_IR_OWNERSHIP_H
