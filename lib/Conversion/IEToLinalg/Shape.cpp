//===- Shape.cpp - Lower the Shape family to linalg -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes become tensor.collapse_shape and tensor.expand_shape, which move no
// element; Shape and Size become constants where the type knows the sizes.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;

namespace {

template <typename OpT>
struct ReshapeLikeToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OpAdaptor = typename OpConversionPattern<OpT>::OpAdaptor;

  LogicalResult
  matchAndRewrite(OpT op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op->getResult(0));
    rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(),
                                        adaptor.getOperands().front(), type,
                                        getResultSize(rewriter, op)));
    return success();
  }
};

/// Shape and Size ask for the sizes only.
template <typename OpT>
struct ShapeQueryToSizes final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OpAdaptor = typename OpConversionPattern<OpT>::OpAdaptor;

  LogicalResult
  matchAndRewrite(OpT op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape()) {
      // Only hand-written code declares less than follows from the rank.
      return rewriter.notifyMatchFailure(op, "needs a result of known length");
    }
    OpFoldResult folded = op.fold(typename OpT::FoldAdaptor({}, op));
    if (auto value = dyn_cast_if_present<Attribute>(folded)) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                     cast<TypedAttr>(value));
      return success();
    }
    auto type = cast<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    TracingSizeBuilder sizes(rewriter, loc);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      OpFoldResult size = sizes.getElement(op->getResult(0), i);
      elements.push_back(arith::IndexCastOp::create(
          rewriter, loc, rewriter.getI64Type(),
          getValueOrCreateConstantIndexOp(rewriter, loc, size)));
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};

} // namespace

void nacre::populateShapeToLinalgPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<
      ReshapeLikeToLinalg<IE::ReshapeOp>, ReshapeLikeToLinalg<IE::FlattenOp>,
      ReshapeLikeToLinalg<IE::SqueezeOp>, ReshapeLikeToLinalg<IE::UnsqueezeOp>,
      ShapeQueryToSizes<IE::ShapeOp>, ShapeQueryToSizes<IE::SizeOp>>(
      converter, patterns.getContext());
}
