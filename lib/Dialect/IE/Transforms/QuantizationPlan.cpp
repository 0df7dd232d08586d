//===- QuantizationPlan.cpp - What will be quantized, and why -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with constant weights are why values are quantized. Backwards from
// their inputs, sums and means in between are, too, so that integers stay
// integers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/QuantizationPlan.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

FailureOr<IE::PlanOptions>
IE::PlanOptions::read(Location loc, const QuantizeOptions &options) {
  PlanOptions result;
  result.calibration.calibrator = options.calibrator;
  result.calibration.percentile = options.percentile;
  result.calibration.schema = options.schema;
  result.calibration.type = options.activations;
  FailureOr<KeepOptions> keep = KeepOptions::read(loc, options);
  if (failed(keep)) {
    return failure();
  }
  result.keep = std::move(*keep);
  result.multipliesValues = options.matMulActivations;
  result.quantizesInputs = options.quantizeInputs;
  result.quantizesOutputs = options.quantizeOutputs;
  return result;
}

Value IE::findQuantizedSource(Value value) {
  while (auto op = value.getDefiningOp<IE::QuantizableOpInterface>()) {
    if (op.getQuantizableKind() != IE::QuantizableKind::Carries) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// The only user of a value if that limits it, as a rectifier does, and becomes
/// a part of what computes it.
static Operation *getLimit(Value value) {
  if (!value.hasOneUse()) {
    return nullptr;
  }
  Operation *user = *value.user_begin();
  return isa<IE::ReluOp, IE::LeakyReluOp, IE::ClipOp>(user) ? user : nullptr;
}

namespace nacre::IE {

/// Makes the plan of one function.
class QuantizationPlanner {
public:
  QuantizationPlanner(func::FuncOp function, QuantizationPlan &plan,
                      const KnownRanges &ranges, const PlanOptions &options)
      : function(function), plan(plan), ranges(ranges), options(options),
        rules(function, options.keep) {}

  LogicalResult run();

private:
  void visitBoundary();
  void addBoundary(Value value, std::optional<unsigned> result, bool isState);
  std::string findRule(Operation *op) const;
  void visit(QuantizableOpInterface op);
  void visitProduct(QuantizableOpInterface op);
  void visitArithmetic(Operation *op);
  std::string findObstacle(Value source, Operation *user);
  std::string demandAll(OperandRange operands, QuantizationDemand demand);
  LogicalResult reportMissing();
  FailureOr<QuantizedValue> choose(Value source) const;

  func::FuncOp function;
  QuantizationPlan &plan;
  const KnownRanges &ranges;
  const PlanOptions &options;
  KeepRules rules;
  llvm::SetVector<Value> values;
  /// Those of them that are of 16 bits because an override says so.
  llvm::DenseSet<Value> wideValues;
  /// Values without a range, and what reads them.
  llvm::DenseMap<Value, Operation *> missing;
};

} // namespace nacre::IE

/// Why a value must stay a float; empty where it need not.
std::string IE::QuantizationPlanner::findObstacle(Value source,
                                                  Operation *user) {
  StringRef key = plan.keys.get(source);
  if (key.empty()) {
    return "its input is a constant, or no f32";
  }
  if (ranges.findOverride(key)) {
    return "";
  }
  const ValueProfile *profile = ranges.find(key);
  if (!profile) {
    missing[source] = user;
    return "no range is known of its input";
  }
  constexpr float kHuge = 1e30f;
  std::string name = "'" + key.str() + "' ";
  if (profile->nans > 0 || profile->infinities > 0) {
    return name + "was infinite or not a number";
  }
  if (profile->count == 0) {
    return name + "has no elements";
  }
  return profile->low > -kHuge && profile->high < kHuge
             ? ""
             : name + "was beyond 1e30, as masks are";
}

/// Quantizes all of the operands, if that can be; gives the reason if not.
std::string IE::QuantizationPlanner::demandAll(OperandRange operands,
                                               IE::QuantizationDemand demand) {
  for (Value operand : operands) {
    demand.sources.push_back(findQuantizedSource(operand));
  }
  for (Value source : demand.sources) {
    std::string obstacle = findObstacle(source, demand.op);
    if (!obstacle.empty()) {
      return obstacle;
    }
  }
  values.insert_range(demand.sources);
  plan.demands.push_back(std::move(demand));
  return "";
}

void IE::QuantizationPlanner::visitProduct(IE::QuantizableOpInterface op) {
  std::string &obstacle = plan.obstacles[op];
  std::optional<LinearOperands> operands = op.getLinearOperands();
  bool multipliesValues =
      options.multipliesValues && operands && isProductOfValues(op);
  obstacle = multipliesValues ? "" : findFormObstacle(operands, "on integers");
  if (!obstacle.empty()) {
    return;
  }
  const Override *override = ranges.findPrecision(getNodeName(op));
  bool isWide = override && override->precision == "int16";
  obstacle =
      demandAll(op->getOperands().slice(operands->input->getOperandNumber(),
                                        multipliesValues ? 2 : 1),
                {op, {}, {}, isWide, multipliesValues});
  if (obstacle.empty() && isWide) {
    wideValues.insert_range(plan.demands.back().sources);
  }
}

void IE::QuantizationPlanner::visitArithmetic(Operation *op) {
  // Tensors that broadcast are not for the engine.
  if (op->getNumOperands() != 1 && !llvm::all_equal(op->getOperandTypes())) {
    return;
  }
  QuantizationDemand demand{op, {op->getResult(0)}, {}};
  if (Operation *limit = getLimit(op->getResult(0))) {
    demand.results.push_back(limit->getResult(0));
  }
  // What sums make for 16 bits they make of floats: bytes would lose what the
  // override asks for.
  if (llvm::any_of(demand.results, [&](Value result) {
        return values.contains(result) && !wideValues.contains(result);
      })) {
    demandAll(op->getOperands(), std::move(demand));
  }
}

/// What the user has said that keeps an op f32; empty where nothing does.
std::string IE::QuantizationPlanner::findRule(Operation *op) const {
  const Override *kept = ranges.findPrecision(getNodeName(op));
  if (kept && kept->precision == "f32") {
    return "an override keeps '" + kept->node + "' f32" +
           (kept->why.empty() ? "" : ": " + kept->why);
  }
  return rules.find(op);
}

/// Adds what `op` needs quantized. All that uses its result has been visited.
void IE::QuantizationPlanner::visit(IE::QuantizableOpInterface op) {
  QuantizableKind kind = op.getQuantizableKind();
  if (kind == QuantizableKind::Carries) {
    return;
  }
  std::string rule = findRule(op);
  if (!rule.empty()) {
    plan.obstacles[op] = rule;
  } else if (kind == QuantizableKind::Linear) {
    visitProduct(op);
  } else {
    visitArithmetic(op);
  }
}

void IE::QuantizationPlanner::addBoundary(Value value,
                                          std::optional<unsigned> result,
                                          bool isState) {
  Value source = findQuantizedSource(value);
  // Integers of the model, and constants.
  if (plan.keys.get(source).empty()) {
    return;
  }
  Operation *reader = function.getBody().front().getTerminator();
  std::string obstacle =
      isState ? "it is a state" : findObstacle(source, reader);
  if (obstacle.empty()) {
    values.insert(source);
  }
  plan.boundary.push_back({value, result, source, std::move(obstacle)});
}

/// Adds what the function takes and gives, as far as options ask for that.
void IE::QuantizationPlanner::visitBoundary() {
  llvm::SmallDenseSet<int64_t> states;
  for (BlockArgument argument : function.getArguments()) {
    auto state =
        abi::getOfArgument<abi::State>(function, argument.getArgNumber());
    if (state) {
      states.insert(state.getInt());
    }
    if (options.quantizesInputs && !argument.use_empty()) {
      addBoundary(argument, std::nullopt, static_cast<bool>(state));
    }
  }
  if (!options.quantizesOutputs) {
    return;
  }
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    addBoundary(operand.get(), number, states.contains(number));
  }
}

/// Fails, after an error about the first of them, where ranges are missing.
LogicalResult IE::QuantizationPlanner::reportMissing() {
  for (Value value : plan.keys.getValues()) {
    if (Operation *user = missing.lookup(value)) {
      return user->emitError("'")
             << ranges.getPath() << "' knows no range of value '"
             << plan.keys.get(value)
             << "', which this op reads: it was measured on another model";
    }
  }
  return success();
}

FailureOr<IE::QuantizedValue>
IE::QuantizationPlanner::choose(Value source) const {
  StringRef key = plan.keys.get(source);
  std::optional<quantization::Range> known = ranges.findOverride(key);
  auto findRange = [&](const CalibrationOptions &calibration) {
    return known ? *known : calibrate(*ranges.find(key), calibration);
  };
  CalibrationOptions wide = options.calibration;
  wide.type = ActivationType::Int16;
  bool isWide = wideValues.contains(source);
  bool hasWideRange = known || wide.calibrator != Calibrator::Entropy;
  if (isWide && !hasWideRange) {
    return emitError(source.getLoc(), "'")
           << key << "' has 16 bits by an override of '" << ranges.getPath()
           << "', which the calibrator entropy has no ranges for: use mse, "
              "minmax or percentile";
  }
  QuantizedValue result;
  if (options.findsWideRanges && hasWideRange) {
    result.wideRange = findRange(wide);
  }
  const CalibrationOptions &used = isWide ? wide : options.calibration;
  result.range = findRange(used);
  result.parameters = getParameters(result.range, used.schema, used.type);
  return result;
}

LogicalResult IE::QuantizationPlanner::run() {
  visitBoundary();
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    if (auto quantizable = dyn_cast<QuantizableOpInterface>(op)) {
      visit(quantizable);
    }
  }
  if (failed(reportMissing())) {
    return failure();
  }
  for (Value source : values) {
    FailureOr<QuantizedValue> chosen = choose(source);
    if (failed(chosen)) {
      return failure();
    }
    plan.values[source] = *chosen;
  }
  return success();
}

FailureOr<IE::QuantizationPlan>
IE::QuantizationPlan::make(func::FuncOp function, const KnownRanges &ranges,
                           const PlanOptions &options) {
  QuantizationPlan plan(function);
  if (failed(KeepRules::verify(function, options.keep)) ||
      failed(QuantizationPlanner(function, plan, ranges, options).run())) {
    return failure();
  }
  return plan;
}

StringRef IE::QuantizationPlan::getObstacle(Operation *op) const {
  auto it = obstacles.find(op);
  return it == obstacles.end() ? "an op of its kind computes floats"
                               : StringRef(it->second);
}
