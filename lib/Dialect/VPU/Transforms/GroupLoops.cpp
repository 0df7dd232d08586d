//===- GroupLoops.cpp - The vpu-group-loops pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has the loops of a group, which strategies name, follow each other, and gives
// iterations that are left where clusters have equally many a loop of their
// own.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"
#include "LoopGroups.h"

#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_GROUPLOOPS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {
struct GroupLoopsPass final : VPU::impl::GroupLoopsBase<GroupLoopsPass> {
  void runOnOperation() override {
    if (!ArchAttr::require(getOperation()) ||
        failed(verifyLoopGroups(getOperation()))) {
      return signalPassFailure();
    }
    // About what is in loops that were given no group, nothing is decided yet.
    StrategyAttr none = StrategyAttr::getDefault(&getContext());
    getOperation()->walk([&](scf::ForOp loop) {
      if (StrategyAttr::lookup(loop) == none) {
        loop->removeAttr(StrategyAttr::attrName);
      }
    });
    IRRewriter rewriter(&getContext());
    ArchAttr arch = ArchAttr::lookup(getOperation());
    getOperation()->walk([&](scf::ForOp loop) {
      StrategyAttr strategy = StrategyAttr::lookup(loop);
      if (strategy && strategy.getShareRest()) {
        strategy.withSharedRest(false).attachTo(loop);
        IndependentLoop::match(loop)->splitOffRest(rewriter,
                                                   arch.getClusters());
        ++numRests;
      }
    });
    for (Block &block : getOperation().getBody()) {
      SmallVector<int64_t> numbers = getLoopGroups(block);
      if (!numbers.empty()) {
        // As verified.
        orderLoopGroups(block)->apply();
        numGroups += numbers.size();
      }
    }
  }
};
} // namespace
