//===- Reproducer.cpp - What failed, for who repairs it -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass that fails without an error is a mistake in the compiler. The model is
// compiled again up to that pass, and the module written with the pass that is
// to be run on it: upstream's reproducers are copies of the module that are
// made before each pass, whether it fails or not, and whose weights may be
// freed by then.
//
//===----------------------------------------------------------------------===//

#include "Reproducer.h"
#include "IRFile.h"
#include "Resume.h"
#include "Session.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

namespace {
class FailureListener final : public PassInstrumentation {
public:
  FailureListener(PassManager &manager, PassFailure &failure)
      : manager(manager), failure(failure) {}

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    // Of passes in each other, the inner one fails first.
    if (failure.pass.empty()) {
      StringRef argument = pass->getArgument();
      failure.pass = (argument.empty() ? pass->getName() : argument).str();
      auto symbol =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      failure.operation = symbol ? ("@" + symbol.getValue()).str()
                                 : op->getName().getStringRef().str();
    }
    SmallVector<std::string> before;
    for (Pass &own : manager.getPasses()) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      own.printAsTextualPipeline(stream);
      if (&own == pass) {
        failure.before = "builtin.module(" + llvm::join(before, ",") + ")";
        failure.failed = "builtin.module(" + text + ")";
        return;
      }
      before.push_back(std::move(text));
    }
  }

private:
  PassManager &manager;
  PassFailure &failure;
};
} // namespace

std::unique_ptr<PassInstrumentation>
driver::createFailureListener(PassManager &manager, PassFailure &failure) {
  return std::make_unique<FailureListener>(manager, failure);
}

static LogicalResult runPipeline(ModuleOp module, StringRef pipeline) {
  FailureOr<OpPassManager> parsed = parsePipeline(pipeline);
  if (failed(parsed)) {
    return failure();
  }
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  manager.enableVerifier(false);
  return manager.run(module);
}

/// Writes the module and what is to be run on it to a new file, whose path is
/// returned; nothing where that cannot be.
static std::optional<std::string> writeNewFile(ModuleOp module,
                                               StringRef pipeline) {
  SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("nacre-reproducer", "mlir", path)) {
    return std::nullopt;
  }
  IRWriter writer((path + ".weights").str());
  if (failed(writer.write(module, path, pipeline))) {
    llvm::sys::fs::remove(path);
    return std::nullopt;
  }
  return path.str().str();
}

OwningOpRef<ModuleOp> Session::readModelAgain() {
  OwningOpRef<ModuleOp> result;
  if (!modelPath.empty()) {
    result = readModel();
  }
  if (result) {
    recordOptions(*result);
  }
  return result;
}

/// The module before the pass that failed, and that pass, if it fails there
/// again.
std::optional<std::string>
Session::writeLocalReproducer(const PassFailure &failure) {
  OwningOpRef<ModuleOp> copy;
  if (!failure.failed.empty()) {
    copy = readModelAgain();
  }
  if (!copy ||
      failed(runPipeline(*copy, joinPipelines({passed, failure.before})))) {
    return std::nullopt;
  }
  std::optional<std::string> path = writeNewFile(*copy, failure.failed);
  if (path && succeeded(runPipeline(*copy, failure.failed))) {
    llvm::sys::fs::remove(*path);
    llvm::sys::fs::remove(*path + ".weights");
    return std::nullopt;
  }
  return path;
}

/// The model, and all that has been run on it and is to be.
std::optional<std::string> Session::writeReproducer(StringRef pipeline) {
  OwningOpRef<ModuleOp> copy = readModelAgain();
  if (!copy) {
    return std::nullopt;
  }
  return writeNewFile(
      *copy, pipeline.empty() ? pending : joinPipelines({passed, pipeline}));
}

LogicalResult Session::reportInternalError(StringRef pipeline,
                                           const PassFailure &failure) {
  printError() << "internal error in the compiler";
  if (!failure.pass.empty()) {
    llvm::errs() << ": " << failure.pass << " fails on " << failure.operation;
  }
  llvm::errs() << "\n";
  LogicalResult result = fail(ExitCode::Internal);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  std::optional<std::string> path = writeLocalReproducer(failure);
  if (!path) {
    path = writeReproducer(pipeline);
  }
  if (!path) {
    return result;
  }
  llvm::errs() << "nacre: note: "
               << (pipeline.empty() ? "nacre compile "
                                    : "nacre-opt --run-reproducer ");
  for (StringRef plugin : plugins) {
    llvm::errs() << "--load-dialect-plugin=" << plugin << " ";
  }
  llvm::errs() << *path
               << " repeats the failure; please report it with that file "
                  "and, if there is one, "
               << llvm::sys::path::filename(*path) << ".weights\n";
  return result;
}
