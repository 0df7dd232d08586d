//===- Reduction.cpp - Lower the Reduction family to linalg ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Reduction: an accumulating
// linalg.generic, then one elementwise step where the result is a function of
// the accumulator. Loops accumulate instead where only the values of the axes
// say which elements belong together.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace nacre;

template <typename OpT, typename... Others>
static constexpr bool isAnyOf = (std::is_same_v<OpT, Others> || ...);

/// The type a reduction accumulates `elementType` in.
template <typename OpT> static Type getReductionType(Type elementType) {
  if (isa<FloatType>(elementType)) {
    return getAccumulatorType(elementType);
  }
  MLIRContext *context = elementType.getContext();
  if constexpr (isAnyOf<OpT, IE::ReduceLogSumExpOp>) {
    return Float64Type::get(context);
  } else if constexpr (isAnyOf<OpT, IE::ReduceMeanOp, IE::ReduceL2Op,
                               IE::ReduceLogSumOp>) {
    // Elsewhere wrapping around does not change the result's low bits.
    return IntegerType::get(context, 64);
  } else {
    return elementType;
  }
}

template <typename OpT>
static Value buildNeutral(OpBuilder &builder, Location loc, Type type,
                          bool isUnsigned) {
  if constexpr (isAnyOf<OpT, IE::ReduceMaxOp>) {
    return buildLowest(builder, loc, type, isUnsigned);
  } else if constexpr (isAnyOf<OpT, IE::ReduceMinOp>) {
    return buildHighest(builder, loc, type, isUnsigned);
  } else {
    return buildScalar(builder, loc, type,
                       isAnyOf<OpT, IE::ReduceProdOp> ? 1 : 0);
  }
}

template <typename OpT>
static Value combine(const ScalarEmitter &e, Value accumulator,
                     ValueRange elements) {
  Value x = elements[0];
  if constexpr (isAnyOf<OpT, IE::ReduceMaxOp>) {
    return e.max(accumulator, x);
  } else if constexpr (isAnyOf<OpT, IE::ReduceMinOp>) {
    return e.min(accumulator, x);
  } else if constexpr (isAnyOf<OpT, IE::ReduceProdOp>) {
    return e.mul(accumulator, x);
  } else if constexpr (isAnyOf<OpT, IE::ReduceL2Op, IE::ReduceSumSquareOp>) {
    return e.add(accumulator, e.mul(x, x));
  } else if constexpr (isAnyOf<OpT, IE::ReduceL1Op>) {
    if (isa<FloatType>(x.getType())) {
      return e.add(accumulator, e.create<math::AbsFOp>(x));
    }
    return e.add(accumulator, e.isUnsigned() ? x : e.create<math::AbsIOp>(x));
  } else {
    return e.add(accumulator, x);
  }
}

/// The result of a reduction of `count` elements from its accumulator.
template <typename OpT>
static Value finish(const ScalarEmitter &e, Value accumulator,
                    OpFoldResult count) {
  if constexpr (isAnyOf<OpT, IE::ReduceMeanOp>) {
    return e.div(accumulator, buildNumber(e, accumulator.getType(), count));
  } else if constexpr (isAnyOf<OpT, IE::ReduceL2Op, IE::ReduceLogSumOp>) {
    Value wide = accumulator;
    if (!isa<FloatType>(wide.getType())) {
      wide = e.convert(wide, e.getBuilder().getF64Type(), false);
    }
    return isAnyOf<OpT, IE::ReduceL2Op> ? e.create<math::SqrtOp>(wide)
                                        : e.create<math::LogOp>(wide);
  } else {
    return accumulator;
  }
}

/// log(sum) + max, where an infinite maximum is the result itself.
static Value finishLogSumExp(OpBuilder &builder, Location loc, Value sum,
                             Value max) {
  return buildElementwise(
      builder, loc, getTensorType(sum), {sum, max},
      [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
        ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
        Value largest = elements[1];
        Value value = e.add(e.create<math::LogOp>(elements[0]), largest);
        Value infinity =
            e.constant(largest, std::numeric_limits<double>::infinity());
        Value isFinite = e.less(e.create<math::AbsFOp>(largest), infinity);
        return e.select(isFinite, value, largest);
      });
}

/// log(sum(exp(x))) relative to the largest element, so that exp cannot
/// overflow.
static Value buildLogSumExp(OpBuilder &builder, Location loc, Value input,
                            ArrayRef<int64_t> axes, Type type,
                            bool isUnsigned) {
  input = buildConverted(builder, loc, input, type, isUnsigned);
  Value max = buildReduction(builder, loc, input, axes,
                             buildLowest(builder, loc, type, false), false,
                             combine<IE::ReduceMaxOp>);
  Value terms = buildElementwise(
      builder, loc, getTensorType(input), {input, max},
      [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
        ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
        return e.create<math::ExpOp>(e.sub(elements[0], elements[1]));
      });
  Value sum = buildReduction(builder, loc, terms, axes,
                             buildScalar(builder, loc, type, 0), false,
                             combine<IE::ReduceSumOp>);
  return finishLogSumExp(builder, loc, sum, max);
}

namespace {

/// Reduces along axes known only at run time: the dimensions whose `entries`
/// are not -1. The result, of `size` elements, is a vector.
class RuntimeReduction {
public:
  RuntimeReduction(OpBuilder &builder, Location loc, Value input,
                   ArrayRef<OpFoldResult> entries, OpFoldResult size,
                   bool isUnsigned)
      : builder(builder), loc(loc), input(input), size(size),
        isUnsigned(isUnsigned) {
    computeStrides(entries);
  }

  Value reduce(Value init, AccumulateBuilder combine) const {
    auto type = RankedTensorType::get(getShape(size), init.getType());
    return buildScatteredReduction(
        builder, loc, input, buildFilled(builder, loc, type, init, size),
        [&](OpBuilder &b, Location nested, ValueRange indices) {
          return getPosition(b, nested, indices);
        },
        isUnsigned, combine);
  }

  Value buildLogSumExp(Type type) const {
    Value max = reduce(buildLowest(builder, loc, type, false),
                       combine<IE::ReduceMaxOp>);
    Value sum = reduce(
        buildScalar(builder, loc, type, 0),
        [&](const ScalarEmitter &e, Value sum, ValueRange elements) {
          Value largest =
              buildExtract(e.getBuilder(), e.getLoc(), max, elements[1]);
          return e.add(sum, e.create<math::ExpOp>(e.sub(elements[0], largest)));
        });
    return finishLogSumExp(builder, loc, sum, max);
  }

private:
  /// The step in the result per step in each dimension of the input: none along
  /// a reduced one.
  void computeStrides(ArrayRef<OpFoldResult> entries) {
    Sizes sizes = getSizes(builder, loc, input);
    OpFoldResult none = builder.getIndexAttr(-1);
    OpFoldResult zero = builder.getIndexAttr(0);
    OpFoldResult stride = builder.getIndexAttr(1);
    strides.resize(entries.size());
    for (auto dim = static_cast<int64_t>(entries.size()) - 1; dim >= 0; --dim) {
      auto ifKept = [&](OpFoldResult yes, OpFoldResult no) {
        return IE::selectIfEqual(builder, loc, entries[dim], none, yes, no);
      };
      strides[dim] =
          getValueOrCreateConstantIndexOp(builder, loc, ifKept(stride, zero));
      stride =
          ifKept(multiplySizes(builder, loc, {stride, sizes[dim]}), stride);
    }
  }

  Value getPosition(OpBuilder &b, Location nested, ValueRange indices) const {
    Value position = buildIndex(b, nested, 0);
    for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
      Value step = arith::MulIOp::create(b, nested, index, stride);
      position = arith::AddIOp::create(b, nested, position, step);
    }
    return position;
  }

  OpBuilder &builder;
  Location loc;
  Value input;
  OpFoldResult size;
  bool isUnsigned;
  SmallVector<Value> strides;
};

template <typename OpT> struct ReduceToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    std::optional<SmallVector<int64_t>> axes = op.getReducedAxes();
    if (!axes && type.hasStaticShape() && inputType.hasStaticShape() &&
        cast<RankedTensorType>(op.getAxes().getType()).hasStaticShape() &&
        IE::findReducedAxes(inputType, op.getAxes(), type).empty()) {
      // Said here, since it is the model and not the compiler that is short of
      // something.
      op.emitOpError("expected axes that follow from the shapes, found ")
          << op.getInput().getType() << " reduced to "
          << op.getOutput().getType();
      return rewriter.notifyMatchFailure(op, "no axes give the result's shape");
    }
    if (!axes) {
      rewriter.replaceOp(op, reduceAtRunTime(op, adaptor, type, rewriter));
      return success();
    }
    Location loc = op.getLoc();
    bool isUnsigned = isUnsignedElement(op.getInput());
    Type elementType = type.getElementType();
    Type reductionType = getReductionType<OpT>(inputType.getElementType());
    Value result;
    if constexpr (isAnyOf<OpT, IE::ReduceLogSumExpOp>) {
      result = buildLogSumExp(rewriter, loc, adaptor.getInput(), *axes,
                              reductionType, isUnsigned);
      result = buildConverted(rewriter, loc, result, elementType, isUnsigned);
    } else {
      Value init = buildNeutral<OpT>(rewriter, loc, reductionType, isUnsigned);
      result = buildReduction(rewriter, loc, adaptor.getInput(), *axes, init,
                              isUnsigned, combine<OpT>);
      result =
          buildFinished(rewriter, loc, result, elementType, isUnsigned,
                        countReduced(rewriter, loc, adaptor.getInput(), *axes));
    }
    rewriter.replaceOp(op, buildReshape(rewriter, loc, result, type,
                                        getResultSize(rewriter, op)));
    return success();
  }

private:
  static Value reduceAtRunTime(OpT op, typename OpT::Adaptor adaptor,
                               RankedTensorType type,
                               ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    OpBuilder &builder = rewriter;
    bool isUnsigned = isUnsignedElement(op.getInput());
    Type elementType = type.getElementType();
    Type reductionType = getReductionType<OpT>(elementType);
    TracingSizeBuilder tracing(rewriter, loc);
    Sizes entries = IE::getReductionEntries(
        tracing, op.getInput(), op.getAxes(), op.getNoopWithEmptyAxes() != 0,
        cast<RankedTensorType>(op.getOutput().getType()));
    // How many elements the result has says how many are reduced to each.
    Sizes all = getSizes(rewriter, loc, adaptor.getInput()), kept, reduced;
    OpFoldResult none = rewriter.getIndexAttr(-1);
    OpFoldResult one = rewriter.getIndexAttr(1);
    for (auto [dim, entry] : llvm::zip_equal(all, entries)) {
      kept.push_back(tracing.ifEqual(entry, none, dim, one));
      reduced.push_back(tracing.ifEqual(entry, none, one, dim));
    }
    Sizes sizes = getResultSize(rewriter, op);
    OpFoldResult size = multiplySizes(rewriter, loc, kept);
    RuntimeReduction reduction(builder, loc, adaptor.getInput(), entries, size,
                               isUnsigned);
    Value result;
    if constexpr (isAnyOf<OpT, IE::ReduceLogSumExpOp>) {
      result =
          buildConverted(builder, loc, reduction.buildLogSumExp(reductionType),
                         elementType, isUnsigned);
    } else {
      result = reduction.reduce(
          buildNeutral<OpT>(builder, loc, reductionType, isUnsigned),
          combine<OpT>);
      result = buildFinished(builder, loc, result, elementType, isUnsigned,
                             multiplySizes(rewriter, loc, reduced));
    }
    return buildReshape(builder, loc, result, type, sizes);
  }

  static OpFoldResult countReduced(OpBuilder &builder, Location loc,
                                   Value input, ArrayRef<int64_t> axes) {
    Sizes sizes;
    for (int64_t axis : axes) {
      sizes.push_back(getSize(builder, loc, input, axis));
    }
    return multiplySizes(builder, loc, sizes);
  }

  static Value buildFinished(OpBuilder &builder, Location loc,
                             Value accumulators, Type elementType,
                             bool isUnsigned, OpFoldResult count) {
    if constexpr (isAnyOf<OpT, IE::ReduceMeanOp, IE::ReduceL2Op,
                          IE::ReduceLogSumOp>) {
      return buildElementwise(
          builder, loc, getTensorType(accumulators).clone(elementType),
          accumulators,
          [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
            ScalarEmitter e(b, nestedLoc, isUnsigned);
            return e.convert(finish<OpT>(e, elements[0], count), elementType,
                             isUnsigned);
          });
    } else {
      return buildConverted(builder, loc, accumulators, elementType,
                            isUnsigned);
    }
  }
};

template <typename OpT>
struct ArgReduceToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    int64_t axis = op.getAxis();
    axis += axis < 0 ? inputType.getRank() : 0;
    BestElement best{isAnyOf<OpT, IE::ArgMaxOp>,
                     isUnsignedElement(op.getInput()),
                     op.getSelectLastIndex() != 0};
    Value positions =
        buildArgReduction(rewriter, op.getLoc(), adaptor.getInput(), axis, best,
                          VPU::getAlgorithm(op));
    rewriter.replaceOp(op, buildReshape(rewriter, op.getLoc(), positions, type,
                                        getResultSize(rewriter, op)));
    return success();
  }
};

} // namespace

void nacre::populateReductionToLinalgPatterns(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  patterns
      .add<ReduceToLinalg<IE::ReduceSumOp>, ReduceToLinalg<IE::ReduceMeanOp>,
           ReduceToLinalg<IE::ReduceMaxOp>, ReduceToLinalg<IE::ReduceMinOp>,
           ReduceToLinalg<IE::ReduceProdOp>, ReduceToLinalg<IE::ReduceL1Op>,
           ReduceToLinalg<IE::ReduceL2Op>, ReduceToLinalg<IE::ReduceLogSumOp>,
           ReduceToLinalg<IE::ReduceLogSumExpOp>,
           ReduceToLinalg<IE::ReduceSumSquareOp>,
           ArgReduceToLinalg<IE::ArgMaxOp>, ArgReduceToLinalg<IE::ArgMinOp>>(
          converter, patterns.getContext());
}
