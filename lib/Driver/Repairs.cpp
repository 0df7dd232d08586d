//===- Repairs.cpp - What repairs are worth on samples --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repairs.h"
#include "RangeFiles.h"
#include "SampleSet.h"
#include "Session.h"

#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Quantization/Distortion.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

/// The repairs, in the order in which they are done, by their options without
/// dashes, and what asks for them.
static constexpr std::pair<StringRef, StringRef> kRepairs[] = {
    {"equalize", "auto"}, {"smooth", "auto"}, {"rounding", "hessian"}};

/// How many runs judge a repair, at most.
static constexpr size_t kNumRuns = 32;

namespace {

class RepairTrials {
public:
  RepairTrials(const SampleSet &samples, StringRef model)
      : samples(samples), model(model) {}

  /// Whether the last trial has changed anything by a repair of that kind.
  bool hasChanged(StringRef kind) const {
    return llvm::is_contained(kinds, kind);
  }

  /// Decibels of the worst output of the model quantized as a command line
  /// says.
  FailureOr<double> measure(const Arguments &arguments);
  ExitCode getStatus() const { return status; }

private:
  /// The elements of each output, which outlive the session; none of one that
  /// is not f32.
  using Outputs = std::vector<std::vector<float>>;
  LogicalResult runGroup(const Arguments &arguments,
                         const SampleSet::Group &group,
                         llvm::function_ref<void(size_t, Outputs)> visit);
  LogicalResult findExpected(const Arguments &arguments);

  const SampleSet &samples;
  StringRef model;
  ExitCode status = ExitCode::Success;
  std::vector<std::string> kinds;
  /// Of the model as it is, by number of the run.
  std::vector<Outputs> expected;
};

} // namespace

static std::vector<float> getElements(const Datum &datum) {
  if (!datum.isTensor() || !datum.getTensor().getElementType().isF32()) {
    return {};
  }
  return datum.getTensor().values<float>().vec();
}

/// Calls `visit` with the number and the outputs of each run of a group that
/// counts.
LogicalResult
RepairTrials::runGroup(const Arguments &arguments,
                       const SampleSet::Group &group,
                       llvm::function_ref<void(size_t, Outputs)> visit) {
  if (group.front() >= kNumRuns) {
    return success();
  }
  Session session;
  auto fail = [&] {
    status = session.getExitCode();
    return failure();
  };
  if (failed(session.configure(arguments))) {
    return fail();
  }
  session.inspect = [&](ModuleOp module) {
    auto function = module.lookupSymbol<func::FuncOp>("main");
    for (const IE::Repair &repair : IE::getRepairs(function)) {
      kinds.push_back(repair.kind);
    }
    return success();
  };
  if (failed(samples.prepare(session, model, group))) {
    return fail();
  }
  for (size_t run : group) {
    if (run >= kNumRuns) {
      break;
    }
    FailureOr<SmallVector<Datum>> inputs = samples.read(session, run);
    SmallVector<Datum> outputs;
    if (failed(inputs) || failed(session.run(*inputs, outputs))) {
      return fail();
    }
    Outputs elements;
    for (auto [output, tensor] :
         llvm::zip_equal(outputs, session.getInterface().outputs)) {
      elements.push_back(getElements(asFloats(output, tensor)));
    }
    visit(run, std::move(elements));
  }
  return success();
}

LogicalResult RepairTrials::findExpected(const Arguments &arguments) {
  Arguments plain = withoutQuantization(arguments);
  expected.resize(std::min(kNumRuns, samples.getNumRuns()));
  for (const SampleSet::Group &group : samples.getGroups()) {
    if (failed(runGroup(plain, group, [&](size_t run, Outputs outputs) {
          expected[run] = std::move(outputs);
        }))) {
      return failure();
    }
  }
  return success();
}

FailureOr<double> RepairTrials::measure(const Arguments &arguments) {
  if (expected.empty() && failed(findExpected(arguments))) {
    return failure();
  }
  std::vector<Distortion> distortions;
  kinds.clear();
  auto add = [&](size_t run, const Outputs &outputs) {
    distortions.resize(outputs.size());
    for (auto [distortion, wanted, found] :
         llvm::zip_equal(distortions, expected[run], outputs)) {
      if (wanted.size() == found.size()) {
        distortion.add(wanted, found);
      }
    }
  };
  for (const SampleSet::Group &group : samples.getGroups()) {
    if (failed(runGroup(arguments, group, add))) {
      return failure();
    }
  }
  return getWorstDecibels(distortions);
}

double driver::getWorstDecibels(ArrayRef<Distortion> outputs) {
  double worst = std::numeric_limits<double>::infinity();
  for (const Distortion &output : outputs) {
    if (output.getCount() > 0) {
      worst = std::min(worst, output.getDecibels());
    }
  }
  return worst;
}

Arguments driver::withoutRepairs(const Arguments &arguments) {
  Arguments result = arguments;
  for (auto [repair, value] : kRepairs) {
    std::string option = "--" + repair.str();
    result = result.without(StringRef(option));
  }
  return result;
}

/// The command line with these repairs and no others.
static Arguments withRepairs(const Arguments &arguments,
                             ArrayRef<StringRef> repairs) {
  Arguments result = withoutRepairs(arguments);
  for (auto [repair, value] : kRepairs) {
    if (llvm::is_contained(repairs, repair)) {
      result = result.with("--" + repair.str(), value);
    }
  }
  return needsRanges(result) ? result : result.without(StringRef("--ranges"));
}

/// What each of the repairs asked for is worth beside those before it.
static FailureOr<std::vector<MeasuredRepair>>
tryRepairs(const Arguments &arguments, ArrayRef<StringRef> asked,
           RepairTrials &trials) {
  std::vector<MeasuredRepair> measured;
  SmallVector<StringRef> kept;
  std::optional<double> before;
  for (StringRef repair : asked) {
    SmallVector<StringRef> tried = kept;
    tried.push_back(repair);
    FailureOr<double> after = trials.measure(withRepairs(arguments, tried));
    if (failed(after)) {
      return failure();
    }
    // Rounding shows in no module before it is done.
    if (repair != "rounding" && !trials.hasChanged(repair)) {
      continue;
    }
    if (!before) {
      FailureOr<double> without = trials.measure(withRepairs(arguments, kept));
      if (failed(without)) {
        return failure();
      }
      before = *without;
    }
    // Outputs that are exact have infinitely many decibels, before or after.
    double gain = *after == *before ? 0 : limitDecibels(*after - *before);
    bool isKept = gain > 0;
    measured.push_back({repair.str(), gain, isKept});
    if (isKept) {
      kept.push_back(repair);
      before = *after;
    }
  }
  return measured;
}

ExitCode driver::measureRepairs(const Arguments &arguments, StringRef model) {
  SmallVector<StringRef> asked;
  for (auto [repair, value] : kRepairs) {
    std::string option = "--" + repair.str();
    if (arguments.get(option) == value) {
      asked.push_back(repair);
    }
  }
  if (asked.empty()) {
    return ExitCode::Success;
  }
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples =
      SampleSet::find(arguments.without(getInspectionNames()), model, status);
  if (failed(samples)) {
    return status;
  }
  RepairTrials trials(*samples, model);
  // What biases make up for is measured of the repaired model.
  Arguments tried =
      samples->getArguments().without(StringRef("--bias-correction"));
  if (arguments.get("--bias-correction") == "off") {
    tried = tried.with("--bias-correction", "off");
  }
  auto measured = tryRepairs(tried, asked, trials);
  if (failed(measured)) {
    return trials.getStatus();
  }
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  profile->repairs = std::move(*measured);
  return succeeded(writeRangeFile(std::move(*profile), path, path))
             ? ExitCode::Success
             : ExitCode::BadInput;
}
