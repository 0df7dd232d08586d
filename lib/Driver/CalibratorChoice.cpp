//===- CalibratorChoice.cpp - Which calibrator is best --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model is compiled once for each shape of samples, with rounding that a
// run decides. Each sample is run in f32 and with the ranges of each
// calibrator.
//
//===----------------------------------------------------------------------===//

#include "CalibratorChoice.h"
#include "RangeFiles.h"
#include "Repairs.h"
#include "SimulatedModel.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Quantization/Distortion.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

/// What is tried, by name: of equally good ones the first counts.
static constexpr std::pair<StringLiteral, Calibrator> kCalibrators[] = {
    {"mse", Calibrator::MSE},
    {"minmax", Calibrator::MinMax},
    {"percentile", Calibrator::Percentile},
    {"entropy", Calibrator::Entropy}};

namespace {

/// The model compiled for samples of the same shapes, and what its quantization
/// reads for each calibrator.
class CalibratedModel {
public:
  /// Compiles the model and reads the inputs. Prints errors.
  ExitCode prepare(const SampleSet &samples, StringRef path,
                   ArrayRef<size_t> runs) {
    return model.prepare(samples, path, runs,
                         [&](ModuleOp module) { return makePlans(module); });
  }

  /// Names of calibrators that have a range for each value.
  ArrayRef<StringRef> getNames() const { return names; }
  /// Adds the distortion of each output by each calibrator. Prints errors.
  LogicalResult run(std::vector<std::vector<Distortion>> &distortions);

private:
  LogicalResult makePlans(ModuleOp module);

  SimulatedModel model{SimulatedModel::Numbers::Quantization};
  SmallVector<StringRef> names;
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
  for (const auto &[name, calibrator] : kCalibrators) {
    if (calibrator == Calibrator::Entropy &&
        options.activations == ActivationType::Int16) {
      continue;
    }
    planInputs->options.calibration.calibrator = calibrator;
    FailureOr<IE::QuantizationPlan> plan = planInputs->makePlan();
    if (failed(plan)) {
      return failure();
    }
    names.push_back(name);
    floats = getNumbers(*plan, /*isQuantized=*/false);
    integers.push_back(getNumbers(*plan, /*isQuantized=*/true));
  }
  return success();
}

/// Adds the elements that are f32, output by output.
static void add(std::vector<Distortion> &distortions, ArrayRef<Datum> expected,
                ArrayRef<Datum> found) {
  distortions.resize(expected.size());
  for (auto [distortion, wanted, datum] :
       llvm::zip_equal(distortions, expected, found)) {
    if (!wanted.isTensor() || !datum.isTensor() ||
        !wanted.getTensor().getElementType().isF32()) {
      continue;
    }
    ArrayRef<float> numbers = wanted.getTensor().values<float>();
    ArrayRef<float> others = datum.getTensor().values<float>();
    if (numbers.size() == others.size()) {
      distortion.add(numbers, others);
    }
  }
}

LogicalResult
CalibratedModel::run(std::vector<std::vector<Distortion>> &distortions) {
  distortions.resize(names.size());
  for (size_t run = 0; run < model.getNumRuns(); ++run) {
    SmallVector<Datum> expected;
    if (failed(model.run(run, floats, expected))) {
      return failure();
    }
    for (auto [numbers, sums] : llvm::zip_equal(integers, distortions)) {
      SmallVector<Datum> found;
      if (failed(model.run(run, numbers, found))) {
        return failure();
      }
      add(sums, expected, found);
    }
  }
  return success();
}

ExitCode driver::measureCalibrators(const Arguments &arguments,
                                    StringRef model) {
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
  std::vector<std::vector<Distortion>> distortions;
  SmallVector<StringRef> names;
  for (const SampleSet::Group &group : samples->getGroups()) {
    CalibratedModel calibrated;
    status = calibrated.prepare(*samples, model, group);
    if (status != ExitCode::Success) {
      return status;
    }
    if (failed(calibrated.run(distortions))) {
      return ExitCode::BadInput;
    }
    names.assign(calibrated.getNames().begin(), calibrated.getNames().end());
  }
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  // Outputs that are exact have infinitely many decibels.
  constexpr double kMost = 300;
  profile->calibrators.clear();
  for (auto [name, sums] : llvm::zip_equal(names, distortions)) {
    profile->calibrators.push_back(
        {name.str(), std::clamp(getWorstDecibels(sums), -kMost, kMost)});
  }
  llvm::outs() << path << ": the best calibrator is "
               << profile->findBestCalibrator() << "\n";
  return succeeded(writeRangeFile(std::move(*profile), path, path))
             ? ExitCode::Success
             : ExitCode::BadInput;
}
