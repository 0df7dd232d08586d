//===- CalibratorChoice.cpp - Which calibrator is best --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model is compiled once for each shape of samples, with dynamic
// quantization parameters. Each sample is run in f32 and with the ranges of
// each calibrator.
//
//===----------------------------------------------------------------------===//

#include "CalibratorChoice.h"
#include "CalibratorComparison.h"
#include "CalibratorOption.h"
#include "RangeFiles.h"
#include "Repairs.h"
#include "SimulatedModel.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/Support/Format.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

static constexpr double kGiga = 1e9;

/// For how many shapes of samples the model is compiled where nobody has asked
/// for it.
static constexpr size_t kMostGroups = 8;

namespace {

/// The model compiled for samples of the same shapes, and what its quantization
/// reads for each calibrator.
class CalibratedModel {
public:
  CalibratedModel(const SampleSet &samples, const RunLimit &limit)
      : tried(listCalibrators(samples.getArguments())), limit(limit) {}

  /// Compiles the model. Prints errors, but none for an obstacle.
  ExitCode prepare(const SampleSet &samples, StringRef path,
                   ArrayRef<size_t> group) {
    return model.prepare(samples, path, group,
                         [&](ModuleOp module) { return makePlans(module); });
  }
  /// Why nothing was compiled, if so.
  StringRef getObstacle() const { return obstacle; }

  /// Adds what each calibrator that has a range for each value does to the
  /// outputs of these samples. Prints errors.
  LogicalResult run(const SampleSet &samples, ArrayRef<size_t> group,
                    CalibratorComparison &comparison);

private:
  LogicalResult makePlans(ModuleOp module);

  std::vector<NamedCalibrator> tried;
  const RunLimit &limit;
  SimulatedModel model{SimulatedModel::Numbers::Quantization};
  std::string obstacle;
  double macs = 0; // of all runs on a sample
  SmallVector<float> floats;
  std::vector<SmallVector<float>> integers; // of each calibrator
};

} // namespace

LogicalResult CalibratedModel::makePlans(ModuleOp module) {
  const IE::QuantizeOptions &options = *model.getSession().getQuantization();
  FailureOr<PlanInputs> planInputs = PlanInputs::read(module, options);
  if (failed(planInputs)) {
    return failure();
  }
  bool quantizes = false;
  for (NamedCalibrator named : tried) {
    planInputs->options.calibration.calibrator = named.second;
    FailureOr<IE::QuantizationPlan> plan = planInputs->makePlan();
    if (failed(plan)) {
      return failure();
    }
    quantizes |= !plan->getValues().empty();
    floats = getNumbers(*plan, /*isQuantized=*/false);
    integers.push_back(getNumbers(*plan, /*isQuantized=*/true));
  }
  func::FuncOp function = planInputs->function;
  function.walk([&](Operation *op) { macs += countMACs(op).value_or(0); });
  macs *= static_cast<double>(1 + tried.size());
  llvm::raw_string_ostream os(obstacle);
  if (!quantizes) {
    os << "finds nothing to quantize";
  } else if (llvm::none_of(function.getResultTypes(), isTensorOfFloats)) {
    os << "finds no output of floats to compare";
  } else if (limit.isExceeded(macs)) {
    os << "takes " << llvm::format("%.0f", macs / kGiga)
       << " G multiply-accumulates a sample";
  }
  return success(obstacle.empty());
}

LogicalResult CalibratedModel::run(const SampleSet &samples,
                                   ArrayRef<size_t> group,
                                   CalibratorComparison &comparison) {
  comparison.begin(tried);
  for (size_t run : limit.choose(group, macs)) {
    FailureOr<SimulatedModel::Inputs> inputs = model.read(samples, run);
    SmallVector<Datum> expected;
    if (failed(inputs) || failed(model.run(*inputs, floats, expected))) {
      return failure();
    }
    for (auto [i, numbers] : llvm::enumerate(integers)) {
      SmallVector<Datum> found;
      if (failed(model.run(*inputs, numbers, found))) {
        return failure();
      }
      comparison.add(i, expected, found);
    }
    comparison.addRun();
  }
  return success();
}

/// Some of the groups, evenly spaced, or all.
static std::vector<SampleSet::Group> chooseGroups(const SampleSet &samples,
                                                  bool isWhole) {
  ArrayRef<SampleSet::Group> all = samples.getGroups();
  size_t wanted = isWhole ? all.size() : std::min(all.size(), kMostGroups);
  std::vector<SampleSet::Group> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    chosen.push_back(all[i * all.size() / wanted]);
  }
  return chosen;
}

/// Tries all calibrators on samples. Prints errors, but none for an obstacle.
static ExitCode tryCalibrators(const SampleSet &samples, StringRef model,
                               bool isWhole, CalibratorComparison &comparison,
                               std::string &obstacle) {
  std::vector<SampleSet::Group> groups = chooseGroups(samples, isWhole);
  size_t numRuns = 0;
  for (const SampleSet::Group &group : groups) {
    numRuns += group.size();
  }
  RunLimit limit(numRuns, isWhole);
  for (const SampleSet::Group &group : groups) {
    CalibratedModel calibrated(samples, limit);
    ExitCode status = calibrated.prepare(samples, model, group);
    obstacle = calibrated.getObstacle().str();
    if (!obstacle.empty()) {
      return ExitCode::Success;
    }
    if (status != ExitCode::Success) {
      return status;
    }
    if (failed(calibrated.run(samples, group, comparison))) {
      return ExitCode::BadInput;
    }
  }
  return ExitCode::Success;
}

ExitCode driver::measureCalibrators(const Arguments &arguments, StringRef model,
                                    StringRef shown) {
  ExitCode status = ExitCode::Success;
  // The graph as it is: what else is measured comes after the ranges.
  Arguments plain = withoutRepairs(arguments.without(getInspectionNames()))
                        .without(StringRef("--calibrator"));
  if (correctsBiasesExactly(arguments)) {
    plain = plain.without(StringRef("--bias-correction"));
  }
  FailureOr<SampleSet> samples = SampleSet::find(plain, model, status);
  if (failed(samples)) {
    return status;
  }
  bool isAsked = measuresCalibrator(arguments);
  llvm::raw_ostream &os = shown == "-" ? llvm::errs() : llvm::outs();
  CalibratorComparison comparison;
  std::string obstacle;
  status = tryCalibrators(*samples, model, isAsked, comparison, obstacle);
  if (status != ExitCode::Success) {
    return status;
  }
  if (!obstacle.empty() && !isAsked) {
    os << shown << ": calibrator " << getName(CalibrationOptions().calibrator)
       << ": trying others " << obstacle << "\n";
    return ExitCode::Success;
  }
  if (!obstacle.empty()) {
    printError() << "--calibrator=measured " << obstacle << " in '" << model
                 << "': name a calibrator\n";
    return ExitCode::BadInput;
  }
  CalibratorTrials trials = comparison.describe(arguments);
  if (isAsked) {
    os << shown << ": the best calibrator is " << trials.findBest() << "\n";
  } else {
    printCalibratorChoice(shown, trials, os);
  }
  std::optional<CalibratorTrials> kept =
      isAsked ? std::optional(std::move(trials))
              : keepClearChoice(std::move(trials));
  if (!kept) {
    return ExitCode::Success;
  }
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  profile->calibrators = std::move(kept);
  return succeeded(writeRangeFile(std::move(*profile), path, path))
             ? ExitCode::Success
             : ExitCode::BadInput;
}
