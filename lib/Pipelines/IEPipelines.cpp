//===- IEPipelines.cpp - Graph-level pipelines ----------------------------===//
//
// Pipelines that stay on IE.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void nacre::buildIEOptimizePipeline(OpPassManager &pm,
                                    const IEOptimizeOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  // Constants decide shapes and shapes decide constants (Shape → Gather →
  // Concat → Reshape), hence inference on both sides of folding.
  function.addPass(IE::createInferShapes());
  function.addPass(createCanonicalizerPass());
  function.addPass(IE::createConstantFold());
  function.addPass(IE::createInferShapes());
  function.addPass(createCanonicalizerPass());
  function.addPass(IE::createFuseScaleShift());
  function.addPass(IE::createFusePad());
  function.addPass(IE::createFuseMatMulAdd());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}
