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
#include "LayerComparison.h"
#include "RangeFiles.h"
#include "Repairs.h"
#include "SimulatedModel.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Quantization/Calibrators.h"
#include "nacre/Quantization/Distortion.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

namespace {

/// What a calibrator does to each output.
struct TriedCalibrator {
  StringRef name;
  std::vector<Distortion> outputs;
};

/// What samples of all shapes have shown.
struct CalibratorTrials {
  std::vector<TriedCalibrator> tried;
  std::vector<std::string> outputs; // their names
  bool quantizes = false;           // anything
};

/// The model compiled for samples of the same shapes, and what its quantization
/// reads for each calibrator.
class CalibratedModel {
public:
  /// Compiles the model. Prints errors.
  ExitCode prepare(const SampleSet &samples, StringRef path,
                   const SampleSet::Group &group) {
    return model.prepare(samples, path, group,
                         [&](ModuleOp module) { return makePlans(module); });
  }

  /// Adds what each calibrator that has a range for each value does to the
  /// outputs of these samples. Prints errors.
  LogicalResult run(const SampleSet &samples, const SampleSet::Group &group,
                    CalibratorTrials &trials);

private:
  LogicalResult makePlans(ModuleOp module);

  SimulatedModel model{SimulatedModel::Numbers::Quantization};
  SmallVector<StringRef> names;
  bool quantizes = false;
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
  for (const auto &[name, calibrator] : getCalibrators()) {
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
    quantizes |= !plan->getValues().empty();
    floats = getNumbers(*plan, /*isQuantized=*/false);
    integers.push_back(getNumbers(*plan, /*isQuantized=*/true));
  }
  return success();
}

static bool isOfFloats(const Datum &datum) {
  return datum.isTensor() &&
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
             datum.getTensor().getElementType());
}

/// Adds the elements that are floats, output by output.
static void add(std::vector<Distortion> &distortions, ArrayRef<Datum> expected,
                ArrayRef<Datum> found) {
  distortions.resize(expected.size());
  for (auto [distortion, wanted, datum] :
       llvm::zip_equal(distortions, expected, found)) {
    if (isOfFloats(wanted) && isOfFloats(datum) &&
        wanted.getTensor().getType() == datum.getTensor().getType()) {
      addTensors(distortion, wanted.getTensor(), datum.getTensor());
    }
  }
}

LogicalResult CalibratedModel::run(const SampleSet &samples,
                                   const SampleSet::Group &group,
                                   CalibratorTrials &trials) {
  if (trials.tried.empty()) {
    for (StringRef name : names) {
      trials.tried.push_back({name, {}});
    }
    for (const ModelTensor &output :
         model.getSession().getInterface().outputs) {
      trials.outputs.push_back(output.name);
    }
  }
  trials.quantizes |= quantizes;
  for (size_t run : group) {
    FailureOr<SimulatedModel::Inputs> inputs = model.read(samples, run);
    SmallVector<Datum> expected;
    if (failed(inputs) || failed(model.run(*inputs, floats, expected))) {
      return failure();
    }
    for (auto [numbers, calibrator] : llvm::zip_equal(integers, trials.tried)) {
      SmallVector<Datum> found;
      if (failed(model.run(*inputs, numbers, found))) {
        return failure();
      }
      add(calibrator.outputs, expected, found);
    }
  }
  return success();
}

/// Fails after an error where nothing can tell one calibrator from another.
static LogicalResult requireComparison(const CalibratorTrials &trials,
                                       StringRef model) {
  if (!trials.quantizes) {
    printError() << "--calibrator=measured finds nothing to quantize in '"
                 << model << "': leave it out\n";
    return failure();
  }
  if (llvm::any_of(trials.tried.front().outputs, [](const Distortion &output) {
        return output.getCount() > 0;
      })) {
    return success();
  }
  printError() << "--calibrator=measured finds no output of floats to compare; "
                  "there are ";
  llvm::interleaveComma(trials.outputs, llvm::errs(), [](StringRef name) {
    llvm::errs() << "'" << name << "'";
  });
  llvm::errs() << ": name a calibrator\n";
  return failure();
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
  CalibratorTrials trials;
  for (const SampleSet::Group &group : samples->getGroups()) {
    CalibratedModel calibrated;
    status = calibrated.prepare(*samples, model, group);
    if (status != ExitCode::Success) {
      return status;
    }
    if (failed(calibrated.run(*samples, group, trials))) {
      return ExitCode::BadInput;
    }
  }
  if (failed(requireComparison(trials, model))) {
    return ExitCode::BadInput;
  }
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  profile->calibrators.clear();
  for (const TriedCalibrator &calibrator : trials.tried) {
    double decibels = limitDecibels(getWorstDecibels(calibrator.outputs));
    profile->calibrators.push_back({calibrator.name.str(), decibels});
  }
  std::string best = profile->findBestCalibrator().str();
  if (failed(writeRangeFile(std::move(*profile), path, path))) {
    return ExitCode::BadInput;
  }
  llvm::outs() << path << ": the best calibrator is " << best << "\n";
  return ExitCode::Success;
}
