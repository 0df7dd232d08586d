//===- Sizes.h - Sizes that only a run knows --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tensors as OpFoldResults: index attributes where the type tells,
// else index values. Kernels agree on an iteration domain only if they can see
// that sizes are equal, so sizes are traced to where they come from instead of
// being asked of each tensor.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H

#include "nacre/Dialect/IE/Utils/SizeBuilder.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {

using IE::addSizes;
using IE::divideSizes;
using IE::getShape;
using IE::multiplySizes;
using IE::refineSizes;
using IE::Sizes;
using IE::subtractSizes;

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

/// `tensor` of the type that its `sizes` give: where they come from may know
/// more than the type does.
mlir::Value buildKnown(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The size that dimensions of these sizes broadcast to: NumPy's rule, with an
/// assertion where only a run can tell that it is kept.
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

/// Asserts what only a run can check.
class AssertingSizeBuilder : public IE::SizeBuilder {
public:
  using SizeBuilder::SizeBuilder;

  void require(llvm::function_ref<mlir::Value()> condition,
               llvm::StringRef message) final;
};

/// What IE ops build the sizes of their results with while they are lowered:
/// sizes are traced through the ops that the lowering has built, and shape
/// arithmetic is followed through IE to the sizes that it came from.
class TracingSizeBuilder final : public AssertingSizeBuilder {
public:
  TracingSizeBuilder(mlir::ConversionPatternRewriter &rewriter,
                     mlir::Location loc)
      : AssertingSizeBuilder(rewriter, loc), rewriter(rewriter) {}

  mlir::OpFoldResult getSize(mlir::Value tensor, int64_t dim) override;
  using SizeBuilder::getElement;
  mlir::OpFoldResult getElement(mlir::Value tensor, int64_t position) override;

  /// What an operand has been lowered to.
  mlir::Value getRemapped(mlir::Value operand) {
    return rewriter.getRemappedValue(operand);
  }

private:
  mlir::Value getTensor(mlir::Value operand) override;

  mlir::ConversionPatternRewriter &rewriter;
};

/// The sizes of the results of an op of IE that is being lowered: those that
/// their types know, and what the op itself says of the others.
mlir::FailureOr<llvm::SmallVector<Sizes>>
getResultSizes(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op);

/// The same for an op with one result that cannot fail.
Sizes getResultSize(mlir::ConversionPatternRewriter &rewriter,
                    mlir::Operation *op);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H
