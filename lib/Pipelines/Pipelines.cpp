//===- Pipelines.cpp - Registration of the pipelines ----------------------===//
//
// Gives every pipeline its name on nacre-opt's command line.
//
//===----------------------------------------------------------------------===//

#include "nacre/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace nacre;

void nacre::registerPipelines() {
  PassPipelineRegistration<IEOptimizeOptions>(
      "ie-optimize", "Clean up and optimise the graph on IE",
      buildIEOptimizePipeline);
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
  PassPipelineRegistration<DefaultHWOptions>(
      "hw-vpu", "The part of default-hw that ends on VPU and linalg tensors",
      buildHWToVPUPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "hw-loops", "The part of default-hw that ends on kernels over buffers",
      buildHWToLoopsPipeline);
  PassPipelineRegistration<DefaultHWOptions>(
      "default-hw", "Lower IE through VPU to the LLVM dialect",
      buildDefaultHWPipeline);
}
