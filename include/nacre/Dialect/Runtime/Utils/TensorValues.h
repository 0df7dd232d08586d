//===- TensorValues.h - Tensors as values of the runtime --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds what makes a value of the runtime of a tensor, and a tensor of one,
// for passes on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_UTILS_TENSORVALUES_H
#define NACRE_DIALECT_RUNTIME_UTILS_TENSORVALUES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nacre::rt {

/// The elements of `value`, a tensor of these sizes, which nothing writes to.
mlir::Value buildTensor(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::RankedTensorType type,
                        mlir::ValueRange sizes);

/// A new value with a copy of `tensor`, whose elements are an `element` of IE.
/// Memory for it is there where `place`, a tensor.empty, is, if that is given:
/// bufferization lets what fills `place` write into it.
mlir::Value buildValue(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor, mlir::Type element,
                       mlir::Value place = {});

} // namespace nacre::rt

#endif // NACRE_DIALECT_RUNTIME_UTILS_TENSORVALUES_H
