//===- Normalization.cpp - Expansions: normalisation ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisation by statistics of the input, of which IE has but the pieces.
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"
#include "Expander.h"
#include "Expansions.h"
#include "QuantizedMath.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

/// A normalised tensor and its statistics.
struct Normalized {
  Value value, mean, inverseDeviation;
};

} // namespace

/// `value` by its root mean square along `axes`, around its mean or 0.
static Normalized normalize(Expander &e, Value value, ArrayRef<int64_t> axes,
                            double epsilon, bool centers) {
  Normalized result;
  if (centers) {
    result.mean = e.reduce<IE::ReduceMeanOp>(value, axes);
    value = e.sub(value, result.mean);
  }
  Value variance = e.reduce<IE::ReduceMeanOp>(e.mul(value, value), axes);
  Value deviation = e.create<IE::SqrtOp>({e.add(variance, epsilon)});
  result.inverseDeviation = e.create<IE::ReciprocalOp>({deviation});
  result.value = e.div(value, deviation);
  return result;
}

/// The type in which statistics are computed.
static Type takeStash(Expander &e, Value value) {
  int64_t stash = e.takeInt("stash_type", 1);
  Type element = e.getElement(value);
  // 0 leaves the choice to the type of the input.
  if (stash != 1 || !element || element.isF64()) {
    return element;
  }
  return e.getF32();
}

/// The dimensions from `axis` on.
static SmallVector<int64_t> takeTrailingAxes(Expander &e, Value value) {
  int64_t rank = e.getRank(value);
  int64_t axis = e.normalizeAxis(e.takeInt("axis", -1), rank);
  return llvm::to_vector(llvm::seq<int64_t>(axis, rank));
}

/// IE.LayerNormalization with its three results; the bias may be null.
static SmallVector<Value> normalizeLayer(Expander &e, Value input, Value scale,
                                         Value bias, int64_t axis,
                                         double epsilon, int64_t stash = 1) {
  SmallVector<Value> operands = {input, scale};
  if (bias) {
    operands.push_back(bias);
  }
  return e.createAll<IE::LayerNormalizationOp>(
      operands, {e.attr("axis", axis), e.attr("epsilon", epsilon),
                 e.attr("stash_type", stash)});
}

/// ONNX Runtime's is ONNX's.
static void expandLayerNormalization(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value scale = e.getRequiredInput(1, "scale");
  int64_t axis = e.takeInt("axis", -1);
  double epsilon = e.takeFloat("epsilon", 1e-5);
  SmallVector<Value> results =
      normalizeLayer(e, input, scale, e.getInput(2), axis, epsilon,
                     e.takeInt("stash_type", 1));
  e.setResults(ArrayRef(results).take_front(3));
}

/// Normalisation over the trailing dimensions by the root mean square, scaled.
/// The result has the type of the scale.
static void expandRMSNormalization(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value scale = e.getRequiredInput(1, "scale");
  SmallVector<int64_t> axes = takeTrailingAxes(e, input);
  double epsilon = e.takeFloat("epsilon", 1e-5);
  Type stash = takeStash(e, input);
  Normalized result =
      normalize(e, e.cast(input, stash), axes, epsilon, /*centers=*/false);
  e.setResults({e.mul(e.cast(result.value, e.getElement(scale)), scale),
                result.inverseDeviation});
}

/// The sum of two tensors, which are the first inputs, and of a bias.
static Value addSkip(Expander &e, unsigned bias) {
  Value sum =
      e.add(e.getRequiredInput(0, "input"), e.getRequiredInput(1, "skip"));
  Value addend = e.getInput(bias);
  return addend ? e.add(sum, addend) : sum;
}

/// The sum, normalised over the last dimension.
static void expandSkipLayerNormalization(Expander &e) {
  Value sum = addSkip(e, 4);
  Value gamma = e.getRequiredInput(2, "gamma");
  SmallVector<Value> results = normalizeLayer(
      e, sum, gamma, e.getInput(3), /*axis=*/-1, e.takeFloat("epsilon", 1e-12));
  e.setResults({results[0], results[1], results[2], sum});
}

static void expandSkipSimplifiedLayerNormalization(Expander &e) {
  Value sum = addSkip(e, 3);
  Value gamma = e.getRequiredInput(2, "gamma");
  double epsilon = e.takeFloat("epsilon", 1e-12);
  Normalized result = normalize(e, e.cast(sum, e.getF32()), e.getRank(sum) - 1,
                                epsilon, /*centers=*/false);
  Value output = e.mul(e.cast(result.value, e.getElement(sum)), gamma);
  e.setResults({output, Value(), result.inverseDeviation, sum});
}

/// Embeddings of words, positions and segments, summed and normalised. The rows
/// of a table, which is an input, are what `read` makes of them.
static void expandEmbeddings(Expander &e, Value positionIds,
                             function_ref<Value(Value, unsigned)> read) {
  Value ids = e.getRequiredInput(0, "input_ids");
  Value segments = e.getInput(1);
  Value words = e.getRequiredInput(2, "word_embedding");
  Value positions = e.getRequiredInput(3, "position_embedding");
  Value gamma = e.getRequiredInput(5, "gamma");
  Value beta = e.getRequiredInput(6, "beta");
  double epsilon = e.takeFloat("epsilon", 1e-12);
  e.ignore({"mask_index_type"});
  if (!e.expectRank(ids, 2, "input_ids")) {
    return;
  }
  Value sum = read(e.gather(words, ids, 0), 2);
  if (positionIds) {
    sum = e.add(sum, read(e.gather(positions, positionIds, 0), 3));
  } else {
    Value length = e.create<IE::ShapeOp>(
        {ids}, {e.attr("start", int64_t(1)), e.attr("end", int64_t(2))});
    Value zero = e.buildInts(0);
    Value rows =
        e.create<IE::SliceOp>({positions, zero, length, zero, Value()});
    sum = e.add(sum, read(rows, 3));
  }
  if (segments) {
    Value table = e.getRequiredInput(4, "segment_embedding");
    sum = e.add(sum, read(e.gather(table, segments, 0), 4));
  }
  Value output = normalizeLayer(e, sum, read(gamma, 5), read(beta, 6),
                                /*axis=*/-1, epsilon)
                     .front();
  Value count;
  if (e.getNumOutputs() > 1) {
    // How many of the elements the mask keeps.
    Value mask = e.getInput(7);
    Type i32 = e.getInt(32);
    count = mask
                ? e.reduce<IE::ReduceSumOp>(e.cast(mask, i32), 1, false)
                : e.reduce<IE::ReduceSumOp>(
                      e.mul(e.cast(ids, i32), e.buildScalar(0, i32)), 1, false);
  }
  e.setResults({output, count, sum});
}

static void expandEmbedLayerNormalization(Expander &e) {
  expandEmbeddings(e, e.getInput(8), [](Value rows, unsigned) { return rows; });
}

/// Each table of input `i` from 2 on has its scale and its zero point at `i` +
/// 6 and `i` + 11, between which the mask's place is left out.
static void expandQEmbedLayerNormalization(Expander &e) {
  expandEmbeddings(e, Value(), [&](Value rows, unsigned i) {
    unsigned scale = i + 6, zeroPoint = i + 11;
    return dequantize(e, rows, e.getRequiredInput(scale, "a table's scale"),
                      e.getRequiredInput(zeroPoint, "a table's zero point"));
  });
}

/// `value`, whose number of elements is compared at run time with `count`, or,
/// if that is dynamic, with the channels of `input`.
static Value requireParameters(Expander &e, Value value, Value input,
                               int64_t count) {
  AttentionBuilder sizes(e);
  Value expected = ShapedType::isDynamic(count) ? sizes.buildSize(input, 1)
                                                : e.buildInts(count);
  return e.create<IE::RequireOp>(
      {value, e.create<IE::EqualOp>({sizes.buildSize(value, 0), expected})},
      {e.attr("message", "expected an element of scale and bias for each "
                         "channel, or for each group before operator set "
                         "21")});
}

/// Before 21, GroupNormalization had a scale and a bias for each group, since
/// then for each channel.
static void expandGroupNormalization(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value scale = e.getRequiredInput(1, "scale");
  Value bias = e.getRequiredInput(2, "bias");
  int64_t groups = e.takeRequiredInt("num_groups");
  double epsilon = e.takeFloat("epsilon", 1e-5);
  int64_t rank = e.getRank(input);
  Type element = e.getElement(input);
  Type stash = takeStash(e, input);
  if (!e.hasFailed() && rank < 2) {
    return e.fail("expected an input (N, C, spatial...)");
  }
  if (e.hasFailed()) {
    return;
  }
  int64_t channels = e.getDim(input, 1);
  bool isKnown = !ShapedType::isDynamic(channels);
  if (groups < 1 || (isKnown && channels % groups != 0)) {
    return e.fail("expected a number of groups that divides " +
                  (isKnown ? Twine(channels) + " channels" : "the channels") +
                  ", found " + Twine(groups));
  }
  bool isPerGroup = e.getVersion() < 21;
  int64_t parameters = isPerGroup ? groups : channels;
  for (Value *value : {&scale, &bias}) {
    if (!e.expectRank(*value, 1, "scale")) {
      return;
    }
    int64_t count = e.getDim(*value, 0);
    if (ShapedType::isDynamic(count) || ShapedType::isDynamic(parameters)) {
      *value = requireParameters(e, *value, input, parameters);
    } else if (count != parameters) {
      return e.fail("expected " + Twine(parameters) +
                    " elements of scale and bias, found " + Twine(count));
    }
  }
  Value grouped = e.reshape(e.cast(input, stash), {0, groups, -1});
  Value value = normalize(e, grouped, 2, epsilon, /*centers=*/true).value;
  value = e.cast(value, element);
  SmallVector<int64_t> shape(isPerGroup ? 2 : rank - 1, 1);
  shape.front() = ShapedType::isDynamic(parameters) ? -1 : parameters;
  auto apply = [&] {
    value =
        e.add(e.mul(value, e.reshape(scale, shape)), e.reshape(bias, shape));
  };
  if (isPerGroup) {
    apply();
  }
  value = e.reshapeLike(value, input);
  if (!isPerGroup) {
    apply();
  }
  e.setResults(value);
}

/// ONNX Runtime's: channels last, and an activation after it.
static void expandGroupNorm(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  Value gamma = e.getRequiredInput(1, "gamma");
  Value beta = e.getRequiredInput(2, "beta");
  int64_t groups = e.takeRequiredInt("groups");
  int64_t activation = e.takeRequiredInt("activation");
  double epsilon = e.takeFloat("epsilon", 1e-5);
  if (e.takeInt("channels_last", 1) == 0) {
    return e.reject("channels in front; GroupNormalization is what has those");
  }
  if (!e.expectRank(input, 4, "X")) {
    return;
  }
  int64_t channels = e.getStaticDim(input, 3, "X");
  if (groups < 1 || channels % groups != 0) {
    return e.fail("expected a number of groups that divides " +
                  Twine(channels) + " channels, found " + Twine(groups));
  }
  Type element = e.getElement(input);
  Value grouped =
      e.reshape(e.cast(input, e.getF32()), {0, -1, groups, channels / groups});
  Value value = normalize(e, grouped, {1, 3}, epsilon, true).value;
  value = e.reshapeLike(value, input);
  value =
      e.add(e.mul(value, e.cast(gamma, e.getF32())), e.cast(beta, e.getF32()));
  if (activation == 1) {
    value = e.mul(value, e.create<IE::SigmoidOp>({value}));
  } else if (activation != 0) {
    return e.fail("expected 'activation' to be 0 or 1, found " +
                  Twine(activation));
  }
  e.setResults(e.cast(value, element));
}

/// ONNX defines it by a function that takes its input for f32.
static void expandMeanVarianceNormalization(Expander &e) {
  Value input = e.getRequiredInput(0, "X");
  int64_t rank = e.getRank(input);
  SmallVector<int64_t> axes = e.takeInts("axes");
  if (axes.empty()) {
    axes = {0, 2, 3};
  }
  for (int64_t &axis : axes) {
    axis = e.normalizeAxis(axis, rank);
  }
  Type element = e.getElement(input);
  bool isDouble = element && element.isF64();
  Value value = e.cast(input, isDouble ? element : e.getF32());
  value = e.sub(value, e.reduce<IE::ReduceMeanOp>(value, axes));
  Value variance = e.reduce<IE::ReduceMeanOp>(e.mul(value, value), axes);
  Value deviation = e.add(e.create<IE::SqrtOp>({variance}), 1e-9);
  e.setResults(e.cast(e.div(value, deviation), element));
}

static void expandLpNormalization(Expander &e) {
  Value input = e.getRequiredInput(0, "input");
  int64_t axis = e.normalizeAxis(e.takeInt("axis", -1), e.getRank(input));
  int64_t p = e.takeInt("p", 2);
  if (p != 1 && p != 2) {
    return e.fail("expected 'p' to be 1 or 2, found " + Twine(p));
  }
  Value norm = p == 1 ? e.reduce<IE::ReduceL1Op>(input, axis)
                      : e.reduce<IE::ReduceL2Op>(input, axis);
  // Where all elements are zero, so they stay.
  Value zero = e.buildScalar(0, e.getElement(input));
  Value one = e.buildScalar(1, e.getElement(input));
  Value isZero = e.create<IE::EqualOp>({norm, zero});
  e.setResults(e.div(input, e.where(isZero, one, norm)));
}

ArrayRef<ExpansionEntry> onnx_import::getNormalizationExpansions() {
  static constexpr ExpansionEntry kEntries[] = {
      {"", "GroupNormalization", expandGroupNormalization},
      {"", "LpNormalization", expandLpNormalization},
      {"", "MeanVarianceNormalization", expandMeanVarianceNormalization},
      {"", "RMSNormalization", expandRMSNormalization},
      {"", "SimplifiedLayerNormalization", expandRMSNormalization},
      {"com.microsoft", "EmbedLayerNormalization",
       expandEmbedLayerNormalization},
      {"com.microsoft", "GroupNorm", expandGroupNorm},
      {"com.microsoft", "LayerNormalization", expandLayerNormalization},
      {"com.microsoft", "QEmbedLayerNormalization",
       expandQEmbedLayerNormalization},
      {"com.microsoft", "SimplifiedLayerNormalization", expandRMSNormalization},
      {"com.microsoft", "SkipLayerNormalization", expandSkipLayerNormalization},
      {"com.microsoft", "SkipSimplifiedLayerNormalization",
       expandSkipSimplifiedLayerNormalization},
  };
  return kEntries;
}
