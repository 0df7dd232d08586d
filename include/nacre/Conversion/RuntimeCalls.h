//===- RuntimeCalls.h - Building calls of the runtime -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that call the runtime of compiled models (nacre-c/Compiled.h), for passes
// on tensors. A value of the runtime is an !llvm.ptr there, a "handle".
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

  /// Declares a function of the runtime, unless it is.
  void declare(llvm::StringRef name, mlir::FunctionType type);

  /// Fails the run unless `handle` is a tensor with elements of `element`, of
  /// `rank`. `name` is for the message.
  void checkTensor(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value handle, mlir::Type element, int64_t rank,
                   llvm::StringRef name);

  /// Fails the run unless dimension `dim` of the tensor `handle`, the input
  /// `name`, has `size`.
  void checkDim(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value handle, int64_t dim, mlir::Value size,
                llvm::StringRef name);

  /// The address of a constant text, which may have zeros in it.
  mlir::Value buildText(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef text);

  /// Fails the run unless `handle` is a value of `type`, a sequence, an
  /// optional or a map. `name` is for the message.
  void checkList(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value handle, mlir::Type type, llvm::StringRef name);

  /// The size of a dimension of the tensor `handle`.
  mlir::Value getDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value handle, int64_t dim);

  /// `handle`, a tensor of packed numbers, with a byte for each of them.
  mlir::Value unpack(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value handle);

  /// The elements of `handle`, a tensor of these sizes, which nothing writes
  /// to.
  mlir::Value buildTensor(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value handle, mlir::RankedTensorType type,
                          mlir::ValueRange sizes);

  /// A new value with a copy of `tensor`, whose elements are an `element` of
  /// IE. Memory for it is there where `place`, a tensor.empty, is, if that is
  /// given: bufferization lets what fills `place` write into it.
  mlir::Value buildHandle(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value tensor, mlir::Type element,
                          mlir::Value place = {});

private:
  /// The address of a name for messages.
  mlir::Value buildName(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef name);

  mlir::ModuleOp module;
};

/// The runtime's number of an IE element type.
int64_t getRuntimeType(mlir::Type element);

/// The IE element type of a number; null when there is none.
mlir::Type getElementTypeOfRuntime(mlir::MLIRContext *context, int64_t type);

} // namespace nacre

#endif // NACRE_CONVERSION_RUNTIMECALLS_H
