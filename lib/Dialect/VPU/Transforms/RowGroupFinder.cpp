//===- RowGroupFinder.cpp - Which ops share a loop over rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds ops that compute rows from rows, from the last of them upwards.
//
//===----------------------------------------------------------------------===//

#include "RowGroupChooser.h"
#include "TilingUtils.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/Matchers.h"

#include <queue>

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
  // Groups are found before and after weights are packed.
  auto packed = op.getRhs().getDefiningOp<PackWeightsOp>();
  return !matchPattern(packed ? packed.getWeights() : op.getRhs(),
                       m_Constant());
}

bool VPU::canJoinRows(Operation *op) {
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

bool VPU::isRowLoop(TilingInterface root, unsigned dim) {
  return root.getLoopIteratorTypes()[dim] == utils::IteratorType::parallel &&
         (dim < 2 || !isa<NCEMatMulOp>(root));
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
           return canJoinRows(producer) && !isa<NCEMatMulOp>(producer) &&
                  getNumElements(producer) <= getNumElements(op) &&
                  summarisesRows(producer, depth - 1);
         });
}

/// True for attention of so many rows that a tile of them keeps its products
/// busy.
static bool hasManyRows(const RowGroup &group) {
  return isa<NCEMatMulOp>(group.getRoot()) &&
         getLoopExtents(group.getRoot())[1] > kFewestBlockRows;
}

/// True where the two innermost loops of a group's result are dynamic, as the
/// height and the width of an image: they become one loop in an op that is
/// alone, but not in tiles, whose rows may be short.
static bool hasOpenRows(const RowGroup &group) {
  SmallVector<unsigned> loops = getResultDims(group.getRoot());
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  auto isOpen = [&](unsigned dim) {
    return ShapedType::isDynamic(extents[dim]) &&
           llvm::is_contained(group.getDims(), dim);
  };
  return loops.size() >= 2 && isOpen(loops.back()) &&
         isOpen(loops[loops.size() - 2]);
}

/// True where no tile of so many bytes is sure to have room for a matrix whose
/// columns a reduction sums up: for all dimensions from the first that is
/// reduced on, of which the last one is not.
static bool exceedsTile(OpOperand &operand, int64_t bytes) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  auto type = cast<ShapedType>(operand.get().getType());
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> matrix;
  bool isReduced = false;
  for (auto [expr, size] : llvm::zip_equal(
           op.getMatchingIndexingMap(&operand).getResults(), type.getShape())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    isReduced =
        dim && iterators[dim.getPosition()] == utils::IteratorType::reduction;
    if (isReduced || !matrix.empty()) {
      matrix.push_back(size);
    }
  }
  return !isReduced && !matrix.empty() &&
         (ShapedType::isDynamicShape(matrix) ||
          ShapedType::getNumElements(matrix) * type.getElementTypeBitWidth() /
                  8 >
              bytes);
}

/// True where tiles cut the rows of what a reduction reads: they have all of
/// some columns, where no tile has room for whole matrices.
static bool cutsRows(const RowGroup &group, ArchAttr arch) {
  int64_t budget = getTileBudget(group, arch);
  return llvm::is_contained(group.getDims(),
                            getResultDims(group.getRoot()).back()) &&
         llvm::any_of(group.getMembers(), [&](Operation *op) {
           auto structured = dyn_cast<linalg::LinalgOp>(op);
           return structured && structured.getNumReductionLoops() > 0 &&
                  llvm::any_of(
                      structured.getDpsInputOperands(), [&](OpOperand *each) {
                        return !group.contains(each->get().getDefiningOp()) &&
                               exceedsTile(*each, budget);
                      });
         });
}

/// What a value is a view of.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isReshape(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// True for a group whose rows cost more in tiles than those save: what its
/// members hand on, and what several of them read, is little, as means over the
/// channels of an image are. Nothing else is in the cache for tiles alone.
static bool hasCostlyRows(const RowGroup &group, ArchAttr arch) {
  constexpr double kLeastShare = 8;
  bool isOpen = hasOpenRows(group);
  if (!isOpen && !cutsRows(group, arch)) {
    return false;
  }
  double handedOn = 0, fromOutside = 0, again = 0;
  llvm::SmallDenseSet<Value> readBefore;
  for (Operation *op : group.getMembers()) {
    if (isReshape(op)) {
      continue;
    }
    llvm::SmallDenseSet<Value> readHere;
    for (OpOperand *operand : getRowOperands(op)) {
      auto type = cast<ShapedType>(operand->get().getType());
      double bytes = static_cast<double>(getTypicalNumElements(type)) *
                     type.getElementTypeBitWidth() / 8;
      Operation *producer = operand->get().getDefiningOp();
      if (producer && group.contains(producer)) {
        handedOn += bytes;
        continue;
      }
      Value source = skipReshapes(operand->get());
      fromOutside += bytes;
      again += readBefore.contains(source) ? bytes : 0;
      readHere.insert(source);
    }
    readBefore.insert_range(readHere);
  }
  // Rows that become shorter cost more than to read them again.
  return (handedOn + (isOpen ? 0 : again)) * kLeastShare < fromOutside;
}

/// True for a group of dynamic sizes whose tiles can have no more than a single
/// element of a row: where a reshape cuts rows in other places than the
/// result's, two elements may be of different ones.
static bool hasSinglePoints(const RowGroup &group) {
  unsigned innermost = getResultDims(group.getRoot()).back();
  if (!group.isDynamic() || !llvm::is_contained(group.getDims(), innermost)) {
    return false;
  }
  return llvm::none_of(ArrayRef{kWhole, ShapedType::kDynamic},
                       [&](int64_t size) {
                         RowGroup trial = group;
                         SmallVector<int64_t> tile(group.getTile());
                         tile[innermost] = size;
                         return trial.setTile(tile);
                       });
}

namespace {

/// Finds the groups of a block.
class GroupFinder {
public:
  GroupFinder(Block &block, ArchAttr arch, int64_t minCycles,
              llvm::DenseSet<Operation *> &taken)
      : block(block), arch(arch), minCycles(minCycles), taken(taken) {
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
  int64_t minCycles;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseSet<Operation *> &taken;
};

} // namespace

bool GroupFinder::canShare(const RowGroup &group) {
  int64_t clusters = countClusters(group, arch, minCycles);
  // A run shares rows of any number.
  return clusters < arch.getClusters() || clusters == 1 ||
         (group.isDynamic() && !hasKnownRows(group)) ||
         chooseSplit(group, clusters, /*fewest=*/2) ||
         chooseUnevenLoop(group, clusters);
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
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (isRowLoop(cast<TilingInterface>(root), dim) &&
        (ShapedType::isDynamic(extent) || extent > 1)) {
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
      if (isNear && canJoinRows(producer) && !taken.contains(producer) &&
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
  if (computing < 2 || !hasTiles || hasCostlyRows(group, arch) ||
      hasSinglePoints(group) || !canShare(group)) {
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
    if (taken.contains(&op) || isReshape(&op) || !canJoinRows(&op)) {
      continue;
    }
    if (std::optional<RowGroup> group = grow(&op)) {
      taken.insert(group->getMembers().begin(), group->getMembers().end());
      groups.push_back(std::move(*group));
    }
  }
  return groups;
}

SmallVector<RowGroup, 0>
VPU::findRowGroups(Block &block, ArchAttr arch, int64_t minCycles,
                   llvm::DenseSet<Operation *> &taken) {
  return GroupFinder(block, arch, minCycles, taken).find();
}
