//===- Resampling.cpp - Lower resampling to linalg ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernel of IE.GridSample. All channels of an image are read at
// the same positions with the same weights: these are computed first, once for
// all channels. Resize and RoiAlign have files of their own.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "Loops.h"

#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

/// An element of GridSample's image, by its position in one dimension.
/// Whether it is inside is null where every position is; the weight is null
/// where elements are taken as they are.
struct Tap {
  Value position, isInside, weight;
};

/// Emits where GridSample reads in one dimension of `length` elements, a float
/// of the type of the coordinates, as integers of type `positions`.
class GridEmitter {
public:
  GridEmitter(const ScalarEmitter &emitter, IE::GridSampleOp op, Value length,
              Type positions)
      : e(emitter), type(length.getType()), positions(positions),
        mode(op.getMode()), padding(op.getPaddingMode()),
        alignCorners(op.getAlignCorners() != 0), size(length),
        low(alignCorners ? 0 : -0.5) {
    last = shift(size, -1);
    high = shift(last, -low);
  }

  SmallVector<Tap> getTaps(Value coordinate) const {
    Value x = denormalize(coordinate);
    if (mode == "nearest") {
      return {getTap(pad(e.create<math::RoundEvenOp>(x)), Value())};
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
    Value inside = padding == "zeros" ? isBetween(x, 0, last) : Value();
    Value inImage = clamp(padding == "reflection" ? reflect(x) : x);
    return {e.create<arith::FPToSIOp>(positions, inImage), inside, weight};
  }

  const ScalarEmitter &e;
  Type type, positions;
  StringRef mode, padding;
  bool alignCorners;
  Value size, last;
  double low;
  Value high;
};

/// The elements that one of the result is made of: all combinations of taps of
/// one dimension each, those of the last one innermost. Of each, there is a
/// position among all elements of an image's channel, and a weight, or no
/// number where the position is outside; without weights, the position is
/// kOutside there.
class SampleEmitter {
public:
  static constexpr int64_t kOutside = -1;

  SampleEmitter(const ScalarEmitter &emitter, ArrayRef<OpFoldResult> spatial,
                Type positions)
      : e(emitter) {
    for (OpFoldResult size : spatial) {
      sizes.push_back(e.create<arith::IndexCastOp>(
          positions,
          getValueOrCreateConstantIndexOp(e.getBuilder(), e.getLoc(), size)));
    }
  }

  SmallVector<Value> emit(ArrayRef<SmallVector<Tap>> taps) {
    visit(taps, Tap());
    return std::move(entries);
  }

private:
  void visit(ArrayRef<SmallVector<Tap>> taps, const Tap &before) {
    if (taps.empty()) {
      addEntries(before);
      return;
    }
    for (const Tap &tap : taps.front()) {
      visit(taps.drop_front(),
            join(before, tap, sizes[sizes.size() - taps.size()]));
    }
  }

  /// A tap of the next dimension, of `size` elements, of those before.
  Tap join(const Tap &before, const Tap &tap, Value size) const {
    if (!before.position) {
      return tap;
    }
    Tap joint = {e.add(e.mul(before.position, size), tap.position), Value(),
                 Value()};
    if (tap.isInside) {
      joint.isInside = e.create<arith::AndIOp>(before.isInside, tap.isInside);
    }
    if (tap.weight) {
      joint.weight = e.mul(before.weight, tap.weight);
    }
    return joint;
  }

  void addEntries(const Tap &tap) {
    Value position = tap.position, weight = tap.weight;
    if (tap.isInside && weight) {
      weight = e.select(
          tap.isInside, weight,
          e.constant(weight, std::numeric_limits<double>::quiet_NaN()));
    } else if (tap.isInside) {
      position =
          e.select(tap.isInside, position, e.constant(position, kOutside));
    }
    entries.push_back(position);
    if (weight) {
      entries.push_back(weight);
    }
  }

  const ScalarEmitter &e;
  SmallVector<Value> sizes, entries;
};

/// Reads what entries of SampleEmitter's tables say.
class SampleReader {
public:
  SampleReader(const ScalarEmitter &emitter, IE::GridSampleOp op, Value image,
               Value batch, Value channel)
      : e(emitter), image(image), batch(batch), channel(channel),
        hasOutside(op.getPaddingMode() == "zeros"),
        element(cast<ShapedType>(op.getOutput().getType()).getElementType()) {}

  /// The element at `position`.
  Value readNearest(Value position) const {
    if (!hasOutside) {
      return load(position);
    }
    Value zero = e.constant(position, 0);
    // Whatever the sign of the image's elements.
    Value isInside = arith::CmpIOp::create(
        e.getBuilder(), e.getLoc(), arith::CmpIPredicate::sge, position, zero);
    Value value = load(e.create<arith::MaxSIOp>(position, zero));
    return e.select(isInside, value, e.constant(value, 0));
  }

  /// The sum of the elements at positions, each of which a weight follows.
  Value readSum(ValueRange entries) const {
    OpBuilder &b = e.getBuilder();
    Location loc = e.getLoc();
    Value sum;
    for (; !entries.empty(); entries = entries.drop_front(2)) {
      Value value = widenHalf(b, loc, load(entries[0])), weight = entries[1];
      Value isInside = hasOutside
                           ? e.create<arith::CmpFOp>(arith::CmpFPredicate::ORD,
                                                     weight, weight)
                           : Value();
      Value term =
          e.mul(e.convert(weight, value.getType(), /*isTargetUnsigned=*/false),
                value);
      term = isInside ? e.select(isInside, term, e.constant(term, 0)) : term;
      sum = sum ? e.add(sum, term) : term;
    }
    return narrowHalf(b, loc, sum, element);
  }

private:
  Value load(Value position) const {
    OpBuilder &b = e.getBuilder();
    return buildExtract(
        b, e.getLoc(), image,
        {batch, channel,
         e.create<arith::IndexCastOp>(b.getIndexType(), position)});
  }

  const ScalarEmitter &e;
  Value image, batch, channel;
  bool hasOutside;
  Type element;
};

/// Builds the result by tables of what its elements read, which are computed
/// first, once for all channels.
class GridSampler {
public:
  GridSampler(OpBuilder &builder, IE::GridSampleOp op, Value image, Value grid)
      : op(op), loc(op.getLoc()), grid(grid),
        imageSizes(getSizes(builder, loc, image)) {
    // A channel is one run of elements.
    SmallVector<ReassociationIndices> runs = {{0}, {1}, {}};
    runs.back().append(
        llvm::to_vector(llvm::seq<int64_t>(2, imageSizes.size())));
    pixels = tensor::CollapseShapeOp::create(builder, loc, image, runs);
    // Positions are as short as they may be.
    ArrayRef<int64_t> spatial =
        cast<RankedTensorType>(image.getType()).getShape().drop_front(2);
    bool areShort = !ShapedType::isDynamicShape(spatial) &&
                    ShapedType::getNumElements(spatial) <=
                        std::numeric_limits<int32_t>::max();
    entryTypes.push_back(areShort ? builder.getI32Type()
                                  : builder.getI64Type());
    if (op.getMode() != "nearest") {
      Type coordinates = getElementTypeOrSelf(grid.getType());
      entryTypes.push_back(coordinates.getIntOrFloatBitWidth() < 32
                               ? builder.getF32Type()
                               : coordinates);
    }
  }

  /// Row by row, whose tables stay in the cache for all channels. The loop over
  /// rows, or over the depth of volumes, is the one that cores share: batches
  /// are often of one.
  Value buildByRows(OpBuilder &builder, RankedTensorType type,
                    ArrayRef<OpFoldResult> sizes) {
    // Room for tables, which each core has its own of.
    SmallVector<Value> state = {buildEmpty(builder, loc, type, sizes)};
    llvm::append_range(state, buildTables(builder, type.getShape().take_back(),
                                          sizes.take_back()));
    SmallVector<int64_t> dims = {2, 0};
    for (int64_t dim = 3; dim + 1 < type.getRank(); ++dim) {
      dims.push_back(dim);
    }
    SmallVector<Value> ends = llvm::map_to_vector(dims, [&](int64_t dim) {
      return getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]);
    });
    SmallVector<Value> zeros(ends.size(), buildIndex(builder, loc, 0));
    SmallVector<Value> ones(ends.size(), buildIndex(builder, loc, 1));
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, zeros, ends, ones, state,
        [&](OpBuilder &b, Location, ValueRange loops, ValueRange carried) {
          SmallVector<Value> row(loops);
          std::swap(row[0], row[1]);
          ValueRange tables = fillTables(b, row, carried.drop_front());
          scf::ValueVector next = {
              sampleRow(b, row, tables, carried.front(), sizes)};
          llvm::append_range(next, tables);
          return next;
        });
    for (auto [loop, dim] : llvm::zip_equal(nest.loops, dims)) {
      markIndependent(loop, dim);
    }
    return nest.results.front();
  }

  /// Channel by channel, whose elements stay in the cache for all positions.
  Value buildByPlanes(OpBuilder &builder, RankedTensorType type,
                      ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + 1);
    Sizes tableSizes(sizes);
    tableSizes.erase(tableSizes.begin() + 1);
    ValueRange tables = fillTables(builder, /*outer=*/{},
                                   buildTables(builder, shape, tableSizes));
    AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
    return sample(builder, tables, buildEmpty(builder, loc, type, sizes),
                  {all.dropResult(1), all}, /*batch=*/{}, /*channelLoop=*/1);
  }

private:
  /// A table for each position and each weight of a sample.
  SmallVector<Value> buildTables(OpBuilder &builder, ArrayRef<int64_t> shape,
                                 ArrayRef<OpFoldResult> sizes) {
    int64_t samples = 1;
    if (op.getMode() != "nearest") {
      int64_t taps = op.getMode() == "linear" ? 2 : 4;
      for (size_t dim = 2; dim < imageSizes.size(); ++dim) {
        samples *= taps;
      }
    }
    SmallVector<Value> tables;
    for (int64_t i = 0; i < samples; ++i) {
      for (Type entry : entryTypes) {
        tables.push_back(buildEmpty(
            builder, loc, RankedTensorType::get(shape, entry), sizes));
      }
    }
    return tables;
  }

  /// Tables of what is at `outer` in the dimensions that they have not.
  ValueRange fillTables(OpBuilder &builder, ValueRange outer,
                        ValueRange tables) {
    int64_t rank = cast<RankedTensorType>(tables.front().getType()).getRank();
    SmallVector<AffineMap> maps(tables.size(),
                                builder.getMultiDimIdentityMap(rank));
    return linalg::GenericOp::create(
               builder, loc, tables.getTypes(), ValueRange(), tables, maps,
               SmallVector<utils::IteratorType>(rank,
                                                utils::IteratorType::parallel),
               [&](OpBuilder &b, Location nested, ValueRange) {
                 ScalarEmitter e(b, nested, /*isUnsigned=*/false);
                 SmallVector<Value> at(outer);
                 for (int64_t dim = 0; dim < rank; ++dim) {
                   at.push_back(linalg::IndexOp::create(b, nested, dim));
                 }
                 SampleEmitter samples(e, ArrayRef(imageSizes).drop_front(2),
                                       entryTypes.front());
                 linalg::YieldOp::create(b, nested,
                                         samples.emit(emitTaps(e, at)));
               })
        .getResults();
  }

  /// The taps of each spatial dimension for the element of the grid at `place`.
  SmallVector<SmallVector<Tap>> emitTaps(const ScalarEmitter &e,
                                         ArrayRef<Value> place) {
    OpBuilder &b = e.getBuilder();
    int64_t rank = imageSizes.size();
    SmallVector<Value> at(place);
    at.emplace_back();
    SmallVector<SmallVector<Tap>> taps;
    for (int64_t dim = 2; dim < rank; ++dim) {
      // The grid begins with the coordinate of the last dimension.
      at.back() = buildIndex(b, loc, rank - 1 - dim);
      Value coordinate = widenHalf(b, loc, buildExtract(b, loc, grid, at));
      Value length = buildNumber(e, coordinate.getType(), imageSizes[dim]);
      taps.push_back(
          GridEmitter(e, op, length, entryTypes.front()).getTaps(coordinate));
    }
    return taps;
  }

  /// `init` with what is read of images by `tables`. The `maps` are of tables
  /// and of the result; the image is that of loop 0 where `batch` is null.
  Value sample(OpBuilder &builder, ValueRange tables, Value init,
               std::array<AffineMap, 2> maps, Value batch,
               int64_t channelLoop) {
    SmallVector<AffineMap> allMaps(tables.size(), maps[0]);
    allMaps.push_back(maps[1]);
    return linalg::GenericOp::create(
               builder, loc, init.getType(), tables, init, allMaps,
               SmallVector<utils::IteratorType>(maps[1].getNumDims(),
                                                utils::IteratorType::parallel),
               [&](OpBuilder &b, Location nested, ValueRange elements) {
                 ScalarEmitter e(b, nested, isUnsignedElement(op.getInput()));
                 Value number =
                     batch ? batch : linalg::IndexOp::create(b, nested, 0);
                 SampleReader reader(
                     e, op, pixels, number,
                     linalg::IndexOp::create(b, nested, channelLoop));
                 ValueRange ofTables = elements.drop_back();
                 linalg::YieldOp::create(
                     b, nested,
                     op.getMode() == "nearest"
                         ? reader.readNearest(ofTables.front())
                         : reader.readSum(ofTables));
               })
        .getResult(0);
  }

  /// `result` with the row in all channels.
  Value sampleRow(OpBuilder &builder, ValueRange row, ValueRange tables,
                  Value result, ArrayRef<OpFoldResult> sizes) {
    OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    Sizes offsets(sizes.size(), zero), part(sizes.size(), one),
        strides(sizes.size(), one);
    part[1] = sizes[1];
    part.back() = sizes.back();
    offsets[0] = row.front();
    for (auto [dim, index] : llvm::enumerate(row.drop_front())) {
      offsets[dim + 2] = index;
    }
    // As slices have it: some sizes may be known better than by the type.
    SmallVector<int64_t> shape;
    SmallVector<Value> unknown;
    dispatchIndexOpFoldResults(part, unknown, shape);
    auto type = RankedTensorType::get({shape[1], shape.back()},
                                      getElementTypeOrSelf(result.getType()));
    Value before = tensor::ExtractSliceOp::create(builder, loc, type, result,
                                                  offsets, part, strides);
    AffineMap all = builder.getMultiDimIdentityMap(2);
    Value samples = sample(builder, tables, before, {all.getSubMap({1}), all},
                           row.front(), /*channelLoop=*/0);
    return tensor::InsertSliceOp::create(builder, loc, samples, result, offsets,
                                         part, strides);
  }

  IE::GridSampleOp op;
  Location loc;
  Value pixels, grid;
  Sizes imageSizes;
  /// The types of what tables have of a sample.
  SmallVector<Type> entryTypes;
};

struct GridSampleToLinalg final : OpConversionPattern<IE::GridSampleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GridSampleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op);
    assertElements(rewriter, op.getLoc(), adaptor.getInput(), sizes);
    GridSampler sampler(rewriter, op, adaptor.getInput(), adaptor.getGrid());
    rewriter.replaceOp(op, VPU::getAlgorithm(op) == VPU::Algorithm::planes
                               ? sampler.buildByPlanes(rewriter, type, sizes)
                               : sampler.buildByRows(rewriter, type, sizes));
    return success();
  }
};

} // namespace

void nacre::populateResamplingToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<GridSampleToLinalg>(converter, patterns.getContext());
}
