//===- AttentionBuilder.cpp - What all attentions share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled dot-product attention from matrix products and a softmax, in the
// variations that ONNX's and ONNX Runtime's operators have.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Value AttentionBuilder::splitHeads(Value value, int64_t heads) {
  if (e.hasFailed()) {
    return {};
  }
  int64_t hidden = e.getDim(value, 2);
  bool isKnown = !ShapedType::isDynamic(hidden);
  if (heads < 1 || (isKnown && hidden % heads != 0)) {
    e.fail("expected a number of heads that divides " +
           (isKnown ? Twine(hidden) : Twine("the hidden size")) + ", found " +
           Twine(heads));
    return {};
  }
  return e.transpose(
      e.reshape(value, {0, 0, heads, isKnown ? hidden / heads : -1}),
      {0, 2, 1, 3});
}

Value AttentionBuilder::joinHeads(Value value) {
  int64_t heads = e.getDim(value, 1), size = e.getDim(value, 3);
  bool isKnown = !ShapedType::isDynamic(heads) && !ShapedType::isDynamic(size);
  return e.reshape(e.transpose(value, {0, 2, 1, 3}),
                   {0, 0, isKnown ? heads * size : -1});
}

Value AttentionBuilder::buildSize(Value value, int64_t dim) {
  int64_t size = e.getDim(value, dim);
  if (!ShapedType::isDynamic(size)) {
    return e.buildInts(size);
  }
  return e.create<IE::ShapeOp>({value},
                               {e.attr("start", dim), e.attr("end", dim + 1)});
}

/// 0, 1, … below a size, a vector of one i64.
static Value buildRange(Expander &e, Value size) {
  Type i64 = e.getInt(64);
  return e.create<IE::RangeOp>(
      {e.buildScalar(0, i64), e.reshape(size, {}), e.buildScalar(1, i64)});
}

Value AttentionBuilder::buildPositions(Value value, int64_t dim) {
  int64_t size = e.getDim(value, dim);
  return ShapedType::isDynamic(size) ? buildRange(e, buildSize(value, dim))
                                     : e.buildIota(size);
}

int64_t AttentionBuilder::getHeadsPerMatrix(Value query, Value key) {
  int64_t heads = e.getDim(query, 1), keyHeads = e.getDim(key, 1);
  bool isKnown = !ShapedType::isDynamic(heads) && keyHeads > 0;
  bool isLong = ShapedType::isDynamic(e.getDim(query, 2));
  return isKnown && isLong ? heads / keyHeads : 1;
}

AttentionBuilder::ScoreRows AttentionBuilder::buildRows(Value query,
                                                        Value key) {
  int64_t count = getHeadsPerMatrix(query, key);
  if (count == 1) {
    return {Value(), buildPositions(query, 2)};
  }
  Value size = buildSize(query, 2);
  Value rows = buildRange(e, e.mul(size, static_cast<double>(count)));
  return {e.div(rows, size), e.create<IE::ModOp>({rows, size})};
}

/// `value` cut off where dimension `dim` of `like` ends, which it broadcasts
/// to: whoever adds them sees that the sum is as large as `like`.
static Value fit(Expander &e, AttentionBuilder &builder, Value value,
                 int64_t axis, Value like, int64_t dim) {
  if (axis < 0 || e.hasFailed() || e.getDim(value, axis) == 1 ||
      !ShapedType::isDynamic(e.getDim(like, dim))) {
    return value;
  }
  Value size = builder.buildSize(like, dim);
  Value fits =
      e.create<IE::LessOrEqualOp>({builder.buildSize(value, axis), size});
  value = e.create<IE::SliceOp>(
      {value, e.buildInts(0), size, e.buildInts(axis), Value()});
  return e.create<IE::RequireOp>(
      {value, fits},
      {e.attr("message", "expected a mask of no more elements than there are "
                         "scores")});
}

Value AttentionBuilder::fitScores(Value value, Value query, Value key) {
  if (!value) {
    return value;
  }
  int64_t rank = e.getRank(value), rows = rank - 2;
  value = fit(e, *this, value, rank - 1, key, 2);
  value = fit(e, *this, value, rank - 4, query, 0);
  if (getHeadsPerMatrix(query, key) == 1) {
    return fit(e, *this, value, rows, query, 2);
  }
  bool isOfHeads = rank > 2 && e.getDim(value, rank - 3) != 1;
  if (rows < 0 || (e.getDim(value, rows) == 1 && !isOfHeads)) {
    return value;
  }
  int64_t heads = e.getDim(query, 1);
  if (isOfHeads && ShapedType::isDynamic(e.getDim(value, rank - 3))) {
    // One for all heads, or one for each.
    value = e.create<IE::ExpandOp>({value, e.buildInts({heads, 1, 1})});
  }
  // A row for each of those that follow each other, of which there may be one.
  ScoreRows stacked = buildRows(query, key);
  Value size = buildSize(value, rows);
  Value isOne = e.create<IE::EqualOp>({size, e.buildInts(1)});
  Value isEach = e.create<IE::EqualOp>({size, buildSize(query, 2)});
  value = e.create<IE::RequireOp>(
      {value, e.create<IE::OrOp>({isOne, isEach})},
      {e.attr("message", "expected a mask of one row, or of one for each "
                         "query")});
  Value position = e.create<IE::ModOp>({stacked.position, size});
  if (isOfHeads) {
    SmallVector<int64_t> shape(rank - 3, 0);
    llvm::append_range(shape, ArrayRef<int64_t>{e.getDim(key, 1), -1, 0});
    value = e.reshape(value, shape);
    position = e.add(position, e.mul(stacked.head, size));
  }
  return e.gather(value, position, rows);
}

Value AttentionBuilder::buildWindowMask(Value query, Value key, Value offset,
                                        int64_t left, int64_t right) {
  Value rows = e.unsqueeze(buildRows(query, key).position, 1);
  Value own = e.add(rows, offset);
  Value columns = buildPositions(key, 2);
  Value mask;
  if (right >= 0) {
    Value last = right == 0 ? own : e.add(own, static_cast<double>(right));
    mask = e.create<IE::LessOrEqualOp>({columns, last});
  }
  if (left >= 0) {
    Value before = e.add(own, -1 - static_cast<double>(left));
    mask = joinMasks(mask, e.create<IE::GreaterOp>({columns, before}));
  }
  return mask;
}

Value AttentionBuilder::buildLengthMask(Value key, Value end) {
  Value ends = e.reshape(e.cast(end, e.getInt(64)), {-1, 1, 1, 1});
  return e.create<IE::LessOp>({buildPositions(key, 2), ends});
}

Value AttentionBuilder::takeRange(Value value, int64_t dim, Value start,
                                  Value end) {
  return e.create<IE::SliceOp>(
      {value, start ? start : e.buildInts(0), end, e.buildInts(dim), Value()});
}

AttentionBuilder::Rows AttentionBuilder::takeVisible(Value key, Value value,
                                                     Value lengths,
                                                     Value before,
                                                     int64_t left) {
  auto toVector = [&](Value ends) {
    return e.reshape(e.cast(ends, e.getInt(64)), {-1});
  };
  lengths = toVector(lengths);
  bool isSingle = e.getDim(lengths, 0) == 1;
  Value end = isSingle ? lengths
                       : e.reshape(e.reduce<IE::ReduceMaxOp>(lengths, 0), {1});
  Value first;
  if (left >= 0) {
    before = toVector(before);
    first = isSingle ? before
                     : e.reshape(e.reduce<IE::ReduceMinOp>(before, 0), {1});
    first = e.create<IE::MaxOp>(
        {e.add(first, -static_cast<double>(left)), e.buildInts(0)});
  }
  return {takeRange(key, 2, first, end), takeRange(value, 2, first, end),
          first};
}

Value AttentionBuilder::buildBias(Value mask, double otherwise, Type element) {
  return e.where(mask, e.buildScalar(0, element),
                 e.buildScalar(otherwise, element));
}

Value AttentionBuilder::joinMasks(Value lhs, Value rhs) {
  if (!lhs || !rhs) {
    return lhs ? lhs : rhs;
  }
  return e.create<IE::AndOp>({lhs, rhs});
}

Value AttentionBuilder::joinBiases(Value lhs, Value rhs) {
  if (!lhs || !rhs) {
    return lhs ? lhs : rhs;
  }
  return e.add(lhs, rhs);
}

AttentionBuilder::Pairs AttentionBuilder::splitPairs(Value value, Value cosines,
                                                     bool interleaved) {
  int64_t last = e.getRank(value) - 1, half = e.getDim(cosines, -1);
  if (interleaved) {
    int64_t end = ShapedType::isDynamic(half) ? INT64_MAX : 2 * half;
    return {e.slice(value, last, 0, end, 2), e.slice(value, last, 1, end, 2)};
  }
  if (!ShapedType::isDynamic(half)) {
    return {e.slice(value, last, 0, half),
            e.slice(value, last, half, 2 * half)};
  }
  Value count = buildSize(cosines, e.getRank(cosines) - 1);
  auto take = [&](Value start, Value end) {
    return e.create<IE::SliceOp>(
        {value, start, end, e.buildInts(last), Value()});
  };
  return {take(e.buildInts(0), count), take(count, e.mul(count, 2))};
}

Value AttentionBuilder::rotate(Value value, Value cosines, Value sines,
                               bool interleaved) {
  if (e.hasFailed()) {
    return {};
  }
  int64_t last = e.getRank(value) - 1;
  int64_t size = e.getDim(value, last), half = e.getDim(cosines, -1);
  bool isKnown = !ShapedType::isDynamic(half);
  bool hasKnownSize = !ShapedType::isDynamic(size);
  if (isKnown && hasKnownSize && 2 * half > size) {
    e.fail("expected angles for at most " + Twine(size / 2) +
           " pairs of elements, found " + Twine(half));
  }
  if (e.hasFailed() || half == 0) {
    return value;
  }
  Value rest;
  if (isKnown && (!hasKnownSize || 2 * half < size)) {
    rest = e.slice(value, last, 2 * half, hasKnownSize ? size : INT64_MAX);
    value = e.slice(value, last, 0, 2 * half);
  }
  auto [first, second] = splitPairs(value, cosines, interleaved);
  Value real = e.sub(e.mul(first, cosines), e.mul(second, sines));
  Value imaginary = e.add(e.mul(first, sines), e.mul(second, cosines));
  Value rotated;
  if (interleaved) {
    Value pairs = e.concat(
        {e.unsqueeze(real, last + 1), e.unsqueeze(imaginary, last + 1)},
        last + 1);
    SmallVector<int64_t> shape(last, 0);
    shape.push_back(isKnown ? 2 * half : -1);
    rotated = e.reshape(pairs, shape);
  } else {
    rotated = e.concat({real, imaginary}, last);
  }
  return rest ? e.concat({rotated, rest}, last) : rotated;
}

Value AttentionBuilder::groupHeads(Value value, Value key) {
  int64_t keyHeads = e.getDim(key, 1), size = e.getDim(value, 3);
  int64_t last = ShapedType::isDynamic(size) ? 0 : size;
  if (!ShapedType::isDynamic(keyHeads)) {
    return e.reshape(value, {0, keyHeads, -1, last});
  }
  Value shape =
      e.concat({e.buildInts(0), buildSize(key, 1), e.buildInts({-1, last})}, 0);
  return e.create<IE::ReshapeOp>({value, shape});
}

Value AttentionBuilder::ungroupHeads(Value value, Value query) {
  int64_t heads = e.getDim(query, 1), rows = e.getDim(query, 2);
  if (!ShapedType::isDynamic(heads)) {
    return e.reshape(value,
                     {0, heads, ShapedType::isDynamic(rows) ? -1 : rows, 0});
  }
  Value shape =
      e.concat({e.buildInts(0), buildSize(query, 1), e.buildInts({-1, 0})}, 0);
  return e.create<IE::ReshapeOp>({value, shape});
}

/// Where the bias hides all keys from a query.
static Value findHiddenRows(Expander &e, Value bias) {
  Value largest = e.reduce<IE::ReduceMaxOp>(bias, e.getRank(bias) - 1);
  return e.create<IE::EqualOp>(
      {largest, e.buildScalar(-INFINITY, e.getElement(bias))});
}

AttentionBuilder::Result AttentionBuilder::attend(Value query, Value key,
                                                  Value value,
                                                  const Options &options) {
  if (e.hasFailed()) {
    return {};
  }
  int64_t heads = e.getDim(query, 1), keyHeads = e.getDim(key, 1);
  bool areKnown =
      !ShapedType::isDynamic(heads) && !ShapedType::isDynamic(keyHeads);
  if (areKnown && (keyHeads == 0 || heads % keyHeads != 0)) {
    e.fail("expected a number of heads of the query that is a multiple of " +
           Twine(keyHeads) + ", found " + Twine(heads));
    return {};
  }
  if (!areKnown) {
    Value rest = e.create<IE::ModOp>({buildSize(query, 1), buildSize(key, 1)});
    query = e.create<IE::RequireOp>(
        {query, e.create<IE::EqualOp>({rest, e.buildInts(0)})},
        {e.attr("message", "expected a number of heads of the query that is a "
                           "multiple of that of the key")});
  }
  bool isGrouped = !areKnown || heads != keyHeads;
  bool isStacked = getHeadsPerMatrix(query, key) > 1;
  Value sink = options.sink;
  if (sink) {
    sink = e.reshape(sink, {1, isStacked ? keyHeads : heads, -1, 1});
    sink = isStacked ? e.gather(sink, buildRows(query, key).head, 2) : sink;
  }
  // The rows of the heads that share a key follow each other in one matrix.
  Value grouped = isGrouped ? groupHeads(query, key) : query;
  auto ungroup = [&](Value value) {
    return isGrouped ? ungroupHeads(value, query) : value;
  };
  Value scores = e.matmul(grouped, e.transpose(key, {0, 1, 3, 2}));
  if (options.runTimeScale) {
    scores = e.mul(scores, options.runTimeScale);
  } else if (options.scale != 1) {
    scores = e.mul(scores, options.scale);
  }
  if (!isStacked) {
    scores = ungroup(scores);
  }
  Value hidden = options.bias && options.clearsHiddenRows
                     ? findHiddenRows(e, options.bias)
                     : Value();
  auto clear = [&](Value rows) {
    return hidden ? e.where(hidden, e.buildScalar(0, e.getElement(rows)), rows)
                  : rows;
  };
  Result result;
  auto keep = [&](int64_t mode) {
    if (options.scoresMode == mode) {
      Value kept = mode == 3 ? clear(scores) : scores;
      result.scores = isStacked ? ungroup(kept) : kept;
    }
  };
  keep(0);
  Type element = e.getElement(scores);
  if (options.softcap != 0) {
    Value bounded = e.create<IE::TanhOp>({e.mul(scores, 1 / options.softcap)});
    scores = e.mul(bounded, options.softcap);
  }
  keep(1);
  scores = joinBiases(scores, options.bias);
  keep(2);
  if (options.softmaxType) {
    scores = e.cast(scores, options.softmaxType);
  }
  if (sink) {
    // One more column, which no value belongs to.
    Value column = e.cast(sink, e.getElement(scores));
    column = e.expandLike(column, e.slice(scores, 3, 0, 1));
    Value wide = e.create<IE::SoftmaxOp>({e.concat({scores, column}, 3)},
                                         {e.attr("axis", int64_t(3))});
    scores = e.slice(wide, 3, 0, -1);
  } else {
    scores = e.create<IE::SoftmaxOp>({scores}, {e.attr("axis", int64_t(3))});
  }
  scores = e.cast(scores, element);
  keep(3);
  if (isGrouped && !isStacked) {
    scores = groupHeads(scores, key);
  }
  Value output = e.matmul(scores, value);
  result.output = isStacked ? ungroup(clear(output)) : clear(ungroup(output));
  return result;
}

Value AttentionBuilder::writeRows(Value cache, Value update, Value starts) {
  Value positions = buildPositions(update, 2);
  positions = e.add(e.reshape(e.cast(starts, e.getInt(64)), {-1, 1, 1, 1}),
                    e.reshape(positions, {1, 1, -1, 1}));
  return e.create<IE::ScatterElementsOp>(
      {cache, e.expandLike(positions, update), update},
      {e.attr("axis", int64_t(2))});
}
