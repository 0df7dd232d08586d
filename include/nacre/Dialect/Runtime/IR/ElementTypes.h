//===- ElementTypes.h - Element types of the runtime ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime has the element types of IE, by numbers (nacre-c/Runtime.h).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_ELEMENTTYPES_H
#define NACRE_DIALECT_RUNTIME_IR_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace nacre::rt {

/// The runtime's number of an element type of IE.
int64_t getTypeNumber(mlir::Type element);

/// The element type of a number; null when there is none.
mlir::Type getElementType(mlir::MLIRContext *context, int64_t number);

/// True for types that have a number.
bool isElementType(mlir::Type type);

/// True for tensors that compiled models take and give as values of the
/// runtime: those of unknown size, of strings, and of integers that share
/// bytes. `element` is the type that IE has for the elements.
bool isTensorValue(mlir::ShapedType type, mlir::Type element);

} // namespace nacre::rt

#endif // NACRE_DIALECT_RUNTIME_IR_ELEMENTTYPES_H
