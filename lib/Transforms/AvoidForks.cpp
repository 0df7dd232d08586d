//===- AvoidForks.cpp - The avoid-forks pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waking other threads takes as long as a small layer.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace nacre {
#define GEN_PASS_DEF_AVOIDFORKS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The loop that `parallel` shares among threads, if it is all that it does.
static omp::LoopNestOp getSharedLoop(omp::ParallelOp parallel) {
  omp::LoopNestOp found;
  unsigned count = 0;
  parallel.walk([&](omp::LoopNestOp loop) {
    found = loop;
    ++count;
  });
  return count == 1 ? found : omp::LoopNestOp();
}

namespace {
struct AvoidForksPass final : nacre::impl::AvoidForksBase<AvoidForksPass> {
  void runOnOperation() override {
    getOperation()->walk([&](omp::ParallelOp parallel) {
      omp::LoopNestOp loop = getSharedLoop(parallel);
      if (!loop || parallel.getIfExpr()) {
        return;
      }
      SmallVector<Value> bounds(loop.getLoopLowerBounds());
      llvm::append_range(bounds, loop.getLoopUpperBounds());
      llvm::append_range(bounds, loop.getLoopSteps());
      bool isAround = llvm::all_of(bounds, [&](Value v) {
        return v.getParentRegion()->isProperAncestor(&parallel.getRegion());
      });
      bool isKnown = llvm::any_of(loop.getLoopUpperBounds(), [](Value upper) {
        return getConstantIntValue(upper).has_value();
      });
      if (!isAround || isKnown) {
        return;
      }
      OpBuilder builder(parallel);
      Location loc = parallel.getLoc();
      Value isShared;
      for (auto [lower, upper, step] :
           llvm::zip_equal(loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                           loop.getLoopSteps())) {
        Value first = arith::AddIOp::create(builder, loc, lower, step);
        Value isMore = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::slt, first, upper);
        isShared = isShared
                       ? arith::OrIOp::create(builder, loc, isShared, isMore)
                       : isMore;
      }
      parallel.getIfExprMutable().assign(isShared);
      ++numConditional;
    });
  }
};
} // namespace
