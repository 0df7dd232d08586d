//===- Compile.cpp - nacre compile ----------------------------------------===//
//
// A model into a library, an object, or the IR of one of the levels.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Emit/Header.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Support/Files.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/ViewOpGraph.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// Writes the module as text, its constants elided.
static ExitCode writeIR(Session &session, StringRef path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  session.getModule()->print(stream, getPrintingFlags());
  return succeeded(writeFile(session.getLoc(), path, text))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

static LogicalResult dumpGraph(Session &session, StringRef path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  PassManager manager(&session.getContext());
  manager.addPass(createPrintOpGraphPass(stream));
  ModuleOp copy = session.getModule().clone();
  LogicalResult result = manager.run(copy);
  copy.erase();
  return succeeded(result) ? writeFile(session.getLoc(), path, text)
                           : failure();
}

static std::string getDefaultOutput(StringRef model, StringRef emit) {
  StringRef extension = llvm::StringSwitch<StringRef>(emit)
                            .Case("shared", ".so")
                            .Case("static", ".a")
                            .Case("obj", ".o")
                            .Case("asm", ".s")
                            .Case("llvm", ".ll")
                            .Default(".mlir");
  std::string stem = toCIdentifier(llvm::sys::path::stem(model));
  // Never over the model itself.
  return stem + (extension == ".mlir" ? "." + emit.str() : "") +
         extension.str();
}

/// Stops at a level of the pipeline and prints it.
static ExitCode emitLevel(Session &session, StringRef emit, StringRef output) {
  // First by itself, as in a compilation: shapes that one round of folding
  // makes static let the next one fold more.
  LogicalResult result = session.runPasses([](OpPassManager &manager) {
    buildIEOptimizePipeline(manager, IEOptimizeOptions());
  });
  if (succeeded(result) && emit != "ie") {
    result = session.runPasses([&](OpPassManager &manager) {
      DefaultHWOptions options;
      session.setPipelineOptions(options);
      if (emit == "vpu") {
        buildHWToVPUPipeline(manager, options);
      } else {
        buildHWToLoopsPipeline(manager, options);
      }
    });
  }
  return failed(result) ? session.getExitCode() : writeIR(session, output);
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
  StringRef emit = arguments.get("--emit", "shared");
  static constexpr StringRef kForms[] = {"shared", "static", "obj", "llvm",
                                         "asm",    "ie",     "vpu", "loops"};
  if (!llvm::is_contained(kForms, emit)) {
    printError() << "--emit needs one of ";
    llvm::interleaveComma(kForms, llvm::errs());
    llvm::errs() << ", found '" << emit << "'\n";
    return ExitCode::BadInput;
  }
  std::string output = arguments.get("-o").str();
  if (output.empty()) {
    output = getDefaultOutput(model, emit);
  }
  StringRef folder = llvm::sys::path::parent_path(output);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder)) {
    printError() << "no such folder for the output: '" << folder << "'\n";
    return ExitCode::BadInput;
  }
  Session session;
  if (failed(session.configure(arguments)) ||
      failed(session.loadModel(model))) {
    return session.getExitCode();
  }
  if (session.getBackend() == Backend::Interpreter) {
    printError() << "the interpreter generates no code; use --backend=cpu or "
                    "reference\n";
    return ExitCode::BadInput;
  }
  if (arguments.has("--dump-graph") &&
      failed(dumpGraph(session, arguments.get("--dump-graph")))) {
    return ExitCode::BadInput;
  }
  if (emit == "ie" || emit == "vpu" || emit == "loops") {
    if (emit != "ie" && session.archs.size() > 1) {
      printError() << "--emit=" << emit << " shows one architecture, found "
                   << session.archs.size() << "\n";
      return ExitCode::BadInput;
    }
    return emitLevel(session, emit, output);
  }
  std::string name = toCIdentifier(llvm::sys::path::stem(output));
  auto program = session.compile(name);
  if (failed(program)) {
    return session.getExitCode();
  }
  if (emit == "llvm" || emit == "asm") {
    return emitText(session, **program, emit, output);
  }
  ArtifactKind kind = emit == "shared"   ? ArtifactKind::Shared
                      : emit == "static" ? ArtifactKind::Static
                                         : ArtifactKind::Object;
  if (failed(writeArtifact(session.getLoc(), **program, kind, output))) {
    return ExitCode::BadInput;
  }
  const ArtifactInfo &info = (*program)->getInfo();
  SmallString<128> header(output);
  llvm::sys::path::replace_extension(header, ".h");
  llvm::outs() << output << " and " << header << ": "
               << listArchitectures(info.architectures) << ", " << info.threads
               << " thread" << (info.threads == 1 ? "" : "s") << ", arena "
               << info.arenaBytes << " bytes (largest live set "
               << info.arenaLowerBound << "), weights " << info.weightBytes
               << " bytes\n";
  return ExitCode::Success;
}
