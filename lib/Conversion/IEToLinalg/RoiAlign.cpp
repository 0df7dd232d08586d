//===- RoiAlign.cpp - Lower RoiAlign to loops -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernel of IE.RoiAlign: a loop over the bins of the result, whose
// points it interpolates for some channels at a time. How many points those are
// may depend on the region. Where channels lie beside each other, they make
// vectors, and the elements around a point are in one place: the image is
// transposed first if that pays.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "Loops.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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

/// Computes a bin of the result for some channels, whose images it reads at the
/// same places.
class BinEmitter {
public:
  /// `input` is the image, as the operand or with channels last.
  /// `images` are the sizes of the operand.
  BinEmitter(IE::RoiAlignOp op, IE::RoiAlignOp::Adaptor adaptor, Value input,
             bool channelsLast, ArrayRef<OpFoldResult> images)
      : op(op), adaptor(adaptor), input(input), channelsLast(channelsLast),
        images(images), element(getElementTypeOrSelf(input)),
        type(getAccumulatorType(element)), isMax(op.getMode() == "max") {}

  /// How many channels are computed at a time: all that there are, if they are
  /// few, or equal parts of them if possible.
  int64_t getStep() const;

  /// `result` with the bin at `bin`: a region, a channel, the first of `count`,
  /// a row and a column.
  Value build(OpBuilder &b, ValueRange bin, Value count, Value result) const;

private:
  /// Calls `body` for each channel with a tensor to carry.
  static Value
  forEachChannel(OpBuilder &b, Location loc, Value count, Value carried,
                 llvm::function_ref<Value(OpBuilder &, Value, Value)> body) {
    return scf::buildLoopNest(b, loc, buildIndex(b, loc, 0), count,
                              buildIndex(b, loc, 1), carried,
                              [&](OpBuilder &inner, Location,
                                  ValueRange channel,
                                  ValueRange state) -> scf::ValueVector {
                                return {body(inner, channel[0], state[0])};
                              })
        .results.front();
  }
  /// The value of a channel between the elements around a point.
  Value interpolate(const ScalarEmitter &e, Value image, Value channel,
                    const Neighbours &y, const Neighbours &x) const;
  Value combine(const ScalarEmitter &e, Value a, Value b) const {
    return isMax ? e.max(a, b) : e.add(a, b);
  }

  mutable IE::RoiAlignOp op;
  mutable IE::RoiAlignOp::Adaptor adaptor;
  Value input;
  bool channelsLast;
  ArrayRef<OpFoldResult> images;
  Type element, type;
  bool isMax;
};

} // namespace

int64_t BinEmitter::getStep() const {
  // As many as the registers of a machine of vectors hold, or as the first
  // cache holds the lines of, of which each channel needs some.
  int64_t most = channelsLast ? 64 : 16;
  std::optional<int64_t> channels = getConstantIntValue(images[1]);
  if (!channels) {
    return most;
  }
  if (*channels <= most) {
    return std::max<int64_t>(*channels, 1);
  }
  for (int64_t step = most; step >= most / 2; --step) {
    if (*channels % step == 0) {
      return step;
    }
  }
  return most;
}

Value BinEmitter::interpolate(const ScalarEmitter &e, Value image,
                              Value channel, const Neighbours &y,
                              const Neighbours &x) const {
  OpBuilder &b = e.getBuilder();
  auto load = [&](Value row, Value column) {
    SmallVector<Value> indices = {image, channel, row, column};
    if (channelsLast) {
      indices = {image, row, column, channel};
    }
    return widenHalf(b, e.getLoc(),
                     buildExtract(b, e.getLoc(), input, indices));
  };
  SmallVector<Value> parts;
  for (auto [row, rowWeight] :
       {std::pair(y.low, y.weightLow), std::pair(y.high, y.weightHigh)}) {
    for (auto [column, weight] :
         {std::pair(x.low, x.weightLow), std::pair(x.high, x.weightHigh)}) {
      parts.push_back(e.mul(e.mul(rowWeight, weight), load(row, column)));
    }
  }
  return combine(e, combine(e, parts[0], parts[1]),
                 combine(e, parts[2], parts[3]));
}

Value BinEmitter::build(OpBuilder &b, ValueRange bin, Value count,
                        Value result) const {
  Location loc = op.getLoc();
  ScalarEmitter e(b, loc, /*isUnsigned=*/false);
  RoiEmitter roi(e, op, type);
  auto getCoordinate = [&](int64_t which) {
    return widenHalf(b, loc,
                     buildExtract(b, loc, adaptor.getRois(),
                                  {bin[0], buildIndex(b, loc, which)}));
  };
  Bin rows = roi.getBin(getCoordinate(1), getCoordinate(3), bin[2],
                        static_cast<int64_t>(op.getOutputHeight()));
  Bin columns = roi.getBin(getCoordinate(0), getCoordinate(2), bin[3],
                           static_cast<int64_t>(op.getOutputWidth()));
  Value image = buildSafeIndex(
      b, loc, buildExtract(b, loc, adaptor.getBatchIndices(), bin[0]),
      getValueOrCreateConstantIndexOp(b, loc, images[0]));
  Value zero = buildIndex(b, loc, 0), one = buildIndex(b, loc, 1);
  Value init =
      isMax ? buildLowest(b, loc, type, /*isUnsigned=*/false) : roi.constant(0);
  Value sums =
      buildFilled(b, loc, RankedTensorType::get({getStep()}, type), init);
  auto getChannel = [&](OpBuilder &inner, Value number) -> Value {
    return arith::AddIOp::create(inner, loc, bin[1], number);
  };
  sums =
      scf::buildLoopNest(
          b, loc, {zero, zero}, {rows.count, columns.count}, {one, one}, sums,
          [&](OpBuilder &nested, Location, ValueRange point,
              ValueRange state) -> scf::ValueVector {
            ScalarEmitter place(nested, loc, /*isUnsigned=*/false);
            RoiEmitter emitter(place, op, type);
            Neighbours y = emitter.getNeighbours(rows, point[0], images[2]);
            Neighbours x = emitter.getNeighbours(columns, point[1], images[3]);
            return {forEachChannel(
                nested, loc, count, state[0],
                [&](OpBuilder &inner, Value number, Value carried) -> Value {
                  ScalarEmitter each(inner, loc, /*isUnsigned=*/false);
                  Value value =
                      interpolate(each, image, getChannel(inner, number), y, x);
                  Value sum = buildExtract(inner, loc, carried, number);
                  return tensor::InsertOp::create(
                      inner, loc, combine(each, sum, value), carried, number);
                })};
          })
          .results.front();
  Value points = e.create<arith::MulIOp>(rows.count, columns.count);
  Value isEmpty =
      e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, points, zero);
  Value none = roi.constant(0), divisor = roi.toFloat(points);
  return forEachChannel(
      b, loc, count, result,
      [&](OpBuilder &inner, Value number, Value carried) -> Value {
        ScalarEmitter each(inner, loc, /*isUnsigned=*/false);
        Value value = buildExtract(inner, loc, sums, number);
        if (!isMax) {
          value = each.div(value, divisor);
        }
        value =
            narrowHalf(inner, loc, each.select(isEmpty, none, value), element);
        Value indices[] = {bin[0], getChannel(inner, number), bin[2], bin[3]};
        return tensor::InsertOp::create(inner, loc, value, carried, indices);
      });
}

/// `room` with its bins computed from `input`, which is the image of `images`
/// sizes, or has its channels last.
static Value buildRegions(OpBuilder &builder, IE::RoiAlignOp op,
                          IE::RoiAlignOp::Adaptor adaptor, Value input,
                          bool channelsLast, ArrayRef<OpFoldResult> images,
                          Value room) {
  Location loc = op.getLoc();
  Sizes sizes = getSizes(builder, loc, room);
  BinEmitter emitter(op, adaptor, input, channelsLast, images);
  int64_t step = emitter.getStep();
  std::optional<int64_t> channels = getConstantIntValue(sizes[1]);
  bool isWhole = channels && *channels % step == 0;
  Value zero = buildIndex(builder, loc, 0);
  Value one = buildIndex(builder, loc, 1);
  Value some = buildIndex(builder, loc, step);
  SmallVector<Value> ends = llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  });
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, {zero, zero, zero, zero}, ends, {one, some, one, one}, room,
      [&](OpBuilder &b, Location, ValueRange bin,
          ValueRange state) -> scf::ValueVector {
        Value count = some;
        if (!isWhole) {
          count = arith::MinUIOp::create(
              b, loc, some, arith::SubIOp::create(b, loc, ends[1], bin[1]));
        }
        return {emitter.build(b, bin, count, state[0])};
      });
  for (auto [dim, loop] : llvm::enumerate(nest.loops)) {
    markIndependent(loop, dim);
  }
  return nest.results.front();
}

/// Whether the points of all bins have at least as many neighbours as the image
/// has pixels, so that it takes no less time to read these than to transpose
/// it.
static Value readsAll(OpBuilder &builder, IE::RoiAlignOp op,
                      ArrayRef<OpFoldResult> images,
                      ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  auto multiply = [&](ArrayRef<OpFoldResult> factors, int64_t count) {
    Value product = buildIndex(builder, loc, count);
    for (int64_t dim : {0, 2, 3}) {
      product = arith::MulIOp::create(
          builder, loc, product,
          getValueOrCreateConstantIndexOp(builder, loc, factors[dim]));
    }
    return product;
  };
  auto ratio = static_cast<int64_t>(op.getSamplingRatio());
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge,
      multiply(sizes, IE::kRoiNeighbours * ratio * ratio), multiply(images, 1));
}

/// `value` with the first `count` of its slices along `dim`.
static Value takeSlices(OpBuilder &builder, Location loc, Value value,
                        int64_t dim, OpFoldResult count) {
  Sizes sizes = getSizes(builder, loc, value);
  sizes[dim] = count;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        strides);
}

namespace {

struct RoiAlignToLinalg final : OpConversionPattern<IE::RoiAlignOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RoiAlignOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    assertElements(rewriter, loc, adaptor.getInput(), sizes);
    Sizes images = getSizes(rewriter, loc, adaptor.getInput());
    Value room = buildEmpty(rewriter, loc, type, sizes);
    VPU::Algorithm algorithm = VPU::getAlgorithm(op);
    // No part of a dimension of no elements is a slice.
    if (!llvm::is_contained(type.getShape(), 0) &&
        algorithm == VPU::Algorithm::channelsLastIfMany) {
      rewriter.replaceOp(op, buildChosen(rewriter, op, adaptor, images, room));
      return success();
    }
    bool channelsLast = algorithm == VPU::Algorithm::channelsLast;
    Value input = adaptor.getInput();
    if (channelsLast) {
      input = buildTranspose(rewriter, loc, input, kChannelsLast);
    }
    rewriter.replaceOp(op, buildRegions(rewriter, op, adaptor, input,
                                        channelsLast, images, room));
    return success();
  }

private:
  static constexpr int64_t kChannelsLast[] = {0, 2, 3, 1};

  /// The result by one of two loops. The other one has no regions, and of the
  /// transposed image there are no rows: cores share no loops under a
  /// condition.
  static Value buildChosen(OpBuilder &builder, IE::RoiAlignOp op,
                           OpAdaptor adaptor, ArrayRef<OpFoldResult> images,
                           Value room) {
    Location loc = op.getLoc();
    Sizes sizes = getSizes(builder, loc, room);
    Value isTransposed = readsAll(builder, op, images, sizes);
    Value zero = buildIndex(builder, loc, 0);
    auto getCount = [&](OpFoldResult size, bool ofTransposed) -> OpFoldResult {
      Value all = getValueOrCreateConstantIndexOp(builder, loc, size);
      return arith::SelectOp::create(builder, loc, isTransposed,
                                     ofTransposed ? all : zero,
                                     ofTransposed ? zero : all)
          .getResult();
    };
    for (bool channelsLast : {true, false}) {
      Value input = adaptor.getInput();
      if (channelsLast) {
        input = takeSlices(builder, loc, input, /*dim=*/2,
                           getCount(images[2], channelsLast));
        input = buildTranspose(builder, loc, input, kChannelsLast);
      }
      Value some = takeSlices(builder, loc, room, /*dim=*/0,
                              getCount(sizes[0], channelsLast));
      some =
          buildRegions(builder, op, adaptor, input, channelsLast, images, some);
      SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
      room =
          tensor::InsertSliceOp::create(builder, loc, some, room, offsets,
                                        getSizes(builder, loc, some), strides);
    }
    return room;
  }
};

} // namespace

void nacre::populateRoiAlignToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<RoiAlignToLinalg>(converter, patterns.getContext());
}
