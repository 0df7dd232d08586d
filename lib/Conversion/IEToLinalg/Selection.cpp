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
#include "RadixSort.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/Selection.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

// Details of this one algorithm, whose results do not depend on them: how many
// boxes are compared with another at once.
static constexpr int64_t kBlock = 32;
// How many times as many boxes as may be kept are sorted first, at least how
// many, and by how much the next portion is larger.
static constexpr int64_t kFirstPortion = 2, kLeastPortion = 64, kGrowth = 4;

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

/// The rows of a matrix of boxes.
enum Corner { kTop, kLeft, kBottom, kRight };

/// The corners of a box.
struct Box {
  Value top, left, bottom, right;
};

/// Emits the computation of boxes and their overlap.
class BoxEmitter {
public:
  BoxEmitter(OpBuilder &builder, Location loc, bool isCentered)
      : e(builder, loc, /*isUnsigned=*/false), isCentered(isCentered) {}

  Box load(Value boxes, Value batch, Value number) const {
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
        zero(buildIndex(builder, loc, 0)),
        sorter(loc, getOrderKeyType(builder.getF32Type())) {
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
    return multiplySizes(builder, loc, {sizes[0], sizes[1], getMost()});
  }

  /// The number of rows and the rows.
  Values build(OpBuilder &builder, Value room) const {
    Sizes keptSizes = {builder.getIndexAttr(4), getMost()};
    Values state = {zero, room,
                    buildRoom(builder, loc, keptSizes, builder.getF32Type())};
    llvm::append_range(state, sorter.buildVectors(builder, sizes[2]));
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, {zero, zero},
        {toIndex(builder, loc, sizes[0]), toIndex(builder, loc, sizes[1])},
        {one, one}, state,
        [&](OpBuilder &b, Location, ValueRange line, ValueRange carried) {
          Values next = searchClass(b, line, carried);
          return scf::ValueVector(next.begin(), next.end());
        });
    return {nest.results[0], nest.results[1]};
  }

private:
  /// The most boxes of a class that there is room for. A limit known only at
  /// run time leaves room for all: the tensor is of static size then.
  OpFoldResult getMost() const {
    return getConstantIntValue(limit) ? limit : sizes[2];
  }

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

  /// Adds the boxes of a class to `state`: the number of rows, the rows, those
  /// kept of the class, and the sorter's vectors. Few of the boxes are looked
  /// at if few may be kept, so that the best are sorted in portions.
  Values searchClass(OpBuilder &builder, ValueRange line,
                     ValueRange state) const {
    Value first = state[0], most = toIndex(builder, loc, limit);
    Value end = arith::AddIOp::create(builder, loc, first, most);
    Value portion = arith::MaxSIOp::create(
        builder, loc, buildIndex(builder, loc, kLeastPortion),
        arith::MulIOp::create(builder, loc, most,
                              buildIndex(builder, loc, kFirstPortion)));
    // The key up to which all have been looked at, which is none's at first,
    // how many to sort next, and whether there are more.
    Value none =
        buildScalar(builder, loc, getOrderKeyType(builder.getF32Type()), 0);
    Value areLeft =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    Values init = {none, portion, areLeft};
    llvm::append_range(init, state);
    Values found = buildWhile(
        builder, loc, init,
        [&](OpBuilder &b, ValueRange carried) -> Value {
          return arith::AndIOp::create(b, loc, carried[2],
                                       isBelow(b, carried[3], end));
        },
        [&](OpBuilder &b, ValueRange carried) {
          return searchPortion(b, line, {first, end}, carried);
        });
    return Values(llvm::drop_begin(found, 3));
  }

  /// The rows of a class.
  struct RowRange {
    Value first, end;
  };

  /// One step of `searchClass`.
  Values searchPortion(OpBuilder &b, ValueRange line, const RowRange &range,
                       ValueRange state) const {
    Values all = findCandidates(b, line, state[0], state.drop_front(6));
    ValueRange vectors = ArrayRef(all).drop_front();
    Value bound = sorter.findBound(b, vectors, all[0], state[1]);
    Values best = sorter.keepUpTo(b, all, bound);
    Values sorted = sorter.sort(b, ArrayRef(best).drop_front(), best[0]);
    Values rows =
        choose(b, line, best[0], sorted, range, state.slice(/*n=*/3, /*m=*/3));
    Values next = {
        bound,
        arith::MulIOp::create(b, loc, state[1], buildIndex(b, loc, kGrowth)),
        isBelow(b, best[0], all[0])};
    llvm::append_range(next, rows);
    llvm::append_range(next, sorted);
    return next;
  }

  /// How many boxes have a sufficient score and a key beyond `after`, and the
  /// sorter's vectors with these. All are written and stay where they count,
  /// without a branch.
  Values findCandidates(OpBuilder &builder, ValueRange line, Value after,
                        ValueRange vectors) const {
    Values state = {zero};
    llvm::append_range(state, vectors);
    return buildFor(builder, loc, zero, toIndex(builder, loc, sizes[2]), state,
                    [&](OpBuilder &b, Value i, ValueRange carried) {
                      ScalarEmitter e(b, loc, /*isUnsigned=*/false);
                      Value score = buildExtract(
                          b, loc, scores, ValueRange{line[0], line[1], i});
                      Value key = buildOrderKey(e, score, /*descending=*/true);
                      Value enters = e.create<arith::AndIOp>(
                          e.less(lowest, score), isKeyLess(b, loc, after, key));
                      return sorter.append(b, carried, key, i, enters);
                    });
  }

  /// Appends those of the best candidates that overlap none before them:
  /// `state` is the number of rows, the rows and the boxes of this class.
  Values choose(OpBuilder &builder, ValueRange line, Value count,
                ValueRange sorted, const RowRange &range,
                ValueRange state) const {
    Values init = {zero};
    llvm::append_range(init, state);
    Values chosen = buildWhile(
        builder, loc, init,
        [&](OpBuilder &b, ValueRange carried) -> Value {
          return arith::AndIOp::create(b, loc, isBelow(b, carried[0], count),
                                       isBelow(b, carried[1], range.end));
        },
        [&](OpBuilder &b, ValueRange carried) {
          ValueRange rows = carried.drop_front();
          Value number = sorter.getPosition(b, sorted, carried[0]);
          Box box = BoxEmitter(b, loc, isCentered).load(boxes, line[0], number);
          Value kept = arith::SubIOp::create(b, loc, rows[0], range.first);
          Values next =
              buildIf(b, loc, isDisjoint(b, box, rows[2], kept), rows,
                      [&](OpBuilder &inner) {
                        return keep(inner, line, number, box, kept, rows);
                      });
          next.insert(next.begin(),
                      arith::AddIOp::create(b, loc, carried[0], one));
          return next;
        });
    return Values(llvm::drop_begin(chosen));
  }

  Value isBelow(OpBuilder &b, Value x, Value bound) const {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, bound);
  }

  /// True when the box overlaps none of the first `count` of those kept. They
  /// are compared in blocks, which LLVM vectorises.
  Value isDisjoint(OpBuilder &builder, const Box &box, Value kept,
                   Value count) const {
    Value none = buildScalar(builder, loc, builder.getI32Type(), 0);
    auto isNone = [&](OpBuilder &b, Value number) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number,
                                   none);
    };
    Value number = buildWhile(
        builder, loc, ValueRange{zero, none},
        [&](OpBuilder &b, ValueRange carried) -> Value {
          return arith::AndIOp::create(b, loc, isBelow(b, carried[0], count),
                                       isNone(b, carried[1]));
        },
        [&](OpBuilder &b, ValueRange carried) -> Values {
          Value behind = arith::AddIOp::create(b, loc, carried[0],
                                               buildIndex(b, loc, kBlock));
          Value end = arith::MinSIOp::create(b, loc, behind, count);
          return {end, countOverlaps(b, box, kept, carried[0], end)};
        })[1];
    return isNone(builder, number);
  }

  /// How many of the kept boxes from `first` below `end` overlap `box`.
  Value countOverlaps(OpBuilder &builder, const Box &box, Value kept,
                      Value first, Value end) const {
    Type i32 = builder.getI32Type();
    return buildFor(
        builder, loc, first, end, buildScalar(builder, loc, i32, 0),
        [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
          auto get = [&](Corner corner) {
            return buildExtract(b, loc, kept,
                                ValueRange{buildIndex(b, loc, corner), i});
          };
          Box other = {get(kTop), get(kLeft), get(kBottom), get(kRight)};
          Value overlaps =
              BoxEmitter(b, loc, isCentered).overlap(box, other, threshold);
          return {arith::AddIOp::create(
              b, loc, carried[0],
              arith::ExtUIOp::create(b, loc, i32, overlaps))};
        })[0];
  }

  /// The state with another row, and the box as entry `at` of those kept.
  Values keep(OpBuilder &b, ValueRange line, Value number, const Box &box,
              Value at, ValueRange state) const {
    Value rows = state[1], kept = state[2];
    for (auto [column, index] :
         llvm::enumerate(Values{line[0], line[1], number})) {
      Value element = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
      rows = tensor::InsertOp::create(
          b, loc, element, rows,
          ValueRange{state[0], buildIndex(b, loc, column)});
    }
    for (auto [corner, value] :
         llvm::enumerate(Values{box.top, box.left, box.bottom, box.right})) {
      kept = tensor::InsertOp::create(
          b, loc, value, kept, ValueRange{buildIndex(b, loc, corner), at});
    }
    return {arith::AddIOp::create(b, loc, state[0], one), rows, kept};
  }

  Location loc;
  Value boxes, scores;
  bool isCentered;
  Sizes sizes; // batches, classes, boxes
  Value one, zero, threshold, lowest;
  OpFoldResult limit;
  RadixSorter sorter;
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
