//===- PackWeights.cpp - The vpu-pack-weights pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes constant weights as kernels read them, once, when nothing changes them
// any more.
//
//===----------------------------------------------------------------------===//

#include "NarrowWeights.h"
#include "StrategyChoosers.h"
#include "WeightPacker.h"

#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/ConstantReleaser.h"

#include "mlir/IR/BuiltinOps.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True for weights that vpu-apply-winograd is to transform before.
static bool areToBeTransformed(PackWeightsOp op) {
  return llvm::any_of(op->getUsers(), isByWinograd);
}

namespace {
struct PackWeightsPass final : VPU::impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    std::optional<ConstantReleaser> releaser;
    if (releaseConstants) {
      rewriter.setListener(&releaser.emplace(getOperation()));
    }
    if (ArchAttr arch = ArchAttr::lookup(getOperation())) {
      numNarrowed +=
          narrowWeights(getOperation(), arch, releaser ? &*releaser : nullptr);
    }
    SmallVector<PackWeightsOp> ops;
    getOperation().walk([&](PackWeightsOp op) {
      if (!areToBeTransformed(op)) {
        ops.push_back(op);
      }
    });
    for (PackWeightsOp op : ops) {
      if (failed(replaceByPacked(rewriter, op))) {
        return signalPassFailure();
      }
      ++numPacked;
    }
  }
};
} // namespace
