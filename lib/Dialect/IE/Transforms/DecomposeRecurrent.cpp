//===- DecomposeRecurrent.cpp - Recurrent layers as scans -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-decompose: what each layer computes in a step. The steps are
// RecurrentBuilder's.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "RecurrentBuilder.h"

#include "nacre/Dialect/IE/IR/Recurrent.h"
#include "nacre/Dialect/IE/Utils/Builders.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE::recurrent;

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

/// `count` times as many as `size`, where that is known.
static int64_t multiply(int64_t count, int64_t size) {
  return ShapedType::isDynamic(size) ? size : count * size;
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
  int64_t gates = multiply(numGates, layer.hidden);
  layer.x = op.getX();
  layer.w = refineShape(builder, op.getLoc(), op.getW(),
                        {directions, gates, ShapedType::kDynamic});
  layer.r = refineShape(builder, op.getLoc(), op.getR(),
                        {directions, gates, layer.hidden});
  layer.b = refineShape(builder, op.getLoc(), op.getB(),
                        {directions, multiply(2, gates)});
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
    Layer layer = getLayer(rewriter, op, /*numGates=*/3, {"Sigmoid", "Tanh"});
    RecurrentBuilder b(rewriter, op.getLoc(), layer);
    bool resetsAfter = op.getLinearBeforeReset() != 0;
    auto step = [&](const Direction &direction, Value row,
                    ValueRange states) -> SmallVector<Value> {
      const Activation &f = direction.activations[0];
      const Activation &g = direction.activations[1];
      Value h = states[0];
      Value inputs = b.slice(row, 0, 2);
      Value candidate = b.slice(row, 2, 3);
      Value recurrent, product;
      if (resetsAfter) {
        // One product for all gates; the reset gate scales its last part.
        Value all = b.multiply(h, direction.r);
        recurrent = b.slice(all, 0, 2);
        product = b.slice(all, 2, 3);
        if (direction.b) {
          product = b.add(product, b.slice(direction.b, 5, 6));
        }
      } else {
        recurrent = b.multiply(h, b.slice(direction.r, 0, 2));
      }
      SmallVector<Value> gates = b.split(b.add(inputs, recurrent), 2);
      Value z = b.apply(f, gates[0]), r = b.apply(f, gates[1]);
      product = resetsAfter
                    ? b.mul(r, product)
                    : b.multiply(b.mul(r, h), b.slice(direction.r, 2, 3));
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
    Layer layer =
        getLayer(rewriter, op, /*numGates=*/4, {"Sigmoid", "Tanh", "Tanh"});
    RecurrentBuilder b(rewriter, op.getLoc(), layer);
    // Peepholes per direction: i, o, f.
    SmallVector<SmallVector<Value>> peepholes;
    int64_t directions = layer.direction == "bidirectional" ? 2 : 1;
    Value all = refineShape(rewriter, op.getLoc(), op.getP(),
                            {directions, multiply(3, layer.hidden)});
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
