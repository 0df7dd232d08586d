//===- CalibratorComparison.cpp - What calibrators are worth --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibratorComparison.h"
#include "LayerComparison.h"
#include "Repairs.h"
#include "Work.h"

#include "nacre/Quantization/Calibrators.h"
#include "nacre/Quantization/Distortion.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

static constexpr double kGiga = 1e9;

/// How many multiply-accumulates all runs may take together where nobody has
/// asked for them: some seconds. It is no time, so that a choice does not
/// depend on how fast a machine is, or how busy.
static constexpr double kMostMACs = 50 * kGiga;
/// How many runs say anything.
static constexpr size_t kFewestRuns = 8;
/// How many are enough where they are small.
static constexpr size_t kMostRuns = 128;
/// For how many shapes of samples the model is compiled.
static constexpr size_t kMostGroups = 8;

/// What follows a reason that holds only where nobody has asked.
static constexpr StringRef kAskForIt =
    "; --calibrator=measured tries them all the same";

namespace {

/// How many runs count.
class RunLimit {
public:
  /// Of so many in all: each of them, or as many as are not too much work.
  RunLimit(size_t numRuns, bool isWhole) : numRuns(numRuns), isWhole(isWhole) {}

  /// Why a group is too much work, by the multiply-accumulates of all that is
  /// tried on one of its runs; empty where it is not.
  std::string explain(std::optional<double> macs) const;
  /// The runs of a group that count, which are evenly spaced.
  std::vector<size_t> choose(size_t groupSize, double macs) const;

private:
  size_t numRuns;
  bool isWhole;
};

/// What calibrators do to each output, over samples of any shapes.
class Comparison {
public:
  explicit Comparison(ArrayRef<NamedCalibrator> calibrators)
      : calibrators(calibrators), outputs(calibrators.size()) {}

  /// Compares on some runs of the group that has begun. Prints errors.
  LogicalResult add(CalibratorRuns &runs, ArrayRef<size_t> chosen);
  size_t getNumRuns() const { return numRuns; }
  /// Whether there is an output that is not 0 on all samples.
  bool hasSignal() const {
    return llvm::any_of(outputs.front(), [](const Distortion &output) {
      return output.hasSignal();
    });
  }
  /// What a range profile says of them, for the integers of a command line.
  CalibratorTrials describe(const Arguments &arguments) const;

private:
  SmallVector<NamedCalibrator> calibrators;
  std::vector<std::vector<Distortion>> outputs; // of each calibrator
  size_t numRuns = 0;
};

} // namespace

static bool isTensorOfFloats(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
                       tensor.getElementType());
}

TriedModel TriedModel::read(func::FuncOp function, bool isQuantized) {
  return {isQuantized,
          llvm::any_of(function.getResultTypes(), isTensorOfFloats),
          countRunMACs(function.getBody())};
}

std::string RunLimit::explain(std::optional<double> macs) const {
  std::string text;
  if (isWhole) {
    return text;
  }
  llvm::raw_string_ostream os(text);
  if (!macs) {
    os << "is work of which nobody knows before how much it is" << kAskForIt;
  } else if (*macs * kFewestRuns > kMostMACs) {
    os << "takes " << llvm::format("%.1f", *macs / kGiga)
       << " G multiply-accumulates a run, and " << kFewestRuns
       << " runs may take " << llvm::format("%.0f", kMostMACs / kGiga)
       << " G together" << kAskForIt;
  }
  return text;
}

std::vector<size_t> RunLimit::choose(size_t groupSize, double macs) const {
  size_t wanted = groupSize;
  if (!isWhole) {
    double most = static_cast<double>(std::min(numRuns, kMostRuns));
    if (macs > 0) {
      most = std::min(most, kMostMACs / macs);
    }
    size_t share =
        llvm::divideCeil(static_cast<size_t>(most) * groupSize, numRuns);
    // Beside many others, too, a few say something.
    wanted = std::min(groupSize, std::max(share, kFewestRuns));
  }
  std::vector<size_t> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    chosen.push_back(i * groupSize / wanted);
  }
  return chosen;
}

LogicalResult Comparison::add(CalibratorRuns &runs, ArrayRef<size_t> chosen) {
  for (size_t number : chosen) {
    SmallVector<Datum> expected;
    if (failed(runs.run(number, std::nullopt, expected))) {
      return failure();
    }
    for (auto [calibrator, distortions] : llvm::enumerate(outputs)) {
      SmallVector<Datum> found;
      if (failed(runs.run(number, calibrator, found))) {
        return failure();
      }
      distortions.resize(expected.size());
      for (auto [distortion, wanted, datum] :
           llvm::zip_equal(distortions, expected, found)) {
        if (wanted.isTensor() && datum.isTensor() &&
            isTensorOfFloats(wanted.getTensor().getType()) &&
            wanted.getTensor().getType() == datum.getTensor().getType()) {
          addTensors(distortion, wanted.getTensor(), datum.getTensor());
        }
      }
    }
    ++numRuns;
  }
  return success();
}

CalibratorTrials Comparison::describe(const Arguments &arguments) const {
  CalibratorTrials trials;
  trials.integers = describeIntegers(arguments);
  trials.runs = numRuns;
  for (auto [named, distortions] : llvm::zip_equal(calibrators, outputs)) {
    // Of an output that is 0 the least noise would decide.
    std::vector<Distortion> compared = distortions;
    llvm::erase_if(
        compared, [](const Distortion &output) { return !output.hasSignal(); });
    double decibels = limitDecibels(getWorstDecibels(compared));
    trials.tried.push_back({named.first.str(), roundDecibels(decibels)});
  }
  return trials;
}

StringRef CalibratorFindings::getChosen() const {
  return trials ? trials->findClearlyBest()
                : getName(CalibrationOptions().calibrator);
}

std::string CalibratorFindings::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef chosen = getChosen();
  os << "calibrator " << chosen << ": ";
  if (!trials) {
    os << "trying others " << obstacle;
    return text;
  }
  StringRef best = trials->findBest();
  StringRef plain = getName(CalibrationOptions().calibrator);
  StringRef other = chosen == plain ? best : plain;
  auto describe = [&](StringRef name) {
    return llvm::format("%.1f dB", trials->findDecibels(name));
  };
  os << describe(chosen) << " in " << trials->runs << " runs";
  if (other != chosen) {
    os << ", " << other << " " << describe(other);
  }
  return text;
}

/// Some of a number of groups, evenly spaced, or all.
static std::vector<size_t> chooseGroups(size_t numGroups, bool isWhole) {
  size_t wanted = isWhole ? numGroups : std::min(numGroups, kMostGroups);
  std::vector<size_t> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    chosen.push_back(i * numGroups / wanted);
  }
  return chosen;
}

/// Why nothing is tried, whatever the model, where nobody has asked for it;
/// empty where nothing is in the way.
static std::string explainUntried(const Arguments &arguments, size_t numRuns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (arguments.get("--backend", "cpu") != "cpu") {
    os << "is for the cpu backend, since others take long" << kAskForIt;
  } else if (numRuns < kFewestRuns) {
    os << "needs " << kFewestRuns << " runs, found samples for " << numRuns
       << kAskForIt;
  }
  return text;
}

ExitCode driver::tryCalibrators(CalibratorRuns &runs,
                                const Arguments &arguments,
                                CalibratorFindings &findings) {
  bool isWhole = measuresCalibrator(arguments);
  std::vector<size_t> sizes = runs.getSizes();
  std::vector<size_t> groups = chooseGroups(sizes.size(), isWhole);
  size_t numRuns = 0;
  for (size_t group : groups) {
    numRuns += sizes[group];
  }
  if (!isWhole) {
    findings.obstacle = explainUntried(arguments, numRuns);
    if (!findings.obstacle.empty()) {
      return ExitCode::Success;
    }
  }
  Comparison comparison(runs.getCalibrators());
  RunLimit limit(numRuns, isWhole);
  for (size_t group : groups) {
    double macs = 0; // of all that is tried on one sample
    auto findObstacle = [&](const TriedModel &model) -> std::string {
      if (!model.isQuantized) {
        return "finds nothing to quantize";
      }
      if (!model.hasFloatOutputs) {
        return "finds no output of floats to compare";
      }
      auto tried = static_cast<double>(1 + runs.getCalibrators().size());
      macs = tried * model.macs.value_or(0);
      return limit.explain(model.macs ? std::optional(macs) : std::nullopt);
    };
    std::string obstacle;
    ExitCode status = runs.begin(group, findObstacle, obstacle);
    if (status != ExitCode::Success) {
      return status;
    }
    if (!obstacle.empty()) {
      findings.obstacle = obstacle;
      continue;
    }
    if (failed(comparison.add(runs, limit.choose(sizes[group], macs)))) {
      return ExitCode::BadInput;
    }
  }
  // Samples of shapes that are too much work do not count.
  if (comparison.getNumRuns() == 0 ||
      (!isWhole && comparison.getNumRuns() < kFewestRuns)) {
    return ExitCode::Success;
  }
  if (!comparison.hasSignal()) {
    findings.obstacle = "finds no output that is not 0";
    return ExitCode::Success;
  }
  findings.obstacle.clear();
  findings.trials = comparison.describe(arguments);
  return ExitCode::Success;
}

std::optional<CalibratorTrials>
driver::keepClearChoice(std::optional<CalibratorTrials> trials) {
  bool isPlain =
      !trials || trials->findClearlyBest() ==
                     StringRef(getName(CalibrationOptions().calibrator));
  return isPlain ? std::nullopt : std::move(trials);
}
