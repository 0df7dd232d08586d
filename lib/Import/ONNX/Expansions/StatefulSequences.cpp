//===- StatefulSequences.cpp - Expansions: sequences with a state ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that go along a sequence and hand on what the next part of it needs
// to know: LinearAttention and CausalConvWithState.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expander.h"
#include "Expansions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

/// `past`, whose shape has to be `shape`, where `sizes` has the dynamic ones.
static Value fitState(Expander &e, Value past, ArrayRef<int64_t> shape,
                      Value sizes) {
  auto rank = static_cast<int64_t>(shape.size());
  if (!e.expectRank(past, rank, "past_state")) {
    return {};
  }
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dim = e.getDim(past, i);
    if (!ShapedType::isDynamic(dim) && !ShapedType::isDynamic(shape[i]) &&
        dim != shape[i]) {
      e.fail("expected 'past_state' of size " + Twine(shape[i]) +
             " in dimension " + Twine(i) + ", found " + Twine(dim));
      return {};
    }
  }
  if (e.getType(past).getShape() == shape && e.getType(past).hasStaticShape()) {
    return past;
  }
  Type i32 = e.getInt(32);
  Value areEqual =
      e.create<IE::EqualOp>({e.create<IE::ShapeOp>({past}), sizes});
  Value fits =
      e.cast(e.reduce<IE::ReduceMinOp>(e.cast(areEqual, i32), 0), e.getInt(1));
  past = e.create<IE::RequireOp>(
      {past, fits},
      {e.attr("message", "expected a 'past_state' of the shape that the other "
                         "inputs give it")});
  Value result = e.create<IE::ReshapeOp>({past, sizes});
  if (result) {
    // Inference does not see through the sizes.
    result.setType(e.getType(past).clone(shape));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// LinearAttention
//===----------------------------------------------------------------------===//

namespace {

/// A state (batch, heads, key size, value size) that each position of the
/// sequence lets decay, corrects, adds its key times its value to, and reads.
class LinearAttentionExpansion {
public:
  explicit LinearAttentionExpansion(Expander &e) : e(e), builder(e) {}

  void run() {
    query = e.getRequiredInput(0, "query");
    Value key = e.getRequiredInput(1, "key");
    Value value = e.getRequiredInput(2, "value");
    heads = e.takeRequiredInt("q_num_heads");
    keyHeads = e.takeRequiredInt("kv_num_heads");
    // How long a part of the sequence others compute at once.
    e.ignore({"chunk_size"});
    if (!takeRule() || !e.expectRank(query, 3, "query") ||
        !e.expectRank(key, 3, "key") || !e.expectRank(value, 3, "value")) {
      return;
    }
    if (heads < 1 || keyHeads < 1 || heads % keyHeads != 0) {
      return e.fail("expected a positive 'q_num_heads' that is a multiple of "
                    "'kv_num_heads', found " +
                    Twine(heads) + " and " + Twine(keyHeads));
    }
    keySize = getHeadSize(query, heads, "query");
    valueSize = getHeadSize(value, keyHeads, "value");
    int64_t size = getHeadSize(key, keyHeads, "key");
    bool areKnown =
        !ShapedType::isDynamic(size) && !ShapedType::isDynamic(keySize);
    if (!e.hasFailed() && areKnown && size != keySize) {
      return e.fail(
          "expected heads of equal sizes in 'query' and 'key', found " +
          Twine(keySize) + " and " + Twine(size));
    }
    Value initial = buildState(value);
    // Along the sequence, each with two dimensions behind the heads.
    int64_t group = heads / keyHeads;
    SmallVector<Value> inputs = {
        lead(scale(e.cast(query, e.getF32())), {keyHeads, group, -1}),
        lead(key, {keyHeads, 1, -1}), lead(value, {keyHeads, 1, -1})};
    if (decays) {
      inputs.push_back(e.create<IE::ExpOp>({buildDecay()}));
    }
    if (corrects) {
      inputs.push_back(buildRate());
    }
    auto [state, output] =
        e.scan(initial, inputs, [&](Value before, ValueRange parts) {
          return step(before, parts);
        });
    output = e.transpose(output, {1, 0, 2, 3, 4});
    output = e.reshape(
        output,
        {0, 0, ShapedType::isDynamic(valueSize) ? -1 : heads * valueSize});
    Value past = e.getInput(3);
    e.setResults({e.cast(output, e.getElement(query)),
                  e.cast(state, e.getElement(past ? past : query))});
  }

private:
  bool takeRule() {
    std::string rule = e.takeString("update_rule", "gated_delta");
    if (!llvm::is_contained({"linear", "gated", "delta", "gated_delta"},
                            rule)) {
      e.fail("expected 'update_rule' to be linear, gated, delta or "
             "gated_delta, found '" +
             rule + "'");
    }
    decays = StringRef(rule).starts_with("gated");
    corrects = StringRef(rule).ends_with("delta");
    auto check = [&](unsigned i, StringRef name, bool isWanted) {
      if ((e.getInput(i) != nullptr) != isWanted) {
        e.fail("expected " + Twine(isWanted ? "an" : "no") + " input '" + name +
               "' for the rule " + rule);
      }
    };
    check(4, "decay", decays);
    check(5, "beta", corrects);
    return !e.hasFailed();
  }

  int64_t getHeadSize(Value packed, int64_t count, StringRef name) {
    int64_t size = e.getDim(packed, 2);
    if (ShapedType::isDynamic(size)) {
      return size;
    }
    if (size % count != 0) {
      e.fail("expected a last dimension of '" + name + "' that " +
             Twine(count) + " heads divide, found " + Twine(size));
    }
    return size / count;
  }

  /// (batch, sequence, …) with the last dimension split, the sequence in front.
  Value lead(Value packed, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> split = {0, 0};
    llvm::append_range(split, shape);
    return e.transpose(e.reshape(e.cast(packed, e.getF32()), split),
                       {1, 0, 2, 3, 4});
  }

  Value divideSize(Value packed, int64_t count) {
    return e.div(builder.buildSize(packed, 2), e.buildInts(count));
  }

  Value scale(Value value) {
    double factor = e.takeFloat("scale", 0);
    if (factor != 0) {
      return e.mul(value, factor);
    }
    if (!ShapedType::isDynamic(keySize)) {
      return e.mul(value, 1 / std::sqrt(static_cast<double>(keySize)));
    }
    Value size = e.cast(divideSize(value, heads), e.getF32());
    return e.div(value, e.create<IE::SqrtOp>({size}));
  }

  Value buildState(Value value) {
    SmallVector<int64_t> shape = {e.getDim(query, 0), keyHeads, keySize,
                                  valueSize};
    Value sizes =
        e.concat({builder.buildSize(query, 0), e.buildInts(keyHeads),
                  divideSize(query, heads), divideSize(value, keyHeads)},
                 0);
    if (Value past = e.getInput(3)) {
      return e.cast(fitState(e, past, shape, sizes), e.getF32());
    }
    if (!llvm::any_of(shape, ShapedType::isDynamic)) {
      sizes = e.buildInts(shape);
    }
    Value zeros = e.create<IE::ExpandOp>({e.buildScalar(0, e.getF32()), sizes});
    if (zeros) {
      // Inference does not see through the sizes.
      zeros.setType(RankedTensorType::get(shape, e.getF32()));
    }
    return zeros;
  }

  /// One for each head, or for each element of its keys.
  Value buildDecay() {
    Value decay = e.getInput(4);
    if (!e.expectRank(decay, 3, "decay")) {
      return {};
    }
    int64_t size = e.getDim(decay, 2);
    bool isKnown =
        !ShapedType::isDynamic(size) && !ShapedType::isDynamic(keySize);
    if (isKnown && size != keyHeads && size != keyHeads * keySize) {
      e.fail("expected " + Twine(keyHeads) + " or " +
             Twine(keyHeads * keySize) + " elements in 'decay', found " +
             Twine(size));
    }
    return lead(decay, {keyHeads, -1, 1});
  }

  /// One for each head, or for all.
  Value buildRate() {
    Value rate = e.getInput(5);
    if (!e.expectRank(rate, 3, "beta")) {
      return {};
    }
    int64_t size = e.getDim(rate, 2);
    if (!ShapedType::isDynamic(size) && size != keyHeads && size != 1) {
      e.fail("expected " + Twine(keyHeads) +
             " elements or one in 'beta', found " + Twine(size));
    }
    if (keyHeads == 1) {
      size = 1;
    }
    return lead(rate, {ShapedType::isDynamic(size) ? -1 : size, 1, 1});
  }

  /// The state after a position, and what its queries read.
  std::pair<Value, Value> step(Value state, ValueRange parts) {
    Value key = parts[1], value = parts[2];
    if (decays) {
      state = e.mul(state, parts[3]);
    }
    if (corrects) {
      value = e.mul(parts.back(), e.sub(value, e.matmul(key, state)));
    }
    state = e.add(state, e.mul(e.transpose(key, {0, 1, 3, 2}), value));
    return {state, e.matmul(parts[0], state)};
  }

  Expander &e;
  AttentionBuilder builder;
  Value query;
  int64_t heads = 1, keyHeads = 1, keySize = 1, valueSize = 1;
  bool decays = false, corrects = false;
};

} // namespace

static void expandLinearAttention(Expander &e) {
  LinearAttentionExpansion(e).run();
}

//===----------------------------------------------------------------------===//
// CausalConvWithState
//===----------------------------------------------------------------------===//

/// Each channel convolved by a kernel of its own that ends at the position; the
/// state are the last elements, which the next kernels reach back to.
static void expandCausalConv(Expander &e) {
  Value input = e.getRequiredInput(0, "input");
  Value weight = e.getRequiredInput(1, "weight");
  std::string activation = e.takeString("activation", "none");
  if (!llvm::is_contained({"none", "silu", "swish"}, activation)) {
    return e.fail("expected 'activation' to be none, silu or swish, found '" +
                  activation + "'");
  }
  if (!e.expectRank(input, 3, "input") || !e.expectRank(weight, 3, "weight")) {
    return;
  }
  int64_t channels = e.getStaticDim(weight, 0, "weight");
  int64_t size = e.getStaticDim(weight, 2, "weight");
  int64_t found = e.getDim(input, 1);
  if (e.hasFailed()) {
    return;
  }
  if (size < 1 || (e.getDim(weight, 1) != 1 &&
                   !ShapedType::isDynamic(e.getDim(weight, 1)))) {
    return e.fail("expected a 'weight' (channels, 1, size)");
  }
  if (!ShapedType::isDynamic(found) && found != channels) {
    return e.fail("expected 'weight' for " + Twine(found) +
                  " channels, found " + Twine(channels));
  }
  Value padded;
  if (Value past = e.getInput(3)) {
    Value sizes = e.concat({AttentionBuilder(e).buildSize(input, 0),
                            e.buildInts({channels, size - 1})},
                           0);
    past = fitState(e, past, {e.getDim(input, 0), channels, size - 1}, sizes);
    padded = e.concat({past, input}, 2);
  } else {
    padded = e.create<IE::PadOp>(
        {input, e.buildInts({0, 0, size - 1, 0, 0, 0}), Value(), Value()});
  }
  SmallVector<Value> operands = {padded, weight};
  if (Value bias = e.getInput(2)) {
    operands.push_back(bias);
  }
  Value output = e.create<IE::ConvOp>(operands, {e.attr("group", channels)});
  if (activation != "none") {
    Type element = e.getElement(input);
    Value wide =
        e.cast(output, element && element.isF64() ? element : e.getF32());
    output = e.cast(e.mul(wide, e.create<IE::SigmoidOp>({wide})), element);
  }
  // All that is left of nothing, where kernels do not reach back.
  Value state = size == 1 ? e.slice(padded, 2, 0, 0)
                          : e.slice(padded, 2, 1 - size, INT64_MAX);
  e.setResults({output, state});
}

ArrayRef<ExpansionEntry> onnx_import::getStatefulSequenceExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "CausalConvWithState", expandCausalConv},
      {"", "LinearAttention", expandLinearAttention},
  };
  return kEntries;
}
