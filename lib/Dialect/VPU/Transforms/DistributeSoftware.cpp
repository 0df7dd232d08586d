//===- DistributeSoftware.cpp - The vpu-distribute-software pass ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what strategies split of copies and software kernels into scf.forall.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"
#include "SoftwareStrategy.h"
#include "TilingUtils.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_DISTRIBUTESOFTWARE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Makes parts of equal size of loop `dim`. What they leave over is an op of
/// its own.
static LogicalResult distribute(RewriterBase &rewriter, TilingInterface op,
                                unsigned dim, int64_t count) {
  int64_t extent = getSoftwareExtents(op)[dim];
  int64_t size = extent / count;
  if (extent % count != 0) {
    rewriter.setInsertionPoint(op);
    auto [parts, rest] =
        linalg::splitOp(rewriter, op, dim, rewriter.getIndexAttr(size * count));
    if (!parts) {
      return failure();
    }
    op = parts;
    if (rest->getNumResults() > 0) {
      // One core's as buffers, too.
      StrategyAttr::getDefault(op.getContext()).attachTo(rest);
    }
  }
  scf::SCFTilingOptions options;
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  if (kinds[dim] != utils::IteratorType::parallel) {
    options.setReductionTilingStrategy(
        ReductionTilingStrategy::PartialReductionOuterParallel);
    options.setReductionDims({dim});
  }
  SmallVector<OpFoldResult> sizes(kinds.size(), rewriter.getIndexAttr(0));
  sizes[dim] = rewriter.getIndexAttr(size);
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(sizes);
  options.setMapping(
      {ClusterAttr::get(op.getContext(), ClusterStrategy::SplitOverHeight)});
  return replaceByTiles(rewriter, op, options);
}

static LogicalResult apply(RewriterBase &rewriter, TilingInterface op,
                           StrategyAttr strategy, ArchAttr arch) {
  SmallVector<unsigned> dims = getSplitLoops(strategy);
  return strategy.hasRunTimeParts()
             ? splitAtRunTime(rewriter, op,
                              {dims, arch.getClusters(), strategy.getGrain()})
             : distribute(rewriter, op, dims.front(),
                          strategy.getParts()[dims.front()]);
}

/// Puts what fills the tensor around an image in front of what computes that,
/// which then can be in its place: behind this pass both are loops, which
/// nothing moves any more.
static void fillBeforeImages(func::FuncOp function) {
  DominanceInfo dominance(function);
  function.walk([&](tensor::InsertSliceOp insertion) {
    auto fill = insertion.getDest().getDefiningOp<linalg::FillOp>();
    Operation *image = insertion.getSource().getDefiningOp();
    if (!fill || !image || fill->getBlock() != image->getBlock() ||
        fill->isBeforeInBlock(image)) {
      return;
    }
    auto empty = fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
    SmallVector<Value> needed(fill.getInputs());
    if (empty) {
      llvm::append_range(needed, empty.getDynamicSizes());
    }
    if (!empty || !llvm::all_of(needed, [&](Value value) {
          return dominance.properlyDominates(value, image);
        })) {
      return;
    }
    if (!dominance.properlyDominates(empty.getResult(), image)) {
      empty->moveBefore(image);
    }
    fill->moveBefore(image);
  });
}

namespace {
struct DistributeSoftwarePass final
    : VPU::impl::DistributeSoftwareBase<DistributeSoftwarePass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verifySoftware(getOperation()))) {
      return signalPassFailure();
    }
    fillBeforeImages(getOperation());
    SmallVector<std::pair<TilingInterface, StrategyAttr>> ops;
    for (Block &block : getOperation().getBody()) {
      for (auto op : block.getOps<TilingInterface>()) {
        StrategyAttr strategy = StrategyAttr::lookup(op);
        if (!strategy || !isSoftwareKernel(op) || isWholeOnBuffers(op)) {
          continue;
        }
        // A part is computed as it is.
        op->removeAttr(StrategyAttr::attrName);
        if (!strategy.getParts().empty()) {
          ops.emplace_back(op, strategy);
        }
      }
    }
    IRRewriter rewriter(&getContext());
    distributeLoops(rewriter, arch);
    for (auto [op, strategy] : ops) {
      if (failed(apply(rewriter, op, strategy, arch))) {
        return signalPassFailure();
      }
      ++numDistributed;
    }
  }

private:
  /// Distributes loops that are no structured ops. That their iterations do not
  /// need each other is not said any more then.
  void distributeLoops(RewriterBase &rewriter, ArchAttr arch) {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (abi::has<abi::Independent>(loop)) {
        loops.push_back(loop);
      }
    });
    for (scf::ForOp loop : loops) {
      StrategyAttr strategy = StrategyAttr::lookup(loop);
      if (strategy && !strategy.getParts().empty()) {
        IndependentLoop match = *IndependentLoop::match(loop);
        if (strategy.hasRunTimeParts()) {
          match.splitAtRunTime(rewriter, arch.getClusters(),
                               strategy.getGrain());
        } else {
          match.split(rewriter, strategy.getParts().front());
        }
        ++numDistributed;
        continue;
      }
      abi::remove<abi::Independent>(loop);
      if (strategy == StrategyAttr::getDefault(&getContext())) {
        loop->removeAttr(StrategyAttr::attrName);
      }
    }
  }
};
} // namespace
