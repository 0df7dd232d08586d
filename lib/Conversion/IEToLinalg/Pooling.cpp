//===- Pooling.cpp - Lower the Pooling family to linalg -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Pooling: a linalg.generic with
// loops (n, channel, spatial output…, kernel…) over the padded input, or one
// without loops over a small kernel, whose places are operands each. How many
// elements a mean is taken of is a constant where the sizes are known.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace nacre;

/// The input with `fill` around it, so that every window lies inside. With
/// ceil_mode, windows can reach beyond the declared padding.
static Value buildPadded(IE::SizeBuilder &sizes, Value input,
                         const IE::SizedWindow &window, bool isCeil,
                         Value fill) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  Sizes shape = getSizes(builder, loc, input);
  OpFoldResult one = sizes.number(1);
  Sizes offsets(shape.size(), sizes.number(0)), ones(shape.size(), one);
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    OpFoldResult &size = shape[i + 2];
    offsets[i + 2] = window.padsBegin[i];
    size = sizes.add(sizes.add(window.padsBegin[i], size), window.padsEnd[i]);
    if (isCeil) {
      OpFoldResult last = sizes.subtract(window.output[i], one);
      OpFoldResult start =
          sizes.multiply({last, sizes.number(window.strides[i])});
      OpFoldResult extent = sizes.add(window.getReach(sizes, i), one);
      size = sizes.max(size, sizes.add(start, extent));
    }
  }
  return buildEmbedded(builder, loc, input, shape, offsets, ones, fill);
}

/// Maps (padded input, window, output) of a kernel over `window`.
static SmallVector<AffineMap> getWindowMaps(Builder &builder,
                                            const IE::SizedWindow &window) {
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
                              const IE::SizedWindow &window, Type elementType) {
  return buildEmpty(builder, loc,
                    RankedTensorType::get(getShape(window.kernel), elementType),
                    window.kernel);
}

/// In one pass: each place in a window, whose size is known, is a slice of
/// `padded`.
static Value combineSlices(OpBuilder &builder, Location loc, Value padded,
                           const IE::SizedWindow &window, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes, Value init,
                           bool isUnsigned, AccumulateBuilder combine) {
  SmallVector<int64_t> kernel = getShape(window.kernel);
  SmallVector<int64_t> single(kernel.size(), 1);
  Sizes strides(2, builder.getIndexAttr(1));
  llvm::append_range(
      strides, getAsIndexOpFoldResult(builder.getContext(), window.strides));
  SmallVector<Value> slices;
  for (const SmallVector<int64_t> &place :
       StaticTileOffsetRange(kernel, single)) {
    Sizes offsets(2, builder.getIndexAttr(0));
    for (auto [at, dilation] : llvm::zip_equal(place, window.dilations)) {
      offsets.push_back(builder.getIndexAttr(at * dilation));
    }
    slices.push_back(tensor::ExtractSliceOp::create(
        builder, loc, padded, offsets, Sizes(sizes), strides));
  }
  return buildElementwise(
      builder, loc, type, sizes, slices,
      [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
        ScalarEmitter e(b, nestedLoc, isUnsigned);
        Value result = init;
        for (Value element : elements) {
          result = combine(
              e, result, e.convert(element, type.getElementType(), isUnsigned));
        }
        return result;
      });
}

/// Combines the elements of each window of `op`, starting at `init`.
template <typename OpT>
static Value buildPool(ConversionPatternRewriter &rewriter, OpT op, Value input,
                       const IE::SizedWindow &window, RankedTensorType type,
                       ArrayRef<OpFoldResult> sizes, Value fill, Value init,
                       bool isUnsigned, AccumulateBuilder combine) {
  Location loc = op.getLoc();
  TracingSizeBuilder tracing(rewriter, loc);
  Value padded =
      buildPadded(tracing, input, window, op.getCeilMode() != 0, fill);
  // No slice of no elements begins inside.
  bool isEmpty = llvm::any_of(sizes, isZeroInteger);
  if (VPU::getAlgorithm(op) == VPU::Algorithm::slices && !isEmpty) {
    return combineSlices(rewriter, loc, padded, window,
                         type.clone(init.getType()), sizes, init, isUnsigned,
                         combine);
  }
  Value shape = buildWindowShape(rewriter, loc, window, init.getType());
  Value filled =
      buildFilled(rewriter, loc, type.clone(init.getType()), init, sizes);
  return buildAccumulation(rewriter, loc, {padded, shape}, filled,
                           getWindowMaps(rewriter, window), isUnsigned,
                           combine);
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
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    TracingSizeBuilder tracing(rewriter, loc);
    IE::SizedWindow window = op.getWindow(tracing);
    FailureOr<SmallVector<Sizes>> all = getResultSizes(rewriter, op);
    if (failed(all)) {
      return failure();
    }
    const Sizes &sizes = all->front();
    Type elementType = type.getElementType();
    bool isUnsigned = isUnsignedElement(op.getInput());
    Value fill = buildLowest(rewriter, loc, elementType, isUnsigned);
    Value init =
        buildLowest(rewriter, loc, getAccumulatorType(elementType), isUnsigned);
    Value result = buildPool(rewriter, op, adaptor.getInput(), window, type,
                             sizes, fill, init, isUnsigned, combineMax);
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
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    TracingSizeBuilder tracing(rewriter, loc);
    IE::SizedWindow window = op.getWindow(tracing);
    FailureOr<SmallVector<Sizes>> all = getResultSizes(rewriter, op);
    if (failed(all)) {
      return failure();
    }
    const Sizes &sizes = all->front();
    Sizes inputSizes = getSizes(rewriter, loc, adaptor.getInput());
    Type elementType = type.getElementType();
    Type i64 = rewriter.getI64Type();
    bool isUnsigned = isUnsignedElement(op.getInput());
    Value lowest = buildLowest(rewriter, loc, elementType, isUnsigned);
    Value padded = buildPadded(tracing, adaptor.getInput(), window,
                               op.getCeilMode() != 0, lowest);
    Value shape = buildWindowShape(rewriter, loc, window, elementType);
    Value best = buildFilled(rewriter, loc, type, lowest, sizes);
    // A negative position says that nothing has been found so far.
    Value position = buildFilled(rewriter, loc, type.clone(i64),
                                 buildScalar(rewriter, loc, i64, -1), sizes);
    SmallVector<AffineMap> maps = getWindowMaps(rewriter, window);
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
              ScalarEmitter(b, nestedLoc, /*isUnsigned=*/false), window,
              inputSizes, op.getStorageOrder() != 0, isInside);
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
    // What is known of one result's size need not be known of the other's.
    Value positions =
        buildCast(rewriter, loc, generic.getResult(1),
                  getRankedType(*getTypeConverter(), op.getIndices()));
    rewriter.replaceOp(op, {generic.getResult(0), positions});
    return success();
  }

private:
  /// The position of the present element in the flattened input, and whether it
  /// lies in the input at all.
  static Value buildPosition(const ScalarEmitter &e,
                             const IE::SizedWindow &window,
                             ArrayRef<OpFoldResult> inputSizes,
                             bool isColumnMajor, Value &isInside) {
    int64_t spatialRank = window.kernel.size();
    auto getLoop = [&](int64_t loop) {
      return e.create<linalg::IndexOp>(loop);
    };
    auto getConstant = [&](int64_t value) {
      return e.create<arith::ConstantIndexOp>(value);
    };
    auto getSize = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(e.getBuilder(), e.getLoc(), size);
    };
    Value zero = getConstant(0);
    isInside = e.create<arith::ConstantIntOp>(true, 1);
    SmallVector<Value> coordinates;
    for (int64_t i = 0; i < spatialRank; ++i) {
      Value start = e.mul(getLoop(i + 2), getConstant(window.strides[i]));
      Value shift =
          e.mul(getLoop(spatialRank + 2 + i), getConstant(window.dilations[i]));
      Value at = e.sub(e.add(start, shift), getSize(window.padsBegin[i]));
      Value size = getSize(inputSizes[i + 2]);
      isInside = e.create<arith::AndIOp>(isInside, e.lessOrEqual(zero, at));
      isInside = e.create<arith::AndIOp>(isInside, e.less(at, size));
      coordinates.push_back(at);
    }
    Value position =
        e.add(e.mul(getLoop(0), getSize(inputSizes[1])), getLoop(1));
    // Only the spatial dimensions change their order.
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, spatialRank));
    if (isColumnMajor) {
      std::reverse(order.begin(), order.end());
    }
    for (int64_t i : order) {
      position =
          e.add(e.mul(position, getSize(inputSizes[i + 2])), coordinates[i]);
    }
    return e.create<arith::IndexCastOp>(e.getBuilder().getI64Type(), position);
  }
};

struct AveragePoolToLinalg final : OpConversionPattern<IE::AveragePoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::AveragePoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    TracingSizeBuilder tracing(rewriter, loc);
    IE::SizedWindow window = op.getWindow(tracing);
    FailureOr<SmallVector<Sizes>> all = getResultSizes(rewriter, op);
    if (failed(all)) {
      return failure();
    }
    const Sizes &sizes = all->front();
    Value input = adaptor.getInput();
    if (readsNarrow(op)) {
      // The sum extends each element that it reads, and no image in f32 is
      // written, padded and read.
      input = rewriter.getRemappedValue(VPU::getNarrowImage(op));
    }
    Sizes inputSizes = getSizes(rewriter, loc, input);
    Type elementType = type.getElementType();
    Type sumType = getAccumulatorType(elementType);
    Value zero =
        buildScalar(rewriter, loc, getElementTypeOrSelf(input.getType()), 0);
    Value sums = buildPool(rewriter, op, input, window, type, sizes, zero,
                           buildScalar(rewriter, loc, sumType, 0),
                           /*isUnsigned=*/false, combineSum);
    Value counts = buildCounts(rewriter, op, window,
                               ArrayRef(inputSizes).drop_front(2), sumType);
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, sizes, {sums, counts},
                [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
                  Value mean = arith::DivFOp::create(b, nestedLoc, elements[0],
                                                     elements[1]);
                  return narrowHalf(b, nestedLoc, mean, elementType);
                }));
    return success();
  }

private:
  static bool readsNarrow(IE::AveragePoolOp op) {
    VPU::Algorithm algorithm = VPU::getAlgorithm(op);
    return algorithm == VPU::Algorithm::narrowImage ||
           algorithm == VPU::Algorithm::narrowSoftware ||
           (algorithm == VPU::Algorithm::slices && VPU::getNarrowImage(op));
  }

  /// How many elements each window counts, over the spatial output.
  static Value buildCounts(OpBuilder &builder, IE::AveragePoolOp op,
                           const IE::SizedWindow &window,
                           ArrayRef<OpFoldResult> spatial, Type elementType) {
    Location loc = op.getLoc();
    auto isKnown = [](OpFoldResult size) {
      return getConstantIntValue(size).has_value();
    };
    if (llvm::all_of(spatial, isKnown) &&
        llvm::all_of(window.kernel, isKnown)) {
      FailureOr<IE::Window> known = op.getWindow();
      assert(succeeded(known) && "type inference resolves it, too");
      return arith::ConstantOp::create(
          builder, loc,
          countElements(*known, getShape(spatial), elementType,
                        op.getCountIncludePad() != 0));
    }
    bool isWhole =
        op.getCeilMode() == 0 &&
        (op.getCountIncludePad() != 0 ||
         llvm::all_of(
             llvm::concat<const OpFoldResult>(window.padsBegin, window.padsEnd),
             [](OpFoldResult pad) { return getConstantIntValue(pad) == 0; }));
    ScalarEmitter outer(builder, loc, /*isUnsigned=*/false);
    if (isWhole) {
      Value count = buildNumber(outer, elementType,
                                multiplySizes(builder, loc, window.kernel));
      return buildFilled(builder, loc, RankedTensorType::get({}, elementType),
                         count);
    }
    return buildFromIndices(
        builder, loc,
        RankedTensorType::get(getShape(window.output), elementType),
        [&](OpBuilder &b, Location nested, ValueRange indices) {
          OpFoldResult count = b.getIndexAttr(1);
          for (size_t i = 0; i < spatial.size(); ++i) {
            count = multiplySizes(
                b, nested,
                {count, countAlong(b, nested, window, i, spatial[i], indices[i],
                                   op.getCountIncludePad() != 0)});
          }
          return buildNumber(ScalarEmitter(b, nested, /*isUnsigned=*/false),
                             elementType, count);
        },
        window.output);
  }

  /// The same along dimension `i` of `size` for the window of `output`.
  static OpFoldResult countAlong(OpBuilder &b, Location loc,
                                 const IE::SizedWindow &window, size_t i,
                                 OpFoldResult size, Value output,
                                 bool countPads) {
    IE::SizeBuilder sizes(b, loc);
    OpFoldResult zero = sizes.number(0);
    OpFoldResult dilation = sizes.number(window.dilations[i]);
    // Relative to the first element of the window.
    OpFoldResult first = sizes.subtract(
        sizes.multiply({output, sizes.number(window.strides[i])}),
        window.padsBegin[i]);
    OpFoldResult begin = zero, end = size;
    if (countPads) {
      begin = sizes.subtract(zero, window.padsBegin[i]);
      end = sizes.add(size, window.padsEnd[i]);
    }
    auto countBefore = [&](OpFoldResult bound) {
      OpFoldResult distance = sizes.max(sizes.subtract(bound, first), zero);
      return sizes.min(sizes.divideUp(distance, dilation), window.kernel[i]);
    };
    return sizes.subtract(countBefore(end), countBefore(begin));
  }

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

} // namespace

/// Axes 2 and up.
static SmallVector<int64_t> getSpatialAxes(RankedTensorType type) {
  return llvm::to_vector(llvm::seq<int64_t>(2, type.getRank()));
}

namespace {

struct GlobalAveragePoolToLinalg final
    : OpConversionPattern<IE::GlobalAveragePoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GlobalAveragePoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Value zero = buildScalar(rewriter, loc, getAccumulatorType(elementType), 0);
    Value sums = buildReduction(rewriter, loc, adaptor.getInput(),
                                getSpatialAxes(inputType), zero,
                                /*isUnsigned=*/false, combineSum);
    Sizes sizes = getSizes(rewriter, loc, adaptor.getInput());
    OpFoldResult count =
        multiplySizes(rewriter, loc, ArrayRef(sizes).drop_front(2));
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, getResultSize(rewriter, op), sums,
                [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
                  ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
                  Value mean =
                      e.div(elements[0],
                            buildNumber(e, elements[0].getType(), count));
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
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    Location loc = op.getLoc();
    Type elementType = type.getElementType();
    Value lowest = buildLowest(rewriter, loc, getAccumulatorType(elementType),
                               /*isUnsigned=*/false);
    Value result = buildReduction(rewriter, loc, adaptor.getInput(),
                                  getSpatialAxes(inputType), lowest,
                                  /*isUnsigned=*/false, combineMax);
    Value converted = buildConverted(rewriter, loc, result, elementType,
                                     /*isUnsigned=*/false);
    rewriter.replaceOp(op, buildCast(rewriter, loc, converted, type));
    return success();
  }
};

/// Zeros, in which each element of the input goes to its index, then more zeros
/// where the result is larger than what was pooled.
struct MaxUnpoolToLinalg final : OpConversionPattern<IE::MaxUnpoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MaxUnpoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    TracingSizeBuilder tracing(rewriter, loc);
    Sizes pooled = op.getPooledSizes(tracing);
    Sizes sizes = getResultSize(rewriter, op);
    Sizes inputSizes = getSizes(rewriter, loc, adaptor.getInput());
    for (auto [i, size] :
         llvm::enumerate(getSizes(rewriter, loc, adaptor.getIndices()))) {
      assertSameSize(rewriter, loc, size, inputSizes[i],
                     "indices of another shape than the input");
      assertAtMost(rewriter, loc, pooled[i], sizes[i],
                   "a result that is smaller than what was pooled");
    }
    OpFoldResult count = multiplySizes(rewriter, loc, pooled);
    Value zero = buildScalar(rewriter, loc, type.getElementType(), 0);
    Value flat = buildFilled(
        rewriter, loc,
        RankedTensorType::get(getShape(count), type.getElementType()), zero,
        count);
    Value length = getValueOrCreateConstantIndexOp(rewriter, loc, count);
    SmallVector<Value> lower, upper, step;
    for (OpFoldResult size : inputSizes) {
      lower.push_back(buildIndex(rewriter, loc, 0));
      upper.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
      step.push_back(buildIndex(rewriter, loc, 1));
    }
    assertElements(rewriter, loc, flat, inputSizes);
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, lower, upper, step, flat,
        [&](OpBuilder &b, Location nested, ValueRange indices,
            ValueRange state) -> scf::ValueVector {
          Value at = buildSafeIndex(
              b, nested, buildExtract(b, nested, adaptor.getIndices(), indices),
              length);
          Value element = buildExtract(b, nested, adaptor.getInput(), indices);
          return {tensor::InsertOp::create(b, nested, element, state[0], at)};
        });
    auto pooledType =
        RankedTensorType::get(getShape(pooled), type.getElementType());
    Value result =
        buildReshape(rewriter, loc, nest.results.front(), pooledType, pooled);
    Sizes offsets(pooled.size(), rewriter.getIndexAttr(0));
    Sizes strides(pooled.size(), rewriter.getIndexAttr(1));
    result =
        buildEmbedded(rewriter, loc, result, sizes, offsets, strides, zero);
    rewriter.replaceOp(op, buildCast(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void nacre::populatePoolingToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns
      .add<MaxPoolToLinalg, MaxPoolWithIndicesToLinalg, AveragePoolToLinalg,
           GlobalAveragePoolToLinalg, GlobalMaxPoolToLinalg, MaxUnpoolToLinalg>(
          converter, patterns.getContext());
}
