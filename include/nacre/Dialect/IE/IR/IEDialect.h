//===- IEDialect.h - The IE dialect -----------------------------*- C++ -*-===//
//
// Declares the IE dialect and what every operator family's
// generated header needs. Include the family header (Pooling.h …) for its ops,
// IE.h for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_IEDIALECT_H
#define NACRE_DIALECT_IE_IR_IEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace nacre::IE {
/// True when each actual type may stand where inference gave the inferred one:
/// same element type, and per dimension equal or dynamic on either side.
bool areCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);
} // namespace nacre::IE

#include "nacre/Dialect/IE/IR/IEBaseDialect.h.inc"

// Any family's tensors may hold strings.
#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/IE/IR/StringTypes.h.inc"

#endif // NACRE_DIALECT_IE_IR_IEDIALECT_H
