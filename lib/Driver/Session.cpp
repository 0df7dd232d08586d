//===- Session.cpp - A model being worked on ------------------------------===//
//
// Shared by the commands: loading, compiling, diagnostics, exit codes.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Profile.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/InitAllDialects.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Support/Files.h"
#include "nacre/Target/ArchDescriptor.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <chrono>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

static const OptionSpec kCompilationOptions[] = {
    {"--backend", "NAME",
     "cpu (default), reference (every op alone), or interpreter"},
    {"--threads", "N", "largest number of threads (default 1)"},
    {"--vpu-arch", "NAME,...",
     "architecture, a name or descriptor file (default: the host); of several, "
     "the best that the CPU can run is chosen when the code is loaded"},
    {"--shape", "NAME=DIMS",
     "fix a dynamic input, as --shape x=1x3x224x224; may be repeated"},
    {"--state", "INPUT:OUTPUT",
     "keep OUTPUT where INPUT was, in one buffer: the state of a recurrent "
     "model, a key/value cache; may be repeated"},
    {"--no-winograd", "",
     "compute every convolution directly, which rounds a little less"},
    {"--precision", "NAME",
     "f32 (default), or bf16: operands of convolutions and matrix products"},
    {"-O0", "", "no LLVM optimisation"},
    {"-O1", "", "little LLVM optimisation"},
    {"-O2", "", "most LLVM optimisation"},
    {"-O3", "", "full LLVM optimisation (default)"},
    {"--dump-ir", "[DIR]",
     "write the IR after every pass that changes it (default folder: "
     "nacre-ir)"},
    {"--timing", "", "print the time of every pass"},
    {"--help", "", "show this text"},
};

ArrayRef<OptionSpec> driver::getCompilationOptions() {
  return kCompilationOptions;
}

std::string driver::getLocationName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    return name.getName().str();
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations()) {
      std::string name = getLocationName(part);
      if (!name.empty()) {
        return name;
      }
    }
  }
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    std::string name = file.getFilename().str();
    if (file.getLine() > 0) {
      name += ":" + std::to_string(file.getLine()) + ":" +
              std::to_string(file.getColumn());
    }
    return name;
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    return getLocationName(call.getCallee());
  }
  return "";
}

static DialectRegistry createRegistry() {
  DialectRegistry registry;
  nacre::registerAllDialects(registry);
  return registry;
}

Session::Session() : context(createRegistry()) {
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    StringRef severity;
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      severity = "error";
      ++numErrors;
      break;
    case DiagnosticSeverity::Warning:
      severity = "warning";
      break;
    default:
      return success();
    }
    llvm::errs() << "nacre: " << severity << ": ";
    std::string name = getLocationName(diagnostic.getLocation());
    bool isFile = isa<FileLineColLoc>(diagnostic.getLocation());
    if (!name.empty()) {
      llvm::errs() << (isFile ? name : "'" + name + "'") << ": ";
    }
    llvm::errs() << diagnostic.str() << "\n";
    return success();
  });
}

Session::~Session() = default;

LogicalResult Session::fail(ExitCode code) {
  if (exitCode == ExitCode::Success) {
    exitCode = code;
  }
  return failure();
}

Location Session::getLoc() {
  return module ? module->getLoc() : Location(UnknownLoc::get(&context));
}

int64_t Session::getLanes() {
  VPU::ArchAttr found = VPU::ArchAttr::lookup(*module);
  return found ? found.getLanes() : 1;
}

bool Session::hasSteps() { return module && (*module)->hasAttr("nacre.steps"); }

/// Errors are found here, where they are bad arguments; in a pass it would be a
/// bad model.
LogicalResult Session::readArchitectures(StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, ',');
  std::vector<std::pair<std::string, ArchDescriptor>> found;
  for (StringRef name : names) {
    auto descriptor = loadArch(name);
    if (!descriptor) {
      printError() << llvm::toString(descriptor.takeError()) << "\n";
      return fail(ExitCode::BadInput);
    }
    if (llvm::any_of(found, [&](const auto &other) {
          return other.second.name == descriptor->name;
        })) {
      printError() << "--vpu-arch names " << descriptor->name << " twice\n";
      return fail(ExitCode::BadInput);
    }
    found.emplace_back(name.str(), std::move(*descriptor));
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

LogicalResult Session::configure(const Arguments &arguments) {
  StringRef name = arguments.get("--backend", "cpu");
  if (name == "cpu") {
    backend = Backend::CPU;
  } else if (name == "reference") {
    backend = Backend::Reference;
  } else if (name == "interpreter") {
    backend = Backend::Interpreter;
  } else {
    printError() << "--backend needs cpu, reference or interpreter, found '"
                 << name << "'\n";
    return fail(ExitCode::BadInput);
  }
  FailureOr<double> number = arguments.getNumber("--threads", 1, 1, 256);
  if (failed(number)) {
    return fail(ExitCode::BadInput);
  }
  threads = static_cast<int64_t>(*number);
  if (failed(readArchitectures(arguments.get("--vpu-arch", "host")))) {
    return failure();
  }
  for (unsigned level = 0; level <= 3; ++level) {
    if (arguments.has("-O" + std::to_string(level))) {
      optLevel = level;
    }
  }
  winograd = !arguments.has("--no-winograd");
  StringRef precision = arguments.get("--precision", "f32");
  if (precision != "f32" && precision != "bf16") {
    printError() << "--precision needs f32 or bf16, found '" << precision
                 << "'\n";
    return fail(ExitCode::BadInput);
  }
  bf16 = precision == "bf16";
  specializes = !arguments.has("--dynamic");
  if (bf16 && backend != Backend::CPU) {
    printError() << "--precision=bf16 is a choice of the cpu backend\n";
    return fail(ExitCode::BadInput);
  }
  if (arguments.has("--dump-ir")) {
    StringRef folder = arguments.get("--dump-ir");
    irDump.emplace(folder.empty() ? "nacre-ir" : folder);
  }
  timesPasses = arguments.has("--timing");
  for (StringRef input : arguments.getAll("--input")) {
    auto [name, source] = input.rsplit('=');
    sources[name] = source;
  }
  for (StringRef state : arguments.getAll("--state")) {
    states.push_back(state.str());
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

FailureOr<ElementsAttr> Session::replaceInitializer(StringRef name,
                                                    RankedTensorType type) {
  auto it = sources.find(name);
  if (it == sources.end()) {
    return ElementsAttr();
  }
  ModelTensor input;
  input.name = name.str();
  input.type = type;
  FailureOr<Tensor> value = readInput(*this, it->second, input);
  if (failed(value)) {
    return failure();
  }
  replaced[name] = it->second;
  return value->toAttr();
}

LogicalResult Session::loadModel(StringRef path) {
  if (!llvm::sys::fs::is_regular_file(path)) {
    printError() << "no such model file: '" << path << "'\n";
    return fail(ExitCode::BadInput);
  }
  if (path.ends_with(".mlir") || path.ends_with(".mlirbc")) {
    if (!shapes.empty()) {
      printError() << "--shape needs an .onnx model, found '" << path << "'\n";
      return fail(ExitCode::BadInput);
    }
    module = parseSourceFile<ModuleOp>(path, &context);
    if (!module) {
      return fail(ExitCode::BadInput);
    }
  } else {
    ImportOptions options;
    for (const auto &[name, dims] : shapes) {
      options.shapes[name] = dims;
    }
    options.replaceInitializer = [&](StringRef name, RankedTensorType type) {
      return replaceInitializer(name, type);
    };
    ImportResult result = importONNXModel(path, context, options);
    if (result.status != ImportStatus::Success) {
      return fail(result.status == ImportStatus::Unsupported
                      ? ExitCode::Unsupported
                      : ExitCode::BadInput);
    }
    module = std::move(result.module);
  }
  if (failed(bindStates(*module, states))) {
    return fail(ExitCode::BadInput);
  }
  // Shape inference and folding make static what follows from constants.
  original = module->clone();
  return success();
}

OpPrintingFlags driver::getPrintingFlags() {
  // With any other limit than 0 the printer makes the text of a blob, of twice
  // its size, only to find that it is too long.
  return OpPrintingFlags().elideLargeElementsAttrs(64).elideLargeResourceString(
      0);
}

LogicalResult Session::reportInternalError() {
  printError() << "internal error in the compiler\n";
  SmallString<128> path;
  if (original &&
      !llvm::sys::fs::createTemporaryFile("nacre-reproducer", "mlir", path)) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    original->print(stream, getPrintingFlags());
    if (succeeded(writeFile(getLoc(), path, text))) {
      llvm::errs() << "nacre: note: the model at this point is in " << path
                   << "; please report it\n";
    }
  }
  return fail(ExitCode::Internal);
}

LogicalResult
Session::runPasses(ModuleOp target,
                   llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&context);
  if (irDump) {
    context.disableMultithreading();
    irDump->attach(manager);
  }
  if (timesPasses) {
    manager.enableTiming();
  }
  build(manager);
  unsigned before = numErrors;
  LogicalResult result = manager.run(target);
  if (irDump && irDump->hasFailed()) {
    return fail(ExitCode::BadInput);
  }
  if (succeeded(result)) {
    return success();
  }
  // A pass that said why found something it does not support.
  return numErrors > before ? fail(ExitCode::Unsupported)
                            : reportInternalError();
}

void Session::setPipelineOptions(DefaultHWOptions &options) const {
  options.arch = archs.front();
  options.threads = threads;
  options.winograd = winograd;
  options.bf16 = bf16;
  options.profile = profiles;
}

/// The way from IE to the LLVM dialect for one architecture.
LogicalResult Session::lower(ModuleOp target, StringRef arch) {
  return runPasses(target, [&](OpPassManager &manager) {
    if (backend == Backend::Reference) {
      ReferenceSWOptions options;
      options.arch = arch.str();
      buildReferenceSWPipeline(manager, options);
      return;
    }
    DefaultHWOptions options;
    setPipelineOptions(options);
    options.arch = arch.str();
    // The last to be compiled has the constants for itself.
    options.releaseConstants = arch == archs.back();
    buildDefaultHWPipeline(manager, options);
  });
}

LogicalResult Session::requireCapableCPU() {
  if (!compiled->getArchitecture().empty()) {
    return success();
  }
  const ArtifactInfo &info = compiled->getInfo();
  emitError(getLoc()) << "this CPU lacks instructions that the model was "
                         "compiled for, or the system refuses them to this "
                         "process: "
                      << listArchitectures(info.architectures);
  return fail(ExitCode::BadInput);
}

FailureOr<std::unique_ptr<Program>> Session::compile(StringRef name) {
  if (failed(runPasses([](OpPassManager &manager) {
        IEOptimizeOptions options;
        options.releaseConstants = true;
        buildIEOptimizePipeline(manager, options);
      }))) {
    return failure();
  }
  FailureOr<ModelInterface> found = getModelInterface(*module);
  if (failed(found)) {
    return fail(ExitCode::Unsupported);
  }
  interface = *found;
  SmallVector<OwningOpRef<ModuleOp>> copies;
  SmallVector<ModuleOp> versions = {*module};
  for (size_t i = 1; i < archs.size(); ++i) {
    copies.push_back(module->clone());
    versions.push_back(*copies.back());
  }
  for (auto [i, version] : llvm::enumerate(versions)) {
    // Constants that an earlier version has, too, are not stored again.
    for (StringRef name : {"nacre.weights", "nacre.weight_offsets"}) {
      if (i > 0 && versions[i - 1]->hasAttr(name)) {
        version->setAttr(name, versions[i - 1]->getAttr(name));
      }
    }
    if (failed(lower(version, archs[i]))) {
      return failure();
    }
  }
  int64_t codeThreads = backend == Backend::CPU ? threads : 1;
  FailureOr<Program> result =
      Program::create(versions, interface, name, codeThreads, optLevel);
  if (failed(result)) {
    return reportInternalError();
  }
  return std::make_unique<Program>(std::move(*result));
}

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// Takes the shapes of dynamic inputs from a data folder's, matched by name,
/// else by number: before the import, since what has no fixed rank cannot be
/// imported at all. Also notes which files are for initializers, which are
/// known by their names.
LogicalResult Session::specialize(StringRef path, StringRef folder) {
  if (!specializes || folder.empty() || path.ends_with(".mlir") ||
      path.ends_with(".mlirbc") || !llvm::sys::fs::is_regular_file(path)) {
    return success();
  }
  FailureOr<ModelInfo> info = inspectONNXModel(path, context);
  if (failed(info)) {
    return fail(ExitCode::BadInput);
  }
  bool isDynamic = llvm::any_of(
      info->inputs, [](const auto &input) { return input.isDynamic; });
  specialized = isDynamic;
  SmallVector<std::string> files;
  for (unsigned i = 0;; ++i) {
    std::string file = getDataFile(folder, "input", i);
    if (!llvm::sys::fs::exists(file) && files.size() >= info->inputs.size()) {
      break;
    }
    std::string name =
        info->initializedInputs.empty() ? "" : readTensorName(file);
    if (llvm::is_contained(info->initializedInputs, name)) {
      sources[name] = file;
      specialized = true;
    } else {
      files.push_back(file);
    }
  }
  for (size_t i = 0; isDynamic && i < info->inputs.size(); ++i) {
    if (!info->inputs[i].isTensor) {
      continue;
    }
    FailureOr<NamedTensor> tensor = readTensorProto(files[i], context);
    if (failed(tensor)) {
      return fail(ExitCode::BadInput);
    }
    bool isNamed = llvm::any_of(info->inputs, [&](const auto &input) {
      return input.name == tensor->name;
    });
    shapes.emplace_back(isNamed ? tensor->name : info->inputs[i].name,
                        SmallVector<int64_t>(tensor->value.getShape()));
  }
  return success();
}

static func::FuncOp getMain(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

LogicalResult Session::loadLibrary(StringRef path) {
  auto start = std::chrono::steady_clock::now();
  auto loaded = CompiledModel::load(context, path);
  if (failed(loaded)) {
    return fail(ExitCode::BadInput);
  }
  compiled = std::move(*loaded);
  loadMs = millisecondsSince(start);
  return requireCapableCPU();
}

LogicalResult Session::prepare(StringRef path, StringRef dataFolder) {
  auto start = std::chrono::steady_clock::now();
  if (path.ends_with(".so")) {
    if (!states.empty()) {
      printError() << "--state needs a model to compile: a library has its "
                      "states already\n";
      return fail(ExitCode::BadInput);
    }
    if (failed(loadLibrary(path))) {
      return failure();
    }
    interface = compiled->getInfo().interface;
    return success();
  }
  if (failed(specialize(path, dataFolder)) || failed(loadModel(path))) {
    return failure();
  }
  if (backend == Backend::Interpreter) {
    // Not optimised: the oracle must not share the optimiser's mistakes. What
    // a quantized model rounds to is not an optimisation.
    if (failed(runPasses(buildIEQuantizationPipeline))) {
      return failure();
    }
    FailureOr<ModelInterface> found =
        getModelInterface(*module, /*forInterpreter=*/true);
    if (failed(found) || failed(interpreter::verifyKernels(getMain(*module)))) {
      return fail(ExitCode::Unsupported);
    }
    interface = *found;
    return success();
  }
  auto built = compile("model");
  if (failed(built)) {
    return failure();
  }
  program = std::move(*built);
  llvm::Triple host(llvm::sys::getProcessTriple());
  if (program->getTriple().getArch() != host.getArch()) {
    emitError(getLoc()) << "this machine, " << host.getArchName()
                        << ", cannot run code for "
                        << program->getTriple().getArchName()
                        << "; nacre compile writes it to a file";
    return fail(ExitCode::BadInput);
  }
  if (!libraryPath.empty()) {
    if (failed(writeArtifact(getLoc(), *program, ArtifactKind::Shared,
                             libraryPath))) {
      return fail(ExitCode::BadInput);
    }
    program.reset();
    compileMs = millisecondsSince(start);
    return loadLibrary(libraryPath);
  }
  FailureOr<SmallVector<char, 0>> object = program->emitObject();
  if (failed(object)) {
    return reportInternalError();
  }
  compileMs = millisecondsSince(start);
  start = std::chrono::steady_clock::now();
  SmallVector<std::pair<StringRef, void *>> functions;
  if (profiles) {
    functions.emplace_back("nacre_profile_step", StepRecorder::getCallback());
  }
  auto loaded = CompiledModel::jit(getLoc(), *program, *object, functions);
  if (failed(loaded)) {
    return reportInternalError();
  }
  compiled = std::move(*loaded);
  loadMs = millisecondsSince(start);
  return requireCapableCPU();
}

LogicalResult Session::run(ArrayRef<Datum> inputs,
                           SmallVectorImpl<Datum> &outputs) {
  LogicalResult result =
      compiled ? compiled->run(getLoc(), inputs, outputs)
               : interpreter::run(getMain(*module), inputs, outputs);
  return succeeded(result) ? success() : fail(ExitCode::BadInput);
}
