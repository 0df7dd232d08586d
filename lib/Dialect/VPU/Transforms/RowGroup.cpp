//===- RowGroup.cpp - Ops that share a loop over rows ---------------------===//
//
// Boxes are derived from users to producers, once per op. Upstream's tile and
// fuse works slice by slice instead: what two members use, as a softmax uses
// its exponentials, it would compute twice, and it stops at reshapes.
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t Box::getVolume() const {
  int64_t volume = 1;
  for (int64_t size : sizes) {
    volume *= size;
  }
  return volume;
}

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static int64_t getBytes(Value value, int64_t elements) {
  int64_t bits = getTensorType(value).getElementTypeBitWidth();
  return llvm::divideCeilSigned(elements * bits, 8);
}

bool VPU::isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

SmallVector<int64_t> VPU::getLoopExtents(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    return structured.getStaticLoopRanges();
  }
  return llvm::to_vector(getTensorType(op->getResult(0)).getShape());
}

SmallVector<OpOperand *> VPU::getRowOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    llvm::append_range(operands, structured.getDpsInputOperands());
  } else {
    operands.push_back(&op->getOpOperand(0));
  }
  llvm::erase_if(operands, [](OpOperand *operand) {
    return !isa<RankedTensorType>(operand->get().getType());
  });
  return operands;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static AffineExpr getZero(Operation *op) {
  return getAffineConstantExpr(0, op->getContext());
}

/// The box of several dimensions that lies where a part of their product does:
/// single elements, then a part of one dimension, then whole dimensions.
static bool expandPart(ArrayRef<int64_t> extents, AffineExpr offset,
                       int64_t size, Box &box) {
  if (extents.empty()) {
    return true;
  }
  int64_t partial = extents.size() - 1, inner = 1;
  while (partial > 0 && size > inner * extents[partial]) {
    inner *= extents[partial--];
  }
  // Parts start at multiples of their size: none that divides the dimension
  // reaches over its end.
  if (size % inner != 0 || extents[partial] % (size / inner) != 0) {
    return false;
  }
  int64_t outer = 1, rest = 1;
  for (int64_t extent : extents) {
    rest *= extent;
  }
  for (auto [i, extent] : llvm::enumerate(extents)) {
    rest /= extent;
    int64_t position = i;
    int64_t part = position < partial    ? 1
                   : position == partial ? size / inner
                                         : extent;
    AffineExpr start = getAffineConstantExpr(0, offset.getContext());
    if (part != extent) {
      start = offset.floorDiv(rest);
      // Nothing is carried over where there is nothing before.
      start = outer == 1 ? start : start % extent;
    }
    outer *= extent;
    box.offsets.push_back(start);
    box.sizes.push_back(part);
  }
  return true;
}

/// The opposite of expandPart().
static bool collapseParts(ArrayRef<int64_t> extents,
                          ArrayRef<AffineExpr> offsets, ArrayRef<int64_t> sizes,
                          Box &box) {
  AffineExpr offset = getAffineConstantExpr(0, offsets.front().getContext());
  int64_t size = 1;
  bool isPart = false;
  for (auto [extent, partOffset, partSize] :
       llvm::zip_equal(extents, offsets, sizes)) {
    if (isPart && partSize != extent) {
      return false;
    }
    offset = offset * extent + partOffset;
    size *= partSize;
    isPart |= partSize != 1;
  }
  box.offsets.push_back(offset);
  box.sizes.push_back(size);
  return true;
}

/// The box of a reshape's source for one of its result.
static std::optional<Box> getSourceBox(Operation *op, const Box &result) {
  Box box;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      int64_t first = group.front(), count = group.size();
      if (!collapseParts(shape.slice(first, count),
                         ArrayRef(result.offsets).slice(first, count),
                         ArrayRef(result.sizes).slice(first, count), box)) {
        return std::nullopt;
      }
    }
    return box;
  }
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (!expandPart(shape.slice(group.front(), group.size()), result.offsets[i],
                    result.sizes[i], box)) {
      return std::nullopt;
    }
  }
  // Of a scalar's dimensions none is named by a group.
  for (int64_t i = box.sizes.size(), e = shape.size(); i < e; ++i) {
    box.offsets.push_back(getZero(op));
    box.sizes.push_back(1);
  }
  return box;
}

/// The box of an operand for one of the op's loops; nothing where the operand
/// is read in another way than dimension by dimension.
static std::optional<Box> getOperandBox(OpOperand &operand, const Box &loops) {
  Operation *op = operand.getOwner();
  if (isReshape(op)) {
    return getSourceBox(op, loops);
  }
  Box box;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    // The left operand of a product: whole rows.
    auto type = getTensorType(operand.get());
    box.offsets = {loops.offsets[0], loops.offsets[1], getZero(op)};
    box.sizes = {loops.sizes[0], loops.sizes[1], type.getDimSize(2)};
    return box;
  }
  for (AffineExpr expr :
       structured.getMatchingIndexingMap(&operand).getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      box.offsets.push_back(loops.offsets[dim.getPosition()]);
      box.sizes.push_back(loops.sizes[dim.getPosition()]);
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      box.offsets.push_back(constant);
      box.sizes.push_back(1);
    } else {
      return std::nullopt;
    }
  }
  return box;
}

/// The loops of `op` that compute a box of its result.
static Box getLoops(Operation *op, const Box &result) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    return result;
  }
  Box box;
  box.sizes = structured.getStaticLoopRanges();
  box.offsets.assign(box.sizes.size(), getZero(op));
  AffineMap map =
      structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    box.offsets[dim] = result.offsets[i];
    box.sizes[dim] = result.sizes[i];
  }
  return box;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

RowGroup::RowGroup(TilingInterface root, ArrayRef<unsigned> dims)
    : root(root), dims(dims), sizes(getLoopExtents(root)) {
  for (unsigned dim : dims) {
    sizes[dim] = 1;
  }
  members.push_back(root);
  computeBoxes();
}

int64_t RowGroup::getNumTiles() const {
  int64_t tiles = 1;
  for (auto [size, extent] : llvm::zip_equal(sizes, getLoopExtents(root))) {
    tiles *= extent / size;
  }
  return tiles;
}

/// Notes what `op` needs for its part of the loops.
void RowGroup::addNeeds(Operation *op) {
  for (OpOperand *operand : getRowOperands(op)) {
    std::optional<Box> box = getOperandBox(*operand, loops.find(op)->second);
    if (!box) {
      // Of no size: no box that a member could compute.
      needs[operand->get()] = Box();
      continue;
    }
    auto [found, isNew] = needs.try_emplace(operand->get(), *box);
    if (!isNew && !(found->second == *box)) {
      found->second = Box();
    }
  }
}

bool RowGroup::computeBoxes() {
  loops.clear();
  needs.clear();
  // Operands are asked about members, which all must be known.
  for (Operation *op : members) {
    loops[op] = Box();
  }
  for (Operation *op : members) {
    Box box;
    if (op == root) {
      box.sizes = sizes;
      for (auto [i, extent] : llvm::enumerate(getLoopExtents(op))) {
        box.offsets.push_back(sizes[i] == extent
                                  ? getZero(op)
                                  : getAffineDimExpr(i, op->getContext()));
      }
    } else {
      std::optional<Box> needed = getNeededBox(op);
      if (!needed) {
        return false;
      }
      box = getLoops(op, *needed);
    }
    loops[op] = box;
    addNeeds(op);
  }
  return true;
}

std::optional<Box> RowGroup::getNeededBox(Operation *producer) const {
  Value value = producer->getResult(0);
  for (OpOperand &use : value.getUses()) {
    if (!contains(use.getOwner()) ||
        !llvm::is_contained(getRowOperands(use.getOwner()), &use)) {
      return std::nullopt;
    }
  }
  auto found = needs.find(value);
  bool isBox = found != needs.end() &&
               found->second.sizes.size() ==
                   static_cast<size_t>(getTensorType(value).getRank());
  return isBox ? std::optional(found->second) : std::nullopt;
}

bool RowGroup::add(Operation *producer, const Box &box) {
  Box part = getLoops(producer, box);
  int64_t whole = 1;
  for (int64_t extent : getLoopExtents(producer)) {
    whole *= extent;
  }
  if (part.getVolume() * getNumTiles() != whole) {
    return false;
  }
  members.push_back(producer);
  loops[producer] = part;
  addNeeds(producer);
  return true;
}

void RowGroup::dropLeadingReshapes() {
  // Producers come last.
  for (size_t i = members.size(); i-- > 0;) {
    Operation *op = members[i];
    if (isReshape(op) && !contains(op->getOperand(0).getDefiningOp())) {
      loops.erase(op);
      members.erase(members.begin() + i);
    }
  }
}

bool RowGroup::setDims(ArrayRef<unsigned> newDims) {
  dims.assign(newDims.begin(), newDims.end());
  SmallVector<int64_t> tile = getLoopExtents(root);
  for (unsigned dim : dims) {
    tile[dim] = 1;
  }
  return setTile(tile);
}

bool RowGroup::setTile(ArrayRef<int64_t> tile) {
  sizes.assign(tile.begin(), tile.end());
  return computeBoxes();
}

/// Elements of an operand that a part of the loops reads or writes.
static int64_t getVolume(OpOperand &operand, const Box &loops) {
  auto structured = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  auto destination = cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!structured && destination.isDpsInit(&operand)) {
    return loops.getVolume();
  }
  std::optional<Box> box = getOperandBox(operand, loops);
  return box ? box->getVolume() : getTensorType(operand.get()).getNumElements();
}

/// The value whose buffer this one is a name for.
static Value getRenamed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isReshape(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// The tile of a member that an elementwise one of the same shape may write to
/// once nobody else reads it; null where there is none.
OpOperand *RowGroup::getReusableOperand(Operation *op) const {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (op == root || !structured || structured.getNumReductionLoops() != 0) {
    return nullptr;
  }
  OpOperand *init = structured.getDpsInitOperand(0);
  for (OpOperand *operand : structured.getDpsInputOperands()) {
    if (contains(getRenamed(operand->get()).getDefiningOp()) &&
        operand->get().getType() == init->get().getType() &&
        structured.getMatchingIndexingMap(operand) ==
            structured.getMatchingIndexingMap(init)) {
      return operand;
    }
  }
  return nullptr;
}

int64_t RowGroup::getTileBytes() const {
  int64_t bytes = 0;
  llvm::SmallPtrSet<Value, 8> counted;
  for (Operation *op : members) {
    if (isReshape(op)) {
      continue;
    }
    const Box &part = loops.find(op)->second;
    OpOperand *init =
        cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0);
    if (!getReusableOperand(op)) {
      bytes += getBytes(init->get(), getVolume(*init, part));
    }
    for (OpOperand *operand : getRowOperands(op)) {
      Value value = operand->get();
      if (contains(value.getDefiningOp())) {
        continue;
      }
      // A cluster's part is sliced anew for each op that reads it.
      auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
      if (counted.insert(slice ? slice.getSource() : value).second) {
        bytes += getBytes(value, getVolume(*operand, part));
      }
    }
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

namespace {

/// Builds what computes one tile.
class TileBuilder {
public:
  TileBuilder(RewriterBase &rewriter, ArrayRef<OpFoldResult> position)
      : rewriter(rewriter), position(position) {}

  /// Computes the given part of the loops of a member whose producers among the
  /// members were built before.
  FailureOr<Operation *> build(Operation *op, const Box &loops);

  /// Lets `tiled`, a tile of `op`, read the tiles that members computed instead
  /// of slices.
  void connect(Operation *op, Operation *tiled, ArrayRef<Operation *> slices);

private:
  SmallVector<OpFoldResult> getOffsets(Location loc, const Box &box);
  Operation *buildReshape(Operation *op, const Box &loops);

  RewriterBase &rewriter;
  ArrayRef<OpFoldResult> position;
  IRMapping tiles;
};

} // namespace

SmallVector<OpFoldResult> TileBuilder::getOffsets(Location loc,
                                                  const Box &box) {
  return llvm::map_to_vector(box.offsets, [&](AffineExpr expr) {
    AffineMap map = AffineMap::get(position.size(), 0, expr);
    return affine::makeComposedFoldedAffineApply(rewriter, loc, map, position);
  });
}

Operation *TileBuilder::buildReshape(Operation *op, const Box &loops) {
  Value source = tiles.lookup(op->getOperand(0));
  auto type = getTensorType(op->getResult(0)).clone(loops.sizes);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    return tensor::ExpandShapeOp::create(rewriter, op->getLoc(), type, source,
                                         expand.getReassociationIndices());
  }
  return tensor::CollapseShapeOp::create(
      rewriter, op->getLoc(), type, source,
      cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

void TileBuilder::connect(Operation *op, Operation *tiled,
                          ArrayRef<Operation *> slices) {
  for (auto [i, original] : llvm::enumerate(op->getOperands())) {
    if (Value tile = tiles.lookupOrNull(original)) {
      tiled->setOperand(i, tile);
    }
  }
  for (Operation *slice : slices) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
    }
  }
}

/// The destination of a tile is a tensor of its own, which starts as the
/// member's does.
static void buildDestination(RewriterBase &rewriter, linalg::LinalgOp op,
                             Operation *tiled) {
  auto destination = cast<DestinationStyleOpInterface>(tiled);
  OpOperand *init = destination.getDpsInitOperand(0);
  auto type = getTensorType(init->get());
  rewriter.setInsertionPoint(tiled);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  if (auto fill =
          op.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>()) {
    empty =
        linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(), empty)
            .getResult(0);
  }
  rewriter.modifyOpInPlace(tiled, [&] { init->set(empty); });
  rewriter.setInsertionPointAfter(tiled);
}

FailureOr<Operation *> TileBuilder::build(Operation *op, const Box &loops) {
  if (isReshape(op)) {
    Operation *tiled = buildReshape(op, loops);
    tiles.map(op->getResult(0), tiled->getResult(0));
    return tiled;
  }
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(op->getContext(), loops.sizes);
  FailureOr<TilingResult> result =
      cast<TilingInterface>(op).getTiledImplementation(
          rewriter, getOffsets(op->getLoc(), loops), sizes);
  if (failed(result)) {
    return failure();
  }
  Operation *tiled = result->tiledOps.front();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    buildDestination(rewriter, structured, tiled);
  }
  connect(op, tiled, result->generatedSlices);
  tiles.map(op->getResult(0), tiled->getResult(0));
  return tiled;
}

FailureOr<RowGroup> RowGroup::tile(RewriterBase &rewriter,
                                   scf::SCFTilingOptions options) const {
  SmallVector<int64_t> loopSizes = sizes;
  for (auto [size, extent] : llvm::zip_equal(loopSizes, getLoopExtents(root))) {
    // Zero means no loop.
    size = size == extent ? 0 : size;
  }
  options.setTileSizes(
      getAsIndexOpFoldResult(rewriter.getContext(), loopSizes));
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiledRoot =
      scf::tileUsingSCF(rewriter, root, options);
  if (failed(tiledRoot)) {
    return failure();
  }
  SmallVector<Value> variables;
  for (LoopLikeOpInterface loop : tiledRoot->loops) {
    llvm::append_range(variables, *loop.getLoopInductionVars());
  }
  SmallVector<OpFoldResult> position(loopSizes.size(),
                                     rewriter.getIndexAttr(0));
  unsigned next = 0;
  for (auto [size, value] : llvm::zip_equal(loopSizes, position)) {
    if (size != 0) {
      value = variables[next++];
    }
  }
  Operation *last = tiledRoot->tiledOps.front();
  rewriter.setInsertionPoint(last);
  TileBuilder builder(rewriter, position);
  RowGroup result = *this;
  result.root = cast<TilingInterface>(last);
  result.members.front() = last;
  for (size_t i = members.size(); i-- > 1;) {
    FailureOr<Operation *> tiled =
        builder.build(members[i], loops.find(members[i])->second);
    if (failed(tiled)) {
      return failure();
    }
    result.members[i] = *tiled;
  }
  builder.connect(root, last, tiledRoot->generatedSlices);
  rewriter.replaceOp(root, tiledRoot->replacements);
  for (Operation *op : llvm::drop_begin(members)) {
    rewriter.eraseOp(op);
  }
  if (!result.setDims(dims)) {
    return failure();
  }
  return result;
}

void RowGroup::reuseTiles(RewriterBase &rewriter) const {
  // The last to read a tile, in the order of execution, may write to it.
  llvm::DenseMap<Value, Operation *> lastReaders;
  for (Operation *op : members) {
    if (isReshape(op)) {
      continue;
    }
    for (OpOperand *operand : getRowOperands(op)) {
      lastReaders.try_emplace(getRenamed(operand->get()), op);
    }
  }
  for (Operation *op : members) {
    OpOperand *operand = getReusableOperand(op);
    if (operand && lastReaders.lookup(getRenamed(operand->get())) == op) {
      rewriter.modifyOpInPlace(op, [&] {
        cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->set(
            operand->get());
      });
    }
  }
}
