//===- Verifier.h - Where attributes may stand, and with what ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the verifiers of ops, arguments, results and the interface.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_NACRE_IR_VERIFIER_H
#define NACRE_LIB_DIALECT_NACRE_IR_VERIFIER_H

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

namespace nacre::abi {

/// Where an attribute stands.
enum class Place { Module, Function, Op, Argument, Result, Input, Output };

/// Fails, after an error, where the dialect has no attribute of that name,
/// where it does not belong there, which `owner` names, and where its value has
/// a wrong type.
mlir::LogicalResult
verifyAttribute(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                Place place, llvm::StringRef owner,
                mlir::NamedAttribute attribute);

} // namespace nacre::abi

#endif // NACRE_LIB_DIALECT_NACRE_IR_VERIFIER_H
