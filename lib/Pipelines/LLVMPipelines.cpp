//===- LLVMPipelines.cpp - Kernels on buffers to the LLVM dialect ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part below kernels that all code-generating backends share.
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void nacre::buildLowerToLLVMPipeline(OpPassManager &pm,
                                     const LowerToLLVMOptions &options) {
  // Kernels are unrolled here, and to look through all of their operations for
  // regions takes as long as to fold them. LLVM merges blocks itself.
  GreedyRewriteConfig foldOnly;
  foldOnly.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  bool isShared = options.threads > 1;
  if (isShared) {
    // OpenMP's loops stay loops until everything in them is LLVM's; its runtime
    // is not used.
    pm.addPass(createForallToParallelLoopPass());
    pm.addPass(createConvertSCFToOpenMPPass());
    pm.addPass(createCanonicalizerPass(foldOnly));
  } else {
    pm.addPass(createForallToForLoopPass());
  }
  pm.addPass(createUnrollTransfers());
  pm.addPass(createExpandViews());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass(foldOnly));
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createRollLongLoops());
  pm.addPass(createNarrowCounters());
  pm.addPass(createCheckAllocations());
  pm.addPass(createLowerAssertions());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createExpandSmallFloats());
  // What LLVM has no intrinsic for is libm's, which every C program has. Before
  // vectors go, whose elements it takes one by one.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // Before OpenMP: the other way round it would ignore the calling convention.
  pm.addPass(createConvertAllToLLVM());
  if (isShared) {
    pm.addPass(createConvertOpenMPToLLVMPass());
  }
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (isShared) {
    ShareLoopsOptions share;
    share.threads = options.threads;
    pm.addPass(createShareLoops(share));
  }
  pm.addPass(createCarryBFloat16AsIntegers());
  pm.addPass(createStoreBoolsAsBytes());
  pm.addPass(createFoldDescriptors());
  pm.addPass(createCSEPass());
}
