//===- DecomposeRecurrent.cpp - Recurrent layers as scans -----------------===//
//
// What does not depend on the state is one matrix product over the whole
// sequence; the rest is a scan over its rows.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Recurrent.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

/// An activation function with its parameters.
struct Activation {
  std::string name; // in lower case
  float alpha;
  float beta;
};

/// What the layers have in common.
struct Layer {
  Value x, w, r, b, lengths, initialH;
  bool batchFirst;
  StringRef direction;
  std::optional<float> clip;
  /// Of all directions, in order.
  SmallVector<Activation> activations;

  int64_t hidden;

  int64_t getHidden() const { return hidden; }
};

/// One direction of a layer, each of its tensors without the dimension D.
struct Direction {
  int64_t number;
  bool reversed;
  ArrayRef<Activation> activations;
  Value projected; // x by w, plus biases that do not depend on the state
  Value r;         // (H, gates H)
  Value b;         // (2 gates H), or null
  SmallVector<Value> initial;
};

class RecurrentBuilder {
public:
  RecurrentBuilder(OpBuilder &builder, Location loc, const Layer &layer)
      : builder(builder), loc(loc), layer(layer),
        elementType(getElementTypeOrSelf(layer.x)) {}

  /// The next states from a row of the projection and the states.
  using Step = llvm::function_ref<SmallVector<Value>(const Direction &, Value,
                                                     ValueRange)>;

  /// Y and the last states. `numBiases` of the recurrent biases' gates are
  /// added to the projection; `initial` holds null for states of zeros.
  SmallVector<Value> build(unsigned numGates, unsigned numBiases,
                           ValueRange initial, unsigned numActivations,
                           Step step);

  Value apply(const Activation &activation, Value value);
  Value add(Value a, Value b) { return IE::AddOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return IE::MulOp::create(builder, loc, a, b); }
  /// 1 - value
  Value complement(Value value) {
    return IE::SubOp::create(builder, loc, buildScalar(1), value);
  }
  Value multiply(Value a, Value b) {
    return IE::MatMulOp::create(builder, loc, a, b);
  }
  /// `count` equal parts along the last dimension.
  SmallVector<Value> split(Value value, unsigned count);
  /// Elements [first, last) of the last dimension.
  Value slice(Value value, int64_t first, int64_t last);
  /// Element `number` of the first dimension, which goes.
  Value select(Value value, int64_t number);

private:
  Value buildScalar(double value);
  Value buildShape(Value value);
  Value unsqueeze(Value value, int64_t axis);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value concat(ValueRange values, int64_t axis);
  Value limit(Value value);
  /// Zeros of shape (B, H).
  Value buildZeroState(Value x);
  SmallVector<Value> buildScan(const Direction &direction, Step step);

  OpBuilder &builder;
  Location loc;
  const Layer &layer;
  Type elementType;
};

} // namespace

Value RecurrentBuilder::buildScalar(double value) {
  auto type = RankedTensorType::get({}, elementType);
  return IE::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getFloatAttr(elementType, value)));
}

SmallVector<Value> RecurrentBuilder::split(Value value, unsigned count) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t axis = type.getRank() - 1;
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] /= count;
  SmallVector<Type> types(count, type.clone(shape));
  auto op = IE::SplitOp::create(
      builder, loc, types, value,
      IE::buildInts(builder, loc, SmallVector<int64_t>(count, shape[axis])),
      builder.getI64IntegerAttr(axis), IntegerAttr());
  return SmallVector<Value>(op.getOutputs());
}

Value RecurrentBuilder::slice(Value value, int64_t first, int64_t last) {
  int64_t axis = cast<RankedTensorType>(value.getType()).getRank() - 1;
  return IE::SliceOp::create(builder, loc, value,
                             IE::buildInts(builder, loc, first),
                             IE::buildInts(builder, loc, last),
                             IE::buildInts(builder, loc, axis), Value());
}

Value RecurrentBuilder::select(Value value, int64_t number) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  Value index = IE::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(type, number));
  return IE::GatherOp::create(builder, loc, value, index,
                              builder.getI64IntegerAttr(0));
}

Value RecurrentBuilder::buildShape(Value value) {
  return IE::ShapeOp::create(builder, loc, value, builder.getI64IntegerAttr(0),
                             IntegerAttr());
}

Value RecurrentBuilder::unsqueeze(Value value, int64_t axis) {
  return IE::UnsqueezeOp::create(builder, loc, value,
                                 IE::buildInts(builder, loc, axis));
}

Value RecurrentBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  return IE::TransposeOp::create(builder, loc, value,
                                 builder.getDenseI64ArrayAttr(permutation));
}

Value RecurrentBuilder::concat(ValueRange values, int64_t axis) {
  if (values.size() == 1) {
    return values.front();
  }
  return IE::ConcatOp::create(builder, loc, values,
                              builder.getI64IntegerAttr(axis));
}

Value RecurrentBuilder::limit(Value value) {
  if (!layer.clip) {
    return value;
  }
  return IE::ClipOp::create(builder, loc, value, buildScalar(-*layer.clip),
                            buildScalar(*layer.clip));
}

Value RecurrentBuilder::apply(const Activation &activation, Value value) {
  value = limit(value);
  auto alpha = builder.getF32FloatAttr(activation.alpha);
  auto beta = builder.getF32FloatAttr(activation.beta);
  StringRef name = activation.name;
  if (name == "sigmoid") {
    return IE::SigmoidOp::create(builder, loc, value);
  }
  if (name == "tanh") {
    return IE::TanhOp::create(builder, loc, value);
  }
  if (name == "relu") {
    return IE::ReluOp::create(builder, loc, value);
  }
  if (name == "leakyrelu") {
    return IE::LeakyReluOp::create(builder, loc, value, alpha);
  }
  if (name == "thresholdedrelu") {
    return IE::ThresholdedReluOp::create(builder, loc, value, alpha);
  }
  if (name == "elu") {
    return IE::EluOp::create(builder, loc, value, alpha);
  }
  if (name == "hardsigmoid") {
    return IE::HardSigmoidOp::create(builder, loc, value, alpha, beta);
  }
  if (name == "softsign") {
    return IE::SoftsignOp::create(builder, loc, value);
  }
  if (name == "softplus") {
    return IE::SoftplusOp::create(builder, loc, value);
  }
  if (name == "affine") {
    return add(mul(buildScalar(activation.alpha), value),
               buildScalar(activation.beta));
  }
  assert(name == "scaledtanh" && "the verifier knows the functions");
  Value inner = mul(buildScalar(activation.beta), value);
  return mul(buildScalar(activation.alpha),
             IE::TanhOp::create(builder, loc, inner));
}

Value RecurrentBuilder::buildZeroState(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t batch = type.getDimSize(1), hidden = layer.getHidden();
  if (!ShapedType::isDynamic(batch)) {
    auto zeros = RankedTensorType::get({batch, hidden}, elementType);
    return IE::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(zeros, builder.getFloatAttr(elementType, 0)));
  }
  Value shape = buildShape(x);
  Value sizes[] = {
      IE::SliceOp::create(builder, loc, shape, IE::buildInts(builder, loc, 1),
                          IE::buildInts(builder, loc, 2), Value(), Value()),
      IE::buildInts(builder, loc, hidden)};
  return IE::ExpandOp::create(builder, loc, buildScalar(0), concat(sizes, 0));
}

SmallVector<Value> RecurrentBuilder::buildScan(const Direction &direction,
                                               Step step) {
  size_t numStates = direction.initial.size();
  SmallVector<Value> operands(direction.initial);
  operands.push_back(direction.projected);
  auto sequence = cast<RankedTensorType>(direction.projected.getType());
  SmallVector<Type> arguments(ValueRange(direction.initial).getTypes());
  arguments.push_back(sequence.clone(sequence.getShape().drop_front()));
  if (layer.lengths) {
    // Each row's number, to compare with the lengths.
    auto number = RankedTensorType::get({}, builder.getI32Type());
    auto buildNumber = [&](int32_t value) -> Value {
      return IE::ConstantOp::create(builder, loc,
                                    DenseElementsAttr::get(number, value));
    };
    Value length = IE::CastOp::create(
        builder, loc, select(buildShape(direction.projected), 0),
        TypeAttr::get(builder.getI32Type()));
    auto numbers =
        RankedTensorType::get({sequence.getDimSize(0)}, builder.getI32Type());
    operands.push_back(IE::RangeOp::create(builder, loc, TypeRange(numbers),
                                           buildNumber(0), length,
                                           buildNumber(1))
                           ->getResult(0));
    arguments.push_back(number);
  }
  SmallVector<int64_t> directions(operands.size() - numStates,
                                  direction.reversed ? 1 : 0);
  SmallVector<Type> types(arguments.begin(), arguments.begin() + numStates);
  auto state = cast<RankedTensorType>(types.front());
  SmallVector<int64_t> all = {sequence.getDimSize(0)};
  llvm::append_range(all, state.getShape());
  types.push_back(state.clone(all));
  auto scan = IE::ScanOp::create(
      builder, loc, types, operands,
      builder.getI64IntegerAttr(operands.size() - numStates),
      /*scan_input_axes=*/{}, builder.getDenseI64ArrayAttr(directions),
      /*scan_output_axes=*/{},
      builder.getDenseI64ArrayAttr(direction.reversed ? 1 : 0));

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(arguments.size(), loc);
  Block *body = builder.createBlock(&scan.getBody(), {}, arguments, locs);
  ValueRange states = body->getArguments().take_front(numStates);
  SmallVector<Value> next =
      step(direction, body->getArgument(numStates), states);
  Value output = next.front();
  if (layer.lengths) {
    Value isWithin = IE::LessOp::create(
        builder, loc, body->getArgument(numStates + 1), layer.lengths);
    isWithin = unsqueeze(isWithin, 1);
    for (auto [value, previous] : llvm::zip_equal(next, states)) {
      value = IE::WhereOp::create(builder, loc, isWithin, value, previous);
    }
    output =
        IE::WhereOp::create(builder, loc, isWithin, output, buildScalar(0));
  }
  next.push_back(output);
  IE::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(scan.getOutputs());
}

SmallVector<Value> RecurrentBuilder::build(unsigned numGates,
                                           unsigned numBiases,
                                           ValueRange initial,
                                           unsigned numActivations, Step step) {
  Value x = layer.batchFirst ? transpose(layer.x, {1, 0, 2}) : layer.x;
  int64_t hidden = layer.getHidden();
  int64_t count = layer.direction == "bidirectional" ? 2 : 1;
  // Per state, and for Y in front, the directions' parts.
  SmallVector<SmallVector<Value>> parts(initial.size() + 1);
  for (int64_t d = 0; d < count; ++d) {
    Direction direction;
    direction.number = d;
    direction.reversed = d == 1 || layer.direction == "reverse";
    direction.activations =
        ArrayRef(layer.activations).slice(d * numActivations, numActivations);
    direction.projected = multiply(x, transpose(select(layer.w, d), {1, 0}));
    direction.r = transpose(select(layer.r, d), {1, 0});
    if (layer.b) {
      direction.b = select(layer.b, d);
      auto gates = static_cast<int64_t>(numGates) * hidden;
      auto biased = static_cast<int64_t>(numBiases) * hidden;
      Value bias = slice(direction.b, 0, gates);
      Value recurrent = slice(direction.b, gates, gates + biased);
      if (numBiases < numGates) {
        Value zeros = IE::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(
                RankedTensorType::get({gates - biased}, elementType),
                builder.getFloatAttr(elementType, 0)));
        recurrent = concat({recurrent, zeros}, 0);
      }
      direction.projected = add(direction.projected, add(bias, recurrent));
    }
    for (Value state : initial) {
      if (!state) {
        direction.initial.push_back(buildZeroState(x));
        continue;
      }
      state = layer.batchFirst ? transpose(state, {1, 0, 2}) : state;
      direction.initial.push_back(select(state, d));
    }
    SmallVector<Value> results = buildScan(direction, step);
    parts[0].push_back(unsqueeze(results.back(), 1));
    for (size_t i = 0; i < initial.size(); ++i) {
      parts[i + 1].push_back(unsqueeze(results[i], layer.batchFirst ? 1 : 0));
    }
  }
  SmallVector<Value> results;
  for (auto [i, values] : llvm::enumerate(parts)) {
    results.push_back(concat(values, i == 0 || layer.batchFirst ? 1 : 0));
  }
  if (layer.batchFirst) {
    results[0] = transpose(results[0], {2, 0, 1, 3});
  }
  return results;
}

/// The functions of all directions: their defaults, and the parameters that
/// the lists give, one after the other, to the functions that take them.
static SmallVector<Activation>
getActivations(std::optional<ArrayAttr> names, ArrayRef<StringRef> defaults,
               int64_t directions, std::optional<ArrayRef<float>> alphas,
               std::optional<ArrayRef<float>> betas) {
  SmallVector<Activation> result;
  for (int64_t d = 0; d < directions; ++d) {
    for (auto [i, name] : llvm::enumerate(defaults)) {
      size_t position = d * defaults.size() + i;
      StringRef chosen =
          names ? cast<StringAttr>((*names)[position]).getValue() : name;
      result.push_back({chosen.lower(), 0, 0});
    }
  }
  ArrayRef<float> nextAlpha = alphas.value_or(ArrayRef<float>());
  ArrayRef<float> nextBeta = betas.value_or(ArrayRef<float>());
  auto take = [](ArrayRef<float> &list, float value) {
    if (list.empty()) {
      return value;
    }
    value = list.front();
    list = list.drop_front();
    return value;
  };
  for (Activation &activation : result) {
    StringRef name = activation.name;
    if (name == "leakyrelu") {
      activation.alpha = take(nextAlpha, 0.01f);
    } else if (name == "thresholdedrelu" || name == "elu") {
      activation.alpha = take(nextAlpha, 1);
    } else if (name == "hardsigmoid") {
      activation.alpha = take(nextAlpha, 0.2f);
      activation.beta = take(nextBeta, 0.5f);
    } else if (name == "affine" || name == "scaledtanh") {
      activation.alpha = take(nextAlpha, 1);
      activation.beta = take(nextBeta, name == "affine" ? 0 : 1);
    }
  }
  return result;
}

/// The number of states; dynamic where neither the weights nor the attribute
/// say it.
template <typename OpT> static int64_t getHidden(OpT op) {
  int64_t size = cast<RankedTensorType>(op.getR().getType()).getDimSize(2);
  return ShapedType::isDynamic(size) && op.getHiddenSize()
             ? static_cast<int64_t>(*op.getHiddenSize())
             : size;
}

/// `value` with what is known of its shape.
static Value refineShape(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<int64_t> known) {
  if (!value) {
    return value;
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, other] : llvm::zip_equal(shape, known)) {
    size = ShapedType::isDynamic(size) ? other : size;
  }
  return IE::refineTo(builder, loc, value, type.clone(shape));
}

/// The same for initial states.
template <typename OpT>
static Value refineState(OpBuilder &builder, OpT op, Value state) {
  int64_t directions = op.getDirection() == "bidirectional" ? 2 : 1;
  auto x = cast<RankedTensorType>(op.getX().getType());
  SmallVector<int64_t> shape = {directions, x.getDimSize(1), getHidden(op)};
  if (op.getLayout() != 0) {
    shape = {x.getDimSize(0), directions, getHidden(op)};
  }
  return refineShape(builder, op.getLoc(), state, shape);
}

template <typename OpT>
static Layer getLayer(OpBuilder &builder, OpT op, int64_t numGates,
                      ArrayRef<StringRef> defaults) {
  Layer layer;
  layer.hidden = getHidden(op);
  int64_t directions = op.getDirection() == "bidirectional" ? 2 : 1;
  int64_t gates = numGates * layer.hidden;
  layer.x = op.getX();
  layer.w = refineShape(builder, op.getLoc(), op.getW(),
                        {directions, gates, ShapedType::kDynamic});
  layer.r = refineShape(builder, op.getLoc(), op.getR(),
                        {directions, gates, layer.hidden});
  layer.b =
      refineShape(builder, op.getLoc(), op.getB(), {directions, 2 * gates});
  layer.lengths = op.getSequenceLens();
  layer.initialH = refineState(builder, op, op.getInitialH());
  layer.batchFirst = op.getLayout() != 0;
  layer.direction = op.getDirection();
  if (std::optional<APFloat> clip = op.getClip()) {
    layer.clip = clip->convertToFloat();
  }
  layer.activations = getActivations(
      op.getActivations(), defaults, layer.direction == "bidirectional" ? 2 : 1,
      op.getActivationAlpha(), op.getActivationBeta());
  return layer;
}

/// The number that weights are cut by must be known.
template <typename OpT>
static LogicalResult checkWeights(OpT op, PatternRewriter &rewriter) {
  if (ShapedType::isDynamic(getHidden(op))) {
    return rewriter.notifyMatchFailure(op, "needs a number of states");
  }
  return success();
}

/// Replaces a layer by `results`, which may know more of their shapes.
static void replaceLayer(Operation *op, ArrayRef<Value> results,
                         PatternRewriter &rewriter) {
  SmallVector<Value> refined;
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    refined.push_back(IE::refineTo(rewriter, op->getLoc(), result, type));
  }
  rewriter.replaceOp(op, refined);
}

namespace {

struct DecomposeRNN final : OpRewritePattern<IE::RNNOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::RNNOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkWeights(op, rewriter))) {
      return failure();
    }
    Layer layer = getLayer(rewriter, op, /*numGates=*/1, {"Tanh"});
    RecurrentBuilder b(rewriter, op.getLoc(), layer);
    auto step = [&](const Direction &direction, Value row,
                    ValueRange states) -> SmallVector<Value> {
      Value sum = b.add(row, b.multiply(states[0], direction.r));
      return {b.apply(direction.activations[0], sum)};
    };
    replaceLayer(op,
                 b.build(/*numGates=*/1, /*numBiases=*/1, layer.initialH,
                         /*numActivations=*/1, step),
                 rewriter);
    return success();
  }
};

struct DecomposeGRU final : OpRewritePattern<IE::GRUOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::GRUOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkWeights(op, rewriter))) {
      return failure();
    }
    Layer layer = getLayer(rewriter, op, /*numGates=*/3, {"Sigmoid", "Tanh"});
    RecurrentBuilder b(rewriter, op.getLoc(), layer);
    int64_t hidden = layer.getHidden();
    bool resetsAfter = op.getLinearBeforeReset() != 0;
    auto step = [&](const Direction &direction, Value row,
                    ValueRange states) -> SmallVector<Value> {
      const Activation &f = direction.activations[0];
      const Activation &g = direction.activations[1];
      Value h = states[0];
      Value inputs = b.slice(row, 0, 2 * hidden);
      Value candidate = b.slice(row, 2 * hidden, 3 * hidden);
      Value recurrent, product;
      if (resetsAfter) {
        // One product for all gates; the reset gate scales its last part.
        Value all = b.multiply(h, direction.r);
        recurrent = b.slice(all, 0, 2 * hidden);
        product = b.slice(all, 2 * hidden, 3 * hidden);
        if (direction.b) {
          product =
              b.add(product, b.slice(direction.b, 5 * hidden, 6 * hidden));
        }
      } else {
        recurrent = b.multiply(h, b.slice(direction.r, 0, 2 * hidden));
      }
      SmallVector<Value> gates = b.split(b.add(inputs, recurrent), 2);
      Value z = b.apply(f, gates[0]), r = b.apply(f, gates[1]);
      product = resetsAfter
                    ? b.mul(r, product)
                    : b.multiply(b.mul(r, h),
                                 b.slice(direction.r, 2 * hidden, 3 * hidden));
      Value n = b.apply(g, b.add(candidate, product));
      return {b.add(b.mul(b.complement(z), n), b.mul(z, h))};
    };
    replaceLayer(op,
                 b.build(/*numGates=*/3,
                         /*numBiases=*/resetsAfter ? 2 : 3, layer.initialH,
                         /*numActivations=*/2, step),
                 rewriter);
    return success();
  }
};

struct DecomposeLSTM final : OpRewritePattern<IE::LSTMOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::LSTMOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkWeights(op, rewriter))) {
      return failure();
    }
    Layer layer =
        getLayer(rewriter, op, /*numGates=*/4, {"Sigmoid", "Tanh", "Tanh"});
    RecurrentBuilder b(rewriter, op.getLoc(), layer);
    // Peepholes per direction: i, o, f.
    SmallVector<SmallVector<Value>> peepholes;
    int64_t directions = layer.direction == "bidirectional" ? 2 : 1;
    Value all = refineShape(rewriter, op.getLoc(), op.getP(),
                            {directions, 3 * layer.hidden});
    for (int64_t d = 0; all && d < directions; ++d) {
      peepholes.push_back(b.split(b.select(all, d), 3));
    }
    auto step = [&](const Direction &direction, Value row,
                    ValueRange states) -> SmallVector<Value> {
      const Activation &f = direction.activations[0];
      const Activation &g = direction.activations[1];
      Value h = states[0], c = states[1];
      auto peep = [&](Value gate, unsigned number, Value cell) {
        return peepholes.empty()
                   ? gate
                   : b.add(gate,
                           b.mul(peepholes[direction.number][number], cell));
      };
      SmallVector<Value> gates =
          b.split(b.add(row, b.multiply(h, direction.r)), 4);
      Value input = b.apply(f, peep(gates[0], 0, c));
      Value forget = op.getInputForget() != 0
                         ? b.complement(input)
                         : b.apply(f, peep(gates[2], 2, c));
      Value candidate = b.apply(g, gates[3]);
      Value cell = b.add(b.mul(forget, c), b.mul(input, candidate));
      Value output = b.apply(f, peep(gates[1], 1, cell));
      return {b.mul(output, b.apply(direction.activations[2], cell)), cell};
    };
    Value initial[] = {layer.initialH,
                       refineState(rewriter, op, op.getInitialC())};
    replaceLayer(op,
                 b.build(/*numGates=*/4, /*numBiases=*/4, initial,
                         /*numActivations=*/3, step),
                 rewriter);
    return success();
  }
};

} // namespace

void IE::populateDecomposeRecurrentPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeGRU, DecomposeLSTM, DecomposeRNN>(
      patterns.getContext());
}
