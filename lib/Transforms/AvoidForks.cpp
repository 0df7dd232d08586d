//===- AvoidForks.cpp - The avoid-forks pass ------------------------------===//
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
      if (!loop || parallel.getIfExpr() ||
          loop.getLoopUpperBounds().size() != 1) {
        return;
      }
      Value lower = loop.getLoopLowerBounds().front();
      Value upper = loop.getLoopUpperBounds().front();
      Value step = loop.getLoopSteps().front();
      bool isAround =
          llvm::all_of(ValueRange{lower, upper, step}, [&](Value v) {
            return v.getParentRegion()->isProperAncestor(&parallel.getRegion());
          });
      if (!isAround || getConstantIntValue(upper)) {
        return;
      }
      OpBuilder builder(parallel);
      Location loc = parallel.getLoc();
      Value first = arith::AddIOp::create(builder, loc, lower, step);
      Value isShared = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, first, upper);
      parallel.getIfExprMutable().assign(isShared);
      ++numConditional;
    });
  }
};
} // namespace
