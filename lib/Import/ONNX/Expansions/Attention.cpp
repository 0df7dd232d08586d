//===- Attention.cpp - Expansions: ONNX's attention -----------------------===//
//
// Attention and rotary embeddings as ONNX has them since operator set 23.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"

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
    double size = static_cast<double>(e.getStaticDim(query, 3, "Q"));
    AttentionBuilder::Options options;
    options.scale = e.takeFloat("scale", 1 / std::sqrt(size));
    options.softcap = e.takeFloat("softcap", 0);
    options.softmaxType = e.takeType("softmax_precision");
    options.scoresMode = e.takeInt("qk_matmul_output_mode", 0);
    if (options.scoresMode < 0 || options.scoresMode > 3) {
      return e.fail("expected 'qk_matmul_output_mode' in [0, 3], found " +
                    Twine(options.scoresMode));
    }
    options.bias = buildBias(query, key, past);
    AttentionBuilder::Result result =
        builder.attend(query, key, value, options);
    Value output = rank == 3 ? builder.joinHeads(result.output) : result.output;
    e.setResults({output, key, value, result.scores});
  }

private:
  static constexpr double kMasked = -INFINITY;

  /// What the mask, causality and the lengths of the sequences add to scores.
  Value buildBias(Value query, Value key, Value past) {
    bool isCausal = e.takeInt("is_causal", 0) != 0;
    Value given = e.getInput(3), lengths = e.getInput(6);
    Type element = e.getElement(query);
    if (given) {
      given = builder.fitScores(padMask(given, key), query, key);
    }
    bool isMask = given && e.getElement(given).isInteger(1);
    Value mask = isMask ? given : Value();
    if (isCausal) {
      Value offset = e.buildInts(0);
      if (past) {
        offset = builder.buildSize(past, 2);
      } else if (lengths) {
        offset = e.sub(e.reshape(lengths, {-1, 1, 1, 1}),
                       builder.buildSize(query, 2));
      }
      mask =
          builder.joinMasks(mask, builder.buildCausalMask(query, key, offset));
    }
    if (lengths) {
      mask = builder.joinMasks(mask, builder.buildLengthMask(key, lengths));
    }
    Value bias = mask ? builder.buildBias(mask, kMasked, element) : Value();
    return builder.joinBiases(bias, isMask ? Value() : given);
  }

  /// A mask may be shorter than the keys, which it then hides.
  Value padMask(Value mask, Value key) {
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
};

} // namespace

static void expandAttention(Expander &e) { AttentionExpansion(e).run(); }

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
  int64_t half = e.getStaticDim(cosines, 2, "cos_cache");
  int64_t expected = size == 0 ? e.getStaticDim(value, 3, "X") : size;
  if (!e.hasFailed() && 2 * half != expected) {
    return e.fail("expected angles for " + Twine(expected / 2) +
                  " pairs of elements, found " + Twine(half));
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
