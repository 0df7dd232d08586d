//===- Session.cpp - A model being worked on ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the commands: loading, compiling, diagnostics, exit codes.
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Clock.h"
#include "Profile.h"
#include "Reproducer.h"
#include "Resume.h"

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/Roles.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Pipelines/Dialects.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/Files.h"
#include "nacre/Support/LocationVerifier.h"
#include "nacre/Support/Locations.h"
#include "nacre/Support/Memory.h"
#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Transforms/Buffer/MemoryPlanner.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;

static DialectRegistry createRegistry() {
  DialectRegistry registry;
  registerPipelineDialects(registry);
  interpreter::registerExternalModels(registry);
  return registry;
}

Session::Session() : context(createRegistry()) {
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    StringRef severity;
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      severity = "error";
      ++numErrors;
      lacksMemory |= isMemoryError(diagnostic);
      break;
    case DiagnosticSeverity::Warning:
      severity = "warning";
      break;
    default:
      return success();
    }
    stages.progress.clear();
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

bool Session::hasSteps() { return module && abi::has<abi::Steps>(*module); }

LogicalResult
Session::runPasses(ModuleOp target,
                   llvm::function_ref<void(OpPassManager &)> build,
                   ExitCode kind) {
  PassManager manager(&context, ModuleOp::getOperationName());
  build(manager);
  // Passes are tested with the verifier after each of them, which takes as long
  // as a quarter of them. Here it only looks at what they leave, unless each
  // step is wanted.
  manager.enableVerifier(verifiesEach || irDump);
  if (irDump) {
    context.disableMultithreading();
    irDump->attach(manager);
  }
  if (verifiesLocations) {
    context.disableMultithreading();
    manager.addInstrumentation(createLocationVerifier(losesLocations));
  }
  inspection.attach(manager, getModelName());
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  manager.printAsTextualPipeline(stream);
  PassFailure failure;
  manager.addInstrumentation(createFailureListener(manager, failure));
  unsigned before = numErrors;
  std::optional<Stage> stage("passes");
  stages.attach(manager);
  LogicalResult result = manager.run(target);
  if (succeeded(result)) {
    result = verify(target);
  }
  stage.reset();
  if (irDump && irDump->hasFailed()) {
    return fail(ExitCode::BadInput);
  }
  if (losesLocations) {
    return fail(ExitCode::Internal);
  }
  if (succeeded(result)) {
    if (target == *module) {
      passed = joinPipelines({passed, pipeline});
    }
    return success();
  }
  // A pass that said why found something it does not support.
  return lacksMemory          ? fail(ExitCode::BadInput)
         : numErrors > before ? fail(kind)
                              : reportInternalError(pipeline, failure);
}

void Session::setPipelineOptions(DefaultHWOptions &options) const {
  options.arch = archs.front();
  options.threads = threads;
  options.winograd = winograd;
  options.bf16 = bf16;
  options.accuracyLevel = accuracyLevel;
  options.profile = profiles;
  options.hooks = hooks;
  options.strategies = strategies;
  options.dumpStrategies = dumpStrategies;
}

/// The way from where the module is to the LLVM dialect for one architecture.
void Session::buildLowering(OpPassManager &manager, ModuleOp target,
                            StringRef arch, bool isLast) const {
  Level level = getLevel(target);
  if (backend == Backend::Reference && level == Level::IE) {
    ReferenceSWOptions options;
    options.arch = arch.str();
    buildReferenceSWPipeline(manager, options);
    return;
  }
  if (backend == Backend::ReferenceHW && level == Level::IE) {
    ReferenceHWOptions options;
    options.arch = arch.str();
    options.accuracyLevel = accuracyLevel;
    buildReferenceHWPipeline(manager, options);
    return;
  }
  DefaultHWOptions options;
  setPipelineOptions(options);
  options.arch = arch.str();
  // The last to be compiled has the constants for itself.
  options.releaseConstants = isLast;
  LowerToLLVMOptions last;
  last.threads = threads;
  switch (level) {
  case Level::IE:
    return buildDefaultHWPipeline(manager, options);
  case Level::VPU:
    buildVPUToLoopsPipeline(manager, options);
    return buildLowerToLLVMPipeline(manager, last);
  case Level::Loops:
    return buildLowerToLLVMPipeline(manager, last);
  case Level::LLVM:
    return;
  }
}

LogicalResult Session::lower(ModuleOp target, StringRef arch) {
  // The pipelines of one version are not those of another.
  std::string before = passed;
  LogicalResult result = runPasses(target, [&](OpPassManager &manager) {
    buildLowering(manager, target, arch, arch == archs.back());
  });
  if (succeeded(result)) {
    passed = before;
  }
  return result;
}

LogicalResult Session::finishPending() {
  if (pending.empty()) {
    return success();
  }
  FailureOr<OpPassManager> parsed = parsePipeline(pending);
  if (failed(parsed)) {
    return fail(ExitCode::BadInput);
  }
  pending.clear();
  return runPasses(
      [&](OpPassManager &manager) { manager = std::move(*parsed); });
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

/// Looks for products whose rows are rounded as the command line says, since
/// the model does not.
void Session::noteRoundedRows() {
  if (accuracyLevel < IE::MatMulNBitsOp::kOfF16) {
    return;
  }
  module->walk(
      [&](IE::MatMulNBitsOp op) { roundsRows |= op.getAccuracyLevel() == 0; });
  module->walk([&](VPU::NCEMatMulNBitsOp op) {
    roundsRows |= static_cast<int64_t>(op.getRowParts()) <
                  VPU::NCEMatMulNBitsOp::kMostRowParts;
  });
}

LogicalResult Session::optimize(bool releaseConstants, bool splitsBatches) {
  bool isInPipeline = !pending.empty();
  noteRoundedRows();
  if (failed(finishPending())) {
    return failure();
  }
  bool isModel = !isInPipeline && getLevel(*module) == Level::IE;
  if (StringRef option = getQuantizingOption(); !isModel && !option.empty()) {
    printError() << option << " needs a model before lowering, found '"
                 << modelPath << "'\n";
    return fail(ExitCode::BadInput);
  }
  if (!isModel && inspection.needsOptimized()) {
    printError() << inspection.getOptionForOptimized()
                 << " shows a model before lowering, found '" << modelPath
                 << "'\n";
    return fail(ExitCode::BadInput);
  }
  if (!isModel) {
    return success();
  }
  if (failed(adjustGraph()) || failed(runPasses([&](OpPassManager &manager) {
        IEOptimizeOptions options;
        options.releaseConstants = releaseConstants;
        options.splitsBatches = splitsBatches;
        buildIEOptimizePipeline(manager, options);
      }))) {
    return failure();
  }
  noteRoundedRows();
  return showOptimized(*module);
}

FailureOr<std::unique_ptr<Program>> Session::compile(StringRef name) {
  FailureOr<ModelInterface> found = getModelInterface(*module);
  if (failed(found)) {
    return fail(ExitCode::Unsupported);
  }
  interface = *found;
  if (runsHere && failed(requireMemory())) {
    return failure();
  }
  // Code for another machine is compiled whatever this one has.
  bool isForThisMachine = archs.size() == 1 && archs.front() == "host";
  if (!runsHere && isForThisMachine) {
    abi::setNumber<abi::MemoryLimit>(*module, getMachineMemory());
  }
  SmallVector<OwningOpRef<ModuleOp>> copies;
  SmallVector<ModuleOp> versions = {*module};
  for (size_t i = 1; i < archs.size(); ++i) {
    copies.push_back(module->clone());
    versions.push_back(*copies.back());
  }
  for (auto [i, version] : llvm::enumerate(versions)) {
    // Constants that an earlier version has, too, are not stored again.
    if (i > 0 && abi::has<abi::Weights>(versions[i - 1])) {
      abi::set<abi::Weights>(version, abi::get<abi::Weights>(versions[i - 1]));
      abi::set<abi::WeightOffsets>(
          version, abi::get<abi::WeightOffsets>(versions[i - 1]));
    }
    if (failed(lower(version, archs[i]))) {
      if (lacksMemory && !runsHere && isForThisMachine) {
        llvm::errs() << "nacre: note: by default the code is for this machine; "
                        "--vpu-arch compiles for others\n";
      }
      return failure();
    }
  }
  // Lowering a model begins with its graph, where it may find more sizes.
  found = getModelInterface(*module);
  if (failed(found)) {
    return fail(ExitCode::Unsupported);
  }
  interface = *found;
  if (failed(showKernels())) {
    return failure();
  }
  if (hooks && !abi::has<abi::Hooks>(*module)) {
    printError() << hookingOption
                 << " needs a model whose kernels are still to be made, found '"
                 << modelPath << "'\n";
    return fail(ExitCode::BadInput);
  }
  for (ModuleOp version : versions) {
    if (failed(getRoles(version, interface))) {
      return fail(ExitCode::BadInput);
    }
  }
  int64_t codeThreads = backend == Backend::CPU ? threads : 1;
  unsigned before = numErrors;
  CodeOptions options{optLevel, smallCode,
                      isForOthers ? codeChoice : CodeChoice(),
                      bundle ? &*bundle : nullptr};
  FailureOr<Program> result =
      Program::create(versions, interface, name, codeThreads, options);
  if (failed(result)) {
    // What a bundle cannot have, it has said.
    return bundle && numErrors > before ? fail(ExitCode::Unsupported)
                                        : reportInternalError();
  }
  // LLVM's passes take the memory of what is translated. The attributes stay.
  for (ModuleOp version : versions) {
    version.getBody()->clear();
  }
  return std::make_unique<Program>(std::move(*result));
}

/// Takes the shapes of dynamic inputs from a data folder's, matched by name,
/// else by number: before the import, since what has no fixed rank cannot be
/// imported at all. Also notes which files are for initializers, which are
/// known by their names.
LogicalResult Session::specialize(StringRef path, StringRef folder) {
  if (!specializes || folder.empty() || isIRFile(path) ||
      !llvm::sys::fs::is_regular_file(path)) {
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
    bool isFixed = llvm::any_of(values, [&](const auto &value) {
      return value.first == info->inputs[i].name;
    });
    if (!info->inputs[i].isTensor || isFixed) {
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

LogicalResult Session::prepare(StringRef path, StringRef dataFolder) {
  if (isSharedLibraryName(path)) {
    return prepareLibrary(path);
  }
  Clock::time_point start = Clock::now();
  if (failed(specialize(path, dataFolder)) || failed(loadModel(path))) {
    return failure();
  }
  if (backend == Backend::Interpreter) {
    if (!pending.empty() || getLevel(*module) != Level::IE) {
      printError() << "the interpreter needs a model before lowering, found '"
                   << path << "'\n";
      return fail(ExitCode::BadInput);
    }
    if (failed(adjustGraph())) {
      return failure();
    }
    // Not optimised: the oracle must not share the optimiser's mistakes. What
    // a quantized model rounds to is not an optimisation.
    if (failed(runPasses(buildIEQuantizationPipeline))) {
      return failure();
    }
    if (inspection.needsKernels()) {
      return refuseInspection("the interpreter has no kernels");
    }
    if (failed(showOptimized(*module))) {
      return failure();
    }
    FailureOr<ModelInterface> found =
        getModelInterface(*module, /*forInterpreter=*/true);
    if (failed(found) || failed(interpreter::verifyKernels(getMain(*module)))) {
      return fail(ExitCode::Unsupported);
    }
    interface = *found;
    return requireMemory();
  }
  runsHere = true;
  if (failed(optimize(/*releaseConstants=*/true))) {
    return failure();
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
    compileMs = getMilliseconds(Clock::now() - start);
    return loadLibrary(libraryPath);
  }
  FailureOr<SmallVector<char, 0>> object = program->emitObject();
  if (failed(object)) {
    return reportInternalError();
  }
  compileMs = getMilliseconds(Clock::now() - start);
  start = Clock::now();
  SmallVector<std::pair<StringRef, void *>> functions;
  if (profiles) {
    functions.emplace_back(names::kProfileStep, StepRecorder::getCallback());
  }
  auto loaded = CompiledModel::jit(getLoc(), *program, *object, functions);
  if (failed(loaded)) {
    return reportInternalError();
  }
  compiled = std::move(*loaded);
  if (failed(compiled->allocateArena(getLoc()))) {
    return fail(ExitCode::BadInput);
  }
  loadMs = getMilliseconds(Clock::now() - start);
  return requireCapableCPU();
}

LogicalResult Session::run(ArrayRef<Datum> inputs,
                           SmallVectorImpl<Datum> &outputs) {
  LogicalResult result =
      compiled ? compiled->run(getLoc(), inputs, outputs)
               : interpreter::run(getMain(*module), inputs, outputs);
  return succeeded(result) ? success() : fail(ExitCode::BadInput);
}
