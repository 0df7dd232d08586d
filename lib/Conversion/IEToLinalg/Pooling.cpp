//===- Pooling.cpp - Lower the Pooling family to linalg -------------------===//
//
// Software kernels for the IE operator family Pooling: a linalg.generic with
// loops (n, channel, spatial output…, kernel…) over the padded input. How many
// elements a mean is taken of is known at compile time, so it is a constant.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The input with `fill` around it, so that every window lies inside. With
/// ceil_mode, windows can reach beyond the declared padding.
static Value buildPadded(OpBuilder &builder, Location loc, Value input,
                         const IE::Window &window, Value fill) {
  SmallVector<int64_t> shape(getTensorType(input).getShape());
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    int64_t extent = (window.kernel[i] - 1) * window.dilations[i] + 1;
    int64_t reached = (window.output[i] - 1) * window.strides[i] + extent;
    offsets[i + 2] = window.padsBegin[i];
    shape[i + 2] = std::max(
        window.padsBegin[i] + shape[i + 2] + window.padsEnd[i], reached);
  }
  return buildEmbedded(builder, loc, input, shape, offsets, ones, fill);
}

/// Maps (padded input, window, output) of a kernel over `window`.
static SmallVector<AffineMap> getWindowMaps(Builder &builder,
                                            const IE::Window &window) {
  int64_t spatialRank = window.kernel.size();
  SmallVector<AffineExpr> inputs, positions, outputs;
  for (int64_t i = 0; i < spatialRank + 2; ++i) {
    outputs.push_back(builder.getAffineDimExpr(i));
  }
  inputs.append({outputs[0], outputs[1]});
  for (int64_t i = 0; i < spatialRank; ++i) {
    positions.push_back(builder.getAffineDimExpr(spatialRank + 2 + i));
    inputs.push_back(outputs[i + 2] * window.strides[i] +
                     positions[i] * window.dilations[i]);
  }
  int64_t loops = 2 * spatialRank + 2;
  MLIRContext *context = builder.getContext();
  return {AffineMap::get(loops, 0, inputs, context),
          AffineMap::get(loops, 0, positions, context),
          AffineMap::get(loops, 0, outputs, context)};
}

/// An operand that only gives the kernel loops their bounds.
static Value buildWindowShape(OpBuilder &builder, Location loc,
                              const IE::Window &window, Type elementType) {
  return buildEmpty(builder, loc,
                    RankedTensorType::get(window.kernel, elementType));
}

/// Combines the elements of each window, starting at `init`.
static Value buildPool(OpBuilder &builder, Location loc, Value input,
                       const IE::Window &window, RankedTensorType type,
                       Value fill, Value init, bool isUnsigned,
                       AccumulateBuilder combine) {
  Value padded = buildPadded(builder, loc, input, window, fill);
  Value shape = buildWindowShape(builder, loc, window, init.getType());
  Value filled = buildFilled(builder, loc, type.clone(init.getType()), init);
  return buildAccumulation(builder, loc, {padded, shape}, filled,
                           getWindowMaps(builder, window), isUnsigned, combine);
}

static Value combineMax(const ScalarEmitter &e, Value best,
                        ValueRange elements) {
  return e.max(best, elements[0]);
}

static Value combineSum(const ScalarEmitter &e, Value sum,
                        ValueRange elements) {
  return e.add(sum, elements[0]);
}

namespace {

struct MaxPoolToLinalg final : OpConversionPattern<IE::MaxPoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MaxPoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!type || !getTensorType(adaptor.getInput()).hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    bool isUnsigned = isUnsignedElement(op.getInput());
    Value fill = buildLowest(rewriter, loc, elementType, isUnsigned);
    Value init =
        buildLowest(rewriter, loc, getAccumulatorType(elementType), isUnsigned);
    Value result = buildPool(rewriter, loc, adaptor.getInput(), *window, type,
                             fill, init, isUnsigned, combineMax);
    rewriter.replaceOp(
        op, buildConverted(rewriter, loc, result, elementType, isUnsigned));
    return success();
  }
};

struct MaxPoolWithIndicesToLinalg final
    : OpConversionPattern<IE::MaxPoolWithIndicesOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MaxPoolWithIndicesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    if (!type || !inputType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Type i64 = rewriter.getI64Type();
    bool isUnsigned = isUnsignedElement(op.getInput());
    Value lowest = buildLowest(rewriter, loc, elementType, isUnsigned);
    Value padded =
        buildPadded(rewriter, loc, adaptor.getInput(), *window, lowest);
    Value shape = buildWindowShape(rewriter, loc, *window, elementType);
    Value best = buildFilled(rewriter, loc, type, lowest);
    // A negative position says that nothing has been found so far.
    Value position = buildFilled(rewriter, loc, type.clone(i64),
                                 buildScalar(rewriter, loc, i64, -1));
    SmallVector<AffineMap> maps = getWindowMaps(rewriter, *window);
    maps.push_back(maps.back());
    auto generic = linalg::GenericOp::create(
        rewriter, loc, TypeRange{type, type.clone(i64)},
        ValueRange{padded, shape}, ValueRange{best, position}, maps,
        getIteratorTypes(maps.back()),
        [&](OpBuilder &b, Location nestedLoc, ValueRange scalars) {
          ScalarEmitter e(b, nestedLoc, isUnsigned);
          Value element = scalars[0], bestSoFar = scalars[2];
          Value isInside;
          Value here = buildPosition(
              ScalarEmitter(b, nestedLoc, /*isUnsigned=*/false), *window,
              inputType, op.getStorageOrder() != 0, isInside);
          Value wide = widenHalf(b, nestedLoc, element);
          Value take = e.less(widenHalf(b, nestedLoc, bestSoFar), wide);
          if (isa<FloatType>(wide.getType())) {
            Value isNaN =
                e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, wide, wide);
            take = e.create<arith::OrIOp>(take, isNaN);
          }
          Value isFirst = e.create<arith::CmpIOp>(
              arith::CmpIPredicate::slt, scalars[3], e.constant(scalars[3], 0));
          take = e.create<arith::AndIOp>(isInside,
                                         e.create<arith::OrIOp>(take, isFirst));
          Value nextBest = e.select(take, element, bestSoFar);
          Value nextPosition = e.select(take, here, scalars[3]);
          linalg::YieldOp::create(b, nestedLoc,
                                  ValueRange{nextBest, nextPosition});
        });
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }

private:
  /// The position of the present element in the flattened input, and whether it
  /// lies in the input at all.
  static Value buildPosition(const ScalarEmitter &e, const IE::Window &window,
                             RankedTensorType inputType, bool isColumnMajor,
                             Value &isInside) {
    int64_t spatialRank = window.kernel.size();
    auto getLoop = [&](int64_t loop) {
      return e.create<linalg::IndexOp>(loop);
    };
    auto getConstant = [&](int64_t value) {
      return e.create<arith::ConstantIndexOp>(value);
    };
    Value zero = getConstant(0);
    isInside = e.create<arith::ConstantIntOp>(true, 1);
    SmallVector<Value> coordinates;
    for (int64_t i = 0; i < spatialRank; ++i) {
      Value start = e.mul(getLoop(i + 2), getConstant(window.strides[i]));
      Value shift =
          e.mul(getLoop(spatialRank + 2 + i), getConstant(window.dilations[i]));
      Value at = e.sub(e.add(start, shift), getConstant(window.padsBegin[i]));
      Value size = getConstant(inputType.getDimSize(i + 2));
      isInside = e.create<arith::AndIOp>(isInside, e.lessOrEqual(zero, at));
      isInside = e.create<arith::AndIOp>(isInside, e.less(at, size));
      coordinates.push_back(at);
    }
    Value position = e.add(
        e.mul(getLoop(0), getConstant(inputType.getDimSize(1))), getLoop(1));
    // Only the spatial dimensions change their order.
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, spatialRank));
    if (isColumnMajor) {
      std::reverse(order.begin(), order.end());
    }
    for (int64_t i : order) {
      position =
          e.add(e.mul(position, getConstant(inputType.getDimSize(i + 2))),
                coordinates[i]);
    }
    return e.create<arith::IndexCastOp>(e.getBuilder().getI64Type(), position);
  }
};

struct AveragePoolToLinalg final : OpConversionPattern<IE::AveragePoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::AveragePoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    if (!type || !inputType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<IE::Window> window = op.getWindow();
    if (failed(window)) {
      return rewriter.notifyMatchFailure(op, "has no valid window");
    }
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Type sumType = getAccumulatorType(elementType);
    Value sums = buildPool(rewriter, loc, adaptor.getInput(), *window, type,
                           buildScalar(rewriter, loc, elementType, 0),
                           buildScalar(rewriter, loc, sumType, 0),
                           /*isUnsigned=*/false, combineSum);
    Value counts = arith::ConstantOp::create(
        rewriter, loc,
        countElements(*window, inputType.getShape().drop_front(2), sumType,
                      op.getCountIncludePad() != 0));
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, {sums, counts},
                [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
                  Value mean = arith::DivFOp::create(b, nestedLoc, elements[0],
                                                     elements[1]);
                  return narrowHalf(b, nestedLoc, mean, elementType);
                }));
    return success();
  }

private:
  /// How many elements each window counts, over the spatial output.
  static DenseElementsAttr countElements(const IE::Window &window,
                                         ArrayRef<int64_t> spatial,
                                         Type elementType, bool countPads) {
    // A window is a box, and so is what counts of it: the product of what
    // counts along each dimension.
    SmallVector<double> counts = {1};
    for (size_t i = 0; i < spatial.size(); ++i) {
      int64_t begin = countPads ? -window.padsBegin[i] : 0;
      int64_t end = spatial[i] + (countPads ? window.padsEnd[i] : 0);
      SmallVector<double> next;
      for (double count : counts) {
        for (int64_t o = 0; o < window.output[i]; ++o) {
          int64_t first = o * window.strides[i] - window.padsBegin[i];
          int64_t along = 0;
          for (int64_t k = 0; k < window.kernel[i]; ++k) {
            int64_t at = first + k * window.dilations[i];
            along += at >= begin && at < end;
          }
          next.push_back(count * static_cast<double>(along));
        }
      }
      counts = std::move(next);
    }
    SmallVector<Attribute> elements;
    for (double count : counts) {
      elements.push_back(FloatAttr::get(elementType, count));
    }
    return DenseElementsAttr::get(
        RankedTensorType::get(window.output, elementType), elements);
  }
};

/// Axes 2 and up.
static SmallVector<int64_t> getSpatialAxes(RankedTensorType type) {
  return llvm::to_vector(llvm::seq<int64_t>(2, type.getRank()));
}

struct GlobalAveragePoolToLinalg final
    : OpConversionPattern<IE::GlobalAveragePoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GlobalAveragePoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    if (!type || !inputType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Value zero = buildScalar(rewriter, loc, getAccumulatorType(elementType), 0);
    Value sums = buildReduction(rewriter, loc, adaptor.getInput(),
                                getSpatialAxes(inputType), zero,
                                /*isUnsigned=*/false, combineSum);
    double count =
        ShapedType::getNumElements(inputType.getShape().drop_front(2));
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, sums,
                [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
                  ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
                  Value mean =
                      e.div(elements[0], e.constant(elements[0], count));
                  return narrowHalf(b, nestedLoc, mean, elementType);
                }));
    return success();
  }
};

struct GlobalMaxPoolToLinalg final : OpConversionPattern<IE::GlobalMaxPoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GlobalMaxPoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    if (!type || !inputType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Value lowest = buildLowest(rewriter, loc, getAccumulatorType(elementType),
                               /*isUnsigned=*/false);
    Value result = buildReduction(rewriter, loc, adaptor.getInput(),
                                  getSpatialAxes(inputType), lowest,
                                  /*isUnsigned=*/false, combineMax);
    rewriter.replaceOp(op, buildConverted(rewriter, loc, result, elementType,
                                          /*isUnsigned=*/false));
    return success();
  }
};

} // namespace

void nacre::populatePoolingToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<MaxPoolToLinalg, MaxPoolWithIndicesToLinalg, AveragePoolToLinalg,
               GlobalAveragePoolToLinalg, GlobalMaxPoolToLinalg>(
      converter, patterns.getContext());
}
