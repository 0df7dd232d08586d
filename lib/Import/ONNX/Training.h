//===- Training.h - Operators of training -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that only training uses. IE has none of them: they are imported as
// the arithmetic that they stand for.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_TRAINING_H
#define NACRE_LIB_IMPORT_ONNX_TRAINING_H

#include "Node.h"

namespace nacre::onnx_import {

/// True for an operator of the domain of training that can be imported.
bool isTrainingOperator(llvm::StringRef domain, llvm::StringRef opType);

/// Sets the results of Adagrad, Adam or Momentum. Emits an error and fails for
/// operands that do not fit.
mlir::LogicalResult importOptimizer(mlir::OpBuilder &builder, Node &node);

/// Sets the results of a BatchNormalization that normalises by the statistics
/// of its own input: the normalised tensor, the running mean and variance, and
/// mean and variance of the input.
mlir::LogicalResult importTrainingBatchNormalization(mlir::OpBuilder &builder,
                                                     Node &node);

/// The values that Gradient names.
struct GradientSpec {
  llvm::SmallVector<mlir::Value> inputs; // what to differentiate by, then the
                                         // other values that are given
  unsigned numVariables = 0;
  mlir::Value output;
};

/// Sets the results of Gradient: the derivatives of the sum of `output` by the
/// variables, at the values of the node's operands. Emits an error and fails
/// where an operator between them has no derivative here, after setting
/// `unsupported`.
mlir::LogicalResult importGradient(mlir::OpBuilder &builder, Node &node,
                                   const GradientSpec &spec, bool &unsupported);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_TRAINING_H
