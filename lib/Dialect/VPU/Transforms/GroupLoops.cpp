//===- GroupLoops.cpp - The vpu-group-loops pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has the loops of a group, which strategies name, follow each other.
//
//===----------------------------------------------------------------------===//

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
