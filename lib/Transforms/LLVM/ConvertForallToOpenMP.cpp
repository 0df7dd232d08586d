//===- ConvertForallToOpenMP.cpp - The convert-forall-to-openmp pass ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's way is by scf.parallel, with a scope for allocations on the stack
// in each body, which kernels have none of, and canonicalisation to get rid of
// these scopes.
//
//===----------------------------------------------------------------------===//

#include "OnePart.h"

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTFORALLTOOPENMP
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// Replaces a loop on buffers by a parallel region that is one shared loop.
static void convert(scf::ForallOp loop) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  auto getValues = [&](ArrayRef<OpFoldResult> bounds) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, bounds);
  };
  SmallVector<Value> lower = getValues(loop.getMixedLowerBound());
  SmallVector<Value> upper = getValues(loop.getMixedUpperBound());
  SmallVector<Value> step = getValues(loop.getMixedStep());

  auto parallel = omp::ParallelOp::create(rewriter, loc);
  rewriter.createBlock(&parallel.getRegion());
  auto shared = omp::WsloopOp::create(rewriter, loc);
  omp::TerminatorOp::create(rewriter, loc);
  rewriter.createBlock(&shared.getRegion());
  auto nest = omp::LoopNestOp::create(
      rewriter, loc, /*collapse_num_loops=*/lower.size(), lower, upper, step,
      /*loop_inclusive=*/false, /*tile_sizes=*/DenseI64ArrayAttr());
  rewriter.setInsertionPoint(loop.getTerminator());
  omp::YieldOp::create(rewriter, loc);
  rewriter.eraseOp(loop.getTerminator());
  rewriter.inlineRegionBefore(loop.getRegion(), nest.getRegion(),
                              nest.getRegion().end());
  rewriter.eraseOp(loop);
}

namespace {
struct ConvertForallToOpenMPPass final
    : nacre::impl::ConvertForallToOpenMPBase<ConvertForallToOpenMPPass> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp loop) { loops.push_back(loop); });
    for (scf::ForallOp loop : loops) {
      if (loop.getNumResults() != 0) {
        loop.emitOpError("expected a loop on buffers, found results");
        return signalPassFailure();
      }
      if (loop.getRank() == 0) {
        loop.emitOpError("expected a loop of at least one dimension");
        return signalPassFailure();
      }
      if (mayBeOnePart(loop)) {
        doOnePartAlone(loop);
        ++numUnshared;
      }
      convert(loop);
      ++numConverted;
    }
  }
};
} // namespace
