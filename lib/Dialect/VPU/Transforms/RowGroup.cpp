//===- RowGroup.cpp - Ops that share a loop over rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes are derived from users to producers, once per op. Upstream's tile and
// fuse works slice by slice instead: what two members use, as a softmax uses
// its exponentials, it would compute twice, and it stops at reshapes.
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

Extent Box::getVolume() const {
  Extent volume;
  for (const Extent &size : sizes) {
    volume = volume * size;
  }
  return volume;
}

bool VPU::isReshape(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
         (cast && isa<RankedTensorType>(cast.getSource().getType()));
}

SmallVector<int64_t> VPU::getLoopExtents(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    return structured.getStaticLoopRanges();
  }
  return llvm::to_vector(getTensorType(op->getResult(0)).getShape());
}

SmallVector<unsigned> VPU::getResultDims(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    return llvm::to_vector(llvm::seq<unsigned>(0, getLoopExtents(op).size()));
  }
  AffineMap map =
      structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
  return llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition();
  });
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

/// `expr`, a multiple of `extent` as far as it shows, divided by it and rounded
/// down.
static AffineExpr divide(AffineExpr expr, const Extent &extent,
                         const SizeTable &table) {
  AffineExpr divisor = table.getExpr(expr.getContext(), extent);
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!extent.isConstant() && product &&
      product.getKind() == AffineExprKind::Mul && product.getRHS() == divisor) {
    return product.getLHS();
  }
  return expr.floorDiv(divisor);
}

/// The opposite: where `inner` lies in the `outer`th of parts of this extent.
static AffineExpr join(AffineExpr outer, const Extent &extent, AffineExpr inner,
                       const SizeTable &table) {
  AffineExpr size = table.getExpr(outer.getContext(), extent);
  auto quotient = dyn_cast<AffineBinaryOpExpr>(outer);
  auto rest = dyn_cast<AffineBinaryOpExpr>(inner);
  if (quotient && rest && quotient.getKind() == AffineExprKind::FloorDiv &&
      rest.getKind() == AffineExprKind::Mod &&
      quotient.getLHS() == rest.getLHS() && quotient.getRHS() == size &&
      rest.getRHS() == size) {
    return quotient.getLHS();
  }
  return outer * size + inner;
}

/// True if parts of size `part`, which start at multiples of it, end where
/// their dimension does.
static bool fits(const Extent &part, const Extent &extent, bool hasDimsBefore) {
  if (part == extent || part == Extent()) {
    return true;
  }
  if (part.isConstant() && extent.isConstant()) {
    return extent.dividedBy(part).has_value();
  }
  // The last tile of a size that is computed at run time is cut off where all
  // of them end.
  return !part.isConstant() && !hasDimsBefore;
}

/// The box of several dimensions that lies where a part of their product does:
/// single elements, then a part of one dimension, then whole dimensions.
static bool expandPart(ArrayRef<Extent> extents, AffineExpr offset,
                       const Extent &size, const SizeTable &table, Box &box) {
  if (extents.empty()) {
    return true;
  }
  int64_t partial = extents.size() - 1;
  Extent inner, part = size;
  while (partial > 0) {
    std::optional<Extent> outer = part.dividedBy(extents[partial]);
    if (!outer || *outer == Extent()) {
      break;
    }
    inner = inner * extents[partial--];
    part = *outer;
  }
  Extent before, rest;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    rest = rest * extent;
    before = static_cast<int64_t>(i) < partial ? before * extent : before;
  }
  if (!fits(part, extents[partial], before != Extent())) {
    return false;
  }
  Extent outer;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    rest = Extent();
    for (const Extent &later : extents.drop_front(i + 1)) {
      rest = rest * later;
    }
    int64_t position = i;
    Extent own = position < partial    ? Extent()
                 : position == partial ? part
                                       : extent;
    AffineExpr start = getAffineConstantExpr(0, offset.getContext());
    if (own != extent) {
      start = divide(offset, rest, table);
      // Nothing is carried over where there is nothing before.
      start = outer == Extent()
                  ? start
                  : start % table.getExpr(offset.getContext(), extent);
    }
    outer = outer * extent;
    box.offsets.push_back(start);
    box.sizes.push_back(own);
  }
  return true;
}

/// The opposite of expandPart().
static bool collapseParts(ArrayRef<Extent> extents,
                          ArrayRef<AffineExpr> offsets, ArrayRef<Extent> sizes,
                          const SizeTable &table, Box &box) {
  AffineExpr offset = getAffineConstantExpr(0, offsets.front().getContext());
  Extent size;
  bool isPart = false;
  for (auto [extent, partOffset, partSize] :
       llvm::zip_equal(extents, offsets, sizes)) {
    if (isPart && partSize != extent) {
      return false;
    }
    offset = join(offset, extent, partOffset, table);
    size = size * partSize;
    isPart |= partSize != Extent();
  }
  box.offsets.push_back(offset);
  box.sizes.push_back(size);
  return true;
}

static SmallVector<Extent> getShape(Value tensor, SizeTable &table) {
  SmallVector<Extent> shape;
  for (int64_t i = 0; i < getTensorType(tensor).getRank(); ++i) {
    shape.push_back(table.getSize(tensor, i));
  }
  return shape;
}

/// The box of a reshape's source for one of its result.
static std::optional<Box> getSourceBox(Operation *op, const Box &result,
                                       SizeTable &table) {
  if (isa<tensor::CastOp>(op)) {
    return result;
  }
  Box box;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<Extent> shape = getShape(expand.getResult(), table);
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      int64_t first = group.front(), count = group.size();
      if (!collapseParts(ArrayRef(shape).slice(first, count),
                         ArrayRef(result.offsets).slice(first, count),
                         ArrayRef(result.sizes).slice(first, count), table,
                         box)) {
        return std::nullopt;
      }
    }
    return box;
  }
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  SmallVector<Extent> shape = getShape(collapse.getSrc(), table);
  for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (!expandPart(ArrayRef(shape).slice(group.front(), group.size()),
                    result.offsets[i], result.sizes[i], table, box)) {
      return std::nullopt;
    }
  }
  // Of a scalar's dimensions none is named by a group.
  for (int64_t i = box.sizes.size(), e = shape.size(); i < e; ++i) {
    box.offsets.push_back(getZero(op));
    box.sizes.push_back(Extent());
  }
  return box;
}

/// The box of an operand for one of the op's loops; nothing where the operand
/// is read in another way than dimension by dimension.
static std::optional<Box> getOperandBox(OpOperand &operand, const Box &loops,
                                        SizeTable &table) {
  Operation *op = operand.getOwner();
  if (isReshape(op)) {
    return getSourceBox(op, loops, table);
  }
  Box box;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    // The left operand of a product: whole rows.
    box.offsets = {loops.offsets[0], loops.offsets[1], getZero(op)};
    box.sizes = {loops.sizes[0], loops.sizes[1],
                 table.getSize(operand.get(), 2)};
    return box;
  }
  for (AffineExpr expr :
       structured.getMatchingIndexingMap(&operand).getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      box.offsets.push_back(loops.offsets[dim.getPosition()]);
      box.sizes.push_back(loops.sizes[dim.getPosition()]);
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      box.offsets.push_back(constant);
      box.sizes.push_back(Extent());
    } else {
      return std::nullopt;
    }
  }
  return box;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

RowGroup::RowGroup(TilingInterface root, ArrayRef<unsigned> dims)
    : root(root), table(getLoopExtents(root).size()) {
  members.push_back(root);
  setDims(dims);
}

RowGroup::RowGroup(ArrayRef<Operation *> members, ArrayRef<unsigned> dims)
    : root(cast<TilingInterface>(members.front())),
      table(getLoopExtents(root).size()), members(members) {
  setDims(dims);
}

Operation *RowGroup::getMisfit() const {
  for (Operation *op : llvm::drop_begin(members)) {
    if (!getNeededBox(op) || !isComputedOnce(op, loops.find(op)->second)) {
      return op;
    }
  }
  return nullptr;
}

/// Where operands agree on a loop, the result's size counts: users trace it.
SmallVector<Extent> RowGroup::getExtents(Operation *op) const {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    return getShape(op->getResult(0), table);
  }
  SmallVector<Extent> extents;
  for (auto [dim, extent] : llvm::enumerate(structured.getStaticLoopRanges())) {
    if (!ShapedType::isDynamic(extent)) {
      extents.push_back(extent);
      continue;
    }
    AffineExpr expr = getAffineDimExpr(dim, op->getContext());
    SmallVector<OpOperand *> operands = {structured.getDpsInitOperand(0)};
    llvm::append_range(operands, structured.getDpsInputOperands());
    for (OpOperand *operand : operands) {
      if (std::optional<unsigned> position =
              structured.getMatchingIndexingMap(operand).getResultPosition(
                  expr)) {
        extents.push_back(table.getSize(operand->get(), *position));
        break;
      }
    }
  }
  return extents;
}

Extent RowGroup::getExtent(unsigned dim) const { return getExtents(root)[dim]; }

Extent RowGroup::getPoints(Operation *member) const {
  Extent points;
  for (const Extent &extent : getExtents(member)) {
    points = points * extent;
  }
  if (auto product = dyn_cast<NCEMatMulOp>(member)) {
    points = points * table.getSize(product.getLhs(), 2);
  }
  return points;
}

bool RowGroup::isDynamic() const {
  return llvm::any_of(members, [](Operation *op) {
    return llvm::any_of(getLoopExtents(op), ShapedType::isDynamic) ||
           (isa<NCEMatMulOp>(op) &&
            !getTensorType(op->getOperand(0)).hasStaticShape());
  });
}

int64_t RowGroup::getNumTiles() const {
  int64_t tiles = 1;
  for (auto [size, extent] :
       llvm::zip_equal(sizes, getTypicalShape(getLoopExtents(root)))) {
    if (size > 0) {
      tiles *= extent / size;
    }
  }
  return tiles;
}

/// The loops of `op` that compute a box of its result.
Box RowGroup::getLoops(Operation *op, const Box &result) const {
  if (!isa<linalg::LinalgOp>(op)) {
    return result;
  }
  Box box;
  box.sizes = getExtents(op);
  box.offsets.assign(box.sizes.size(), getZero(op));
  for (auto [i, dim] : llvm::enumerate(getResultDims(op))) {
    box.offsets[dim] = result.offsets[i];
    box.sizes[dim] = result.sizes[i];
  }
  return box;
}

/// Notes what `op` needs for its part of the loops.
void RowGroup::addNeeds(Operation *op) {
  for (OpOperand *operand : getRowOperands(op)) {
    std::optional<Box> box =
        getOperandBox(*operand, loops.find(op)->second, table);
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
      for (auto [i, extent] : llvm::enumerate(getExtents(op))) {
        bool isWhole = sizes[i] == kWhole;
        box.sizes.push_back(isWhole ? extent
                            : ShapedType::isDynamic(sizes[i])
                                ? table.getTileSize(i)
                                : Extent(sizes[i]));
        box.offsets.push_back(isWhole ? getZero(op)
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

/// All tiles together are the root's loops, and all parts shall be those of the
/// op.
bool RowGroup::isComputedOnce(Operation *op, const Box &part) const {
  Extent parts = part.getVolume(), whole;
  for (const Extent &extent : getExtents(op)) {
    whole = whole * extent;
  }
  const Box &tile = loops.find(root)->second;
  for (auto [size, extent] : llvm::zip_equal(tile.sizes, getExtents(root))) {
    parts = parts * extent;
    whole = whole * size;
  }
  return parts == whole;
}

bool RowGroup::add(Operation *producer, const Box &box) {
  Box part = getLoops(producer, box);
  if (!isComputedOnce(producer, part)) {
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
  SmallVector<int64_t> tile(getLoopExtents(root).size(), kWhole);
  for (unsigned dim : dims) {
    tile[dim] = 1;
  }
  return setTile(tile);
}

bool RowGroup::setTile(ArrayRef<int64_t> tile) {
  sizes.assign(tile.begin(), tile.end());
  for (auto [size, extent] : llvm::zip_equal(sizes, getLoopExtents(root))) {
    size = size == extent && !ShapedType::isDynamic(size) ? kWhole : size;
  }
  return computeBoxes();
}

/// Elements of an operand that a part of the loops reads or writes.
static Extent getVolume(OpOperand &operand, const Box &loops,
                        SizeTable &table) {
  auto structured = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  auto destination = cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!structured && destination.isDpsInit(&operand)) {
    return loops.getVolume();
  }
  if (std::optional<Box> box = getOperandBox(operand, loops, table)) {
    return box->getVolume();
  }
  Extent volume;
  for (const Extent &extent : getShape(operand.get(), table)) {
    volume = volume * extent;
  }
  return volume;
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

SmallVector<Traffic> RowGroup::getTraffic() const {
  SmallVector<Traffic> traffic;
  llvm::SmallPtrSet<Value, 8> counted;
  auto add = [&](OpOperand &operand, const Box &part) {
    traffic.push_back({getVolume(operand, part, table),
                       getTensorType(operand.get()).getElementTypeBitWidth()});
  };
  for (Operation *op : members) {
    if (isReshape(op)) {
      continue;
    }
    const Box &part = loops.find(op)->second;
    OpOperand *init =
        cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0);
    if (!getReusableOperand(op)) {
      add(*init, part);
    }
    for (OpOperand *operand : getRowOperands(op)) {
      Value value = operand->get();
      if (contains(value.getDefiningOp())) {
        continue;
      }
      // Slices of one tensor, as of joined projections, count once.
      auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
      if (counted.insert(slice ? slice.getSource() : value).second) {
        add(*operand, part);
      }
    }
  }
  return traffic;
}

int64_t RowGroup::getTileBytes() const {
  int64_t bytes = 0;
  for (const Traffic &traffic : getTraffic()) {
    bytes += llvm::divideCeilSigned(
        table.getMost(traffic.elements) * traffic.bits, 8);
  }
  return bytes;
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
