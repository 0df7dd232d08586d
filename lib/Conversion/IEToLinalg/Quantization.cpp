//===- Quantization.cpp - Lower linear quantization to linalg -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family: linear quantization.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/IR/Quantization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;

/// A scale or zero point in a shape that broadcasts to the input's.
static Value buildParameter(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape() && type.getNumElements() == 1) {
    return value; // of any rank
  }
  // At most one dimension is not 1.
  Sizes sizes;
  for (int64_t size : shape) {
    sizes.push_back(ShapedType::isDynamic(size)
                        ? getSize(builder, loc, value, 0)
                        : OpFoldResult(builder.getIndexAttr(size)));
  }
  return buildReshape(builder, loc, value, type.clone(shape), sizes);
}

namespace {

/// Both directions: `emit(e, x, scale, zeroPoint)` computes one element, in
/// f32; the zero point is null where there is none.
template <typename OpT, auto emit>
struct QuantizationToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    SmallVector<int64_t> shape = op.getParameterShape();
    SmallVector<Value> operands = {
        adaptor.getInput(),
        buildParameter(rewriter, loc, adaptor.getScale(), shape)};
    if (op.getZeroPoint()) {
      operands.push_back(
          buildParameter(rewriter, loc, adaptor.getZeroPoint(), shape));
    }
    Value quantized = isa<IE::QuantizeLinearOp>(op.getOperation())
                          ? Value(op.getOutput())
                          : Value(op.getInput());
    bool isUnsigned = isUnsignedElement(quantized);
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, getResultSize(rewriter, op), operands,
                [&](OpBuilder &builder, Location at, ValueRange x) {
                  ScalarEmitter e(builder, at, isUnsigned);
                  return emit(op, e, x, type.getElementType());
                }));
    return success();
  }
};

} // namespace

static Value emitQuantize(IE::QuantizeLinearOp op, const ScalarEmitter &e,
                          ValueRange x, Type result) {
  Type f32 = e.getBuilder().getF32Type();
  Value input = e.convert(x[0], f32, /*isTargetUnsigned=*/false);
  Value scale = e.convert(x[1], f32, /*isTargetUnsigned=*/false);
  Value rounded = e.create<math::RoundEvenOp>(e.div(input, scale));
  // The zero point is an integer of magnitude far below 2^24.
  if (x.size() > 2) {
    rounded = e.add(rounded, e.convert(x[2], f32, /*isTargetUnsigned=*/false));
  }
  auto [low, high] = IE::getIntegerRange(
      cast<ShapedType>(op.getOutput().getType()).getElementType());
  // Comparisons, not maxima: NaN becomes the least value.
  Value least = e.constant(rounded, static_cast<double>(low));
  Value most = e.constant(rounded, static_cast<double>(high));
  Value clamped = e.select(e.less(least, rounded), rounded, least);
  clamped = e.select(e.less(clamped, most), clamped, most);
  return e.convert(clamped, result, e.isUnsigned());
}

static Value emitDequantize(IE::DequantizeLinearOp, const ScalarEmitter &e,
                            ValueRange x, Type result) {
  Type f32 = e.getBuilder().getF32Type();
  Value value = e.convert(x[0], f32, /*isTargetUnsigned=*/false);
  if (x.size() > 2) {
    value = e.sub(value, e.convert(x[2], f32, /*isTargetUnsigned=*/false));
  }
  Value scale = e.convert(x[1], f32, /*isTargetUnsigned=*/false);
  return e.convert(e.mul(value, scale), result, /*isTargetUnsigned=*/false);
}

/// A tensor whose dimension `dim` becomes two, the last of which has `inner`
/// indices: one, or a divisor of a known size.
static Value splitDim(OpBuilder &builder, Location loc, Value value,
                      int64_t dim, int64_t inner) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  Sizes sizes = getSizes(builder, loc, value);
  if (inner != 1) {
    shape[dim] /= inner;
    sizes[dim] = builder.getIndexAttr(shape[dim]);
  }
  shape.insert(shape.begin() + dim + 1, inner);
  sizes.insert(sizes.begin() + dim + 1, builder.getIndexAttr(inner));
  return buildReshape(builder, loc, value, type.clone(shape), sizes);
}

namespace {

/// Blocks that fill their dimension are one of their own, to which their
/// parameters broadcast. Others find theirs by division.
struct BlocksToLinalg final : OpConversionPattern<IE::DequantizeLinearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::DequantizeLinearOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.isBlocked()) {
      return rewriter.notifyMatchFailure(op, "has no blocks");
    }
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op);
    bool isUnsigned = isUnsignedElement(op.getInput());
    auto emit = [&](OpBuilder &builder, Location loc, ValueRange x) {
      return emitDequantize(op, ScalarEmitter(builder, loc, isUnsigned), x,
                            type.getElementType());
    };
    int64_t length = type.getDimSize(op.getDim()), size = op.getBlockSize();
    bool isWhole = !ShapedType::isDynamic(length) && length % size == 0;
    rewriter.replaceOp(
        op, isWhole ? buildWhole(op, adaptor, rewriter, type, sizes, emit)
                    : buildAny(op, adaptor, rewriter, type, sizes, emit));
    return success();
  }

private:
  static Value buildWhole(IE::DequantizeLinearOp op, OpAdaptor adaptor,
                          OpBuilder &builder, RankedTensorType type,
                          ArrayRef<OpFoldResult> sizes, ScalarBuilder emit) {
    Location loc = op.getLoc();
    int64_t dim = op.getDim();
    SmallVector<Value> operands = {
        splitDim(builder, loc, adaptor.getInput(), dim, op.getBlockSize())};
    for (Value parameter : adaptor.getOperands().drop_front()) {
      operands.push_back(splitDim(builder, loc, parameter, dim, /*inner=*/1));
    }
    auto split = cast<RankedTensorType>(operands.front().getType());
    Value result = buildElementwise(
        builder, loc, split.clone(type.getElementType()),
        getSizes(builder, loc, operands.front()), operands, emit);
    return buildReshape(builder, loc, result, type, sizes);
  }

  static Value buildAny(IE::DequantizeLinearOp op, OpAdaptor adaptor,
                        OpBuilder &builder, RankedTensorType type,
                        ArrayRef<OpFoldResult> sizes, ScalarBuilder emit) {
    return buildFromIndices(
        builder, op.getLoc(), type,
        [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
          SmallVector<Value> elements = {
              buildExtract(b, loc, adaptor.getInput(), indices)};
          SmallVector<Value> block(indices);
          Value &index = block[op.getDim()];
          index = arith::DivUIOp::create(b, loc, index,
                                         buildIndex(b, loc, op.getBlockSize()));
          for (Value parameter : adaptor.getOperands().drop_front()) {
            elements.push_back(buildExtract(b, loc, parameter, block));
          }
          return emit(b, loc, elements);
        },
        sizes);
  }
};

/// Where the engine's signless bytes meet the model's unsigned ones, both have
/// the same type by now.
struct BitcastToLinalg final : OpConversionPattern<tensor::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tensor::BitcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (adaptor.getSource().getType() != type) {
      return rewriter.notifyMatchFailure(op, "changes more than the sign");
    }
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

} // namespace

void nacre::populateQuantizationToLinalgPatterns(const TypeConverter &converter,
                                                 RewritePatternSet &patterns) {
  patterns.add<QuantizationToLinalg<IE::QuantizeLinearOp, emitQuantize>,
               QuantizationToLinalg<IE::DequantizeLinearOp, emitDequantize>,
               BitcastToLinalg>(converter, patterns.getContext());
  patterns.add<BlocksToLinalg>(converter, patterns.getContext(),
                               /*benefit=*/2);
}
