//===- Normalization.cpp - Lower the Normalization family to linalg -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Normalization: statistics by
// reductions that keep their dimensions, then elementwise steps to which they
// broadcast. Intermediate tensors are in the accumulator's type.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace nacre;

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

/// Local response normalisation. Every channel is divided by a power of what
/// the squares of its neighbours sum up to.
struct LRNToLinalg final : OpConversionPattern<IE::LRNOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::LRNOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op);
    bool hasSlices = VPU::getAlgorithm(op) == VPU::Algorithm::slices;
    rewriter.replaceOp(op, (hasSlices ? sumSlices : sumPadded)(
                               rewriter, op, adaptor.getInput(), type, sizes));
    return success();
  }

private:
  /// How many channels count, and how many of them come before the own one.
  static int64_t getSize(IE::LRNOp op) {
    return static_cast<int64_t>(op.getSize());
  }
  static int64_t getBefore(IE::LRNOp op) { return (getSize(op) - 1) / 2; }

  static Value divide(const ScalarEmitter &e, IE::LRNOp op, Value x,
                      Value sum) {
    double factor =
        op.getAlpha().convertToDouble() / static_cast<double>(getSize(op));
    Value scaled = e.mul(sum, e.constant(sum, factor));
    Value base = e.add(e.constant(sum, op.getBias().convertToDouble()), scaled);
    Value beta = e.constant(base, op.getBeta().convertToDouble());
    return e.div(x, e.create<math::PowFOp>(base, beta));
  }

  /// In one pass: channels with all neighbours read as many slices of the input
  /// as these are, the first and the last ones fewer.
  static Value sumSlices(OpBuilder &builder, IE::LRNOp op, Value input,
                         RankedTensorType type, const Sizes &sizes) {
    Location loc = op.getLoc();
    int64_t channels = type.getDimSize(1), size = getSize(op);
    int64_t before = getBefore(op), after = size - 1 - before;
    Sizes offsets(type.getRank(), builder.getIndexAttr(0)), shape(sizes);
    Sizes strides(type.getRank(), builder.getIndexAttr(1));
    Value result = buildEmpty(builder, loc, type, sizes);
    for (int64_t begin = 0, end; begin < channels; begin = end) {
      end = begin == before ? channels - after : begin + 1;
      int64_t first = std::max<int64_t>(begin - before, 0);
      int64_t last = std::min(begin + after, channels - 1);
      shape[1] = builder.getIndexAttr(end - begin);
      SmallVector<Value> slices;
      for (int64_t channel = first; channel <= last; ++channel) {
        offsets[1] = builder.getIndexAttr(channel);
        slices.push_back(tensor::ExtractSliceOp::create(
            builder, loc, input, offsets, shape, strides));
      }
      Value part = buildFloatStep(
          builder, loc, cast<RankedTensorType>(slices.front().getType()),
          slices, [&](const ScalarEmitter &e, ArrayRef<Value> x) {
            Value sum = e.mul(x.front(), x.front());
            for (Value other : x.drop_front()) {
              sum = e.add(sum, e.mul(other, other));
            }
            return divide(e, op, x[begin - first], sum);
          });
      offsets[1] = builder.getIndexAttr(begin);
      result = tensor::InsertSliceOp::create(builder, loc, part, result,
                                             offsets, shape, strides);
    }
    return result;
  }

  /// For any number of channels: those beyond the ends add zero.
  static Value sumPadded(OpBuilder &builder, IE::LRNOp op, Value input,
                         RankedTensorType type, const Sizes &sizes) {
    Location loc = op.getLoc();
    int64_t rank = type.getRank(), size = getSize(op);
    Type elementType = type.getElementType();
    Type sumType = getAccumulatorType(elementType);
    Sizes offsets(rank, builder.getIndexAttr(0)), shape(sizes);
    Sizes strides(rank, builder.getIndexAttr(1));
    shape[1] = addSizes(builder, loc, shape[1], builder.getIndexAttr(size - 1));
    offsets[1] = builder.getIndexAttr(getBefore(op));
    Value padded = buildEmbedded(builder, loc, input, shape, offsets, strides,
                                 buildScalar(builder, loc, elementType, 0));
    Value window =
        buildEmpty(builder, loc, RankedTensorType::get(size, sumType));
    MLIRContext *context = builder.getContext();
    AffineMap outputMap =
        AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank);
    AffineExpr position = builder.getAffineDimExpr(rank);
    SmallVector<AffineExpr> inputExprs(outputMap.getResults());
    inputExprs[1] = inputExprs[1] + position;
    Value sums = buildAccumulation(
        builder, loc, {padded, window},
        buildFilled(builder, loc, type.clone(sumType),
                    buildScalar(builder, loc, sumType, 0), sizes),
        {AffineMap::get(rank + 1, 0, inputExprs, context),
         AffineMap::get(rank + 1, 0, position, context), outputMap},
        /*isUnsigned=*/false,
        [](const ScalarEmitter &e, Value sum, ValueRange x) {
          return e.add(sum, e.mul(x[0], x[0]));
        });
    return buildFloatStep(builder, loc, type, {input, sums},
                          [&](const ScalarEmitter &e, ArrayRef<Value> x) {
                            return divide(e, op, x[0], x[1]);
                          });
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
    Value exponentials, sum;
    if (VPU::getAlgorithm(op) == VPU::Algorithm::atOnce) {
      std::tie(exponentials, sum) = buildExponentialsAndSum(
          rewriter, loc, adaptor.getInput(), max, type.clone(wide), axis);
    } else {
      exponentials = buildFloatStep(
          rewriter, loc, type.clone(wide), {adaptor.getInput(), max},
          [](const ScalarEmitter &e, ArrayRef<Value> x) {
            return exponentiate(e, x[0], x[1]);
          });
      sum = buildSum(rewriter, loc, exponentials, axis);
    }
    Value result;
    if (isLog) {
      result = buildFloatStep(
          rewriter, loc, type, {adaptor.getInput(), max, sum},
          [](const ScalarEmitter &e, ArrayRef<Value> x) {
            return e.sub(e.sub(x[0], x[1]), e.create<math::LogOp>(x[2]));
          });
    } else if (isInPlace(op)) {
      result = scaleInPlace(rewriter, loc, exponentials, sum);
    } else {
      result = buildFloatStep(rewriter, loc, type, {exponentials, sum},
                              [](const ScalarEmitter &e, ArrayRef<Value> x) {
                                return scale(e, x[0], x[1]);
                              });
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value scale(const ScalarEmitter &e, Value x, Value sum) {
    // One division for all that share the sum.
    return e.mul(x, e.div(e.constant(sum, 1), sum));
  }

  static Value exponentiate(const ScalarEmitter &e, Value x, Value max) {
    return e.create<math::ExpOp>(e.sub(x, max));
  }

  /// One loop that stores the exponentials of a row and adds them up, along
  /// `axis`, which the sum keeps as 1.
  static std::pair<Value, Value>
  buildExponentialsAndSum(OpBuilder &builder, Location loc, Value input,
                          Value max, RankedTensorType type, int64_t axis) {
    ReductionShape shape = getReductionShape(builder, loc, input, axis);
    Type wide = type.getElementType();
    Value empty = buildEmpty(builder, loc, type, getSizes(builder, loc, input));
    Value zero = buildFilled(
        builder, loc, RankedTensorType::get(getShape(shape.reduced), wide),
        buildScalar(builder, loc, wide, 0), shape.reduced);
    // The only row.
    SmallVector<AffineExpr> first(type.getRank(),
                                  builder.getAffineConstantExpr(0));
    AffineMap maps[] = {
        shape.inputMap,
        AffineMap::get(type.getRank(), 0, first, builder.getContext()),
        shape.inputMap, shape.outputMap};
    auto loop = linalg::GenericOp::create(
        builder, loc, TypeRange{type, zero.getType()}, ValueRange{input, max},
        ValueRange{empty, zero}, maps, getIteratorTypes(shape.outputMap),
        [](OpBuilder &b, Location nested, ValueRange x) {
          ScalarEmitter e(b, nested, /*isUnsigned=*/false);
          Value exponential = exponentiate(e, x[0], x[1]);
          linalg::YieldOp::create(
              b, nested, ValueRange{exponential, e.add(x[3], exponential)});
        });
    return {loop.getResult(0),
            buildReshape(builder, loc, loop.getResult(1),
                         RankedTensorType::get(getShape(shape.kept), wide),
                         shape.kept)};
  }

  static bool isInPlace(IE::SoftmaxOp op) {
    VPU::Algorithm algorithm = VPU::getAlgorithm(op);
    return algorithm == VPU::Algorithm::inPlace ||
           algorithm == VPU::Algorithm::atOnce;
  }
  static bool isInPlace(IE::LogSoftmaxOp /*op*/) { return false; }

  /// The row where it lies, so that the cache has no third one to hold.
  static Value scaleInPlace(OpBuilder &builder, Location loc, Value row,
                            Value sum) {
    auto type = cast<RankedTensorType>(row.getType());
    int64_t rank = type.getRank();
    SmallVector<AffineExpr> first(rank, builder.getAffineConstantExpr(0));
    AffineMap maps[] = {AffineMap::get(rank, 0, first, builder.getContext()),
                        builder.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               builder, loc, TypeRange(type), sum, row, maps, iterators,
               [](OpBuilder &b, Location nested, ValueRange x) {
                 ScalarEmitter e(b, nested, /*isUnsigned=*/false);
                 linalg::YieldOp::create(b, nested, scale(e, x[1], x[0]));
               })
        .getResult(0);
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
    Value positions =
        buildArgReduction(rewriter, loc, adaptor.getInput(), axis,
                          {/*largest=*/true, /*isUnsigned=*/false});
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
