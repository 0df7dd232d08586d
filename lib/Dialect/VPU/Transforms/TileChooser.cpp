//===- TileChooser.cpp - In which tiles a cluster computes its part -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scratchpad has to hold all operands of a tile. A cache needs no copies:
// only what is copied anyway is so by tiles, while these are still in the
// cache: rows of images that are padded or get the model's order, and columns
// of matrices that a run makes panels of.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "CacheTile.h"
#include "StrategyChoosers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t VPU::getPartStep(NCEOpInterface op, ArchAttr arch) {
  bool isInnermost = op.getBlockDim() + 1 == getDestinationShape(op).size();
  if (!isInnermost || arch.hasFixedFunctionNCE()) {
    return op.getBlockStep();
  }
  int64_t lanes =
      arch.getLanes(getElementTypeOrSelf(op->getResultTypes().front()));
  auto product = dyn_cast<NCEMatMulOp>(op.getOperation());
  if (product && product.packsRows(arch)) {
    lanes *= product.getStepPack(arch);
  }
  return std::max(op.getBlockStep(), lanes);
}

/// The 1×1 convolution in whose loops a depthwise convolution, `op`, is
/// computed; null where it has loops of its own.
static NCEOpInterface getFusingReader(NCEOpInterface op) {
  auto reader = op->hasOneUse() ? dyn_cast<NCEOpInterface>(*op->user_begin())
                                : NCEOpInterface();
  StrategyAttr strategy =
      reader ? StrategyAttr::lookup(reader) : StrategyAttr();
  bool fuses = strategy && strategy.fuses(FusedNeighbours::producer) &&
               getRowProducer(reader) == op;
  return fuses ? reader : NCEOpInterface();
}

ClusterPart VPU::getClusterPart(NCEOpInterface op) {
  if (NCEOpInterface reader = getFusingReader(op)) {
    ClusterPart part = getClusterPart(reader);
    part.shape = getProducerPart(reader, op, part.shape);
    return part;
  }
  StrategyAttr strategy = StrategyAttr::lookup(op);
  ArrayRef<int64_t> shape = getDestinationShape(op);
  ClusterPart part = {strategy.getPart(shape, op.getBlockDim()),
                      /*hasCopies=*/true, /*hasNeighbours=*/true};
  ArrayRef<int64_t> parts = strategy.getParts();
  bool hasColumns =
      shape.size() == 5 && !parts.empty() && parts[op.getRowDim() + 1] != 1;
  // Copies pad whole columns, and for the rest, too.
  if (hasColumns || strategy.getRest() != 0) {
    part.hasCopies = false;
  }
  bool hasBlocks = !parts.empty() && parts[op.getBlockDim()] != 1;
  if (!part.hasCopies || hasBlocks) {
    part.hasNeighbours = false;
  }
  return part;
}

/// The tile of most elements of a part of `op` whose operands fit `budget`;
/// whole blocks of `lanes` where the block dimension is made of single
/// channels. The batch is only split when nothing else suffices.
static std::optional<SmallVector<int64_t>>
chooseScratchpadTile(NCEOpInterface op, ArrayRef<int64_t> part, int64_t budget,
                     int64_t lanes) {
  if (std::optional<int64_t> whole = getWorkingSet(op, part);
      whole && *whole <= budget) {
    return SmallVector<int64_t>(part);
  }
  std::optional<SmallVector<int64_t>> best;
  double bestScore = 0;
  unsigned rowDim = op.getRowDim(), blockDim = op.getBlockDim();
  for (int64_t batch : {part[0], int64_t(1)}) {
    for (int64_t rows : getEvenTileSizes(part[rowDim], op.getRowStep())) {
      for (int64_t blocks :
           getEvenTileSizes(part[blockDim], op.getBlockStep())) {
        SmallVector<int64_t> tile(part);
        tile[0] = batch;
        tile[rowDim] = rows;
        tile[blockDim] = blocks;
        std::optional<int64_t> bytes = getWorkingSet(op, tile);
        if (!bytes || *bytes > budget) {
          continue;
        }
        // A tile of channels that leaves lanes idle does less per cycle.
        double score = static_cast<double>(batch) * rows * blocks;
        if (blockDim == part.size() - 1 && blocks % lanes != 0) {
          score /= 2;
        }
        if (score > bestScore) {
          best = tile;
          bestScore = score;
        }
      }
    }
    if (best) {
      return best;
    }
  }
  return best;
}

/// How many tiles of this shape there are along each dimension of a part; none
/// where it is one tile.
static SmallVector<int64_t> countTiles(ArrayRef<int64_t> part,
                                       ArrayRef<int64_t> tile) {
  SmallVector<int64_t> counts;
  if (part != tile) {
    for (auto [size, tileSize] : llvm::zip_equal(part, tile)) {
      counts.push_back(size == tileSize ? 1 : size / tileSize);
    }
  }
  return counts;
}

/// Adds tiles to the strategy of `op`.
static void attachTiles(NCEOpInterface op, ArrayRef<int64_t> tiles,
                        FusedNeighbours fused, int64_t wideningBlocks = 0,
                        TileLimitsAttr limits = {}) {
  StrategyAttr::lookup(op)
      .withTiles(tiles, fused, wideningBlocks, limits)
      .attachTo(op);
}

/// What bounds tiles of `op` whose rows are counted at run time. A single row
/// may be too little for a register tile of many pixels.
static TileLimitsAttr getLimits(NCEOpInterface op, ArchAttr arch) {
  ArrayRef<int64_t> parts = StrategyAttr::lookup(op).getParts();
  int64_t weightParts = 1;
  if (!parts.empty() && !ShapedType::isDynamic(parts[op.getBlockDim()])) {
    weightParts = parts[op.getBlockDim()];
  }
  return TileLimitsAttr::get(arch.getContext(),
                             getTileBudget(op, arch, weightParts),
                             /*leastSteps=*/{}, /*mostBytes=*/{},
                             /*leastBytes=*/0, arch.getPixels());
}

/// True when a copy pads the op's input for it alone.
static bool readsPadded(NCEOpInterface op) {
  CopyOp padding = getFusableCopy(op->getOperand(0));
  return padding && padding.getDstOrder() == DimsOrder::NCHWc &&
         isa<RankedTensorType>(op->getOperand(0).getType());
}

/// True when the op's input is computed where it is padded.
static bool readsPaddedInPlace(NCEOpInterface op) {
  Value input = op->getOperand(0);
  auto copy = input.getDefiningOp<CopyOp>();
  auto image = input.getDefiningOp<tensor::InsertSliceOp>();
  return (copy && isPaddedInPlace(copy)) ||
         (image && image.getDest().getDefiningOp<FillBorderOp>());
}

namespace {

/// What tiles of an op may compute besides it.
struct TileNeighbours {
  NCEOpInterface producer;
  CopyOp unblocking;

  FusedNeighbours getFlags() const {
    FusedNeighbours flags = FusedNeighbours::none;
    if (producer) {
      flags = flags | FusedNeighbours::producer;
    }
    if (unblocking) {
      flags = flags | FusedNeighbours::unblocking;
    }
    return flags;
  }
};

/// Writes down in which tiles the engine ops of a function are computed.
class TileChooser {
public:
  explicit TileChooser(const ChooserInput &input)
      : input(input), arch(input.arch) {}

  LogicalResult choose(FunctionOpInterface function);

private:
  LogicalResult chooseForScratchpad(NCEOpInterface op);
  void chooseForCache(NCEOpInterface op);
  bool chooseForCache(NCEOpInterface op, const ClusterPart &part,
                      const TileNeighbours &neighbours);
  void chooseForCacheAtRunTime(NCEOpInterface op);
  void choosePanels(NCEMatMulOp product);
  void markFused(NCEOpInterface op);
  TileNeighbours getNeighbours(NCEOpInterface op, const ClusterPart &part);
  NCEConvolutionOp getWidening(NCEOpInterface depthwise, bool isDistributed);

  const ChooserInput &input;
  ArchAttr arch;
  /// What is computed in tiles of its readers.
  llvm::SmallPtrSet<Operation *, 8> fused;
};

} // namespace

LogicalResult TileChooser::chooseForScratchpad(NCEOpInterface op) {
  if (ShapedType::isDynamicShape(getDestinationShape(op))) {
    return op->emitOpError("no tile of it is known to fit the CMX of ")
           << arch.getName() << ": an NPU needs all sizes, which --shape gives";
  }
  ClusterPart part = getClusterPart(op);
  std::optional<SmallVector<int64_t>> tile =
      chooseScratchpadTile(op, part.shape, arch.getCmxBytes(), arch.getLanes());
  if (!tile) {
    return op->emitOpError("no tile of it fits the ")
           << arch.getCmxBytes() << " bytes of CMX of " << arch.getName();
  }
  attachTiles(op, countTiles(part.shape, *tile), FusedNeighbours::none);
  return success();
}

/// A depthwise convolution that is computed, tile by tile, right before the 1×1
/// convolution that reads it, `op`, and the copy that takes the result of `op`
/// to the model's order.
TileNeighbours TileChooser::getNeighbours(NCEOpInterface op,
                                          const ClusterPart &part) {
  if (!part.hasNeighbours) {
    return {};
  }
  TileNeighbours neighbours = {getRowProducer(op), getUnblocking(op)};
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (NCEOpInterface producer = neighbours.producer) {
    // One that reads an image as it is gains nothing from tiles.
    bool isPadded = readsPadded(producer) || readsPaddedInPlace(producer);
    bool isInLoop = strategy.fuses(FusedNeighbours::producer);
    bool isAlone = StrategyAttr::lookup(producer).getMultiCluster() ==
                   ClusterStrategy::Clustering;
    if (!isPadded || (!isInLoop && (!isAlone || input.isGiven(producer)))) {
      neighbours.producer = {};
    }
  }
  return neighbours;
}

/// The block producer of a depthwise convolution, where it can be computed in
/// the tiles of that.
NCEConvolutionOp TileChooser::getWidening(NCEOpInterface depthwise,
                                          bool isDistributed) {
  NCEConvolutionOp widening = getBlockProducer(depthwise);
  if (!widening || input.isGiven(widening)) {
    return {};
  }
  // One cluster does not compute for itself what others have shared.
  bool isShared = StrategyAttr::lookup(widening).getMultiCluster() !=
                  ClusterStrategy::Clustering;
  return isDistributed || !isShared ? widening : NCEConvolutionOp();
}

/// Chooses tiles for a part of `op`; false where they would be too small.
bool TileChooser::chooseForCache(NCEOpInterface op, const ClusterPart &part,
                                 const TileNeighbours &neighbours) {
  bool isDistributed = part.shape != getDestinationShape(op);
  NCEConvolutionOp widening = getWidening(
      neighbours.producer ? neighbours.producer : op, isDistributed);
  std::optional<CacheTile> tile =
      chooseCacheTile(op, neighbours.producer, widening, part.shape, arch);
  if (!tile) {
    return false;
  }
  attachTiles(op, countTiles(part.shape, tile->shape), neighbours.getFlags(),
              tile->wideningBlocks);
  if (neighbours.producer) {
    fused.insert(neighbours.producer);
  }
  if (tile->wideningBlocks != 0) {
    fused.insert(widening);
    StrategyAttr::getDefault(widening.getContext()).attachTo(widening);
  }
  return true;
}

void TileChooser::chooseForCache(NCEOpInterface op) {
  ClusterPart part = getClusterPart(op);
  TileNeighbours neighbours = getNeighbours(op, part);
  bool readsCopy = part.hasCopies && readsPadded(op);
  if ((neighbours.producer || neighbours.unblocking || readsCopy) &&
      !chooseForCache(op, part, neighbours) && neighbours.producer) {
    // The producer by itself, in the same loop over clusters.
    NCEOpInterface producer = neighbours.producer;
    fused.insert(producer);
    if (readsPadded(producer)) {
      ClusterPart own = part;
      own.shape = getProducerPart(op, producer, part.shape);
      chooseForCache(producer, own, {});
    }
  }
}

/// The number of rows is computed at run time.
void TileChooser::chooseForCacheAtRunTime(NCEOpInterface op) {
  ClusterPart part = getClusterPart(op);
  TileNeighbours neighbours = getNeighbours(op, part);
  bool readsCopy = part.hasCopies && readsPadded(op);
  if ((!neighbours.producer && !neighbours.unblocking && !readsCopy) ||
      part.shape.size() != 5 || !getRowBytes(op, neighbours.producer)) {
    return;
  }
  SmallVector<int64_t> tiles(part.shape.size(), 1);
  // Images one by one.
  tiles[0] = part.shape[0];
  tiles[op.getRowDim()] = ShapedType::kDynamic;
  attachTiles(op, tiles, neighbours.getFlags(), /*wideningBlocks=*/0,
              getLimits(op, arch));
  if (neighbours.producer) {
    fused.insert(neighbours.producer);
  }
}

/// Columns whose panels a run makes are multiplied while these are in the
/// cache, and memory has room for those of a tile only.
void TileChooser::choosePanels(NCEMatMulOp product) {
  NCEOpInterface op = product;
  CopyOp packing = getFusableCopy(product.getRhs());
  if (!packing || packing->getBlock() != product->getBlock() ||
      packing.getDstOrder() != DimsOrder::KNn ||
      !packing.getInitType().hasStaticShape()) {
    return;
  }
  // The copy is in no loop of a cluster that has some rows or matrices, nor of
  // one that works alone while others may copy, too.
  StrategyAttr strategy = StrategyAttr::lookup(op);
  ArrayRef<int64_t> parts = strategy.getParts();
  unsigned columnDim = op.getBlockDim();
  bool sharesColumns = !parts.empty() && parts[columnDim] > 1 &&
                       llvm::all_of(parts.take_front(columnDim),
                                    [](int64_t count) { return count == 1; });
  if (strategy.getRest() != 0 || (arch.getClusters() > 1 && !sharesColumns)) {
    return;
  }
  // As much as leaves room for rows and results, and no fewer columns than a
  // register tile of few rows has.
  constexpr int64_t kPanelShare = 4, kFewestVectors = 4;
  int64_t budget = arch.getCmxBytes() / kPanelShare;
  ShapedType panels = packing.getInitType();
  SmallVector<int64_t> part = getClusterPart(op).shape;
  SmallVector<int64_t> tile = part;
  int64_t columns = panels.getDimSize(1) * panels.getDimSize(3);
  int64_t columnBytes =
      panels.getNumElements() / columns * panels.getElementTypeBitWidth() / 8;
  if (panels.getDimSize(0) > 1 && columnBytes * part[columnDim] > budget) {
    columnBytes /= panels.getDimSize(0);
    tile[0] = 1;
  }
  int64_t fewest = kFewestVectors * arch.getLanes(panels.getElementType());
  for (int64_t size : getEvenTileSizes(part[columnDim], op.getBlockStep())) {
    if (size < fewest) {
      break;
    }
    tile[columnDim] = size;
    if (columnBytes * size <= budget) {
      break;
    }
  }
  attachTiles(op, countTiles(part, tile), FusedNeighbours::none);
}

/// Takes the strategy of `op`, which was given, for what else it computes.
void TileChooser::markFused(NCEOpInterface op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  NCEOpInterface depthwise = op;
  if (strategy.fuses(FusedNeighbours::producer) && getRowProducer(op)) {
    depthwise = getRowProducer(op);
    fused.insert(depthwise);
  }
  NCEConvolutionOp widening = getBlockProducer(depthwise);
  if (widening && strategy.getWideningBlocks() != 0 &&
      !input.isGiven(widening)) {
    fused.insert(widening);
    StrategyAttr::getDefault(op.getContext()).attachTo(widening);
  }
}

LogicalResult TileChooser::choose(FunctionOpInterface function) {
  SmallVector<NCEOpInterface> ops;
  function->walk([&](NCEOpInterface op) {
    if (op->getNumResults() == 1) {
      ops.push_back(op);
    }
  });
  // Readers before what they may compute in their own tiles.
  for (NCEOpInterface op : llvm::reverse(ops)) {
    if (input.isGiven(op)) {
      markFused(op);
    } else if (fused.contains(op)) {
      continue;
    } else if (arch.hasScratchpad()) {
      if (failed(chooseForScratchpad(op))) {
        return failure();
      }
    } else if (auto product = dyn_cast<NCEMatMulOp>(op.getOperation())) {
      choosePanels(product);
    } else if (ShapedType::isDynamicShape(getDestinationShape(op))) {
      chooseForCacheAtRunTime(op);
    } else {
      chooseForCache(op);
    }
  }
  return success();
}

LogicalResult VPU::chooseTiles(FunctionOpInterface function,
                               const ChooserInput &input) {
  return TileChooser(input).choose(function);
}
