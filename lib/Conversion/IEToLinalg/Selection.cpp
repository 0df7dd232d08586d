//===- Selection.cpp - Lower selections to loops --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family: selection. Unique, which sorts,
// is in Unique.cpp.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"
#include "MergeSort.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/Selection.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

static Value toIndex(OpBuilder &builder, Location loc, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

namespace {

struct NonZeroToSCF final : OpConversionPattern<IE::NonZeroOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::NonZeroOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getX();
    Sizes sizes = getSizes(rewriter, loc, input);
    auto rank = static_cast<int64_t>(sizes.size());
    Value room = buildRoom(
        rewriter, loc,
        {rewriter.getIndexAttr(rank), multiplySizes(rewriter, loc, sizes)},
        rewriter.getI64Type());
    Value zero = buildIndex(rewriter, loc, 0);
    Values lower(rank, zero), step(rank, buildIndex(rewriter, loc, 1)), upper;
    for (OpFoldResult size : sizes) {
      upper.push_back(toIndex(rewriter, loc, size));
    }
    bool isUnsigned = isUnsignedElement(op.getX());
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, lower, upper, step, ValueRange{zero, room},
        [&](OpBuilder &b, Location, ValueRange position, ValueRange state) {
          ScalarEmitter e(b, loc, isUnsigned);
          Value element = buildExtract(b, loc, input, position);
          Value holds = e.convert(widenHalf(b, loc, element), b.getI1Type(),
                                  /*isTargetUnsigned=*/true);
          Values next = buildIf(b, loc, holds, state, [&](OpBuilder &inner) {
            return append(inner, loc, position, state);
          });
          return scf::ValueVector(next.begin(), next.end());
        });
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOp(op, takeFront(rewriter, loc, nest.results[1], /*axis=*/1,
                                     nest.results[0], type));
    return success();
  }

private:
  /// Adds a column to the result: `state` is their number and the result.
  static Values append(OpBuilder &builder, Location loc, ValueRange position,
                       ValueRange state) {
    Value column = state[0], result = state[1];
    for (auto [row, index] : llvm::enumerate(position)) {
      Value element =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      result = tensor::InsertOp::create(
          builder, loc, element, result,
          ValueRange{buildIndex(builder, loc, row), column});
    }
    return {arith::AddIOp::create(builder, loc, column,
                                  buildIndex(builder, loc, 1)),
            result};
  }
};

/// The corners of a box.
struct Box {
  Value top, left, bottom, right;
};

/// Emits the computation of boxes and their overlap.
class BoxEmitter {
public:
  BoxEmitter(OpBuilder &builder, Location loc, Value boxes, bool isCentered)
      : e(builder, loc, /*isUnsigned=*/false), boxes(boxes),
        isCentered(isCentered) {}

  Box load(Value batch, Value number) const {
    OpBuilder &builder = e.getBuilder();
    Values v;
    for (int64_t i = 0; i < 4; ++i) {
      v.push_back(buildExtract(
          builder, e.getLoc(), boxes,
          ValueRange{batch, number, buildIndex(builder, e.getLoc(), i)}));
    }
    if (!isCentered) {
      return {smaller(v[0], v[2]), smaller(v[1], v[3]), larger(v[0], v[2]),
              larger(v[1], v[3])};
    }
    Value half = e.constant(v[0], 0.5);
    Value halfWidth = e.mul(v[2], half), halfHeight = e.mul(v[3], half);
    return {e.sub(v[1], halfHeight), e.sub(v[0], halfWidth),
            e.add(v[1], halfHeight), e.add(v[0], halfWidth)};
  }

  /// True when the intersection over union of the boxes exceeds `threshold`.
  Value overlap(const Box &a, const Box &b, Value threshold) const {
    Value height = e.sub(smaller(a.bottom, b.bottom), larger(a.top, b.top));
    Value width = e.sub(smaller(a.right, b.right), larger(a.left, b.left));
    Value intersection = e.mul(height, width);
    Value areaA = getArea(a), areaB = getArea(b);
    Value both = e.sub(e.add(areaA, areaB), intersection);
    Value exceeds = e.less(threshold, e.div(intersection, both));
    Value zero = e.constant(height, 0);
    for (Value positive : {height, width, areaA, areaB, both}) {
      exceeds = e.create<arith::AndIOp>(exceeds, e.less(zero, positive));
    }
    return exceeds;
  }

private:
  Value smaller(Value a, Value b) const { return e.select(e.less(b, a), b, a); }
  Value larger(Value a, Value b) const { return e.select(e.less(a, b), b, a); }
  Value getArea(const Box &box) const {
    return e.mul(e.sub(box.bottom, box.top), e.sub(box.right, box.left));
  }

  ScalarEmitter e;
  Value boxes;
  bool isCentered;
};

/// The kernel of one NonMaxSuppression op.
class SuppressionEmitter {
public:
  SuppressionEmitter(OpBuilder &builder, IE::NonMaxSuppressionOp op,
                     IE::NonMaxSuppressionOp::Adaptor adaptor)
      : loc(op.getLoc()), boxes(adaptor.getBoxes()),
        scores(adaptor.getScores()), isCentered(op.getCenterPointBox() != 0),
        sizes(getSizes(builder, loc, scores)), one(buildIndex(builder, loc, 1)),
        zero(buildIndex(builder, loc, 0)) {
    Type f32 = builder.getF32Type();
    auto takeScalar = [&](Value operand, double otherwise) {
      return operand ? extractScalar(builder, loc, operand)
                     : buildScalar(builder, loc, f32, otherwise);
    };
    threshold = takeScalar(adaptor.getIouThreshold(), 0);
    lowest = takeScalar(adaptor.getScoreThreshold(),
                        -std::numeric_limits<double>::infinity());
    limit = getLimit(builder, op, adaptor);
  }

  /// The most rows that the result can have.
  OpFoldResult getRoom(OpBuilder &builder) const {
    // A limit that only a run knows leaves room for all boxes: the tensor is of
    // static size then.
    OpFoldResult most = getConstantIntValue(limit) ? limit : sizes[2];
    return multiplySizes(builder, loc, {sizes[0], sizes[1], most});
  }

  /// The number of rows and the rows.
  Values build(OpBuilder &builder, Value room) const {
    Type i64 = builder.getI64Type();
    Values state = {zero, room, buildRoom(builder, loc, {sizes[2]}, i64),
                    buildRoom(builder, loc, {sizes[2]}, i64)};
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, {zero, zero},
        {toIndex(builder, loc, sizes[0]), toIndex(builder, loc, sizes[1])},
        {one, one}, state,
        [&](OpBuilder &b, Location, ValueRange line, ValueRange carried) {
          Values candidates = findCandidates(b, line, carried[2]);
          Value sorted = buildMergeSort(
              b, loc, candidates[1], carried[3], candidates[0],
              [&](OpBuilder &inner, Value x, Value y) -> Value {
                ScalarEmitter e(inner, loc, /*isUnsigned=*/false);
                return e.less(loadScore(inner, line, y),
                              loadScore(inner, line, x));
              });
          Values chosen =
              choose(b, line, candidates[0], sorted, carried.take_front(2));
          return scf::ValueVector{chosen[0], chosen[1], sorted, carried[3]};
        });
    return {nest.results[0], nest.results[1]};
  }

private:
  /// The most boxes of a class, no more than there are.
  OpFoldResult getLimit(OpBuilder &builder, IE::NonMaxSuppressionOp op,
                        IE::NonMaxSuppressionOp::Adaptor adaptor) const {
    Value operand = op.getMaxOutputBoxesPerClass();
    auto constant = IE::getConstantInts(operand);
    std::optional<int64_t> count = getConstantIntValue(sizes[2]);
    if (!operand || (constant && constant->front() <= 0)) {
      return builder.getIndexAttr(0);
    }
    if (constant && count) {
      return builder.getIndexAttr(std::min(constant->front(), *count));
    }
    Value given = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        extractScalar(builder, loc, adaptor.getMaxOutputBoxesPerClass()));
    return clampIndex(builder, loc, given, zero,
                      toIndex(builder, loc, sizes[2]));
  }

  Value loadScore(OpBuilder &b, ValueRange line, Value number) const {
    return buildExtract(b, loc, scores, ValueRange{line[0], line[1], number});
  }

  /// How many boxes have a sufficient score, and which.
  Values findCandidates(OpBuilder &builder, ValueRange line,
                        Value positions) const {
    return buildFor(
        builder, loc, zero, toIndex(builder, loc, sizes[2]),
        ValueRange{zero, positions},
        [&](OpBuilder &b, Value i, ValueRange state) {
          ScalarEmitter e(b, loc, /*isUnsigned=*/false);
          Value enters = e.less(lowest, loadScore(b, line, i));
          return buildIf(b, loc, enters, state, [&](OpBuilder &n) -> Values {
            Value element =
                arith::IndexCastOp::create(n, loc, n.getI64Type(), i);
            return {
                arith::AddIOp::create(n, loc, state[0], one),
                tensor::InsertOp::create(n, loc, element, state[1], state[0])};
          });
        });
  }

  /// Appends those of the best candidates that overlap none before them:
  /// `state` is the number of rows and the rows.
  Values choose(OpBuilder &builder, ValueRange line, Value count, Value sorted,
                ValueRange state) const {
    Value first = state[0];
    Value end = arith::AddIOp::create(builder, loc, first,
                                      toIndex(builder, loc, limit));
    auto isBelow = [&](OpBuilder &b, Value x, Value bound) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, bound);
    };
    Values chosen = buildWhile(
        builder, loc, ValueRange{zero, first, state[1]},
        [&](OpBuilder &b, ValueRange carried) -> Value {
          return arith::AndIOp::create(b, loc, isBelow(b, carried[0], count),
                                       isBelow(b, carried[1], end));
        },
        [&](OpBuilder &b, ValueRange carried) -> Values {
          Value position = buildExtract(b, loc, sorted, carried[0]);
          Value number =
              arith::IndexCastOp::create(b, loc, b.getIndexType(), position);
          Value isFree =
              isDisjoint(b, line[0], number, first, carried[1], carried[2]);
          Values next =
              buildIf(b, loc, isFree, carried.drop_front(), [&](OpBuilder &n) {
                return append(n, line, position, carried);
              });
          return {arith::AddIOp::create(b, loc, carried[0], one), next[0],
                  next[1]};
        });
    return {chosen[1], chosen[2]};
  }

  /// True when the box overlaps none of the rows from `first` below `end`.
  Value isDisjoint(OpBuilder &builder, Value batch, Value number, Value first,
                   Value end, Value rows) const {
    Box box = BoxEmitter(builder, loc, boxes, isCentered).load(batch, number);
    Value isTrue =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return buildWhile(
        builder, loc, ValueRange{first, isTrue},
        [&](OpBuilder &b, ValueRange carried) -> Value {
          Value isInside = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::slt, carried[0], end);
          return arith::AndIOp::create(b, loc, isInside, carried[1]);
        },
        [&](OpBuilder &b, ValueRange carried) -> Values {
          Value column = buildIndex(b, loc, 2);
          Value other = arith::IndexCastOp::create(
              b, loc, b.getIndexType(),
              buildExtract(b, loc, rows, ValueRange{carried[0], column}));
          BoxEmitter emitter(b, loc, boxes, isCentered);
          Value overlaps =
              emitter.overlap(box, emitter.load(batch, other), threshold);
          Value isTrue = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
          return {arith::AddIOp::create(b, loc, carried[0], one),
                  arith::XOrIOp::create(b, loc, overlaps, isTrue)};
        })[1];
  }

  Values append(OpBuilder &b, ValueRange line, Value position,
                ValueRange carried) const {
    auto toElement = [&](Value index) -> Value {
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    };
    Value rows = carried[2];
    Values row = {toElement(line[0]), toElement(line[1]), position};
    for (auto [column, element] : llvm::enumerate(row)) {
      rows = tensor::InsertOp::create(
          b, loc, element, rows,
          ValueRange{carried[1], buildIndex(b, loc, column)});
    }
    return {arith::AddIOp::create(b, loc, carried[1], one), rows};
  }

  Location loc;
  Value boxes, scores;
  bool isCentered;
  Sizes sizes; // batches, classes, boxes
  Value one, zero, threshold, lowest;
  OpFoldResult limit;
};

struct NonMaxSuppressionToSCF final
    : OpConversionPattern<IE::NonMaxSuppressionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::NonMaxSuppressionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SuppressionEmitter emitter(rewriter, op, adaptor);
    Value room = buildRoom(
        rewriter, loc, {emitter.getRoom(rewriter), rewriter.getIndexAttr(3)},
        rewriter.getI64Type());
    Values result = emitter.build(rewriter, room);
    auto type = cast<RankedTensorType>(op.getType());
    rewriter.replaceOp(
        op, takeFront(rewriter, loc, result[1], /*axis=*/0, result[0], type));
    return success();
  }
};

} // namespace

void nacre::populateSelectionToLinalgPatterns(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  patterns.add<NonZeroToSCF, NonMaxSuppressionToSCF>(converter,
                                                     patterns.getContext());
  populateUniqueToLinalgPatterns(converter, patterns);
}
