//===- ResizeTables.cpp - What resized positions read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the tables of a resized dimension: constants where everything is
// known, kernels that compute them where something is not.
//
//===----------------------------------------------------------------------===//

#include "ResizeTables.h"

#include "Indices.h"
#include "Loops.h"
#include "ScalarEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

Value nacre::sumTaps(OpBuilder &builder, Location loc, OpFoldResult count,
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

ResizeTables nacre::buildConstantTables(OpBuilder &builder, Location loc,
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
  auto buildTable = [&](const auto &values, Type element,
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
  /// taken and the scale is no whole number, as the interpreter does.
  Value emitUnscaled(Value x) const {
    Value result = e.div(x, dim.scale);
    if (mode != "nearest" || dim.getKnownTimes()) {
      return result;
    }
    Value isWhole = e.equal(dim.scale, e.create<math::FloorOp>(dim.scale));
    Value rounded = e.create<arith::ExtFOp>(
        type, e.create<arith::TruncFOp>(e.getBuilder().getF32Type(), result));
    return e.select(isWhole, result, rounded);
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

ResizeTables nacre::buildRuntimeTables(OpBuilder &builder, IE::ResizeOp op,
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
