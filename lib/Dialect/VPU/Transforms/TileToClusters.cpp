//===- TileToClusters.cpp - The vpu-tile-to-clusters pass -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses a multi-cluster strategy per NCE op and turns it into an scf.forall.
//
//===----------------------------------------------------------------------===//

#include "CacheTile.h"
#include "LoopGroups.h"
#include "TilingUtils.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_TILETOCLUSTERS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// One way to distribute an op.
struct Distribution {
  ClusterStrategy strategy;
  unsigned dim; // that is split
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

/// Splitting dimension `dim` over `clusters`; nothing when that gains nothing.
static std::optional<Distribution> split(NCEOpInterface op,
                                         ClusterStrategy strategy, unsigned dim,
                                         int64_t step, int64_t clusters) {
  ArrayRef<int64_t> shape = getDestinationShape(op);
  std::optional<Distribution> best;
  for (int64_t size : getEvenTileSizes(shape[dim], step)) {
    int64_t tiles = shape[dim] / size;
    if (tiles == 1) {
      continue;
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
      best = Distribution{strategy, dim, tile, busiest / even, *bytes * tiles};
    }
  }
  // Of several clusters at least two must have work.
  if (best && best->imbalance < static_cast<double>(clusters)) {
    return best;
  }
  return std::nullopt;
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
  explicit DistributionChooser(ArchAttr arch)
      : arch(arch), clusters(arch.getClusters()) {}

  /// Decides about `op`; its producers come first.
  std::optional<Distribution> choose(NCEOpInterface op);

private:
  /// Bytes of activations that clusters read from others' caches.
  double getForeignBytes(NCEOpInterface op, const Distribution &distribution);

  ArchAttr arch;
  int64_t clusters;
  llvm::DenseMap<Operation *, ClusterStrategy> chosen;
};

} // namespace

/// The granularity of parts along the block dimension: where kernels
/// compute by vectors, a part of a vector takes as long as all of it.
static int64_t getBlockStep(NCEOpInterface op, ArchAttr arch) {
  bool isInnermost = op.getBlockDim() + 1 == getDestinationShape(op).size();
  return isInnermost && !arch.hasFixedFunctionNCE()
             ? std::max(op.getBlockStep(), arch.getLanes(getElementTypeOrSelf(
                                               op->getResultTypes().front())))
             : op.getBlockStep();
}

double DistributionChooser::getForeignBytes(NCEOpInterface op,
                                            const Distribution &distribution) {
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

/// True for images that may be cut between any two columns.
static bool hasFreeColumns(NCEOpInterface op) {
  return getDestinationShape(op).size() == 5 &&
         !isa<NCEWinogradConvolutionOp>(op.getOperation());
}

std::optional<Distribution> DistributionChooser::choose(NCEOpInterface op) {
  std::optional<Distribution> rows =
      split(op, ClusterStrategy::SplitOverHeight, op.getRowDim(),
            op.getRowStep(), clusters);
  // What has one dimension lies in the columns of a single row.
  if (!rows && !arch.hasFixedFunctionNCE() && hasFreeColumns(op)) {
    rows = split(op, ClusterStrategy::SplitOverHeight, op.getRowDim() + 1,
                 /*step=*/1, clusters);
  }
  std::optional<Distribution> blocks =
      split(op, ClusterStrategy::SplitOverKernel, op.getBlockDim(),
            getBlockStep(op, arch), clusters);
  auto pick = [&]() -> std::optional<Distribution> {
    if (!rows || !blocks) {
      return rows ? rows : blocks;
    }
    // An idle cluster costs more than shared data read twice.
    if (rows->imbalance < blocks->imbalance * 0.95) {
      return rows;
    }
    if (blocks->imbalance < rows->imbalance * 0.95) {
      return blocks;
    }
    // A line that another core wrote takes several times as long as one that
    // it only read.
    constexpr double kForeignCost = 4;
    auto cost = [&](const Distribution &distribution) {
      return static_cast<double>(distribution.traffic) +
             kForeignCost * getForeignBytes(op, distribution);
    };
    return cost(*rows) <= cost(*blocks) ? rows : blocks;
  };
  std::optional<Distribution> choice = pick();
  if (choice) {
    chosen[op] = choice->strategy;
  }
  return choice;
}

/// Columns that end within a vector, such as the 1000 classes of an image, do
/// not split evenly: the last few become an op of their own, which one cluster
/// computes. Returns the op of all others.
static NCEOpInterface splitOffRest(RewriterBase &rewriter, NCEOpInterface op,
                                   ArchAttr arch) {
  // What the other clusters wait for, as a share of the whole.
  constexpr int64_t kLargestShare = 12;
  int64_t size = getDestinationShape(op)[op.getBlockDim()];
  int64_t rest = size % (getBlockStep(op, arch) * arch.getClusters());
  SmallVector<int64_t> most(getDestinationShape(op));
  most[op.getBlockDim()] -= rest;
  // Some blocks of a convolution in groups need no box of its input.
  if (rest == 0 || rest * kLargestShare > size || !getWorkingSet(op, most)) {
    return nullptr;
  }
  rewriter.setInsertionPoint(op);
  TilingInterface first =
      linalg::splitOp(rewriter, cast<TilingInterface>(op.getOperation()),
                      op.getBlockDim(), rewriter.getIndexAttr(size - rest))
          .first;
  return cast<NCEOpInterface>(first.getOperation());
}

namespace {

struct TileToClustersPass final
    : VPU::impl::TileToClustersBase<TileToClustersPass> {
  using TileToClustersBase::TileToClustersBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    int64_t clusters = arch.getClusters();
    CostModel model(arch);
    SmallVector<NCEOpInterface> ops, dynamicOps;
    llvm::SmallPtrSet<Operation *, 16> shared;
    getOperation()->walk([&](NCEOpInterface op) {
      bool distributed =
          op->getParentOfType<scf::ForallOp>() || isInLoopGroup(op);
      bool onTensors = op->getNumResults() == 1;
      if (!distributed && onTensors &&
          ShapedType::isDynamicShape(getDestinationShape(op))) {
        dynamicOps.push_back(op);
        return;
      }
      if (!distributed && onTensors &&
          model.getEngineCycles(op) / clusters >=
              model.getLeastPart(minCycles, readsResultOf(op, shared))) {
        shared.insert(op);
        ops.push_back(op);
      }
    });
    if (clusters == 1) {
      return;
    }
    DistributionChooser chooser(arch);
    SmallVector<std::pair<NCEOpInterface, Distribution>> choices;
    IRRewriter rewriter(&getContext());
    for (NCEOpInterface op : ops) {
      std::optional<Distribution> choice = chooser.choose(op);
      if (!choice && (op = splitOffRest(rewriter, op, arch))) {
        choice = chooser.choose(op);
      }
      if (choice) {
        choices.emplace_back(op, *choice);
      }
    }
    // Producers that are part of what reads them; found before tiling changes
    // who that is.
    llvm::MapVector<Operation *, NCEOpInterface> producers;
    llvm::SmallPtrSet<Operation *, 8> fused;
    auto fuseProducer = [&](NCEOpInterface op) {
      if (NCEOpInterface producer = getRowProducer(op)) {
        producers[op] = producer;
        fused.insert(producer);
      }
    };
    for (auto &[op, choice] : choices) {
      if (choice.dim == op.getRowDim()) {
        fuseProducer(op);
      }
    }
    // What tiles of these compute for themselves is left to vpu-tile-to-cmx.
    for (const auto &[op, choice] : choices) {
      // A producer's tiles are those of what reads it.
      std::optional<CacheTile> tile =
          arch.hasScratchpad() || fused.contains(op)
              ? std::nullopt
              : chooseCacheTile(op, producers.lookup(op), choice.tile, arch);
      if (tile && tile->widening) {
        fused.insert(tile->widening);
      }
    }
    for (NCEOpInterface op : dynamicOps) {
      SmallVector<unsigned> dims = getRunTimeDims(op);
      bool hasColumns = llvm::is_contained(dims, op.getRowDim() + 1);
      if (!dims.empty() && !hasColumns) {
        fuseProducer(op);
      }
    }
    for (const auto &[op, choice] : choices) {
      if (fused.contains(op)) {
        continue;
      }
      if (failed(
              distribute(rewriter, op, choice, producers.lookup(op), arch))) {
        return signalPassFailure();
      }
    }
    for (NCEOpInterface op : dynamicOps) {
      if (!fused.contains(op) &&
          failed(distribute(rewriter, op, producers.lookup(op), arch))) {
        return signalPassFailure();
      }
    }
    // Untiled copies that were fused, and slices of them.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

private:
  /// What a run splits: the rows, the batch, or the columns of images of few
  /// rows, the first two of which only it knows the size; where it is something
  /// else, the op stays with one cluster. Products of matrices are split by the
  /// batch first, as each may have a right matrix of its own.
  static SmallVector<unsigned> getRunTimeDims(NCEOpInterface op) {
    ArrayRef<int64_t> shape = getDestinationShape(op);
    bool isImage = shape.size() == 5;
    unsigned rowDim = op.getRowDim(), columnDim = rowDim + 1;
    SmallVector<unsigned> dims = {0, rowDim};
    if (isImage) {
      dims = {rowDim, 0, columnDim};
    }
    llvm::erase_if(
        dims, [&](unsigned d) { return !ShapedType::isDynamic(shape[d]); });
    dims.truncate(std::min<size_t>(dims.size(), 2));
    // Rows are enough, but for a batch of images of fewer rows than clusters.
    if (isImage && dims.size() == 2 && dims.front() == rowDim &&
        dims.back() == columnDim) {
      dims.pop_back();
    }
    return dims;
  }

  /// True for a product of unknown rows whose panels each cluster should have
  /// some of: those that do not fit its memory, as all would pass through it
  /// for each part of the rows, and weights of few bits that keep all clusters
  /// busy with a single row, that of a decoder's step.
  bool hasColumnsForAll(NCEOpInterface op, ArchAttr arch) {
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

  /// The columns of a part of such a product. Zero where it is none, or they do
  /// not split evenly.
  int64_t getColumnsOfPart(NCEOpInterface op, ArchAttr arch) {
    int64_t columns = getDestinationShape(op)[op.getBlockDim()];
    if (ShapedType::isDynamic(columns) || !hasColumnsForAll(op, arch)) {
      return 0;
    }
    for (int64_t size : getEvenTileSizes(columns, getBlockStep(op, arch))) {
      if (columns / size == arch.getClusters()) {
        return size;
      }
    }
    return 0;
  }

  LogicalResult distribute(RewriterBase &rewriter, NCEOpInterface op,
                           const Distribution &choice, NCEOpInterface producer,
                           ArchAttr arch) {
    ++numDistributed;
    scf::SCFTilingOptions options;
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    options.setMapping({ClusterAttr::get(&getContext(), choice.strategy)});
    if (choice.dim == op.getBlockDim() || choice.dim == op.getRowDim()) {
      bool hasRows =
          choice.dim == op.getRowDim() && !arch.hasFixedFunctionNCE();
      CopyOp unblocking = hasRows ? getUnblocking(op) : CopyOp();
      return tileAndFuse(rewriter, op, choice.tile, options,
                         {producer, unblocking});
    }
    // Copies pad whole columns.
    SmallVector<int64_t> sizes(choice.tile.size(), 0);
    sizes[choice.dim] = choice.tile[choice.dim];
    options.setTileSizes(getAsIndexOpFoldResult(&getContext(), sizes));
    rewriter.setInsertionPoint(op);
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled)) {
      return failure();
    }
    rewriter.replaceOp(op, tiled->replacements);
    return success();
  }

  LogicalResult distribute(RewriterBase &rewriter, NCEOpInterface op,
                           NCEOpInterface producer, ArchAttr arch) {
    if (int64_t columns = getColumnsOfPart(op, arch)) {
      SmallVector<int64_t> tile(getDestinationShape(op).size(), 0);
      tile[op.getBlockDim()] = columns;
      scf::SCFTilingOptions options;
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
      options.setTileSizes(getAsIndexOpFoldResult(&getContext(), tile));
      options.setMapping(
          {ClusterAttr::get(&getContext(), ClusterStrategy::SplitOverKernel)});
      ++numDistributed;
      return tileAndFuse(rewriter, op, options);
    }
    SmallVector<unsigned> dims = getRunTimeDims(op);
    if (dims.empty()) {
      return success();
    }
    ++numDistributed;
    RunTimeSplit split{dims, arch.getClusters(), minCycles,
                       CostModel(arch).getEngineCycles(op)};
    // Copies pad whole columns.
    bool isImage = getDestinationShape(op).size() == 5;
    return !isImage || dims.back() != op.getRowDim() + 1
               ? splitAtRunTimeAndFuse(rewriter, op, split,
                                       {producer, getUnblocking(op)})
               : splitAtRunTime(
                     rewriter, cast<TilingInterface>(op.getOperation()), split);
  }
};

} // namespace
