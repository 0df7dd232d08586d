//===- Tuner.cpp - Trials of precisions -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries which products of a model have to stay f32, and writes what is best
// into a range profile.
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"
#include "CalibratorOption.h"
#include "Clock.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using Outputs = TrialMetric::Outputs;

/// What `--repairs` tries, as users have to write it for what was tuned.
static constexpr StringRef kRepairs = "--equalize=auto --smooth=auto";

LogicalResult Tuner::configure() {
  StringRef minimized = arguments.get("--minimize", "float-macs");
  if (minimized == "time") {
    printError() << "--minimize=time is not there: how long a product takes "
                    "depends on those around it, and every trial would have to "
                    "be compiled; float-macs is near it\n";
    return failure();
  }
  auto choice = arguments.getChoice<Aim>(
      "--minimize", {{"float-macs", Aim::FloatMACs}, {"bytes", Aim::Bytes}});
  auto searched = arguments.getChoice<StringRef>(
      "--search",
      {{"precision", "precision"}, {"ranges", "ranges"}, {"both", "both"}});
  auto wide = arguments.getChoice<bool>(
      "--precisions", {{"int8,f32", false}, {"int8,int16,f32", true}});
  auto repaired =
      arguments.getChoice<bool>("--repairs", {{"off", false}, {"auto", true}});
  constexpr double kLongest = 1e9;
  FailureOr<double> seconds = arguments.getNumber("--budget", 0, 0, kLongest);
  if (failed(choice) || failed(searched) || failed(wide) || failed(repaired) ||
      failed(seconds)) {
    return failure();
  }
  if (*wide && arguments.get("--activations") == "int16") {
    printError() << "--precisions=int8,int16,f32 is of no use for "
                    "--activations=int16, which has int16 instead of int8\n";
    return failure();
  }
  FailureOr<std::string> named = findCalibrator(arguments);
  if (failed(named)) {
    return failure();
  }
  if (*wide && *named == "entropy") {
    return refuseEntropy("--precisions=int8,int16,f32");
  }
  if (*repaired && *searched != "precision") {
    printError() << "--repairs=auto is for --search=precision: ranges that "
                    "are searched for stand, and what has one is not repaired "
                    "again\n";
    return failure();
  }
  for (StringRef option : {"--equalize", "--smooth"}) {
    if (*repaired && arguments.has(option)) {
      printError() << "--repairs=auto tries --equalize and --smooth by itself: "
                      "leave "
                   << option << " out\n";
      return failure();
    }
  }
  triesWide = *wide;
  triesRepairs = *repaired;
  aim = *choice;
  searchesRanges = *searched != "precision";
  searchesPrecisions = *searched != "ranges";
  budget = *seconds;
  return success();
}

ExitCode Tuner::prepare(const Arguments &ranged, bool isOpen) {
  arguments = ranged;
  if (!isOpen) {
    FailureOr<std::string> named = findCalibrator(arguments);
    if (failed(named)) {
      return ExitCode::BadInput;
    }
    calibrator = *named;
    return plain.prepare(arguments, model);
  }
  ExitCode status = plain.prepare(arguments, model, listCalibrators(arguments));
  if (status != ExitCode::Success) {
    return status;
  }
  CalibratorFindings findings;
  status = tryCalibrators(plain, arguments, findings);
  if (status != ExitCode::Success) {
    return status;
  }
  llvm::errs() << "nacre: " << findings.describe() << "\n";
  calibrator = findings.getChosen().str();
  plain.use(calibrator);
  arguments = withCalibrator(arguments, calibrator);
  calibrators = keepClearChoice(std::move(findings.trials));
  return ExitCode::Success;
}

std::vector<double> Tuner::getCosts() const {
  std::vector<double> costs;
  for (const TrialPlan::Group &group : getPlan().getGroups()) {
    costs.push_back(aim == Aim::Bytes ? group.weightBytes : group.macs);
  }
  // Where no size is known, each of them counts the same.
  if (llvm::all_of(costs, [](double cost) { return cost == 0; })) {
    costs.assign(costs.size(), 1);
  }
  return costs;
}

double Tuner::getFloatShare(const Trial &trial) const {
  double floats = used->front().getFloatMACs(), all = floats;
  for (auto [i, group] : llvm::enumerate(getPlan().getGroups())) {
    all += group.macs;
    floats += trial.onIntegers.test(i) ? 0 : group.macs;
  }
  return all == 0 ? 0 : floats / all;
}

/// What has 16 bits is multiplied as floats.
std::optional<double> Tuner::estimateMilliseconds(const Trial &trial) {
  double floats = used->front().getFloatMACs(), integers = 0;
  for (auto [i, group] : llvm::enumerate(getPlan().getGroups())) {
    bool isByte = trial.onIntegers.test(i) && !trial.wide.test(i);
    (isByte ? integers : floats) += group.macs;
  }
  return used->front().estimateMilliseconds(floats, integers);
}

/// Runs a trial on all samples; nothing where there is no time for it.
std::optional<Score> Tuner::measure(const Trial &trial, StringRef what) {
  // The model as it is counts as no trial that may be left out.
  bool isOver = budget > 0 && getSeconds() > budget;
  if (!trials.empty() && (isOver || interrupts->wasInterrupted())) {
    return std::nullopt;
  }
  auto before = Clock::now();
  std::vector<Outputs> outputs;
  if (failed(used->run(trial, outputs))) {
    failedToRun = true;
    return std::nullopt;
  }
  if (trials.empty()) {
    expected = outputs;
  }
  FailureOr<Score> score =
      metric.measure(used->front().getInterface(), expected, outputs);
  if (failed(score)) {
    failedToRun = true;
    return std::nullopt;
  }
  ReportedTrial &reported = trials.emplace_back();
  reported.what = what.str() + (isRepaired() ? ", repaired" : "");
  reported.metric = score->metric;
  reported.floatShare = getFloatShare(trial);
  reported.reaches = score->reaches;
  reported.milliseconds = estimateMilliseconds(trial);
  reported.seconds =
      std::chrono::duration<double>(Clock::now() - before).count();
  llvm::errs() << "nacre: trial " << trials.size() << ": " << reported.what
               << ": " << metric.getName() << " " << formatNumber(score->metric)
               << ", " << llvm::format("%.1f", reported.floatShare * 100)
               << " % of MACs in f32" << (score->reaches ? ", reached" : "");
  if (budget > 0) {
    llvm::errs() << llvm::format(", %.0f s left",
                                 std::max(0.0, budget - getSeconds()));
  }
  llvm::errs() << "\n";
  return *score;
}

/// Begins a search among the trials of the models that are in use; false where
/// the target is beyond them.
bool Tuner::begin(std::optional<PrecisionSearch> &search) {
  std::vector<std::string> groups;
  for (const TrialPlan::Group &group : getPlan().getGroups()) {
    groups.push_back(group.name);
  }
  search.emplace(
      std::move(groups), getCosts(), getPlan().getValues().size(), triesWide,
      [&](const Trial &trial, StringRef what) { return measure(trial, what); });
  return search->begin();
}

/// Compiles the model with what makes rounding lose less, and goes on with that
/// if it does.
ExitCode Tuner::tryRepairs() {
  ExitCode status = repaired.prepare(arguments.without(getInspectionNames())
                                         .with("--equalize", "auto")
                                         .with("--smooth", "auto"),
                                     model);
  if (status != ExitCode::Success || !repaired.front().isRepaired()) {
    return status;
  }
  used = &repaired;
  std::optional<PrecisionSearch> other;
  const std::optional<Score> &before = found->getIntegerScore();
  if (begin(other) && before && other->getIntegerScore() &&
      *before < *other->getIntegerScore()) {
    found = std::move(other);
  } else {
    used = &plain;
  }
  return ExitCode::Success;
}

ExitCode Tuner::search() {
  interrupts.emplace();
  bool canReach = begin(found);
  const std::optional<Score> &onIntegers = found->getIntegerScore();
  if (canReach && triesRepairs && onIntegers && !onIntegers->reaches) {
    ExitCode status = tryRepairs();
    if (status != ExitCode::Success) {
      return status;
    }
  }
  std::vector<std::string> values;
  for (const TrialPlan::Value &value : getPlan().getValues()) {
    values.push_back(value.name);
  }
  if (canReach && searchesRanges) {
    found->searchRanges(values);
  }
  if (canReach && searchesPrecisions) {
    found->searchPrecisions();
  }
  if (failedToRun) {
    return ExitCode::BadInput;
  }
  if (!canReach) {
    printError() << "--target=" << metric.getTarget()
                 << " is beyond the model as it is, whose " << metric.getName()
                 << " is " << formatNumber(found->getFloatScore()->metric)
                 << "\n";
    return ExitCode::Differs;
  }
  if (interrupts->wasInterrupted()) {
    printWarning() << "interrupted: this is the best until then\n";
  } else if (budget > 0 && getSeconds() > budget) {
    printWarning() << "the time of --budget is over: this is the best until "
                      "then\n";
  }
  interrupts.reset();
  markPareto(trials);
  return ExitCode::Success;
}

/// The pattern that matches this name alone.
static std::string escapePattern(StringRef name) {
  std::string pattern;
  for (char c : name) {
    if (StringRef("*?[]{}\\").contains(c)) {
      pattern += '\\';
    }
    pattern += c;
  }
  return pattern;
}

std::vector<Override> Tuner::getOverrides() const {
  std::vector<Override> overrides;
  const Trial &best = found->getBest();
  std::string why = "nacre tune --target=" + metric.getTarget().str();
  for (auto [i, group] : llvm::enumerate(getPlan().getGroups())) {
    bool isFloat = !best.onIntegers.test(i);
    if (isFloat || best.wide.test(i)) {
      Override &override = overrides.emplace_back();
      override.node = escapePattern(group.name);
      override.precision = isFloat ? "f32" : "int16";
      override.why = why;
    }
  }
  for (auto [i, value] : llvm::enumerate(getPlan().getValues())) {
    if (best.factors[i] != 1) {
      Override &override = overrides.emplace_back();
      override.value = value.name;
      override.range = TrialPlan::narrow(value.range, best.factors[i]);
      override.why = why;
    }
  }
  return overrides;
}

void Tuner::addTo(RangeProfile &profile) const {
  llvm::append_range(profile.overrides, getOverrides());
  std::optional<CalibratorTrials> &kept = profile.calibrators;
  if (calibrators) {
    kept = calibrators;
  }
  if (!kept) {
    return;
  }
  if (triesWide) {
    // With it nothing was tried, and whoever takes these ranges shall not.
    llvm::erase_if(kept->tried, [](const auto &tried) {
      return tried.name == getName(Calibrator::Entropy);
    });
  }
  // Whoever names none shall get that of the trials.
  if (kept->tried.empty() ||
      findSettled(arguments, kept, profile.hasWideOverride()) !=
          StringRef(calibrator)) {
    kept.reset();
  }
}

void Tuner::printBest(const RangeProfile &profile,
                      llvm::raw_ostream &os) const {
  const Trial &best = found->getBest();
  os << "nacre: " << llvm::format("%.1f", 100 - getFloatShare(best) * 100)
     << " % of multiply-accumulates on integers; in f32: ";
  auto printNames = [&](const llvm::BitVector &chosen) {
    llvm::interleave(
        chosen.set_bits(), os,
        [&](unsigned group) {
          os << "'" << getPlan().getGroups()[group].name << "'";
        },
        ", ");
  };
  llvm::BitVector floats = best.onIntegers;
  floats.flip();
  if (floats.none()) {
    os << "nothing that has a choice";
  }
  printNames(floats);
  if (best.wide.any()) {
    os << "; in int16: ";
    printNames(best.wide);
  }
  os << "\n";
  if (isRepaired()) {
    os << "nacre: this is with " << kRepairs
       << ", which commands that take the ranges need, too\n";
  }
  if (findSettled(arguments, profile.calibrators, profile.hasWideOverride()) !=
      StringRef(calibrator)) {
    os << "nacre: this is with --calibrator=" << calibrator
       << ", which commands that take the ranges need, too\n";
  }
}
