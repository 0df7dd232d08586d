//===- Compile.cpp - nacre compile ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model into a library, an object, the IR of one of the levels, or a model
// again.
//
//===----------------------------------------------------------------------===//

#include "AssertQuantized.h"
#include "BundleArguments.h"
#include "CodeArguments.h"
#include "IRFile.h"
#include "ModelFile.h"
#include "Session.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/Header.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/Files.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// Writes the module as text, large weights beside it.
static ExitCode writeIR(Session &session, StringRef path) {
  IRWriter writer((path + ".weights").str());
  return succeeded(writer.write(session.getModule(), path))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

namespace {
struct Form {
  StringRef name;
  StringRef extension;
};
} // namespace

static constexpr StringRef kMLIR = ".mlir";
static constexpr StringRef kONNX = ".onnx";
/// What is a folder of files, named by --emit alone.
static constexpr StringRef kBundle = "bundle";
static constexpr Form kForms[] = {
    {"shared", ".so"}, {"static", ".a"}, {"obj", ".o"}, {"llvm", ".ll"},
    {"asm", ".s"},     {"onnx", kONNX},  {"ie", kMLIR}, {"vpu", kMLIR},
    {"loops", kMLIR},  {kBundle, ""},
};
// One for each level has the same.
static constexpr size_t kNumExtensions = 7;

/// True for what is no code yet and so has no names in C.
static bool isModule(const Form &form) {
  return form.extension == kMLIR || form.extension == kONNX;
}

static const Form *findForm(StringRef name) {
  const Form *found = llvm::find_if(
      kForms, [&](const Form &form) { return form.name == name; });
  return found == std::end(kForms) ? nullptr : found;
}

static std::string getDefaultOutput(StringRef model, const Form &form) {
  std::string stem = toCIdentifier(llvm::sys::path::stem(model));
  // Never over the model itself.
  std::string kind = form.extension == kONNX   ? ".optimized"
                     : form.extension == kMLIR ? "." + form.name.str()
                                               : "";
  return stem + kind + form.extension.str();
}

/// The form that a file's name tells: by its extension, and of IR by the level
/// before that, as in NAME.vpu.mlir. Null where it tells none.
static const Form *deduceForm(StringRef output) {
  StringRef file = llvm::sys::path::filename(output);
  if (isSharedLibraryName(file)) {
    return findForm("shared");
  }
  StringRef extension = llvm::sys::path::extension(file);
  if (extension.empty()) {
    return nullptr;
  }
  if (extension == kMLIR) {
    const Form *level = findForm(
        llvm::sys::path::extension(file.drop_back(kMLIR.size())).ltrim('.'));
    return level && level->extension == kMLIR ? level : findForm("ie");
  }
  const Form *found = llvm::find_if(
      kForms, [&](const Form &form) { return form.extension == extension; });
  return found == std::end(kForms) ? nullptr : found;
}

/// What --emit and the output's name say, which must be one. Prints an error
/// and fails otherwise.
static FailureOr<const Form *> chooseForm(const Arguments &arguments,
                                          StringRef output) {
  const Form *deduced = deduceForm(output);
  if (!arguments.has("--emit")) {
    if (deduced || llvm::sys::path::extension(output).empty()) {
      return deduced ? deduced : findForm("shared");
    }
    printError() << "cannot tell from '" << output
                 << "' what to write; --emit says it, or an extension: ";
    llvm::interleaveComma(
        llvm::ArrayRef(kForms).take_front(kNumExtensions), llvm::errs(),
        [](const Form &form) { llvm::errs() << form.extension; });
    llvm::errs() << "\n";
    return failure();
  }
  StringRef emit = arguments.get("--emit");
  const Form *form = findForm(emit);
  if (!form) {
    printError() << "--emit needs one of ";
    llvm::interleaveComma(kForms, llvm::errs(), [](const Form &known) {
      llvm::errs() << known.name;
    });
    llvm::errs() << ", found '" << emit << "'\n";
    return failure();
  }
  // Any level may be in a file that does not name one.
  bool isAnyLevel = deduced && deduced->name == "ie" &&
                    form->extension == kMLIR && !output.ends_with(".ie.mlir");
  if (deduced && deduced != form && !isAnyLevel) {
    printError() << "--emit=" << emit << " contradicts the name '" << output
                 << "', which is one of --emit=" << deduced->name << "\n";
    return failure();
  }
  if (output.ends_with(".h")) {
    printError() << "'" << output << "' is the name of a header\n";
    return failure();
  }
  return form;
}

/// The prefix of the model's functions: --name, else the output's name without
/// its extension, else the model's. Prints an error and fails where C cannot
/// have it. Modules have none.
static FailureOr<std::string> chooseName(const Arguments &arguments,
                                         StringRef output, const Form &form) {
  std::string name = arguments.get("--name").str();
  if (!arguments.has("--name")) {
    StringRef file = dropArtifactExtension(llvm::sys::path::filename(output));
    // A bundle's folder may be this one.
    bool hasName = !llvm::all_of(file, [](char c) { return c == '.'; });
    name = toCIdentifier(
        hasName ? file : llvm::sys::path::stem(arguments.getPositional()[0]));
  }
  if (!isCIdentifier(name)) {
    printError() << "--name needs a C identifier, found '" << name << "'\n";
    return failure();
  }
  bool isFunction = form.name == kBundle && !arguments.has("--entry");
  if (isFunction && name == "main") {
    printError() << "a bundle's function cannot be called 'main'; --entry or "
                    "--name gives another name\n";
    return failure();
  }
  if (!isModule(form) && (name == "nacre" || name == names::kModelPrefix)) {
    printError() << "a model cannot be called '" << name
                 << "', as what every model has is; --name gives another\n";
    return failure();
  }
  return name;
}

/// Goes on to a level of the pipeline and prints it.
static ExitCode emitLevel(Session &session, const Arguments &arguments,
                          StringRef emit, StringRef output) {
  Level wanted = emit == "vpu"     ? Level::VPU
                 : emit == "loops" ? Level::Loops
                                   : Level::IE;
  if (wanted != Level::IE && session.getBackend() != Backend::CPU) {
    printError() << "--emit=" << emit
                 << " is a level of the cpu backend; --dump-ir shows those of "
                    "the reference backends\n";
    return ExitCode::BadInput;
  }
  Level level = getLevel(session.getModule());
  if (level > wanted) {
    printError() << "--emit=" << emit
                 << " is a level that the module has left behind\n";
    return ExitCode::BadInput;
  }
  if (level < wanted && failed(session.runPasses([&](OpPassManager &manager) {
        DefaultHWOptions options;
        session.setPipelineOptions(options);
        if (level == Level::VPU) {
          buildVPUToLoopsPipeline(manager, options);
        } else if (wanted == Level::VPU) {
          buildHWToVPUPipeline(manager, options);
        } else {
          buildHWToLoopsPipeline(manager, options);
        }
      }))) {
    return session.getExitCode();
  }
  if (failed(session.inspectCopy())) {
    return session.getExitCode();
  }
  return emit == "onnx"
             ? writeModel(session, output, arguments.has("--external-data"))
             : writeIR(session, output);
}

/// Prints an error and fails where hooks are wanted of what can have none.
static LogicalResult checkHooks(const Session &session, const Form &form) {
  if (!session.hooks) {
    return success();
  }
  if (isModule(form) && form.name != "loops") {
    printError() << "--instrument needs code or --emit=loops, found --emit="
                 << form.name << "\n";
    return failure();
  }
  if (session.getBackend() != Backend::CPU) {
    printError() << "--instrument is a choice of the cpu backend\n";
    return failure();
  }
  if (session.archs.size() > 1) {
    printError() << "--instrument needs one architecture, found "
                 << session.archs.size() << "\n";
    return failure();
  }
  return success();
}

/// Sizes, in the order in which a program meets them.
static void reportBundle(StringRef folder, const ArtifactInfo &info) {
  BundleLayout layout(info);
  llvm::outs() << folder << ": " << info.name << ".o, " << info.name << ".h"
               << (info.hasHooks() ? ", " + info.name + ".steps.json" : "")
               << " and " << info.name
               << ".weights.bin: " << listArchitectures(info.architectures)
               << ", constants " << layout.constantBytes
               << " bytes, placeholders " << layout.mutableBytes
               << " bytes, activations " << layout.activationBytes
               << " bytes (largest live set " << info.arenaLowerBound << ")\n";
}

static ExitCode emitText(Session &session, Program &program, StringRef emit,
                         StringRef output) {
  std::string text;
  if (emit == "llvm") {
    text = program.emitLLVMIR();
  } else {
    FailureOr<SmallVector<char, 0>> assembly = program.emitAssembly();
    if (failed(assembly)) {
      return ExitCode::Internal;
    }
    text.assign(assembly->begin(), assembly->end());
  }
  return succeeded(writeFile(session.getLoc(), output, text))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

ExitCode driver::runCompile(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1) {
    printError() << "compile needs one model; see nacre compile --help\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  std::string output = arguments.get("-o").str();
  FailureOr<const Form *> form = chooseForm(arguments, output);
  if (failed(form)) {
    return ExitCode::BadInput;
  }
  StringRef emit = (*form)->name;
  if (arguments.has("--external-data") && emit != "onnx") {
    printError() << "--external-data needs --emit=onnx, found --emit=" << emit
                 << "\n";
    return ExitCode::BadInput;
  }
  if (output.empty()) {
    output = getDefaultOutput(model, **form);
  }
  FailureOr<std::string> name = chooseName(arguments, output, **form);
  if (failed(name)) {
    return ExitCode::BadInput;
  }
  StringRef folder = llvm::sys::path::parent_path(output);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder)) {
    printError() << "no such folder for the output: '" << folder << "'\n";
    return ExitCode::BadInput;
  }
  Session session;
  if (emit == kBundle) {
    FailureOr<BundleOptions> options = readBundleOptions(arguments);
    if (failed(options)) {
      return ExitCode::BadInput;
    }
    session.bundle = *options;
  } else if (failed(refuseBundleOptions(arguments))) {
    return ExitCode::BadInput;
  }
  if (failed(session.configure(arguments)) ||
      failed(session.loadModel(model))) {
    return session.getExitCode();
  }
  if (failed(checkCodeChoice(session, emit == "shared"))) {
    return ExitCode::BadInput;
  }
  session.isForOthers = true;
  session.hooks = arguments.has("--instrument");
  if (failed(requireAssertable(arguments, session))) {
    return ExitCode::BadInput;
  }
  session.inspect = [&](ModuleOp module) {
    return assertQuantized(arguments, module, session);
  };
  if (failed(checkHooks(session, **form))) {
    return ExitCode::BadInput;
  }
  if (session.getBackend() == Backend::Interpreter) {
    printError() << "the interpreter generates no code; use --backend=cpu or "
                    "reference\n";
    return ExitCode::BadInput;
  }
  bool isLevel = isModule(**form);
  // First by itself: shapes that one round of folding makes static let the next
  // one fold more.
  if (failed(session.optimize(/*releaseConstants=*/!isLevel,
                              /*splitsBatches=*/emit != "onnx"))) {
    return session.getExitCode();
  }
  if (isLevel) {
    bool isOfArch = emit == "vpu" || emit == "loops";
    if (isOfArch && session.archs.size() > 1) {
      printError() << "--emit=" << emit << " shows one architecture, found "
                   << session.archs.size() << "\n";
      return ExitCode::BadInput;
    }
    return emitLevel(session, arguments, emit, output);
  }
  auto program = session.compile(*name);
  if (failed(program)) {
    return session.getExitCode();
  }
  if (emit == "llvm" || emit == "asm") {
    return emitText(session, **program, emit, output);
  }
  if (emit == kBundle) {
    if (failed(writeBundle(session.getLoc(), **program, *session.bundle,
                           output))) {
      return ExitCode::BadInput;
    }
    reportBundle(output, (*program)->getInfo());
    return ExitCode::Success;
  }
  ArtifactKind kind = emit == "shared"   ? ArtifactKind::Shared
                      : emit == "static" ? ArtifactKind::Static
                                         : ArtifactKind::Object;
  if (failed(writeArtifact(session.getLoc(), **program, kind, output))) {
    return ExitCode::BadInput;
  }
  const ArtifactInfo &info = (*program)->getInfo();
  llvm::outs() << output << (info.hasHooks() ? ", " + getStepsPath(output) : "")
               << " and " << getHeaderPath(output) << ": "
               << listArchitectures(info.architectures) << ", " << info.threads
               << " thread" << (info.threads == 1 ? "" : "s") << ", arena "
               << info.arenaBytes << " bytes (largest live set "
               << info.arenaLowerBound << "), weights " << info.weightBytes
               << " bytes\n";
  return ExitCode::Success;
}
