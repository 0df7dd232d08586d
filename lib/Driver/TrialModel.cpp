//===- TrialModel.cpp - Many quantizations of one compiled model ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialModel.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Dialect/IE/Transforms/SimulateQuantization.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

TrialPlan::TrialPlan(const IE::QuantizationPlan &plan,
                     const CalibrationOptions &options)
    : options(options) {
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  for (const auto &[value, quantized] : plan.getValues()) {
    numbers[value] = values.size();
    values.push_back({plan.getKeys().get(value).str(), quantized.range,
                      quantized.wideRange});
  }
  for (const IE::BoundaryValue &boundary : plan.getBoundary()) {
    if (boundary.obstacle.empty()) {
      boundaryValues.push_back(numbers.lookup(boundary.source));
    }
  }
  llvm::StringMap<unsigned> groupNumbers;
  for (const IE::QuantizationDemand &demand : plan.getDemands()) {
    Demand &own = demands.emplace_back();
    own.isWide = demand.isWide;
    for (mlir::Value source : demand.sources) {
      own.sources.push_back(numbers.lookup(source));
    }
    for (mlir::Value result : demand.results) {
      if (auto it = numbers.find(result); it != numbers.end()) {
        own.results.push_back(it->second);
      }
    }
    if (!demand.isProduct() && !demand.multipliesValues) {
      continue;
    }
    StringRef node = IE::getNodeName(demand.op);
    auto [it, isNew] = groupNumbers.try_emplace(node, groups.size());
    if (isNew) {
      groups.push_back({node.str()});
    }
    own.group = it->second;
    Group &group = groups[it->second];
    group.macs += countProduct(demand.op)->value_or(0);
    if (demand.multipliesValues) {
      continue;
    }
    groupOf.push_back(it->second);
    auto product = cast<IE::QuantizableOpInterface>(demand.op);
    group.weightBytes += static_cast<double>(countBytes(cast<RankedTensorType>(
        product.getLinearOperands()->weights->get().getType())));
  }
}

Parameters TrialPlan::getParameters(const Value &value, double factor,
                                    bool isWide) const {
  if (!isWide) {
    return quantization::getParameters(narrow(value.range, factor),
                                       options.schema, options.type);
  }
  // An override of the range is that of either type.
  quantization::Range range = factor == 1 && value.wideRange
                                  ? *value.wideRange
                                  : narrow(value.range, factor);
  return quantization::getParameters(range, options.schema,
                                     ActivationType::Int16);
}

Trial TrialPlan::getTrial(bool onIntegers) const {
  auto numGroups = static_cast<unsigned>(groups.size());
  return {llvm::BitVector(numGroups, onIntegers), llvm::BitVector(numGroups),
          std::vector<double>(values.size(), 1)};
}

SmallVector<float> TrialPlan::getNumbers(const Trial &trial) const {
  llvm::BitVector isQuantized(values.size()), isWide(values.size());
  // The model as it is has floats there, too.
  if (trial.onIntegers.any()) {
    for (unsigned value : boundaryValues) {
      isQuantized.set(value);
    }
  }
  for (const Demand &demand : demands) {
    bool isNeeded =
        demand.group
            ? trial.onIntegers.test(*demand.group)
            : llvm::any_of(demand.results, [&](unsigned result) {
                return isQuantized.test(result) && !isWide.test(result);
              });
    if (!isNeeded) {
      continue;
    }
    bool needsWide =
        demand.isWide || (demand.group && trial.wide.test(*demand.group));
    for (unsigned source : demand.sources) {
      isQuantized.set(source);
      if (needsWide) {
        isWide.set(source);
      }
    }
  }
  SmallVector<float> numbers;
  for (auto [i, value] : llvm::enumerate(values)) {
    std::optional<Parameters> parameters;
    if (isQuantized.test(i)) {
      parameters = getParameters(value, trial.factors[i], isWide.test(i));
    }
    IE::appendSimulation(numbers, parameters);
  }
  for (unsigned product = 0; product < groupOf.size(); ++product) {
    numbers.push_back(trial.onIntegers.test(groupOf[product]) ? 1 : 0);
  }
  return numbers;
}

LogicalResult TrialModel::makePlan(ModuleOp module) {
  const IE::QuantizeOptions &options = *model.getSession().getQuantization();
  FailureOr<PlanInputs> planInputs = PlanInputs::read(module, options);
  if (failed(planInputs)) {
    return failure();
  }
  planInputs->options.findsWideRanges = true;
  CalibrationOptions &calibration = planInputs->options.calibration;
  if (calibrators.empty()) {
    calibrators.emplace_back(getName(calibration.calibrator),
                             calibration.calibrator);
  }
  bool isQuantized = false;
  FailureOr<IE::QuantizationPlan> made = failure();
  for (NamedCalibrator named : calibrators) {
    calibration.calibrator = named.second;
    made = planInputs->makePlan();
    if (failed(made)) {
      return failure();
    }
    isQuantized |= !made->getValues().empty();
    plans.emplace_back(*made, calibration);
  }
  func::FuncOp function = planInputs->function;
  tried = TriedModel::read(function, isQuantized);
  repaired = !IE::getRepairs(function).empty();
  for (Operation &op : function.getOps()) {
    std::optional<std::optional<double>> macs = countProduct(&op);
    if (macs && !made->getObstacle(&op).empty()) {
      floatMACs += macs->value_or(0);
    }
  }
  return success();
}

std::optional<double> TrialModel::estimateMilliseconds(double floatMACs,
                                                       double integerMACs) {
  Session &session = model.getSession();
  auto arch = VPU::ArchAttr::lookup(session.getModule());
  if (!arch) {
    return std::nullopt;
  }
  Builder builder(&session.getContext());
  Type f32 = builder.getF32Type(), i8 = builder.getI8Type();
  auto perCycle = [&](Type type) {
    return static_cast<double>(
        arch.getVectorMacsPerCycle(type, arch.getPack(type)));
  };
  double cycles = floatMACs / perCycle(f32) + integerMACs / perCycle(i8);
  constexpr double kCyclesPerMsOfMHz = 1e3;
  return cycles / (static_cast<double>(arch.getClockMHz()) * kCyclesPerMsOfMHz *
                   static_cast<double>(session.getThreads()));
}

ExitCode TrialModel::prepare(const SampleSet &samples, StringRef path,
                             const SampleSet::Group &group) {
  return model.prepareWithInputs(
      samples, path, group, [&](ModuleOp module) { return makePlan(module); },
      inputs);
}

LogicalResult TrialModel::run(const Trial &trial, size_t number,
                              SmallVectorImpl<Datum> &outputs) {
  return model.run(inputs[number], getPlan().getNumbers(trial), outputs);
}

ExitCode TrialModels::prepare(const Arguments &arguments, StringRef model,
                              ArrayRef<NamedCalibrator> wanted) {
  calibrators = llvm::to_vector(wanted);
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples = SampleSet::find(arguments, model, status);
  if (failed(samples)) {
    return status;
  }
  runs.resize(samples->getNumRuns());
  for (const SampleSet::Group &group : samples->getGroups()) {
    models.push_back(std::make_unique<TrialModel>(calibrators));
    status = models.back()->prepare(*samples, model, group);
    if (status != ExitCode::Success) {
      return status;
    }
    samples->endInspection();
    for (auto [i, run] : llvm::enumerate(group)) {
      runs[run] = {models.back().get(), i};
    }
  }
  return ExitCode::Success;
}

void TrialModels::use(StringRef calibrator) {
  const auto *found = llvm::find_if(calibrators, [&](NamedCalibrator named) {
    return named.first == calibrator;
  });
  for (const auto &model : models) {
    model->use(found - calibrators.begin());
  }
}

std::vector<size_t> TrialModels::getSizes() const {
  std::vector<size_t> sizes;
  for (const auto &model : models) {
    sizes.push_back(model->getNumRuns());
  }
  return sizes;
}

ExitCode TrialModels::begin(size_t group, FindObstacle findObstacle,
                            std::string &obstacle) {
  begun = models[group].get();
  obstacle = findObstacle(begun->getTriedModel());
  return ExitCode::Success;
}

LogicalResult TrialModels::run(size_t number, std::optional<size_t> calibrator,
                               SmallVectorImpl<Datum> &outputs) {
  begun->use(calibrator.value_or(0));
  Trial trial = begun->getPlan().getTrial(calibrator.has_value());
  return begun->run(trial, number, outputs);
}

LogicalResult TrialModels::run(const Trial &trial,
                               std::vector<Outputs> &outputs) {
  for (auto [of, number] : runs) {
    if (failed(of->run(trial, number, outputs.emplace_back()))) {
      return failure();
    }
  }
  return success();
}
