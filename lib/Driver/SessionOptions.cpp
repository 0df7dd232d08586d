//===- SessionOptions.cpp - What the commands have in common --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of every command that compiles, and what a session makes of them.
//
//===----------------------------------------------------------------------===//

#include "CodeArguments.h"
#include "Resume.h"
#include "Session.h"

#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Support/Json.h"
#include "nacre/Support/Plugins.h"
#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/TargetChoice.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static const OptionSpec kCompilationOptions[] = {
    {"--backend", "NAME",
     "cpu (default), reference (every op alone), reference-hw (the same, on "
     "the "
     "engine where that has it), or interpreter"},
    {"--threads", "N",
     "largest number of threads (default 1, of a library all that it was "
     "compiled for)"},
    {"--vpu-arch", "NAME,...",
     "architecture, a name or descriptor file (default: the host); of several, "
     "the best that the CPU can run is chosen when the code is loaded"},
    {"--mcpu", "NAME",
     "compile for this CPU of LLVM's, as cortex-a76 with --vpu-arch=aarch64; "
     "the code then needs what that CPU has"},
    {"--mattr", "+A,-B,...",
     "with and without these features of LLVM's, on top of the CPU's"},
    {"--shape", "NAME=DIMS",
     "fix a dynamic input, as --shape x=1x3x224x224; may be repeated"},
    {"--value", "NAME=V",
     "fix the value of an input, which then is none: a scalar, a list as 1,2,3 "
     "for one dimension, or a .npy or .pb file; may be repeated"},
    {"--state", "INPUT:OUTPUT",
     "keep OUTPUT where INPUT was, in one buffer: the state of a recurrent "
     "model, a key/value cache; may be repeated"},
    {"--no-winograd", "",
     "compute every convolution directly, which rounds a little less; with "
     "Winograd's algorithm a NaN or infinity of the input also spreads to all "
     "pixels of its tile, further than the kernel reaches"},
    {"--precision", "NAME",
     "f32 (default), or bf16: operands of convolutions and matrix products"},
    {"--accuracy-level", "N",
     "what weights of few bits are multiplied with, where the model does not "
     "say by accuracy_level: 0 (default) or 1 f32, 2 f16, 3 bf16, 4 bytes with "
     "a scale for each block"},
    {"--ranges", "FILE",
     "compute on 8-bit integers, by the ranges of values that nacre calibrate "
     "has written; --load-profile is the same"},
    {"--schema", "NAME",
     "with --ranges: asymmetric (default), symmetric, symmetric_with_uint8 or "
     "symmetric_power2"},
    {"--activations", "TYPE",
     "with --ranges, of the asymmetric schema: uint8 (default) or int8; or "
     "int16, symmetric, which is for accuracy: what it stands for is "
     "multiplied as floats; without --ranges: dynamic, bytes by ranges that "
     "each run finds, or none, f32 and weights of few bits"},
    {"--weights", "TYPE",
     "with --activations=none: int8, or int4, of matrices that are products' "
     "constants; with int16: int8 (default) or int16"},
    {"--bias", "TYPE",
     "with --ranges: int32 (default), of the scale that sums have; int8, of a "
     "scale of its own; or f32"},
    {"--block", "N",
     "with --weights, how many elements of a sum have a scale; 0 for all "
     "(default 0, of int4 32)"},
    {"--int4-form", "NAME",
     "with --weights=int4, how products have them: blocks (default), a "
     "DequantizeLinear of ONNX, or nbits, MatMulNBits of ONNX Runtime"},
    {"--calibrator", "NAME",
     "with --ranges, what of a range counts: mse, minmax, entropy or "
     "percentile[:P], which is 99.99; auto (default), mse unless nacre "
     "quantize or calibrate has found another one clearly better in some runs "
     "on samples; or measured, the best one in these, however little: with "
     "--data of those two, on all samples"},
    {"--bias-correction", "NAME",
     "with --ranges, what biases make up for: fast (default), what rounding of "
     "the weights changes in the mean; exact, all that rounding changes up to "
     "there, which nacre quantize --data measures layer by layer; off, "
     "nothing"},
    {"--equalize", "auto",
     "with --ranges, multiply channels between two products so that small ones "
     "are told apart, where that is expected to gain; off (default) does not"},
    {"--smooth", "auto",
     "with --ranges, have weights of matrix products take over what makes few "
     "columns of their inputs large, where that is expected to gain; off "
     "(default) does not"},
    {"--rounding", "NAME",
     "with --ranges: nearest; hessian, which rounds weights so that results "
     "change the least for the inputs that nacre calibrate --hessians has "
     "measured; or auto (default), hessian where nacre quantize or calibrate "
     "has found that better in some runs on samples"},
    {"--quantize-outputs", "",
     "with --ranges, round outputs to integers, too: the model gives floats of "
     "which there are 256, or 65536 with int16"},
    {"--io", "TYPE",
     "with --ranges: f32 (default), or quantized: inputs and outputs are "
     "integers, of which nacre info says what they stand for; data sets in f32 "
     "are rounded for it"},
    {"--quantize-embeddings", "",
     "with --ranges, --activations=dynamic or none: tables of which a Gather "
     "picks rows are int8, with a scale for each row"},
    {"--reduce-range", "",
     "with --ranges or --activations=dynamic, weights of 7 bits, -63 to 63: "
     "for "
     "files that ONNX Runtime runs on x86 without VNNI, where sums of larger "
     "ones overflow; nacre does not need it"},
    {"--calibrate-weights", "",
     "with --ranges or --activations=dynamic, scale weights for the least "
     "squared error, which may cut off the largest, instead of by the largest"},
    {"--keep-activations", "",
     "with --ranges, keep Clips as ReLU6 whose bounds are those of the "
     "integers, which else are left out or become a Relu"},
    {"--per-tensor", "",
     "with --ranges or --activations=dynamic, one scale for all weights of an "
     "operator instead of one for each of its output channels"},
    {"--keep", "KIND,...",
     "with --ranges, --weights or --activations=dynamic, keep nodes of these "
     "kinds f32, as Gemm; may be repeated, as the next two"},
    {"--keep-node", "PATTERN",
     "the same for nodes whose names match, as head/*"},
    {"--only", "KIND,...", "the same for nodes of all other kinds"},
    {"--ops", "KIND,...",
     "what becomes integers: the same as --only, where MatMulActivations are "
     "products of two activations, which stay f32 by default, and default is "
     "all that does not: --ops=default,MatMulActivations"},
    {"--keep-between", "VALUE:VALUE",
     "keep all f32 that the second value needs of what the first one decides; "
     "may be repeated"},
    {"--keep-first", "", "the same for products that come after no other one"},
    {"--keep-last", "", "the same for products that come before no other one"},
    {"--strategies", "FILE",
     "compute, distribute and tile the ops that FILE names as it says, instead "
     "of as the cost model would: what --dump-strategies has written, edited"},
    {"--dump-strategies", "FILE",
     "write how each op is computed, padded, distributed and tiled, as JSON by "
     "ONNX node"},
    {"--load-dialect-plugin", "FILE",
     "load a library with operators of its own, which models may use from then "
     "on; may be repeated"},
    {"-O0", "", "no LLVM optimisation"},
    {"-O1", "", "little LLVM optimisation"},
    {"-O2", "", "most LLVM optimisation"},
    {"-O3", "", "full LLVM optimisation (default)"},
    {"-Os", "", "most LLVM optimisation, as far as code stays small"},
    {"--dump-ir", "[DIR]",
     "write the IR after every pass that changes it (default folder: "
     "nacre-ir)"},
    {"--dump-ir-filter", "REGEX",
     "with --dump-ir, write files only after passes whose names have a match, "
     "as ^vpu- or winograd|bufferize"},
    {"--dump-ir-function", "REGEX",
     "with --dump-ir, write only functions whose names have a match, as "
     "^main$, "
     "where they have changed; such files are for reading"},
    {"--verify-each", "",
     "check the IR after every pass, not only behind the last one, so that "
     "a pass that breaks it is named"},
    {"--verify-locations", "",
     "check after every pass that what it has made can be traced to a node of "
     "the model, by which diagnostics and profiles call it"},
    {"--timing", "",
     "print the time of every pass, of LLVM's part and of linking"},
    {"--trace", "FILE",
     "write what took when as Chrome trace events, which ui.perfetto.dev "
     "shows: passes, LLVM's part, and of run, check and bench each step of a "
     "run"},
    {"--trace-level", "NAME",
     "with --trace: request (the model's runs), runtime (and the stages of the "
     "command), operator (and the steps of each run) or debug (default: and "
     "each pass)"},
    {"--help", "", "show this text"},
};

static const OptionSpec kTargetOptions[] = {
    {"--target", "TRIPLE",
     "compile for a machine and its system by LLVM's name, as "
     "thumbv7em-none-eabi: without --vpu-arch for the architecture that suits "
     "it and --mcpu best, which may be generic"},
    {"--float-abi", "NAME",
     "on ARM of 32 bits: hard (floats are passed in registers of the FPU), "
     "softfp (in others) or soft (nor are they computed there), as gcc's "
     "-mfloat-abi"},
};

ArrayRef<OptionSpec> driver::getCompilationOptions() {
  return kCompilationOptions;
}

ArrayRef<OptionSpec> driver::getTargetOptions() { return kTargetOptions; }

static constexpr std::pair<StringRef, std::string TargetChoice::*>
    kTargetFields[] = {{"--target", &TargetChoice::triple},
                       {"--mcpu", &TargetChoice::cpu},
                       {"--mattr", &TargetChoice::features},
                       {"--float-abi", &TargetChoice::floatABI}};

FailureOr<TargetChoice> driver::readTargetChoice(const Arguments &arguments) {
  TargetChoice choice;
  for (auto [option, field] : kTargetFields) {
    StringRef value = arguments.get(option);
    // Which names have nothing of, and the text of a choice has.
    bool isName = !value.empty() && value.find_first_of("@:= ") == value.npos;
    if (arguments.has(option) && !isName) {
      printError() << option << " needs a name of LLVM's, found '" << value
                   << "'\n";
      return failure();
    }
    choice.*field = value.str();
  }
  return choice;
}

/// The architectures that the command line names, as loadArch takes them.
static FailureOr<std::vector<std::string>>
readArchNames(const Arguments &arguments) {
  FailureOr<TargetChoice> choice = readTargetChoice(arguments);
  if (failed(choice)) {
    return failure();
  }
  StringRef list = arguments.get("--vpu-arch", "host");
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  std::vector<std::string> names(parts.begin(), parts.end());
  if (choice->isEmpty()) {
    return names;
  }
  if (names.size() > 1) {
    const auto *option = llvm::find_if(kTargetFields, [&](const auto &field) {
      return arguments.has(field.first);
    });
    printError() << option->first << " needs one architecture, found " << list
                 << "\n";
    return failure();
  }
  if (arguments.has("--target") && !arguments.has("--vpu-arch")) {
    llvm::Expected<std::string> found = findArchName(*choice);
    if (!found) {
      printError() << "--target: " << llvm::toString(found.takeError()) << "\n";
      return failure();
    }
    names = {*found};
  }
  names.front() += "@" + choice->getText();
  return names;
}

/// Errors are found here, where they are bad arguments; in a pass it would be a
/// bad model.
LogicalResult Session::readArchitectures(ArrayRef<std::string> names) {
  std::vector<std::pair<std::string, ArchDescriptor>> found;
  for (const std::string &name : names) {
    auto descriptor = loadArch(name);
    if (!descriptor) {
      printError() << llvm::toString(descriptor.takeError()) << "\n";
      return fail(ExitCode::BadInput);
    }
    std::string wrong = IE::explainWrongKeep(&getContext(), descriptor->keep);
    if (!wrong.empty()) {
      printError() << name << ": " << wrong << "\n";
      return fail(ExitCode::BadInput);
    }
    if (llvm::any_of(found, [&](const auto &other) {
          return other.second.name == descriptor->name;
        })) {
      printError() << "--vpu-arch names " << descriptor->name << " twice\n";
      return fail(ExitCode::BadInput);
    }
    found.emplace_back(name, std::move(*descriptor));
  }
  const LLVMTarget &first = found.front().second.target;
  for (const auto &[name, descriptor] : ArrayRef(found).drop_front()) {
    if (descriptor.target.triple != first.triple ||
        llvm::Triple(first.triple).getArch() != llvm::Triple::x86_64) {
      printError()
          << "--vpu-arch needs one architecture, or several of x86-64, "
             "found "
          << first.triple << " and " << descriptor.target.triple << "\n";
      return fail(ExitCode::BadInput);
    }
  }
  // The one that asks the most of a CPU is the best that it can run.
  llvm::sort(found, [](const auto &a, const auto &b) {
    size_t needsA = a.second.hostFeatures.size();
    size_t needsB = b.second.hostFeatures.size();
    return needsA != needsB ? needsA > needsB : a.first < b.first;
  });
  for (const auto &[name, descriptor] : found) {
    archs.push_back(name);
  }
  return success();
}

LogicalResult Session::loadPlugins(const Arguments &arguments) {
  DialectRegistry registry;
  for (StringRef path : arguments.getAll("--load-dialect-plugin")) {
    llvm::Expected<DialectPlugin> plugin = loadDialectPlugin(path);
    if (!plugin) {
      printError() << "--load-dialect-plugin: "
                   << llvm::toString(plugin.takeError()) << "\n";
      return fail(ExitCode::BadInput);
    }
    plugin->registerDialectRegistryCallbacks(registry);
    plugins.push_back(path.str());
  }
  context.appendDialectRegistry(registry);
  return success();
}

/// The regular expression that an option of --dump-ir is; none without the
/// option. Prints an error and fails where it is none.
static LogicalResult readDumpFilter(const Arguments &arguments,
                                    StringRef option,
                                    std::optional<llvm::Regex> &regex) {
  if (!arguments.has(option)) {
    return success();
  }
  if (!arguments.has("--dump-ir")) {
    printError() << option << " needs --dump-ir, whose files it chooses\n";
    return failure();
  }
  regex.emplace(arguments.get(option));
  if (std::string error; !regex->isValid(error)) {
    printError() << option << " needs a regular expression, found '"
                 << arguments.get(option) << "': " << error << "\n";
    return failure();
  }
  return success();
}

LogicalResult Session::configureDump(const Arguments &arguments) {
  IRDumpFilter filter;
  if (failed(readDumpFilter(arguments, "--dump-ir-filter", filter.passes)) ||
      failed(
          readDumpFilter(arguments, "--dump-ir-function", filter.functions))) {
    return failure();
  }
  if (arguments.has("--dump-ir")) {
    StringRef folder = arguments.get("--dump-ir");
    irDump.emplace(folder.empty() ? "nacre-ir" : folder, std::move(filter));
  }
  return success();
}

LogicalResult Session::configure(const Arguments &arguments) {
  for (StringRef option : getRecordedOptions()) {
    if (arguments.has(option)) {
      given[option] = arguments.get(option).str();
    }
  }
  noteCompilingOption(arguments);
  if (failed(loadPlugins(arguments)) || failed(configureCode(arguments)) ||
      failed(configureStrategies(arguments)) ||
      failed(configureQuantization(arguments))) {
    return failure();
  }
  if (failed(inspection.configure(arguments))) {
    return fail(ExitCode::BadInput);
  }
  specializes = !arguments.has("--dynamic");
  if (failed(configureDump(arguments))) {
    return fail(ExitCode::BadInput);
  }
  verifiesEach = arguments.has("--verify-each");
  verifiesLocations = arguments.has("--verify-locations");
  if (arguments.has("--timing")) {
    stages.enableTiming();
  }
  for (StringRef input : arguments.getAll("--input")) {
    auto [name, source] = input.rsplit('=');
    sources[name] = source;
  }
  for (StringRef state : arguments.getAll("--state")) {
    states.push_back(state.str());
  }
  for (StringRef value : arguments.getAll("--value")) {
    auto [name, text] = value.split('=');
    auto isSame = [&, &name = name](const auto &other) {
      return other.first == name;
    };
    if (name.empty() || !value.contains('=') || llvm::any_of(values, isSame)) {
      printError() << "--value needs NAME=V, once for each input, found '"
                   << value << "'\n";
      return fail(ExitCode::BadInput);
    }
    values.emplace_back(name.str(), text.str());
  }
  for (StringRef shape : arguments.getAll("--shape")) {
    auto [input, dims] = shape.rsplit('=');
    SmallVector<int64_t> sizes;
    SmallVector<StringRef> parts;
    if (!dims.empty()) {
      dims.split(parts, 'x');
    }
    bool bad = input.empty() || !shape.contains('=');
    for (StringRef part : parts) {
      bad |= part.getAsInteger(10, sizes.emplace_back()) || sizes.back() < 0;
    }
    if (bad) {
      printError() << "--shape needs NAME=1x2x3, found '" << shape << "'\n";
      return fail(ExitCode::BadInput);
    }
    shapes.emplace_back(input.str(), sizes);
  }
  return success();
}

/// The options that a module records.
LogicalResult Session::configureCode(const Arguments &arguments) {
  StringRef name = arguments.get("--backend", "cpu");
  if (name == "cpu") {
    backend = Backend::CPU;
  } else if (name == "reference") {
    backend = Backend::Reference;
  } else if (name == "reference-hw") {
    backend = Backend::ReferenceHW;
  } else if (name == "interpreter") {
    backend = Backend::Interpreter;
  } else {
    printError() << "--backend needs cpu, reference, reference-hw or "
                    "interpreter, found '"
                 << name << "'\n";
    return fail(ExitCode::BadInput);
  }
  FailureOr<double> number = arguments.getNumber("--threads", 1, 1, 256);
  if (failed(number)) {
    return fail(ExitCode::BadInput);
  }
  threads = static_cast<int64_t>(*number);
  FailureOr<std::vector<std::string>> names = readArchNames(arguments);
  if (failed(names)) {
    return fail(ExitCode::BadInput);
  }
  if (failed(readArchitectures(*names))) {
    return failure();
  }
  for (unsigned level = 0; level <= 3; ++level) {
    if (arguments.has("-O" + std::to_string(level))) {
      optLevel = level;
    }
  }
  if (arguments.has("-Os")) {
    optLevel = 2;
    smallCode = true;
  }
  FailureOr<CodeChoice> choice = readCodeChoice(arguments);
  if (failed(choice)) {
    return fail(ExitCode::BadInput);
  }
  codeChoice = *choice;
  winograd = !arguments.has("--no-winograd");
  StringRef precision = arguments.get("--precision", "f32");
  if (precision != "f32" && precision != "bf16") {
    printError() << "--precision needs f32 or bf16, found '" << precision
                 << "'\n";
    return fail(ExitCode::BadInput);
  }
  bf16 = precision == "bf16";
  if (bf16 && backend != Backend::CPU) {
    printError() << "--precision=bf16 is a choice of the cpu backend\n";
    return fail(ExitCode::BadInput);
  }
  FailureOr<int64_t> level =
      arguments.getCount("--accuracy-level", 0, 0, IE::MatMulNBitsOp::kOfBytes);
  if (failed(level)) {
    return fail(ExitCode::BadInput);
  }
  accuracyLevel = *level;
  bool hasLevels = backend == Backend::CPU || backend == Backend::ReferenceHW;
  if (accuracyLevel >= IE::MatMulNBitsOp::kOfF16 && !hasLevels) {
    printError() << "--accuracy-level=" << accuracyLevel
                 << " is a choice of the cpu and reference-hw backends\n";
    return fail(ExitCode::BadInput);
  }
  return success();
}

LogicalResult Session::configureStrategies(const Arguments &arguments) {
  strategies = arguments.get("--strategies", "").str();
  dumpStrategies = arguments.get("--dump-strategies", "").str();
  if (strategies.empty() && dumpStrategies.empty()) {
    return success();
  }
  if (backend != Backend::CPU || archs.size() != 1) {
    printError() << "--strategies and --dump-strategies need the cpu backend "
                    "and one architecture\n";
    return fail(ExitCode::BadInput);
  }
  if (strategies.empty()) {
    return success();
  }
  // What cannot be applied to the model is found by the pass that reads it.
  auto buffer = llvm::MemoryBuffer::getFile(strategies);
  if (!buffer) {
    printError() << strategies << ": " << buffer.getError().message() << "\n";
    return fail(ExitCode::BadInput);
  }
  llvm::Expected<llvm::json::Value> parsed = parseJson((*buffer)->getBuffer());
  if (!parsed) {
    printError() << strategies << ": " << llvm::toString(parsed.takeError())
                 << "\n";
    return fail(ExitCode::BadInput);
  }
  return success();
}
