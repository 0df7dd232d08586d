//===- Shape.cpp - Lower the Shape family to linalg -----------------------===//
//
// Reshapes become tensor.collapse_shape and tensor.expand_shape, which move no
// element; Shape and Size of a static tensor become constants.
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
    Value data = adaptor.getOperands().front();
    auto dataType = cast<RankedTensorType>(data.getType());
    RankedTensorType type =
        getStaticType(*this->getTypeConverter(), op->getResult(0));
    if (!type || !dataType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(), data, type));
    return success();
  }
};

/// Shape and Size read nothing but the static type.
template <typename OpT>
struct ShapeQueryToConstant final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OpAdaptor = typename OpConversionPattern<OpT>::OpAdaptor;

  LogicalResult
  matchAndRewrite(OpT op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    OpFoldResult folded = op.fold(typename OpT::FoldAdaptor({}, op));
    auto value = dyn_cast_if_present<Attribute>(folded);
    if (!value) {
      return rewriter.notifyMatchFailure(op, "needs a static operand shape");
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(value));
    return success();
  }
};

} // namespace

void nacre::populateShapeToLinalgPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<
      ReshapeLikeToLinalg<IE::ReshapeOp>, ReshapeLikeToLinalg<IE::FlattenOp>,
      ReshapeLikeToLinalg<IE::SqueezeOp>, ReshapeLikeToLinalg<IE::UnsqueezeOp>,
      ShapeQueryToConstant<IE::ShapeOp>, ShapeQueryToConstant<IE::SizeOp>>(
      converter, patterns.getContext());
}
