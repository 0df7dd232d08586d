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

/// The type of a value whose rows are those of matrices that the engine takes:
/// of floats and known length. On a CPU there may be any number of them; an NPU
/// has to know it, to fit its scratchpad. Null for other values.
mlir::RankedTensorType getRowsType(VPU::ArchAttr arch, mlir::Value value);

/// The engine's matrices that a value of the model is; null where it is none.
mlir::Value getMatrices(mlir::Value value);

/// A value of the model as so many matrices of the engine. Those of a value of
/// dynamic sizes are one.
mlir::Value buildMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, int64_t batches = 1);

/// The inverse: matrices as a value of these sizes, in the shape of a model's
/// `type`, of which bytes have the elements.
mlir::Value buildFromMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value matrices,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              mlir::RankedTensorType type);
/// The same of a value with all sizes of `like`.
mlir::Value buildFromMatricesLike(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value matrices, mlir::Value like);
/// The same of a value of known size.
mlir::Value buildFromMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value matrices,
                              mlir::RankedTensorType type);

/// What a reshape makes of a value that comes from the engine is another shape
/// of the same matrices, as long as it keeps rows.
void populateMatrixRowsPatterns(mlir::RewritePatternSet &patterns);

/// The views that VPU.ToMatrices and VPU.FromMatrices are, on elements of the
/// engine. Of `sizes` those are values that `shape` does not tell.
mlir::Value buildRowViews(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::RankedTensorType matrices);
mlir::Value buildFromRowViews(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value matrices,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              llvm::ArrayRef<int64_t> shape);

/// A value whose dimension `dim`, of known size, is enlarged to `size`
/// elements. The new ones are `fill`, or anything where that is null.
mlir::Value buildEnlarged(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned dim, int64_t size,
                          mlir::Value fill);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_MATRIXROWS_H
