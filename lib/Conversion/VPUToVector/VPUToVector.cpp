//===- VPUToVector.cpp - The convert-vpu-to-vector pass -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the kernels of all VPU ops.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTVPUTOVECTOR
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct ConvertVPUToVectorPass final
    : nacre::impl::ConvertVPUToVectorBase<ConvertVPUToVectorPass> {
  void runOnOperation() override {
    bool failedAny = false;
    getOperation()->walk([&](Operation *op) {
      failedAny |= failed(VPU::verifyKernelStrategy(op));
    });
    if (failedAny) {
      return signalPassFailure();
    }
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    populateConvolutionKernels(patterns);
    populateCopyKernels(patterns);
    populateDepthConvolutionKernels(patterns);
    populateEltwiseKernels(patterns);
    populateFillBorderKernels(patterns);
    populateGroupConvolutionKernels(patterns);
    populateMatMulKernels(patterns);
    populateMatMulNBitsKernels(patterns);
    populatePoolingKernels(patterns);
    populateShuffleChannelsKernels(patterns);
    populateWinogradKernels(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<VPU::VPUDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
