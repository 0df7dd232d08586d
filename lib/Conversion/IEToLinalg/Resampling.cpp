//===- Resampling.cpp - Lower resampling to linalg ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernel of IE.GridSample, in which each element computes what it
// reads. Resize and RoiAlign have files of their own.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/Resampling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <functional>

using namespace mlir;
using namespace nacre;

namespace {

/// An element of GridSample's image, by its position in one dimension. Whether
/// it is inside is null where every position is.
struct Tap {
  Value position, isInside, weight;
};

/// Emits where GridSample reads in one dimension of `length` elements, a float
/// of the type of the coordinates.
class GridEmitter {
public:
  GridEmitter(const ScalarEmitter &emitter, IE::GridSampleOp op, Value length)
      : e(emitter), type(length.getType()), mode(op.getMode()),
        padding(op.getPaddingMode()), alignCorners(op.getAlignCorners() != 0),
        size(length), low(alignCorners ? 0 : -0.5) {
    last = shift(size, -1);
    high = shift(last, -low);
  }

  SmallVector<Tap> getTaps(Value coordinate) const {
    Value x = denormalize(coordinate);
    if (mode == "nearest") {
      return {getTap(pad(e.create<math::RoundEvenOp>(x)), constant(1))};
    }
    x = pad(x);
    Value first = e.create<math::FloorOp>(x), t = e.sub(x, first);
    Value rest = e.sub(constant(1), t);
    if (mode == "linear") {
      return {getTap(first, rest), getTap(shift(first, 1), t)};
    }
    return {getTap(shift(first, -1), weighFar(shift(t, 1))),
            getTap(first, weighNear(t)),
            getTap(shift(first, 1), weighNear(rest)),
            getTap(shift(first, 2), weighFar(shift(rest, 1)))};
  }

private:
  // The constant of cubic convolution that the operator prescribes.
  static constexpr double kCubic = -0.75;

  Value constant(double value) const {
    return buildScalar(e.getBuilder(), e.getLoc(), type, value);
  }

  Value shift(Value x, double amount) const {
    return e.add(x, constant(amount));
  }

  Value scale(Value x, double factor) const {
    return e.mul(x, constant(factor));
  }

  /// A coordinate between -1 and 1 as one between `low` and `high`.
  Value denormalize(Value coordinate) const {
    Value x = shift(coordinate, 1);
    if (alignCorners) {
      return e.mul(scale(x, 0.5), last);
    }
    return scale(shift(e.mul(x, size), -1), 0.5);
  }

  /// The weights of elements less than one, and less than two, away.
  Value weighNear(Value t) const {
    Value slope = shift(scale(t, kCubic + 2), -(kCubic + 3));
    return shift(e.mul(e.mul(slope, t), t), 1);
  }
  Value weighFar(Value t) const {
    Value slope = shift(scale(t, kCubic), -5 * kCubic);
    return shift(e.mul(shift(e.mul(slope, t), 8 * kCubic), t), -4 * kCubic);
  }

  Value clamp(Value x) const {
    // Also a position for NaN.
    Value below = e.create<arith::MinNumFOp>(x, last);
    return e.create<arith::MaxNumFOp>(below, constant(0));
  }

  Value isBetween(Value x, double least, Value most) const {
    return e.create<arith::AndIOp>(e.lessOrEqual(constant(least), x),
                                   e.lessOrEqual(x, most));
  }

  /// A coordinate outside of the image as one inside.
  Value pad(Value x) const {
    if (padding == "zeros") {
      return x;
    }
    return e.select(isBetween(x, low, high), x,
                    padding == "border" ? clamp(x) : reflect(x));
  }

  Value reflect(Value x) const {
    // Twice the distance of the ends, which a single element may not have.
    Value period = scale(shift(high, -low), 2);
    Value isPoint = e.equal(period, constant(0));
    period = e.select(isPoint, constant(1), period);
    Value distance = e.create<math::AbsFOp>(shift(x, -low));
    Value whole = e.create<math::FloorOp>(e.div(distance, period));
    Value rest = e.sub(distance, e.mul(whole, period));
    Value mirrored = e.sub(period, rest);
    Value reflected = shift(e.create<arith::MinNumFOp>(rest, mirrored), low);
    return e.select(isPoint, constant(low), reflected);
  }

  Tap getTap(Value x, Value weight) const {
    OpBuilder &b = e.getBuilder();
    Value inside = padding == "zeros" ? isBetween(x, 0, last) : Value();
    Value position = clamp(padding == "reflection" ? reflect(x) : x);
    Value integer = e.create<arith::FPToSIOp>(b.getI64Type(), position);
    Value index = e.create<arith::IndexCastOp>(b.getIndexType(), integer);
    return {index, inside, weight};
  }

  const ScalarEmitter &e;
  Type type;
  StringRef mode, padding;
  bool alignCorners;
  Value size, last;
  double low;
  Value high;
};

struct GridSampleToLinalg final : OpConversionPattern<IE::GridSampleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GridSampleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op);
    assertElements(rewriter, op.getLoc(), adaptor.getInput(), sizes);
    Sizes image = getSizes(rewriter, op.getLoc(), adaptor.getInput());
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, op.getLoc(), type,
                [&](OpBuilder &b, Location loc, ValueRange indices) {
                  ScalarEmitter e(b, loc, isUnsignedElement(op.getInput()));
                  return emitElement(e, op, adaptor, image, indices);
                },
                sizes));
    return success();
  }

private:
  static Value emitElement(const ScalarEmitter &e, IE::GridSampleOp op,
                           OpAdaptor adaptor, ArrayRef<OpFoldResult> image,
                           ValueRange indices) {
    OpBuilder &b = e.getBuilder();
    Location loc = e.getLoc();
    int64_t rank = image.size();
    // The grid begins with the coordinate of the last dimension.
    SmallVector<SmallVector<Tap>> taps;
    for (int64_t dim = 2; dim < rank; ++dim) {
      SmallVector<Value> at(indices.drop_front(2));
      at.insert(at.begin(), indices[0]);
      at.push_back(buildIndex(b, loc, rank - 1 - dim));
      Value coordinate =
          widenHalf(b, loc, buildExtract(b, loc, adaptor.getGrid(), at));
      Value length = buildNumber(e, coordinate.getType(), image[dim]);
      taps.push_back(GridEmitter(e, op, length).getTaps(coordinate));
    }
    auto load = [&](ArrayRef<Tap> position) {
      SmallVector<Value> at = {indices[0], indices[1]};
      Value isInside;
      for (const Tap &tap : position) {
        at.push_back(tap.position);
        if (tap.isInside) {
          isInside = isInside ? e.create<arith::AndIOp>(isInside, tap.isInside)
                              : tap.isInside;
        }
      }
      Value value = buildExtract(b, loc, adaptor.getInput(), at);
      return isInside ? e.select(isInside, value, e.constant(value, 0)) : value;
    };
    if (op.getMode() == "nearest") {
      return load(llvm::map_to_vector(
          taps, [](ArrayRef<Tap> dim) { return dim.front(); }));
    }
    Type element = cast<ShapedType>(op.getOutput().getType()).getElementType();
    Value sum;
    auto addTerm = [&](ArrayRef<Tap> position) {
      Value value = widenHalf(b, loc, load(position));
      Value weight = position.front().weight;
      for (const Tap &tap : position.drop_front()) {
        weight = e.mul(weight, tap.weight);
      }
      Value term =
          e.mul(e.convert(weight, value.getType(), /*isTargetUnsigned=*/false),
                value);
      sum = sum ? e.add(sum, term) : term;
    };
    // Every combination of taps, those of the last dimension innermost.
    SmallVector<Tap> position;
    std::function<void()> visit = [&] {
      if (position.size() == taps.size()) {
        addTerm(position);
        return;
      }
      for (const Tap &tap : taps[position.size()]) {
        position.push_back(tap);
        visit();
        position.pop_back();
      }
    };
    visit();
    return narrowHalf(b, loc, sum, element);
  }
};

} // namespace

void nacre::populateResamplingToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<GridSampleToLinalg>(converter, patterns.getContext());
}
