//===- Quantize.cpp - The ie-quantize pass --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has products compute on integers, and makes the values integers that they
// read, as a plan says.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Transforms/BiasCorrection.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Dialect/IE/Transforms/SimulateQuantization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

/// The value to quantize instead of `source`, where that is a Clip of which the
/// integers know a bound or both.
static Value dropLimit(Value source, OpBuilder &builder,
                       const Parameters &parameters) {
  auto clip = source.getDefiningOp<IE::ClipOp>();
  if (!clip) {
    return source;
  }
  auto getBound = [](Value value, double otherwise) -> std::optional<double> {
    if (!value) {
      return otherwise;
    }
    auto constant = IE::getConstantFloats(value);
    return constant && constant->size() == 1
               ? std::optional<double>(constant->front())
               : std::nullopt;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::optional<double> low = getBound(clip.getMin(), -kInfinity);
  std::optional<double> high = getBound(clip.getMax(), kInfinity);
  if (!low || !high || *low > *high) {
    return source;
  }
  // What is beyond a bound by less than half a step rounds to it.
  quantization::Range range = parameters.getRange();
  double half = static_cast<double>(parameters.scale) / 2;
  bool dropsLow = range.low >= *low - half;
  bool dropsHigh = range.high <= *high + half;
  if (dropsLow && dropsHigh) {
    return clip.getInput();
  }
  if (dropsHigh && *low == 0) {
    return IE::ReluOp::create(builder, clip.getLoc(), source.getType(),
                              clip.getInput());
  }
  return source;
}

/// The results of the function that are quantized, by what they are.
using QuantizedResults = llvm::SmallDenseSet<OpOperand *>;

/// The operands of `end` that become what is dequantized: results that are to
/// be, and states that are an input of which there will be integers alone.
static QuantizedResults findQuantizedResults(Operation *end,
                                             const IE::QuantizationPlan &plan) {
  QuantizedResults results;
  for (const IE::BoundaryValue &boundary : plan.getBoundary()) {
    if (!boundary.obstacle.empty()) {
      continue;
    }
    if (boundary.result) {
      results.insert(&end->getOpOperand(*boundary.result));
      continue;
    }
    for (OpOperand &use : boundary.value.getUses()) {
      if (use.getOwner() == end) {
        results.insert(&use);
      }
    }
  }
  return results;
}

static void insertRoundTrip(Value source, const Parameters &parameters,
                            const QuantizedResults &results, bool keepsLimit) {
  OpBuilder builder(source.getContext());
  builder.setInsertionPointAfterValue(source);
  Value input = keepsLimit ? source : dropLimit(source, builder, parameters);
  Value result =
      IE::buildRoundTrip(builder, source.getLoc(), input, parameters);
  IE::setValueName(result, IE::getValueName(source));
  Operation *reader = result.getDefiningOp()->getOperand(0).getDefiningOp();
  source.replaceUsesWithIf(result, [&](OpOperand &use) {
    return use.getOwner() != reader &&
           (!isa<func::ReturnOp>(use.getOwner()) || results.contains(&use));
  });
  Operation *limit = source.getDefiningOp();
  if (input != source && limit->use_empty()) {
    limit->erase();
  }
}

/// Rounds results that move elements of quantized values on by the parameters
/// of these, which changes nothing: so integers are what comes last.
static void roundMovedResults(Operation *end,
                              const IE::QuantizationPlan &plan) {
  OpBuilder builder(end);
  for (const IE::BoundaryValue &boundary : plan.getBoundary()) {
    bool isMoved = boundary.result && boundary.value != boundary.source;
    if (!isMoved || !boundary.obstacle.empty()) {
      continue;
    }
    Value value = end->getOperand(*boundary.result);
    Value result =
        IE::buildRoundTrip(builder, value.getLoc(), value,
                           plan.getValues().lookup(boundary.source).parameters);
    IE::setValueName(result, IE::getValueName(value));
    end->setOperand(*boundary.result, result);
  }
}

static void apply(Operation *end, const IE::QuantizationPlan &plan,
                  const IE::KnownRanges &ranges,
                  const IE::ConstantOptions &options, bool keepsLimits) {
  for (const IE::QuantizationDemand &demand : plan.getDemands()) {
    if (demand.isProduct()) {
      OpBuilder builder(demand.op);
      IE::quantizeConstants(
          builder, IE::computeConstants(demand.op, plan, ranges, options));
    }
  }
  QuantizedResults results = findQuantizedResults(end, plan);
  for (const auto &[source, quantized] : plan.getValues()) {
    insertRoundTrip(source, quantized.parameters, results, keepsLimits);
  }
  roundMovedResults(end, plan);
}

namespace {

struct QuantizePass final : nacre::IE::impl::QuantizeBase<QuantizePass> {
  using QuantizeBase::QuantizeBase;

  LogicalResult initialize(MLIRContext *context) override {
    Location loc = UnknownLoc::get(context);
    auto read = IE::KnownRanges::read(loc, ranges, rounding);
    auto options = IE::PlanOptions::read(loc, getOptions());
    if (failed(read) || failed(options)) {
      return failure();
    }
    if (weightBits != 7 && weightBits != 8 && weightBits != 16) {
      return emitError(loc) << "expected weights of 7, 8 or 16 bits, found "
                            << weightBits.getValue();
    }
    known = *read;
    planOptions = *options;
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    std::shared_ptr<const IE::KnownRanges> adjusted =
        IE::adjustRanges(function, known);
    auto plan = IE::QuantizationPlan::make(function, *adjusted, planOptions);
    if (failed(plan)) {
      return signalPassFailure();
    }
    known->warnOfOtherGraph(function.getLoc(),
                            IE::getGraphDigest(plan->getKeys()));
    IE::ConstantOptions constants = IE::ConstantOptions::read(getOptions());
    if (biasCorrection == BiasCorrection::Exact &&
        failed(IE::requireCorrections(function, *plan, *adjusted, constants))) {
      return signalPassFailure();
    }
    if (runTimeParameters) {
      IE::simulateQuantization(function, *plan, *adjusted, constants,
                               channelMeans);
    } else {
      apply(function.getBody().front().getTerminator(), *plan, *adjusted,
            constants, keepActivations.getValue());
    }
    IE::dropRescalings(function);
    numLinear += llvm::count_if(plan->getDemands(), [](const auto &demand) {
      return demand.isProduct();
    });
    numValues += plan->getValues().size();
  }

private:
  IE::QuantizeOptions getOptions() const {
    IE::QuantizeOptions options;
    options.calibrator = calibrator;
    options.percentile = percentile;
    options.schema = schema;
    options.activations = activations;
    options.weightBits = weightBits;
    options.calibrateWeights = calibrateWeights;
    options.bias = bias;
    options.rounding = rounding;
    options.perChannel = perChannel;
    options.biasCorrection = biasCorrection;
    options.quantizeInputs = quantizeInputs;
    options.quantizeOutputs = quantizeOutputs;
    options.keepNodes.assign(keepNodes.begin(), keepNodes.end());
    options.keepOps.assign(keepOps.begin(), keepOps.end());
    options.onlyOps.assign(onlyOps.begin(), onlyOps.end());
    options.keepBetween.assign(keepBetween.begin(), keepBetween.end());
    options.keepActivations = keepActivations;
    options.matMulActivations = matMulActivations;
    options.keepFirst = keepFirst;
    options.keepLast = keepLast;
    return options;
  }

  std::shared_ptr<const IE::KnownRanges> known;
  IE::PlanOptions planOptions;
};

} // namespace
