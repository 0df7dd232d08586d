//===- Calibrate.cpp - nacre calibrate ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model on samples and writes down the ranges of its values.
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"
#include "CalibratorChoice.h"
#include "CalibratorOption.h"
#include "InputSums.h"
#include "RangeFiles.h"
#include "Repairs.h"
#include "RoundingOption.h"
#include "SampleBatches.h"
#include "SampleSet.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;

namespace {

/// What is measured of one value.
struct Tap {
  ValueProfile profile;
  Statistics statistics;
};

class Calibration {
public:
  Calibration(const SampleSet &samples, StringRef model, size_t bins,
              int64_t maxBytes)
      : samples(samples), arguments(samples.getArguments()), model(model),
        bins(bins), maxBytes(maxBytes) {}

  ExitCode run();
  RangeProfile getProfile() const;
  /// Has products of inputs be summed, too, those of runs that judge apart.
  void sumInputs(const InputSumsLimits &limits, const Judges &judges) {
    for (const SampleSet::Group &group : judges) {
      unseen.insert(group.begin(), group.end());
    }
    sums = std::make_shared<InputSums>(samples.getNumRuns(), limits);
  }
  const std::shared_ptr<InputSums> &getSums() const { return sums; }
  /// How often the model was compiled.
  size_t getNumCompiled() const { return numCompiled; }

private:
  ExitCode runPart(const SampleSet::Group &group, int64_t part,
                   int64_t &numParts);
  std::vector<Tap *> findTaps(abi::TapsAttr recorded);

  const SampleSet &samples;
  /// Of what is shown, the first session shows it.
  Arguments arguments;
  StringRef model;
  size_t bins;
  int64_t maxBytes;
  size_t numCompiled = 0;
  std::shared_ptr<InputSums> sums;
  llvm::DenseSet<size_t> unseen;
  std::string graph;
  /// In the order of the model, and by name.
  std::vector<std::unique_ptr<Tap>> taps;
  llvm::StringMap<Tap *> byName;
};

} // namespace

/// The taps that a module records, in the order of the results that they are.
std::vector<Tap *> Calibration::findTaps(abi::TapsAttr recorded) {
  graph = recorded.getGraph().str();
  std::vector<Tap *> found;
  for (auto value : recorded.getValues().getAsRange<abi::TapAttr>()) {
    StringRef name = value.getName();
    Tap *&tap = byName[name];
    if (!tap) {
      taps.push_back(std::make_unique<Tap>(
          Tap{ValueProfile(), Statistics(bins, value.getAxis())}));
      tap = taps.back().get();
      tap->profile.name = name.str();
      tap->profile.node = value.getNode().str();
      tap->profile.op = value.getOp().str();
    }
    found.push_back(tap);
  }
  return found;
}

/// Measures the values that are a part of all.
ExitCode Calibration::runPart(const SampleSet::Group &group, int64_t part,
                              int64_t &numParts) {
  Session session;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  session.taps = std::make_unique<IE::TapValuesOptions>();
  session.taps->maxBytes = maxBytes;
  session.taps->group = part;
  session.inspect = [&](ModuleOp module) {
    if (sums) {
      sums->collect(module);
    }
    return success();
  };
  if (failed(samples.prepare(session, model, group))) {
    return session.getExitCode();
  }
  ++numCompiled;
  arguments = arguments.without(getInspectionNames());
  auto recorded = abi::get<abi::Taps>(session.getModule());
  numParts = recorded.getGroups();
  std::vector<Tap *> found = findTaps(recorded);
  for (size_t run : group) {
    FailureOr<SmallVector<Datum>> inputs = samples.read(session, run);
    SmallVector<Datum> outputs;
    if (failed(inputs) || failed(session.run(*inputs, outputs))) {
      return session.getExitCode();
    }
    ArrayRef<Datum> seen = ArrayRef(outputs).take_back(found.size());
    auto measure = [&](size_t i) {
      const interpreter::Tensor &tensor = seen[i].getTensor();
      found[i]->statistics.add(tensor.values<float>(), tensor.getShape());
    };
    if (session.getThreads() > 1) {
      parallelFor(&session.getContext(), 0, found.size(), measure);
    } else {
      llvm::for_each(llvm::seq(found.size()), measure);
    }
    for (size_t i = 0; sums && i < found.size(); ++i) {
      sums->add(found[i]->profile.name, seen[i].getTensor(),
                unseen.contains(run));
    }
  }
  return ExitCode::Success;
}

ExitCode Calibration::run() {
  return samples.forEachPart(
      [&](const SampleSet::Group &group, int64_t part, int64_t &numParts) {
        return runPart(group, part, numParts);
      });
}

RangeProfile Calibration::getProfile() const {
  RangeProfile profile;
  profile.model = llvm::sys::path::stem(model).str();
  profile.graph = graph;
  profile.samples = samples.getNumSamples();
  for (const auto &tap : taps) {
    profile.values.push_back(tap->profile);
    profile.values.back().take(tap->statistics);
  }
  return profile;
}

std::vector<OptionSpec> driver::getCalibrationOptions() {
  std::vector<OptionSpec> options = getSampleOptions();
  options.insert(
      options.end(),
      {{"--bins", "N", "bins of a histogram, at most (default 2048)"},
       {"--hessians", "",
        "also sum products of what layers multiply, of some thousand rows, for "
        "--rounding=hessian: in OUT.sums beside OUT, which has the more bytes "
        "the wider layers are, up to 4608 numbers a sum"},
       {"--memory", "MB",
        "run in parts, each of which keeps values of at most so many "
        "megabytes (default 1024)"}});
  return options;
}

FailureOr<int64_t> driver::readMemoryLimit(const Arguments &arguments) {
  constexpr int64_t kMostMegabytes = 1 << 20;
  FailureOr<int64_t> memory =
      arguments.getCount("--memory", 1024, 1, kMostMegabytes);
  return failed(memory) ? memory : FailureOr<int64_t>(*memory << 20);
}

ExitCode driver::calibrate(const Arguments &arguments, StringRef model,
                           StringRef output, CalibrationSummary &summary,
                           double judgedWork) {
  constexpr int64_t kMostBins = 1 << 16;
  FailureOr<int64_t> bins = arguments.getCount("--bins", 2048, 256, kMostBins);
  FailureOr<int64_t> memory = readMemoryLimit(arguments);
  if (failed(bins) || failed(memory) || failed(requireModelFile(model))) {
    return ExitCode::BadInput;
  }
  if (isSharedLibraryName(model)) {
    printError() << "calibration needs a model to compile, found the library '"
                 << model << "'\n";
    return ExitCode::BadInput;
  }
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples = SampleSet::find(arguments, model, status);
  if (failed(samples)) {
    return status;
  }
  Calibration calibration(*samples, model, static_cast<size_t>(*bins), *memory);
  if (judgedWork > 0) {
    FailureOr<Judges> judges = chooseUnseenJudges(*samples, model, status);
    if (failed(judges)) {
      return status;
    }
    summary.unseen.judges = std::move(*judges);
  }
  if (arguments.has("--hessians")) {
    calibration.sumInputs({std::numeric_limits<double>::infinity(),
                           /*needsRows=*/false, judgedWork},
                          summary.unseen.judges);
  } else if (!summary.unseen.judges.empty()) {
    calibration.sumInputs({kMostRoundingWork, /*needsRows=*/true, judgedWork},
                          summary.unseen.judges);
  }
  status = calibration.run();
  if (status != ExitCode::Success) {
    return status;
  }
  RangeProfile profile = calibration.getProfile();
  const InputSums *sums = calibration.getSums().get();
  if (sums) {
    profile.sums = sums->getIndex();
  }
  if (failed(writeMeasured(profile, output,
                           [&](llvm::raw_ostream &os) { sums->write(os); }))) {
    return ExitCode::BadInput;
  }
  // What has been summed judges nothing as unseen, and the sums can go.
  if (sums && !sums->areJudgesApart()) {
    summary.unseen.judges.clear();
  }
  if (!summary.unseen.judges.empty()) {
    summary.unseen.sums = calibration.getSums();
  }
  summary.numValues = profile.values.size();
  summary.numSamples = profile.samples;
  summary.numCompiled = calibration.getNumCompiled();
  return ExitCode::Success;
}

void CalibrationSummary::print(StringRef output) const {
  llvm::outs() << output << ": ranges of " << numValues << " values in "
               << numSamples << " samples\n";
}

static ExitCode calibrateAndChoose(const Arguments &arguments, StringRef model,
                                   StringRef output) {
  // What quantization is asked for decides which calibrators are tried, and for
  // which integers; ranges are the same for all.
  Arguments plain = needsRanges(arguments)
                        ? arguments.without(getQuantizationOptions())
                        : arguments;
  CalibrationSummary summary;
  bool isAsked = asksForRounding(arguments);
  if (isAsked) {
    plain = plain.with("--hessians", "");
  }
  // Sums have a file of their own, beside that of the ranges.
  double judgedWork = canHaveSums(output) ? getJudgedWork(arguments) : 0;
  bool rounds = isAsked || judgedWork > 0;
  if (!choosesCalibrator(arguments) && !rounds) {
    ExitCode status = calibrate(plain, model, output, summary);
    if (status == ExitCode::Success) {
      summary.print(output);
    }
    return status;
  }
  // Runs with ranges read them from a file, and the output has a choice as soon
  // as it is there.
  TemporaryFolder scratch;
  if (failed(scratch.create())) {
    return ExitCode::BadInput;
  }
  std::string ranges = scratch.getFile("ranges.yaml"), found;
  ExitCode status = calibrate(plain, model, ranges, summary, judgedWork);
  Arguments ranged = arguments.with("--ranges", ranges);
  if (status == ExitCode::Success && choosesCalibrator(arguments)) {
    status = measureCalibrators(ranged, model, found);
  }
  if (status == ExitCode::Success && rounds) {
    Arguments repaired = withoutRepairs(settleCalibrator(ranged, ranges));
    if (isAsked) {
      repaired = repaired.with("--rounding", "hessian");
    }
    status = measureRepairs(repaired, model, summary.unseen);
  }
  if (status != ExitCode::Success) {
    return status;
  }
  FailureOr<RangeProfile> profile = readRangeFile(ranges);
  if (failed(profile) ||
      failed(writeRangeFile(std::move(*profile), ranges, output))) {
    return ExitCode::BadInput;
  }
  summary.print(output);
  if (!found.empty()) {
    (output == "-" ? llvm::errs() : llvm::outs())
        << output << ": " << found << "\n";
  }
  return ExitCode::Success;
}

ExitCode driver::runCalibrate(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1 || !arguments.has("--data")) {
    printError() << "calibrate needs one model and --data=FOLDER; see nacre "
                    "calibrate --help\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  std::string output = arguments.get("-o").str();
  if (output.empty()) {
    output = llvm::sys::path::stem(model).str() + ".ranges.yaml";
  }
  bool isAsked = asksForRounding(arguments);
  if ((arguments.has("--hessians") || isAsked) && !canHaveSums(output)) {
    printError() << (isAsked ? "--rounding=hessian" : "--hessians")
                 << " writes sums beside the ranges, which cannot be "
                    "beside '"
                 << output << "': -o names a file\n";
    return ExitCode::BadInput;
  }
  if (failed(requireModelFile(model)) || failed(requireFolderOf(output)) ||
      (needsRanges(arguments) && failed(requireQuantization(arguments)))) {
    return ExitCode::BadInput;
  }
  SampleFolders folders;
  FailureOr<Arguments> unpacked = findSampleData(arguments, model, folders);
  if (failed(unpacked)) {
    return ExitCode::BadInput;
  }
  return calibrateAndChoose(*unpacked, model, output);
}
