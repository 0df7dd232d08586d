//===- Interpreter.h - Evaluation of IE functions ---------------*- C++ -*-===//
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

/// Evaluates one op. Emits an error on the op and fails when it has no kernel,
/// a dynamic result type, or operand values outside its domain.
mlir::LogicalResult evaluate(mlir::Operation *op,
                             llvm::ArrayRef<Tensor> operands,
                             llvm::SmallVectorImpl<Tensor> &results);

/// Evaluates a single-block function. `inputs` match the arguments' types.
/// Intermediate values are released after their last use.
mlir::LogicalResult run(mlir::func::FuncOp function,
                        llvm::ArrayRef<Datum> inputs,
                        llvm::SmallVectorImpl<Datum> &outputs);

} // namespace nacre::interpreter

#endif // NACRE_INTERPRETER_INTERPRETER_H
