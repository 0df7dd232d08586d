//===- Translations.cpp - nacre-translate's translations ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importer, the exporter and the emitters as steps of their own, for use in
// pipes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Translate/Translations.h"

#include "nacre/Emit/Header.h"
#include "nacre/Export/ONNX/Export.h"
#include "nacre/Import/ONNX/Import.h"
#include "nacre/InitAllDialects.h"
#include "nacre/Listing/Listing.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Support/Plugins.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace nacre;

static std::vector<DialectPlugin> &getPlugins() {
  static std::vector<DialectPlugin> plugins;
  return plugins;
}

/// nacre's dialects, and those of the plugins that the command line names.
static void registerDialects(DialectRegistry &registry) {
  nacre::registerAllDialects(registry);
  for (const DialectPlugin &plugin : getPlugins()) {
    plugin.registerDialectRegistryCallbacks(registry);
  }
}

static OwningOpRef<ModuleOp> importONNX(llvm::SourceMgr &sources,
                                        MLIRContext *context) {
  StringRef path =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  if (path == "<stdin>" || path == "-") {
    emitError(UnknownLoc::get(context))
        << "--import-onnx needs a file: external data is found beside it";
    return nullptr;
  }
  return std::move(importONNXModel(path, *context).module);
}

/// Lowers an IE module by default-hw and hands the program to `write`.
static LogicalResult
withProgram(Operation *op, StringRef name,
            llvm::function_ref<LogicalResult(Program &)> write) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module) {
    return op->emitError("expected a module");
  }
  PassManager toIE(module.getContext());
  buildIEOptimizePipeline(toIE, IEOptimizeOptions());
  if (failed(toIE.run(module))) {
    return failure();
  }
  FailureOr<ModelInterface> interface = getModelInterface(module);
  if (failed(interface)) {
    return failure();
  }
  PassManager lower(module.getContext());
  DefaultHWOptions options;
  options.arch = "host";
  buildDefaultHWPipeline(lower, options);
  if (failed(lower.run(module))) {
    return failure();
  }
  FailureOr<Program> program = Program::create({module}, *interface, name,
                                               /*threads=*/1, CodeOptions());
  return failed(program) ? failure() : write(*program);
}

/// Says how much there is of a listing in which nothing is wrong.
static LogicalResult verifyListing(const std::shared_ptr<llvm::SourceMgr> &from,
                                   llvm::raw_ostream &os, MLIRContext *) {
  FailureOr<listing::Listing> listing = listing::parse(*from);
  if (failed(listing) || failed(listing::verify(*listing, *from))) {
    return failure();
  }
  for (const listing::Function &function : *listing) {
    os << function.name << ": " << function.regions.size() << " regions, "
       << countInstructions(function) << " instructions\n";
  }
  return success();
}

void nacre::registerTranslations() {
  addDialectPluginOption(
      [](const DialectPlugin &plugin) { getPlugins().push_back(plugin); });
  static llvm::cl::opt<std::string> name(
      "model-name", llvm::cl::desc("Name of the model in object and header"),
      llvm::cl::init("model"));
  static TranslateToMLIRRegistration import("import-onnx",
                                            "Import an ONNX model as IE",
                                            importONNX, registerDialects);
  static TranslateRegistration verify(
      "verify-listing", "Check what nacre's --dump-listing has written",
      verifyListing);
  static TranslateFromMLIRRegistration toONNX(
      "export-onnx", "Export IE as an ONNX model",
      [](Operation *op, llvm::raw_ostream &os) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        return module ? exportONNXModel(module, os)
                      : op->emitError("expected a module");
      },
      registerDialects);
  static TranslateFromMLIRRegistration object(
      "mlir-to-object",
      "Compile IE for the host; NAME_weights stays an undefined symbol",
      [](Operation *op, llvm::raw_ostream &os) {
        return withProgram(op, name, [&](Program &program) -> LogicalResult {
          FailureOr<SmallVector<char, 0>> bytes = program.emitObject();
          if (failed(bytes)) {
            return failure();
          }
          os << StringRef(bytes->data(), bytes->size());
          return success();
        });
      },
      registerDialects);
  static TranslateFromMLIRRegistration header(
      "mlir-to-header", "The C header of a compiled IE module",
      [](Operation *op, llvm::raw_ostream &os) {
        return withProgram(op, name, [&](Program &program) -> LogicalResult {
          os << buildHeader(program.getInfo());
          return success();
        });
      },
      registerDialects);
}
