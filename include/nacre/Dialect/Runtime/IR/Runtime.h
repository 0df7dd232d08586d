//===- Runtime.h - The Runtime dialect --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the dialect of values of the C runtime, its type and its ops.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_RUNTIME_H
#define NACRE_DIALECT_RUNTIME_IR_RUNTIME_H

#include "nacre/Dialect/Runtime/IR/ElementTypes.h"
#include "nacre/Dialect/Runtime/IR/Ownership.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "nacre/Dialect/Runtime/IR/RuntimeBaseDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/Runtime/IR/RuntimeBaseTypes.h.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/Runtime/IR/RuntimeOps.h.inc"

#endif // NACRE_DIALECT_RUNTIME_IR_RUNTIME_H
