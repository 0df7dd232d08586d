//===- DataMovementSections.cpp - Lower Slice and Pad to linalg -----------===//
//
// Sections with constant bounds become tensor ops. Computed bounds need a
// static declared result type, and become kernels that compute and clamp the
// source position of every element.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

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

/// Where a slice of a dimension of `size` starts and how many elements it has,
/// by ONNX's rules. The whole of it, forwards, is recognised.
static std::pair<OpFoldResult, OpFoldResult>
buildSection(OpBuilder &b, Location loc, OpFoldResult size, OpFoldResult start,
             OpFoldResult end, OpFoldResult step) {
  constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
  OpFoldResult zero = b.getIndexAttr(0);
  std::optional<int64_t> first = getConstantIntValue(start);
  bool isUnit = getConstantIntValue(step) == 1;
  if (isUnit && first == 0 &&
      (getConstantIntValue(end).value_or(0) >= kLargest ||
       isEqualConstantIntOrValue(end, size))) {
    return {zero, size};
  }
  auto toValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, loc, number);
  };
  Value n = toValue(size), s = toValue(step), none = toValue(zero);
  Value one = buildIndex(b, loc, 1);
  Value minusOne = buildIndex(b, loc, -1);
  auto isNegative = [&](Value value) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value,
                                 none);
  };
  auto select = [&](Value condition, Value a, Value c) -> Value {
    return arith::SelectOp::create(b, loc, condition, a, c);
  };
  Value isBackward = isNegative(s);
  // Forwards both are clamped to [0, n]; backwards the start to [0, n - 1] and
  // the end to [-1, n - 1].
  Value last = arith::SubIOp::create(b, loc, n, one);
  Value high = select(isBackward, last, n);
  auto resolve = [&](Value bound, Value low) {
    Value fromEnd = arith::AddIOp::create(b, loc, bound, n);
    Value position = select(isNegative(bound), fromEnd, bound);
    return clampIndex(b, loc, position, low, high);
  };
  Value from = resolve(toValue(start), none);
  Value to = resolve(toValue(end), select(isBackward, minusOne, none));
  Value distance = arith::SubIOp::create(b, loc, to, from);
  // Division truncates, so a step less one is added to round up.
  Value direction = select(isBackward, minusOne, one);
  Value rest = arith::SubIOp::create(b, loc, s, direction);
  Value count = arith::DivSIOp::create(
      b, loc, arith::AddIOp::create(b, loc, distance, rest), s);
  count = arith::MaxSIOp::create(b, loc, count, none);
  return {from, count};
}

namespace {

struct SliceToTensor final : OpConversionPattern<IE::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    if (!type || !isa<RankedTensorType>(adaptor.getData().getType())) {
      return rewriter.notifyMatchFailure(op, "needs known ranks");
    }
    Location loc = op.getLoc();
    if (!type.hasStaticShape() ||
        !getTensorType(adaptor.getData()).hasStaticShape()) {
      return rewriteRuntimeSizes(op, adaptor, type, rewriter);
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
  LogicalResult rewriteRuntimeSizes(IE::SliceOp op, OpAdaptor adaptor,
                                    RankedTensorType type,
                                    ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    int64_t rank = type.getRank();
    auto startsType = cast<RankedTensorType>(op.getStarts().getType());
    std::optional<SmallVector<int64_t>> axes;
    if (op.getAxes()) {
      axes = IE::getConstantInts(op.getAxes());
    } else if (startsType.hasStaticShape()) {
      axes =
          llvm::to_vector(llvm::seq<int64_t>(0, startsType.getNumElements()));
    }
    FailureOr<SmallVector<int64_t>> normalized = failure();
    if (axes) {
      normalized = IE::normalizeAxes(std::nullopt, *axes, rank);
    }
    if (failed(normalized)) {
      return rewriter.notifyMatchFailure(op, "needs constant axes");
    }
    Sizes sizes = getSizes(rewriter, loc, adaptor.getData());
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(rank, rewriter.getIndexAttr(1));
    bool isForward = true;
    for (auto [entry, axis] : llvm::enumerate(*normalized)) {
      OpFoldResult step =
          op.getSteps() ? getShapeElement(rewriter, loc, op.getSteps(), entry)
                        : OpFoldResult(rewriter.getIndexAttr(1));
      OpFoldResult start =
          getShapeElement(rewriter, loc, op.getStarts(), entry);
      OpFoldResult end = getShapeElement(rewriter, loc, op.getEnds(), entry);
      isForward &= getConstantIntValue(step).value_or(-1) > 0;
      std::tie(offsets[axis], sizes[axis]) =
          buildSection(rewriter, loc, sizes[axis], start, end, step);
      strides[axis] = step;
    }
    Sizes known = refineSizes(rewriter, type, sizes);
    if (isForward) {
      Value slice = tensor::ExtractSliceOp::create(
          rewriter, loc, adaptor.getData(), offsets, known, strides);
      rewriter.replaceOp(op, buildCast(rewriter, loc, slice, type));
      return success();
    }
    auto toValue = [&](OpBuilder &b, OpFoldResult number) {
      return getValueOrCreateConstantIndexOp(b, loc, number);
    };
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, loc, type,
                [&](OpBuilder &b, Location, ValueRange indices) -> Value {
                  SmallVector<Value> source;
                  for (auto [index, offset, stride] :
                       llvm::zip_equal(indices, offsets, strides)) {
                    Value step = arith::MulIOp::create(b, loc, index,
                                                       toValue(b, stride));
                    source.push_back(arith::AddIOp::create(
                        b, loc, toValue(b, offset), step));
                  }
                  return buildExtract(b, loc, adaptor.getData(), source);
                },
                known));
    return success();
  }

  /// The declared type gives the sizes; ends are not needed.
  LogicalResult
  rewriteRuntimeBounds(IE::SliceOp op, OpAdaptor adaptor, RankedTensorType type,
                       ConversionPatternRewriter &rewriter) const {
    RankedTensorType dataType = getTensorType(adaptor.getData());
    RankedTensorType startsType = getTensorType(adaptor.getStarts());
    if (!startsType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs a known number of bounds");
    }
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

/// i modulo n for a positive constant n, never negative.
static Value buildFloorMod(OpBuilder &b, Location loc, Value i, int64_t n) {
  Value size = buildIndex(b, loc, n);
  Value rest = arith::RemSIOp::create(b, loc, i, size);
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           rest, buildIndex(b, loc, 0));
  Value shifted = arith::AddIOp::create(b, loc, rest, size);
  return arith::SelectOp::create(b, loc, isNegative, shifted, rest);
}

/// Where position `i` relative to a dimension of size `n` takes its element
/// from; always within the dimension.
static Value buildPadSource(OpBuilder &b, Location loc, StringRef mode, Value i,
                            int64_t n) {
  if (mode == "wrap") {
    return buildFloorMod(b, loc, i, n);
  }
  if (mode == "reflect" && n > 1) {
    // Reflection has period 2n - 2: the edge element is not repeated.
    int64_t period = 2 * n - 2;
    Value phase = buildFloorMod(b, loc, i, period);
    Value mirrored =
        arith::SubIOp::create(b, loc, buildIndex(b, loc, period), phase);
    return arith::MinSIOp::create(b, loc, phase, mirrored);
  }
  return clampIndex(b, loc, i, buildIndex(b, loc, 0),
                    buildIndex(b, loc, n - 1));
}

namespace {

struct PadToTensor final : OpConversionPattern<IE::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    RankedTensorType dataType = getTensorType(adaptor.getData());
    if (!type || !dataType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    Location loc = op.getLoc();
    Value value = adaptor.getConstantValue()
                      ? extractScalar(rewriter, loc, adaptor.getConstantValue())
                      : buildScalar(rewriter, loc, type.getElementType(), 0);
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
    rewriter.replaceOp(op,
                       buildComputedPad(rewriter, loc, op.getMode(),
                                        adaptor.getData(), value, type, low));
    return success();
  }

private:
  /// tensor.pad, after a slice that takes negative pads away.
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
    return tensor::PadOp::create(builder, loc, type, data,
                                 asFoldResults(builder, low),
                                 asFoldResults(builder, high), value);
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

  /// Every element from its computed source, or the constant outside.
  static Value buildComputedPad(OpBuilder &builder, Location loc,
                                StringRef mode, Value data, Value value,
                                RankedTensorType type, ArrayRef<Value> low) {
    RankedTensorType dataType = getTensorType(data);
    return buildFromIndices(
        builder, loc, type,
        [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
          SmallVector<Value> source(indices);
          Value inside;
          for (auto [d, amount] : llvm::enumerate(low)) {
            if (!amount) {
              continue;
            }
            int64_t dim = dataType.getDimSize(d);
            Value relative = arith::SubIOp::create(b, loc, indices[d], amount);
            source[d] = buildPadSource(b, loc, mode, relative, dim);
            if (mode != "constant") {
              continue;
            }
            // Clamping moved the position exactly when it was outside.
            Value isInside = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::eq, source[d], relative);
            inside = inside ? arith::AndIOp::create(b, loc, inside, isInside)
                                  .getResult()
                            : isInside;
          }
          Value element = buildExtract(b, loc, data, source);
          if (!inside) {
            return element;
          }
          return arith::SelectOp::create(b, loc, inside, element, value);
        });
  }
};

} // namespace

void nacre::populateSectionToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<SliceToTensor, PadToTensor>(converter, patterns.getContext());
}
