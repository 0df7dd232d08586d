//===- Quantize.cpp - nacre quantize --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of floats and the ranges of its values into a model of 8-bit
// integers, as ONNX.
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"
#include "ModelFile.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Pipelines/Pipelines.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static constexpr StringRef kExtension = ".onnx";

/// Reads the ranges of values, measuring them first where there is data. Gives
/// the command line with their file.
static FailureOr<Arguments> findRanges(const Arguments &arguments,
                                       StringRef model, StringRef output,
                                       ExitCode &status) {
  if (!arguments.has("--data")) {
    return arguments;
  }
  std::string ranges =
      output.drop_back(kExtension.size()).str() + ".ranges.yaml";
  status = calibrate(
      arguments.without(getQuantizationOptions()).without(getInspectionNames()),
      model, ranges);
  if (status != ExitCode::Success) {
    return failure();
  }
  return arguments.with("--ranges", ranges);
}

static ExitCode quantize(const Arguments &arguments, StringRef model,
                         StringRef output) {
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

ExitCode driver::runQuantize(const Arguments &arguments) {
  bool isMeasured = arguments.has("--data");
  if (arguments.getPositional().size() != 1 ||
      isMeasured == arguments.has("--ranges")) {
    printError() << "quantize needs one model and either --data=FOLDER or "
                    "--ranges=FILE; see nacre quantize --help\n";
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
  if (failed(requireModelFile(model))) {
    return ExitCode::BadInput;
  }
  ExitCode status = ExitCode::Success;
  FailureOr<Arguments> ranged = findRanges(arguments, model, output, status);
  return failed(ranged) ? status : quantize(*ranged, model, output);
}
