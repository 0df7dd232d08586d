//===- Tune.cpp - nacre tune ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds which products of a model have to stay f32 for it to be as good as it
// must be on 8-bit integers. The model is compiled once for all trials.
//
//===----------------------------------------------------------------------===//

#include "Tune.h"
#include "Calibrate.h"
#include "CalibratorOption.h"
#include "Pareto.h"
#include "QuantizationReport.h"
#include "RangeFiles.h"
#include "RoundingOption.h"
#include "SampleBatches.h"
#include "Signals.h"
#include "TrialMetric.h"
#include "TrialModel.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using Clock = std::chrono::steady_clock;
using Outputs = TrialMetric::Outputs;

/// What `--repairs` tries, as users have to write it for what was tuned.
static constexpr StringRef kRepairs = "--equalize=auto --smooth=auto";

namespace {

/// What the trials are for.
enum class Aim { FloatMACs, Bytes };

class Tuner {
public:
  Tuner(const Arguments &arguments, StringRef model, TrialMetric metric)
      : arguments(arguments), model(model), metric(std::move(metric)) {}
  Tuner(const Tuner &) = delete; // trials refer to it

  /// Reads what the command line says of the search.
  LogicalResult configure();
  /// Compiles for the samples. `ranged` are the arguments with --ranges, and
  /// `isOpen` says whether a calibrator is to be chosen for these.
  ExitCode prepare(const Arguments &ranged, bool isOpen);
  /// Writes into the profile that was tuned what was found.
  void addTo(RangeProfile &profile) const;
  /// Tries until the target is reached for the least, or time is over.
  ExitCode search();

  size_t getNumCompiled() const { return plain.size() + repaired.size(); }
  /// Whether the best trial is one of the repaired model.
  bool isRepaired() const { return used == &repaired; }
  const std::vector<ReportedTrial> &getTrials() const { return trials; }
  const TrialMetric &getMetric() const { return metric; }
  /// Says it, and which options the commands need that take the profile.
  void printBest(const RangeProfile &profile, llvm::raw_ostream &os) const;

private:
  /// The overrides that the best trial comes to.
  std::vector<Override> getOverrides() const;
  const TrialPlan &getPlan() const { return used->front().getPlan(); }
  std::vector<double> getCosts() const;
  double getFloatShare(const Trial &trial) const;
  std::optional<double> estimateMilliseconds(const Trial &trial);
  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  std::optional<Score> measure(const Trial &trial, StringRef what);
  bool begin(std::optional<PrecisionSearch> &search);
  ExitCode tryRepairs();

  Arguments arguments;
  StringRef model;
  TrialMetric metric;
  Aim aim = Aim::FloatMACs;
  bool searchesRanges = false, searchesPrecisions = true;
  bool triesWide = false, triesRepairs = false;
  /// The calibrator of all trials, as users name it, and what has chosen it, if
  /// anything has here.
  std::string calibrator;
  std::optional<CalibratorTrials> calibrators;
  double budget = 0; // seconds; 0 for any time
  Clock::time_point start = Clock::now();
  std::optional<InterruptWatch> interrupts;

  TrialModels plain, repaired;
  TrialModels *used = &plain;
  std::vector<Outputs> expected;
  std::vector<ReportedTrial> trials;
  std::optional<PrecisionSearch> found;
  bool failedToRun = false;
};

} // namespace

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

std::vector<OptionSpec> driver::getTuneOptions() {
  std::vector<OptionSpec> options = getMetricOptions();
  options.insert(
      options.end(),
      {{"--minimize", "WHAT",
        "float-macs (default): multiply-accumulates in f32, or bytes of "
        "weights "
        "in f32"},
       {"--search", "WHAT",
        "precision (default): which nodes are f32; ranges: which part of the "
        "values' ranges is best; both"},
       {"--precisions", "LIST",
        "int8,f32 (default); int8,int16,f32: nodes that int8 is not enough for "
        "read int16 where that is, which are multiplied as floats here"},
       {"--repairs", "WHEN",
        "off (default); auto: where int8 is not enough, also try --equalize "
        "and --smooth, for which the model is compiled once more"},
       {"--budget", "SECONDS",
        "try for so long, then keep the best; so does Ctrl-C"}});
  return options;
}

/// The range profile of the command line, measured if there is none yet.
static FailureOr<std::string> findProfile(const Arguments &arguments,
                                          StringRef model, StringRef output,
                                          size_t &numCompiled,
                                          ExitCode &status) {
  if (arguments.has("--ranges")) {
    return arguments.get("--ranges").str();
  }
  CalibrationSummary summary;
  status = calibrate(arguments.without(getQuantizationOptions()), model, output,
                     summary);
  numCompiled = summary.numCompiled;
  return status == ExitCode::Success ? FailureOr<std::string>(output.str())
                                     : FailureOr<std::string>(failure());
}

/// Writes the profile that was tuned with what was found, and says it.
static LogicalResult writeTuned(StringRef ranges, StringRef output,
                                const Tuner &tuner) {
  FailureOr<RangeProfile> profile = readRangeFile(ranges);
  if (failed(profile)) {
    return failure();
  }
  tuner.addTo(*profile);
  if (failed(
          writeRangeFile(*profile, ranges, output, [&](llvm::raw_ostream &os) {
            writePareto(tuner.getTrials(), tuner.getMetric().getName(), os);
          }))) {
    return failure();
  }
  tuner.printBest(*profile, llvm::errs());
  return success();
}

static ExitCode tune(const Arguments &arguments, StringRef model,
                     StringRef output, Tuner &tuner) {
  TemporaryFolder folder;
  size_t numMeasured = 0;
  ExitCode status = ExitCode::Success;
  if (failed(folder.create())) {
    return ExitCode::BadInput;
  }
  FailureOr<std::string> ranges = findProfile(
      arguments, model, folder.getFile("ranges.yaml"), numMeasured, status);
  if (failed(ranges)) {
    return status;
  }
  // What is shown has been by then, if anything was measured.
  Arguments ranged =
      arguments.without(StringRef("--ranges")).with("--ranges", *ranges);
  if (numMeasured > 0) {
    ranged = ranged.without(getInspectionNames());
  }
  status = tuner.prepare(ranged, /*isOpen=*/!arguments.has("--ranges") &&
                                     choosesCalibrator(arguments));
  if (status == ExitCode::Success) {
    status = tuner.search();
  }
  if (status != ExitCode::Success) {
    return status;
  }
  if (failed(writeTuned(*ranges, output, tuner))) {
    return ExitCode::BadInput;
  }
  llvm::outs() << output << ": ranges and precisions after "
               << tuner.getTrials().size()
               << " trials, for which the model was "
               << "compiled " << tuner.getNumCompiled() + numMeasured
               << " times\n";
  if (!arguments.has("--report")) {
    return ExitCode::Success;
  }
  QuantizationReport report;
  Arguments tuned = settleRanges(
      arguments.without(StringRef("--ranges")).with("--ranges", output));
  if (tuner.isRepaired()) {
    tuned = tuned.with("--equalize", "auto").with("--smooth", "auto");
  }
  status = compareWithModel(tuned, model, report);
  report.metric = tuner.getMetric().getName().str();
  report.trials = tuner.getTrials();
  return status == ExitCode::Success ? finishReport(tuned, model, report)
                                     : status;
}

ExitCode driver::runTune(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1 || !arguments.has("--data") ||
      !arguments.has("--target")) {
    printError() << "tune needs one model, --data=FOLDER and --target; see "
                    "nacre tune --help\n";
    return ExitCode::BadInput;
  }
  if (quantizesWeightsAlone(arguments) || quantizesDynamically(arguments)) {
    printError() << "tune decides by ranges that were measured, which "
                    "--activations="
                 << arguments.get("--activations") << " does without\n";
    return ExitCode::BadInput;
  }
  if (arguments.has("--quantize-embeddings")) {
    printError() << "tune is about products: leave --quantize-embeddings to "
                    "the commands that take the ranges it writes\n";
    return ExitCode::BadInput;
  }
  if (correctsBiasesExactly(arguments)) {
    printError() << "tune tries many quantizations, of which each needs other "
                    "biases: leave --bias-correction=exact to nacre quantize "
                    "--data with the --ranges that tune writes\n";
    return ExitCode::BadInput;
  }
  if (measuresCalibrator(arguments) && !arguments.has("--ranges")) {
    printError() << "tune measures ranges, not calibrators: give the --ranges "
                    "that nacre quantize --calibrator=measured has written, or "
                    "name a calibrator\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  std::string output = arguments.get("-o").str();
  if (output.empty()) {
    output = llvm::sys::path::stem(model).str() + ".tuned.yaml";
  }
  if (isSharedLibraryName(model)) {
    printError() << "tune needs a model to compile, found the library '"
                 << model << "'\n";
    return ExitCode::BadInput;
  }
  FailureOr<TrialMetric> metric = TrialMetric::create(arguments);
  // To commands that compile, --target is a machine.
  Arguments compiling = arguments.without(StringRef("--target"));
  if (failed(metric) || failed(requireModelFile(model)) ||
      failed(requireFolderOf(output)) ||
      failed(requireQuantization(compiling)) ||
      failed(requireReportName(arguments.get("--report")))) {
    return ExitCode::BadInput;
  }
  Tuner tuner(compiling, model, std::move(*metric));
  if (failed(tuner.configure())) {
    return ExitCode::BadInput;
  }
  SampleFolders folders;
  FailureOr<Arguments> unpacked = findSampleData(compiling, model, folders);
  return failed(unpacked) ? ExitCode::BadInput
                          : tune(*unpacked, model, output, tuner);
}
