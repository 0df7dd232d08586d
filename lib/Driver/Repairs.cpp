//===- Repairs.cpp - What repairs are worth on samples --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repairs.h"
#include "QuantizationReport.h"
#include "RangeFiles.h"
#include "RoundingOption.h"
#include "SampleSet.h"
#include "Session.h"

#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Quantization/Distortion.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// How many decibels weights have to gain by sums of their inputs then, which
/// are a file beside the ranges.
static constexpr double kLeastGain = 0.3;

namespace {

/// A repair, whether somebody has asked for it or it is tried anyway, who
/// judges it, and whether it was learned from others.
struct Candidate {
  StringRef name;
  bool isAsked;
  const Judges *judges;
  bool isUnseen = false;

  bool isRounding() const { return name == "rounding"; }
};

class RepairTrials {
public:
  RepairTrials(const SampleSet &samples, StringRef model)
      : samples(samples), model(model) {}

  /// Whether the last trial has changed anything by a repair of that kind.
  bool hasChanged(StringRef kind) const {
    return llvm::is_contained(kinds, kind);
  }

  /// Decibels of the worst output of the model quantized as a command line
  /// says, in the runs that judge.
  FailureOr<double> measure(const Arguments &arguments, const Judges &judges);
  ExitCode getStatus() const { return status; }

private:
  /// The elements of each output, which outlive the session; none of one that
  /// is not f32.
  using Outputs = std::vector<std::vector<float>>;
  LogicalResult runGroup(const Arguments &arguments, ArrayRef<size_t> runs,
                         llvm::function_ref<void(size_t, Outputs)> visit);
  LogicalResult findExpected(const Arguments &arguments, const Judges &judges);

  const SampleSet &samples;
  StringRef model;
  ExitCode status = ExitCode::Success;
  std::vector<std::string> kinds;
  /// Of the model as it is, by number of the run.
  llvm::DenseMap<size_t, Outputs> expected;
};

} // namespace

static std::vector<float> getElements(const Datum &datum) {
  if (!datum.isTensor() || !datum.getTensor().getElementType().isF32()) {
    return {};
  }
  return datum.getTensor().values<float>().vec();
}

/// Calls `visit` with the number and the outputs of each of some runs of a
/// group.
LogicalResult
RepairTrials::runGroup(const Arguments &arguments, ArrayRef<size_t> runs,
                       llvm::function_ref<void(size_t, Outputs)> visit) {
  if (runs.empty()) {
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
  if (failed(samples.prepare(session, model, runs))) {
    return fail();
  }
  for (size_t run : runs) {
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

LogicalResult RepairTrials::findExpected(const Arguments &arguments,
                                         const Judges &judges) {
  Arguments plain = withoutQuantization(arguments);
  for (SampleSet::Group runs : judges) {
    llvm::erase_if(runs, [&](size_t run) { return expected.contains(run); });
    if (failed(runGroup(plain, runs, [&](size_t run, Outputs outputs) {
          expected[run] = std::move(outputs);
        }))) {
      return failure();
    }
  }
  return success();
}

FailureOr<double> RepairTrials::measure(const Arguments &arguments,
                                        const Judges &judges) {
  if (failed(findExpected(arguments, judges))) {
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
  for (const SampleSet::Group &runs : judges) {
    if (failed(runGroup(arguments, runs, add))) {
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
  const Judges *last = nullptr;
  for (const Candidate &candidate : candidates) {
    // Other runs have other decibels.
    const Judges *judges = candidate.judges;
    if (std::exchange(last, judges) != judges) {
      before.reset();
    }
    SmallVector<StringRef> tried = kept;
    tried.push_back(candidate.name);
    FailureOr<double> after =
        trials.measure(withRepairs(arguments, tried), *judges);
    if (failed(after)) {
      return failure();
    }
    // Rounding shows in no module before it is done.
    if (!candidate.isRounding() && !trials.hasChanged(candidate.name)) {
      continue;
    }
    if (!before) {
      FailureOr<double> without =
          trials.measure(withRepairs(arguments, kept), *judges);
      if (failed(without)) {
        return failure();
      }
      before = *without;
    }
    // Outputs that are exact have infinitely many decibels, before or after.
    double gain =
        *after == *before ? 0 : roundDecibels(limitDecibels(*after - *before));
    // Rounding is done where it is asked for, here or later.
    bool isKept = !candidate.isAsked       ? gain >= kLeastGain
                  : candidate.isRounding() ? true
                                           : gain > 0;
    // What nobody has asked for, and changes nothing, does so for no integers.
    if (candidate.isAsked || *after != *before) {
      measured.push_back(
          {candidate.name.str(), gain, isKept, candidate.isUnseen,
           candidate.isRounding() ? describeRounded(arguments) : ""});
    }
    if (isKept) {
      kept.push_back(candidate.name);
      before = *after;
    }
  }
  return measured;
}

/// Writes a profile with what was measured, without sums that are of no use,
/// whose file then goes.
static LogicalResult writeRepairs(StringRef path, RangeProfile profile,
                                  bool dropsSums) {
  if (dropsSums) {
    profile.sums.reset();
  }
  return writeRangeFile(std::move(profile), path, path);
}

/// Tries repairs on the samples of the command line: rounding on runs that it
/// has not seen, if there are such, all else on any.
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
  FailureOr<Judges> any = chooseJudges(*samples);
  if (failed(any)) {
    return ExitCode::BadInput;
  }
  for (Candidate &candidate : candidates) {
    candidate.isUnseen = candidate.isRounding() && !candidate.judges->empty();
    candidate.judges = candidate.isUnseen ? candidate.judges : &*any;
  }
  auto measured = tryRepairs(tried, candidates, trials);
  if (failed(measured)) {
    return trials.getStatus();
  }
  profile.repairs = std::move(*measured);
  return ExitCode::Success;
}

/// Says so where rounding that is asked for does not pay.
static void warnOfRounding(const Arguments &arguments,
                           const RangeProfile &profile, const Judges &unseen) {
  const MeasuredRepair *rounding = profile.findRepair("rounding");
  if (!rounding || !asksForRounding(arguments) || rounding->decibels > 0) {
    return;
  }
  auto &os = printWarning() << "--rounding=hessian gains "
                            << formatDecibels(rounding->decibels) << " dB on ";
  if (!rounding->isUnseen) {
    os << "the samples that it is learned from";
  } else {
    size_t count = 0;
    for (const SampleSet::Group &runs : unseen) {
      count += runs.size();
    }
    os << count << " runs that it was not learned from";
  }
  os << "; it is done, as asked for";
  // Beside exact biases that tries nothing, whatever it gains.
  os << (correctsBiasesExactly(arguments)
             ? "\n"
             : ", and --rounding=auto would not do it\n");
}

ExitCode driver::measureRepairs(const Arguments &arguments, StringRef model,
                                const UnseenRuns &unseen) {
  StringRef path = arguments.get("--ranges");
  FailureOr<RangeProfile> profile = readRangeFile(path);
  if (failed(profile)) {
    return ExitCode::BadInput;
  }
  bool canRound = profile->sums && !profile->sums->products.empty();
  SmallVector<Candidate> candidates;
  for (auto [repair, value] : kRepairs) {
    std::string option = "--" + repair.str();
    bool isAsked = arguments.get(option) == value;
    bool isRounding = repair == "rounding";
    bool isOpen = isRounding && !unseen.judges.empty();
    if ((isAsked || isOpen) && (!isRounding || canRound)) {
      candidates.push_back({repair, isAsked, &unseen.judges});
    }
  }
  bool asksForIt = asksForRounding(arguments);
  if (asksForIt && !canRound) {
    printWarning() << "no layer can be rounded for its inputs, as "
                      "--rounding=hessian asks for: there are none with sums "
                      "of inputs; weights become the nearest integers\n";
  }
  // Sums are there for rounding alone, unless others ask for them.
  bool ownsSums =
      (asksForIt || !unseen.judges.empty()) && !arguments.has("--hessians");
  if (!candidates.empty()) {
    ExitCode status = measureCandidates(arguments, model, candidates, *profile);
    if (status != ExitCode::Success) {
      return status;
    }
    warnOfRounding(arguments, *profile, unseen.judges);
  } else if (!ownsSums) {
    return ExitCode::Success;
  }
  const MeasuredRepair *rounding = profile->findRepair("rounding");
  bool dropsSums = ownsSums && !(rounding && rounding->isKept);
  // Who has judged may be learned from now.
  bool sumsAll = !dropsSums && unseen.sums && profile->sums;
  LogicalResult written =
      sumsAll ? writeMeasured(
                    *profile, path,
                    [&](llvm::raw_ostream &os) { unseen.sums->writeAll(os); })
              : writeRepairs(path, std::move(*profile), dropsSums);
  return succeeded(written) ? ExitCode::Success : ExitCode::BadInput;
}
