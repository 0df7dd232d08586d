//===- HWPipelines.cpp - The default-hw pipeline --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast way down: what the architecture's NCE supports becomes VPU ops,
// tiled to clusters and CMX; everything else becomes software kernels. Both
// meet again as kernels on buffers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

static void addRelease(OpPassManager &pm, const DefaultHWOptions &options) {
  if (options.releaseConstants) {
    pm.addPass(createReleaseConstants());
  }
}

/// Chooses strategies. The last decision writes down all of them.
static void addDecisions(OpPassManager &pm, const DefaultHWOptions &options,
                         ArrayRef<VPU::Decision> decisions) {
  VPU::ChooseStrategiesOptions choose;
  for (VPU::Decision decision : decisions) {
    choose.decide.push_back(VPU::stringifyDecision(decision).str());
  }
  choose.readJSON = options.strategies;
  if (llvm::is_contained(decisions, VPU::Decision::registers)) {
    choose.writeJSON = options.dumpStrategies;
  } else {
    choose.record = !options.dumpStrategies.empty();
  }
  pm.addPass(VPU::createChooseStrategies(choose));
}

void nacre::buildHWToVPUPipeline(OpPassManager &pm,
                                 const DefaultHWOptions &options) {
  IEOptimizeOptions optimize;
  optimize.releaseConstants = options.releaseConstants;
  buildIEOptimizePipeline(pm, optimize);
  addRelease(pm, options);
  pm.addPass(createRecordInterface());
  VPU::InitCompilerOptions init;
  init.arch = options.arch;
  init.threads = options.threads;
  pm.addPass(VPU::createInitCompiler(init));
  pm.addNestedPass<func::FuncOp>(IE::createFlattenEmpty());
  pm.addNestedPass<func::FuncOp>(IE::createAssertDeclaredSizes());
  buildLateDecompositionPipeline(pm);
  addDecisions(pm, options, VPU::Decision::operators);
  pm.addNestedPass<func::FuncOp>(IE::createExtractZeroPoints());
  ConvertIEToVPUOptions convert;
  convert.releaseConstants = options.releaseConstants;
  convert.report = options.report;
  convert.accuracyLevel = options.accuracyLevel;
  pm.addPass(createConvertIEToVPU(convert));
  pm.addNestedPass<func::FuncOp>(createConvertLayoutsToCopies());
  pm.addNestedPass<func::FuncOp>(VPU::createFusePPE());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertIEToLinalg());
  pm.addPass(createLowerBoundary());
  ConvertLinalgToVPUOptions convertLinalg;
  convertLinalg.report = options.report;
  pm.addPass(createConvertLinalgToVPU(convertLinalg));
  if (options.bf16) {
    VPU::LowerPrecisionOptions lower;
    lower.releaseConstants = options.releaseConstants;
    pm.addPass(VPU::createLowerPrecision(lower));
    pm.addNestedPass<func::FuncOp>(VPU::createSinkConversions());
    // Conversions of whole tensors fuse with software kernels.
    pm.addPass(createConvertElementwiseToLinalgPass());
  }
  pm.addPass(createFuseElementwise());
  pm.addPass(createInlineGathers());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(VPU::createShuffleChannels());
}

void nacre::buildResultsPipeline(OpPassManager &pm, bool onEngine) {
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  // Results of loops are the buffers that they start from, which can only then
  // be arguments.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  pm.addPass(createCSEPass());
  if (onEngine) {
    pm.addPass(VPU::createEraseMemoryKinds());
  }
  pm.addPass(createLegalizeCopies());
  pm.addPass(createReleaseValues());
  pm.addPass(createConvertRuntimeToFunc());
}

void nacre::buildHWToLoopsPipeline(OpPassManager &pm,
                                   const DefaultHWOptions &options) {
  buildHWToVPUPipeline(pm, options);
  buildVPUToLoopsPipeline(pm, options);
}

void nacre::buildVPUToLoopsPipeline(OpPassManager &pm,
                                    const DefaultHWOptions &options) {
  // Who asks for the size of a value would be a user of it outside of a group.
  pm.addNestedPass<func::FuncOp>(VPU::createTraceSizes());
  SmallVector<VPU::Decision> first = {VPU::Decision::concurrency,
                                      VPU::Decision::groups};
  if (options.winograd) {
    first.insert(first.begin(), VPU::Decision::algorithms);
  }
  addDecisions(pm, options, first);
  VPU::PackWeightsOptions pack;
  pack.releaseConstants = options.releaseConstants;
  pm.addPass(VPU::createPackWeights(pack));
  if (options.winograd) {
    VPU::ApplyWinogradOptions winograd;
    winograd.releaseConstants = options.releaseConstants;
    pm.addPass(VPU::createApplyWinograd(winograd));
  }
  addRelease(pm, options);
  pm.addNestedPass<func::FuncOp>(VPU::createGroupLoops());
  pm.addNestedPass<func::FuncOp>(VPU::createFuseRows());
  addDecisions(pm, options, VPU::Decision::loops);
  pm.addNestedPass<func::FuncOp>(VPU::createApplyPadding());
  pm.addNestedPass<func::FuncOp>(VPU::createApplyClusters());
  addDecisions(pm, options, VPU::Decision::software);
  pm.addNestedPass<func::FuncOp>(VPU::createDistributeSoftware());
  pm.addNestedPass<func::FuncOp>(VPU::createApplyTiles());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addNestedPass<func::FuncOp>(VPU::createSeparateBuffers());
  pm.addNestedPass<func::FuncOp>(createBindResults());
  VPU::VPUBufferizeOptions bufferize;
  bufferize.eliminateEmpty = true;
  pm.addPass(VPU::createVPUBufferize(bufferize));
  buildResultsPipeline(pm, /*onEngine=*/true);
  pm.addNestedPass<func::FuncOp>(VPU::createShareGroups());
  // Copies that bufferization made.
  addDecisions(pm, options, VPU::Decision::buffers);
  pm.addNestedPass<func::FuncOp>(VPU::createDistributeSoftware());

  pm.addNestedPass<func::FuncOp>(VPU::createPlaceBorders());
  pm.addNestedPass<func::FuncOp>(VPU::createAllocateScratch());
  pm.addNestedPass<func::FuncOp>(VPU::createPrefetchShared());
  pm.addPass(createPlanMemory());
  pm.addPass(createPackConstants());
  pm.addPass(createOutlineKernels());
  if (options.profile) {
    pm.addPass(createInstrumentSteps());
  }
  if (options.hooks) {
    pm.addPass(createHookSteps());
  }
  pm.addPass(createReleaseWeights());
  addDecisions(pm, options, VPU::Decision::joins);
  // Loops of software kernels are decided about as they are then.
  pm.addPass(createCollapseLoops());
  addDecisions(pm, options, VPU::Decision::registers);
  pm.addPass(createConvertVPUToVector());
  pm.addPass(createVectorizeStructuredOps());
  pm.addPass(createLowerLinalg());
  pm.addPass(createApproximateMath());
  GreedyRewriteConfig foldOnly;
  foldOnly.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(foldOnly));
}

void nacre::buildDefaultHWPipeline(OpPassManager &pm,
                                   const DefaultHWOptions &options) {
  buildHWToLoopsPipeline(pm, options);
  LowerToLLVMOptions lower;
  lower.threads = options.threads;
  buildLowerToLLVMPipeline(pm, lower);
}
