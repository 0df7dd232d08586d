//===- SizeOrigin.h - Where sizes of tensors come from ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic sizes are compared by tracing them to where they come from: two are
// equal if that is one place. A step of the trace is here, from the result of
// an op to its operands. Those who trace make of it what they need: values of
// the IR, or symbols.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_ANALYSIS_SIZEORIGIN_H
#define NACRE_ANALYSIS_SIZEORIGIN_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace nacre {

/// A dimension of a tensor.
struct TensorDim {
  mlir::Value tensor;
  int64_t dim;
};

/// What the size of a dimension is: a number, or the product of sizes of other
/// tensors. Neither of both is there where only the tensor itself can be asked.
struct SizeOrigin {
  mlir::OpFoldResult number;
  llvm::SmallVector<TensorDim, 1> factors;
};

/// One step from a dimension of a tensor that an op gives. Numbers are operands
/// of that op, or attributes.
SizeOrigin getSizeOrigin(mlir::OpBuilder &builder, mlir::Value tensor,
                         int64_t dim);

/// The tensor that an op writes its result into, whose shape it keeps; null
/// where there is none.
mlir::Value getDestination(mlir::OpResult result);

} // namespace nacre

#endif // NACRE_ANALYSIS_SIZEORIGIN_H
