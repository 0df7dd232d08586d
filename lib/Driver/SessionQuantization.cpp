//===- SessionQuantization.cpp - Quantizing the model of a session --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --ranges and its companions ask for.
//
//===----------------------------------------------------------------------===//

#include "CalibratorOption.h"
#include "KeepArguments.h"
#include "Session.h"

#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Quantization/Calibrators.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

static constexpr StringRef kQuantizationOptions[] = {"--schema",
                                                     "--activations",
                                                     "--calibrator",
                                                     "--per-tensor",
                                                     "--bias-correction",
                                                     "--equalize",
                                                     "--smooth",
                                                     "--rounding",
                                                     "--keep",
                                                     "--keep-node",
                                                     "--keep-first",
                                                     "--keep-last",
                                                     "--only",
                                                     "--weights",
                                                     "--block",
                                                     "--bias",
                                                     "--quantize-outputs",
                                                     "--io",
                                                     "--quantize-embeddings",
                                                     "--reduce-range",
                                                     "--calibrate-weights",
                                                     "--keep-between",
                                                     "--ops",
                                                     "--keep-activations",
                                                     "--int4-form"};

ArrayRef<StringRef> driver::getQuantizationOptions() {
  return kQuantizationOptions;
}

Arguments driver::withoutQuantization(const Arguments &arguments) {
  return arguments.without(getQuantizationOptions())
      .without(StringRef("--ranges"));
}

/// The calibrator, and what it keeps.
static LogicalResult readCalibrator(const Arguments &given,
                                    IE::QuantizeOptions &options) {
  FailureOr<std::string> wanted = findCalibrator(given);
  if (failed(wanted)) {
    return failure();
  }
  Arguments arguments = withCalibrator(given, *wanted);
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
  auto choices = llvm::to_vector(getCalibrators());
  // By now they are one of those before them, but users may ask for them.
  choices.emplace_back("auto", options.calibrator);
  choices.emplace_back("measured", options.calibrator);
  auto chosen = arguments.getChoice<Calibrator>("--calibrator", choices);
  if (failed(chosen)) {
    return failure();
  }
  options.calibrator = *chosen;
  return success();
}

bool driver::quantizesWeightsAlone(const Arguments &arguments) {
  return arguments.get("--activations") == "none";
}

bool driver::quantizesDynamically(const Arguments &arguments) {
  return arguments.get("--activations") == "dynamic";
}

bool driver::quantizesByRanges(const Arguments &arguments) {
  return !quantizesDynamically(arguments) && !quantizesWeightsAlone(arguments);
}

bool driver::needsRanges(const Arguments &arguments) {
  return quantizesByRanges(arguments) ||
         (quantizesWeightsAlone(arguments) &&
          arguments.get("--rounding") == "hessian");
}

bool driver::correctsBiasesExactly(const Arguments &arguments) {
  return arguments.get("--bias-correction") == "exact";
}

static FailureOr<Rounding> readRounding(const Arguments &arguments) {
  // By now what the ranges choose is named, but users may ask for it.
  return arguments.getChoice<Rounding>("--rounding",
                                       {{"auto", Rounding::Nearest},
                                        {"nearest", Rounding::Nearest},
                                        {"hessian", Rounding::Hessian}});
}

StringRef Session::getQuantizingOption() const {
  return quantization          ? "--ranges"
         : weightQuantization  ? "--weights"
         : dynamicQuantization ? "--activations"
                               : "";
}

/// Fails, after an error, where one of the options is given, which are of no
/// use, as the reason says.
static LogicalResult refuse(const Arguments &arguments,
                            ArrayRef<StringRef> options, StringRef reason) {
  for (StringRef option : options) {
    if (arguments.has(option)) {
      printError() << option << " is of no use for --activations="
                   << arguments.get("--activations") << ", " << reason << "\n";
      return failure();
    }
  }
  return success();
}

/// Weights of few bits, for activations that stay floats.
LogicalResult Session::configureWeights(const Arguments &arguments) {
  SmallVector<StringRef> useless = {"--schema",
                                    "--calibrator",
                                    "--per-tensor",
                                    "--bias-correction",
                                    "--equalize",
                                    "--smooth",
                                    "--bias",
                                    "--quantize-outputs",
                                    "--io",
                                    "--reduce-range",
                                    "--keep-activations"};
  if (!needsRanges(arguments)) {
    useless.push_back("--ranges");
  }
  if (failed(refuse(arguments, useless, "which leaves values f32")) ||
      failed(refuseActivations(arguments))) {
    return fail(ExitCode::BadInput);
  }
  if (arguments.has("--calibrate-weights")) {
    printError() << "--calibrate-weights is of no use for --activations=none: "
                    "int4 has the scales of least squared error anyway, and of "
                    "int8 nothing needs to be cut off\n";
    return fail(ExitCode::BadInput);
  }
  if (!arguments.has("--weights")) {
    printError() << "--activations=none needs --weights=int8 or int4\n";
    return fail(ExitCode::BadInput);
  }
  auto bits =
      arguments.getChoice<unsigned>("--weights", {{"int8", 8}, {"int4", 4}});
  FailureOr<Rounding> rounding = readRounding(arguments);
  constexpr int64_t kWord = 8, kMostElements = 1 << 20;
  if (failed(bits) || failed(rounding)) {
    return fail(ExitCode::BadInput);
  }
  if (*rounding == Rounding::Hessian && !arguments.has("--ranges")) {
    printError() << "--rounding=hessian needs --ranges\n";
    return fail(ExitCode::BadInput);
  }
  bool isByte = *bits == 8;
  FailureOr<double> block =
      arguments.getNumber("--block", isByte ? 0 : 32, 0, kMostElements);
  auto options = std::make_unique<IE::QuantizeWeightsOptions>();
  if (failed(block) || failed(readKeep(arguments, context, *options))) {
    return fail(ExitCode::BadInput);
  }
  options->bits = *bits;
  options->rounding = *rounding;
  options->ranges = arguments.get("--ranges").str();
  options->blockSize = static_cast<int64_t>(*block);
  if (static_cast<double>(options->blockSize) != *block ||
      options->blockSize % kWord != 0) {
    printError() << "--block needs a multiple of 8 elements, or 0, found "
                 << arguments.get("--block") << "\n";
    return fail(ExitCode::BadInput);
  }
  auto nBits = arguments.getChoice<bool>("--int4-form",
                                         {{"blocks", false}, {"nbits", true}});
  if (failed(nBits)) {
    return fail(ExitCode::BadInput);
  }
  if (isByte && arguments.has("--int4-form")) {
    printError() << "--int4-form is for --weights=int4, found int8: leave it "
                    "out\n";
    return fail(ExitCode::BadInput);
  }
  constexpr int64_t kSmallest = 16, kLargest = 256;
  if (*nBits &&
      (options->blockSize < kSmallest || options->blockSize > kLargest ||
       !llvm::isPowerOf2_64(options->blockSize))) {
    printError() << "--int4-form=nbits needs --block=16, 32, 64, 128 or 256, "
                    "which MatMulNBits has, found "
                 << options->blockSize << "\n";
    return fail(ExitCode::BadInput);
  }
  options->nBits = *nBits;
  weightQuantization = std::move(options);
  return success();
}

LogicalResult Session::configureRepairs(const Arguments &arguments) {
  auto isAsked = [&](StringRef option) {
    return arguments.getChoice<bool>(option, {{"off", false}, {"auto", true}});
  };
  FailureOr<bool> equalize = isAsked("--equalize"),
                  smooth = isAsked("--smooth");
  if (failed(equalize) || failed(smooth)) {
    return fail(ExitCode::BadInput);
  }
  equalizes = *equalize;
  smooths = *smooth;
  return success();
}

/// Products on bytes, by ranges that each run finds.
LogicalResult Session::configureDynamic(const Arguments &arguments) {
  if (failed(
          refuse(arguments,
                 {"--ranges", "--schema", "--calibrator", "--bias-correction",
                  "--equalize", "--smooth", "--rounding", "--weights",
                  "--block", "--bias", "--quantize-outputs", "--io",
                  "--keep-activations", "--int4-form"},
                 "which finds ranges in each run, and has int8 weights and "
                 "f32 biases")) ||
      failed(refuseActivations(arguments))) {
    return fail(ExitCode::BadInput);
  }
  auto options = std::make_unique<IE::QuantizeDynamicOptions>();
  options->perChannel = !arguments.has("--per-tensor");
  options->weightBits = arguments.has("--reduce-range") ? 7 : 8;
  options->calibrateWeights = arguments.has("--calibrate-weights");
  if (failed(readKeep(arguments, context, *options))) {
    return fail(ExitCode::BadInput);
  }
  dynamicQuantization = std::move(options);
  return success();
}

/// The types of numbers, and what decides on the schema.
static LogicalResult readTypes(const Arguments &arguments,
                               IE::QuantizeOptions &options) {
  auto schema = arguments.getChoice<Schema>(
      "--schema", {{"asymmetric", Schema::Asymmetric},
                   {"symmetric", Schema::Symmetric},
                   {"symmetric_with_uint8", Schema::SymmetricWithUInt8},
                   {"symmetric_power2", Schema::SymmetricPower2}});
  auto activations = arguments.getChoice<ActivationType>(
      "--activations", {{"uint8", ActivationType::UInt8},
                        {"int8", ActivationType::Int8},
                        {"int16", ActivationType::Int16}});
  auto bits =
      arguments.getChoice<unsigned>("--weights", {{"int8", 8}, {"int16", 16}});
  auto bias =
      arguments.getChoice<BiasType>("--bias", {{"int32", BiasType::Int32},
                                               {"int8", BiasType::Int8},
                                               {"f32", BiasType::F32}});
  auto correction = arguments.getChoice<BiasCorrection>(
      "--bias-correction", {{"fast", BiasCorrection::Fast},
                            {"exact", BiasCorrection::Exact},
                            {"off", BiasCorrection::Off}});
  FailureOr<Rounding> rounding = readRounding(arguments);
  if (failed(schema) || failed(activations) || failed(bits) || failed(bias) ||
      failed(correction) || failed(rounding)) {
    return failure();
  }
  options.rounding = *rounding;
  options.biasCorrection = *correction;
  options.schema = *schema;
  options.activations = *activations;
  options.weightBits = *bits;
  if (*bits == 8 && arguments.has("--reduce-range")) {
    options.weightBits = 7;
  }
  options.calibrateWeights = arguments.has("--calibrate-weights");
  options.bias = *bias;
  return success();
}

/// Fails, after an error, where choices of types exclude each other.
static LogicalResult verifyTypes(const Arguments &arguments,
                                 const IE::QuantizeOptions &options) {
  bool isWide = options.activations == ActivationType::Int16;
  bool isSymmetric = options.schema == Schema::Symmetric ||
                     options.schema == Schema::SymmetricPower2;
  if (isWide && arguments.has("--schema") && !isSymmetric) {
    printError() << "--activations=int16 is symmetric or symmetric_power2, "
                    "found --schema="
                 << arguments.get("--schema") << ": leave it out\n";
    return failure();
  }
  if (isWide && options.calibrator == Calibrator::Entropy) {
    return refuseEntropy("--activations=int16");
  }
  if (!isWide && arguments.has("--activations") &&
      options.schema != Schema::Asymmetric) {
    printError() << "--activations is a choice of --schema=asymmetric\n";
    return failure();
  }
  if (!isWide && options.weightBits == 16) {
    printError() << "--weights=int16 needs --activations=int16: products of "
                    "8-bit activations have int8 weights\n";
    return failure();
  }
  for (StringRef option : {"--reduce-range", "--calibrate-weights"}) {
    if (options.weightBits == 16 && arguments.has(option)) {
      printError() << option << " is for int8 weights, found --weights=int16: "
                   << "leave one of them out\n";
      return failure();
    }
  }
  if (isWide && arguments.has("--reduce-range")) {
    printError() << "--reduce-range is for products of 8-bit activations, "
                    "found --activations=int16, which are multiplied as "
                    "floats: leave it out\n";
    return failure();
  }
  if (options.weightBits == 16 && options.rounding == Rounding::Hessian) {
    printError()
        << "--rounding=hessian is of no use for --weights=int16, whose "
           "rounding loses nothing that it could win: leave it out\n";
    return failure();
  }
  return success();
}

/// Values on integers, by the ranges of a file.
LogicalResult Session::configureValues(const Arguments &arguments) {
  if (arguments.has("--int4-form")) {
    printError() << "--int4-form needs --activations=none --weights=int4\n";
    return fail(ExitCode::BadInput);
  }
  if (arguments.has("--block") || arguments.get("--weights") == "int4") {
    printError() << "--weights=int4 and --block need --activations=none: "
                    "products of integers have int8 weights\n";
    return fail(ExitCode::BadInput);
  }
  auto options = std::make_unique<IE::QuantizeOptions>();
  options->ranges = arguments.get("--ranges").str();
  options->perChannel = !arguments.has("--per-tensor");
  if (failed(readTypes(arguments, *options)) ||
      failed(readCalibrator(arguments, *options)) ||
      failed(verifyTypes(arguments, *options)) ||
      failed(readKeep(arguments, context, *options))) {
    return fail(ExitCode::BadInput);
  }
  auto io =
      arguments.getChoice<bool>("--io", {{"f32", false}, {"quantized", true}});
  if (failed(io)) {
    return fail(ExitCode::BadInput);
  }
  if (failed(configureRepairs(arguments))) {
    return failure();
  }
  passesIntegers = *io;
  options->keepActivations = arguments.has("--keep-activations");
  options->matMulActivations = multipliesActivations(arguments);
  options->quantizeInputs = *io;
  options->quantizeOutputs = *io || arguments.has("--quantize-outputs");
  quantization = std::move(options);
  return success();
}

/// Tables of embeddings, beside what else is quantized.
LogicalResult Session::configureEmbeddings(const Arguments &arguments) {
  if (!arguments.has("--quantize-embeddings")) {
    return success();
  }
  auto options = std::make_unique<IE::QuantizeEmbeddingsOptions>();
  if (failed(readKeep(arguments, context, *options))) {
    return fail(ExitCode::BadInput);
  }
  embeddingQuantization = std::move(options);
  return success();
}

LogicalResult Session::configureQuantization(const Arguments &arguments) {
  if (failed(configureProducts(arguments))) {
    return failure();
  }
  return getQuantizingOption().empty() ? success()
                                       : configureEmbeddings(arguments);
}

LogicalResult Session::configureProducts(const Arguments &arguments) {
  if (quantizesWeightsAlone(arguments)) {
    return configureWeights(arguments);
  }
  if (quantizesDynamically(arguments)) {
    return configureDynamic(arguments);
  }
  if (arguments.has("--ranges")) {
    return configureValues(arguments);
  }
  for (StringRef option : kQuantizationOptions) {
    if (arguments.has(option)) {
      StringRef needed =
          option == "--block"       ? "--activations=none"
          : option == "--int4-form" ? "--activations=none --weights=int4"
          : option == "--quantize-embeddings"
              ? "--ranges or --activations=dynamic or none"
          : option == "--weights" ? "--ranges or --activations=none"
                                  : "--ranges";
      printError() << option << " needs " << needed << "\n";
      return fail(ExitCode::BadInput);
    }
  }
  return success();
}

LogicalResult driver::requireQuantization(const Arguments &arguments) {
  Session session;
  if (arguments.has("--ranges") || !needsRanges(arguments)) {
    return session.configure(arguments);
  }
  // What is measured is one of those that may be named.
  return session.configure((measuresCalibrator(arguments)
                                ? withCalibrator(arguments, "mse")
                                : arguments)
                               .with("--ranges", "?"));
}

void Session::simulateQuantization() { quantization->runTimeParameters = true; }

void Session::simulateBiases() {
  simulateQuantization();
  quantization->channelMeans = true;
  // Means are of what nothing has corrected.
  quantization->biasCorrection = BiasCorrection::Off;
}

/// The options of a pass that changes what will be quantized.
template <typename OptionsT>
static OptionsT copyRangeOptions(const IE::QuantizeOptions &options) {
  OptionsT result;
  result.ranges = options.ranges;
  result.schema = options.schema;
  result.activations = options.activations;
  result.calibrator = options.calibrator;
  result.percentile = options.percentile;
  result.perChannel = options.perChannel;
  return result;
}

LogicalResult Session::repairGraph() {
  return runPasses(
      *module,
      [&](OpPassManager &manager) {
        if (equalizes) {
          manager.addNestedPass<func::FuncOp>(IE::createEqualize(
              copyRangeOptions<IE::EqualizeOptions>(*quantization)));
        }
        if (smooths) {
          manager.addNestedPass<func::FuncOp>(IE::createSmooth(
              copyRangeOptions<IE::SmoothOptions>(*quantization)));
        }
      },
      ExitCode::BadInput);
}

LogicalResult Session::adjustGraph() {
  bool isQuantized = !getQuantizingOption().empty();
  if (!isQuantized && !taps) {
    return success();
  }
  // Ranges are of the values that backends compute. Whoever wants all of them
  // wants those that preparation would fuse, too.
  bool prepares = isQuantized || !taps->allTypes;
  IEOptimizeOptions prepare;
  // Integers of all samples are multiplied at once, and values have to be those
  // whose ranges or sums were measured, where samples told all sizes.
  bool readsSums =
      weightQuantization && weightQuantization->rounding == Rounding::Hessian;
  prepare.splitsBatches = !quantization && !readsSums && !taps;
  if (prepares && failed(runPasses([&](OpPassManager &manager) {
        buildIEPreparePipeline(manager, prepare);
      }))) {
    return failure();
  }
  if ((equalizes || smooths) && failed(repairGraph())) {
    return failure();
  }
  if (inspect && failed(inspect(*module))) {
    return fail(ExitCode::BadInput);
  }
  // What is wrong with the ranges, or with a name, is not the model's fault.
  return runPasses(
      *module,
      [&](OpPassManager &manager) {
        if (quantization) {
          manager.addNestedPass<func::FuncOp>(
              IE::createQuantize(*quantization));
          // What a run chooses is floats.
          if (passesIntegers && !quantization->runTimeParameters) {
            manager.addNestedPass<func::FuncOp>(IE::createQuantizeBoundary());
          }
        }
        if (weightQuantization) {
          manager.addNestedPass<func::FuncOp>(
              IE::createQuantizeWeights(*weightQuantization));
        }
        if (dynamicQuantization) {
          manager.addNestedPass<func::FuncOp>(
              IE::createQuantizeDynamic(*dynamicQuantization));
        }
        // Runs that choose precisions are about products.
        if (embeddingQuantization &&
            !(quantization && quantization->runTimeParameters)) {
          manager.addNestedPass<func::FuncOp>(
              IE::createQuantizeEmbeddings(*embeddingQuantization));
        }
        if (taps) {
          manager.addPass(IE::createTapValues(*taps));
        }
      },
      ExitCode::BadInput);
}
