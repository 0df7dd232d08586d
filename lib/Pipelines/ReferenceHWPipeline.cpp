//===- ReferenceHWPipeline.cpp - The reference-hw pipeline ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readable way down through the engine: what it has becomes one op of VPU
// for each op of the model, whole on one cluster of a CPU and in the tiles that
// the scratchpad of an NPU needs. The rest are software kernels as in
// reference-sw. What is wrong here is wrong in one kernel of the engine, and
// what is wrong in default-hw alone is so in fusion, tiling or distribution.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

/// From IE to ops of the engine and software kernels, on tensors.
static void addKernels(OpPassManager &pm, const ReferenceHWOptions &options) {
  buildIEOptimizePipeline(pm, IEOptimizeOptions());
  pm.addPass(createRecordInterface());
  VPU::InitCompilerOptions init;
  init.arch = options.arch;
  pm.addPass(VPU::createInitCompiler(init));
  pm.addNestedPass<func::FuncOp>(IE::createFlattenEmpty());
  pm.addNestedPass<func::FuncOp>(IE::createAssertDeclaredSizes());
  buildLateDecompositionPipeline(pm);
  VPU::ChooseStrategiesOptions choose;
  choose.decide.push_back("operators");
  choose.isolated = true;
  pm.addPass(VPU::createChooseStrategies(choose));
  pm.addNestedPass<func::FuncOp>(IE::createExtractZeroPoints());
  ConvertIEToVPUOptions convert;
  convert.accuracyLevel = options.accuracyLevel;
  pm.addPass(createConvertIEToVPU(convert));
  pm.addNestedPass<func::FuncOp>(createConvertLayoutsToCopies());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertIEToLinalg());
  pm.addPass(createLowerBoundary());
  pm.addPass(createConvertLinalgToVPU());
  pm.addPass(VPU::createPackWeights());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Tiles for scratchpads, and buffers.
static void addBuffers(OpPassManager &pm) {
  VPU::ChooseStrategiesOptions strategies;
  strategies.isolated = true;
  pm.addPass(VPU::createChooseStrategies(strategies));
  pm.addNestedPass<func::FuncOp>(VPU::createApplyTiles());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Kernels that fill several buffers at once would get copies of a shared one.
  pm.addNestedPass<func::FuncOp>(VPU::createSeparateBuffers());
  pm.addNestedPass<func::FuncOp>(createBindResults());
  pm.addPass(VPU::createVPUBufferize());
  buildResultsPipeline(pm, /*onEngine=*/true);
}

void nacre::buildReferenceHWPipeline(OpPassManager &pm,
                                     const ReferenceHWOptions &options) {
  addKernels(pm, options);
  addBuffers(pm);
  pm.addPass(createPlanMemory());
  pm.addPass(createPackConstants());
  pm.addPass(createOutlineKernels());
  VPU::ChooseStrategiesOptions choose;
  choose.decide.push_back("registers");
  choose.isolated = true;
  pm.addPass(VPU::createChooseStrategies(choose));
  pm.addPass(createConvertVPUToVector());
  pm.addPass(createLowerLinalg());
  GreedyRewriteConfig foldOnly;
  foldOnly.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(foldOnly));
  buildLowerToLLVMPipeline(pm, LowerToLLVMOptions());
}
