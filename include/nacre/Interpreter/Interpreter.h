//===- Interpreter.h - Evaluation of IE functions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function of IE ops on concrete tensors, op by op, without code
// generation: the oracle for the compiled backends and the constant folder's
// engine.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_INTERPRETER_H
#define NACRE_INTERPRETER_INTERPRETER_H

#include "nacre/Interpreter/Datum.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nacre::interpreter {

/// Attaches the interpreter's kernels to the IE dialect's ops.
void registerExternalModels(mlir::DialectRegistry &registry);

/// Fails, with an error on the op, where the function has one that the
/// interpreter cannot evaluate.
mlir::LogicalResult verifyKernels(mlir::func::FuncOp function);

/// Evaluates one op that has a kernel. Emits an error on the op and fails when
/// the operands are outside its domain, or give results of other sizes than its
/// type states.
mlir::LogicalResult evaluate(mlir::Operation *op,
                             llvm::ArrayRef<Tensor> operands,
                             llvm::SmallVectorImpl<Tensor> &results);

/// The value of an expression of constants; fails where it has others, or
/// its size.
mlir::FailureOr<Tensor> evaluateConstant(mlir::Value value);

/// Evaluates a single-block function, whose ops have kernels. `inputs` match
/// the arguments' types. Emits an error and fails where a value has another
/// size than its type states. Intermediate values are released after their last
/// use.
mlir::LogicalResult run(mlir::func::FuncOp function,
                        llvm::ArrayRef<Datum> inputs,
                        llvm::SmallVectorImpl<Datum> &outputs);

} // namespace nacre::interpreter

#endif // NACRE_INTERPRETER_INTERPRETER_H
