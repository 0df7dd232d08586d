//===- ApplyClusters.cpp - The vpu-apply-clusters pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what strategies split among clusters into scf.forall.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_APPLYCLUSTERS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Makes the last `rest` elements along the block dimension an op of their own,
/// with the tiles that the others have along other dimensions. Returns the op
/// of all others.
static NCEOpInterface splitOffRest(RewriterBase &rewriter, NCEOpInterface op,
                                   int64_t rest) {
  unsigned blockDim = op.getBlockDim();
  int64_t size = getDestinationShape(op)[blockDim];
  rewriter.setInsertionPoint(op);
  auto [first, last] =
      linalg::splitOp(rewriter, cast<TilingInterface>(op.getOperation()),
                      blockDim, rewriter.getIndexAttr(size - rest));
  StrategyAttr strategy = StrategyAttr::lookup(first);
  SmallVector<int64_t> tiles(strategy.getTiles());
  if (!tiles.empty()) {
    tiles[blockDim] = 1;
  }
  StrategyAttr::getDefault(rewriter.getContext())
      .withTiles(tiles, FusedNeighbours::none, /*wideningBlocks=*/0)
      .attachTo(last);
  return cast<NCEOpInterface>(first.getOperation());
}

/// The split dimensions of dynamic size, in the order in which they are split
/// at run time.
static SmallVector<unsigned> getRunTimeDims(NCEOpInterface op,
                                            StrategyAttr strategy) {
  SmallVector<unsigned> dims;
  for (auto [dim, count] : llvm::enumerate(strategy.getParts())) {
    if (ShapedType::isDynamic(count)) {
      dims.push_back(dim);
    }
  }
  // Rows of images come before the batch, unless that has steps enough.
  if (dims.size() == 2 && getDestinationShape(op).size() == 5 &&
      dims.back() == op.getRowDim()) {
    std::swap(dims.front(), dims.back());
  }
  return dims;
}

/// True where the columns of an image are split, whole ones of which copies
/// pad.
static bool splitsColumns(NCEOpInterface op, StrategyAttr strategy) {
  return getDestinationShape(op).size() == 5 &&
         strategy.getParts()[op.getRowDim() + 1] != 1;
}

static LogicalResult distributeAtRunTime(RewriterBase &rewriter,
                                         NCEOpInterface op,
                                         StrategyAttr strategy, ArchAttr arch) {
  RunTimeSplit split{getRunTimeDims(op, strategy), arch.getClusters(),
                     strategy.getGrain(), strategy.getFewSteps()};
  return splitsColumns(op, strategy)
             ? splitAtRunTime(rewriter,
                              cast<TilingInterface>(op.getOperation()), split)
             : splitAtRunTimeAndFuse(rewriter, op, split,
                                     getFusedOps(op, strategy));
}

/// What each loop over parts goes over: blocks come before rows.
static SmallVector<Attribute> getMapping(NCEOpInterface op,
                                         StrategyAttr strategy) {
  MLIRContext *context = op.getContext();
  SmallVector<Attribute> mapping = {
      ClusterAttr::get(context, strategy.getMultiCluster())};
  bool hasBlocks = strategy.getParts()[op.getBlockDim()] != 1;
  if (strategy.getMultiCluster() == ClusterStrategy::SplitOverHeight &&
      hasBlocks) {
    auto blocks = ClusterAttr::get(context, ClusterStrategy::SplitOverKernel);
    mapping.insert(op.getBlockDim() < op.getRowDim() ? mapping.begin()
                                                     : mapping.end(),
                   blocks);
  }
  return mapping;
}

static LogicalResult distribute(RewriterBase &rewriter, NCEOpInterface op,
                                StrategyAttr strategy) {
  SmallVector<int64_t> part =
      strategy.getPart(getDestinationShape(op), op.getBlockDim());
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setMapping(getMapping(op, strategy));
  if (!splitsColumns(op, strategy)) {
    return tileAndFuse(rewriter, op, part, options, getFusedOps(op, strategy));
  }
  unsigned columnDim = op.getRowDim() + 1;
  SmallVector<int64_t> sizes(part.size(), 0);
  sizes[columnDim] = part[columnDim];
  options.setTileSizes(getAsIndexOpFoldResult(op.getContext(), sizes));
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled)) {
    return failure();
  }
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

namespace {
struct ApplyClustersPass final
    : VPU::impl::ApplyClustersBase<ApplyClustersPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    SmallVector<NCEOpInterface> ops;
    WalkResult walk = getOperation()->walk([&](NCEOpInterface op) {
      if (op->getNumResults() != 1) {
        return WalkResult::advance();
      }
      if (failed(verifyStrategy(op, arch))) {
        return WalkResult::interrupt();
      }
      if (!StrategyAttr::lookup(op).getParts().empty()) {
        ops.push_back(op);
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    for (NCEOpInterface op : ops) {
      if (failed(apply(rewriter, op, arch))) {
        return signalPassFailure();
      }
      ++numDistributed;
    }
    // Untiled copies that were fused, and slices of them.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

private:
  static LogicalResult apply(RewriterBase &rewriter, NCEOpInterface op,
                             ArchAttr arch) {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    // What a cluster computes has it, without what is done here.
    strategy.withoutParts().attachTo(op);
    if (strategy.hasRunTimeParts()) {
      return distributeAtRunTime(rewriter, op, strategy, arch);
    }
    NCEOpInterface whole = strategy.getRest() == 0
                               ? op
                               : splitOffRest(rewriter, op, strategy.getRest());
    // Its size has no rest any more.
    return distribute(rewriter, whole, strategy.withoutRest());
  }
};
} // namespace
