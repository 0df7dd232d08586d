//===- SoftwareChooser.cpp - What cores share of software -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine does not do is shared among cores, too: copies between
// layouts and software kernels.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"
#include "SoftwareStrategy.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {
/// The number of parts of one loop.
struct Split {
  unsigned dim;
  int64_t count;
  bool leavesSteps;
};
} // namespace

/// How much longer than the mean the busiest of the cores works.
static double getImbalance(int64_t extent, int64_t size, int64_t clusters) {
  // What is left over is for one core.
  int64_t most =
      llvm::divideCeilSigned(extent / size, clusters) * size + extent % size;
  return static_cast<double>(most * clusters) / static_cast<double>(extent);
}

/// The largest size of parts that cut a loop evenly: those of other sizes need
/// other kernels.
static int64_t findEvenSize(int64_t extent, int64_t clusters) {
  int64_t size = llvm::divideCeilSigned(extent, clusters);
  while (size > 0 && extent % size != 0) {
    --size;
  }
  return size;
}

namespace {
/// Who shares an op, and into how many parts it is worth cutting.
struct Sharing {
  int64_t clusters;
  double mostParts;
};
} // namespace

/// The parts that a cluster may have. Each calls a kernel, so that they must
/// not be small beside the least that pays for a cluster.
static constexpr int64_t kMostPartsOfCluster = 8;

/// The loop of a kind to split, and the parts: the outermost that splits into
/// equally many parts for every cluster, else the one that splits best. Where
/// there are few of one size or many small ones, some steps may be left over.
static std::optional<Split>
chooseSplit(TilingInterface op, Sharing sharing, bool mayLeaveSteps,
            utils::IteratorType kind = utils::IteratorType::parallel) {
  constexpr double kGoodEnough = 1.15;
  int64_t clusters = sharing.clusters;
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  std::optional<Split> best;
  double bestImbalance = static_cast<double>(clusters);
  auto consider = [&](unsigned dim, int64_t extent, int64_t size) {
    if (size == 0 || size == extent ||
        static_cast<double>(extent / size) > sharing.mostParts ||
        !canTile(op, dim, size) ||
        (extent % size != 0 && !canTile(op, dim, extent % size))) {
      return;
    }
    double imbalance = getImbalance(extent, size, clusters);
    if (imbalance < bestImbalance * 0.95) {
      best = Split{dim, extent / size, extent % size != 0};
      bestImbalance = imbalance;
    }
  };
  for (auto [dim, extent] : llvm::enumerate(getSoftwareExtents(op))) {
    if (ShapedType::isDynamic(extent) || kinds[dim] != kind) {
      continue;
    }
    int64_t even = findEvenSize(extent, clusters);
    SmallVector<int64_t> sizes = {even};
    if (mayLeaveSteps) {
      bool areMany = even * clusters * kMostPartsOfCluster < extent;
      sizes.insert(areMany ? sizes.begin() : sizes.end(), extent / clusters);
    }
    for (int64_t size : sizes) {
      if (bestImbalance >= kGoodEnough) {
        consider(dim, extent, size);
      }
    }
    if (bestImbalance < kGoodEnough) {
      break;
    }
  }
  return best;
}

/// True where the loops of an op go through each operand from one end to the
/// other, but for operands that are broadcast.
static bool keepsOrder(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  return structured &&
         llvm::all_of(structured.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true) &&
                  llvm::is_sorted(llvm::map_range(
                      llvm::make_filter_range(map.getResults(),
                                              llvm::IsaPred<AffineDimExpr>),
                      [](AffineExpr dim) {
                        return cast<AffineDimExpr>(dim).getPosition();
                      }));
         });
}

/// True for a loop of which all parts are about as long, and read parts of all
/// operands that have elements.
static bool makesEvenParts(TilingInterface op, unsigned dim, int64_t extent,
                           int64_t clusters) {
  constexpr int64_t kManySteps = 4;
  bool isEven = extent % clusters == 0 || extent >= clusters * kManySteps;
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  return extent > 1 && isEven &&
         llvm::all_of(structured.getIndexingMapsArray(), [&](AffineMap map) {
           return map.isFunctionOfDim(dim) || map.getNumResults() == 0;
         });
}

/// The two outermost loops of dynamic extent that can be split. Instead of the
/// second one, one of known extent between them that makes equal parts, where
/// the elements of all loops inside of it lie beside each other: a part has all
/// of these. Where such a loop is around those of dynamic extent, it alone.
static SmallVector<unsigned> findDynamicLoops(TilingInterface op,
                                              int64_t clusters) {
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  SmallVector<unsigned> found;
  std::optional<unsigned> around, between;
  bool mayBeBetween = keepsOrder(op);
  for (auto [dim, extent] : llvm::enumerate(getSoftwareExtents(op))) {
    bool isOpen = ShapedType::isDynamic(extent);
    if (found.size() == 2 || kinds[dim] != utils::IteratorType::parallel ||
        !canTile(op, dim, /*size=*/1)) {
      continue;
    }
    if (isOpen) {
      found.push_back(found.empty() ? dim : between.value_or(dim));
    } else if (mayBeBetween && found.empty() && !around &&
               makesEvenParts(op, dim, extent, clusters)) {
      around = dim;
    } else if (mayBeBetween && !found.empty() && !between &&
               extent % clusters == 0) {
      between = dim;
    }
  }
  if (around && !found.empty()) {
    return {*around};
  }
  return found;
}

/// The outermost loop of known extent with a step for each cluster, of an op
/// that reduces over loops of dynamic extent alone: whether parts of it
/// are worth it is computed at run time.
static std::optional<unsigned> findLoopOfOpenSums(TilingInterface op,
                                                  int64_t clusters) {
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  SmallVector<int64_t> extents = getSoftwareExtents(op);
  std::optional<unsigned> found;
  bool isOpen = false;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    bool isParallel = kinds[dim] == utils::IteratorType::parallel;
    if (ShapedType::isDynamic(extent)) {
      if (isParallel) {
        return std::nullopt;
      }
      isOpen = true;
    } else if (isParallel && !found && extent >= clusters &&
               canTile(op, dim, /*size=*/1)) {
      found = dim;
    }
  }
  return isOpen ? found : std::nullopt;
}

/// Ops with loops of dynamic extent that are one part with typical extents.
using ShortOps = llvm::SmallPtrSet<Operation *, 16>;

/// True for what cores compute together, or will. Parts of a reduction are
/// combined by one core.
static bool isShared(Operation *producer, const ShortOps &shortOps) {
  auto op = dyn_cast<TilingInterface>(producer);
  StrategyAttr strategy = StrategyAttr::lookup(producer);
  if (isa<scf::ForOp>(producer)) {
    return strategy && !strategy.getParts().empty();
  }
  if (!op || !strategy || !isSoftwareKernel(op)) {
    return isa<scf::ForallOp>(producer);
  }
  if (shortOps.contains(producer)) {
    return false;
  }
  SmallVector<utils::IteratorType> kinds = op.getLoopIteratorTypes();
  return llvm::any_of(getSplitLoops(strategy), [&](unsigned dim) {
    return kinds[dim] == utils::IteratorType::parallel;
  });
}

/// True if cores compute what `op` reads together.
static bool readsSharedResult(Operation *op, const ShortOps &shortOps) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  return llvm::any_of(
      destination.getDpsInputOperands(), [&](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        while (isa_and_present<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                               tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            producer)) {
          producer = producer->getOperand(0).getDefiningOp();
        }
        return producer && isShared(producer, shortOps);
      });
}

static void attach(TilingInterface op, ArrayRef<unsigned> dims, int64_t count,
                   int64_t grain = 0) {
  SmallVector<int64_t> parts(op.getLoopIteratorTypes().size(), 1);
  for (unsigned dim : dims) {
    parts[dim] = count;
  }
  StrategyAttr::getForParts(op.getContext(), ClusterStrategy::SplitOverHeight,
                            parts, FusedNeighbours::none, grain)
      .attachTo(op);
}

/// True for a kernel on tensors whose parts had better leave steps over and are
/// chosen when it is on buffers: an op for a part of a tensor costs copies.
static bool isLeftToBuffers(TilingInterface op, Sharing sharing) {
  if (!isa<linalg::LinalgOp>(op.getOperation()) || op->getNumResults() == 0) {
    return false;
  }
  std::optional<Split> split = chooseSplit(op, sharing, /*mayLeaveSteps=*/true);
  return split && split->leavesSteps;
}

static void choose(TilingInterface op, ArchAttr arch, int64_t minCycles,
                   ShortOps &shortOps) {
  if (llvm::is_contained(getSoftwareExtents(op), 0)) {
    return;
  }
  CostModel model(arch);
  double cycles = model.getSoftwareCycles(op);
  bool areAwake = readsSharedResult(op, shortOps);
  std::optional<unsigned> ofOpenSums =
      findLoopOfOpenSums(op, arch.getClusters());
  int64_t open = llvm::count_if(getSoftwareExtents(op), ShapedType::isDynamic);
  if (ofOpenSums) {
    return attach(op, *ofOpenSums, ShapedType::kDynamic,
                  getGrain(open, cycles, minCycles));
  }
  int64_t clusters = model.countClusters(cycles, minCycles, areAwake);
  SmallVector<unsigned> dynamic = findDynamicLoops(op, arch.getClusters());
  if (clusters == 1) {
    // Whether loops of dynamic extent are worth it is computed at run time.
    if (!dynamic.empty()) {
      attach(op, dynamic, ShapedType::kDynamic,
             getGrain(open, cycles, minCycles));
      shortOps.insert(op);
    }
    return;
  }
  Sharing sharing{clusters, kMostPartsOfCluster * cycles /
                                model.getLeastPart(minCycles, areAwake)};
  bool onBuffers = op->getNumResults() == 0;
  std::optional<Split> split = chooseSplit(op, sharing, onBuffers);
  // Outer loops are better to split than inner ones; copies have few, and
  // whether there is enough to copy is decided at run time.
  bool isCopy =
      isa<CopyOp, ShuffleChannelsOp, linalg::CopyOp>(op.getOperation());
  if (!dynamic.empty() && (isCopy || !split || dynamic.front() <= split->dim)) {
    return attach(op, dynamic, ShapedType::kDynamic,
                  getGrain(open, cycles, minCycles));
  }
  // On buffers nothing tells whether the cores are awake.
  if (model.countClusters(cycles, minCycles, /*areAwake=*/false) >= clusters &&
      isLeftToBuffers(op, sharing)) {
    return;
  }
  if (!split && canCombine(op)) {
    split = chooseSplit(op, sharing, /*mayLeaveSteps=*/true,
                        utils::IteratorType::reduction);
  }
  if (split) {
    attach(op, split->dim, split->count);
  }
}

/// The cycles that an iteration takes for each element that it reads or writes.
static double getElementCycles(IndependentLoop loop, ArchAttr arch) {
  if (loop.onlyMovesSlices()) {
    constexpr int64_t kLaneBytes = 4;
    auto vectorBytes = static_cast<double>(arch.getLanes() * kLaneBytes);
    return kScalarElementCycles * static_cast<double>(loop.getElementBytes()) /
           vectorBytes;
  }
  // Of many loops few run.
  constexpr int64_t kMostPasses = 8;
  return static_cast<double>(kScalarElementCycles *
                             std::min(loop.countPasses(), kMostPasses));
}

/// A part for each core, where it has an iteration and enough to do; of unknown
/// sizes, a run finds how many do.
static void choose(Operation *op, IndependentLoop loop, ArchAttr arch,
                   int64_t minCycles) {
  if (loop.hasKnownExtent() && loop.getExtent() < 2) {
    return;
  }
  double ofElement = getElementCycles(loop, arch);
  if (loop.isOpen()) {
    StrategyAttr::getForParts(op->getContext(),
                              ClusterStrategy::SplitOverHeight,
                              ShapedType::kDynamic, FusedNeighbours::none,
                              getGrain(/*openLoops=*/0, ofElement, minCycles))
        .attachTo(op);
    return;
  }
  double cycles = static_cast<double>(loop.countElements()) * ofElement;
  int64_t clusters = std::min(
      CostModel(arch).countClusters(cycles, minCycles, /*areAwake=*/false),
      loop.getExtent());
  if (clusters > 1) {
    StrategyAttr::getForParts(op->getContext(),
                              ClusterStrategy::SplitOverHeight,
                              loop.countParts(clusters), FusedNeighbours::none)
        .attachTo(op);
  }
}

void VPU::chooseSoftware(FunctionOpInterface function,
                         const ChooserInput &input, int64_t minCycles) {
  if (input.arch.getClusters() == 1 || !input.arch.hasCores()) {
    return;
  }
  ShortOps shortOps;
  for (Block &block : function.getFunctionBody()) {
    for (Operation &op : block) {
      std::optional<IndependentLoop> loop = IndependentLoop::match(&op);
      if (input.isGiven(&op)) {
        continue;
      }
      if (loop && !abi::has<abi::HasSteps>(&op)) {
        choose(&op, *loop, input.arch, minCycles);
      } else if (isSoftwareKernel(&op)) {
        choose(cast<TilingInterface>(op), input.arch, minCycles, shortOps);
      }
    }
  }
}
