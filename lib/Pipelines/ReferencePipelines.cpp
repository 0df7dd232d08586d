//===- ReferencePipelines.cpp - The reference-sw pipeline -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readable way down: each op becomes its own loop nest, in the order of the
// model, on buffers of its own.
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

void nacre::buildReferenceSWPipeline(OpPassManager &pm,
                                     const ReferenceSWOptions &options) {
  buildIEOptimizePipeline(pm, IEOptimizeOptions());
  pm.addPass(createRecordInterface());
  VPU::InitCompilerOptions init;
  init.arch = options.arch;
  pm.addPass(VPU::createInitCompiler(init));
  pm.addNestedPass<func::FuncOp>(IE::createFlattenEmpty());
  pm.addNestedPass<func::FuncOp>(IE::createAssertDeclaredSizes());
  buildLateDecompositionPipeline(pm);
  pm.addPass(createConvertIEToLinalg());
  pm.addPass(createLowerBoundary());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Kernels that fill several buffers at once would get copies of a shared one.
  pm.addNestedPass<func::FuncOp>(VPU::createSeparateBuffers());
  pm.addNestedPass<func::FuncOp>(createBindResults());
  pm.addPass(VPU::createVPUBufferize());
  buildResultsPipeline(pm, /*onEngine=*/false);

  pm.addPass(createPlanMemory());
  pm.addPass(createPackConstants());
  pm.addPass(createOutlineKernels());
  pm.addPass(createLowerLinalg());
  pm.addPass(createCanonicalizerPass());
  buildLowerToLLVMPipeline(pm, LowerToLLVMOptions());
}
