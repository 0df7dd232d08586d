//===- SimulateQuantization.cpp - Quantization chosen at run time ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding is arithmetic on floats with a scale, a zero point and bounds that
// are read from an input, and a choice between the rounded value and the value.
// A product is one of two branches, with its weights or with rounded ones, so
// that both are constants which are packed when the model is compiled.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/SimulateQuantization.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

namespace {
/// The numbers of a value.
enum Part { Scale, ZeroPoint, Least, Largest, IsRounded, kNumParts };
} // namespace

void IE::appendSimulation(SmallVectorImpl<float> &numbers,
                          const std::optional<Parameters> &parameters) {
  Parameters used = parameters.value_or(Parameters());
  float part[kNumParts];
  part[Scale] = used.scale;
  part[ZeroPoint] = static_cast<float>(used.zeroPoint);
  part[Least] = static_cast<float>(used.getLeast());
  part[Largest] = static_cast<float>(used.getLargest());
  part[IsRounded] = parameters ? 1 : 0;
  numbers.append(std::begin(part), std::end(part));
}

namespace {

class Simulator {
public:
  Simulator(func::FuncOp function, size_t numNumbers)
      : builder(function.getContext()) {
    auto type = RankedTensorType::get({static_cast<int64_t>(numNumbers)},
                                      builder.getF32Type());
    NamedAttribute name =
        abi::name<abi::Name>(builder.getStringAttr(IE::kQuantizationInput));
    unsigned number = function.getNumArguments();
    LogicalResult inserted = function.insertArgument(
        number, type, builder.getDictionaryAttr(name), function.getLoc());
    assert(succeeded(inserted) && "a function takes any argument");
    (void)inserted;
    numbers = function.getArgument(number);
  }

  /// Rounds a value for all that reads it, but for the function's results that
  /// `isResult` does not name, by the numbers from `first` on.
  void round(Value value, int64_t first,
             llvm::function_ref<bool(unsigned)> isResult);
  /// Has a product read other constants where number `position` is 1. Gives
  /// what is computed now.
  Value choose(const IE::QuantizedConstants &constants, int64_t position);
  /// Adds the numbers from `first` on to the channels of what a product
  /// computes, of the dimension `dim`, and gives the means of these.
  Value correct(Value result, int64_t dim, int64_t first, int64_t numChannels);
  /// Adds a result to the function: these vectors one after the other.
  void addMeans(func::FuncOp function, ArrayRef<Value> means);

private:
  Value slice(Location loc, int64_t first, int64_t count);
  Value read(Location loc, int64_t position);
  Value isSet(Location loc, int64_t position);

  OpBuilder builder;
  Value numbers;
};

} // namespace

Value Simulator::slice(Location loc, int64_t first, int64_t count) {
  Value axes = IE::buildInts(builder, loc, {0});
  return IE::SliceOp::create(
      builder, loc, numbers, IE::buildInts(builder, loc, {first}),
      IE::buildInts(builder, loc, {first + count}), axes, Value());
}

/// One of the numbers, as a scalar.
Value Simulator::read(Location loc, int64_t position) {
  return IE::reshapeTo(builder, loc, slice(loc, position, 1), {});
}

Value Simulator::isSet(Location loc, int64_t position) {
  Value half = IE::buildScalar(builder, loc, builder.getF32Type(), 0.5);
  return IE::GreaterOp::create(builder, loc, read(loc, position), half);
}

void Simulator::round(Value value, int64_t first,
                      llvm::function_ref<bool(unsigned)> isResult) {
  Location loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  Value scale = read(loc, first + Scale), zero = read(loc, first + ZeroPoint);
  Value least = read(loc, first + Least);
  Value largest = read(loc, first + Largest);
  Value isRounded = isSet(loc, first + IsRounded);

  Value quotient = IE::DivOp::create(builder, loc, value, scale);
  llvm::SmallPtrSet<Operation *, 2> readers = {quotient.getDefiningOp()};
  Value steps = IE::RoundOp::create(builder, loc, quotient);
  Value integer = IE::AddOp::create(builder, loc, steps, zero);
  integer = IE::MaxOp::create(builder, loc, value.getType(),
                              ValueRange{integer, least});
  integer = IE::MinOp::create(builder, loc, value.getType(),
                              ValueRange{integer, largest});
  Value distance = IE::SubOp::create(builder, loc, integer, zero);
  Value rounded = IE::MulOp::create(builder, loc, distance, scale);
  Value chosen = IE::WhereOp::create(builder, loc, isRounded, rounded, value);
  readers.insert(chosen.getDefiningOp());
  value.replaceUsesWithIf(chosen, [&](OpOperand &use) {
    return !readers.contains(use.getOwner()) &&
           (!isa<func::ReturnOp>(use.getOwner()) ||
            isResult(use.getOperandNumber()));
  });
}

/// A constant like that which an operand is, of other elements.
static Value buildLike(OpBuilder &builder, const OpOperand &operand,
                       ArrayRef<float> values) {
  interpreter::Tensor tensor(cast<RankedTensorType>(operand.get().getType()));
  llvm::copy(values, tensor.mutableValues<float>().begin());
  return IE::ConstantOp::create(builder, operand.getOwner()->getLoc(),
                                tensor.toAttr());
}

Value Simulator::choose(const IE::QuantizedConstants &constants,
                        int64_t position) {
  const IE::LinearOperands &operands = constants.operands;
  Operation *product = operands.weights->getOwner();
  Location loc = product->getLoc();
  builder.setInsertionPoint(product);
  IRMapping rounded;
  rounded.map(operands.weights->get(),
              buildLike(builder, *operands.weights, constants.getWeights()));
  if (!constants.bias.empty()) {
    rounded.map(operands.bias->get(),
                buildLike(builder, *operands.bias, constants.getBias()));
  }
  auto branch = IE::IfOp::create(builder, loc, product->getResultTypes(),
                                 isSet(loc, position));
  builder.createBlock(&branch.getThenBranch());
  Operation *copy = builder.clone(*product, rounded);
  IE::YieldOp::create(builder, loc, copy->getResults());
  builder.createBlock(&branch.getElseBranch());
  copy = builder.clone(*product);
  IE::YieldOp::create(builder, loc, copy->getResults());
  product->replaceAllUsesWith(branch);
  product->erase();
  return branch.getResult(0);
}

Value Simulator::correct(Value result, int64_t dim, int64_t first,
                         int64_t numChannels) {
  Location loc = result.getLoc();
  builder.setInsertionPointAfterValue(result);
  auto type = cast<RankedTensorType>(result.getType());
  Value addends = IE::reshapeChannels(
      builder, loc, slice(loc, first, numChannels), type.getRank(), dim);
  Value corrected =
      IE::AddOp::create(builder, loc, type, ValueRange{result, addends});
  result.replaceAllUsesExcept(corrected, corrected.getDefiningOp());
  SmallVector<int64_t> others;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (axis != dim) {
      others.push_back(axis);
    }
  }
  Type means = RankedTensorType::get({numChannels}, type.getElementType());
  return IE::ReduceMeanOp::create(
             builder, loc, TypeRange(means), corrected,
             IE::buildInts(builder, loc, others),
             /*keepdims=*/builder.getI64IntegerAttr(0),
             /*noop_with_empty_axes=*/builder.getI64IntegerAttr(1))
      ->getResult(0);
}

void Simulator::addMeans(func::FuncOp function, ArrayRef<Value> means) {
  Operation *terminator = function.getBody().front().getTerminator();
  builder.setInsertionPoint(terminator);
  Value all = IE::ConcatOp::create(builder, function.getLoc(), means,
                                   builder.getI64IntegerAttr(0));
  NamedAttribute name =
      abi::name<abi::Name>(builder.getStringAttr(IE::kMeansOutput));
  LogicalResult inserted = function.insertResult(
      function.getNumResults(), all.getType(), builder.getDictionaryAttr(name));
  assert(succeeded(inserted) && "a function has any results");
  (void)inserted;
  terminator->insertOperands(terminator->getNumOperands(), all);
}

void IE::simulateQuantization(func::FuncOp function,
                              const QuantizationPlan &plan,
                              const KnownRanges &ranges,
                              const ConstantOptions &options,
                              bool channelMeans) {
  std::vector<QuantizedConstants> products;
  for (const QuantizationDemand &demand : plan.getDemands()) {
    if (demand.isProduct()) {
      products.push_back(computeConstants(demand.op, plan, ranges, options));
    }
  }
  auto numValues = static_cast<int64_t>(plan.getValues().size());
  size_t numBiases = 0;
  for (const QuantizedConstants &constants : products) {
    numBiases += channelMeans ? constants.bias.size() : 0;
  }
  int64_t position =
      numValues * kNumParts + static_cast<int64_t>(products.size());
  Simulator simulator(function, position + numBiases);
  // What only moves elements of a rounded value is rounded, too.
  auto isResult = [&](unsigned number) {
    return llvm::any_of(plan.getBoundary(), [&](const BoundaryValue &boundary) {
      return boundary.result == number && boundary.obstacle.empty();
    });
  };
  for (auto [i, entry] : llvm::enumerate(plan.getValues())) {
    simulator.round(entry.first, static_cast<int64_t>(i) * kNumParts, isResult);
  }
  // Last: values are what products compute, too.
  SmallVector<Value> means;
  for (auto [i, constants] : llvm::enumerate(products)) {
    Operation *product = constants.operands.input->getOwner();
    auto type = cast<RankedTensorType>(product->getResult(0).getType());
    int64_t dim = getProductChannelDim(product, type.getRank());
    Value result = simulator.choose(constants, numValues * kNumParts +
                                                   static_cast<int64_t>(i));
    auto count = static_cast<int64_t>(constants.bias.size());
    if (channelMeans && count > 0) {
      means.push_back(simulator.correct(result, dim, position, count));
      position += count;
    }
  }
  if (!means.empty()) {
    simulator.addMeans(function, means);
  }
}
