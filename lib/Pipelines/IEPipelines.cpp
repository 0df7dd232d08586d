//===- IEPipelines.cpp - Graph-level pipelines ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines that stay on IE.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/InferAndFold.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/VPU/Cost/GraphLimits.h"
#include "nacre/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;

void nacre::buildIEQuantizationPipeline(OpPassManager &pm) {
  // What composite operators become may be fused and folded.
  pm.addNestedPass<func::FuncOp>(IE::createDecompose());
  // Before folding, which would turn dequantized weights into floats.
  pm.addNestedPass<func::FuncOp>(IE::createFuseQuantization());
  pm.addNestedPass<func::FuncOp>(IE::createConstantFold());
  pm.addNestedPass<func::FuncOp>(IE::createFoldQuantizationScale());
}

void nacre::buildLateDecompositionPipeline(OpPassManager &pm) {
  IE::DecomposeOptions decompose;
  decompose.late = true;
  pm.addNestedPass<func::FuncOp>(IE::createDecompose(decompose));
}

void nacre::buildIEPreparePipeline(OpPassManager &pm,
                                   const IEOptimizeOptions &options) {
  // Inference on both sides of folding, as each needs what the other finds.
  pm.addNestedPass<func::FuncOp>(IE::createInferShapes());
  // Everything below knows how to fuse f32.
  pm.addNestedPass<func::FuncOp>(IE::createWidenFloats());
  buildIEQuantizationPipeline(pm);
  IE::addInferAndFold(pm.nest<func::FuncOp>());
  pm.addNestedPass<func::FuncOp>(IE::createRaise());
  pm.addNestedPass<func::FuncOp>(IE::createSinkTransposes());
  pm.addNestedPass<func::FuncOp>(IE::createReduceToPool());
  IE::FuseScaleShiftOptions fuse;
  fuse.releaseConstants = options.releaseConstants;
  pm.addPass(IE::createFuseScaleShift(fuse));
  pm.addNestedPass<func::FuncOp>(IE::createFusePad());
  IE::FuseMatMulAddOptions rows;
  rows.splitsBatches = options.splitsBatches;
  pm.addNestedPass<func::FuncOp>(IE::createFuseMatMulAdd(rows));
  pm.addNestedPass<func::FuncOp>(IE::createSwapReluPool());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

void nacre::buildIEOptimizePipeline(OpPassManager &pm,
                                    const IEOptimizeOptions &options) {
  buildIEPreparePipeline(pm, options);
  // Not before ranges are measured: each product has its own.
  IE::MergeMatMulsOptions merge;
  merge.tileColumns = VPU::kWholeTileColumns;
  merge.maxElements = VPU::kMostMergedElements;
  pm.addNestedPass<func::FuncOp>(IE::createMergeMatMuls(merge));
  pm.addNestedPass<func::FuncOp>(IE::createNameSizes());
  if (options.splitsBatches) {
    pm.addNestedPass<func::FuncOp>(IE::createBatchToScan());
  }
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}
