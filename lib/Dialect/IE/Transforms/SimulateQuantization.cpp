//===- SimulateQuantization.cpp - Quantization that runs decide -----------===//
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

  /// Rounds a value for all that reads it, but for the function's results, by
  /// the numbers from `first` on.
  void round(Value value, int64_t first);
  /// Has a product read other constants where number `position` is 1.
  void choose(const IE::QuantizedConstants &constants, int64_t position);

private:
  Value read(Location loc, int64_t position);
  Value isSet(Location loc, int64_t position);

  OpBuilder builder;
  Value numbers;
};

} // namespace

/// One of the numbers, as a scalar.
Value Simulator::read(Location loc, int64_t position) {
  Value axes = IE::buildInts(builder, loc, {0});
  Value part = IE::SliceOp::create(
      builder, loc, numbers, IE::buildInts(builder, loc, {position}),
      IE::buildInts(builder, loc, {position + 1}), axes, Value());
  return IE::reshapeTo(builder, loc, part, {});
}

Value Simulator::isSet(Location loc, int64_t position) {
  Value half = IE::buildScalar(builder, loc, builder.getF32Type(), 0.5);
  return IE::GreaterOp::create(builder, loc, read(loc, position), half);
}

void Simulator::round(Value value, int64_t first) {
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
           !isa<func::ReturnOp>(use.getOwner());
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

void Simulator::choose(const IE::QuantizedConstants &constants,
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
}

void IE::simulateQuantization(func::FuncOp function,
                              const QuantizationPlan &plan,
                              const KnownRanges &ranges,
                              const ConstantOptions &options) {
  std::vector<QuantizedConstants> products;
  for (const QuantizationDemand &demand : plan.getDemands()) {
    if (demand.isProduct()) {
      products.push_back(computeConstants(demand.op, plan, ranges, options));
    }
  }
  auto numValues = static_cast<int64_t>(plan.getValues().size());
  Simulator simulator(function, numValues * kNumParts + products.size());
  for (auto [i, entry] : llvm::enumerate(plan.getValues())) {
    simulator.round(entry.first, static_cast<int64_t>(i) * kNumParts);
  }
  // Last: values are what products compute, too.
  for (auto [i, constants] : llvm::enumerate(products)) {
    simulator.choose(constants,
                     numValues * kNumParts + static_cast<int64_t>(i));
  }
}
