//===- Sorting.cpp - Lower sorting to loops -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family: sorting. The result itself is
// the heap of the best elements so far, with the worst of them in front;
// sorting the heap puts them in order. Each line along the axis is a sequential
// loop.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "MergeSort.h"

#include "nacre/Dialect/IE/IR/Sorting.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

/// An element and where it comes from.
struct Candidate {
  Value value, index;
};

/// Emits the code for one line of the result: `state` is both of its tensors.
class HeapEmitter {
public:
  HeapEmitter(OpBuilder &builder, Location loc, ValueRange line, int64_t axis,
              Value maxLevels, bool largest, bool isUnsigned)
      : builder(builder), loc(loc), line(line), axis(axis),
        maxLevels(maxLevels), largest(largest), isUnsigned(isUnsigned) {}

  Candidate get(ValueRange state, Value position) const {
    SmallVector<Value> at = getPosition(position);
    return {buildExtract(builder, loc, state[0], at),
            buildExtract(builder, loc, state[1], at)};
  }

  SmallVector<Value> set(ValueRange state, Value position,
                         Candidate candidate) const {
    SmallVector<Value> at = getPosition(position);
    return {
        tensor::InsertOp::create(builder, loc, candidate.value, state[0], at),
        tensor::InsertOp::create(builder, loc, candidate.index, state[1], at)};
  }

  /// The indices of the element at `position` of the line.
  SmallVector<Value> getPosition(Value position) const {
    SmallVector<Value> indices(line);
    indices[axis] = position;
    return indices;
  }

  /// True when `a` comes before `b` in the result.
  Value isBetter(Candidate a, Candidate b) const {
    ScalarEmitter e(builder, loc, isUnsigned);
    Value x = widenHalf(builder, loc, a.value);
    Value y = widenHalf(builder, loc, b.value);
    if (!largest) {
      std::swap(x, y);
    }
    // Where neither is greater they are equal, and the one in front wins.
    Value isFirst =
        e.create<arith::CmpIOp>(arith::CmpIPredicate::slt, a.index, b.index);
    return e.select(
        isLessInOrder(e, y, x), buildBool(true),
        e.select(isLessInOrder(e, x, y), buildBool(false), isFirst));
  }

  /// Restores the order of the first `count` elements, a heap but for the one
  /// at `start`, which sinks below what is worse. Nothing happens for a `count`
  /// of 0.
  SmallVector<Value> sink(ValueRange state, Value start, Value count) const {
    Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
    Value isEmpty = compare(arith::CmpIPredicate::eq, count, zero);
    Value levels =
        arith::SelectOp::create(builder, loc, isEmpty, zero, maxLevels);
    SmallVector<Value> init(state);
    init.push_back(start);
    auto loop = scf::ForOp::create(
        builder, loc, zero, levels, one, init,
        [&](OpBuilder &nested, Location, Value, ValueRange carried) {
          HeapEmitter inner(nested, loc, line, axis, maxLevels, largest,
                            isUnsigned);
          scf::YieldOp::create(nested, loc, inner.sinkOnce(carried, count));
        });
    return SmallVector<Value>(loop.getResults().drop_back());
  }

private:
  Value buildBool(bool value) const {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  }

  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }

  /// Exchanges the element at carried.back() with the worse of its children
  /// where that is worse than itself, and follows it.
  SmallVector<Value> sinkOnce(ValueRange carried, Value count) const {
    ValueRange state = carried.drop_back();
    Value parent = carried.back();
    Value one = buildIndex(builder, loc, 1);
    Value last = arith::SubIOp::create(builder, loc, count, one);
    Value twice = arith::AddIOp::create(builder, loc, parent, parent);
    Value left = arith::AddIOp::create(builder, loc, twice, one);
    Value right = arith::AddIOp::create(builder, loc, left, one);
    // Children that do not exist read the last element, and lose.
    auto clamp = [&](Value position) {
      return arith::MinSIOp::create(builder, loc, position, last);
    };
    Candidate own = get(state, parent);
    Candidate lefts = get(state, clamp(left)),
              rights = get(state, clamp(right));
    Value takeRight = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sle, right, last),
        isBetter(lefts, rights));
    auto choose = [&](Value condition, Value a, Value b) {
      return arith::SelectOp::create(builder, loc, condition, a, b);
    };
    Value child = choose(takeRight, right, left);
    Candidate worse = {choose(takeRight, rights.value, lefts.value),
                       choose(takeRight, rights.index, lefts.index)};
    Value sinks = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sle, child, last),
        isBetter(own, worse));
    Value target = choose(sinks, child, parent);
    Candidate lifted = {choose(sinks, worse.value, own.value),
                        choose(sinks, worse.index, own.index)};
    SmallVector<Value> next = set(state, parent, lifted);
    next = set(next, target, own);
    next.push_back(target);
    return next;
  }

  OpBuilder &builder;
  Location loc;
  SmallVector<Value> line;
  int64_t axis;
  /// As many as the heap can have.
  Value maxLevels;
  bool largest, isUnsigned;
};

struct TopKToLinalg final : OpConversionPattern<IE::TopKOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::TopKOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    RankedTensorType type = getRankedType(converter, op.getValues());
    RankedTensorType indexType = getRankedType(converter, op.getIndices());
    FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
    if (failed(sizes)) {
      return failure();
    }
    Location loc = op.getLoc();
    SmallVector<Value> outputs = {
        buildEmpty(rewriter, loc, type, sizes->front()),
        buildEmpty(rewriter, loc, indexType, sizes->back())};
    int64_t axis = op.getAxis();
    axis += axis < 0 ? type.getRank() : 0;
    OpFoldResult k = sizes->front()[axis];
    if (getConstantIntValue(k) == 0) {
      rewriter.replaceOp(op, outputs);
      return success();
    }
    OpFoldResult one = rewriter.getIndexAttr(1);
    Line shape = {
        axis, getValueOrCreateConstantIndexOp(rewriter, loc, k),
        getValueOrCreateConstantIndexOp(
            rewriter, loc, getSize(rewriter, loc, adaptor.getInput(), axis)),
        buildLevels(rewriter, loc, k)};
    SmallVector<Value> lower, upper, step;
    for (auto [i, size] : llvm::enumerate(sizes->front())) {
      // Without elements to choose there are no lines either.
      bool isAxis = static_cast<int64_t>(i) == axis;
      OpFoldResult count =
          isAxis ? IE::minimizeSizes(rewriter, loc, k, one) : size;
      lower.push_back(buildIndex(rewriter, loc, 0));
      upper.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, count));
      step.push_back(buildIndex(rewriter, loc, 1));
    }
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, lower, upper, step, outputs,
        [&](OpBuilder &b, Location, ValueRange line, ValueRange state) {
          return buildLine(b, op, adaptor.getInput(), line, shape, state);
        });
    rewriter.replaceOp(op, nest.results);
    return success();
  }

private:
  /// What all lines of a result have in common: of `length` elements `k` are
  /// chosen.
  struct Line {
    int64_t axis;
    Value k, length, maxLevels;
  };

  /// How many levels below its root a heap of `k` elements can have.
  static Value buildLevels(OpBuilder &builder, Location loc, OpFoldResult k) {
    if (std::optional<int64_t> known = getConstantIntValue(k)) {
      return buildIndex(builder, loc, llvm::Log2_64_Ceil(*known));
    }
    Type i64 = builder.getI64Type();
    Value count = arith::IndexCastOp::create(builder, loc, i64, cast<Value>(k));
    Value zeros = math::CountLeadingZerosOp::create(builder, loc, count);
    Value bits = arith::ConstantIntOp::create(builder, loc, i64, 64);
    return arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        arith::SubIOp::create(builder, loc, bits, zeros).getResult());
  }

  /// Fills one line of the result.
  static scf::ValueVector buildLine(OpBuilder &builder, IE::TopKOp op,
                                    Value input, ValueRange line,
                                    const Line &shape, ValueRange state) {
    Location loc = op.getLoc();
    Value k = shape.k;
    Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
    Value half = arith::ShRUIOp::create(builder, loc, k, one);
    Value lessOne = arith::SubIOp::create(builder, loc, half, one);
    SmallVector<Value> fixed(line);
    auto buildLoop = [&](Value first, Value end, ValueRange init,
                         auto body) -> SmallVector<Value> {
      auto loop = scf::ForOp::create(
          builder, loc, first, end, one, init,
          [&](OpBuilder &b, Location, Value i, ValueRange carried) {
            HeapEmitter heap(b, loc, fixed, shape.axis, shape.maxLevels,
                             op.getLargest() != 0,
                             isUnsignedElement(op.getInput()));
            scf::YieldOp::create(b, loc, body(b, heap, i, carried));
          });
      return SmallVector<Value>(loop.getResults());
    };
    auto loadInput = [&](OpBuilder &b, const HeapEmitter &heap,
                         Value i) -> Candidate {
      return {buildExtract(b, loc, input, heap.getPosition(i)),
              arith::IndexCastOp::create(b, loc, b.getI64Type(), i)};
    };
    auto subtract = [&](OpBuilder &b, Value from, Value i) -> Value {
      return arith::SubIOp::create(b, loc, from, i);
    };
    // The first k elements become a heap, its deepest parents first.
    SmallVector<Value> heaped = buildLoop(
        zero, k, state,
        [&](OpBuilder &b, const HeapEmitter &heap, Value i, ValueRange now) {
          return heap.set(now, i, loadInput(b, heap, i));
        });
    heaped = buildLoop(
        zero, half, heaped,
        [&](OpBuilder &b, const HeapEmitter &heap, Value i, ValueRange now) {
          return heap.sink(now, subtract(b, lessOne, i), k);
        });
    // Each of the others takes the place of the worst where it is better.
    heaped = buildLoop(
        k, shape.length, heaped,
        [&](OpBuilder &b, const HeapEmitter &heap, Value i, ValueRange now) {
          Candidate element = loadInput(b, heap, i);
          Candidate worst = heap.get(now, zero);
          Value enters = heap.isBetter(element, worst);
          auto choose = [&](Value a, Value c) -> Value {
            return arith::SelectOp::create(b, loc, enters, a, c);
          };
          Candidate front = {choose(element.value, worst.value),
                             choose(element.index, worst.index)};
          return heap.sink(heap.set(now, zero, front), zero, choose(k, zero));
        });
    // The worst of those left goes to their end.
    heaped = buildLoop(
        one, k, heaped,
        [&](OpBuilder &b, const HeapEmitter &heap, Value i, ValueRange now) {
          Value end = subtract(b, k, i);
          Candidate worst = heap.get(now, zero), last = heap.get(now, end);
          SmallVector<Value> next = heap.set(now, zero, last);
          next = heap.set(next, end, worst);
          return heap.sink(next, zero, end);
        });
    return scf::ValueVector(heaped.begin(), heaped.end());
  }
};

} // namespace

void nacre::populateSortingToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<TopKToLinalg>(converter, patterns.getContext());
}
