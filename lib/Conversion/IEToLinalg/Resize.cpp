//===- Resize.cpp - Lower Resize to linalg --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernels of IE.Resize: one for each dimension that changes, which
// looks positions and weights up in tables. The tables are constants, or
// kernels of their own compute them from what only a run knows.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "Loops.h"
#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

/// What each position of a resized dimension reads. All weights of a position
/// outside of the region of interest are zero.
struct ResizeTables {
  Value positions, weights; // tap by tap, so that a table is read in order
  Value fill;               // what is added to the sum; null where nothing is
  OpFoldResult numTaps;
  bool isWeighted; // false where the only tap is taken as it is
};

} // namespace

/// The sum of what `term` gives for each tap.
static Value sumTaps(OpBuilder &builder, Location loc, OpFoldResult count,
                     Type type,
                     llvm::function_ref<Value(OpBuilder &, Value tap)> term) {
  std::optional<int64_t> known = getConstantIntValue(count);
  if (!known) {
    return buildFor(builder, loc, buildIndex(builder, loc, 0),
                    cast<Value>(count), buildScalar(builder, loc, type, 0),
                    [&](OpBuilder &b, Value tap, ValueRange sum) -> Values {
                      ScalarEmitter e(b, loc, /*isUnsigned=*/false);
                      return {e.add(sum[0], term(b, tap))};
                    })
        .front();
  }
  ScalarEmitter e(builder, loc, /*isUnsigned=*/false);
  Value sum = term(builder, buildIndex(builder, loc, 0));
  for (int64_t i = 1; i < *known; ++i) {
    sum = e.add(sum, term(builder, buildIndex(builder, loc, i)));
  }
  return sum;
}

/// True when the dimension stays as it is.
static bool isIdentity(ArrayRef<IE::ResizeTaps> taps, int64_t inputSize,
                       double one) {
  if (static_cast<int64_t>(taps.size()) != inputSize) {
    return false;
  }
  for (auto [x, tap] : llvm::enumerate(taps)) {
    for (auto [position, weight] :
         llvm::zip_equal(tap.positions, tap.weights)) {
      if (weight != (position == static_cast<int64_t>(x) ? one : 0)) {
        return false;
      }
    }
    if (tap.positions.empty()) {
      return false;
    }
  }
  return true;
}

static ResizeTables buildConstantTables(OpBuilder &builder, Location loc,
                                        ArrayRef<IE::ResizeTaps> taps,
                                        double outside, Type weightType) {
  int64_t size = taps.size();
  int64_t count = 1;
  for (const IE::ResizeTaps &tap : taps) {
    count = std::max<int64_t>(count, tap.positions.size());
  }
  std::vector<int64_t> positions(count * size, 0);
  std::vector<double> weights(count * size, 0.0), fill(size, 0.0);
  bool fills = false;
  for (auto [x, tap] : llvm::enumerate(taps)) {
    fills |= tap.positions.empty();
    fill[x] = tap.positions.empty() ? outside : 0.0;
    for (size_t i = 0; i < tap.positions.size(); ++i) {
      positions[i * size + x] = tap.positions[i];
      weights[i * size + x] = tap.weights[i];
    }
  }
  auto buildTable = [&](auto values, Type element,
                        ArrayRef<int64_t> dims) -> Value {
    SmallVector<Attribute> attributes;
    for (auto value : values) {
      attributes.push_back(
          isa<FloatType>(element)
              ? Attribute(FloatAttr::get(element, static_cast<double>(value)))
              : IntegerAttr::get(element, static_cast<int64_t>(value)));
    }
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(RankedTensorType::get(dims, element),
                               attributes));
  };
  return {buildTable(positions, builder.getI64Type(), {count, size}),
          buildTable(weights, weightType, {count, size}),
          fills ? buildTable(fill, weightType, {size}) : Value(),
          builder.getIndexAttr(count), count > 1};
}

namespace {

/// A dimension whose sizes, scale or region of interest only a run knows, the
/// region as doubles.
struct RuntimeDim : IE::SizedResize {
  explicit RuntimeDim(const IE::SizedResize &dim) : SizedResize(dim) {}
  Value roiStart, roiEnd;
};

/// The taps of each position of a dimension: how many there are, and where the
/// first of them lies, from the element before that position, as a double.
struct Window {
  OpFoldResult numTaps;
  Value first;
};

/// Emits the entries of the tables of a dimension: the counterpart of
/// IE::computeResizeTaps.
class TableEmitter {
public:
  TableEmitter(const ScalarEmitter &emitter, IE::ResizeOp op,
               const RuntimeDim &dim, const Window &window, Type weightType)
      : e(emitter), op(op), dim(dim), window(window), mode(op.getMode()),
        type(e.getBuilder().getF64Type()), weightType(weightType) {
    if (op.isFixedPoint()) {
      type = e.getBuilder().getF32Type();
      for (Value *value :
           {&this->dim.inputLength, &this->dim.outputLength, &this->dim.scale,
            &this->dim.roiStart, &this->dim.roiEnd, &this->window.first}) {
        if (*value) {
          *value = e.create<arith::TruncFOp>(type, *value);
        }
      }
    }
  }

  /// The element that tap `tap` of position `x` reads.
  Value emitPosition(Value tap, Value x) const {
    Value limited = e.create<arith::MaxNumFOp>(
        e.create<arith::MinNumFOp>(emitElement(x, toFloat(tap)), emitLast()),
        constant(0));
    return e.create<arith::FPToSIOp>(e.getBuilder().getI64Type(), limited);
  }

  Value emitWeight(Value tap, Value x) const {
    Value weight;
    if (mode == "nearest") {
      weight = constant(1);
    } else {
      Value sum = emitSum([&](const TableEmitter &table, Value other) {
        return table.emitUnscaledWeight(x, table.toFloat(other));
      });
      if (getOp().isFixedPoint()) {
        Value inverse = e.select(e.equal(sum, constant(0)), constant(1),
                                 e.div(constant(1), sum));
        weight = e.mul(emitFoldedWeight(tap, x), inverse);
      } else {
        weight = e.div(emitUnscaledWeight(x, toFloat(tap)), sum);
      }
    }
    return toWeight(e.select(emitIsOutside(x), constant(0), weight),
                    IE::kFixedPointOne);
  }

  Value emitFill(Value x) const {
    double outside = getOp().getExtrapolationValue().convertToDouble();
    return toWeight(e.select(emitIsOutside(x), constant(outside), constant(0)),
                    1);
  }

private:
  /// The same where `emitter` builds.
  TableEmitter(const TableEmitter &other, const ScalarEmitter &emitter)
      : e(emitter), op(other.op), dim(other.dim), window(other.window),
        mode(other.mode), type(other.type), weightType(other.weightType) {}

  // Accessors of ops are not const.
  IE::ResizeOp getOp() const { return op; }

  Value constant(double value) const {
    return buildScalar(e.getBuilder(), e.getLoc(), type, value);
  }

  Value toFloat(Value index) const {
    OpBuilder &b = e.getBuilder();
    return e.create<arith::SIToFPOp>(
        type, e.create<arith::IndexCastOp>(b.getI64Type(), index));
  }

  /// `value` times `one` as an entry of a table: an integer is the nearest one.
  Value toWeight(Value value, double one) const {
    if (type == weightType) {
      return value;
    }
    if (!getOp().isFixedPoint()) {
      return e.create<arith::TruncFOp>(weightType, value);
    }
    OpBuilder &b = e.getBuilder();
    auto number = [&](double value) {
      return buildScalar(b, e.getLoc(), b.getF64Type(), value);
    };
    Value scaled =
        e.mul(e.create<arith::ExtFOp>(b.getF64Type(), value), number(one));
    Value half = e.create<math::CopySignOp>(number(0.5), scaled);
    double limit = std::numeric_limits<int32_t>::max();
    Value limited = e.create<arith::MinNumFOp>(
        e.create<arith::MaxNumFOp>(e.add(scaled, half), number(-limit)),
        number(limit));
    return e.create<arith::FPToSIOp>(weightType, limited);
  }

  /// The sum of what `term` gives for each tap.
  Value
  emitSum(llvm::function_ref<Value(const TableEmitter &, Value)> term) const {
    return sumTaps(e.getBuilder(), e.getLoc(), window.numTaps, type,
                   [&](OpBuilder &b, Value tap) {
                     ScalarEmitter inner(b, e.getLoc(), /*isUnsigned=*/false);
                     TableEmitter table(*this, inner);
                     return term(table, tap);
                   });
  }

  /// The weight of a tap with those of the taps outside of the input that read
  /// the same element; 0 for these.
  Value emitFoldedWeight(Value tap, Value x) const {
    Value element = emitElement(x, toFloat(tap));
    Value own = emitUnscaledWeight(x, toFloat(tap));
    Value others = emitSum([&](const TableEmitter &table, Value other) {
      const ScalarEmitter &inner = table.e;
      Value at = table.emitElement(x, table.toFloat(other));
      Value target = inner.create<arith::MaxNumFOp>(
          inner.create<arith::MinNumFOp>(at, table.emitLast()),
          table.constant(0));
      Value isFolded = inner.create<arith::AndIOp>(
          inner.equal(target, element),
          inner.create<arith::CmpFOp>(arith::CmpFPredicate::UNE, at, element));
      return inner.select(isFolded,
                          table.emitUnscaledWeight(x, table.toFloat(other)),
                          table.constant(0));
    });
    Value isInside =
        e.create<arith::AndIOp>(e.lessOrEqual(constant(0), element),
                                e.lessOrEqual(element, emitLast()));
    return e.select(isInside, e.add(own, others), constant(0));
  }

  /// `x` at the scale of the input, in single precision where one element is
  /// taken, as the interpreter does.
  Value emitUnscaled(Value x) const {
    Value result = e.div(x, dim.scale);
    return mode == "nearest"
               ? e.create<arith::ExtFOp>(
                     type, e.create<arith::TruncFOp>(
                               e.getBuilder().getF32Type(), result))
               : result;
  }

  /// The position of the last element.
  Value emitLast() const { return e.sub(dim.inputLength, constant(1)); }

  /// The position in the input, possibly between elements.
  Value emitPlace(Value index) const {
    StringRef transform = getOp().getCoordinateTransformationMode();
    Value x = toFloat(index), scale = dim.scale;
    Value size = dim.inputLength;
    Value width = e.mul(scale, size);
    Value isOne = e.equal(width, constant(1));
    Value lessOne = e.sub(width, constant(1));
    if (transform == "align_corners") {
      Value place = e.div(e.mul(x, emitLast()), lessOne);
      return e.select(isOne, constant(0), place);
    }
    if (transform == "asymmetric") {
      return emitUnscaled(x);
    }
    if (transform == "tf_crop_and_resize") {
      Value last = emitLast();
      Value extent = e.mul(e.sub(dim.roiEnd, dim.roiStart), last);
      Value inside = e.select(isOne, e.div(extent, constant(2)),
                              e.div(e.mul(x, extent), lessOne));
      return e.add(e.mul(dim.roiStart, last), inside);
    }
    Value middle = emitUnscaled(e.add(x, constant(0.5)));
    if (transform == "tf_half_pixel_for_nn") {
      return middle;
    }
    Value center = e.sub(middle, constant(0.5));
    if (transform == "pytorch_half_pixel") {
      return e.select(isOne, constant(-0.5), center);
    }
    if (transform == "half_pixel_symmetric") {
      Value adjustment = e.div(dim.outputLength, width);
      Value half = e.div(size, constant(2));
      return e.add(e.mul(half, e.sub(constant(1), adjustment)), center);
    }
    return center;
  }

  Value emitIsOutside(Value x) const {
    if (getOp().getCoordinateTransformationMode() != "tf_crop_and_resize") {
      return e.create<arith::ConstantOp>(e.getBuilder().getBoolAttr(false));
    }
    Value place = emitPlace(x);
    return e.create<arith::OrIOp>(e.less(place, constant(0)),
                                  e.less(emitLast(), place));
  }

  /// The element before; of an element itself that is the one before it.
  Value emitBefore(Value place) const {
    return e.sub(e.create<math::CeilOp>(place), constant(1));
  }

  /// The element of a tap, which may be outside of the input.
  Value emitElement(Value x, Value tap) const {
    Value place = emitPlace(x), before = emitBefore(place);
    if (mode != "nearest") {
      return e.add(before, e.add(tap, window.first));
    }
    Value ratio = e.sub(place, before), half = constant(0.5);
    StringRef nearest = getOp().getNearestMode();
    Value next = e.add(before, constant(1));
    if (nearest == "ceil") {
      return next;
    }
    Value isUpper = nearest == "floor" ? e.equal(ratio, constant(1))
                    : nearest == "round_prefer_floor"
                        ? e.less(half, ratio)
                        : e.lessOrEqual(half, ratio);
    return e.select(isUpper, next, before);
  }

  Value emitUnscaledWeight(Value x, Value tap) const {
    Value place = emitPlace(x), element = emitElement(x, tap);
    Value center = e.add(place, constant(0.5));
    Value distance =
        e.create<math::AbsFOp>(e.add(e.sub(element, center), constant(0.5)));
    if (getOp().getAntialias() != 0) {
      Value width = e.max(e.div(constant(1), dim.scale), constant(1));
      distance = e.mul(distance, e.div(constant(1), width));
    }
    Value weight = mode == "cubic"
                       ? emitCubic(distance)
                       : e.max(constant(0), e.sub(constant(1), distance));
    if (getOp().getExcludeOutside() != 0) {
      Value isInside =
          e.create<arith::AndIOp>(e.lessOrEqual(constant(0), element),
                                  e.lessOrEqual(element, emitLast()));
      weight = e.select(isInside, weight, constant(0));
    }
    return weight;
  }

  Value emitCubic(Value x) const {
    double a = getOp().getCubicCoeffA().convertToDouble();
    auto shift = [&](Value value, double amount) {
      return e.add(value, constant(amount));
    };
    Value near = shift(e.mul(constant(a + 2), x), -(a + 3));
    near = shift(e.mul(e.mul(near, x), x), 1);
    Value far = shift(e.mul(shift(x, -5), x), 8);
    far = e.mul(shift(e.mul(far, x), -4), constant(a));
    Value beyond = e.select(e.less(x, constant(2)), far, constant(0));
    return e.select(e.lessOrEqual(x, constant(1)), near, beyond);
  }

  const ScalarEmitter &e;
  IE::ResizeOp op;
  RuntimeDim dim;
  Window window;
  StringRef mode;
  Type type; // of the arithmetic
  Type weightType;
};

} // namespace

/// The least scale that a dimension may turn out to have; nothing where any is
/// possible.
static std::optional<double> getLeastScale(const RuntimeDim &dim) {
  std::optional<int64_t> input = getConstantIntValue(dim.inputSize);
  std::optional<int64_t> output = getConstantIntValue(dim.outputSize);
  if (dim.knownScale || !input || !output) {
    return dim.knownScale;
  }
  // The result's size bounds it from below.
  return (static_cast<double>(*output) - 0.5) / static_cast<double>(*input);
}

/// Taps beyond what the scale turns out to need have no weight.
static Window buildWindow(const ScalarEmitter &e, IE::ResizeOp op,
                          const RuntimeDim &dim) {
  OpBuilder &b = e.getBuilder();
  auto constant = [&](double value) {
    return buildScalar(b, e.getLoc(), b.getF64Type(), value);
  };
  if (op.getMode() == "nearest") {
    return {b.getIndexAttr(1), constant(0)};
  }
  double radius = op.getMode() == "cubic" ? 2 : 1;
  std::optional<double> least =
      op.getAntialias() != 0 ? getLeastScale(dim) : std::optional(1.0);
  if (least) {
    auto first =
        static_cast<int64_t>(std::floor(-radius / std::min(1.0, *least))) + 1;
    return {b.getIndexAttr(2 - 2 * first),
            constant(static_cast<double>(first))};
  }
  Value shrink = e.create<arith::MinNumFOp>(dim.scale, constant(1));
  Value first = e.add(e.create<math::FloorOp>(e.div(constant(-radius), shrink)),
                      constant(1));
  Value count = e.create<arith::FPToSIOp>(
      b.getI64Type(), e.sub(constant(2), e.mul(constant(2), first)));
  return {e.create<arith::IndexCastOp>(b.getIndexType(), count), first};
}

static ResizeTables buildRuntimeTables(OpBuilder &builder, IE::ResizeOp op,
                                       const RuntimeDim &dim, Type weightType) {
  Location loc = op.getLoc();
  ScalarEmitter outer(builder, loc, /*isUnsigned=*/false);
  Window window = buildWindow(outer, op, dim);
  auto buildTable = [&](Type element, ArrayRef<OpFoldResult> shape,
                        auto emit) -> Value {
    return buildFromIndices(
        builder, loc, RankedTensorType::get(getShape(shape), element),
        [&](OpBuilder &b, Location nested, ValueRange indices) -> Value {
          ScalarEmitter e(b, nested, /*isUnsigned=*/false);
          return emit(TableEmitter(e, op, dim, window, weightType), indices);
        },
        shape);
  };
  Sizes shape = {window.numTaps, dim.outputSize};
  ResizeTables tables;
  tables.numTaps = window.numTaps;
  tables.isWeighted = op.getMode() != "nearest";
  tables.positions =
      buildTable(builder.getI64Type(), shape,
                 [](const TableEmitter &table, ValueRange indices) {
                   return table.emitPosition(indices[0], indices[1]);
                 });
  tables.weights = buildTable(
      weightType, shape, [](const TableEmitter &table, ValueRange indices) {
        return table.emitWeight(indices[0], indices[1]);
      });
  if (op.getCoordinateTransformationMode() == "tf_crop_and_resize") {
    tables.fill = buildTable(weightType, dim.outputSize,
                             [](const TableEmitter &table, ValueRange indices) {
                               return table.emitFill(indices[0]);
                             });
  }
  return tables;
}

/// `value` with one dimension resized to `size`.
static Value buildResizedDim(OpBuilder &builder, Location loc, Value value,
                             int64_t dim, OpFoldResult size,
                             const ResizeTables &tables, double outside,
                             bool isUnsigned) {
  Sizes sizes = getSizes(builder, loc, value);
  sizes[dim] = size;
  Type element = getElementTypeOrSelf(value);
  Type sumType = getElementTypeOrSelf(tables.weights);
  bool isFixedPoint = sumType.isInteger();
  return buildFromIndices(
      builder, loc, RankedTensorType::get(getShape(sizes), element),
      [&](OpBuilder &b, Location at, ValueRange indices) -> Value {
        auto loadTap = [&](OpBuilder &b, Value tap) {
          Value position = arith::IndexCastOp::create(
              b, at, b.getIndexType(),
              buildExtract(b, at, tables.positions, {tap, indices[dim]}));
          SmallVector<Value> from(indices);
          from[dim] = position;
          return buildExtract(b, at, value, from);
        };
        auto loadWeight = [&](OpBuilder &b, Value tap) {
          return buildExtract(b, at, tables.weights, {tap, indices[dim]});
        };
        if (!tables.isWeighted) {
          Value only = buildIndex(b, at, 0);
          Value x = loadTap(b, only);
          if (!tables.fill) {
            return x;
          }
          Value zero = buildScalar(b, at, b.getF32Type(), 0);
          Value isOutside = arith::CmpFOp::create(
              b, at, arith::CmpFPredicate::OEQ, loadWeight(b, only), zero);
          return arith::SelectOp::create(
                     b, at, isOutside, buildScalar(b, at, element, outside), x)
              .getResult();
        }
        Value sum = sumTaps(b, at, tables.numTaps, sumType,
                            [&](OpBuilder &nested, Value tap) -> Value {
                              ScalarEmitter e(nested, at, isUnsigned);
                              Value x = loadTap(nested, tap);
                              x = isFixedPoint ? e.convert(x, sumType, false)
                                               : widenHalf(nested, at, x);
                              return e.mul(x, loadWeight(nested, tap));
                            });
        ScalarEmitter e(b, at, /*isUnsigned=*/false);
        if (isFixedPoint) {
          sum = e.create<arith::ShRSIOp>(
              e.add(sum, e.constant(sum, IE::kFixedPointOne / 2)),
              e.constant(sum, IE::kFixedPointBits));
        }
        if (tables.fill) {
          sum = e.add(sum, buildExtract(b, at, tables.fill, {indices[dim]}));
        }
        if (!isFixedPoint) {
          return narrowHalf(b, at, sum, element);
        }
        double low = isUnsigned ? 0 : -128;
        Value limited =
            e.max(e.constant(sum, low), e.min(sum, e.constant(sum, low + 255)));
        return arith::TruncIOp::create(b, at, element, limited);
      },
      sizes);
}

/// Constants among the operands, and the output's shape, may say it all.
static std::optional<SmallVector<IE::ResizedDim>>
resolveStatically(IE::ResizeOp op) {
  auto getFloats = [](Value value) {
    return IE::getConstantFloats(value).value_or(SmallVector<double>());
  };
  std::optional<SmallVector<int64_t>> sizes =
      IE::getConstantInts(op.getSizes());
  SmallVector<double> scales = getFloats(op.getScales());
  SmallVector<double> roi = getFloats(op.getRoi());
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto output = cast<RankedTensorType>(op.getOutput().getType());
  if (!input.hasStaticShape() || !output.hasStaticShape()) {
    return std::nullopt;
  }
  if (op.getSizes() && !sizes && op.getKeepAspectRatioPolicy() == "stretch") {
    // The result has the sizes that were asked for.
    sizes.emplace();
    SmallVector<int64_t> axes(op.getAxes());
    if (axes.empty()) {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, output.getRank()));
    }
    for (int64_t axis : axes) {
      sizes->push_back(
          output.getDimSize(axis < 0 ? axis + output.getRank() : axis));
    }
  }
  bool needsRoi = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
  if ((scales.empty() && (!sizes || sizes->empty())) ||
      (needsRoi && roi.empty())) {
    return std::nullopt;
  }
  FailureOr<SmallVector<IE::ResizedDim>> dims =
      IE::resolveResize(op.getLoc(), op, input.getShape(),
                        {roi, scales, sizes.value_or(SmallVector<int64_t>())});
  return succeeded(dims) ? std::optional(*dims) : SmallVector<IE::ResizedDim>();
}

namespace {

struct ResizeToLinalg final : OpConversionPattern<IE::ResizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ResizeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getInput();
    double outside = op.getExtrapolationValue().convertToDouble();
    std::optional<SmallVector<IE::ResizedDim>> dims = resolveStatically(op);
    if (!dims) {
      FailureOr<Value> resized = resizeAtRunTime(op, adaptor, rewriter);
      if (failed(resized)) {
        return failure();
      }
      rewriter.replaceOp(
          op, buildCast(rewriter, op.getLoc(), *resized,
                        getRankedType(*getTypeConverter(), op.getOutput())));
      return success();
    }
    if (dims->empty()) {
      return rewriter.notifyMatchFailure(op, "its values do not fit its shape");
    }
    if (op.isFixedPoint()) {
      std::reverse(dims->begin(), dims->end());
    }
    Type weightType = getWeightType(op, value);
    double one = op.isFixedPoint() ? IE::kFixedPointOne : 1;
    for (const IE::ResizedDim &dim : *dims) {
      SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(op, dim);
      if (!isIdentity(taps, dim.inputSize, one)) {
        ResizeTables tables = buildConstantTables(rewriter, op.getLoc(), taps,
                                                  outside, weightType);
        value = buildResizedDim(rewriter, op.getLoc(), value, dim.dim,
                                rewriter.getIndexAttr(dim.outputSize), tables,
                                outside, isUnsignedElement(op.getInput()));
      }
    }
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  /// The type of the weights of elements of `value`, and of their sum.
  static Type getWeightType(IE::ResizeOp op, Value value) {
    Builder builder(op.getContext());
    Type element = getElementTypeOrSelf(value);
    return op.isFixedPoint() ? builder.getI32Type()
           : element.isF64() ? Type(builder.getF64Type())
                             : builder.getF32Type();
  }

  /// Resizes by sizes, scales or a region of interest that only a run knows.
  static FailureOr<Value> resizeAtRunTime(IE::ResizeOp op, OpAdaptor adaptor,
                                          ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto input = cast<RankedTensorType>(op.getInput().getType());
    if (failed(IE::normalizeAxes(loc, op.getAxes(), input.getRank()))) {
      return failure();
    }
    bool isCropped =
        op.getCoordinateTransformationMode() == "tf_crop_and_resize";
    if (isCropped && !adaptor.getRoi()) {
      return op.emitError("expected a region of interest for "
                          "tf_crop_and_resize");
    }
    size_t count = op.getAxes().empty() ? input.getRank() : op.getAxes().size();
    Value wanted = op.getSizes() ? op.getSizes() : op.getScales();
    if (failed(verifyCompatibleShape(
            cast<RankedTensorType>(wanted.getType()).getShape(),
            {static_cast<int64_t>(count)}))) {
      return op.emitError("expected scales or sizes of ")
             << count << " dimensions, found " << wanted.getType();
    }
    TracingSizeBuilder sizes(rewriter, loc);
    ScalarEmitter e(rewriter, loc, /*isUnsigned=*/false);
    SmallVector<RuntimeDim> dims;
    for (const IE::SizedResize &dim : op.getResizedDims(sizes)) {
      dims.emplace_back(dim);
    }
    if (isCropped) {
      auto count = static_cast<int64_t>(dims.size());
      assertSameSize(rewriter, loc, getSize(rewriter, loc, adaptor.getRoi(), 0),
                     rewriter.getIndexAttr(2 * count),
                     "a region of interest of another number of dimensions");
      auto load = [&](int64_t i) {
        Value element = buildExtract(rewriter, loc, adaptor.getRoi(),
                                     buildIndex(rewriter, loc, i));
        return e.convert(element, rewriter.getF64Type(), false);
      };
      for (auto [i, dim] : llvm::enumerate(dims)) {
        dim.roiStart = load(static_cast<int64_t>(i));
        dim.roiEnd = load(static_cast<int64_t>(i) + count);
      }
    }
    Value value = adaptor.getInput();
    Type weightType = getWeightType(op, value);
    if (op.isFixedPoint()) {
      std::reverse(dims.begin(), dims.end());
    }
    for (const RuntimeDim &dim : dims) {
      if (isUnchanged(op, dim, isCropped)) {
        continue;
      }
      value = buildResizedDim(rewriter, loc, value, dim.dim, dim.outputSize,
                              buildRuntimeTables(rewriter, op, dim, weightType),
                              op.getExtrapolationValue().convertToDouble(),
                              isUnsignedElement(op.getInput()));
    }
    return value;
  }

  /// True for a dimension that certainly stays as it is.
  static bool isUnchanged(IE::ResizeOp op, const RuntimeDim &dim,
                          bool isCropped) {
    bool isSame = isEqualConstantIntOrValue(dim.inputSize, dim.outputSize);
    // Whatever the scale, one element stays as it is.
    bool isPoint = isSame && getConstantIntValue(dim.inputSize) == 1;
    bool keepsScale =
        dim.knownScale == 1 ||
        (op.getSizes() && op.getKeepAspectRatioPolicy() == "stretch");
    // Not every way to place the elements of a result maps those of the same
    // size to themselves.
    StringRef transform = op.getCoordinateTransformationMode();
    bool maps = transform != "tf_half_pixel_for_nn" && !isCropped;
    return (isPoint && !isCropped) || (isSame && keepsScale && maps);
  }
};

} // namespace

void nacre::populateResizeToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<ResizeToLinalg>(converter, patterns.getContext());
}
