//===- Attention.cpp - Expansions: ONNX's attention -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention and rotary embeddings as ONNX has them since operator set 23.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

class AttentionExpansion {
public:
  explicit AttentionExpansion(Expander &e) : e(e), builder(e) {}

  void run() {
    Value query = e.getRequiredInput(0, "Q");
    Value key = e.getRequiredInput(1, "K");
    Value value = e.getRequiredInput(2, "V");
    int64_t heads = e.takeInt("q_num_heads", 0);
    int64_t keyHeads = e.takeInt("kv_num_heads", 0);
    int64_t rank = e.getRank(query);
    if (!e.expectRank(key, rank, "K") || !e.expectRank(value, rank, "V")) {
      return;
    }
    if (rank != 3 && rank != 4) {
      return e.fail("expected 'Q' of three or four dimensions, found " +
                    Twine(rank));
    }
    if (rank == 3) {
      query = builder.splitHeads(query, heads);
      key = builder.splitHeads(key, keyHeads);
      value = builder.splitHeads(value, keyHeads);
    }
    Value past = e.getInput(4);
    if ((past != nullptr) != (e.getInput(5) != nullptr)) {
      return e.fail("expected either both of 'past_key' and 'past_value' or "
                    "none of them");
    }
    if (past) {
      key = e.concat({past, key}, 2);
      value = e.concat({e.getInput(5), value}, 2);
    }
    if (e.hasFailed()) {
      return;
    }
    AttentionBuilder::Options options;
    int64_t size = e.getDim(query, 3);
    if (e.has("scale") || !ShapedType::isDynamic(size)) {
      options.scale =
          e.takeFloat("scale", 1 / std::sqrt(static_cast<double>(size)));
    } else {
      options.runTimeScale = buildScale(query);
    }
    options.softcap = e.takeFloat("softcap", 0);
    options.softmaxType = e.takeType("softmax_precision");
    options.scoresMode = e.takeInt("qk_matmul_output_mode", 0);
    if (options.scoresMode < 0 || options.scoresMode > 3) {
      return e.fail("expected 'qk_matmul_output_mode' in [0, 3], found " +
                    Twine(options.scoresMode));
    }
    AttentionBuilder::Rows rows = takeMasks(query, key, value, past);
    options.bias = buildBias(query, rows.key, past);
    options.clearsHiddenRows = mayHideRows;
    AttentionBuilder::Result result =
        builder.attend(query, rows.key, rows.value, options);
    Value output = rank == 3 ? builder.joinHeads(result.output) : result.output;
    e.setResults({output, key, value, result.scores});
  }

private:
  static constexpr double kMasked = -INFINITY;

  /// What scores are multiplied by where the head size is dynamic.
  Value buildScale(Value query) {
    Type element = e.getElement(query);
    Value size = e.cast(builder.buildSize(query, 3),
                        element.isF64() ? element : e.getF32());
    Value root = e.create<IE::SqrtOp>({size});
    return e.cast(e.create<IE::ReciprocalOp>({root}), element);
  }

  int64_t takeWindow(StringRef name) {
    int64_t size = e.takeInt(name, -1);
    if (size < -1) {
      e.fail("expected '" + name + "' of -1 or more, found " + Twine(size));
    }
    return size;
  }

  /// What says which keys a query sees, for those that some query sees: a cache
  /// that has room for longer sequences is not read beyond them, unless the
  /// scores of all keys are wanted.
  AttentionBuilder::Rows takeMasks(Value query, Value key, Value value,
                                   Value past) {
    left = takeWindow("left_window_size");
    right = takeWindow("right_window_size");
    if (e.takeInt("is_causal", 0) != 0) {
      right = 0;
    }
    given = e.getInput(3);
    lengths = e.getInput(6);
    if (given) {
      given = padMask(given, key);
    }
    constexpr unsigned kScores = 3;
    if (!lengths || past || e.hasFailed() || e.getNumOutputs() > kScores) {
      return {key, value, Value()};
    }
    lengths = e.cast(e.reshape(lengths, {-1}), e.getInt(64));
    Value before = e.sub(lengths, builder.buildSize(query, 2));
    // A mask that a run may find to be one for all keys has no part for some.
    bool isOpen = given && ShapedType::isDynamic(e.getDim(given, -1));
    AttentionBuilder::Rows rows =
        builder.takeVisible(key, value, lengths, before, isOpen ? -1 : left);
    if (given && e.getDim(given, -1) != 1) {
      Value end = builder.buildSize(rows.key, 2);
      end = rows.first ? e.add(end, rows.first) : end;
      given = builder.takeRange(given, e.getRank(given) - 1, rows.first, end);
    }
    if (rows.first) {
      lengths = e.sub(lengths, rows.first);
    }
    return rows;
  }

  /// What the mask, causality and the lengths of the sequences add to scores.
  Value buildBias(Value query, Value key, Value past) {
    Type element = e.getElement(query);
    given = builder.fitScores(given, query, key);
    bool isMask = given && e.getElement(given).isInteger(1);
    Value mask = isMask ? given : Value();
    if (left >= 0 || right >= 0) {
      Value offset = e.buildInts(0);
      if (past) {
        offset = builder.buildSize(past, 2);
      } else if (lengths) {
        offset = e.sub(e.reshape(lengths, {-1, 1, 1, 1}),
                       builder.buildSize(query, 2));
      }
      mask = builder.joinMasks(
          mask, builder.buildWindowMask(query, key, offset, left, right));
    }
    if (lengths) {
      mask = builder.joinMasks(mask, builder.buildLengthMask(key, lengths));
    }
    // A query sees its own key, and those before it, if nothing else forbids.
    mayHideRows = given || lengths || left >= 0;
    Value bias = mask ? builder.buildBias(mask, kMasked, element) : Value();
    return builder.joinBiases(bias, isMask ? Value() : given);
  }

  /// A mask may be shorter than the keys, which it then hides.
  Value padMask(Value mask, Value key) {
    if (e.hasFailed()) {
      return {};
    }
    if (e.getRank(mask) < 1 || e.getRank(mask) > 4) {
      e.fail("expected 'attn_mask' of one to four dimensions, found " +
             Twine(e.getRank(mask)));
      return {};
    }
    int64_t last = e.getRank(mask) - 1;
    int64_t size = e.getDim(mask, last), keys = e.getDim(key, 2);
    if (size == keys || size == 1) {
      return mask;
    }
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(keys)) {
      // As long as the keys, if it is to be of use.
      return mask;
    }
    if (size > keys) {
      e.fail("expected a mask for at most " + Twine(keys) + " keys, found " +
             Twine(size));
      return {};
    }
    SmallVector<int64_t> pads(2 * (last + 1), 0);
    pads.back() = keys - size;
    Type element = e.getElement(mask);
    Value fill = e.buildScalar(element.isInteger(1) ? 0 : kMasked, element);
    return e.create<IE::PadOp>({mask, e.buildInts(pads), fill, Value()});
  }

  Expander &e;
  AttentionBuilder builder;
  /// The mask and the lengths of the sequences, which may be null.
  Value given, lengths;
  int64_t left = -1, right = -1;
  bool mayHideRows = false;
};

} // namespace

static void expandAttention(Expander &e) { AttentionExpansion(e).run(); }

/// As many angles as there are pairs among the first `size` elements, or among
/// all for 0. What is known of one gives the other, which a run checks.
static bool fitAngles(Expander &e, Value &value, Value &cosines, Value &sines,
                      int64_t size) {
  if (e.hasFailed()) {
    return false;
  }
  int64_t half = e.getDim(cosines, 2);
  int64_t expected = size == 0 ? e.getDim(value, 3) : size;
  bool isKnown = !ShapedType::isDynamic(half);
  if (!ShapedType::isDynamic(expected)) {
    if (expected < 0 || expected % 2 != 0 ||
        (isKnown && 2 * half != expected)) {
      e.fail("expected angles for " + Twine(expected / 2) +
             " pairs of elements, found " +
             (isKnown ? Twine(half) : Twine(expected) + " elements"));
      return false;
    }
    if (!isKnown) {
      cosines = e.reshape(cosines, {0, 0, expected / 2});
      sines = e.reshape(sines, {0, 0, expected / 2});
    }
  } else if (isKnown) {
    value = e.reshape(value, {0, 0, 0, 2 * half});
  } else {
    AttentionBuilder builder(e);
    Value fits = e.create<IE::EqualOp>(
        {builder.buildSize(value, 3), e.mul(builder.buildSize(cosines, 2), 2)});
    value = e.create<IE::RequireOp>(
        {value, fits},
        {e.attr("message",
                "expected an angle for each pair of elements of a head")});
  }
  return !e.hasFailed();
}

static void expandRotaryEmbedding(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value cosines = e.getRequiredInput(1, "cos_cache");
  Value sines = e.getRequiredInput(2, "sin_cache");
  bool interleaved = e.takeInt("interleaved", 0) != 0;
  int64_t heads = e.takeInt("num_heads", 0);
  int64_t size = e.takeInt("rotary_embedding_dim", 0);
  int64_t rank = e.getRank(input);
  if (!e.hasFailed() && rank != 3 && rank != 4) {
    return e.fail("expected 'X' of three or four dimensions, found " +
                  Twine(rank));
  }
  AttentionBuilder builder(e);
  Value value = rank == 3 ? builder.splitHeads(input, heads) : input;
  if (Value positions = e.getInput(3)) {
    cosines = e.gather(cosines, positions, 0);
    sines = e.gather(sines, positions, 0);
  }
  if (!e.expectRank(cosines, 3, "cos_cache") ||
      !e.expectRank(sines, 3, "sin_cache")) {
    return;
  }
  if (!fitAngles(e, value, cosines, sines, size)) {
    return;
  }
  Value rotated = builder.rotate(value, e.unsqueeze(cosines, 1),
                                 e.unsqueeze(sines, 1), interleaved);
  e.setResults(rank == 3 ? builder.joinHeads(rotated) : rotated);
}

ArrayRef<ExpansionEntry> onnx_import::getAttentionExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "Attention", expandAttention},
      {"", "RotaryEmbedding", expandRotaryEmbedding},
  };
  return kEntries;
}
