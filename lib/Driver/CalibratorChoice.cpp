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

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Quantization/Calibrators.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

namespace {

/// The model compiled for samples of the same shapes, and what its quantization
/// reads for each calibrator.
class CalibratedModel {
public:
  using FindObstacle = CalibratorRuns::FindObstacle;

  /// Compiles the model unless something is in the way. Prints errors.
  ExitCode prepare(const SampleSet &samples, StringRef path,
                   ArrayRef<size_t> group, ArrayRef<NamedCalibrator> tried,
                   FindObstacle findObstacle, std::string &obstacle);

  FailureOr<SimulatedModel::Inputs> read(const SampleSet &samples, size_t run) {
    return model.read(samples, run);
  }
  /// The outputs with the ranges of a calibrator, or in f32.
  LogicalResult run(ArrayRef<Datum> inputs, std::optional<size_t> calibrator,
                    SmallVectorImpl<Datum> &outputs) {
    return model.run(inputs, calibrator ? integers[*calibrator] : floats,
                     outputs);
  }

private:
  /// Makes the plan of each calibrator.
  FailureOr<TriedModel> makePlans(ModuleOp module,
                                  ArrayRef<NamedCalibrator> tried);

  SimulatedModel model{SimulatedModel::Numbers::Quantization};
  SmallVector<float> floats;
  std::vector<SmallVector<float>> integers; // of each calibrator
};

/// The models of all groups, of which one is there at a time.
class CalibratedModels : public CalibratorRuns {
public:
  CalibratedModels(const SampleSet &samples, StringRef path)
      : samples(samples), path(path),
        tried(listCalibrators(samples.getArguments())) {}

  ArrayRef<NamedCalibrator> getCalibrators() const override { return tried; }
  std::vector<size_t> getSizes() const override;
  ExitCode begin(size_t number, FindObstacle findObstacle,
                 std::string &obstacle) override;
  LogicalResult run(size_t number, std::optional<size_t> calibrator,
                    SmallVectorImpl<Datum> &outputs) override;

private:
  const SampleSet &samples;
  StringRef path;
  std::vector<NamedCalibrator> tried;
  ArrayRef<size_t> group;
  std::optional<CalibratedModel> model;
  /// Of the run that was the last one.
  std::optional<size_t> lastRun;
  SimulatedModel::Inputs inputs;
};

} // namespace

FailureOr<TriedModel>
CalibratedModel::makePlans(ModuleOp module, ArrayRef<NamedCalibrator> tried) {
  const IE::QuantizeOptions &options = *model.getSession().getQuantization();
  FailureOr<PlanInputs> planInputs = PlanInputs::read(module, options);
  if (failed(planInputs)) {
    return failure();
  }
  bool isQuantized = false;
  for (NamedCalibrator named : tried) {
    planInputs->options.calibration.calibrator = named.second;
    FailureOr<IE::QuantizationPlan> plan = planInputs->makePlan();
    if (failed(plan)) {
      return failure();
    }
    isQuantized |= !plan->getValues().empty();
    floats = getNumbers(*plan, /*isQuantized=*/false);
    integers.push_back(getNumbers(*plan, /*isQuantized=*/true));
  }
  return TriedModel::read(planInputs->function, isQuantized);
}

ExitCode CalibratedModel::prepare(const SampleSet &samples, StringRef path,
                                  ArrayRef<size_t> group,
                                  ArrayRef<NamedCalibrator> tried,
                                  FindObstacle findObstacle,
                                  std::string &obstacle) {
  ExitCode status = model.prepare(
      samples, path, group, [&](ModuleOp module) -> LogicalResult {
        FailureOr<TriedModel> found = makePlans(module, tried);
        if (failed(found)) {
          return failure();
        }
        obstacle = findObstacle(*found);
        return success(obstacle.empty());
      });
  return obstacle.empty() ? status : ExitCode::Success;
}

std::vector<size_t> CalibratedModels::getSizes() const {
  std::vector<size_t> sizes;
  for (const SampleSet::Group &group : samples.getGroups()) {
    sizes.push_back(group.size());
  }
  return sizes;
}

ExitCode CalibratedModels::begin(size_t number, FindObstacle findObstacle,
                                 std::string &obstacle) {
  group = samples.getGroups()[number];
  lastRun.reset();
  inputs.clear(); // of the model that goes
  model.emplace();
  return model->prepare(samples, path, group, tried, findObstacle, obstacle);
}

LogicalResult CalibratedModels::run(size_t number,
                                    std::optional<size_t> calibrator,
                                    SmallVectorImpl<Datum> &outputs) {
  if (lastRun != number) {
    FailureOr<SimulatedModel::Inputs> read =
        model->read(samples, group[number]);
    if (failed(read)) {
      return failure();
    }
    inputs = std::move(*read);
    lastRun = number;
  }
  return model->run(inputs, calibrator, outputs);
}

ExitCode driver::measureCalibrators(const Arguments &arguments, StringRef model,
                                    std::string &found) {
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
  CalibratedModels models(*samples, model);
  CalibratorFindings findings;
  status = tryCalibrators(models, arguments, findings);
  if (status != ExitCode::Success) {
    return status;
  }
  bool isAsked = measuresCalibrator(arguments);
  if (isAsked && !findings.trials) {
    printError() << "--calibrator=measured " << findings.obstacle << " in '"
                 << model << "': name a calibrator\n";
    return ExitCode::BadInput;
  }
  found = isAsked
              ? "the best calibrator is " + findings.trials->findBest().str()
              : findings.describe();
  std::optional<CalibratorTrials> kept =
      isAsked ? findings.trials : keepClearChoice(findings.trials);
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
