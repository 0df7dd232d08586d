//===- Roles.h - How main is called -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C interface of a compiled model gives main, argument by argument.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_ROLES_H
#define NACRE_EMIT_ROLES_H

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Emit/ModelInterface.h"

namespace nacre {

/// The roles of main's arguments, in order. Emits an error and fails where an
/// argument has none, or where they do not fit the interface.
mlir::FailureOr<llvm::SmallVector<abi::Role>>
getRoles(mlir::ModuleOp module, const ModelInterface &interface);

} // namespace nacre

#endif // NACRE_EMIT_ROLES_H
