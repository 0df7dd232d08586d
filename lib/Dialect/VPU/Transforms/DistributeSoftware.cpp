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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_DISTRIBUTESOFTWARE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The op that computes `size` steps of loop `dim` from `first` on. Of tensors,
/// `results` are those of `op` with what it computes in place.
static FailureOr<TilingInterface> buildPart(RewriterBase &rewriter,
                                            TilingInterface op, unsigned dim,
                                            int64_t first, int64_t size,
                                            SmallVectorImpl<Value> &results) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (const Range &range : op.getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets[dim] = rewriter.getIndexAttr(first);
  sizes[dim] = rewriter.getIndexAttr(size);
  FailureOr<TilingResult> part =
      op.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(part)) {
    return failure();
  }
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  for (auto [i, value] : llvm::enumerate(part->tiledValues)) {
    SmallVector<OpFoldResult> at, extents;
    if (failed(op.getResultTilePosition(rewriter, i, offsets, sizes, at,
                                        extents))) {
      return failure();
    }
    SmallVector<OpFoldResult> strides(at.size(), rewriter.getIndexAttr(1));
    results.push_back(tensor::InsertSliceOp::create(
        rewriter, op.getLoc(), value, destination.getDpsInitOperand(i)->get(),
        at, extents, strides));
  }
  return cast<TilingInterface>(part->tiledOps.back());
}

/// Gives an op that starts from a part of a tensor without contents a smaller
/// tensor without contents, which eliminate-empty-tensors finds a place for.
static void startFromNothing(RewriterBase &rewriter, Operation *op) {
  for (Value init : cast<DestinationStyleOpInterface>(op).getDpsInits()) {
    auto slice = init.getDefiningOp<tensor::ExtractSliceOp>();
    if (slice && slice.getSource().getDefiningOp<tensor::EmptyOp>()) {
      rewriter.setInsertionPoint(slice);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
          slice, slice.getMixedSizes(), slice.getType().getElementType());
    }
  }
}

/// Computes the last `rest` steps of loop `dim` by an op of its own, and
/// returns one that computes those before them, into what has these already: a
/// loop over parts of nothing would get a buffer of its own.
static FailureOr<TilingInterface> splitRest(RewriterBase &rewriter,
                                            TilingInterface op, unsigned dim,
                                            int64_t rest) {
  int64_t first = getSoftwareExtents(op)[dim] - rest;
  SmallVector<Value> results, all;
  rewriter.setInsertionPoint(op);
  FailureOr<TilingInterface> last =
      buildPart(rewriter, op, dim, first, rest, results);
  if (failed(last)) {
    return failure();
  }
  if (op->getNumResults() > 0) {
    startFromNothing(rewriter, *last);
    // One core's as buffers, too.
    StrategyAttr::getDefault(op.getContext()).attachTo(*last);
  }
  rewriter.setInsertionPoint(op);
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  rewriter.modifyOpInPlace(op, [&] {
    for (auto [i, value] : llvm::enumerate(results)) {
      destination.setDpsInitOperand(i, value);
    }
  });
  FailureOr<TilingInterface> part =
      buildPart(rewriter, op, dim, /*first=*/0, first, all);
  if (succeeded(part)) {
    rewriter.replaceOp(op, all);
  }
  return part;
}

/// Makes parts of equal size of loop `dim`. What they leave over is an op of
/// its own.
static LogicalResult distribute(RewriterBase &rewriter, TilingInterface op,
                                unsigned dim, int64_t count) {
  int64_t extent = getSoftwareExtents(op)[dim];
  int64_t size = extent / count;
  if (int64_t rest = extent % count) {
    FailureOr<TilingInterface> part = splitRest(rewriter, op, dim, rest);
    if (failed(part)) {
      return failure();
    }
    op = *part;
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

namespace {
struct DistributeSoftwarePass final
    : VPU::impl::DistributeSoftwareBase<DistributeSoftwarePass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verifySoftware(getOperation()))) {
      return signalPassFailure();
    }
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
    distributeLoops(rewriter);
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
  void distributeLoops(RewriterBase &rewriter) {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (abi::has<abi::Independent>(loop)) {
        loops.push_back(loop);
      }
    });
    for (scf::ForOp loop : loops) {
      StrategyAttr strategy = StrategyAttr::lookup(loop);
      if (strategy && !strategy.getParts().empty()) {
        IndependentLoop::match(loop)->split(rewriter,
                                            strategy.getParts().front());
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
