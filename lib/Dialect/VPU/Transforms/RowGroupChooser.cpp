//===- RowGroupChooser.cpp - Blocks of rows, and parts of clusters --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how clusters share the rows of each group, and as many rows for a
// block as fit the cache, or the limits of a block that is computed at run
// time.
//
//===----------------------------------------------------------------------===//

#include "RowGroupChooser.h"

#include "RunTimeRows.h"
#include "StrategyChoosers.h"
#include "TilingUtils.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

double VPU::estimateCycles(const RowGroup &group, ArchAttr arch) {
  CostModel model(arch);
  double cycles = 0;
  for (Operation *op : group.getMembers()) {
    cycles += model.getCycles(op);
  }
  return cycles;
}

int64_t VPU::getTileBudget(const RowGroup &group, ArchAttr arch) {
  // Of what software kernels walk over and over again, and of scores, whose
  // keys and values pass by.
  constexpr int64_t kRowShare = 4, kScoreShare = 2;
  bool isProduct = isa<NCEMatMulOp>(group.getRoot());
  return std::max<int64_t>(
      arch.getCmxBytes() / (isProduct ? kScoreShare : kRowShare), 1);
}

/// The fewest rows of a tile of attention: where its kernel packs the keys for
/// each tile, so many that this takes little of the time.
static int64_t getFewestRows(const RowGroup &group) {
  constexpr int64_t kTimes = 4;
  bool packsKeys = llvm::any_of(group.getMembers(), [](Operation *op) {
    auto product = dyn_cast<NCEMatMulOp>(op);
    return product && product.getTransposed();
  });
  return packsKeys ? kTimes * kFewestBlockRows : kFewestBlockRows;
}

/// The loop of a group's root that walks over neighbours in its result.
static unsigned getInnermostLoop(const RowGroup &group) {
  return getResultDims(group.getRoot()).back();
}

/// What bounds blocks of a group whose sizes are computed at run time.
static TileLimitsAttr getLimits(const RowGroup &group, ArchAttr arch) {
  bool isProduct = isa<NCEMatMulOp>(group.getRoot());
  size_t loops = group.getTile().size();
  SmallVector<int64_t> leastSteps(loops, 1), mostBytes(loops, 0);
  if (isProduct) {
    leastSteps[1] = getFewestRows(group);
  } else if (unsigned dim = group.getDims().back();
             dim != getInnermostLoop(group)) {
    // Few rows are so few that LLVM unrolls all of them, which is worth no more
    // than CMX.
    leastSteps[dim] = kFewestBlockRows;
    mostBytes[dim] = arch.getCmxBytes();
  }
  leastSteps[getInnermostLoop(group)] = arch.getLanes();
  // What is the same for all steps, such as keys, may not leave them nothing.
  constexpr int64_t kLeastShare = 4;
  int64_t bytes = getTileBudget(group, arch);
  return TileLimitsAttr::get(arch.getContext(), bytes, leastSteps, mostBytes,
                             /*leastBytes=*/bytes / kLeastShare,
                             /*leastPixels=*/0);
}

/// What a point of the loops of a member takes: all of it, of a typical size
/// where sizes are dynamic, by the number of its points.
static int64_t getPointCost(Operation *op, ArchAttr arch) {
  if (isReshape(op)) {
    return 0;
  }
  double typical = CostModel(arch).getCycles(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  double points = structured
                      ? static_cast<double>(ShapedType::getNumElements(
                            getTypicalShape(structured.getStaticLoopRanges())))
                      : static_cast<double>(cast<NCEOpInterface>(op).getMacs());
  double cost = kPointCostsPerCycle * typical / std::max(points, 1.0);
  constexpr double kMost = std::numeric_limits<int32_t>::max();
  return static_cast<int64_t>(std::ceil(std::clamp(cost, 1.0, kMost)));
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

static std::optional<SmallVector<int64_t>>
chooseSplitForAll(const RowGroup &group, int64_t clusters) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  // As parts of unknown loops that are not shared are written.
  for (int64_t &extent : extents) {
    extent = ShapedType::isDynamic(extent) ? kWhole : extent;
  }
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

std::optional<SmallVector<int64_t>>
VPU::chooseSplit(const RowGroup &group, int64_t clusters, int64_t fewest) {
  for (int64_t count = clusters; count >= std::max<int64_t>(fewest, 2);
       --count) {
    if (auto part = chooseSplitForAll(group, count)) {
      return part;
    }
  }
  return std::nullopt;
}

int64_t VPU::countClusters(const RowGroup &group, ArchAttr arch,
                           int64_t minCycles) {
  return CostModel(arch).countClusters(estimateCycles(group, arch), minCycles,
                                       /*areAwake=*/false);
}

std::optional<unsigned> VPU::chooseUnevenLoop(const RowGroup &group,
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

bool VPU::hasKnownRows(const RowGroup &group) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  return isa<NCEMatMulOp>(group.getRoot()) && group.isDynamic() &&
         llvm::none_of(group.getDims(), [&](unsigned dim) {
           return ShapedType::isDynamic(extents[dim]);
         });
}

namespace {

/// Writes on the members of a group how they are computed.
class GroupChooser {
public:
  GroupChooser(const RowGroup &group, ArchAttr arch, int64_t minCycles)
      : group(group), arch(arch), minCycles(minCycles),
        clusters(countClusters(group, arch, minCycles)),
        extents(getLoopExtents(group.getRoot())), block(group.getTile()),
        tile(group.getTile()), isProduct(isa<NCEMatMulOp>(group.getRoot())) {}

  void choose(int64_t number);

private:
  bool chooseBlock(ArrayRef<int64_t> part);
  void chooseBlockAtRunTime(std::optional<unsigned> uneven);
  std::optional<int64_t> chooseEvenSize(unsigned dim, int64_t fitting) const;
  void attach(int64_t number) const;
  void shareAtRunTime();

  const RowGroup &group;
  ArchAttr arch;
  int64_t minCycles;
  int64_t clusters;
  SmallVector<int64_t> extents;
  /// What the strategy says of the root.
  SmallVector<int64_t> parts, block;
  int64_t grain = 0, fewSteps = 0;
  /// What bounds sizes of the block that are kDynamic.
  TileLimitsAttr limits;
  /// The same as a block, with kDynamic for sizes that do not cut a loop
  /// evenly.
  SmallVector<int64_t> tile;
  bool isProduct;
};

} // namespace

/// Chooses the most rows of a part whose tiles fit the cache, but at least two
/// tiles; false where there are none.
bool GroupChooser::chooseBlock(ArrayRef<int64_t> part) {
  int64_t budget = getTileBudget(group, arch);
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
      least = kFewestBlockRows;
      most = arch.getCmxBytes();
    }
    int64_t best = block[dim];
    std::optional<int64_t> bytes;
    for (int64_t size : getEvenTileSizes(part[dim], 1)) {
      if (size < least && bytes && *bytes <= most) {
        break;
      }
      RowGroup trial = group;
      SmallVector<int64_t> sizes = block;
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
    block[dim] = best;
    if (best != part[dim]) {
      break;
    }
  }
  RowGroup trial = group;
  if (!trial.setTile(block)) {
    return false;
  }
  bool hasTiles = llvm::any_of(
      group.getDims(), [&](unsigned dim) { return block[dim] != part[dim]; });
  if (hasTiles) {
    return true;
  }
  for (unsigned dim : group.getDims()) {
    SmallVector<int64_t> candidates = getEvenTileSizes(part[dim], 1);
    for (int64_t size : llvm::drop_begin(candidates)) {
      block[dim] = size;
      if (trial.setTile(block)) {
        return true;
      }
    }
    block[dim] = part[dim];
  }
  return false;
}

/// Tiles of one size along a loop of known extent, of at most so many steps as
/// fit, unless those were much smaller.
std::optional<int64_t> GroupChooser::chooseEvenSize(unsigned dim,
                                                    int64_t fitting) const {
  SmallVector<int64_t> even = getEvenTileSizes(extents[dim], 1);
  int64_t size = *llvm::find_if(
      even, [&](int64_t candidate) { return candidate <= fitting; });
  SmallVector<int64_t> next = tile;
  next[dim] = size;
  RowGroup trial = group;
  bool isLarge = 2 * size >= std::min(fitting, extents[dim]);
  return isLarge && trial.setTile(next) ? std::optional(size) : std::nullopt;
}

/// Chooses a block of which some sizes are computed at run time. The parts of
/// the loop `uneven`, if there is one, are of different sizes.
void GroupChooser::chooseBlockAtRunTime(std::optional<unsigned> uneven) {
  // Where sizes are computed to see which are known; none of it stays.
  Block scratch;
  OpBuilder builder(group.getRoot()->getContext());
  builder.setInsertionPointToEnd(&scratch);
  RowSizeBuilder sizes(builder, group);
  TileLimitsAttr bounds = getLimits(group, arch);
  ArrayRef<unsigned> dims = group.getDims();
  for (unsigned dim : llvm::reverse(dims)) {
    // Kernels of a known inner extent are the better ones, as long as other
    // rows make tiles.
    constexpr int64_t kShortRow = 256;
    bool isKnown = !ShapedType::isDynamic(extents[dim]);
    bool isInnermost = dim == getInnermostLoop(group);
    RowGroup trial = group;
    SmallVector<int64_t> next = tile;
    next[dim] = kWhole;
    if (isInnermost && dims.size() > 1 && dim != uneven && isKnown &&
        extents[dim] <= kShortRow && trial.setTile(next)) {
      tile = next;
      block[dim] = extents[dim];
      continue;
    }
    next[dim] = ShapedType::kDynamic;
    if (!trial.setTile(next)) {
      break;
    }
    std::optional<int64_t> fitting =
        getConstantIntValue(sizes.buildFitting(trial, dim, bounds));
    if (dim == uneven) {
      // Tiles of about one size that together are a cluster's part.
      int64_t part = llvm::divideCeilSigned(extents[dim], clusters);
      int64_t most = std::min(fitting.value_or(part), part);
      block[dim] =
          llvm::divideCeilSigned(part, llvm::divideCeilSigned(part, most));
      return;
    }
    std::optional<int64_t> even =
        fitting && isKnown ? chooseEvenSize(dim, *fitting) : std::nullopt;
    block[dim] = even.value_or(fitting.value_or(ShapedType::kDynamic));
    limits = ShapedType::isDynamic(block[dim]) ? bounds : limits;
    tile[dim] = even.value_or(ShapedType::kDynamic);
    // So many steps of an unknown extent leave no room for more, nor do some of
    // a known one.
    if (fitting && (!even || *even != extents[dim])) {
      return;
    }
  }
}

/// Shares loops of which a cluster's part may be any number of steps: one with
/// tiles of a known size has no tile for what would be left of it.
void GroupChooser::shareAtRunTime() {
  SmallVector<unsigned> open =
      llvm::filter_to_vector(group.getDims(), [&](unsigned dim) {
        return tile[dim] == 1 || ShapedType::isDynamic(tile[dim]);
      });
  if (arch.getClusters() == 1 || open.empty()) {
    return;
  }
  parts.assign(extents.size(), 1);
  parts[open.front()] = parts[open.back()] = ShapedType::kDynamic;
  // Of more steps a part that has one less than others leaves a cluster without
  // work for a quarter of the time at most.
  constexpr int64_t kFewSteps = 4;
  fewSteps = open.front() == open.back() ? 0 : kFewSteps;
  grain = std::max<int64_t>(minCycles, 1);
}

/// More idle clusters cost more than parts that differ by a row.
static int64_t getFewestBusy(int64_t clusters) {
  return llvm::divideCeilSigned(clusters * 3, 4);
}

void GroupChooser::choose(int64_t number) {
  bool isShared = clusters > 1;
  if (group.isDynamic() && !hasKnownRows(group)) {
    chooseBlockAtRunTime(std::nullopt);
    shareAtRunTime();
    return attach(number);
  }
  std::optional<SmallVector<int64_t>> part =
      isShared ? chooseSplit(group, clusters, getFewestBusy(clusters))
               : std::nullopt;
  std::optional<unsigned> uneven =
      isShared && !part ? chooseUnevenLoop(group, clusters) : std::nullopt;
  if (isShared && !part && !uneven) {
    part = chooseSplit(group, clusters, /*fewest=*/2);
  }
  if (part) {
    for (auto [extent, size] : llvm::zip_equal(extents, *part)) {
      parts.push_back(size == kWhole || size == extent ? 1 : extent / size);
    }
  }
  if (uneven) {
    parts.assign(extents.size(), 1);
    parts[*uneven] = clusters;
    chooseBlockAtRunTime(uneven);
  } else if (!chooseBlock(part.value_or(extents))) {
    block.clear();
  }
  attach(number);
}

void GroupChooser::attach(int64_t number) const {
  MLIRContext *context = group.getRoot()->getContext();
  for (Operation *op : group.getMembers()) {
    StrategyAttr strategy =
        op == group.getRoot()
            ? StrategyAttr::getForGroup(context, number, parts, grain, block,
                                        limits)
                  .withFewSteps(fewSteps)
            : StrategyAttr::getForGroup(context, number);
    // Parts that are computed at run time are worth so many cycles.
    strategy.withPointCost(grain == 0 ? 0 : getPointCost(op, arch))
        .attachTo(op);
  }
}

void VPU::chooseGroups(FunctionOpInterface function, const ChooserInput &input,
                       int64_t minCycles) {
  // Others have no cache that kernels share.
  if (!input.arch.hasCores() || function.isExternal()) {
    return;
  }
  llvm::DenseSet<Operation *> taken = input.given;
  llvm::DenseSet<int64_t> given;
  for (Operation *op : input.given) {
    given.insert(StrategyAttr::lookup(op).getGroup());
  }
  SmallVector<RowGroup, 0> groups =
      findRowGroups(function.front(), input.arch, minCycles, taken);
  int64_t number = 0;
  for (const RowGroup &group : llvm::reverse(groups)) {
    do {
      ++number;
    } while (given.contains(number));
    GroupChooser(group, input.arch, minCycles).choose(number);
  }
}
