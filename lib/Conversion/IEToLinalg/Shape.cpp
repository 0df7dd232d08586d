//===- Shape.cpp - Lower the Shape family to linalg -----------------------===//
//
// Reshapes become tensor.collapse_shape and tensor.expand_shape, which move no
// element; Shape and Size become constants where the type knows the sizes.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;

/// The sizes of the result, for the ops whose attributes and axes say how they
/// follow from the operand's.
static FailureOr<Sizes> buildSizes(ConversionPatternRewriter &rewriter,
                                   IE::FlattenOp op, Value data) {
  Sizes sizes = getSizes(rewriter, op.getLoc(), data);
  int64_t axis = op.getAxis();
  axis += axis < 0 ? static_cast<int64_t>(sizes.size()) : 0;
  return Sizes{
      multiplySizes(rewriter, op.getLoc(), ArrayRef(sizes).take_front(axis)),
      multiplySizes(rewriter, op.getLoc(), ArrayRef(sizes).drop_front(axis))};
}

static FailureOr<Sizes> buildSizes(ConversionPatternRewriter &rewriter,
                                   IE::UnsqueezeOp op, Value data) {
  auto type = cast<RankedTensorType>(op.getType());
  std::optional<SmallVector<int64_t>> axes = IE::getConstantInts(op.getAxes());
  FailureOr<SmallVector<int64_t>> added = failure();
  if (axes) {
    added = IE::normalizeAxes(std::nullopt, *axes, type.getRank());
  }
  if (failed(added)) {
    return failure();
  }
  Sizes sizes = getSizes(rewriter, op.getLoc(), data);
  llvm::sort(*added);
  for (int64_t axis : *added) {
    sizes.insert(sizes.begin() + axis, rewriter.getIndexAttr(1));
  }
  return sizes;
}

static FailureOr<Sizes> buildSizes(ConversionPatternRewriter &rewriter,
                                   IE::SqueezeOp op, Value data) {
  Sizes sizes = getSizes(rewriter, op.getLoc(), data);
  std::optional<SmallVector<int64_t>> axes = IE::getConstantInts(op.getAxes());
  FailureOr<SmallVector<int64_t>> dropped = failure();
  if (axes) {
    dropped = IE::normalizeAxes(std::nullopt, *axes, sizes.size());
  }
  if (failed(dropped)) {
    return failure();
  }
  Sizes result;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (!llvm::is_contained(*dropped, static_cast<int64_t>(i))) {
      result.push_back(size);
    }
  }
  return result;
}

/// 0 copies a size, -1 takes what the others leave. Sizes that only a run knows
/// may be either, too.
static FailureOr<Sizes> buildSizes(ConversionPatternRewriter &rewriter,
                                   IE::ReshapeOp op, Value data) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Sizes input = getSizes(rewriter, loc, data), sizes, known;
  SmallVector<Value> unknown(type.getRank());
  for (int64_t i = 0; i < type.getRank(); ++i) {
    OpFoldResult size =
        type.isDynamicDim(i)
            ? getShapeElement(rewriter, loc, op.getShape(), i)
            : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(i)));
    bool copies =
        op.getAllowzero() == 0 && i < static_cast<int64_t>(input.size());
    if (getConstantIntValue(size) == 0 && copies) {
      size = input[i];
    }
    auto value = dyn_cast<Value>(size);
    if (value && value.getDefiningOp<arith::IndexCastOp>()) {
      // Read from a tensor, so anything.
      Value zero = buildIndex(rewriter, loc, 0);
      if (copies) {
        Value isZero = arith::CmpIOp::create(
            rewriter, loc, arith::CmpIPredicate::eq, value, zero);
        value = arith::SelectOp::create(
            rewriter, loc, isZero,
            getValueOrCreateConstantIndexOp(rewriter, loc, input[i]), value);
      }
      unknown[i] = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::slt, value, zero);
      size = arith::SelectOp::create(rewriter, loc, unknown[i],
                                     buildIndex(rewriter, loc, 1), value)
                 .getResult();
    }
    sizes.push_back(size);
    if (getConstantIntValue(size) != -1) {
      known.push_back(size);
    }
  }
  OpFoldResult rest;
  for (auto [size, isUnknown] : llvm::zip_equal(sizes, unknown)) {
    bool isRest = getConstantIntValue(size) == -1;
    if (!isRest && !isUnknown) {
      continue;
    }
    if (!rest) {
      rest = divideSizes(rewriter, loc, input, known);
    }
    if (isRest) {
      size = rest;
      continue;
    }
    size = arith::SelectOp::create(
               rewriter, loc, isUnknown,
               getValueOrCreateConstantIndexOp(rewriter, loc, rest),
               cast<Value>(size))
               .getResult();
  }
  return sizes;
}

namespace {

template <typename OpT>
struct ReshapeLikeToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  using OpAdaptor = typename OpConversionPattern<OpT>::OpAdaptor;

  LogicalResult
  matchAndRewrite(OpT op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value data = adaptor.getOperands().front();
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op->getResult(0));
    if (!type || !isa<RankedTensorType>(data.getType())) {
      return rewriter.notifyMatchFailure(op, "needs known ranks");
    }
    FailureOr<Sizes> sizes = Sizes();
    if (!type.hasStaticShape()) {
      sizes = buildSizes(rewriter, op, data);
    }
    if (failed(sizes)) {
      return rewriter.notifyMatchFailure(op, "needs constant axes");
    }
    rewriter.replaceOp(op,
                       buildReshape(rewriter, op.getLoc(), data, type, *sizes));
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
    OpFoldResult folded = op.fold(typename OpT::FoldAdaptor({}, op));
    if (auto value = dyn_cast_if_present<Attribute>(folded)) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                     cast<TypedAttr>(value));
      return success();
    }
    auto type = cast<RankedTensorType>(op.getType());
    if (!isa<RankedTensorType>(op.getData().getType()) ||
        !type.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs an operand of known rank");
    }
    Location loc = op.getLoc();
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      OpFoldResult size = getShapeElement(rewriter, loc, op->getResult(0), i);
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
