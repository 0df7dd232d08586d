//===- Pipelines.cpp - Registration of the pipelines ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every pipeline its name on nacre-opt's command line.
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace nacre;

void nacre::registerPipelines() {
  PassPipelineRegistration<IEOptimizeOptions>(
      "ie-optimize", "Clean up and optimise the graph on IE",
      buildIEOptimizePipeline);
  PassPipelineRegistration<IEOptimizeOptions>(
      "ie-prepare", "The part of ie-optimize after which values have ranges",
      buildIEPreparePipeline);
  PassPipelineRegistration<>(
      "ie-quantization",
      "Compute operators on dequantized operands on integers",
      buildIEQuantizationPipeline);
  PassPipelineRegistration<LowerToLLVMOptions>(
      "lower-to-llvm", "Lower kernels on buffers to the LLVM dialect",
      buildLowerToLLVMPipeline);
  PassPipelineRegistration<ReferenceSWOptions>(
      "reference-sw", "Lower IE to the LLVM dialect, every op alone",
      buildReferenceSWPipeline);
  PassPipelineRegistration<ReferenceHWOptions>(
      "reference-hw",
      "Lower IE through VPU to the LLVM dialect, every op alone",
      buildReferenceHWPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "hw-vpu", "The part of default-hw that ends on VPU and linalg tensors",
      buildHWToVPUPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "hw-loops", "The part of default-hw that ends on kernels over buffers",
      buildHWToLoopsPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "vpu-loops", "The part of default-hw between hw-vpu and hw-loops",
      buildVPUToLoopsPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "default-hw", "Lower IE through VPU to the LLVM dialect",
      buildDefaultHWPipeline);
}

Level nacre::getLevel(ModuleOp module) {
  if (module.lookupSymbol<LLVM::LLVMFuncOp>("main")) {
    return Level::LLVM;
  }
  if (!abi::has<abi::Interface>(module)) {
    return Level::IE;
  }
  // Weights are laid out on buffers.
  return abi::has<abi::ArenaBytes>(module) ? Level::Loops : Level::VPU;
}
