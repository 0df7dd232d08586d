//===- DistributeSoftware.cpp - The vpu-distribute-software pass ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine does not do is shared among cores, too: copies between
// layouts and software kernels.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_DISTRIBUTESOFTWARE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static Value getDestination(Operation *op) {
  return cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
}

/// A copy cannot compute every box of its destination from static boxes.
static bool canTile(TilingInterface op, unsigned dim, int64_t size) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation())) {
    return readsForwards(structured);
  }
  auto copy = dyn_cast<TiledOpInterface>(op.getOperation());
  if (!copy) {
    return true;
  }
  OpBuilder builder(op);
  SmallVector<OpFoldResult> sizes =
      getTracedSizes(builder, copy.getLoc(), getDestination(copy));
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  sizes[dim] = builder.getIndexAttr(size);
  SmallVector<OpFoldResult> boxOffsets, boxSizes;
  return succeeded(copy.getOperandTile(builder, copy->getOpOperand(0), offsets,
                                       sizes, boxOffsets, boxSizes));
}

/// The loop of a kind to split and the size of a part: the outermost that
/// splits into equally many parts for every cluster, else the one that splits
/// best.
static std::optional<std::pair<unsigned, int64_t>>
chooseSplit(TilingInterface op, OpBuilder &builder, int64_t clusters,
            utils::IteratorType kind = utils::IteratorType::parallel) {
  constexpr double kGoodEnough = 1.15;
  SmallVector<Range> domain = op.getIterationDomain(builder);
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  std::optional<std::pair<unsigned, int64_t>> best;
  double bestImbalance = static_cast<double>(clusters);
  for (unsigned dim = 0; dim < domain.size(); ++dim) {
    std::optional<int64_t> extent = getConstantIntValue(domain[dim].size);
    if (!extent || kinds[dim] != kind) {
      continue;
    }
    // The fewest parts of one size: those of other sizes need other kernels.
    int64_t size = llvm::divideCeilSigned(*extent, clusters);
    while (size > 0 && *extent % size != 0) {
      --size;
    }
    if (size == 0 || size == *extent || !canTile(op, dim, size)) {
      continue;
    }
    double busiest = static_cast<double>(
        llvm::divideCeilSigned(*extent / size, clusters) * size);
    double imbalance = busiest * clusters / *extent;
    if (imbalance < bestImbalance * 0.95) {
      best = std::pair(dim, size);
      bestImbalance = imbalance;
    }
    if (imbalance < kGoodEnough) {
      break;
    }
  }
  return best;
}

/// The two outermost loops that can be split whose extent only a run knows.
static SmallVector<unsigned> findDynamicLoops(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  SmallVector<int64_t> extents =
      structured
          ? structured.getStaticLoopRanges()
          : SmallVector<int64_t>(
                cast<ShapedType>(getDestination(op).getType()).getShape());
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  SmallVector<unsigned> found;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (ShapedType::isDynamic(extent) && found.size() < 2 &&
        kinds[dim] == utils::IteratorType::parallel &&
        canTile(op, dim, /*size=*/1)) {
      found.push_back(dim);
    }
  }
  return found;
}

/// True if cores computed what `op` reads together.
static bool readsSharedResult(Operation *op) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  return llvm::any_of(
      destination.getDpsInputOperands(), [](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        while (isa_and_present<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                               tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            producer)) {
          producer = producer->getOperand(0).getDefiningOp();
        }
        return isa_and_present<scf::ForallOp>(producer);
      });
}

/// True for results of few elements, each of which one op accumulates that has
/// a neutral element, from which the parts of a reduction start.
static bool canCombine(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured || structured.getNumReductionLoops() == 0) {
    return false;
  }
  // Combined by one core.
  constexpr int64_t kFew = 1024;
  for (auto [i, init] : llvm::enumerate(structured.getDpsInits())) {
    auto type = dyn_cast<RankedTensorType>(init.getType());
    SmallVector<Operation *> accumulations;
    bool isFew = type && type.hasStaticShape() && type.getNumElements() <= kFew;
    if (!isFew ||
        !matchReduction(structured.getRegionOutputArgs(), i, accumulations) ||
        accumulations.size() != 1 ||
        !arith::getNeutralElement(accumulations.front())) {
      return false;
    }
  }
  return true;
}

namespace {
struct DistributeSoftwarePass final
    : VPU::impl::DistributeSoftwareBase<DistributeSoftwarePass> {
  using DistributeSoftwareBase::DistributeSoftwareBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    int64_t clusters = arch.getClusters();
    if (clusters == 1 || !arch.hasCores()) {
      return;
    }
    SmallVector<TilingInterface> ops;
    getOperation()->walk([&](TilingInterface op) {
      bool isOnTensors = op->getNumResults() > 0;
      bool isSoftware =
          isa<linalg::LinalgOp>(op.getOperation()) ||
          (isOnTensors && isa<CopyOp, ShuffleChannelsOp>(op.getOperation()));
      if (isSoftware && op->getParentOp() == getOperation()) {
        ops.push_back(op);
      }
    });
    CostModel model(arch);
    IRRewriter rewriter(&getContext());
    for (TilingInterface op : ops) {
      if (model.getSoftwareCycles(op) / clusters <
          model.getLeastPart(minCycles, readsSharedResult(op))) {
        continue;
      }
      rewriter.setInsertionPoint(op);
      std::optional<std::pair<unsigned, int64_t>> split =
          chooseSplit(op, rewriter, clusters);
      // Outer loops are better to split than inner ones; copies have few, and a
      // run decides whether there is enough to copy.
      SmallVector<unsigned> dynamic = findDynamicLoops(op);
      bool isCopy =
          isa<CopyOp, ShuffleChannelsOp, linalg::CopyOp>(op.getOperation());
      if (!dynamic.empty() && op->getNumResults() <= 1 &&
          (isCopy || !split || dynamic.front() < split->first)) {
        int64_t openLoops = llvm::count_if(
            op.getIterationDomain(rewriter), [](const Range &range) {
              return !getConstantIntValue(range.size);
            });
        RunTimeSplit parts{
            dynamic, clusters,
            getGrain(openLoops, model.getSoftwareCycles(op), minCycles)};
        if (failed(splitAtRunTime(rewriter, op, parts))) {
          return signalPassFailure();
        }
        ++numDistributed;
        continue;
      }
      scf::SCFTilingOptions options;
      if (!split && op->getNumResults() > 0 && canCombine(op)) {
        split =
            chooseSplit(op, rewriter, clusters, utils::IteratorType::reduction);
        options.setReductionTilingStrategy(
            ReductionTilingStrategy::PartialReductionOuterParallel);
      }
      if (!split) {
        continue;
      }
      SmallVector<OpFoldResult> sizes(op.getLoopIteratorTypes().size(),
                                      rewriter.getIndexAttr(0));
      sizes[split->first] = rewriter.getIndexAttr(split->second);
      if (options.reductionStrategy != ReductionTilingStrategy::FullReduction) {
        options.setReductionDims({split->first});
      }
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
      options.setTileSizes(sizes);
      options.setMapping(
          {ClusterAttr::get(&getContext(), ClusterStrategy::SplitOverHeight)});
      FailureOr<scf::SCFTilingResult> tiled =
          scf::tileUsingSCF(rewriter, op, options);
      if (failed(tiled)) {
        return signalPassFailure();
      }
      rewriter.replaceOp(op, tiled->replacements);
      ++numDistributed;
    }
  }
};
} // namespace
