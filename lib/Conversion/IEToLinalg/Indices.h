//===- Indices.h - Computed element access ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders for kernels whose operand positions are no affine function of the
// result's: a linalg.generic over the result that extracts elements at computed
// indices.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_INDICES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_INDICES_H

#include "Common.h"

namespace nacre {

/// A tensor of `type`, and of `sizes` where that is dynamic, whose elements
/// `body` computes from their indices.
mlir::Value buildFromIndices(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::RankedTensorType type, ScalarBuilder body,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes = {});

/// A constant of index type.
mlir::Value buildIndex(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t value);

/// The only element of `tensor`, of any rank.
mlir::Value extractScalar(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value tensor);

/// Element `position` of an integer tensor of rank 0 or 1, as an index.
mlir::Value extractIndex(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, int64_t position);

/// `index` limited to [low, high]; `low` wins when they cross.
mlir::Value clampIndex(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value index, mlir::Value low, mlir::Value high);

/// An element of an ONNX index tensor as a position in a dimension of size
/// `dim`: negative ones count from the end, and what is out of range is the
/// last.
mlir::Value buildSafeIndex(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value element, int64_t dim);
mlir::Value buildSafeIndex(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value element, mlir::Value size);

/// In a model whose inputs have dynamic sizes, and so a way to end a run: that
/// each element of `indices` is a position in a dimension of size `sizes`, or
/// from its end. Of several sizes each is of an entry of the tuples in the last
/// dimension. Code for known sizes carries no runtime and does not check it, so
/// that nothing is asserted there.
void assertIndices(mlir::OpBuilder &builder, mlir::Operation *op,
                   mlir::Value indices,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Where it is known only at run time whether `data` has elements: that it
/// does, unless nothing of the given sizes is computed from them.
void assertElements(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value data, llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// tensor.extract.
mlir::Value buildExtract(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, mlir::ValueRange indices);

/// `input` under another shape of as many elements: that of `type`, and `sizes`
/// where it is dynamic.
mlir::Value buildReshape(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value input, mlir::RankedTensorType type,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes = {});

/// `input` with its dimensions permuted.
mlir::Value buildTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value input,
                           llvm::ArrayRef<int64_t> permutation);

/// The Slice and Pad patterns of the DataMovement family.
void populateSectionToLinalgPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_INDICES_H
