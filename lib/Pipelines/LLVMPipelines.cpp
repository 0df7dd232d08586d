//===- LLVMPipelines.cpp - Kernels on buffers to the LLVM dialect ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part below kernels that all code-generating backends share.
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void nacre::buildLowerToLLVMPipeline(OpPassManager &pm,
                                     const LowerToLLVMOptions &options) {
  bool isShared = options.threads > 1;
  if (isShared) {
    pm.addPass(createConvertForallToOpenMP());
  } else {
    pm.addPass(createForallToForLoopPass());
  }
  pm.addPass(createUnrollTransfers());
  pm.addPass(createExpandViews());
  // Kernels are unrolled here, and to look through all of their operations for
  // regions takes as long as to fold them. LLVM merges blocks itself.
  GreedyRewriteConfig foldOnly;
  foldOnly.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(foldOnly));
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createRollLongLoops());
  pm.addPass(createNarrowCounters());
  pm.addPass(createCheckAllocations());
  pm.addPass(createExpandSmallFloats());
  pm.addPass(createConvertAllToLLVM());
  if (isShared) {
    ShareLoopsOptions share;
    share.threads = options.threads;
    pm.addPass(createShareLoops(share));
  }
  pm.addPass(createFoldDescriptors());
  pm.addPass(createCSEPass());
}
