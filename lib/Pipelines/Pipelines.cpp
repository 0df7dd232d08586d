//===- Pipelines.cpp - Named pass pipelines -------------------------------===//
//
// Builds and registers the pipelines.
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void nacre::buildIEOptimizePipeline(OpPassManager &pm,
                                    const IEOptimizeOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(IE::createInferShapes());
  function.addPass(createCanonicalizerPass());
  function.addPass(IE::createConstantFold());
  function.addPass(IE::createInferShapes());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}

void nacre::buildReferenceSWPipeline(OpPassManager &pm,
                                     const ReferenceSWOptions &options) {
  buildIEOptimizePipeline(pm, IEOptimizeOptions());
  pm.addPass(createConvertIEToLinalg());
}

void nacre::registerPipelines() {
  PassPipelineRegistration<IEOptimizeOptions>(
      "ie-optimize", "Clean up and optimise the graph on IE",
      buildIEOptimizePipeline);
  PassPipelineRegistration<ReferenceSWOptions>(
      "reference-sw", "Lower IE to the LLVM dialect, every op alone",
      buildReferenceSWPipeline);
}
