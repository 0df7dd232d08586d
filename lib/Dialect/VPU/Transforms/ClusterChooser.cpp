//===- ClusterChooser.cpp - What clusters share of engine ops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes down how ops of known sizes are split, and which dimensions of others
// a run splits.
//
//===----------------------------------------------------------------------===//

#include "DistributionChooser.h"
#include "LoopGroups.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True if `op` reads what one of `ops` computed.
static bool readsResultOf(NCEOpInterface op,
                          const llvm::SmallPtrSetImpl<Operation *> &ops) {
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  return llvm::any_of(destination.getDpsInputOperands(),
                      [&](OpOperand *operand) {
                        NCEOpInterface producer = getProducer(operand->get());
                        return producer && ops.contains(producer);
                      });
}

/// Numbers of elements of the block dimension that may be left out of the parts
/// of so many clusters: none, or those that columns which end within a vector,
/// such as the 1000 classes of an image, have beyond what splits evenly.
static SmallVector<int64_t> getRests(NCEOpInterface op, ArchAttr arch,
                                     int64_t clusters) {
  int64_t size = getDestinationShape(op)[op.getBlockDim()];
  SmallVector<int64_t> rests = {0};
  for (int64_t count = clusters; count > 0; --count) {
    int64_t rest = size % (getPartStep(op, arch) * count);
    if (rest < size && !llvm::is_contained(rests, rest)) {
      rests.push_back(rest);
    }
  }
  return rests;
}

/// The dimensions that are split at run time, at most two: of the rows, the
/// batch and the columns of an image, or of the batch and the rows of matrices,
/// those of dynamic size. None where there is none, and the op stays with one
/// cluster.
static SmallVector<unsigned> chooseRunTimeDims(NCEOpInterface op) {
  ArrayRef<int64_t> shape = getDestinationShape(op);
  bool isImage = shape.size() == 5;
  unsigned rowDim = op.getRowDim(), columnDim = rowDim + 1;
  SmallVector<unsigned> dims = {0, rowDim};
  if (isImage) {
    dims = {rowDim, 0, columnDim};
  }
  llvm::erase_if(dims,
                 [&](unsigned d) { return !ShapedType::isDynamic(shape[d]); });
  dims.truncate(std::min<size_t>(dims.size(), 2));
  // Rows are enough, but for a batch of images of fewer rows than clusters.
  if (isImage && dims.size() == 2 && dims.front() == rowDim &&
      dims.back() == columnDim) {
    dims.pop_back();
  }
  return dims;
}

namespace {

/// Writes down how the engine ops of a function are distributed.
class ClusterChooser {
public:
  ClusterChooser(const ChooserInput &input, int64_t minCycles)
      : input(input), arch(input.arch), model(arch), minCycles(minCycles),
        chooser(arch) {}

  void choose(FunctionOpInterface function);

private:
  struct ColumnParts {
    int64_t count, rest;
  };

  void chooseStatic(NCEOpInterface op, int64_t clusters);
  void chooseDynamic(NCEOpInterface op);
  bool hasColumnsForAll(NCEOpInterface op) const;
  std::optional<ColumnParts> chooseColumnParts(NCEOpInterface op) const;
  FusedNeighbours getNeighbours(NCEOpInterface op) const;
  void attach(NCEOpInterface op, ClusterStrategy multiCluster,
              ArrayRef<int64_t> parts, FusedNeighbours fused, int64_t grain = 0,
              int64_t rest = 0) const;

  const ChooserInput &input;
  ArchAttr arch;
  CostModel model;
  int64_t minCycles;
  DistributionChooser chooser;
};

} // namespace

/// What can be computed in a loop over rows of `op`.
FusedNeighbours ClusterChooser::getNeighbours(NCEOpInterface op) const {
  FusedNeighbours fused = FusedNeighbours::none;
  NCEOpInterface producer = getRowProducer(op);
  if (producer && !input.isGiven(producer)) {
    fused = fused | FusedNeighbours::producer;
  }
  if (!arch.hasFixedFunctionNCE() && getUnblocking(op)) {
    fused = fused | FusedNeighbours::unblocking;
  }
  return fused;
}

void ClusterChooser::attach(NCEOpInterface op, ClusterStrategy multiCluster,
                            ArrayRef<int64_t> parts, FusedNeighbours fused,
                            int64_t grain, int64_t rest) const {
  StrategyAttr::getForParts(op.getContext(), multiCluster, parts, fused, grain,
                            rest)
      .attachTo(op);
}

void ClusterChooser::chooseStatic(NCEOpInterface op, int64_t clusters) {
  // A rest is an op more, and all clusters wait for it.
  constexpr double kClearly = 0.85;
  SmallVector<int64_t> whole(getDestinationShape(op));
  unsigned blockDim = op.getBlockDim();
  auto size = static_cast<double>(whole[blockDim]);
  std::optional<Distribution> best;
  int64_t bestRest = 0;
  double bestTime = 1; // as a share of what one cluster takes
  for (int64_t rest : getRests(op, arch, clusters)) {
    SmallVector<int64_t> shape = whole;
    shape[blockDim] -= rest;
    // Some blocks of a convolution in groups need no box of its input.
    if (rest != 0 && !getWorkingSet(op, shape)) {
      continue;
    }
    std::optional<Distribution> choice =
        rest == 0 ? chooser.choose(op, clusters)
                  : chooser.chooseBlocks(op, shape, clusters);
    if (!choice) {
      continue;
    }
    auto left = static_cast<double>(rest);
    double time = (size - left) / size * choice->imbalance /
                      static_cast<double>(clusters) +
                  left / size;
    if (time < bestTime * kClearly || (rest == 0 && time < bestTime)) {
      best = choice;
      bestRest = rest;
      bestTime = time;
    }
  }
  if (!best) {
    return;
  }
  chooser.enter(op, best->strategy);
  whole[blockDim] -= bestRest;
  SmallVector<int64_t> parts;
  for (auto [extent, part] : llvm::zip_equal(whole, best->tile)) {
    parts.push_back(extent / part);
  }
  bool hasRowsAlone = parts[op.getRowDim()] > 1 && parts[blockDim] == 1;
  attach(op, best->strategy, parts,
         hasRowsAlone ? getNeighbours(op) : FusedNeighbours::none, /*grain=*/0,
         bestRest);
}

/// True for a product of unknown rows whose panels each cluster should have
/// some of: those that do not fit its memory, as all would pass through it for
/// each part of the rows, and weights of few bits that keep all clusters busy
/// with a single row, that of a decoder's step.
bool ClusterChooser::hasColumnsForAll(NCEOpInterface op) const {
  if (auto product = dyn_cast<NCEMatMulOp>(op.getOperation())) {
    auto panels = cast<ShapedType>(product.getRhs().getType());
    return panels.hasStaticShape() &&
           panels.getNumElements() * panels.getElementTypeBitWidth() / 8 >
               arch.getCmxBytes();
  }
  auto product = dyn_cast<NCEMatMulNBitsOp>(op.getOperation());
  if (!product) {
    return false;
  }
  int64_t macs =
      product.getDepth() * product.getInitType().getDimSize(op.getBlockDim());
  Type element = product.getInitType().getElementType();
  return macs / arch.getVectorMacsPerCycle(element, /*pack=*/1) >=
         minCycles * arch.getClusters();
}

/// The parts of the columns of such a product, all of one size, and the rest
/// that is left out of them. Nothing where it is none, or they do not split
/// evenly.
std::optional<ClusterChooser::ColumnParts>
ClusterChooser::chooseColumnParts(NCEOpInterface op) const {
  int64_t columns = getDestinationShape(op)[op.getBlockDim()];
  if (ShapedType::isDynamic(columns) || !hasColumnsForAll(op)) {
    return std::nullopt;
  }
  // One cluster computes the rest while all others wait.
  constexpr int64_t kLeastShare = 16;
  int64_t clusters = arch.getClusters(), step = getPartStep(op, arch);
  for (int64_t rest : getRests(op, arch, clusters)) {
    int64_t size = (columns - rest) / clusters;
    if ((columns - rest) % clusters == 0 && rest * kLeastShare <= size &&
        llvm::is_contained(getEvenTileSizes(columns - rest, step), size)) {
      return ColumnParts{clusters, rest};
    }
  }
  return std::nullopt;
}

/// Parts of rows read rows of their neighbours, too, and write to lines of the
/// cache to which these write. With so many samples for each cluster, parts of
/// the batch take no longer, although the last ones have fewer samples than the
/// longest, or none. Where much is computed of what is read, as by a
/// convolution, the longest is to take a quarter longer than an even share at
/// most. Where little is, as by a pool, it may take up to twice as long: 5x5 of
/// three samples on two clusters takes 0.75 of what rows take (Zen 4).
static int64_t getFewSamples(NCEOpInterface op) {
  constexpr int64_t kManySamples = 4;
  constexpr int64_t kFewMacs = 64; // for each element of the result
  auto type = cast<ShapedType>(op->getResult(0).getType());
  return op.getMacs() > getTypicalNumElements(type) * kFewMacs ? kManySamples
                                                               : 1;
}

void ClusterChooser::chooseDynamic(NCEOpInterface op) {
  SmallVector<unsigned> dims = chooseRunTimeDims(op);
  bool hasColumns = llvm::is_contained(dims, op.getRowDim() + 1);
  FusedNeighbours neighbours =
      hasColumns ? FusedNeighbours::none : getNeighbours(op);
  SmallVector<int64_t> parts(getDestinationShape(op).size(), 1);
  if (std::optional<ColumnParts> columns = chooseColumnParts(op)) {
    parts[op.getBlockDim()] = columns->count;
    return attach(op, ClusterStrategy::SplitOverKernel, parts,
                  FusedNeighbours::none, /*grain=*/0, columns->rest);
  }
  if (dims.empty()) {
    return;
  }
  for (unsigned dim : dims) {
    parts[dim] = ShapedType::kDynamic;
  }
  ClusterStrategy multiCluster = ClusterStrategy::SplitOverWidth;
  if (dims.front() == 0) {
    multiCluster = ClusterStrategy::SplitOverBatch;
  } else if (dims.front() == op.getRowDim()) {
    multiCluster = ClusterStrategy::SplitOverHeight;
  }
  int64_t open = llvm::count_if(getDestinationShape(op), ShapedType::isDynamic);
  FusedOps others =
      getFusedOps(op, StrategyAttr::getForParts(op.getContext(),
                                                ClusterStrategy::Clustering,
                                                /*parts=*/{}, neighbours));
  double cycles = hasColumns ? model.getEngineCycles(op)
                             : getCyclesOfLoops(op, others, model);
  attach(op, multiCluster, parts, neighbours,
         getGrain(open, cycles, minCycles));
  if (dims.front() == op.getRowDim() && dims.back() == 0) {
    StrategyAttr::lookup(op).withFewSteps(getFewSamples(op)).attachTo(op);
  }
}

void ClusterChooser::choose(FunctionOpInterface function) {
  SmallVector<std::pair<NCEOpInterface, int64_t>> ops;
  SmallVector<NCEOpInterface> dynamicOps;
  llvm::SmallPtrSet<Operation *, 16> shared;
  function->walk([&](NCEOpInterface op) {
    if (op->getNumResults() != 1 || input.isGiven(op)) {
      return;
    }
    // Of those that stay as they are, too: one without a strategy was
    // forgotten.
    attach(op, ClusterStrategy::Clustering, {}, FusedNeighbours::none);
    if (arch.getClusters() == 1 || op->getParentOfType<scf::ForallOp>() ||
        isInLoopOfCluster(op)) {
      return;
    }
    if (ShapedType::isDynamicShape(getDestinationShape(op))) {
      dynamicOps.push_back(op);
      return;
    }
    int64_t clusters = model.countClusters(model.getEngineCycles(op), minCycles,
                                           readsResultOf(op, shared));
    if (clusters > 1) {
      shared.insert(op);
      ops.emplace_back(op, clusters);
    }
  });
  for (auto [op, clusters] : ops) {
    chooseStatic(op, clusters);
  }
  for (NCEOpInterface op : dynamicOps) {
    chooseDynamic(op);
  }
  // What is computed in the loops of its reader has none of its own.
  function->walk([&](NCEOpInterface op) {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    NCEOpInterface producer = getRowProducer(op);
    if (producer && strategy && strategy.fuses(FusedNeighbours::producer) &&
        !input.isGiven(producer)) {
      attach(producer, ClusterStrategy::Clustering, {}, FusedNeighbours::none);
    }
  });
}

void VPU::chooseClusters(FunctionOpInterface function,
                         const ChooserInput &input, int64_t minCycles) {
  ClusterChooser(input, minCycles).choose(function);
}
