//===- BiasCorrection.cpp - What biases make up for, by runs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model is compiled once for each shape of samples, with rounding and
// biases as inputs. A run gives the means of all channels; those of
// the products that are corrected next count.
//
//===----------------------------------------------------------------------===//

#include "BiasCorrection.h"
#include "RangeFiles.h"
#include "SimulatedModel.h"

#include "nacre/Dialect/IE/Transforms/BiasCorrection.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

/// How many runs show means, at most: each product takes as many.
static constexpr size_t kNumRuns = 32;

namespace {

/// The model compiled for runs of the same shapes.
class MeanModel {
public:
  /// Compiles the model and reads the inputs. Prints errors.
  ExitCode prepare(const SampleSet &samples, StringRef model,
                   ArrayRef<size_t> runs);
  /// Adds the means of channels to `sums`, for each run. Prints errors.
  LogicalResult run(bool isQuantized, ArrayRef<float> addends,
                    MutableArrayRef<double> sums);

  size_t getNumRuns() const { return inputs.size(); }
  ArrayRef<IE::BiasOfProduct> getBiases() const { return biases; }
  /// What the corrections are of, without any.
  const BiasCorrections &getIdentity() const { return identity; }

private:
  LogicalResult makePlan(ModuleOp module);

  SimulatedModel model{SimulatedModel::Numbers::QuantizationAndBiases};
  std::vector<SimulatedModel::Inputs> inputs; // of each run
  std::vector<IE::BiasOfProduct> biases;
  BiasCorrections identity;
  /// What of the input that says how to quantize is before the biases.
  SmallVector<float> floats, integers;
};

class BiasMeasurement {
public:
  ExitCode prepare(const SampleSet &samples, StringRef model);
  /// Prints errors.
  ExitCode run();
  BiasCorrections getCorrections() const;

private:
  FailureOr<std::vector<double>> measure(bool isQuantized);
  ArrayRef<IE::BiasOfProduct> getBiases() const {
    return models.front()->getBiases();
  }

  std::vector<std::unique_ptr<MeanModel>> models;
  /// Of all channels of all products.
  std::vector<float> addends;
};

} // namespace

LogicalResult MeanModel::makePlan(ModuleOp module) {
  const IE::QuantizeOptions &options = *model.getSession().getQuantization();
  FailureOr<PlanInputs> planInputs = PlanInputs::read(module, options);
  if (failed(planInputs)) {
    return failure();
  }
  FailureOr<IE::QuantizationPlan> plan = planInputs->makePlan();
  if (failed(plan)) {
    return failure();
  }
  biases = IE::findBiases(planInputs->function, *plan);
  identity.plan = IE::getPlanDigest(*plan, IE::ConstantOptions::read(options));
  identity.weights = IE::getWeightsDigest(*plan);
  floats = getNumbers(*plan, /*isQuantized=*/false);
  integers = getNumbers(*plan, /*isQuantized=*/true);
  return success();
}

ExitCode MeanModel::prepare(const SampleSet &samples, StringRef path,
                            ArrayRef<size_t> runs) {
  return model.prepareWithInputs(
      samples, path, runs, [&](ModuleOp module) { return makePlan(module); },
      inputs);
}

LogicalResult MeanModel::run(bool isQuantized, ArrayRef<float> addends,
                             MutableArrayRef<double> sums) {
  SmallVector<float> numbers(isQuantized ? integers : floats);
  llvm::append_range(numbers, addends);
  for (const SimulatedModel::Inputs &run : inputs) {
    SmallVector<Datum> outputs;
    if (failed(model.run(run, numbers, outputs))) {
      return failure();
    }
    ArrayRef<float> means = outputs.back().getTensor().values<float>();
    for (auto [sum, mean] : llvm::zip_equal(sums, means)) {
      sum += static_cast<double>(mean);
    }
  }
  return success();
}

ExitCode BiasMeasurement::prepare(const SampleSet &samples, StringRef model) {
  for (const SampleSet::Group &group : samples.getGroups()) {
    ArrayRef<size_t> runs =
        ArrayRef(group).take_while([](size_t run) { return run < kNumRuns; });
    if (runs.empty()) {
      continue;
    }
    models.push_back(std::make_unique<MeanModel>());
    ExitCode status = models.back()->prepare(samples, model, runs);
    if (status != ExitCode::Success) {
      return status;
    }
  }
  size_t numChannels = 0;
  for (const IE::BiasOfProduct &bias : getBiases()) {
    numChannels += bias.numChannels;
  }
  addends.resize(numChannels);
  return ExitCode::Success;
}

/// The means of all channels over all runs.
FailureOr<std::vector<double>> BiasMeasurement::measure(bool isQuantized) {
  std::vector<double> means(addends.size());
  size_t numRuns = 0;
  for (const auto &model : models) {
    if (failed(model->run(isQuantized, addends, means))) {
      return failure();
    }
    numRuns += model->getNumRuns();
  }
  for (double &mean : means) {
    mean /= static_cast<double>(numRuns);
  }
  return means;
}

ExitCode BiasMeasurement::run() {
  if (addends.empty()) {
    return ExitCode::Success;
  }
  FailureOr<std::vector<double>> expected = measure(/*isQuantized=*/false);
  if (failed(expected)) {
    return ExitCode::BadInput;
  }
  auto levels = llvm::map_range(
      getBiases(), [](const IE::BiasOfProduct &bias) { return bias.level; });
  unsigned last = *llvm::max_element(levels);
  for (unsigned level = 0; level <= last; ++level) {
    FailureOr<std::vector<double>> found = measure(/*isQuantized=*/true);
    if (failed(found)) {
      return ExitCode::BadInput;
    }
    size_t first = 0;
    for (const IE::BiasOfProduct &bias : getBiases()) {
      size_t end = first + bias.numChannels;
      for (size_t i = first; bias.level == level && i < end; ++i) {
        double missing = (*expected)[i] - (*found)[i];
        // Nothing makes up for what is no number, or of no elements.
        addends[i] =
            std::isfinite(missing) ? static_cast<float>(missing) : 0.0f;
      }
      first = end;
    }
  }
  return ExitCode::Success;
}

BiasCorrections BiasMeasurement::getCorrections() const {
  BiasCorrections result = models.front()->getIdentity();
  auto next = addends.begin();
  for (const IE::BiasOfProduct &bias : getBiases()) {
    auto end = next + bias.numChannels;
    result.products.push_back({bias.result, {next, end}});
    next = end;
  }
  return result;
}

ExitCode driver::measureBiases(const Arguments &arguments, StringRef model,
                               StringRef path) {
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples =
      SampleSet::find(arguments.without(getInspectionNames()), model, status);
  if (failed(samples)) {
    return status;
  }
  BiasMeasurement measurement;
  status = measurement.prepare(*samples, model);
  if (status == ExitCode::Success) {
    status = measurement.run();
  }
  if (status != ExitCode::Success) {
    return status;
  }
  StringRef ranges = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(ranges);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  profile->biases = measurement.getCorrections();
  return succeeded(writeRangeFile(std::move(*profile), ranges, path))
             ? ExitCode::Success
             : ExitCode::BadInput;
}
