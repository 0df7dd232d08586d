//===- Training.cpp - Optimizers and training statistics ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adagrad, Adam, Momentum, and BatchNormalization in training, as arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "Arithmetic.h"
#include "GraphImporter.h"

#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

bool onnx_import::isTrainingOperator(StringRef domain, StringRef opType) {
  return domain == "ai.onnx.preview.training" &&
         llvm::StringSwitch<bool>(opType)
             .Cases({"Adagrad", "Adam", "Gradient", "Momentum"}, true)
             .Default(false);
}

namespace {

/// One tensor that is optimised, its gradient, and what the optimizer keeps of
/// earlier steps.
struct Optimized {
  Value rate, step, tensor, gradient;
  SmallVector<Value> state;
};

/// Each step returns the new tensor and the new state.
class OptimizerBuilder {
public:
  OptimizerBuilder(OpBuilder &builder, Node &node)
      : node(node), a(builder, node.loc) {}

  SmallVector<Value> buildAdagrad(const Optimized &o) {
    double decay = getFloat("decay_factor", 0);
    double epsilon = getFloat("epsilon", 1e-6);
    Value slower = a.add(number(1, o), a.mul(o.step, number(decay, o)));
    Value rate = a.div(o.rate, slower);
    Value gradient = regularize(o);
    Value sums = a.add(o.state[0], a.mul(gradient, gradient));
    Value root = a.add(a.sqrt(sums), number(epsilon, o));
    Value change = a.div(a.mul(rate, gradient), root);
    return {a.sub(o.tensor, change), sums};
  }

  SmallVector<Value> buildAdam(const Optimized &o) {
    double alpha = getFloat("alpha", 0.9), beta = getFloat("beta", 0.999);
    double epsilon = getFloat("epsilon", 1e-6);
    double normAfter = getFloat("norm_coefficient_post", 0);
    Value gradient = regularize(o);
    Value first = mix(o, o.state[0], gradient, alpha);
    Value second = mix(o, o.state[1], a.mul(gradient, gradient), beta);
    Value root = a.add(a.sqrt(second), number(epsilon, o));
    // What early steps lack is made up for; step 0 is taken as it is.
    auto missing = [&](double factor) {
      return a.sub(number(1, o), a.pow(number(factor, o), o.step));
    };
    Value corrected =
        a.div(a.mul(o.rate, a.sqrt(missing(beta))), missing(alpha));
    Value rate = a.select(a.greater(o.step, number(0, o)), corrected, o.rate);
    Value moved = a.sub(o.tensor, a.mul(rate, a.div(first, root)));
    return {a.mul(number(1 - normAfter, o), moved), first, second};
  }

  SmallVector<Value> buildMomentum(const Optimized &o, bool isNesterov) {
    double alpha = getFloat("alpha", 0), beta = getFloat("beta", 0);
    Value gradient = regularize(o);
    // The first step has nothing but its gradient.
    Value factor = a.select(a.greater(o.step, number(0, o)), number(beta, o),
                            number(1, o));
    Value momentum =
        a.add(a.mul(number(alpha, o), o.state[0]), a.mul(factor, gradient));
    Value change = momentum;
    if (isNesterov) {
      change = a.add(gradient, a.mul(number(alpha, o), momentum));
    }
    return {a.sub(o.tensor, a.mul(o.rate, change)), momentum};
  }

private:
  double getFloat(StringRef name, double otherwise) {
    auto attr = node.attributes.lookup(name);
    auto value = dyn_cast_if_present<FloatAttr>(attr);
    return value ? value.getValueAsDouble() : otherwise;
  }

  Value number(double value, const Optimized &o) {
    return a.number(value, o.tensor);
  }

  Value regularize(const Optimized &o) {
    double norm = getFloat("norm_coefficient", 0);
    return a.add(a.mul(number(norm, o), o.tensor), o.gradient);
  }

  /// `factor * old + (1 - factor) * added`.
  Value mix(const Optimized &o, Value old, Value added, double factor) {
    return a.add(a.mul(number(factor, o), old),
                 a.mul(number(1 - factor, o), added));
  }

  Node &node;
  Arithmetic a;
};

} // namespace

LogicalResult onnx_import::importOptimizer(OpBuilder &builder, Node &node) {
  // Tensors, gradients, then one or two kinds of state.
  unsigned numStates = node.opType == "Adam" ? 2 : 1;
  unsigned numKinds = 2 + numStates;
  unsigned count = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
  if (count == 0 || count % numKinds != 0 ||
      llvm::is_contained(node.inputs, Value())) {
    return emitError(node.loc)
           << "expected a rate, a step, and a multiple of " << numKinds
           << " tensors, found " << node.inputs.size() << " inputs";
  }
  bool isNesterov = false;
  if (node.opType == "Momentum") {
    auto mode = dyn_cast_if_present<StringAttr>(node.attributes.lookup("mode"));
    if (!mode || (mode != "standard" && mode != "nesterov")) {
      return emitError(node.loc)
             << "expected mode 'standard' or 'nesterov' of Momentum";
    }
    isNesterov = mode == "nesterov";
  }
  for (Value scalar : ArrayRef(node.inputs).take_front(2)) {
    auto type = cast<RankedTensorType>(scalar.getType());
    if (!type.hasStaticShape() || type.getNumElements() != 1) {
      return emitError(node.loc)
             << "expected a scalar rate and step, found " << type;
    }
  }
  count /= numKinds;
  SmallVector<SmallVector<Value>> results(1 + numStates);
  Arithmetic a(builder, node.loc);
  OptimizerBuilder optimizer(builder, node);
  for (unsigned i = 0; i < count; ++i) {
    auto getInput = [&](unsigned kind) {
      return node.inputs[2 + kind * count + i];
    };
    Optimized o;
    o.tensor = getInput(0);
    o.gradient = getInput(1);
    for (unsigned state = 0; state < numStates; ++state) {
      o.state.push_back(getInput(2 + state));
    }
    for (Value other :
         llvm::concat<Value>(SmallVector<Value>{o.gradient}, o.state)) {
      if (other.getType() != o.tensor.getType() ||
          !isa<FloatType>(getElementTypeOrSelf(other.getType()))) {
        return emitError(node.loc)
               << "expected gradients and state of the optimised tensor's "
                  "type, floats, found "
               << o.tensor.getType() << " and " << other.getType();
      }
    }
    o.rate = a.castLike(node.inputs[0], o.tensor);
    o.step = a.castLike(node.inputs[1], o.tensor);
    SmallVector<Value> updated =
        node.opType == "Adagrad" ? optimizer.buildAdagrad(o)
        : node.opType == "Adam"  ? optimizer.buildAdam(o)
                                 : optimizer.buildMomentum(o, isNesterov);
    for (auto [kind, value] : llvm::zip_equal(results, updated)) {
      kind.push_back(value);
    }
  }
  for (const SmallVector<Value> &kind : results) {
    llvm::append_range(node.results, kind);
  }
  return success();
}

LogicalResult onnx_import::importTrainingBatchNormalization(OpBuilder &builder,
                                                            Node &node) {
  if (node.inputs.size() != 5 || llvm::is_contained(node.inputs, Value())) {
    return emitError(node.loc)
           << "expected 5 inputs of BatchNormalization, found "
           << node.inputs.size();
  }
  Value input = node.inputs[0];
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getRank() < 2) {
    return emitError(node.loc)
           << "expected an input of rank 2 or more, found " << type;
  }
  auto epsilon = node.take<FloatAttr>("epsilon");
  auto momentum = node.take<FloatAttr>("momentum");
  SmallVector<int64_t> axes = {0};
  llvm::append_range(axes, llvm::seq<int64_t>(2, type.getRank()));
  Arithmetic a(builder, node.loc);
  auto average = [&](Value value, bool keepDims) -> Value {
    return IE::ReduceMeanOp::create(builder, node.loc, value, a.ints(axes),
                                    builder.getI64IntegerAttr(keepDims),
                                    builder.getI64IntegerAttr(0))
        ->getResult(0);
  };
  Value deviation = a.sub(input, average(input, /*keepDims=*/true));
  Value mean = average(input, /*keepDims=*/false);
  Value variance = average(a.mul(deviation, deviation), /*keepDims=*/false);
  double kept = momentum ? momentum.getValueAsDouble() : 0.9;
  auto update = [&](Value running, Value current) {
    current = a.castLike(current, running);
    return a.add(a.mul(running, a.number(kept, running)),
                 a.mul(current, a.number(1 - kept, running)));
  };
  Value normalized = IE::BatchNormalizationOp::create(
                         builder, node.loc, TypeRange(type), input,
                         node.inputs[1], node.inputs[2], mean, variance,
                         epsilon ? epsilon : builder.getF32FloatAttr(1e-5f),
                         builder.getF32FloatAttr(static_cast<float>(kept)))
                         ->getResult(0);
  node.results = {normalized, update(node.inputs[3], mean),
                  update(node.inputs[4], variance)};
  // Until version 14 the statistics themselves were results, too.
  if (node.opset < 14) {
    llvm::append_values(node.results, a.castLike(mean, node.inputs[3]),
                        a.castLike(variance, node.inputs[4]));
  }
  return success();
}

LogicalResult GraphImporter::importTrainingNode(Node &node,
                                                const Scope &scope) {
  if (node.opType != "Gradient") {
    return importOptimizer(builder, node);
  }
  GradientSpec spec;
  auto addNamed = [&](StringRef name) {
    Value value = scope.lookup(name).value_or(Value());
    if (!value) {
      emitError(node.loc) << "Gradient names '" << name
                          << "', which is defined nowhere";
    }
    return value;
  };
  for (StringRef list : {"xs", "zs"}) {
    auto names = dyn_cast_if_present<ArrayAttr>(node.attributes.lookup(list));
    for (auto name : names
                         ? names.getAsRange<StringAttr>()
                         : builder.getArrayAttr({}).getAsRange<StringAttr>()) {
      spec.inputs.push_back(addNamed(name));
      if (!spec.inputs.back()) {
        return failure();
      }
    }
    if (list == "xs") {
      spec.numVariables = spec.inputs.size();
    }
  }
  auto output = dyn_cast_if_present<StringAttr>(node.attributes.lookup("y"));
  if (!output || spec.numVariables == 0 ||
      spec.inputs.size() != node.inputs.size()) {
    return emitError(node.loc)
           << "expected names 'xs' and 'y' of Gradient, and an input for each "
              "of 'xs' and 'zs'";
  }
  spec.output = addNamed(output);
  return spec.output ? importGradient(builder, node, spec, isUnsupported)
                     : failure();
}
