//===- RoiAlign.cpp - Lower RoiAlign to loops
//------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernel of IE.RoiAlign: a loop over the elements of the result,
// each of which interpolates the points of its bin. How many those are may
// depend on the region.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

namespace {

/// A bin in one dimension: where it starts and the points it has.
struct Bin {
  Value start, width, count;
};

/// The elements around a point. Where it is outside, the weights are zero.
struct Neighbours {
  Value low, high, weightLow, weightHigh;
};

/// Emits the scalar code of one element of the result.
class RoiEmitter {
public:
  RoiEmitter(const ScalarEmitter &emitter, IE::RoiAlignOp op, Type type)
      : e(emitter), op(op), type(type),
        isAligned(op.getCoordinateTransformationMode() == "half_pixel") {}

  /// Bin number `index` of `numBins` of the region from `start` to `end`.
  Bin getBin(Value start, Value end, Value index, int64_t numBins) const {
    Value first = place(start);
    Value length = e.sub(place(end), first);
    if (!isAligned) {
      length = e.create<arith::MaxNumFOp>(length, constant(1));
    }
    Value width = e.div(length, constant(static_cast<double>(numBins)));
    Value offset = e.mul(toFloat(index), width);
    Value count;
    if (getOp().getSamplingRatio() != 0) {
      count =
          buildIndex(e.getBuilder(), e.getLoc(), getOp().getSamplingRatio());
    } else {
      // Also a number for NaN.
      Value points = e.create<arith::MinNumFOp>(e.create<math::CeilOp>(width),
                                                constant(IE::kMaxRoiPoints));
      count = toIndex(e.create<arith::MaxNumFOp>(points, constant(0)));
    }
    return {e.add(first, offset), width, count};
  }

  /// Around point number `index` of a bin, in a dimension of `size` elements.
  Neighbours getNeighbours(const Bin &bin, Value index,
                           OpFoldResult size) const {
    Value place = e.add(toFloat(index), constant(0.5));
    Value offset = e.div(e.mul(place, bin.width), toFloat(bin.count));
    Value x = e.add(bin.start, offset);
    Value isInside =
        e.create<arith::AndIOp>(e.lessOrEqual(constant(-1), x),
                                e.lessOrEqual(x, buildNumber(e, type, size)));
    OpFoldResult last = subtractSizes(e.getBuilder(), e.getLoc(), size,
                                      e.getBuilder().getIndexAttr(1));
    x = e.create<arith::MaxNumFOp>(
        e.create<arith::MinNumFOp>(x, buildNumber(e, type, last)), constant(0));
    Value low = toIndex(x);
    Value high = e.create<arith::MinSIOp>(
        e.create<arith::AddIOp>(low, one()),
        getValueOrCreateConstantIndexOp(e.getBuilder(), e.getLoc(), last));
    Value beyond = e.sub(x, toFloat(low));
    return {low, high,
            e.select(isInside, e.sub(constant(1), beyond), constant(0)),
            e.select(isInside, beyond, constant(0))};
  }

  Value constant(double value) const {
    return buildScalar(e.getBuilder(), e.getLoc(), type, value);
  }

  Value toFloat(Value index) const {
    OpBuilder &b = e.getBuilder();
    return e.create<arith::SIToFPOp>(
        type, e.create<arith::IndexCastOp>(b.getI64Type(), index));
  }

private:
  // Accessors of ops are not const.
  IE::RoiAlignOp getOp() const { return op; }

  Value one() const { return buildIndex(e.getBuilder(), e.getLoc(), 1); }

  Value toIndex(Value value) const {
    OpBuilder &b = e.getBuilder();
    return e.create<arith::IndexCastOp>(
        b.getIndexType(), e.create<arith::FPToSIOp>(b.getI64Type(), value));
  }

  /// A coordinate of a region in the image.
  Value place(Value coordinate) const {
    double scale = getOp().getSpatialScale().convertToDouble();
    Value scaled = e.mul(coordinate, constant(scale));
    return isAligned ? e.sub(scaled, constant(0.5)) : scaled;
  }

  const ScalarEmitter &e;
  IE::RoiAlignOp op;
  Type type;
  bool isAligned;
};

struct RoiAlignToLinalg final : OpConversionPattern<IE::RoiAlignOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RoiAlignOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    assertElements(rewriter, loc, adaptor.getInput(), sizes);
    Sizes image = getSizes(rewriter, loc, adaptor.getInput());
    SmallVector<Value> lower, upper, step;
    for (OpFoldResult size : sizes) {
      lower.push_back(buildIndex(rewriter, loc, 0));
      upper.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
      step.push_back(buildIndex(rewriter, loc, 1));
    }
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, lower, upper, step,
        buildEmpty(rewriter, loc, type, sizes),
        [&](OpBuilder &b, Location, ValueRange indices,
            ValueRange state) -> scf::ValueVector {
          Value element = buildElement(b, op, adaptor, image, indices);
          return {tensor::InsertOp::create(b, loc, element, state[0], indices)};
        });
    rewriter.replaceOp(op, nest.results);
    return success();
  }

private:
  static Value buildElement(OpBuilder &b, IE::RoiAlignOp op, OpAdaptor adaptor,
                            ArrayRef<OpFoldResult> images, ValueRange indices) {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(adaptor.getInput());
    Type type = getAccumulatorType(element);
    ScalarEmitter e(b, loc, /*isUnsigned=*/false);
    RoiEmitter roi(e, op, type);
    auto getCoordinate = [&](int64_t which) {
      return widenHalf(b, loc,
                       buildExtract(b, loc, adaptor.getRois(),
                                    {indices[0], buildIndex(b, loc, which)}));
    };
    Bin rows = roi.getBin(getCoordinate(1), getCoordinate(3), indices[2],
                          static_cast<int64_t>(op.getOutputHeight()));
    Bin columns = roi.getBin(getCoordinate(0), getCoordinate(2), indices[3],
                             op.getOutputWidth());
    Value image = buildSafeIndex(
        b, loc, buildExtract(b, loc, adaptor.getBatchIndices(), indices[0]),
        getValueOrCreateConstantIndexOp(b, loc, images[0]));
    bool isMax = op.getMode() == "max";
    Value zero = buildIndex(b, loc, 0), one = buildIndex(b, loc, 1);
    Value init = isMax ? buildLowest(b, loc, type, /*isUnsigned=*/false)
                       : roi.constant(0);
    scf::LoopNest points = scf::buildLoopNest(
        b, loc, {zero, zero}, {rows.count, columns.count}, {one, one}, init,
        [&](OpBuilder &nested, Location, ValueRange point,
            ValueRange state) -> scf::ValueVector {
          ScalarEmitter inner(nested, loc, /*isUnsigned=*/false);
          RoiEmitter emitter(inner, op, type);
          Neighbours y = emitter.getNeighbours(rows, point[0], images[2]);
          Neighbours x = emitter.getNeighbours(columns, point[1], images[3]);
          Value result = state[0];
          for (auto [row, rowWeight] : {std::pair(y.low, y.weightLow),
                                        std::pair(y.high, y.weightHigh)}) {
            for (auto [column, weight] : {std::pair(x.low, x.weightLow),
                                          std::pair(x.high, x.weightHigh)}) {
              Value value =
                  widenHalf(nested, loc,
                            buildExtract(nested, loc, adaptor.getInput(),
                                         {image, indices[1], row, column}));
              Value part = inner.mul(inner.mul(rowWeight, weight), value);
              result =
                  isMax ? inner.max(result, part) : inner.add(result, part);
            }
          }
          return {result};
        });
    Value count = e.create<arith::MulIOp>(rows.count, columns.count);
    Value isEmpty =
        e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, count, zero);
    Value result = points.results.front();
    if (!isMax) {
      result = e.div(result, roi.toFloat(count));
    }
    return narrowHalf(b, loc, e.select(isEmpty, roi.constant(0), result),
                      element);
  }
};

} // namespace

void nacre::populateRoiAlignToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<RoiAlignToLinalg>(converter, patterns.getContext());
}
