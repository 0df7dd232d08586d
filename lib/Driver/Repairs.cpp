//===- Repairs.cpp - What repairs are worth on samples --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repairs.h"
#include "RangeFiles.h"
#include "RoundingOption.h"
#include "SampleSet.h"
#include "Session.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Quantization/Distortion.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

/// The repairs, in the order in which they are tried, by their options without
/// dashes, and what asks for them. Rounding changes no value's range, and makes
/// up for much of what the others do.
static constexpr std::pair<StringRef, StringRef> kRepairs[] = {
    {"rounding", "hessian"}, {"equalize", "auto"}, {"smooth", "auto"}};

/// How many runs judge a repair, at most.
static constexpr size_t kNumRuns = 32;
/// How many say anything, where nobody has asked.
static constexpr size_t kFewestRuns = 8;
/// How many multiply-accumulates runs may take together then, and for how many
/// shapes of samples the model is compiled: some seconds. It is no time, so
/// that a choice does not depend on how fast a machine is, or how busy.
static constexpr double kMostMACs = 200e9;
static constexpr size_t kMostGroups = 8;
/// How many decibels weights have to gain by sums of their inputs then, which
/// are a file beside the ranges.
static constexpr double kLeastGain = 0.3;

namespace {

/// A repair, and whether somebody has asked for it or it is tried anyway.
struct Candidate {
  StringRef name;
  bool isAsked;
};

class RepairTrials {
public:
  RepairTrials(const SampleSet &samples, StringRef model)
      : samples(samples), chosen(samples.getGroups().size()), model(model) {}

  /// Has less runs judge where all together would be too much work; false where
  /// there are too few to say anything then.
  bool limitWork(const Arguments &arguments);

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
  LogicalResult runGroup(const Arguments &arguments, size_t number,
                         llvm::function_ref<void(size_t, Outputs)> visit);
  LogicalResult findExpected(const Arguments &arguments);
  /// The runs of a group that judge: some whose inputs decide it, so that they
  /// are the same ones in any order.
  FailureOr<std::vector<size_t>> chooseRuns(Session &session,
                                            const SampleSet::Group &group);
  /// The multiply-accumulates of a run of a group; nothing where nobody knows.
  std::optional<double> countMACs(const Arguments &arguments,
                                  const SampleSet::Group &group) const;

  const SampleSet &samples;
  size_t numWanted = kNumRuns;
  std::vector<std::optional<std::vector<size_t>>> chosen; // of each group
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

/// A number that is the same for the same inputs.
static uint64_t getDigest(ArrayRef<Datum> inputs) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t digest = 0;
  for (const Datum &input : inputs) {
    if (input.isTensor() && !input.getTensor().hasStrings()) {
      ArrayRef<char> bytes = input.getTensor().getBytes();
      digest = digest * kFactor +
               llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size()));
    }
  }
  return digest;
}

FailureOr<std::vector<size_t>>
RepairTrials::chooseRuns(Session &session, const SampleSet::Group &group) {
  // Those of all groups together are as many as are wanted, about.
  size_t most = llvm::divideCeil(numWanted * group.size(),
                                 std::max(samples.getNumRuns(), numWanted));
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t run : group) {
    FailureOr<SmallVector<Datum>> inputs = samples.read(session, run);
    if (failed(inputs)) {
      return failure();
    }
    order.emplace_back(getDigest(*inputs), run);
  }
  llvm::sort(order);
  std::vector<size_t> runs;
  for (auto [digest, run] : ArrayRef(order).take_front(most)) {
    runs.push_back(run);
  }
  return runs;
}

std::optional<double>
RepairTrials::countMACs(const Arguments &arguments,
                        const SampleSet::Group &group) const {
  Session session;
  std::optional<double> macs;
  if (failed(session.configure(arguments))) {
    return macs;
  }
  // The model itself is not needed.
  session.inspect = [&](ModuleOp module) {
    auto function = module.lookupSymbol<func::FuncOp>("main");
    macs = countRunMACs(function.getBody());
    return failure();
  };
  (void)samples.prepare(session, model, group);
  return macs;
}

bool RepairTrials::limitWork(const Arguments &arguments) {
  // In f32, rounded to the nearest, and by what they are multiplied by.
  constexpr double kNumTrials = 3;
  if (samples.getGroups().size() > kMostGroups) {
    return false;
  }
  double macs = 1;
  for (const SampleSet::Group &group : samples.getGroups()) {
    std::optional<double> known = countMACs(arguments, group);
    if (!known) {
      return false;
    }
    macs = std::max(macs, *known);
  }
  auto most =
      std::min(static_cast<double>(kNumRuns), kMostMACs / (kNumTrials * macs));
  if (most < kFewestRuns || samples.getNumRuns() < kFewestRuns) {
    return false;
  }
  numWanted = static_cast<size_t>(most);
  return true;
}

/// Calls `visit` with the number and the outputs of each run of a group that
/// counts.
LogicalResult
RepairTrials::runGroup(const Arguments &arguments, size_t number,
                       llvm::function_ref<void(size_t, Outputs)> visit) {
  // Each is compiled for.
  if (number >= numWanted) {
    return success();
  }
  const SampleSet::Group &group = samples.getGroups()[number];
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
  if (!chosen[number]) {
    FailureOr<std::vector<size_t>> runs = chooseRuns(session, group);
    if (failed(runs)) {
      return fail();
    }
    chosen[number] = std::move(*runs);
  }
  for (size_t run : *chosen[number]) {
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
  expected.resize(samples.getNumRuns());
  for (size_t i = 0; i < samples.getGroups().size(); ++i) {
    if (failed(runGroup(plain, i, [&](size_t run, Outputs outputs) {
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
  for (size_t i = 0; i < samples.getGroups().size(); ++i) {
    if (failed(runGroup(arguments, i, add))) {
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

/// What each of the repairs is worth beside those before it.
static FailureOr<std::vector<MeasuredRepair>>
tryRepairs(const Arguments &arguments, ArrayRef<Candidate> candidates,
           RepairTrials &trials) {
  std::vector<MeasuredRepair> measured;
  SmallVector<StringRef> kept;
  std::optional<double> before;
  for (auto [repair, isAsked] : candidates) {
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
    double gain =
        *after == *before ? 0 : roundDecibels(limitDecibels(*after - *before));
    bool isKept = isAsked ? gain > 0 : gain >= kLeastGain;
    // What nobody has asked for may still be asked for later.
    if (isAsked || isKept) {
      measured.push_back({repair.str(), gain, isKept});
    }
    if (isKept) {
      kept.push_back(repair);
      before = *after;
    }
  }
  return measured;
}

/// Writes a profile with what was measured, without sums that are of no use.
static LogicalResult writeRepairs(StringRef path, RangeProfile profile,
                                  bool dropsSums) {
  SmallString<128> sums;
  if (dropsSums && profile.sums) {
    sums = llvm::sys::path::parent_path(path);
    llvm::sys::path::append(sums, profile.sums->file);
    profile.sums.reset();
  }
  if (failed(writeRangeFile(std::move(profile), path, path))) {
    return failure();
  }
  if (!sums.empty()) {
    (void)llvm::sys::fs::remove(sums);
  }
  return success();
}

/// Tries repairs on the samples of the command line.
static ExitCode measureCandidates(const Arguments &arguments, StringRef model,
                                  SmallVector<Candidate> candidates,
                                  RangeProfile &profile) {
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
  bool isAsked = llvm::all_of(
      candidates, [](const Candidate &candidate) { return candidate.isAsked; });
  if (!isAsked && !trials.limitWork(withRepairs(tried, {}))) {
    llvm::erase_if(candidates, [](const Candidate &candidate) {
      return !candidate.isAsked;
    });
  }
  auto measured = tryRepairs(tried, candidates, trials);
  if (failed(measured)) {
    return trials.getStatus();
  }
  profile.repairs = std::move(*measured);
  return ExitCode::Success;
}

ExitCode driver::measureRepairs(const Arguments &arguments, StringRef model) {
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  SmallVector<Candidate> candidates;
  for (auto [repair, value] : kRepairs) {
    std::string option = "--" + repair.str();
    bool isAsked = arguments.get(option) == value;
    bool isOpen = repair == "rounding" && triesRounding(arguments) &&
                  profile->sums && !profile->sums->products.empty();
    if (isAsked || isOpen) {
      candidates.push_back({repair, isAsked});
    }
  }
  bool ownsSums = triesRounding(arguments) && !arguments.has("--hessians");
  if (!candidates.empty()) {
    ExitCode status = measureCandidates(arguments, model, candidates, *profile);
    if (status != ExitCode::Success) {
      return status;
    }
  } else if (!ownsSums) {
    return ExitCode::Success;
  }
  bool isRounded = profile->findRepair("rounding");
  return succeeded(
             writeRepairs(path, std::move(*profile), ownsSums && !isRounded))
             ? ExitCode::Success
             : ExitCode::BadInput;
}
