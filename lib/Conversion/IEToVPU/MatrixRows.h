//===- MatrixRows.h - Values as matrices of all their rows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All leading dimensions of a product's left operand are rows where they share
// one right operand.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_MATRIXROWS_H
#define NACRE_LIB_CONVERSION_IETOVPU_MATRIXROWS_H

#include "Common.h"

namespace nacre {

/// A value of these sizes as one matrix of all its rows, (1, rows, columns).
mlir::Value buildRows(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The inverse: a matrix as a value of these sizes, in the shape of `type`.
mlir::Value buildFromRows(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value matrix,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes,
                          mlir::RankedTensorType type);

/// A value whose dimension `dim`, of known size, is enlarged to `size`
/// elements. The new ones are `fill`, or anything where that is null.
mlir::Value buildEnlarged(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned dim, int64_t size,
                          mlir::Value fill);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_MATRIXROWS_H
