//===- ContribAttention.cpp - Expansions: ONNX Runtime's attention --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attention operators of the domain com.microsoft.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expansions.h"
#include "QuantizedMath.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// What a mask of the ends of the sequences of a batch allows, which a run may
/// find to hold starts behind them, or what packed sequences have there.
static Value buildLengthsMask(Expander &e, AttentionBuilder &builder,
                              Value mask, Value query, Value key) {
  Value batch = builder.buildSize(query, 0), axis = e.buildInts(0);
  Value twice = e.add(batch, batch), count = builder.buildSize(mask, 0);
  Value isEnds = e.create<IE::EqualOp>({count, batch});
  Value isBoth = e.create<IE::EqualOp>({count, twice});
  Value isPacked = e.create<IE::EqualOp>(
      {count, e.add(e.add(twice, batch), e.buildInts(2))});
  mask = e.create<IE::RequireOp>(
      {mask,
       e.create<IE::OrOp>({e.create<IE::OrOp>({isEnds, isBoth}), isPacked})},
      {e.attr("message", "expected a mask of one or two elements for each "
                         "sequence of the batch, or of three and two more")});
  Value ends =
      e.create<IE::SliceOp>({mask, e.buildInts(0), batch, axis, Value()});
  // Where none are given, sequences start at 0.
  Value all = e.concat({mask, e.mul(ends, 0.0)}, 0);
  Value starts = e.create<IE::SliceOp>({all, batch, twice, axis, Value()});
  starts = e.mul(starts, e.cast(isBoth, e.getElement(mask)));
  auto isBelow = [&](Value bounds) {
    return builder.buildLengthMask(key,
                                   e.create<IE::ReshapeOp>({bounds, batch}));
  };
  return builder.joinMasks(isBelow(ends),
                           e.create<IE::NotOp>({isBelow(starts)}));
}

/// What `mask` allows, as a value that broadcasts to (batch, heads, sequence,
/// keys): nonzero elements, or the lengths (and starts) of the sequences.
static Value buildPaddingMask(Expander &e, AttentionBuilder &builder,
                              Value mask, Value query, Value key) {
  int64_t rank = e.getRank(mask);
  if (rank == 1) {
    int64_t batch = e.getDim(query, 0), count = e.getDim(mask, 0);
    Value ends = mask;
    if (ShapedType::isDynamic(batch) || ShapedType::isDynamic(count)) {
      return buildLengthsMask(e, builder, mask, query, key);
    }
    if (count == 2 * batch) {
      ends = e.slice(mask, 0, 0, batch);
      Value starts = e.slice(mask, 0, batch, 2 * batch);
      Value isBefore = builder.buildLengthMask(key, starts);
      return builder.joinMasks(builder.buildLengthMask(key, ends),
                               e.create<IE::NotOp>({isBefore}));
    }
    // The ends are followed by where packed sequences start, which in padded
    // ones tells nothing else.
    if (count == 3 * batch + 2) {
      ends = e.slice(mask, 0, 0, batch);
    } else if (!e.hasFailed() && count != batch) {
      e.reject("a mask of " + Twine(count) + " elements for a batch of " +
               Twine(batch));
    }
    return builder.buildLengthMask(key, ends);
  }
  if (!e.hasFailed() && rank != 2 && rank != 3) {
    e.reject("a mask of " + Twine(rank) + " dimensions");
  }
  if (e.hasFailed()) {
    return {};
  }
  Value allowed = e.cast(mask, e.getInt(1));
  return e.unsqueeze(allowed, rank == 2 ? ArrayRef<int64_t>({1, 2})
                                        : ArrayRef<int64_t>(1));
}

namespace {

/// What Attention, MultiHeadAttention and QAttention have in common, once there
/// are heads of queries, keys and values.
struct ContribAttention {
  Expander &e;
  AttentionBuilder builder;
  Value query, key, value;
  /// Heads that come before those of the keys and values; may be null.
  Value pastKey, pastValue;
  /// As the operators define them; may be null.
  Value mask, bias;

  explicit ContribAttention(Expander &e) : e(e), builder(e) {}

  AttentionBuilder::Result run(int64_t scoresMode = 0) {
    bool isCausal = e.takeInt("unidirectional", 0) != 0;
    double filter = e.takeFloat("mask_filter_value", -10000.0);
    double scale = e.takeFloat("scale", 0);
    AttentionBuilder::Options options;
    options.scoresMode = scoresMode;
    double size = static_cast<double>(e.getStaticDim(query, 3, "query"));
    options.scale = scale == 0 ? 1 / std::sqrt(size) : scale;
    Value offset = e.buildInts(0);
    if (pastKey) {
      offset = builder.buildSize(pastKey, 2);
      key = e.concat({pastKey, key}, 2);
      value = e.concat({pastValue, value}, 2);
    }
    Type element = e.getElement(query);
    if (mask) {
      Value allowed = builder.fitScores(
          buildPaddingMask(e, builder, mask, query, key), query, key);
      options.bias = builder.buildBias(allowed, filter, element);
    }
    if (isCausal) {
      Value allowed = builder.buildWindowMask(query, key, offset, -1, 0);
      options.bias = builder.joinBiases(
          options.bias, builder.buildBias(allowed, -INFINITY, element));
    }
    options.bias =
        builder.joinBiases(options.bias, builder.fitScores(bias, query, key));
    return builder.attend(query, key, value, options);
  }
};

} // namespace

/// The heads of queries, keys and values side by side in the last dimension of
/// `joined`.
static void splitProjection(Expander &e, ContribAttention &attention,
                            Value joined, int64_t heads,
                            ArrayRef<int64_t> sizes) {
  SmallVector<Value> parts = e.split(joined, 2, sizes);
  attention.query = attention.builder.splitHeads(parts[0], heads);
  attention.key = attention.builder.splitHeads(parts[1], heads);
  attention.value = attention.builder.splitHeads(parts[2], heads);
}

/// Keys and values stacked in a first dimension of size 2.
static void takePast(Expander &e, ContribAttention &attention, Value past) {
  if (past && e.expectRank(past, 5, "past")) {
    auto take = [&](int64_t i) {
      return e.create<IE::SqueezeOp>(
          {e.slice(past, 0, i, i + 1), e.buildInts(0)});
    };
    attention.pastKey = take(0);
    attention.pastValue = take(1);
  }
}

static Value stackPresent(Expander &e, const ContribAttention &attention) {
  return e.concat(
      {e.unsqueeze(attention.key, 0), e.unsqueeze(attention.value, 0)}, 0);
}

/// The attention of what a matrix product projects the input to.
static void finishProjected(Expander &e, Value joined, Value past, Value mask,
                            Value bias, SmallVector<int64_t> sizes) {
  int64_t heads = e.takeRequiredInt("num_heads");
  if (e.takeInt("do_rotary", 0) != 0) {
    return e.reject("rotary embeddings in the attention ('do_rotary')");
  }
  if (e.takeInt("past_present_share_buffer", 0) != 0) {
    return e.reject("one buffer for past and present");
  }
  int64_t width = e.getStaticDim(joined, 2, "weights");
  if (sizes.empty()) {
    sizes.assign(3, width / 3);
  }
  if (!e.hasFailed() &&
      (sizes.size() != 3 || sizes[0] + sizes[1] + sizes[2] != width ||
       sizes[0] != sizes[1])) {
    return e.fail("expected sizes of queries, keys and values that add up to " +
                  Twine(width));
  }
  ContribAttention attention(e);
  attention.mask = mask;
  attention.bias = bias;
  if (e.hasFailed()) {
    return;
  }
  splitProjection(e, attention, joined, heads, sizes);
  takePast(e, attention, past);
  Value output = attention.run().output;
  Value present = e.getNumOutputs() > 1 ? stackPresent(e, attention) : Value();
  e.setResults({attention.builder.joinHeads(output), present});
}

static void expandAttention(Expander &e) {
  Value input = e.getRequiredInput(0, "input");
  Value weights = e.getRequiredInput(1, "weights");
  if (!e.expectRank(input, 3, "input") ||
      !e.expectRank(weights, 2, "weights")) {
    return;
  }
  if (e.getInput(6)) {
    return e.reject("one buffer for past and present");
  }
  Value joined = e.matmul(input, weights);
  if (Value bias = e.getInput(2)) {
    joined = e.add(joined, bias);
  }
  e.ignore({"rotary_embedding_dim"});
  finishProjected(e, joined, e.getInput(4), e.getInput(3), e.getInput(5),
                  e.takeInts("qkv_hidden_sizes"));
}

static void expandQAttention(Expander &e) {
  Value input = e.getRequiredInput(0, "input");
  Value weights = e.getRequiredInput(1, "weight");
  Value bias = e.getRequiredInput(2, "bias");
  Value inputScale = e.getRequiredInput(3, "input_scale");
  Value weightScale = e.getRequiredInput(4, "weight_scale");
  if (!e.expectRank(input, 3, "input") || !e.expectRank(weights, 2, "weight")) {
    return;
  }
  Value sums =
      buildIntegerProduct(e, input, weights, e.getInput(6), e.getInput(7));
  Value scale =
      e.mul(asScalarIfSingle(e, inputScale), asScalarIfSingle(e, weightScale));
  Value joined = e.add(e.mul(e.cast(sums, e.getElement(scale)), scale), bias);
  finishProjected(e, joined, e.getInput(8), e.getInput(5), Value(), {});
}

static void expandMultiHeadAttention(Expander &e) {
  Value query = e.getRequiredInput(0, "query");
  Value key = e.getInput(1), value = e.getInput(2), bias = e.getInput(3);
  int64_t heads = e.takeRequiredInt("num_heads");
  if (e.getInput(8) || e.getInput(9)) {
    return e.reject("one buffer for past and present, or beams");
  }
  ContribAttention attention(e);
  attention.mask = e.getInput(4);
  attention.bias = e.getInput(5);
  attention.pastKey = e.getInput(6);
  attention.pastValue = e.getInput(7);
  if ((attention.pastKey != nullptr) != (attention.pastValue != nullptr)) {
    return e.fail("expected either both of 'past_key' and 'past_value' or none "
                  "of them");
  }
  // (batch, sequence, heads, i, head size) has what is packed at i.
  auto unpack = [&](Value packed, int64_t i) {
    Value part = e.slice(packed, 3, i, i + 1);
    part = e.reshape(part, {0, 0, -1});
    return part;
  };
  if (e.getRank(query) == 5 && !key && !value) {
    value = unpack(query, 2);
    key = unpack(query, 1);
    query = unpack(query, 0);
  } else if (e.getRank(key) == 5 && !value) {
    value = unpack(key, 1);
    key = unpack(key, 0);
  }
  if (!e.expectRank(query, 3, "query")) {
    return;
  }
  if (!key || !value) {
    return e.fail("expected keys and values, or queries packed with them");
  }
  SmallVector<Value> parts = {Value(), Value(), Value()};
  if (bias && e.expectRank(bias, 1, "bias")) {
    int64_t size = e.getStaticDim(query, 2, "query");
    int64_t total = e.getStaticDim(bias, 0, "bias");
    if (!e.hasFailed() && total < 2 * size) {
      return e.fail("expected a bias for queries, keys and values, found " +
                    Twine(total) + " elements");
    }
    parts = e.split(bias, 0, {size, size, total - 2 * size});
  }
  auto toHeads = [&](Value joined, Value part) {
    if (e.getRank(joined) == 4) {
      // Keys and values of an encoder come as heads, and without a bias.
      return joined;
    }
    if (part) {
      joined = e.add(joined, part);
    }
    return attention.builder.splitHeads(joined, heads);
  };
  attention.query = toHeads(query, parts[0]);
  attention.key = toHeads(key, parts[1]);
  attention.value = toHeads(value, parts[2]);
  AttentionBuilder::Result result = attention.run(/*scoresMode=*/2);
  e.setResults({attention.builder.joinHeads(result.output), attention.key,
                attention.value, result.scores});
}

//===----------------------------------------------------------------------===//
// GroupQueryAttention
//===----------------------------------------------------------------------===//

namespace {

class GroupQueryExpansion {
public:
  explicit GroupQueryExpansion(Expander &e) : e(e), builder(e) {}

  void run() {
    int64_t heads = e.takeRequiredInt("num_heads");
    int64_t keyHeads = e.takeRequiredInt("kv_num_heads");
    double scale = e.takeFloat("scale", 0);
    double softcap = e.takeFloat("softcap", 0);
    int64_t window = e.takeInt("local_window_size", -1);
    bool isCausal = e.takeInt("causal", 1) != 0;
    bool smooth = e.takeInt("smooth_softmax", 0) != 0;
    int64_t scores = e.takeInt("qk_output", 0);
    if (!rejectOthers() || !splitInputs(heads, keyHeads)) {
      return;
    }
    Value lengths =
        e.add(e.cast(e.getRequiredInput(5, "seqlens_k"), e.getInt(64)), 1.0);
    // What is there before the queries; a prompt may be padded on its right.
    Value before = e.sub(lengths, builder.buildSize(query, 2));
    before = e.create<IE::MaxOp>({before, e.buildInts(0)});
    before = e.reshape(before, {-1});
    if (e.takeInt("do_rotary", 0) != 0) {
      rotate(before);
    } else {
      e.ignore({"rotary_interleaved"});
    }
    updateCache(before);
    Value presentKey = key, presentValue = value, bias = e.getInput(10);
    int64_t left = isCausal && window > 0 ? window - 1 : -1;
    if (e.getInput(3)) {
      if (bias || scores != 0) {
        dropUnusedRows();
      } else {
        dropHiddenRows(before, lengths, left);
      }
    }
    Value mask = buildMask(before, lengths, left, isCausal);
    AttentionBuilder::Options options;
    double size = static_cast<double>(e.getStaticDim(query, 3, "query"));
    options.scale = scale == 0 ? 1 / std::sqrt(size) : scale;
    options.softcap = softcap;
    options.scoresMode = scores == 2 ? 3 : 2;
    Type element = e.getElement(query);
    options.bias = builder.joinBiases(
        mask ? builder.buildBias(mask, -INFINITY, element) : Value(),
        builder.fitScores(bias, query, key));
    options.sink = e.getInput(11);
    if (smooth && !options.sink) {
      options.sink =
          e.buildTensor(SmallVector<double>(heads, 0), heads, element);
    }
    AttentionBuilder::Result result =
        builder.attend(query, key, value, options);
    e.setResults({builder.joinHeads(result.output), presentKey, presentValue,
                  scores == 0 ? Value() : result.scores});
  }

private:
  bool rejectOthers() {
    if (e.takeInt("sliding_window_cache", 0) != 0) {
      e.reject("a cache that holds a window only");
    }
    for (StringRef name : {"k_quant_type", "v_quant_type"}) {
      if (e.takeString(name, "NONE") != "NONE") {
        e.reject("a quantized cache");
      }
    }
    e.ignore({"kv_cache_bit_width", "qk_norm_epsilon"});
    for (unsigned i = 12; i < e.getNumInputs(); ++i) {
      if (e.getInput(i)) {
        e.reject("input " + Twine(i));
      }
    }
    return !e.hasFailed();
  }

  bool splitInputs(int64_t heads, int64_t keyHeads) {
    query = e.getRequiredInput(0, "query");
    key = e.getInput(1);
    value = e.getInput(2);
    if (!e.expectRank(query, 3, "query")) {
      return false;
    }
    if (!key && !value) {
      int64_t width = e.getStaticDim(query, 2, "query");
      if (heads < 1 || keyHeads < 1 || width % (heads + 2 * keyHeads) != 0) {
        e.fail("expected queries, keys and values of " + Twine(heads) +
               " and " + Twine(keyHeads) + " heads, found " + Twine(width) +
               " elements");
        return false;
      }
      int64_t size = width / (heads + 2 * keyHeads);
      SmallVector<Value> parts =
          e.split(query, 2, {heads * size, keyHeads * size, keyHeads * size});
      query = parts[0];
      key = parts[1];
      value = parts[2];
    }
    if (!key || !value) {
      e.fail("expected either both of 'key' and 'value' or none of them");
      return false;
    }
    if (!e.expectRank(key, 3, "key") || !e.expectRank(value, 3, "value")) {
      return false;
    }
    query = builder.splitHeads(query, heads);
    key = builder.splitHeads(key, keyHeads);
    value = builder.splitHeads(value, keyHeads);
    return !e.hasFailed();
  }

  void rotate(Value before) {
    bool interleaved = e.takeInt("rotary_interleaved", 0) != 0;
    Value positions = e.getInput(9);
    if (!positions) {
      positions =
          e.add(e.unsqueeze(before, 1), builder.buildPositions(query, 2));
    }
    auto getAngles = [&](unsigned i, StringRef name) {
      Value table = e.getRequiredInput(i, name);
      return e.unsqueeze(e.gather(table, positions, 0), 1);
    };
    Value cosines = getAngles(7, "cos_cache");
    Value sines = getAngles(8, "sin_cache");
    query = builder.rotate(query, cosines, sines, interleaved);
    key = builder.rotate(key, cosines, sines, interleaved);
  }

  /// Writes the keys and values after those that are there before.
  void updateCache(Value before) {
    Value pastKey = e.getInput(3), pastValue = e.getInput(4);
    if ((pastKey != nullptr) != (pastValue != nullptr)) {
      return e.fail("expected either both of 'past_key' and 'past_value' or "
                    "none of them");
    }
    if (!pastKey) {
      return;
    }
    if (!e.expectRank(pastKey, 4, "past_key") ||
        !e.expectRank(pastValue, 4, "past_value")) {
      return;
    }
    Value needed = buildTotalLength(pastKey);
    auto update = [&](Value past, Value rows) {
      Value missing = e.sub(needed, builder.buildSize(past, 2));
      auto known = e.evaluateInts(missing);
      if (!known || known->front() > 0) {
        missing = e.create<IE::MaxOp>({missing, e.buildInts(0)});
        Value shape =
            e.concat({builder.buildSize(past, 0), builder.buildSize(past, 1),
                      missing, builder.buildSize(past, 3)},
                     0);
        Value zero = e.buildScalar(0, e.getElement(past));
        past = e.concat({past, e.create<IE::ExpandOp>({zero, shape})}, 2);
      }
      return builder.writeRows(past, rows, before);
    };
    key = update(pastKey, key);
    value = update(pastValue, value);
  }

  /// A cache may have room for more than there are keys, unlike the scores that
  /// the model adds to or returns.
  void dropUnusedRows() {
    Value total = e.getRequiredInput(6, "total length");
    Value end = e.reshape(e.cast(total, e.getInt(64)), {1});
    auto known = e.evaluateInts(end);
    if (!known || known->front() != e.getDim(key, 2)) {
      key = builder.takeRange(key, 2, Value(), end);
      value = builder.takeRange(value, 2, Value(), end);
    }
  }

  /// What no query sees need not be read either.
  void dropHiddenRows(Value &before, Value &lengths, int64_t left) {
    AttentionBuilder::Rows rows =
        builder.takeVisible(key, value, lengths, before, left);
    key = rows.key;
    value = rows.value;
    if (rows.first) {
      before = e.sub(before, rows.first);
      lengths = e.sub(e.reshape(lengths, {-1}), rows.first);
    }
  }

  /// Which keys a query sees, where not all of them. Those of a single sequence
  /// end with it.
  Value buildMask(Value before, Value lengths, int64_t left, bool isCausal) {
    bool areCut = e.getDim(query, 0) == 1 && e.getInput(3);
    Value mask = areCut ? Value() : builder.buildLengthMask(key, lengths);
    // A single query is the last of its sequence.
    bool isLast = e.getDim(query, 2) == 1;
    int64_t right = isCausal && !isLast ? 0 : -1;
    if (isLast && areCut) {
      left = -1;
    }
    Value offset = e.reshape(before, {-1, 1, 1, 1});
    return builder.joinMasks(
        mask, builder.buildWindowMask(query, key, offset, left, right));
  }

  /// How many positions the cache has afterwards: what the model says of its
  /// outputs, or what the length of the sequences asks for.
  Value buildTotalLength(Value past) {
    RankedTensorType declared = e.getDeclared(1);
    if (declared && declared.getRank() == 4 && !declared.isDynamicDim(2)) {
      return e.buildInts(declared.getDimSize(2));
    }
    Value total = e.getRequiredInput(6, "total length");
    int64_t length = e.getDim(query, 2);
    if (e.getDim(past, 2) == 0 && !ShapedType::isDynamic(length) &&
        !e.evaluateInts(total)) {
      return e.buildInts(length);
    }
    total = e.reshape(e.cast(total, e.getInt(64)), {1});
    return e.create<IE::MaxOp>({total, builder.buildSize(past, 2)});
  }

  Expander &e;
  AttentionBuilder builder;
  Value query, key, value;
};

} // namespace

static void expandGroupQueryAttention(Expander &e) {
  GroupQueryExpansion(e).run();
}

//===----------------------------------------------------------------------===//
// RotaryEmbedding
//===----------------------------------------------------------------------===//

/// Unlike ONNX's, its positions come first, and may be one to count from.
static void expandRotaryEmbedding(Expander &e) {
  Value input = e.getRequiredInput(0, "input");
  Value positions = e.getRequiredInput(1, "position_ids");
  Value cosines = e.getRequiredInput(2, "cos_cache");
  Value sines = e.getRequiredInput(3, "sin_cache");
  bool interleaved = e.takeInt("interleaved", 0) != 0;
  int64_t heads = e.takeInt("num_heads", 0);
  int64_t dim = e.takeInt("rotary_embedding_dim", 0);
  if (e.takeInt("is_packed_batching", 0) != 0) {
    return e.reject("packed batches");
  }
  if (e.takeFloat("scale", 1) != 1) {
    return e.reject("a scale");
  }
  int64_t rank = e.getRank(input);
  if (!e.hasFailed() && rank != 3 && rank != 4) {
    return e.fail("expected 'input' of three or four dimensions, found " +
                  Twine(rank));
  }
  int64_t pairs = e.getStaticDim(cosines, 1, "cos_cache");
  if (rank == 3 && heads == 0) {
    if (dim != 0) {
      return e.fail("expected 'num_heads' where only a part of a head rotates");
    }
    // Heads are as large as the angles are many.
    heads = e.getStaticDim(input, 2, "input") / std::max<int64_t>(2 * pairs, 1);
  }
  AttentionBuilder builder(e);
  Value value = rank == 3 ? builder.splitHeads(input, heads) : input;
  if (e.getRank(positions) == 1) {
    positions =
        e.unsqueeze(e.add(positions, builder.buildPositions(value, 2)), 0);
  }
  auto getAngles = [&](Value table) {
    return e.unsqueeze(e.gather(table, positions, 0), 1);
  };
  Value rotated =
      builder.rotate(value, getAngles(cosines), getAngles(sines), interleaved);
  e.setResults(rank == 3 ? builder.joinHeads(rotated) : rotated);
}

ArrayRef<ExpansionEntry> onnx_import::getContribAttentionExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"com.microsoft", "Attention", expandAttention},
      {"com.microsoft", "GroupQueryAttention", expandGroupQueryAttention},
      {"com.microsoft", "MultiHeadAttention", expandMultiHeadAttention},
      {"com.microsoft", "QAttention", expandQAttention},
      {"com.microsoft", "RotaryEmbedding", expandRotaryEmbedding},
  };
  return kEntries;
}
