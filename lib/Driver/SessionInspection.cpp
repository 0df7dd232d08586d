//===- SessionInspection.cpp - What a session shows -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the module is what --dump-graph-optimized and --dump-listing show.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Target/ArchDescriptor.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

std::string Session::getModelName() const {
  return llvm::sys::path::stem(modelPath).str();
}

LogicalResult Session::refuseInspection(StringRef why) {
  printError() << inspection.getGiven() << " needs a model to compile: " << why
               << "\n";
  return fail(ExitCode::BadInput);
}

LogicalResult Session::showOptimized(ModuleOp target) {
  // "host" is one that has another name.
  std::vector<std::string> names;
  for (const std::string &arch : archs) {
    llvm::Expected<ArchDescriptor> descriptor = loadArch(arch);
    names.push_back(descriptor ? descriptor->name : arch);
    llvm::consumeError(descriptor.takeError());
  }
  return succeeded(inspection.showOptimized(target, getModelName(),
                                            listArchitectures(names)))
             ? success()
             : fail(ExitCode::BadInput);
}

/// Writes the kernels of all architectures, after the last of them.
LogicalResult Session::showKernels() {
  if (!inspection.needsKernels()) {
    return success();
  }
  if (!inspection.hasKernels()) {
    printError() << "--listing-level=kernels needs a module before "
                    "outline-kernels, found '"
                 << modelPath << "'\n";
    return fail(ExitCode::BadInput);
  }
  return succeeded(inspection.showKernels(getLoc())) ? success()
                                                     : fail(ExitCode::BadInput);
}

LogicalResult Session::inspectCopy() {
  bool isMissing = inspection.needsOptimized() ||
                   (inspection.needsKernels() && !inspection.hasKernels());
  OwningOpRef<ModuleOp> copy;
  if (isMissing) {
    copy = module->clone();
  }
  if (inspection.needsOptimized()) {
    if (failed(runPasses(*copy,
                         [](OpPassManager &manager) {
                           buildIEOptimizePipeline(manager,
                                                   IEOptimizeOptions());
                         })) ||
        failed(showOptimized(*copy))) {
      return failure();
    }
  }
  if (inspection.needsKernels() && !inspection.hasKernels() &&
      getLevel(*copy) < Level::Loops &&
      failed(runPasses(*copy, [&](OpPassManager &manager) {
        buildLowering(manager, *copy, archs.front(), /*isLast=*/false);
      }))) {
    return failure();
  }
  return showKernels();
}
