//===- TensorSizes.h - Sizes of tensors, traced -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tensors as OpFoldResults: index attributes where the type tells,
// else index values. Kernels agree on an iteration domain only if they can see
// that sizes are equal, so sizes are traced to where they come from instead of
// being asked of each tensor. Conversions of IE do so, to software and to the
// engine.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_TENSORSIZES_H
#define NACRE_DIALECT_IE_UTILS_TENSORSIZES_H

#include "nacre/Dialect/IE/Utils/SizeBuilder.h"

namespace nacre::IE {

/// Gives the size of a dimension of the result of an op that sizes are not
/// traced through, or null where it does not know it either.
using SizeSource =
    llvm::function_ref<mlir::OpFoldResult(mlir::Value tensor, int64_t dim)>;

/// The size of dimension `dim` of `tensor`. Sizes that come from the same
/// place are the same value. What neither is traced nor `source` knows, a
/// tensor is asked for.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value tensor, int64_t dim,
                           SizeSource source = nullptr);

/// The sizes of all dimensions.
Sizes getSizes(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::Value tensor);

/// The tensor and its dimension that dimension `dim` of `tensor` is as large
/// as, where that is what the body of a loop is given or what a loop results
/// in, and no iteration changes its sizes: what the loop starts from, a
/// sequence that it walks along, or what its body yields. Null for others.
std::pair<mlir::Value, int64_t> traceThroughLoop(mlir::Value tensor,
                                                 int64_t dim);

/// The size that dimensions of these sizes broadcast to: NumPy's rule, with an
/// assertion where dynamic sizes decide whether it is kept.
mlir::OpFoldResult broadcastSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Asserts at run time, unless it is known, that two sizes are equal.
void assertSameSize(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::OpFoldResult a, mlir::OpFoldResult b,
                    llvm::StringRef message);

/// Asserts the same of a <= b.
void assertAtMost(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::OpFoldResult a, mlir::OpFoldResult b,
                  llvm::StringRef message);

/// Asserts the same of the numbers of elements of two shapes.
void assertSameProduct(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<mlir::OpFoldResult> a,
                       llvm::ArrayRef<mlir::OpFoldResult> b,
                       llvm::StringRef message);

/// Asserts what dynamic sizes decide.
class AssertingSizeBuilder : public SizeBuilder {
public:
  using SizeBuilder::SizeBuilder;

  void require(llvm::function_ref<mlir::Value()> condition,
               llvm::StringRef message) final;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_TENSORSIZES_H
