//===- RecurrentBuilder.cpp - Recurrent layers as scans -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does not depend on the state is one matrix product over the whole
// sequence; the rest is a scan over its rows.
//
//===----------------------------------------------------------------------===//

#include "RecurrentBuilder.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE::recurrent;

Value RecurrentBuilder::buildScalar(double value) {
  return IE::buildScalar(builder, loc, elementType, value);
}

Value RecurrentBuilder::buildStates(int64_t count) {
  if (count == 0 || !ShapedType::isDynamic(layer.hidden)) {
    return IE::buildInts(builder, loc, count * layer.hidden);
  }
  Value hidden = IE::shapeOf(builder, loc, layer.r, 2, 3);
  return count == 1 ? hidden : mul(hidden, IE::buildInts(builder, loc, count));
}

Value RecurrentBuilder::buildZeros(ArrayRef<int64_t> known, ValueRange shape) {
  if (ShapedType::isDynamicShape(known)) {
    return IE::ExpandOp::create(builder, loc, buildScalar(0), concat(shape, 0));
  }
  auto type = RankedTensorType::get(known, elementType);
  return IE::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getFloatAttr(elementType, 0)));
}

SmallVector<Value> RecurrentBuilder::split(Value value, unsigned count) {
  SmallVector<Value> parts;
  if (ShapedType::isDynamic(layer.hidden)) {
    for (unsigned i = 0; i < count; ++i) {
      parts.push_back(slice(value, i, i + 1));
    }
    return parts;
  }
  auto type = cast<RankedTensorType>(value.getType());
  int64_t axis = type.getRank() - 1;
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = layer.hidden;
  SmallVector<Type> types(count, type.clone(shape));
  auto op = IE::SplitOp::create(
      builder, loc, types, value,
      IE::buildInts(builder, loc, SmallVector<int64_t>(count, layer.hidden)),
      builder.getI64IntegerAttr(axis), IntegerAttr());
  return SmallVector<Value>(op.getOutputs());
}

Value RecurrentBuilder::slice(Value value, int64_t first, int64_t last) {
  int64_t axis = cast<RankedTensorType>(value.getType()).getRank() - 1;
  return IE::SliceOp::create(builder, loc, value, buildStates(first),
                             buildStates(last),
                             IE::buildInts(builder, loc, axis), Value());
}

Value RecurrentBuilder::select(Value value, int64_t number) {
  Value index = IE::buildScalar(builder, loc, builder.getI64Type(),
                                static_cast<double>(number));
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
  int64_t batch = cast<RankedTensorType>(x.getType()).getDimSize(1);
  return buildZeros({batch, layer.hidden},
                    {IE::shapeOf(builder, loc, x, 1, 2), buildStates(1)});
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
    auto buildNumber = [&](double value) {
      return IE::buildScalar(builder, loc, builder.getI32Type(), value);
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
      Value bias = slice(direction.b, 0, numGates);
      Value recurrent = slice(direction.b, numGates, numGates + numBiases);
      if (int64_t missing = numGates - numBiases) {
        bool isKnown = !ShapedType::isDynamic(layer.hidden);
        Value zeros =
            buildZeros(isKnown ? missing * layer.hidden : layer.hidden,
                       buildStates(missing));
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
