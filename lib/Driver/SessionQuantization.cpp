//===- SessionQuantization.cpp - Quantizing the model of a session --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --ranges and its companions ask for.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

/// Takes one of the names that an option has. Prints an error and fails for
/// another.
template <typename T>
static LogicalResult choose(const Arguments &arguments, StringRef option,
                            ArrayRef<std::pair<StringRef, T>> names, T &value) {
  if (!arguments.has(option)) {
    return success();
  }
  StringRef name = arguments.get(option);
  for (const auto &[known, meaning] : names) {
    if (name == known) {
      value = meaning;
      return success();
    }
  }
  printError() << option << " needs ";
  llvm::interleave(
      names, llvm::errs(),
      [](const auto &known) { llvm::errs() << known.first; }, " or ");
  llvm::errs() << ", found '" << name << "'\n";
  return failure();
}

static constexpr StringRef kQuantizationOptions[] = {
    "--schema", "--activations", "--calibrator", "--per-tensor",
    "--no-bias-correction"};

ArrayRef<StringRef> driver::getQuantizationOptions() {
  return kQuantizationOptions;
}

/// The calibrator, and what it keeps.
static LogicalResult readCalibrator(const Arguments &arguments,
                                    IE::QuantizeOptions &options) {
  auto [name, kept] = arguments.get("--calibrator").split(':');
  if (name == "percentile" && !kept.empty()) {
    bool isNumber = !kept.getAsDouble(options.percentile);
    if (!isNumber || options.percentile <= 50 || options.percentile > 100) {
      printError() << "--calibrator=percentile:P needs a number above 50 and "
                      "up to 100, found '"
                   << kept << "'\n";
      return failure();
    }
    options.calibrator = Calibrator::Percentile;
    return success();
  }
  return choose<Calibrator>(arguments, "--calibrator",
                            {{"mse", Calibrator::MSE},
                             {"minmax", Calibrator::MinMax},
                             {"entropy", Calibrator::Entropy},
                             {"percentile", Calibrator::Percentile}},
                            options.calibrator);
}

LogicalResult Session::configureQuantization(const Arguments &arguments) {
  if (!arguments.has("--ranges")) {
    for (StringRef option : kQuantizationOptions) {
      if (arguments.has(option)) {
        printError() << option << " needs --ranges\n";
        return fail(ExitCode::BadInput);
      }
    }
    return success();
  }
  auto options = std::make_unique<IE::QuantizeOptions>();
  options->ranges = arguments.get("--ranges").str();
  options->perChannel = !arguments.has("--per-tensor");
  options->biasCorrection = !arguments.has("--no-bias-correction");
  if (failed(
          choose<Schema>(arguments, "--schema",
                         {{"asymmetric", Schema::Asymmetric},
                          {"symmetric", Schema::Symmetric},
                          {"symmetric_with_uint8", Schema::SymmetricWithUInt8},
                          {"symmetric_power2", Schema::SymmetricPower2}},
                         options->schema)) ||
      failed(choose<ActivationType>(
          arguments, "--activations",
          {{"uint8", ActivationType::UInt8}, {"int8", ActivationType::Int8}},
          options->activations)) ||
      failed(readCalibrator(arguments, *options))) {
    return fail(ExitCode::BadInput);
  }
  if (arguments.has("--activations") && options->schema != Schema::Asymmetric) {
    printError() << "--activations is a choice of --schema=asymmetric\n";
    return fail(ExitCode::BadInput);
  }
  quantization = std::move(options);
  return success();
}

LogicalResult Session::adjustGraph() {
  if (!quantization && !taps) {
    return success();
  }
  if (failed(runPasses([](OpPassManager &manager) {
        buildIEPreparePipeline(manager, IEOptimizeOptions());
      }))) {
    return failure();
  }
  // What is wrong with the ranges is not the model's fault.
  return runPasses(
      *module,
      [&](OpPassManager &manager) {
        if (quantization) {
          manager.addNestedPass<func::FuncOp>(
              IE::createQuantize(*quantization));
        }
        if (taps) {
          manager.addPass(IE::createTapValues(*taps));
        }
      },
      ExitCode::BadInput);
}
