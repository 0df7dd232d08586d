//===- OptMain.cpp - The main of nacre-opt --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --vpu-arch is an init-compiler pass in front of whatever was asked for.
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

#include "nacre/Support/Files.h"
#include "nacre/Support/LocationVerifier.h"
#include "nacre/Support/Plugins.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nacre;

/// Puts init-compiler in front of the passes of `pm`. A pass manager only grows
/// at its end, and --pass-pipeline replaces what was there before: its textual
/// form is where a pass can be added first.
static LogicalResult prependInitCompiler(PassManager &pm, StringRef archName) {
  std::string requested;
  llvm::raw_string_ostream stream(requested);
  pm.printAsTextualPipeline(stream);
  StringRef passes(requested);
  if (!passes.consume_front("builtin.module(") || !passes.consume_back(")")) {
    llvm::errs() << "--vpu-arch needs a pipeline on builtin.module, found "
                 << requested << "\n";
    return failure();
  }
  std::string pipeline = ("builtin.module(init-compiler{vpu-arch=" + archName +
                          "}" + (passes.empty() ? "" : ",") + passes + ")")
                             .str();
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline);
  if (failed(parsed)) {
    return failure();
  }
  static_cast<OpPassManager &>(pm) = std::move(*parsed);
  return success();
}

/// Leaves to --help-hidden the options that exist by now: those of LLVM's
/// libraries, which register theirs while the program is loaded. They still
/// work.
static void hideBackendOptions() {
  constexpr StringRef kShown[] = {"color", "help", "help-list", "version"};
  for (auto &[name, option] : llvm::cl::getRegisteredOptions()) {
    if (!llvm::is_contained(kShown, name)) {
      option->setHiddenFlag(llvm::cl::Hidden);
    }
  }
}

/// Registers the dialects of plugins. MLIR's main looks for a file without a
/// folder in the system's folders alone, and goes on without what it finds not.
static LogicalResult registerDialectPlugins(DialectRegistry &registry) {
  auto *option = static_cast<llvm::cl::list<std::string> *>(
      llvm::cl::getRegisteredOptions().lookup("load-dialect-plugin"));
  for (const std::string &path : *option) {
    llvm::Expected<DialectPlugin> plugin = loadDialectPlugin(path);
    if (!plugin) {
      llvm::errs() << "--load-dialect-plugin: "
                   << llvm::toString(plugin.takeError()) << "\n";
      return failure();
    }
    plugin->registerDialectRegistryCallbacks(registry);
  }
  return success();
}

LogicalResult nacre::optMain(int argc, char **argv, StringRef toolName,
                             DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  ignoreFileSizeSignal();
  hideBackendOptions();
  llvm::cl::opt<std::string> archName(
      "vpu-arch", llvm::cl::value_desc("name or .json file"),
      llvm::cl::desc("Architecture to compile for"));
  llvm::cl::opt<bool> verifyLocations(
      "verify-locations",
      llvm::cl::desc("Check after every pass that what it has made can be "
                     "traced to a node of the model"));
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, toolName, registry);

  if (failed(registerDialectPlugins(registry))) {
    return failure();
  }
  MlirOptMainConfig requested = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = requested;
  bool losesLocations = false;
  config.setPassPipelineSetupFn([&](PassManager &pm) -> LogicalResult {
    if (failed(requested.setupPassPipeline(pm))) {
      return failure();
    }
    if (!archName.empty() && failed(prependInitCompiler(pm, archName))) {
      return failure();
    }
    if (verifyLocations) {
      pm.getContext()->disableMultithreading();
      pm.addInstrumentation(createLocationVerifier(losesLocations));
    }
    return success();
  });
  if (requested.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleaveComma(registry.getDialectNames(), llvm::outs());
    llvm::outs() << "\n";
    return success();
  }
  if (requested.shouldListPasses()) {
    printRegisteredPasses();
    return success();
  }

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input) {
    llvm::errs() << error << "\n";
    return failure();
  }
  // Only for where diagnostics about the output go: passes have their own.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  return writeFile(
      UnknownLoc::get(&context), outputName, [&](llvm::raw_ostream &output) {
        LogicalResult result =
            MlirOptMain(output, std::move(input), registry, config);
        return losesLocations ? failure() : result;
      });
}
