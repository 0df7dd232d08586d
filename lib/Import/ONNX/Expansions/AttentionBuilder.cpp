//===- AttentionBuilder.cpp - What all attentions share -------------------===//
//
// Scaled dot-product attention from matrix products and a softmax, in the
// variations that ONNX's and ONNX Runtime's operators have.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Value AttentionBuilder::splitHeads(Value value, int64_t heads) {
  int64_t hidden = e.getStaticDim(value, 2, "hidden size");
  if (!e.hasFailed() && (heads < 1 || hidden % heads != 0)) {
    e.fail("expected a number of heads that divides " + Twine(hidden) +
           ", found " + Twine(heads));
  }
  if (e.hasFailed()) {
    return {};
  }
  return e.transpose(e.reshape(value, {0, 0, heads, hidden / heads}),
                     {0, 2, 1, 3});
}

Value AttentionBuilder::joinHeads(Value value) {
  int64_t heads = e.getStaticDim(value, 1, "heads");
  int64_t size = e.getStaticDim(value, 3, "head size");
  return e.reshape(e.transpose(value, {0, 2, 1, 3}), {0, 0, heads * size});
}

Value AttentionBuilder::buildSize(Value value, int64_t dim) {
  int64_t size = e.getDim(value, dim);
  if (!ShapedType::isDynamic(size)) {
    return e.buildInts(size);
  }
  return e.create<IE::ShapeOp>({value},
                               {e.attr("start", dim), e.attr("end", dim + 1)});
}

Value AttentionBuilder::buildPositions(Value value, int64_t dim) {
  int64_t size = e.getDim(value, dim);
  if (!ShapedType::isDynamic(size)) {
    return e.buildIota(size);
  }
  Value limit = e.reshape(buildSize(value, dim), {});
  return e.create<IE::RangeOp>(
      {e.buildScalar(0, e.getInt(64)), limit, e.buildScalar(1, e.getInt(64))});
}

Value AttentionBuilder::buildCausalMask(Value query, Value key, Value offset,
                                        int64_t window) {
  Value rows = e.unsqueeze(buildPositions(query, 2), 1);
  Value last = e.add(rows, offset);
  Value columns = buildPositions(key, 2);
  Value mask = e.create<IE::LessOrEqualOp>({columns, last});
  if (window > 0) {
    Value first = e.add(last, static_cast<double>(-window));
    mask = joinMasks(mask, e.create<IE::GreaterOp>({columns, first}));
  }
  return mask;
}

Value AttentionBuilder::buildLengthMask(Value key, Value end) {
  Value ends = e.reshape(e.cast(end, e.getInt(64)), {-1, 1, 1, 1});
  return e.create<IE::LessOp>({buildPositions(key, 2), ends});
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

Value AttentionBuilder::rotate(Value value, Value cosines, Value sines,
                               bool interleaved) {
  int64_t last = e.getRank(value) - 1;
  int64_t size = e.getStaticDim(value, last, "head size");
  int64_t half = e.getStaticDim(cosines, -1, "cos_cache");
  if (!e.hasFailed() && 2 * half > size) {
    e.fail("expected angles for at most " + Twine(size / 2) +
           " pairs of elements, found " + Twine(half));
  }
  if (e.hasFailed() || half == 0) {
    return value;
  }
  Value rest;
  if (2 * half < size) {
    rest = e.slice(value, last, 2 * half, size);
    value = e.slice(value, last, 0, 2 * half);
  }
  Value first = interleaved ? e.slice(value, last, 0, 2 * half, 2)
                            : e.slice(value, last, 0, half);
  Value second = interleaved ? e.slice(value, last, 1, 2 * half, 2)
                             : e.slice(value, last, half, 2 * half);
  Value real = e.sub(e.mul(first, cosines), e.mul(second, sines));
  Value imaginary = e.add(e.mul(first, sines), e.mul(second, cosines));
  Value rotated;
  if (interleaved) {
    Value pairs = e.concat(
        {e.unsqueeze(real, last + 1), e.unsqueeze(imaginary, last + 1)},
        last + 1);
    SmallVector<int64_t> shape(last, 0);
    shape.push_back(2 * half);
    rotated = e.reshape(pairs, shape);
  } else {
    rotated = e.concat({real, imaginary}, last);
  }
  return rest ? e.concat({rotated, rest}, last) : rotated;
}

AttentionBuilder::Result AttentionBuilder::attend(Value query, Value key,
                                                  Value value,
                                                  const Options &options) {
  int64_t heads = e.getStaticDim(query, 1, "query's heads");
  int64_t keyHeads = e.getStaticDim(key, 1, "key's heads");
  int64_t size = e.getStaticDim(query, 3, "query's head size");
  if (!e.hasFailed() && (keyHeads == 0 || heads % keyHeads != 0)) {
    e.fail("expected a number of heads of the query that is a multiple of " +
           Twine(keyHeads) + ", found " + Twine(heads));
  }
  if (e.hasFailed()) {
    return {};
  }
  bool isGrouped = heads != keyHeads;
  int64_t rows = e.getDim(query, 2), columns = e.getDim(key, 2);
  bool knowsRows = !ShapedType::isDynamic(rows);
  if (isGrouped && !knowsRows && ShapedType::isDynamic(columns)) {
    e.reject("the sequence length of the query or the key must be known where "
             "heads share keys; fix it with --shape");
    return {};
  }
  // The rows of the heads that share a key follow each other in one matrix.
  if (isGrouped) {
    query = e.reshape(query, {0, keyHeads, -1, size});
  }
  auto ungroup = [&](Value grouped, int64_t width) {
    if (!isGrouped) {
      return grouped;
    }
    return e.reshape(grouped,
                     {0, heads, knowsRows ? rows : -1, knowsRows ? -1 : width});
  };
  Value scores = e.matmul(query, e.transpose(key, {0, 1, 3, 2}));
  if (options.scale != 1) {
    scores = e.mul(scores, options.scale);
  }
  scores = ungroup(scores, columns);
  Result result;
  auto keep = [&](int64_t mode) {
    if (options.scoresMode == mode) {
      result.scores = scores;
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
  if (options.sink) {
    // One more column, which no value belongs to.
    Value column =
        e.cast(e.reshape(options.sink, {1, -1, 1, 1}), e.getElement(scores));
    column = e.expandLike(column, e.slice(scores, 3, 0, 1));
    Value wide = e.create<IE::SoftmaxOp>({e.concat({scores, column}, 3)},
                                         {e.attr("axis", int64_t(3))});
    scores = e.slice(wide, 3, 0, -1);
  } else {
    scores = e.create<IE::SoftmaxOp>({scores}, {e.attr("axis", int64_t(3))});
  }
  scores = e.cast(scores, element);
  keep(3);
  Value weights = scores;
  if (isGrouped) {
    weights = e.reshape(scores,
                        {0, keyHeads, knowsRows ? heads / keyHeads * rows : -1,
                         knowsRows ? -1 : columns});
  }
  int64_t valueSize = e.getStaticDim(value, 3, "value's head size");
  result.output = ungroup(e.matmul(weights, value), valueSize);
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
