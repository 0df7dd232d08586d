//===- Normalization.cpp - Lower the Normalization family to linalg -------===//
//
// Software kernels for the IE operator family Normalization: statistics by
// reductions that keep their dimensions, then elementwise steps to which they
// broadcast. Intermediate tensors are in the accumulator's type.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"

#include "nacre/Dialect/IE/IR/Normalization.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

using FloatBody =
    llvm::function_ref<Value(const ScalarEmitter &, ArrayRef<Value>)>;

/// An elementwise step on floats, computed in the accumulator's type of
/// `type`'s elements and rounded at the end.
static Value buildFloatStep(OpBuilder &builder, Location loc,
                            RankedTensorType type, ValueRange operands,
                            FloatBody body) {
  Type elementType = type.getElementType();
  Type computeType = getAccumulatorType(elementType);
  return buildElementwise(
      builder, loc, type, operands,
      [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
        ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
        SmallVector<Value> converted;
        for (Value element : elements) {
          converted.push_back(e.convert(element, computeType, false));
        }
        return e.convert(body(e, converted), elementType, false);
      });
}

static Value combineSum(const ScalarEmitter &e, Value sum,
                        ValueRange elements) {
  return e.add(sum, elements[0]);
}

/// Sums along `axes`, kept as 1, in the accumulator's type.
static Value buildSum(OpBuilder &builder, Location loc, Value input,
                      ArrayRef<int64_t> axes) {
  Type type = getAccumulatorType(getTensorType(input).getElementType());
  return buildReduction(builder, loc, input, axes,
                        buildScalar(builder, loc, type, 0),
                        /*isUnsigned=*/false, combineSum);
}

/// scale / sqrt(variance / count + epsilon) of given scale and variance.
static Value buildInverseDeviation(const ScalarEmitter &e,
                                   ArrayRef<Value> operands, OpFoldResult count,
                                   double epsilon) {
  Value variance = operands[1];
  if (getConstantIntValue(count) != 1) {
    variance = e.div(variance, buildNumber(e, variance.getType(), count));
  }
  Value deviation =
      e.create<math::SqrtOp>(e.add(variance, e.constant(variance, epsilon)));
  return e.div(operands[0], deviation);
}

namespace {

struct BatchNormalizationToLinalg final
    : OpConversionPattern<IE::BatchNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::BatchNormalizationOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    SmallVector<Value> parameters;
    for (Value operand : adaptor.getOperands().drop_front()) {
      parameters.push_back(
          buildPerChannel(rewriter, loc, operand, type.getRank(), sizes[1]));
    }
    Value scale = parameters[0], shift = parameters[1];
    Value mean = parameters[2], variance = parameters[3];
    double epsilon = op.getEpsilon().convertToDouble();
    // Once per channel rather than per element.
    auto factorType =
        RankedTensorType::get(getTensorType(scale).getShape(),
                              getAccumulatorType(type.getElementType()));
    Value factor =
        buildFloatStep(rewriter, loc, factorType, {scale, variance},
                       [&](const ScalarEmitter &e, ArrayRef<Value> elements) {
                         return buildInverseDeviation(
                             e, elements, rewriter.getIndexAttr(1), epsilon);
                       });
    rewriter.replaceOp(
        op, buildFloatStep(rewriter, loc, type,
                           {adaptor.getInput(), mean, factor, shift},
                           [](const ScalarEmitter &e, ArrayRef<Value> x) {
                             return e.add(e.mul(e.sub(x[0], x[1]), x[2]), x[3]);
                           }));
    return success();
  }
};

struct InstanceNormalizationToLinalg final
    : OpConversionPattern<IE::InstanceNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::InstanceNormalizationOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    int64_t rank = type.getRank();
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(2, rank));
    Sizes sizes = getResultSize(rewriter, op);
    OpFoldResult count =
        multiplySizes(rewriter, loc, ArrayRef(sizes).drop_front(2));
    double epsilon = op.getEpsilon().convertToDouble();
    auto wideType = type.clone(getAccumulatorType(type.getElementType()));
    Value sum = buildSum(rewriter, loc, adaptor.getInput(), axes);
    Value centred = buildFloatStep(
        rewriter, loc, wideType, {adaptor.getInput(), sum},
        [&](const ScalarEmitter &e, ArrayRef<Value> x) {
          return e.sub(x[0],
                       e.div(x[1], buildNumber(e, x[1].getType(), count)));
        });
    // In two passes: the difference of large sums would cancel.
    Value squares =
        buildReduction(rewriter, loc, centred, axes,
                       buildScalar(rewriter, loc, wideType.getElementType(), 0),
                       /*isUnsigned=*/false,
                       [](const ScalarEmitter &e, Value acc, ValueRange x) {
                         return e.add(acc, e.mul(x[0], x[0]));
                       });
    Value scale =
        buildPerChannel(rewriter, loc, adaptor.getScale(), rank, sizes[1]);
    Value shift =
        buildPerChannel(rewriter, loc, adaptor.getShift(), rank, sizes[1]);
    auto squaresType = getTensorType(squares);
    Value factor = buildFloatStep(
        rewriter, loc, squaresType, {scale, squares},
        [&](const ScalarEmitter &e, ArrayRef<Value> elements) {
          return buildInverseDeviation(e, elements, count, epsilon);
        });
    rewriter.replaceOp(
        op, buildFloatStep(rewriter, loc, type, {centred, factor, shift},
                           [](const ScalarEmitter &e, ArrayRef<Value> x) {
                             return e.add(e.mul(x[0], x[1]), x[2]);
                           }));
    return success();
  }
};

struct LRNToLinalg final : OpConversionPattern<IE::LRNOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::LRNOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    int64_t rank = type.getRank(), size = op.getSize();
    Type elementType = type.getElementType();
    Type sumType = getAccumulatorType(elementType);
    // Channels beyond the ends add zero.
    Sizes sizes = getResultSize(rewriter, op), shape(sizes);
    Sizes offsets(rank, rewriter.getIndexAttr(0));
    Sizes strides(rank, rewriter.getIndexAttr(1));
    shape[1] =
        addSizes(rewriter, loc, shape[1], rewriter.getIndexAttr(size - 1));
    offsets[1] = rewriter.getIndexAttr((size - 1) / 2);
    Value padded =
        buildEmbedded(rewriter, loc, adaptor.getInput(), shape, offsets,
                      strides, buildScalar(rewriter, loc, elementType, 0));
    Value window =
        buildEmpty(rewriter, loc, RankedTensorType::get(size, sumType));
    MLIRContext *context = rewriter.getContext();
    AffineMap outputMap =
        AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank);
    AffineExpr position = rewriter.getAffineDimExpr(rank);
    SmallVector<AffineExpr> inputExprs(outputMap.getResults());
    inputExprs[1] = inputExprs[1] + position;
    Value sums = buildAccumulation(
        rewriter, loc, {padded, window},
        buildFilled(rewriter, loc, type.clone(sumType),
                    buildScalar(rewriter, loc, sumType, 0), sizes),
        {AffineMap::get(rank + 1, 0, inputExprs, context),
         AffineMap::get(rank + 1, 0, position, context), outputMap},
        /*isUnsigned=*/false,
        [](const ScalarEmitter &e, Value sum, ValueRange x) {
          return e.add(sum, e.mul(x[0], x[0]));
        });
    double factor = op.getAlpha().convertToDouble() / static_cast<double>(size);
    double beta = op.getBeta().convertToDouble();
    double bias = op.getBias().convertToDouble();
    rewriter.replaceOp(
        op,
        buildFloatStep(rewriter, loc, type, {adaptor.getInput(), sums},
                       [&](const ScalarEmitter &e, ArrayRef<Value> x) {
                         Value scaled = e.mul(x[1], e.constant(x[1], factor));
                         Value base = e.add(e.constant(x[1], bias), scaled);
                         return e.div(x[0], e.create<math::PowFOp>(
                                                base, e.constant(base, beta)));
                       }));
    return success();
  }
};

/// Softmax and its logarithm.
template <typename OpT>
struct SoftmaxToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr bool isLog = std::is_same_v<OpT, IE::LogSoftmaxOp>;
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    if (type.getRank() == 0) {
      return rewriter.notifyMatchFailure(op, "needs a dimension");
    }
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    axis += axis < 0 ? type.getRank() : 0;
    Type wide = getAccumulatorType(type.getElementType());
    Value max =
        buildReduction(rewriter, loc, adaptor.getInput(), axis,
                       buildLowest(rewriter, loc, wide, /*isUnsigned=*/false),
                       /*isUnsigned=*/false,
                       [](const ScalarEmitter &e, Value best, ValueRange x) {
                         return e.max(best, x[0]);
                       });
    Value exponentials = buildFloatStep(
        rewriter, loc, type.clone(wide), {adaptor.getInput(), max},
        [](const ScalarEmitter &e, ArrayRef<Value> x) {
          return e.create<math::ExpOp>(e.sub(x[0], x[1]));
        });
    Value sum = buildSum(rewriter, loc, exponentials, axis);
    Value result;
    if (isLog) {
      result = buildFloatStep(
          rewriter, loc, type, {adaptor.getInput(), max, sum},
          [](const ScalarEmitter &e, ArrayRef<Value> x) {
            return e.sub(e.sub(x[0], x[1]), e.create<math::LogOp>(x[2]));
          });
    } else {
      result = buildFloatStep(rewriter, loc, type, {exponentials, sum},
                              [](const ScalarEmitter &e, ArrayRef<Value> x) {
                                // One division for all that share the sum.
                                Value one = e.constant(x[1], 1);
                                return e.mul(x[0], e.div(one, x[1]));
                              });
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct HardmaxToLinalg final : OpConversionPattern<IE::HardmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::HardmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    if (type.getRank() == 0) {
      return rewriter.notifyMatchFailure(op, "needs a dimension");
    }
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    axis += axis < 0 ? type.getRank() : 0;
    Value positions = buildArgReduction(
        rewriter, loc, adaptor.getInput(), axis, /*isUnsigned=*/false,
        [](const ScalarEmitter &e, Value best, ValueRange x) {
          return e.less(best, x[0]);
        });
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type,
                // The operand says how large the result is.
                ValueRange{positions, adaptor.getInput()},
                [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
                  ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
                  Value index = e.create<linalg::IndexOp>(axis);
                  Value here =
                      e.create<arith::IndexCastOp>(b.getI64Type(), index);
                  Type elementType = type.getElementType();
                  return e.select(e.equal(here, elements[0]),
                                  buildScalar(b, nestedLoc, elementType, 1),
                                  buildScalar(b, nestedLoc, elementType, 0));
                }));
    return success();
  }
};

} // namespace

void nacre::populateNormalizationToLinalgPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BatchNormalizationToLinalg, InstanceNormalizationToLinalg,
               LRNToLinalg, SoftmaxToLinalg<IE::SoftmaxOp>,
               SoftmaxToLinalg<IE::LogSoftmaxOp>, HardmaxToLinalg>(
      converter, patterns.getContext());
}
