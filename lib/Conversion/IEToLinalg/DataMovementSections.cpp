//===- DataMovementSections.cpp - Lower Slice and Pad to linalg -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections with constant bounds become tensor ops. Computed bounds become
// kernels that compute and clamp the source position of every element, or, of
// slices that only go forwards, tensor ops with computed bounds.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "Indices.h"
#include "Loops.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

static SmallVector<OpFoldResult> asFoldResults(Builder &builder,
                                               ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

/// Calls `visit(entry, dimension, condition)` for each entry of a bounds
/// operand and each dimension that it may speak about. The condition is null
/// where the dimension is certain: there are no axes, or they are constants.
static LogicalResult
forEachBound(OpBuilder &b, Location loc, Value ieAxes, Value axes,
             int64_t count, int64_t rank,
             llvm::function_ref<void(int64_t, int64_t, Value)> visit) {
  if (!ieAxes || IE::getConstantElements(ieAxes)) {
    SmallVector<int64_t> constant =
        llvm::to_vector(llvm::seq<int64_t>(0, count));
    if (ieAxes) {
      FailureOr<SmallVector<int64_t>> normalized =
          IE::normalizeAxes(std::nullopt, *IE::getConstantInts(ieAxes), rank);
      if (failed(normalized)) {
        return failure();
      }
      constant = *normalized;
    }
    for (auto [entry, axis] : llvm::enumerate(constant)) {
      visit(entry, axis, Value());
    }
    return success();
  }
  for (int64_t entry = 0; entry < count; ++entry) {
    Value axis = extractIndex(b, loc, axes, entry);
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             axis, buildIndex(b, loc, 0));
    Value fromEnd =
        arith::AddIOp::create(b, loc, axis, buildIndex(b, loc, rank));
    axis = arith::SelectOp::create(b, loc, isNegative, fromEnd, axis);
    for (int64_t d = 0; d < rank; ++d) {
      visit(entry, d,
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, axis,
                                  buildIndex(b, loc, d)));
    }
  }
  return success();
}

/// `value` where `condition` holds or is null, else `otherwise`, or `initial`
/// as long as that is null.
static Value chooseIf(OpBuilder &b, Location loc, Value condition, Value value,
                      Value otherwise, int64_t initial) {
  if (!condition) {
    return value;
  }
  if (!otherwise) {
    otherwise = buildIndex(b, loc, initial);
  }
  return arith::SelectOp::create(b, loc, condition, value, otherwise);
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

/// The element at offset + i * stride in each dimension.
static Value buildStridedCopy(OpBuilder &builder, Location loc, Value data,
                              RankedTensorType type,
                              const IE::SliceSpec &spec) {
  return buildFromIndices(
      builder, loc, type,
      [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
        SmallVector<Value> source;
        for (auto [d, index] : llvm::enumerate(indices)) {
          Value step = arith::MulIOp::create(
              b, loc, index, buildIndex(b, loc, spec.strides[d]));
          source.push_back(arith::AddIOp::create(
              b, loc, step, buildIndex(b, loc, spec.offsets[d])));
        }
        return buildExtract(b, loc, data, source);
      });
}

/// The first position of a slice along a dimension of size `dim`, from runtime
/// bounds, clamped as ONNX says for the sign of `step`.
static Value buildSliceStart(OpBuilder &b, Location loc, Value start,
                             Value step, int64_t dim) {
  Value zero = buildIndex(b, loc, 0);
  Value size = buildIndex(b, loc, dim);
  Value last = buildIndex(b, loc, dim - 1);
  auto isNegative = [&](Value value) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value,
                                 zero);
  };
  Value fromEnd = arith::AddIOp::create(b, loc, start, size);
  Value position =
      arith::SelectOp::create(b, loc, isNegative(start), fromEnd, start);
  Value high = arith::SelectOp::create(b, loc, isNegative(step), last, size);
  return clampIndex(b, loc, position, zero, high);
}

namespace {

struct SliceToTensor final : OpConversionPattern<IE::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    if (!type.hasStaticShape() ||
        !getTensorType(adaptor.getData()).hasStaticShape() ||
        !getTensorType(adaptor.getStarts()).hasStaticShape()) {
      rewriteRuntimeSizes(op, adaptor, type, rewriter);
      return success();
    }
    if (type.getNumElements() == 0) {
      rewriter.replaceOp(op, buildEmpty(rewriter, loc, type));
      return success();
    }
    std::optional<IE::SliceSpec> spec = op.getStaticSpec();
    if (!spec) {
      return rewriteRuntimeBounds(op, adaptor, type, rewriter);
    }
    bool forward =
        llvm::all_of(spec->strides, [](int64_t stride) { return stride > 0; });
    if (!forward) {
      rewriter.replaceOp(
          op, buildStridedCopy(rewriter, loc, adaptor.getData(), type, *spec));
      return success();
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, adaptor.getData(), asFoldResults(rewriter, spec->offsets),
        asFoldResults(rewriter, spec->sizes),
        asFoldResults(rewriter, spec->strides));
    return success();
  }

private:
  /// Computes where each dimension starts and how much of it is taken.
  static void rewriteRuntimeSizes(IE::SliceOp op, OpAdaptor adaptor,
                                  RankedTensorType type,
                                  ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    TracingSizeBuilder sizes(rewriter, loc);
    auto [offsets, taken, strides] = op.getSections(sizes);
    bool isForward = llvm::all_of(strides, [](OpFoldResult stride) {
      return getConstantIntValue(stride).value_or(-1) > 0;
    });
    for (auto [size, dim] : llvm::zip_equal(taken, type.getShape())) {
      if (!ShapedType::isDynamic(dim)) {
        sizes.requireEqual(size, sizes.number(dim),
                           "a result has another size than the model declares");
      }
    }
    Sizes known = refineSizes(rewriter, type, taken);
    // What has no elements may start outside the operand.
    if (llvm::any_of(known, isZeroInteger)) {
      Value empty = buildEmpty(rewriter, loc, type, known);
      rewriter.replaceOp(op, empty);
      return;
    }
    if (isForward) {
      Value slice = tensor::ExtractSliceOp::create(
          rewriter, loc, adaptor.getData(), offsets, known, strides);
      rewriter.replaceOp(op, buildCast(rewriter, loc, slice, type));
      return;
    }
    auto toValue = [&](OpBuilder &b, OpFoldResult number) {
      return getValueOrCreateConstantIndexOp(b, loc, number);
    };
    ArrayRef<OpFoldResult> from = offsets, steps = strides;
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, loc, type,
                [&](OpBuilder &b, Location, ValueRange indices) -> Value {
                  SmallVector<Value> source;
                  for (auto [index, offset, stride] :
                       llvm::zip_equal(indices, from, steps)) {
                    Value step = arith::MulIOp::create(b, loc, index,
                                                       toValue(b, stride));
                    source.push_back(arith::AddIOp::create(
                        b, loc, toValue(b, offset), step));
                  }
                  return buildExtract(b, loc, adaptor.getData(), source);
                },
                known));
  }

  /// The declared type gives the sizes; ends are not needed.
  LogicalResult
  rewriteRuntimeBounds(IE::SliceOp op, OpAdaptor adaptor, RankedTensorType type,
                       ConversionPatternRewriter &rewriter) const {
    RankedTensorType dataType = getTensorType(adaptor.getData());
    RankedTensorType startsType = getTensorType(adaptor.getStarts());
    if (dataType.getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "slices an empty tensor");
    }
    Location loc = op.getLoc();
    // Per sliced dimension, outside the kernel.
    SmallVector<Value> starts(dataType.getRank()), steps(dataType.getRank());
    auto setBounds = [&](int64_t entry, int64_t axis, Value condition) {
      Value step = adaptor.getSteps()
                       ? extractIndex(rewriter, loc, adaptor.getSteps(), entry)
                       : buildIndex(rewriter, loc, 1);
      Value start = buildSliceStart(
          rewriter, loc,
          extractIndex(rewriter, loc, adaptor.getStarts(), entry), step,
          dataType.getDimSize(axis));
      steps[axis] = chooseIf(rewriter, loc, condition, step, steps[axis], 1);
      starts[axis] = chooseIf(rewriter, loc, condition, start, starts[axis], 0);
    };
    if (failed(forEachBound(rewriter, loc, op.getAxes(), adaptor.getAxes(),
                            startsType.getDimSize(0), dataType.getRank(),
                            setBounds))) {
      return rewriter.notifyMatchFailure(op, "axes are out of range");
    }
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, loc, type,
                [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
                  SmallVector<Value> source(indices);
                  for (size_t axis = 0; axis < source.size(); ++axis) {
                    if (!starts[axis]) {
                      continue;
                    }
                    Value step = arith::MulIOp::create(b, loc, source[axis],
                                                       steps[axis]);
                    Value position =
                        arith::AddIOp::create(b, loc, starts[axis], step);
                    // In range unless the declared type is wrong.
                    source[axis] = clampIndex(
                        b, loc, position, buildIndex(b, loc, 0),
                        buildIndex(b, loc, dataType.getDimSize(axis) - 1));
                  }
                  return buildExtract(b, loc, adaptor.getData(), source);
                }));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// i modulo n for a positive n, never negative.
static Value buildFloorMod(OpBuilder &b, Location loc, Value i, Value n) {
  Value rest = arith::RemSIOp::create(b, loc, i, n);
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           rest, buildIndex(b, loc, 0));
  Value shifted = arith::AddIOp::create(b, loc, rest, n);
  return arith::SelectOp::create(b, loc, isNegative, shifted, rest);
}

/// True when padding of any dimension goes around it more than once. A division
/// finds the source of each element then, comparisons otherwise.
static Value buildGoesAround(OpBuilder &b, Location loc, StringRef mode,
                             ArrayRef<Value> low,
                             ArrayRef<OpFoldResult> dataSizes,
                             ArrayRef<OpFoldResult> sizes) {
  // Of a reflection the edge is no part.
  OpFoldResult edge = b.getIndexAttr(mode == "reflect" ? 1 : 0);
  Value result = arith::ConstantIntOp::create(b, loc, 0, /*width=*/1);
  for (auto [before, size, padded] : llvm::zip_equal(low, dataSizes, sizes)) {
    if (!before) {
      continue;
    }
    Value once = getValueOrCreateConstantIndexOp(
        b, loc, subtractSizes(b, loc, size, edge));
    Value more = getValueOrCreateConstantIndexOp(
        b, loc, subtractSizes(b, loc, padded, size));
    Value after = arith::SubIOp::create(b, loc, more, before);
    for (Value amount : {before, after}) {
      Value isMore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           amount, once);
      result = arith::OrIOp::create(b, loc, result, isMore);
    }
  }
  return result;
}

/// Where position `i` relative to a dimension of size `n` takes its element
/// from; always within the dimension.
static Value buildPadSource(OpBuilder &b, Location loc, StringRef mode, Value i,
                            OpFoldResult n, Value goesAround) {
  auto toValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, loc, size);
  };
  // The position of the last time around.
  auto buildPhase = [&](Value period) {
    return buildIf(b, loc, goesAround, i,
                   [&](OpBuilder &nested) -> Values {
                     return {buildFloorMod(nested, loc, i, period)};
                   })
        .front();
  };
  OpFoldResult one = b.getIndexAttr(1);
  if (mode == "wrap") {
    Value size = toValue(n), phase = buildPhase(size);
    Value behind =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, phase, size);
    Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         phase, buildIndex(b, loc, 0));
    Value less = arith::SubIOp::create(b, loc, phase, size);
    Value more = arith::AddIOp::create(b, loc, phase, size);
    phase = arith::SelectOp::create(b, loc, behind, less, phase);
    return arith::SelectOp::create(b, loc, before, more, phase);
  }
  OpFoldResult last = subtractSizes(b, loc, n, one);
  if (mode == "reflect" && getConstantIntValue(n) != 1) {
    // Reflection has period 2n - 2: the edge element is not repeated. A single
    // element has no period and repeats itself.
    OpFoldResult period = multiplySizes(b, loc, {last, b.getIndexAttr(2)});
    Value phase = buildPhase(toValue(IE::maximizeSizes(b, loc, period, one)));
    // Reflected at the first element, then at the last.
    Value negative =
        arith::SubIOp::create(b, loc, buildIndex(b, loc, 0), phase);
    Value fromFirst = arith::MaxSIOp::create(b, loc, phase, negative);
    Value mirrored = arith::SubIOp::create(b, loc, toValue(period), fromFirst);
    return arith::MinSIOp::create(b, loc, fromFirst, mirrored);
  }
  return clampIndex(b, loc, i, buildIndex(b, loc, 0), toValue(last));
}

namespace {

struct PadToTensor final : OpConversionPattern<IE::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    RankedTensorType dataType = getTensorType(adaptor.getData());
    Location loc = op.getLoc();
    Value value = adaptor.getConstantValue()
                      ? extractScalar(rewriter, loc, adaptor.getConstantValue())
                      : buildScalar(rewriter, loc, type.getElementType(), 0);
    if (!type.hasStaticShape() || !dataType.hasStaticShape()) {
      rewriteRuntimeSizes(op, adaptor, type, value, rewriter);
      return success();
    }
    // All of an empty operand's padding is the constant.
    if (dataType.getNumElements() == 0) {
      if (op.getMode() != "constant") {
        return rewriter.notifyMatchFailure(op, "pads from an empty tensor");
      }
      rewriter.replaceOp(op, buildFilled(rewriter, loc, type, value));
      return success();
    }
    std::optional<IE::PadSpec> spec = op.getStaticSpec();
    if (spec && op.getMode() == "constant") {
      rewriter.replaceOp(op, buildConstantPad(rewriter, loc, adaptor.getData(),
                                              value, type, *spec));
      return success();
    }
    SmallVector<Value> low(dataType.getRank());
    if (failed(getLowPads(op, adaptor, spec, rewriter, low))) {
      return failure();
    }
    Sizes sizes = getResultSize(rewriter, op);
    auto buildPart = [&](RankedTensorType part, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> partSizes) {
      return buildComputedPad(rewriter, loc, op.getMode(), adaptor.getData(),
                              value, low, sizes, {part, offsets, partSizes});
    };
    rewriter.replaceOp(op, spec && isFrame(*spec, dataType, type)
                               ? buildFramed(rewriter, loc, adaptor.getData(),
                                             spec->low, spec->high, buildPart)
                               : buildPart(type, /*offsets=*/{}, sizes));
    return success();
  }

private:
  /// True where all of the operand is in the result, and most of that.
  static bool isFrame(const IE::PadSpec &spec, RankedTensorType dataType,
                      RankedTensorType type) {
    auto isAdded = [](int64_t amount) { return amount >= 0; };
    return llvm::all_of(spec.low, isAdded) &&
           llvm::all_of(spec.high, isAdded) &&
           2 * dataType.getNumElements() >= type.getNumElements();
  }

  /// Pads of known amounts lie around a tensor of unknown size, with others
  /// each element is computed.
  static void rewriteRuntimeSizes(IE::PadOp op, OpAdaptor adaptor,
                                  RankedTensorType type, Value value,
                                  ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    TracingSizeBuilder builder(rewriter, loc);
    Sizes sizes = getResultSize(rewriter, op);
    auto [low, high] = op.getAmounts(builder);
    auto isAmount = [](OpFoldResult amount) {
      return getConstantIntValue(amount).value_or(-1) >= 0;
    };
    bool isConstant = op.getMode() == "constant";
    if (!isConstant) {
      assertElements(rewriter, loc, adaptor.getData(), sizes);
    }
    SmallVector<Value> amounts;
    for (auto [before, after] : llvm::zip_equal(low, high)) {
      bool isNone =
          getConstantIntValue(before) == 0 && getConstantIntValue(after) == 0;
      amounts.push_back(
          isNone ? Value()
                 : getValueOrCreateConstantIndexOp(rewriter, loc, before));
    }
    auto buildPart = [&](RankedTensorType part, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> partSizes) {
      return isConstant ? buildFilled(rewriter, loc, part, value, partSizes)
                        : buildComputedPad(rewriter, loc, op.getMode(),
                                           adaptor.getData(), value, amounts,
                                           sizes, {part, offsets, partSizes});
    };
    if (llvm::all_of(low, isAmount) && llvm::all_of(high, isAmount)) {
      Value padded = buildFramed(rewriter, loc, adaptor.getData(),
                                 getShape(low), getShape(high), buildPart);
      rewriter.replaceOp(op, buildCast(rewriter, loc, padded, type));
      return;
    }
    rewriter.replaceOp(op, buildComputedPad(rewriter, loc, op.getMode(),
                                            adaptor.getData(), value, amounts,
                                            sizes, {type, {}, sizes}));
  }

  /// The constant around a slice that negative pads leave.
  static Value buildConstantPad(OpBuilder &builder, Location loc, Value data,
                                Value value, RankedTensorType type,
                                const IE::PadSpec &spec) {
    SmallVector<int64_t> offsets, sizes, low, high;
    RankedTensorType dataType = getTensorType(data);
    for (auto [dim, before, after] :
         llvm::zip_equal(dataType.getShape(), spec.low, spec.high)) {
      offsets.push_back(std::max<int64_t>(-before, 0));
      sizes.push_back(dim + std::min<int64_t>(before, 0) +
                      std::min<int64_t>(after, 0));
      low.push_back(std::max<int64_t>(before, 0));
      high.push_back(std::max<int64_t>(after, 0));
    }
    if (dataType.getShape() != ArrayRef<int64_t>(sizes)) {
      // Cutting everything away leaves only the constant.
      if (llvm::any_of(sizes, [](int64_t size) { return size <= 0; })) {
        return buildFilled(builder, loc, type, value);
      }
      SmallVector<int64_t> strides(sizes.size(), 1);
      data = tensor::ExtractSliceOp::create(
          builder, loc, dataType.clone(sizes), data,
          asFoldResults(builder, offsets), asFoldResults(builder, sizes),
          asFoldResults(builder, strides));
    }
    return buildFramed(builder, loc, data, low, high,
                       [&](RankedTensorType part, ArrayRef<OpFoldResult>,
                           ArrayRef<OpFoldResult>) {
                         return buildFilled(builder, loc, part, value);
                       });
  }

  /// The amount before each dimension as an index; null where it is surely 0.
  LogicalResult getLowPads(IE::PadOp op, OpAdaptor adaptor,
                           const std::optional<IE::PadSpec> &spec,
                           ConversionPatternRewriter &rewriter,
                           MutableArrayRef<Value> low) const {
    Location loc = op.getLoc();
    if (spec) {
      for (auto [d, value] : llvm::enumerate(low)) {
        if (spec->low[d] != 0 || spec->high[d] != 0) {
          value = buildIndex(rewriter, loc, spec->low[d]);
        }
      }
      return success();
    }
    int64_t rank = low.size();
    int64_t count = adaptor.getAxes()
                        ? getTensorType(adaptor.getAxes()).getDimSize(0)
                        : rank;
    if (getTensorType(adaptor.getPads()).getDimSize(0) != 2 * count) {
      return rewriter.notifyMatchFailure(op, "needs a known number of pads");
    }
    auto setLow = [&](int64_t entry, int64_t axis, Value condition) {
      Value amount = extractIndex(rewriter, loc, adaptor.getPads(), entry);
      low[axis] = chooseIf(rewriter, loc, condition, amount, low[axis], 0);
    };
    if (failed(forEachBound(rewriter, loc, op.getAxes(), adaptor.getAxes(),
                            count, rank, setLow))) {
      return rewriter.notifyMatchFailure(op, "axes are out of range");
    }
    return success();
  }

  /// A part of the result, or all of it, which has no offsets.
  struct Part {
    RankedTensorType type;
    ArrayRef<OpFoldResult> offsets, sizes;
  };

  /// Every element of a part of the result, which has these sizes: from its
  /// computed source, or the constant outside.
  static Value buildComputedPad(OpBuilder &builder, Location loc,
                                StringRef mode, Value data, Value value,
                                ArrayRef<Value> low,
                                ArrayRef<OpFoldResult> sizes,
                                const Part &part) {
    Sizes dataSizes = getSizes(builder, loc, data);
    bool mayBeEmpty = !getTensorType(data).hasStaticShape();
    Value goesAround;
    if (mode == "reflect" || mode == "wrap") {
      goesAround = buildGoesAround(builder, loc, mode, low, dataSizes, sizes);
    }
    return buildFromIndices(
        builder, loc, part.type,
        [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
          SmallVector<Value> source(indices);
          for (auto [index, offset] : llvm::zip(source, part.offsets)) {
            index = arith::AddIOp::create(
                b, loc, index, getValueOrCreateConstantIndexOp(b, loc, offset));
          }
          Value inside;
          for (auto [d, amount] : llvm::enumerate(low)) {
            if (!amount) {
              continue;
            }
            Value relative = arith::SubIOp::create(b, loc, source[d], amount);
            source[d] = buildPadSource(b, loc, mode, relative, dataSizes[d],
                                       goesAround);
            if (mode != "constant") {
              continue;
            }
            Value isInside = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::ult, relative,
                getValueOrCreateConstantIndexOp(b, loc, dataSizes[d]));
            inside = inside ? arith::AndIOp::create(b, loc, inside, isInside)
                                  .getResult()
                            : isInside;
          }
          if (inside && mayBeEmpty) {
            // There may be no element to read.
            return buildIf(b, loc, inside, value,
                           [&](OpBuilder &nested) {
                             return Values{
                                 buildExtract(nested, loc, data, source)};
                           })
                .front();
          }
          Value element = buildExtract(b, loc, data, source);
          if (!inside) {
            return element;
          }
          return arith::SelectOp::create(b, loc, inside, element, value);
        },
        part.sizes);
  }
};

} // namespace

void nacre::populateSectionToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<SliceToTensor, PadToTensor>(converter, patterns.getContext());
}
