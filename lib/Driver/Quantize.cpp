//===- Quantize.cpp - nacre quantize --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of floats and the ranges of its values into a model of 8-bit
// integers, as ONNX, and what it is worth.
//
//===----------------------------------------------------------------------===//

#include "AssertQuantized.h"
#include "BiasCorrection.h"
#include "Calibrate.h"
#include "CalibratorChoice.h"
#include "CalibratorOption.h"
#include "ModelFile.h"
#include "QuantizationReport.h"
#include "RandomData.h"
#include "RangeFiles.h"
#include "Repairs.h"
#include "RoundingOption.h"
#include "SampleBatches.h"
#include "Session.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

static constexpr StringRef kExtension = ".onnx";

/// Measures the ranges of values, and what calibrators and repairs are worth,
/// and writes that into the file `ranges`.
static ExitCode measureRanges(const Arguments &arguments, StringRef model,
                              StringRef ranges) {
  CalibrationSummary summary;
  Arguments plain =
      arguments.without(getQuantizationOptions()).without(getInspectionNames());
  if (arguments.get("--rounding") == "hessian") {
    plain = plain.with("--hessians", "");
  }
  ExitCode status =
      calibrate(plain, model, ranges, summary, getJudgedWork(arguments));
  if (status != ExitCode::Success) {
    return status;
  }
  summary.print(ranges);
  Arguments ranged = arguments.with("--ranges", ranges);
  if (choosesCalibrator(arguments)) {
    std::string found;
    status = measureCalibrators(ranged, model, found);
    if (status != ExitCode::Success) {
      return status;
    }
    llvm::outs() << ranges << ": " << found << "\n";
  }
  return measureRepairs(settleCalibrator(ranged, ranges), model,
                        summary.unseen);
}

/// The command line without rounding where the ranges that were measured for it
/// have no sums, since no layer can be rounded, as a warning has said.
static FailureOr<Arguments> dropRounding(const Arguments &arguments) {
  if (!asksForRounding(arguments)) {
    return arguments;
  }
  FailureOr<RangeProfile> profile = readRangeFile(arguments.get("--ranges"));
  if (failed(profile)) {
    return failure();
  }
  if (profile->sums) {
    return arguments;
  }
  Arguments nearest = arguments.without(StringRef("--rounding"));
  return needsRanges(nearest) ? nearest
                              : nearest.without(StringRef("--ranges"));
}

/// Says which calibrator biases are corrected exactly with, where the command
/// line has not named one: runs are not corrected yet when they are compared.
static void sayCalibrator(const Arguments &arguments, StringRef ranges) {
  if (measuresCalibrator(arguments)) {
    llvm::outs() << ranges << ": the calibrator is the best one without "
                 << "--bias-correction=exact, with which another may be\n";
  } else if (!namesCalibrator(arguments)) {
    llvm::outs() << ranges << ": calibrator "
                 << getName(CalibrationOptions().calibrator)
                 << ": others are not tried with --bias-correction=exact; "
                    "--calibrator names one\n";
  }
}

/// Measures what there are samples for and is not known yet. Gives the command
/// line with the file of ranges.
static FailureOr<Arguments> findRanges(const Arguments &arguments,
                                       StringRef model, StringRef output,
                                       ExitCode &status) {
  bool corrects = correctsBiasesExactly(arguments) && arguments.has("--data");
  if (!needsRanges(arguments) || (arguments.has("--ranges") && !corrects)) {
    return arguments;
  }
  std::string measured =
      output.drop_back(kExtension.size()).str() + ".ranges.yaml";
  std::string ranges = arguments.get("--ranges", measured).str();
  if (!arguments.has("--ranges")) {
    status = measureRanges(arguments, model, ranges);
  }
  if (status != ExitCode::Success) {
    return failure();
  }
  Arguments ranged =
      arguments.without(StringRef("--ranges")).with("--ranges", ranges);
  if (!arguments.has("--ranges")) {
    FailureOr<Arguments> possible = dropRounding(ranged);
    if (failed(possible)) {
      status = ExitCode::BadInput;
      return failure();
    }
    ranged = *possible;
  }
  Arguments settled = settleRanges(ranged);
  if (!corrects) {
    return settled;
  }
  sayCalibrator(settled, measured);
  status = measureBiases(settled, model, measured);
  return status == ExitCode::Success
             ? FailureOr<Arguments>(settled.without(StringRef("--ranges"))
                                        .with("--ranges", measured))
             : FailureOr<Arguments>(failure());
}

/// Makes a function that keeps what it finds of a module in `report`.
static std::function<LogicalResult(ModuleOp)>
reportTo(QuantizationReport &report, const Session &session) {
  return [&](ModuleOp module) {
    FailureOr<QuantizationReport> made = makeReport(module, session);
    if (failed(made)) {
      return failure();
    }
    report = std::move(*made);
    return success();
  };
}

static ExitCode quantize(const Arguments &arguments, StringRef model,
                         StringRef output, QuantizationReport &report) {
  Session session;
  if (failed(session.configure(arguments)) ||
      failed(session.loadModel(model))) {
    return session.getExitCode();
  }
  if (getLevel(session.getModule()) != Level::IE) {
    printError() << "quantize needs a model, found a module of a lower level: '"
                 << model << "'\n";
    return ExitCode::BadInput;
  }
  auto describe = reportTo(report, session);
  session.inspect = [&](ModuleOp module) {
    return failure(failed(assertQuantized(arguments, module, session)) ||
                   failed(describe(module)));
  };
  if (failed(session.adjustGraph()) || failed(session.inspectCopy())) {
    return session.getExitCode();
  }
  ExitCode status =
      writeModel(session, output, arguments.has("--external-data"));
  if (status == ExitCode::Success) {
    llvm::outs() << output << ": " << llvm::sys::path::filename(model)
                 << ", quantized\n";
  }
  return status;
}

ExitCode driver::compareWithModel(const Arguments &arguments, StringRef model,
                                  QuantizationReport &report) {
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples =
      SampleSet::find(arguments.without(getInspectionNames()), model, status);
  FailureOr<int64_t> memory = readMemoryLimit(arguments);
  if (failed(samples) || failed(memory)) {
    return failed(samples) ? status : ExitCode::BadInput;
  }
  Session session;
  if (failed(session.configure(samples->getArguments()))) {
    return session.getExitCode();
  }
  const Arguments &quantized = samples->getArguments();
  LayerComparison comparison(*samples,
                             {model.str(), withoutQuantization(quantized)},
                             {model.str(), quantized}, *memory);
  // The samples tell sizes that the model leaves open.
  comparison.inspect = reportTo(report, session);
  status = comparison.run();
  if (status == ExitCode::Success) {
    addComparison(report, comparison, samples->getNumSamples());
  }
  return status;
}

ExitCode driver::finishReport(const Arguments &arguments, StringRef model,
                              QuantizationReport &report) {
  report.model = llvm::sys::path::filename(model).str();
  report.options = describeQuantization(arguments);
  if (hadRandomData(arguments)) {
    report.note += (report.note.empty() ? "" : "; ") +
                   std::string("samples are random numbers, by which no "
                               "accuracy can be judged");
  }
  sortReport(report);
  printSummary(report, llvm::errs());
  if (!arguments.has("--report")) {
    return ExitCode::Success;
  }
  StringRef path = arguments.get("--report");
  if (failed(writeReport(report, path))) {
    return ExitCode::BadInput;
  }
  llvm::outs() << path << ": what it costs and saves\n";
  return ExitCode::Success;
}

/// Says so where a quantized model is no faster than it was.
static void warnWithoutGain(const QuantizationReport &report, StringRef model) {
  if (report.countQuantized() > 0 || report.countQuantizedTables() > 0) {
    return;
  }
  printWarning() << "nothing of '" << model << "' computes " << report.manner
                 << ": ";
  if (report.products.empty()) {
    llvm::errs() << "it has no convolutions or products of matrices\n";
    return;
  }
  const ReportedProduct &first = report.products.front();
  llvm::errs() << "'" << first.node << "' computes floats, since "
               << first.obstacle;
  if (report.products.size() > 1) {
    llvm::errs() << ", and " << report.products.size() - 1 << " more do";
  }
  llvm::errs() << "\n";
}

ExitCode driver::runQuantize(const Arguments &arguments) {
  bool hasData = arguments.has("--data"), hasRanges = arguments.has("--ranges");
  // Where nothing has to be measured, data are for a report alone.
  bool corrects = hasRanges && correctsBiasesExactly(arguments);
  bool needsNone = hasRanges || !needsRanges(arguments);
  if (arguments.getPositional().size() != 1 || (!hasData && !needsNone) ||
      (hasData && needsNone && !corrects && !arguments.has("--report"))) {
    printError() << "quantize needs one model and one of --data=FOLDER, "
                    "--ranges=FILE, --activations=dynamic and "
                    "--activations=none; data beside the others are for a "
                    "--report or --bias-correction=exact, else leave them out; "
                    "see nacre quantize --help\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  std::string output = arguments.get("-o").str();
  if (output.empty()) {
    output = llvm::sys::path::stem(model).str() + ".int8.onnx";
  }
  if (isSharedLibraryName(model) || !StringRef(output).ends_with(kExtension)) {
    printError() << "quantize reads a model and writes an .onnx file, found '"
                 << model << "' and '" << output << "'\n";
    return ExitCode::BadInput;
  }
  if (failed(requireModelFile(model)) || failed(requireFolderOf(output)) ||
      failed(requireReportName(arguments.get("--report"))) ||
      failed(requireQuantization(arguments))) {
    return ExitCode::BadInput;
  }
  ExitCode status = ExitCode::Success;
  SampleFolders folders;
  FailureOr<Arguments> unpacked = findSampleData(arguments, model, folders);
  if (failed(unpacked)) {
    return ExitCode::BadInput;
  }
  FailureOr<Arguments> ranged = findRanges(*unpacked, model, output, status);
  if (failed(ranged)) {
    return status;
  }
  QuantizationReport report;
  status = quantize(*ranged, model, output, report);
  if (status == ExitCode::Success && hasData && arguments.has("--report")) {
    status = compareWithModel(*ranged, model, report);
  }
  if (status != ExitCode::Success) {
    return status;
  }
  warnWithoutGain(report, model);
  return finishReport(*ranged, model, report);
}
