//===- ValueNames.h - What a model calls its values -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of a model's values are parts of locations, beside the name of the
// node:
//
//   loc("Conv_0"(fused<{nacre.values = ["r1"]}>["net.onnx":0:0]))
//
// Locations go where rewrites go and decide nothing. As attributes the names
// would keep equal ops from being one (CSE compares attributes) and would be
// dropped by most patterns.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_VALUENAMES_H
#define NACRE_DIALECT_IE_UTILS_VALUENAMES_H

#include "mlir/IR/Value.h"

namespace nacre::IE {

/// Records what the model calls a value: a result, or an argument of a body. A
/// value keeps the first name that it gets.
void setValueName(mlir::Value value, llvm::StringRef name);

/// What the model calls a value; empty where it has no name. An op that was
/// made of several has the name of the last one's value. Where one node became
/// several ops, several values may have the same name, of which the last is
/// meant.
llvm::StringRef getValueName(mlir::Value value);

/// The name of the node that an op comes from, of several the last one; empty
/// where it comes from none.
llvm::StringRef getNodeName(mlir::Operation *op);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_VALUENAMES_H
