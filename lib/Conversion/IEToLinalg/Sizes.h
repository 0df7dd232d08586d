//===- Sizes.h - Dynamic sizes in the lowering ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of what IE ops are lowered to, traced through the ops that the
// lowering has built (IE/Utils/TensorSizes.h) and through the shape arithmetic
// of the model.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_SIZES_H

#include "nacre/Dialect/IE/Utils/TensorSizes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {

using IE::addSizes;
using IE::assertAtMost;
using IE::assertSameProduct;
using IE::assertSameSize;
using IE::broadcastSizes;
using IE::divideSizes;
using IE::getShape;
using IE::getSize;
using IE::getSizes;
using IE::multiplySizes;
using IE::refineSizes;
using IE::Sizes;
using IE::SizeSource;
using IE::subtractSizes;

/// `tensor` of the type that its `sizes` give: where they come from may know
/// more than the type does.
mlir::Value buildKnown(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// What IE ops build the sizes of their results with while they are lowered:
/// sizes are traced through the ops that the lowering has built, and shape
/// arithmetic is followed through IE to the sizes that it came from.
class TracingSizeBuilder final : public IE::AssertingSizeBuilder {
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
