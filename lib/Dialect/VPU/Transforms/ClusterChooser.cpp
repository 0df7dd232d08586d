//===- ClusterChooser.cpp - What clusters share of engine ops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, blocks of channels, products of a batch, or rows and blocks where there
// are few of each: whichever leaves the fullest last cluster and moves less,
// above all from other clusters.
//
//===----------------------------------------------------------------------===//

#include "LoopGroups.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// One way to distribute an op.
struct Distribution {
  ClusterStrategy strategy;
  SmallVector<int64_t> tile;
  /// Elements of the split dimension that the busiest cluster computes, as a
  /// share of an even split: 1 is perfect.
  double imbalance;
  /// Bytes that all clusters together touch.
  int64_t traffic;
};

} // namespace

/// Bytes that a tile touches, and again those that it copies to have its input
/// padded or in its order. Nothing where a part of the op cannot be computed.
static std::optional<int64_t> getTraffic(NCEOpInterface op,
                                         ArrayRef<int64_t> tile) {
  std::optional<int64_t> bytes = getWorkingSet(op, tile);
  for (OpOperand &operand : op->getOpOperands()) {
    if (bytes && getFusableCopy(operand.get())) {
      auto type = cast<ShapedType>(operand.get().getType());
      *bytes += 2 * *getOperandElements(op, operand, tile) *
                type.getElementTypeBitWidth() / 8;
    }
  }
  return bytes;
}

namespace {

/// Who shares an op.
struct Sharers {
  int64_t clusters;
  /// More parts would not have enough to do. Where there is enough for all
  /// clusters, parts may be smaller, if that keeps them busier.
  int64_t mostParts;
};

} // namespace

/// Splitting dimension `dim` of what `op` computes, or of the part of it that
/// has this shape; nothing when that gains nothing.
static std::optional<Distribution> split(NCEOpInterface op,
                                         ArrayRef<int64_t> shape,
                                         ClusterStrategy strategy, unsigned dim,
                                         int64_t step, Sharers sharers) {
  int64_t clusters = sharers.clusters;
  std::optional<Distribution> best;
  for (int64_t size : getEvenTileSizes(shape[dim], step)) {
    int64_t tiles = shape[dim] / size;
    if (tiles == 1) {
      continue;
    }
    if (tiles > sharers.mostParts) {
      break;
    }
    // Each part transforms all of the input again.
    if (isa<NCEWinogradConvolutionOp>(op.getOperation()) &&
        dim == op.getBlockDim() && tiles > clusters) {
      break;
    }
    double busiest =
        static_cast<double>(llvm::divideCeil(tiles, clusters) * size);
    double even = static_cast<double>(shape[dim]) / clusters;
    SmallVector<int64_t> tile(shape);
    tile[dim] = size;
    std::optional<int64_t> bytes = getTraffic(op, tile);
    // Sizes come largest first: a smaller one must be clearly more even.
    if (bytes && (!best || busiest / even < best->imbalance * 0.95)) {
      best = Distribution{strategy, tile, busiest / even, *bytes * tiles};
    }
  }
  // Of several clusters at least two must have work.
  if (best && best->imbalance < static_cast<double>(clusters)) {
    return best;
  }
  return std::nullopt;
}

/// Splitting both rows and blocks, where that keeps clusters much busier than
/// `one` of them does.
static std::optional<Distribution>
splitBoth(NCEOpInterface op, ArrayRef<int64_t> shape, const Distribution &one,
          int64_t blockStep, Sharers sharers) {
  constexpr double kClearly = 0.85;
  // By Winograd's algorithm, parts of blocks transform their rows again.
  if (one.imbalance * kClearly < 1 ||
      isa<NCEWinogradConvolutionOp>(op.getOperation())) {
    return std::nullopt;
  }
  int64_t clusters = sharers.clusters;
  int64_t mostParts = std::min(sharers.mostParts, 2 * clusters);
  unsigned rowDim = op.getRowDim(), blockDim = op.getBlockDim();
  std::optional<Distribution> best;
  for (int64_t rows : getEvenTileSizes(shape[rowDim], op.getRowStep())) {
    for (int64_t blocks : getEvenTileSizes(shape[blockDim], blockStep)) {
      int64_t tiles = shape[rowDim] / rows * (shape[blockDim] / blocks);
      double imbalance =
          static_cast<double>(llvm::divideCeil(tiles, clusters) * clusters) /
          static_cast<double>(tiles);
      // Many small ones read more together.
      if (rows == shape[rowDim] || blocks == shape[blockDim] ||
          tiles > mostParts || imbalance > one.imbalance * kClearly) {
        continue;
      }
      SmallVector<int64_t> tile(shape);
      tile[rowDim] = rows;
      tile[blockDim] = blocks;
      std::optional<int64_t> bytes = getTraffic(op, tile);
      if (!bytes) {
        continue;
      }
      Distribution both{ClusterStrategy::SplitOverHeight, tile, imbalance,
                        *bytes * tiles};
      if (!best || imbalance < best->imbalance * 0.95 ||
          (imbalance < best->imbalance * 1.05 &&
           both.traffic < best->traffic)) {
        best = both;
      }
    }
  }
  return best;
}

/// The op that computed a value, padded since or where it is padded.
static NCEOpInterface getProducer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      if (!copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc)) {
        break;
      }
      value = copy.getSource();
    } else if (auto image = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = image.getSource();
    } else {
      break;
    }
  }
  return value.getDefiningOp<NCEOpInterface>();
}

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

namespace {

/// How the ops of a function are split. What a cluster computed is in its own
/// cache, so that an op split like its producer reads little from another one.
class DistributionChooser {
public:
  explicit DistributionChooser(ArchAttr arch) : arch(arch) {}

  /// The best way for so many clusters to share `op`; its producers were
  /// entered before.
  std::optional<Distribution> choose(NCEOpInterface op, int64_t clusters) const;

  /// The same of blocks alone, for the part of the op that has this shape.
  std::optional<Distribution> chooseBlocks(NCEOpInterface op,
                                           ArrayRef<int64_t> shape,
                                           int64_t clusters) const;

  /// Enters what was decided about `op`.
  void enter(NCEOpInterface op, ClusterStrategy strategy) {
    chosen[op] = strategy;
  }

private:
  Sharers getSharers(int64_t clusters) const {
    bool haveEnough = clusters == arch.getClusters();
    return {clusters,
            haveEnough ? std::numeric_limits<int64_t>::max() : clusters};
  }

  /// Bytes of activations that clusters read from others' caches.
  double getForeignBytes(NCEOpInterface op, const Distribution &distribution,
                         int64_t clusters) const;

  /// True if clusters do `op` faster by `other` than by `best`.
  bool isBetter(NCEOpInterface op, const Distribution &other,
                const Distribution &best, int64_t clusters) const;

  ArchAttr arch;
  llvm::DenseMap<Operation *, ClusterStrategy> chosen;
};

} // namespace

double DistributionChooser::getForeignBytes(NCEOpInterface op,
                                            const Distribution &distribution,
                                            int64_t clusters) const {
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  double foreign = 0;
  for (OpOperand *operand : destination.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || matchPattern(operand->get(), m_Constant())) {
      continue;
    }
    // A contraction over channels needs them all for a block of its result.
    int64_t elements = getTypicalNumElements(type);
    bool needsAll =
        getOperandElements(op, *operand, distribution.tile) == elements;
    NCEOpInterface producer = getProducer(operand->get());
    auto found = producer ? chosen.find(producer) : chosen.end();
    if (!needsAll && found != chosen.end() &&
        found->second == distribution.strategy) {
      continue;
    }
    double bytes =
        static_cast<double>(elements) * type.getElementTypeBitWidth() / 8;
    // Of what all need, each reads most from others.
    foreign += bytes * static_cast<double>(clusters - 1) /
               static_cast<double>(needsAll ? 1 : clusters);
  }
  return foreign;
}

bool DistributionChooser::isBetter(NCEOpInterface op, const Distribution &other,
                                   const Distribution &best,
                                   int64_t clusters) const {
  // An idle cluster costs more than shared data read twice.
  constexpr double kClearly = 0.95;
  if (other.imbalance < best.imbalance * kClearly) {
    return true;
  }
  if (best.imbalance < other.imbalance * kClearly) {
    return false;
  }
  // A line that another core wrote takes several times as long as one that it
  // only read.
  constexpr double kForeignCost = 4;
  auto cost = [&](const Distribution &distribution) {
    return static_cast<double>(distribution.traffic) +
           kForeignCost * getForeignBytes(op, distribution, clusters);
  };
  return cost(other) < cost(best);
}

/// True for images that may be cut between any two columns.
static bool hasFreeColumns(NCEOpInterface op) {
  return getDestinationShape(op).size() == 5 &&
         !isa<NCEWinogradConvolutionOp>(op.getOperation());
}

std::optional<Distribution>
DistributionChooser::chooseBlocks(NCEOpInterface op, ArrayRef<int64_t> shape,
                                  int64_t clusters) const {
  return split(op, shape, ClusterStrategy::SplitOverKernel, op.getBlockDim(),
               getPartStep(op, arch), getSharers(clusters));
}

std::optional<Distribution>
DistributionChooser::choose(NCEOpInterface op, int64_t clusters) const {
  ArrayRef<int64_t> shape = getDestinationShape(op);
  Sharers sharers = getSharers(clusters);
  std::optional<Distribution> rows =
      split(op, shape, ClusterStrategy::SplitOverHeight, op.getRowDim(),
            op.getRowStep(), sharers);
  // What has one dimension lies in the columns of a single row.
  if (!rows && !arch.hasFixedFunctionNCE() && hasFreeColumns(op)) {
    rows = split(op, shape, ClusterStrategy::SplitOverWidth, op.getRowDim() + 1,
                 /*step=*/1, sharers);
  }
  std::optional<Distribution> one = rows;
  auto consider = [&](std::optional<Distribution> other) {
    if (other && (!one || isBetter(op, *other, *one, clusters))) {
      one = other;
    }
  };
  consider(chooseBlocks(op, shape, clusters));
  // Parts of a batch of products have panels of their own, too.
  if (shape.size() == 3) {
    consider(split(op, shape, ClusterStrategy::SplitOverBatch, /*dim=*/0,
                   /*step=*/1, sharers));
  }
  if (!one) {
    return std::nullopt;
  }
  std::optional<Distribution> both =
      splitBoth(op, shape, *one, getPartStep(op, arch), sharers);
  return both ? both : one;
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
  attach(op, multiCluster, parts, neighbours,
         getGrain(open, model.getEngineCycles(op), minCycles));
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
