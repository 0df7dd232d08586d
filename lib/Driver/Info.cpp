//===- Info.cpp - nacre info ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a model, and what of it nacre does not support.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"
#include "Session.h"
#include "Work.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/ArtifactFile.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/TargetChoice.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// More parameters than that are not packed to tell what the engine computes.
static constexpr int64_t kMaxParameterBytes = int64_t(64) << 20;

static void printWork(Session &session) {
  FailureOr<Work> work = measureWork(session.getModule());
  llvm::raw_ostream &os = llvm::outs();
  if (failed(work)) {
    os << "MACs        unknown: sizes of inputs need --shape NAME=DIMS\n";
    return;
  }
  os << "MACs        " << llvm::format("%.1f", work->macs / 1e6) << " million";
  if (!work->assumed.empty()) {
    os << ", assuming ";
    llvm::interleaveComma(work->assumed, os, [&](const auto &entry) {
      os << entry.first << " = " << entry.second;
    });
    os << "; --shape gives others";
  }
  os << "\n";
  if (work->inLoops > 0) {
    os << "            " << work->inLoops
       << " products in loops and branches counted once\n";
  }
  if (work->uncounted > 0) {
    os << "            without " << work->uncounted
       << " products of dynamic sizes\n";
  }
}

static void printEngine(Session &session, bool isLarge) {
  llvm::raw_ostream &os = llvm::outs();
  if (session.getBackend() != Backend::CPU) {
    return;
  }
  if (isLarge) {
    os << "engine      not examined, which takes memory for the parameters "
          "twice; --engine does it\n";
    return;
  }
  EngineUse use = findEngineUse(session);
  if (!use.error.empty()) {
    os << "engine      unknown: " << use.error << "\n";
    return;
  }
  os << "engine      " << use.numConverted << " steps on the engine of "
     << session.archs.front() << ", " << use.left.size()
     << " products or poolings not\n";
  for (const auto &[node, reason] : use.left) {
    os << "software    '" << node << "': " << reason << "\n";
  }
}

static void printTensors(StringRef kind, ArrayRef<ModelTensor> tensors) {
  for (const ModelTensor &tensor : tensors) {
    llvm::outs() << llvm::left_justify(kind, 11) << " " << tensor.name << ": "
                 << getValueTypeName(tensor.getValueType());
    if (tensor.type) {
      llvm::outs() << "[";
      for (int64_t i = 0; i < tensor.type.getRank(); ++i) {
        llvm::outs() << (i == 0 ? "" : ",") << tensor.getDimName(i);
      }
      llvm::outs() << "]";
    }
    if (tensor.integers) {
      llvm::outs() << ", " << tensor.integers->describe();
    }
    llvm::outs() << (tensor.state ? ", a state\n" : "\n");
  }
}

static void printTargets(const ArtifactInfo &info) {
  for (const CodeTarget &target : info.targets) {
    llvm::outs() << "target      " << target.describe() << "\n";
  }
}

/// What an artifact says of itself that this machine may not run.
static ExitCode describeFile(const Arguments &arguments, StringRef path) {
  if (arguments.has("--shape")) {
    printError()
        << "--shape needs a model or a library for this machine, found "
           "'"
        << path << "'\n";
    return ExitCode::BadInput;
  }
  Session session;
  FailureOr<ArtifactFile> file = readArtifactFile(
      FileLineColLoc::get(&session.getContext(), path, 0, 0), path);
  if (failed(file)) {
    return ExitCode::BadInput;
  }
  const ArtifactInfo &info = file->info;
  StringRef extension = llvm::sys::path::extension(path);
  llvm::outs() << (isSharedLibraryName(path) ? "library     "
                   : extension == ".a"       ? "archive     "
                   : extension == ".o"       ? "object      "
                                             : "bundle      ")
               << info.name << "\n"
               << "compiled    for " << listArchitectures(info.architectures)
               << "\n";
  printTargets(info);
  llvm::outs() << "threads     " << info.threads << "\n";
  printTensors("input", info.interface.inputs);
  printTensors("output", getOwnOutputs(info.interface));
  llvm::outs() << "arena       " << info.arenaBytes << " bytes\n"
               << "weights     " << info.weightBytes << " bytes\n"
               << "code        " << file->codeBytes << " bytes\n";
  return ExitCode::Success;
}

static void printNames(StringRef title, ArrayRef<StringRef> names) {
  llvm::outs() << llvm::left_justify(title, 11) << " ";
  llvm::interleaveComma(names, llvm::outs());
  llvm::outs() << "\n";
}

/// What LLVM knows of a machine, and what nacre makes of it.
static ExitCode describeTarget(const Arguments &arguments) {
  FailureOr<TargetChoice> choice = readTargetChoice(arguments);
  Session session;
  if (failed(choice) || failed(session.configure(arguments))) {
    return ExitCode::BadInput;
  }
  llvm::Expected<ArchDescriptor> arch = loadArch(session.archs.front());
  if (!arch) {
    printError() << llvm::toString(arch.takeError()) << "\n";
    return ExitCode::BadInput;
  }
  const LLVMTarget &target = arch->target;
  StringRef abi = getFloatABI(target);
  CodeTarget code{target.triple, target.cpu, target.features, abi.str(),
                  CodeChoice()};
  llvm::Triple triple(target.triple);
  llvm::outs() << "target      " << code.describe() << "\n"
               << "compiled    for " << arch->name << "\n";
  printNames("CPUs", getCPUNames(target.triple));
  printNames("features", getFeatureNames(target.triple));
  if (!abi.empty()) {
    printNames("float ABIs", getFloatABIs());
  }
  if (!getABIs(triple).empty()) {
    printNames("ABIs", getABIs(triple));
  }
  printNames("code models", getCodeModels(triple));
  return ExitCode::Success;
}

/// What a compiled model says of itself. Shapes that the command line gives are
/// those it is shown with.
static ExitCode describeLibrary(const Arguments &arguments, StringRef path) {
  Session session;
  if (failed(session.configure(arguments)) || failed(session.prepare(path))) {
    return session.getExitCode();
  }
  const CompiledModel &model = *session.getCompiledModel();
  const ArtifactInfo &info = model.getInfo();
  llvm::outs() << "library     " << info.name << "\n"
               << "compiled    for " << listArchitectures(info.architectures)
               << ", of which this machine runs " << model.getArchitecture()
               << "\n";
  printTargets(info);
  llvm::outs() << "threads     " << info.threads << "\n";
  printTensors("input", session.getInterface().inputs);
  printTensors("output", session.getInterface().outputs);
  llvm::outs() << "arena       " << info.arenaBytes << " bytes\n"
               << "weights     " << info.weightBytes << " bytes\n"
               << "code        " << model.getCodeBytes() << " bytes\n";
  return ExitCode::Success;
}

/// What is said of an architecture, whatever the model.
static ExitCode describeArchitecture(const Arguments &arguments) {
  if (!arguments.getPositional().empty()) {
    printError() << "info --support needs no model, found '"
                 << arguments.getPositional().front() << "'\n";
    return ExitCode::BadInput;
  }
  Session session;
  if (failed(session.configure(
          arguments.with("--vpu-arch", arguments.get("--support"))))) {
    return session.getExitCode();
  }
  return printSupport(session);
}

/// What inputs and outputs of the model at hand stand for that are integers.
static LogicalResult printIntegers(Session &session) {
  FailureOr<ModelInterface> interface =
      getModelInterface(session.getModule(), /*forInterpreter=*/true);
  if (failed(interface)) {
    return session.fail(ExitCode::Unsupported);
  }
  for (const auto *tensors : {&interface->inputs, &interface->outputs}) {
    for (const ModelTensor &tensor : *tensors) {
      if (tensor.integers) {
        llvm::outs() << "integers    " << tensor.name << ": "
                     << getValueTypeName(tensor.getValueType()) << ", "
                     << tensor.integers->describe() << "\n";
      }
    }
  }
  return success();
}

ExitCode driver::runInfo(const Arguments &arguments) {
  if (arguments.has("--support")) {
    return describeArchitecture(arguments);
  }
  if (arguments.has("--target") && arguments.getPositional().empty()) {
    return describeTarget(arguments);
  }
  if (arguments.getPositional().size() != 1) {
    printError() << "info needs one model; see nacre info --help\n";
    return ExitCode::BadInput;
  }
  StringRef path = arguments.getPositional().front();
  if (llvm::sys::fs::is_directory(path)) {
    return describeFile(arguments, path);
  }
  if (failed(requireModelFile(path))) {
    return ExitCode::BadInput;
  }
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".a" || extension == ".o" ||
      (isSharedLibraryName(path) && isForOtherMachine(path))) {
    return describeFile(arguments, path);
  }
  if (isSharedLibraryName(path)) {
    return describeLibrary(arguments, path);
  }
  Session session;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  FailureOr<ModelInfo> info = inspectONNXModel(path, session.getContext());
  if (failed(info)) {
    return ExitCode::BadInput;
  }
  llvm::raw_ostream &os = llvm::outs();
  os << "graph       " << info->name;
  if (!info->producer.empty()) {
    os << ", by " << info->producer;
  }
  os << "\n";
  for (const auto &[domain, version] : info->opsets) {
    os << "opset       " << domain << " " << version << "\n";
  }
  for (const ModelInfo::Value &value : info->inputs) {
    os << "input       " << value.name << ": " << value.type << "\n";
  }
  for (const ModelInfo::Value &value : info->outputs) {
    os << "output      " << value.name << ": " << value.type << "\n";
  }
  os << "parameters  " << info->parameters << " ("
     << llvm::format("%.2f", info->parameterBytes / 1e6) << " MB)\n"
     << "operators   ";
  llvm::interleaveComma(info->operators, os, [&](const auto &entry) {
    os << entry.second << " " << entry.first;
  });
  os << "\n";
  for (const ModelInfo::Unsupported &node : info->unsupported) {
    os << "unsupported " << node.op << " in node '" << node.node
       << "': " << node.reason << "\n";
  }
  if (!info->unsupported.empty()) {
    return ExitCode::Unsupported;
  }
  if (failed(session.loadModel(path)) || failed(session.adjustGraph()) ||
      failed(printIntegers(session))) {
    return session.getExitCode();
  }
  printWork(session);
  printEngine(session, info->parameterBytes > kMaxParameterBytes &&
                           !arguments.has("--engine"));
  return ExitCode::Success;
}
