//===- RuntimeCalls.h - Building calls of the runtime -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime of compiled models (nacre-c/Compiled.h). Passes on
// tensors use the ops of the Runtime dialect instead, which become such calls.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_RUNTIMECALLS_H
#define NACRE_CONVERSION_RUNTIMECALLS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace nacre {

class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Calls the runtime's function `name`, declared on first use. Results: index
  /// for sizes, !llvm.ptr for values, memref<1xi8> for pointers to data.
  mlir::ValueRange call(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef name, mlir::ValueRange arguments,
                        mlir::TypeRange results);

  /// The address of a constant text, which ends with a zero in memory.
  mlir::Value buildText(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef text);

private:
  mlir::ModuleOp module;
};

} // namespace nacre

#endif // NACRE_CONVERSION_RUNTIMECALLS_H
