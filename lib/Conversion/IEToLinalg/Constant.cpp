//===- Constant.cpp - Lower the Constant family to linalg -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants become arith.constant; generated tensors become fills, index
// computations and, for a diagonal, a loop over its elements.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace nacre;

/// `value` with `type`, of which the elements are kept alike: with another
/// signedness, as the bytes of small numbers, or as integers as wide as complex
/// ones. The bits, and a resource's blob, stay where they are. Null for other
/// kinds of attributes.
static ElementsAttr changeSignedness(ElementsAttr value,
                                     RankedTensorType type) {
  if (value.getType() == type) {
    return value;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense) {
    return {};
  }
  if (IE::isSmallNumber(value.getElementType())) {
    // Fewer bits have a byte to themselves, too.
    return DenseElementsAttr::getFromRawBuffer(type, dense.getRawData());
  }
  return dense.bitcast(type.getElementType());
}

namespace {

struct ConstantToArith final : OpConversionPattern<IE::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (type && type.getNumElements() == 0) {
      // Nothing to store in read-only data.
      rewriter.replaceOp(op, buildEmpty(rewriter, op.getLoc(), type));
      return success();
    }
    ElementsAttr value =
        type ? changeSignedness(op.getValue(), type) : ElementsAttr();
    if (!value) {
      return rewriter.notifyMatchFailure(
          op, "needs a dense or resource value of static shape");
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(value));
    return success();
  }
};

struct ConstantOfShapeToLinalg final
    : OpConversionPattern<IE::ConstantOfShapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConstantOfShapeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Type elementType = type.getElementType();
    TypedAttr scalar = rewriter.getZeroAttr(elementType);
    if (ElementsAttr value = op.getValueAttr()) {
      auto dense = dyn_cast_if_present<DenseElementsAttr>(changeSignedness(
          value, RankedTensorType::get(value.getShapedType().getShape(),
                                       elementType)));
      if (!dense) {
        return rewriter.notifyMatchFailure(op, "needs a dense value");
      }
      scalar = cast<TypedAttr>(*dense.value_begin<Attribute>());
    }
    Value element = arith::ConstantOp::create(rewriter, op.getLoc(), scalar);
    rewriter.replaceOp(op, buildFilled(rewriter, op.getLoc(), type, element,
                                       getResultSize(rewriter, op)));
    return success();
  }
};

struct RangeToLinalg final : OpConversionPattern<IE::RangeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value start = extractScalar(rewriter, loc, adaptor.getStart());
    Value delta = extractScalar(rewriter, loc, adaptor.getDelta());
    Type element = type.getElementType();
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, loc, type,
                [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
                  Type i64 = b.getI64Type();
                  Value i = arith::IndexCastOp::create(b, loc, i64, indices[0]);
                  if (isa<FloatType>(element)) {
                    Value x = arith::SIToFPOp::create(b, loc, element, i);
                    Value offset = arith::MulFOp::create(b, loc, x, delta);
                    return arith::AddFOp::create(b, loc, start, offset);
                  }
                  if (element != i64) {
                    i = arith::TruncIOp::create(b, loc, element, i);
                  }
                  Value offset = arith::MulIOp::create(b, loc, i, delta);
                  return arith::AddIOp::create(b, loc, start, offset);
                },
                getResultSize(rewriter, op)));
    return success();
  }
};

struct EyeLikeToLinalg final : OpConversionPattern<IE::EyeLikeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::EyeLikeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Type element = type.getElementType();
    Sizes sizes = getResultSize(rewriter, op);
    Value zeros = buildFilled(rewriter, loc, type,
                              buildScalar(rewriter, loc, element, 0), sizes);
    Value one = buildScalar(rewriter, loc, element, 1);
    // Row i has its one in column i + k.
    Value k = buildIndex(rewriter, loc, op.getK());
    Value first = buildIndex(rewriter, loc, std::max<int64_t>(0, -op.getK()));
    OpFoldResult end =
        IE::minimizeSizes(rewriter, loc, sizes[0],
                          IE::addSizes(rewriter, loc, sizes[1],
                                       rewriter.getIndexAttr(-op.getK())));
    rewriter.replaceOp(
        op, buildFor(rewriter, loc, first,
                     getValueOrCreateConstantIndexOp(rewriter, loc, end), zeros,
                     [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                       Value column = arith::AddIOp::create(b, loc, i, k);
                       return {tensor::InsertOp::create(b, loc, one, carried[0],
                                                        ValueRange{i, column})};
                     }));
    return success();
  }
};

} // namespace

void nacre::populateConstantToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ConstantToArith, ConstantOfShapeToLinalg, RangeToLinalg,
               EyeLikeToLinalg>(converter, patterns.getContext());
}
