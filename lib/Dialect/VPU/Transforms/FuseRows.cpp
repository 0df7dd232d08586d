//===- FuseRows.cpp - The vpu-fuse-rows pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds ops that compute rows from rows, from the last of them upwards, and
// makes one loop of them whose tiles fit the cache.
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "RunTimeRows.h"
#include "TilingUtils.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#include <limits>
#include <queue>

namespace nacre::VPU {
#define GEN_PASS_DEF_FUSEROWS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static bool isPlainTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding();
}

/// True for tensors known to have no elements, of which there are no tiles.
static bool isEmpty(Value value) {
  return llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0);
}

static int64_t getNumElements(Operation *op) {
  return getTypicalNumElements(
      cast<RankedTensorType>(op->getResult(0).getType()));
}

/// A reduction over whole rows: some operand has an element for each point of
/// its loops, which a product of matrices has not.
static bool isRowReduction(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand).isPermutation();
  });
}

/// True for structured ops that start from nothing but a constant and write
/// each element of their result in a loop of its own.
static bool canJoin(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) && !linalg::isElementwise(op)) {
    return false;
  }
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap resultMap = op.getMatchingIndexingMap(init);
  unsigned parallel = op.getNumLoops() - op.getNumReductionLoops();
  bool writesAll = resultMap.isProjectedPermutation() &&
                   resultMap.getNumResults() == parallel;
  bool startsAnew = !op.payloadUsesValueFromOperand(init) ||
                    init->get().getDefiningOp<linalg::FillOp>();
  return writesAll && startsAnew && readsForwards(op) &&
         (op.getNumReductionLoops() == 0 || isRowReduction(op));
}

/// A product of two computed matrices, such as of queries and keys; weights
/// would be read once per tile.
static bool canJoin(NCEMatMulOp op) {
  return !matchPattern(op.getRhs(), m_Constant());
}

static bool canJoin(Operation *op) {
  auto isJoinable = [](Value value) {
    return !isa<ShapedType>(value.getType()) ||
           (isPlainTensor(value) && !isEmpty(value));
  };
  if (!op || op->getNumResults() != 1 ||
      !llvm::all_of(op->getOperands(), isJoinable) ||
      !isPlainTensor(op->getResult(0))) {
    return false;
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    return canJoin(structured);
  }
  auto product = dyn_cast<NCEMatMulOp>(op);
  return isReshape(op) || (product && canJoin(product));
}

/// True when a value of this op sums rows up: a reduction, or what is computed
/// from one element by element.
static bool summarisesRows(Operation *op, unsigned depth = 4) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && structured.getNumReductionLoops() > 0) {
    return true;
  }
  return depth > 0 && llvm::any_of(getRowOperands(op), [&](OpOperand *operand) {
           Operation *producer = operand->get().getDefiningOp();
           return canJoin(producer) && !isa<NCEMatMulOp>(producer) &&
                  getNumElements(producer) <= getNumElements(op) &&
                  summarisesRows(producer, depth - 1);
         });
}

static double estimateCycles(const RowGroup &group, ArchAttr arch) {
  CostModel model(arch);
  double cycles = 0;
  for (Operation *op : group.getMembers()) {
    cycles += model.getCycles(op);
  }
  return cycles;
}

/// Splits loop `dim` of a part of the root's loops into equal parts, no cluster
/// with much more than the others when all `number` parts like it are shared.
static std::optional<SmallVector<int64_t>>
splitLoop(const RowGroup &group, SmallVector<int64_t> part, unsigned dim,
          int64_t number, int64_t clusters) {
  constexpr double kGoodEnough = 1.15;
  int64_t extent = part[dim];
  for (int64_t size : getEvenTileSizes(extent, 1)) {
    int64_t busiest =
        llvm::divideCeilSigned(number * (extent / size), clusters) * size;
    // Of several parts per cluster the tiles would be small.
    if (size * clusters * 4 < extent) {
      break;
    }
    part[dim] = size;
    RowGroup trial = group;
    if (busiest * clusters <= number * extent * kGoodEnough &&
        trial.setTile(part)) {
      return part;
    }
  }
  return std::nullopt;
}

/// The part of the root's loops that is a cluster's at a time: of one loop
/// over rows, or of the two outermost.
static std::optional<SmallVector<int64_t>> chooseSplit(const RowGroup &group,
                                                       int64_t clusters) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  ArrayRef<unsigned> dims = group.getDims();
  for (unsigned dim : dims) {
    if (auto part = splitLoop(group, extents, dim, /*number=*/1, clusters)) {
      return part;
    }
  }
  // Half of the rows of each of an odd number of matrices may be no box of what
  // they are computed from: of heads that share keys, several follow each other
  // in a matrix.
  if (dims.size() < 2) {
    return std::nullopt;
  }
  SmallVector<int64_t> part = extents;
  part[dims.front()] = 1;
  return splitLoop(group, part, dims[1], extents[dims.front()], clusters);
}

/// A loop over rows of which clusters can have parts that differ by a row: of
/// so many that this is little, such as a prime number of tokens.
static std::optional<unsigned> chooseUnevenLoop(const RowGroup &group,
                                                int64_t clusters) {
  constexpr int64_t kLeastRows = 8;
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  unsigned innermost = getInnermostLoop(group);
  for (unsigned dim : llvm::reverse(group.getDims())) {
    RowGroup trial = group;
    SmallVector<int64_t> tile(group.getTile());
    tile[dim] = ShapedType::kDynamic;
    if (dim != innermost && extents[dim] >= kLeastRows * clusters &&
        trial.setTile(tile)) {
      return dim;
    }
  }
  return std::nullopt;
}

/// True where all sizes of the result are known, unlike those of what it is
/// computed from: a run has no tiles to choose. So it is with attention on the
/// used part of a cache.
static bool hasKnownRows(const RowGroup &group) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  return group.isDynamic() && llvm::none_of(group.getDims(), [&](unsigned dim) {
           return ShapedType::isDynamic(extents[dim]);
         });
}

/// True for attention of so many rows that a tile of them keeps its products
/// busy.
static bool hasManyRows(const RowGroup &group) {
  return isa<NCEMatMulOp>(group.getRoot()) &&
         getLoopExtents(group.getRoot())[1] > kFewRows;
}

namespace {

/// Finds the groups of a block.
class GroupFinder {
public:
  GroupFinder(Block &block, ArchAttr arch, double minCycles)
      : block(block), arch(arch), minCycles(minCycles) {
    for (auto [i, op] : llvm::enumerate(block)) {
      positions[&op] = i;
    }
  }

  SmallVector<RowGroup, 0> find();

private:
  std::optional<RowGroup> grow(Operation *root);
  bool join(RowGroup &group, Operation *producer);
  bool canShare(const RowGroup &group);
  bool isWorthwhile(const RowGroup &group);

  Block &block;
  ArchAttr arch;
  double minCycles;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseSet<Operation *> taken;
};

} // namespace

bool GroupFinder::canShare(const RowGroup &group) {
  int64_t clusters = arch.getClusters();
  // A run shares rows of any number.
  return clusters == 1 || (group.isDynamic() && !hasKnownRows(group)) ||
         estimateCycles(group, arch) / clusters < minCycles ||
         chooseSplit(group, clusters) || chooseUnevenLoop(group, clusters);
}

/// Adds `producer` if the group still has rows then.
bool GroupFinder::join(RowGroup &group, Operation *producer) {
  std::optional<Box> box = group.getNeededBox(producer);
  if (!box) {
    return false;
  }
  SmallVector<unsigned> dims;
  for (unsigned dim : group.getDims()) {
    if (llvm::any_of(box->offsets, [&](AffineExpr offset) {
          return offset.isFunctionOfDim(dim);
        })) {
      dims.push_back(dim);
    }
  }
  if (dims.size() == group.getDims().size()) {
    return group.add(producer, *box);
  }
  // The producer is needed again along some loop over tiles: where it belongs
  // to whole rows, those become the tiles.
  RowGroup smaller = group;
  if (!summarisesRows(producer) || !smaller.setDims(dims) ||
      smaller.getNumTiles() < 2 || !canShare(smaller)) {
    return false;
  }
  box = smaller.getNeededBox(producer);
  if (!box || !smaller.add(producer, *box)) {
    return false;
  }
  group = std::move(smaller);
  return true;
}

std::optional<RowGroup> GroupFinder::grow(Operation *root) {
  SmallVector<unsigned> dims;
  SmallVector<int64_t> extents = getLoopExtents(root);
  SmallVector<utils::IteratorType> kinds =
      cast<TilingInterface>(root).getLoopIteratorTypes();
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    // Columns of a product share rows of its left operand.
    bool isRow = kinds[dim] == utils::IteratorType::parallel &&
                 (dim < 2 || !isa<NCEMatMulOp>(root));
    if (isRow && (ShapedType::isDynamic(extent) || extent > 1)) {
      dims.push_back(dim);
    }
  }
  if (dims.empty()) {
    return std::nullopt;
  }
  // The latest first: its users are known by then to be members or not.
  auto isEarlier = [&](Operation *a, Operation *b) {
    return positions.lookup(a) < positions.lookup(b);
  };
  std::priority_queue<Operation *, std::vector<Operation *>,
                      decltype(isEarlier)>
      candidates(isEarlier);
  RowGroup group(cast<TilingInterface>(root), dims);
  auto addProducers = [&](Operation *op) {
    for (OpOperand *operand : getRowOperands(op)) {
      Operation *producer = operand->get().getDefiningOp();
      bool isNear = producer && producer->getBlock() == &block;
      bool isProduct = isa_and_nonnull<NCEMatMulOp>(producer);
      if (isNear && canJoin(producer) && !taken.contains(producer) &&
          (!isProduct || isa<NCEMatMulOp>(root))) {
        candidates.push(producer);
      }
    }
  };
  addProducers(root);
  constexpr size_t kMaxMembers = 64;
  while (!candidates.empty() && group.getMembers().size() < kMaxMembers) {
    Operation *producer = candidates.top();
    candidates.pop();
    if (!group.contains(producer) && join(group, producer) &&
        !isa<NCEMatMulOp>(producer)) {
      addProducers(producer);
    }
  }
  group.dropLeadingReshapes();
  if (!isWorthwhile(group)) {
    return std::nullopt;
  }
  return group;
}

bool GroupFinder::isWorthwhile(const RowGroup &group) {
  unsigned computing = 0, reductions = 0, products = 0;
  double bytes = 0;
  for (Operation *op : group.getMembers()) {
    if (isReshape(op)) {
      continue;
    }
    ++computing;
    bytes += getOperandBytes(op);
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    reductions += structured && structured.getNumReductionLoops() > 0;
    products += isa<NCEMatMulOp>(op);
  }
  bool hasTiles = !hasKnownRows(group) || hasManyRows(group);
  if (computing < 2 || !hasTiles || !canShare(group)) {
    return false;
  }
  // A product alone gains nothing from tiles of its left operand: what matters
  // is that the other product's result is never stored as a whole.
  if (isa<NCEMatMulOp>(group.getRoot())) {
    return products > 1 && reductions > 0;
  }
  return reductions > 0 || bytes > static_cast<double>(arch.getCmxBytes());
}

SmallVector<RowGroup, 0> GroupFinder::find() {
  SmallVector<RowGroup, 0> groups;
  for (Operation &op : llvm::reverse(block)) {
    if (taken.contains(&op) || isReshape(&op) || !canJoin(&op)) {
      continue;
    }
    if (std::optional<RowGroup> group = grow(&op)) {
      taken.insert(group->getMembers().begin(), group->getMembers().end());
      groups.push_back(std::move(*group));
    }
  }
  return groups;
}

/// Chooses the most rows whose tiles fit the cache, but at least two tiles.
static bool chooseTile(RowGroup &group, ArchAttr arch) {
  bool isProduct = isa<NCEMatMulOp>(group.getRoot());
  int64_t budget = getTileBudget(group, arch);
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  SmallVector<int64_t> tile(group.getTile());
  unsigned innermost = getInnermostLoop(group);
  for (unsigned dim : llvm::reverse(group.getDims())) {
    // Fewer than this leave vector lanes or the register tile idle, or are so
    // few that LLVM unrolls all of them, which is worth no more than CMX.
    constexpr int64_t kAnySize = std::numeric_limits<int64_t>::max();
    int64_t least = 1, most = kAnySize;
    if (dim == innermost) {
      least = arch.getLanes();
    } else if (isProduct && dim == 1) {
      least = getFewestRows(group);
    } else if (!isProduct && dim == group.getDims().back()) {
      least = kFewRows;
      most = arch.getCmxBytes();
    }
    int64_t best = tile[dim];
    std::optional<int64_t> bytes;
    for (int64_t size : getEvenTileSizes(extents[dim], 1)) {
      if (size < least && bytes && *bytes <= most) {
        break;
      }
      RowGroup trial = group;
      SmallVector<int64_t> sizes = tile;
      sizes[dim] = size;
      if (!trial.setTile(sizes)) {
        continue;
      }
      best = size;
      bytes = trial.getTileBytes();
      if (*bytes <= budget) {
        break;
      }
    }
    tile[dim] = best;
    if (best != extents[dim]) {
      break;
    }
  }
  if (!group.setTile(tile)) {
    return false;
  }
  if (group.getNumTiles() > 1) {
    return true;
  }
  for (unsigned dim : group.getDims()) {
    SmallVector<int64_t> candidates = getEvenTileSizes(extents[dim], 1);
    for (int64_t size : llvm::drop_begin(candidates)) {
      tile[dim] = size;
      if (group.setTile(tile)) {
        return true;
      }
    }
    tile[dim] = extents[dim];
  }
  return false;
}

namespace {
struct FuseRowsPass final : VPU::impl::FuseRowsBase<FuseRowsPass> {
  using FuseRowsBase::FuseRowsBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    // Others have no cache that kernels share.
    if (!arch.hasCores() || getOperation().isExternal()) {
      return;
    }
    IRRewriter rewriter(&getContext());
    // Who only asks for the size of a value is no user of it.
    SizeTable sizes(/*numTileSizes=*/0);
    getOperation()->walk(
        [&](tensor::DimOp query) { sizes.resolve(rewriter, query); });
    GroupFinder finder(getOperation().getBody().front(), arch, minCycles);
    for (RowGroup &group : finder.find()) {
      if (failed(fuse(rewriter, group, arch))) {
        return signalPassFailure();
      }
      ++numGroups;
    }
    // What only the ops before tiling used.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

private:
  LogicalResult fuseAtRunTime(RewriterBase &rewriter, const RowGroup &group,
                              ArchAttr arch,
                              std::optional<unsigned> uneven = std::nullopt) {
    FailureOr<RowGroup> tiled =
        tileAtRunTime(rewriter, group, arch, minCycles, uneven);
    if (succeeded(tiled)) {
      tiled->reuseTiles(rewriter);
    }
    return tiled;
  }

  LogicalResult fuse(RewriterBase &rewriter, RowGroup group, ArchAttr arch) {
    if (group.isDynamic() && !hasKnownRows(group)) {
      return fuseAtRunTime(rewriter, group, arch);
    }
    int64_t clusters = arch.getClusters();
    if (clusters > 1 && estimateCycles(group, arch) / clusters >= minCycles) {
      if (std::optional<SmallVector<int64_t>> part =
              chooseSplit(group, clusters)) {
        if (!group.setTile(*part)) {
          return group.getRoot()->emitOpError("expected parts of [")
                 << *part << "] rows to need one box of each fused op";
        }
        SmallVector<Attribute> mapping = {
            ClusterAttr::get(&getContext(), ClusterStrategy::SplitOverHeight)};
        if (llvm::count_if(group.getTile(),
                           [](int64_t size) { return size != kWhole; }) > 1) {
          mapping.insert(
              mapping.begin(),
              ClusterAttr::get(&getContext(), ClusterStrategy::SplitOverBatch));
        }
        scf::SCFTilingOptions options;
        options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
        options.setMapping(mapping);
        FailureOr<RowGroup> distributed = group.tile(rewriter, options);
        if (failed(distributed)) {
          return failure();
        }
        group = *distributed;
      } else if (auto uneven = chooseUnevenLoop(group, clusters)) {
        return fuseAtRunTime(rewriter, group, arch, uneven);
      }
    }
    if (chooseTile(group, arch)) {
      FailureOr<RowGroup> tiled = group.tile(rewriter, scf::SCFTilingOptions());
      if (failed(tiled)) {
        return failure();
      }
      group = *tiled;
    }
    group.reuseTiles(rewriter);
    return success();
  }
};
} // namespace
