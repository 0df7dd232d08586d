//===- IEToVPU.cpp - The convert-ie-to-vpu pass ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the families' patterns. What the engine does not support stays in IE
// for the software kernels. Changes of layout stand where both kinds meet;
// those between ops of the engine fold.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/IEToVPU/IEToVPU.h"
#include "MatrixRows.h"
#include "nacre/Conversion/ConvertedOps.h"
#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/ConstantReleaser.h"
#include "nacre/Support/MatchFailures.h"
#include "nacre/Support/PatternRoots.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTIETOVPU
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

static void populatePatterns(VPU::ArchAttr arch, RewritePatternSet &patterns,
                             int64_t accuracyLevel = 0) {
  populateBatchNormalizationToVPUPatterns(arch, patterns);
  populateConvolutionToVPUPatterns(arch, patterns);
  populateConvTransposeToVPUPatterns(arch, patterns);
  populateVolumeToVPUPatterns(arch, patterns);
  populateExpandMatricesPatterns(arch, patterns);
  populateMatMulToVPUPatterns(arch, patterns);
  populateMatMulNBitsToVPUPatterns(arch, accuracyLevel, patterns);
  populatePoolingToVPUPatterns(arch, patterns);
  populateElementwiseToVPUPatterns(arch, patterns);
  populateActivationToVPUPatterns(arch, patterns);
  populateConcatToVPUPatterns(arch, patterns);
  populateDynamicQuantizationToVPUPatterns(arch, patterns);
}

llvm::DenseSet<OperationName> nacre::getOpsOfEngine(VPU::ArchAttr arch) {
  RewritePatternSet patterns(arch.getContext());
  populatePatterns(arch, patterns);
  return getRoots(patterns);
}

namespace {
struct ConvertIEToVPUPass final
    : nacre::impl::ConvertIEToVPUBase<ConvertIEToVPUPass> {
  using ConvertIEToVPUBase::ConvertIEToVPUBase;

  void runOnOperation() override {
    auto arch = VPU::ArchAttr::require(getOperation());
    if (!arch || failed(VPU::verifyOperators(getOperation()))) {
      return signalPassFailure();
    }
    // First, while sizes in their bodies follow from their operands.
    shareRecurrences(getOperation(), arch);
    RewritePatternSet patterns(&getContext());
    populatePatterns(arch, patterns, accuracyLevel);
    populateMatrixRowsPatterns(patterns);

    // Producers first: dynamic sizes are traced through them.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    std::optional<ConstantReleaser> releaser;
    if (releaseConstants) {
      config.setListener(&releaser.emplace(getOperation()));
    }
    MatchFailures failures(releaser ? &*releaser : nullptr);
    if (report) {
      config.setListener(&failures);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      return signalPassFailure();
    }
    getOperation()->walk([&](Operation *op) {
      if (isa<VPU::NCEOpInterface>(op)) {
        ++numConverted;
      } else if (op->hasTrait<IE::ForEngines>()) {
        ++numLeft;
        if (report) {
          InFlightDiagnostic remark =
              op->emitRemark("left to software kernels: the engine of ")
              << arch.getName() << " does not support this form";
          std::string reasons = failures.getReasons(op);
          if (!reasons.empty()) {
            remark << ": " << reasons;
          }
        }
      }
    });
  }
};
} // namespace
