//===- Tune.cpp - nacre tune ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds which products of a model have to stay f32 for it to be as good as it
// must be on 8-bit integers.
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
#include "Tuner.h"

#include "nacre/Emit/Artifact.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

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
