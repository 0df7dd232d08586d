//===- RowGroupTiling.cpp - Loops over rows -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the loops over tiles of a group: the root is tiled by upstream, the
// other members are then built where their parts are needed.
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace nacre::VPU {

/// Builds what computes one tile.
class TileBuilder {
public:
  /// `position` and `tileSizes` are those of the tile in the root's loops.
  TileBuilder(RewriterBase &rewriter, const SizeTable &table,
              ArrayRef<OpFoldResult> position, ArrayRef<OpFoldResult> tileSizes)
      : rewriter(rewriter), table(table), position(position),
        tileSizes(tileSizes) {}

  /// Has tiles of dynamic sizes lie in buffers for the largest tile, given its
  /// sizes, that are made before `loop`.
  void keepBuffers(Operation *loop, ArrayRef<OpFoldResult> largest);

  /// Computes the given part of the loops of a member whose producers among the
  /// members were built before.
  FailureOr<Operation *> build(Operation *op, const Box &loops);

  /// Lets `tiled`, a tile of `op`, read the tiles that members computed instead
  /// of slices.
  void connect(Operation *op, Operation *tiled, ArrayRef<Operation *> slices);

private:
  SmallVector<OpFoldResult> getOffsets(Location loc, const Box &box);
  SmallVector<OpFoldResult> getSizes(Location loc, const Box &box);
  Operation *buildReshape(Operation *op, const Box &loops);
  Value buildBuffer(Location loc, RankedTensorType type,
                    ArrayRef<Extent> sizes);
  void buildDestination(Operation *op, Operation *tiled, const Box &loops);

  RewriterBase &rewriter;
  const SizeTable &table;
  SmallVector<OpFoldResult> position, tileSizes;
  Operation *outermost = nullptr;
  SmallVector<OpFoldResult> largest; // tile sizes
  IRMapping tiles;
};

} // namespace nacre::VPU

void TileBuilder::keepBuffers(Operation *loop, ArrayRef<OpFoldResult> sizes) {
  outermost = loop;
  largest.assign(sizes.begin(), sizes.end());
}

/// Whether an expression divides by what only a run knows.
static bool dividesBySymbols(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr inner) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(inner);
    found |= binary &&
             llvm::is_contained({AffineExprKind::FloorDiv,
                                 AffineExprKind::CeilDiv, AffineExprKind::Mod},
                                binary.getKind()) &&
             !isa<AffineConstantExpr>(binary.getRHS());
  });
  return found;
}

SmallVector<OpFoldResult> TileBuilder::getOffsets(Location loc,
                                                  const Box &box) {
  unsigned numSymbols = table.getNumSymbols();
  return llvm::map_to_vector(box.offsets, [&](AffineExpr expr) {
    SmallVector<OpFoldResult> operands(position);
    bool divides = dividesBySymbols(expr);
    for (unsigned i = 0; i < numSymbols; ++i) {
      if (!expr.isFunctionOfSymbol(i)) {
        operands.push_back(rewriter.getIndexAttr(0));
        continue;
      }
      OpFoldResult size = table.buildSymbol(rewriter, loc, i, tileSizes);
      // Where a tensor has no elements, all places in it are as good.
      if (auto value = dyn_cast<Value>(size); value && divides) {
        Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
        size = arith::MaxUIOp::create(rewriter, loc, value, one).getResult();
      }
      operands.push_back(size);
    }
    AffineMap map = AffineMap::get(position.size(), numSymbols, expr);
    return affine::makeComposedFoldedAffineApply(rewriter, loc, map, operands);
  });
}

SmallVector<OpFoldResult> TileBuilder::getSizes(Location loc, const Box &box) {
  return llvm::map_to_vector(box.sizes, [&](const Extent &size) {
    return table.build(rewriter, loc, size, tileSizes);
  });
}

Operation *TileBuilder::buildReshape(Operation *op, const Box &loops) {
  Value source = tiles.lookup(op->getOperand(0));
  SmallVector<OpFoldResult> sizes = getSizes(op->getLoc(), loops);
  SmallVector<int64_t> shape;
  SmallVector<Value> unknown;
  dispatchIndexOpFoldResults(sizes, unknown, shape);
  auto type = getTensorType(op->getResult(0)).clone(shape);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    return tensor::ExpandShapeOp::create(rewriter, op->getLoc(), type, source,
                                         expand.getReassociationIndices(),
                                         sizes);
  }
  if (isa<tensor::CastOp>(op)) {
    return tensor::CastOp::create(rewriter, op->getLoc(), type, source);
  }
  return tensor::CollapseShapeOp::create(
      rewriter, op->getLoc(), type, source,
      cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

void TileBuilder::connect(Operation *op, Operation *tiled,
                          ArrayRef<Operation *> slices) {
  // A generic op takes a size that is known of one operand only; named ones may
  // not.
  bool wantsSameType = isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp>(op);
  for (auto [i, original] : llvm::enumerate(op->getOperands())) {
    Value tile = tiles.lookupOrNull(original);
    Type type = tiled->getOperand(i).getType();
    if (tile && tile.getType() != type && wantsSameType) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(tiled);
      tile = tensor::CastOp::create(rewriter, op->getLoc(), type, tile);
    }
    if (tile) {
      tiled->setOperand(i, tile);
    }
  }
  for (Operation *slice : slices) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
    }
  }
}

/// A tensor of a tile's `type`, which has the given sizes.
Value TileBuilder::buildBuffer(Location loc, RankedTensorType type,
                               ArrayRef<Extent> sizes) {
  if (!outermost || type.hasStaticShape()) {
    SmallVector<OpFoldResult> shape;
    for (const Extent &size : sizes) {
      shape.push_back(table.build(rewriter, loc, size, tileSizes));
    }
    return tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  }
  SmallVector<OpFoldResult> most, own,
      offsets(sizes.size(), rewriter.getIndexAttr(0)),
      strides(sizes.size(), rewriter.getIndexAttr(1));
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(outermost);
    for (const Extent &size : sizes) {
      most.push_back(table.build(rewriter, loc, size, largest));
    }
    buffer =
        tensor::EmptyOp::create(rewriter, loc, most, type.getElementType());
  }
  for (const Extent &size : sizes) {
    own.push_back(table.build(rewriter, loc, size, tileSizes));
  }
  return tensor::ExtractSliceOp::create(rewriter, loc, type, buffer, offsets,
                                        own, strides);
}

/// The destination of a tile is a tensor of its own, which starts as the
/// member's does.
void TileBuilder::buildDestination(Operation *op, Operation *tiled,
                                   const Box &loops) {
  auto destination = cast<DestinationStyleOpInterface>(tiled);
  OpOperand *init = destination.getDpsInitOperand(0);
  SmallVector<Extent> sizes;
  for (unsigned dim : getResultDims(op)) {
    sizes.push_back(loops.sizes[dim]);
  }
  rewriter.setInsertionPoint(tiled);
  Value buffer = buildBuffer(op->getLoc(), getTensorType(init->get()), sizes);
  Value original =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  if (auto fill = original.getDefiningOp<linalg::FillOp>()) {
    buffer = linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(),
                                    buffer)
                 .getResult(0);
  }
  rewriter.modifyOpInPlace(tiled, [&] {
    init->set(buffer);
    tiled->getResult(0).setType(buffer.getType());
  });
  rewriter.setInsertionPointAfter(tiled);
}

FailureOr<Operation *> TileBuilder::build(Operation *op, const Box &loops) {
  if (isReshape(op)) {
    Operation *tiled = buildReshape(op, loops);
    tiles.map(op->getResult(0), tiled->getResult(0));
    return tiled;
  }
  FailureOr<TilingResult> result =
      cast<TilingInterface>(op).getTiledImplementation(
          rewriter, getOffsets(op->getLoc(), loops),
          getSizes(op->getLoc(), loops));
  if (failed(result)) {
    return failure();
  }
  Operation *tiled = result->tiledOps.front();
  if (isa<linalg::LinalgOp>(op) || outermost) {
    buildDestination(op, tiled, loops);
  }
  connect(op, tiled, result->generatedSlices);
  tiles.map(op->getResult(0), tiled->getResult(0));
  return tiled;
}

FailureOr<RowGroup> RowGroup::finishTile(RewriterBase &rewriter,
                                         TileBuilder &builder, Operation *tiled,
                                         ArrayRef<Operation *> slices,
                                         ValueRange replacements) const {
  RowGroup result = *this;
  result.root = cast<TilingInterface>(tiled);
  result.members.front() = tiled;
  for (size_t i = members.size(); i-- > 1;) {
    FailureOr<Operation *> member =
        builder.build(members[i], loops.find(members[i])->second);
    if (failed(member)) {
      return failure();
    }
    result.members[i] = *member;
  }
  result.loops.clear();
  result.needs.clear();
  for (Operation *member : result.members) {
    result.loops[member] = Box();
  }
  builder.connect(root, tiled, slices);
  rewriter.replaceOp(root, replacements);
  for (Operation *op : llvm::drop_begin(members)) {
    // Loops are as long as what the root read.
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      table.resolve(rewriter, cast<tensor::DimOp>(user));
    }
    rewriter.eraseOp(op);
  }
  return result;
}

FailureOr<RowGroup> RowGroup::tile(RewriterBase &rewriter,
                                   scf::SCFTilingOptions options) const {
  // Zero means no loop.
  static_assert(kWhole == 0);
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), sizes));
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
  SmallVector<OpFoldResult> position(sizes.size(), rewriter.getIndexAttr(0));
  unsigned next = 0;
  for (auto [size, value] : llvm::zip_equal(sizes, position)) {
    if (size != kWhole) {
      value = variables[next++];
    }
  }
  Operation *last = tiledRoot->tiledOps.front();
  rewriter.setInsertionPoint(last);
  TileBuilder builder(rewriter, table, position,
                      getAsIndexOpFoldResult(rewriter.getContext(), sizes));
  FailureOr<RowGroup> result =
      finishTile(rewriter, builder, last, tiledRoot->generatedSlices,
                 tiledRoot->replacements);
  if (failed(result)) {
    return failure();
  }
  if (!result->setDims(dims)) {
    return failure();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// At run time
//===----------------------------------------------------------------------===//

namespace {

/// A part of an op's loops that is an op of its own.
struct Part {
  TilingInterface op;
  SmallVector<OpFoldResult> position; // in the loops of the op it is a part of
  SmallVector<Operation *> slices;
  SmallVector<Value> replacements;
};

} // namespace

/// Shares the loops of `op` among as many clusters as computed at run time.
/// Parts may be empty.
static FailureOr<Part> share(RewriterBase &rewriter, TilingInterface op,
                             const RunTimeParts &parts) {
  Location loc = op->getLoc();
  MLIRContext *context = rewriter.getContext();
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain = op.getIterationDomain(rewriter);
  AffineExpr d0, d1, d2;
  bindDims(context, d0, d1, d2);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(operands.size(), 0, expr, context),
        operands);
  };
  auto toValue = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, size);
  };
  auto compare = [&](arith::CmpIPredicate predicate, OpFoldResult a,
                     OpFoldResult b) -> Value {
    return arith::CmpIOp::create(rewriter, loc, predicate, toValue(a),
                                 toValue(b));
  };
  // Few and uneven parts of the first loop leave the second one, if it is
  // longer.
  OpFoldResult first = domain[parts.first].size,
               second = domain[parts.second].size;
  Value takesSecond;
  if (parts.first != parts.second && parts.fewSteps != 0) {
    Value rest = arith::RemUIOp::create(rewriter, loc, toValue(first),
                                        toValue(parts.number));
    Value isUneven =
        compare(arith::CmpIPredicate::ne, rest, rewriter.getIndexAttr(0));
    Value isShort = compare(arith::CmpIPredicate::ult, first,
                            apply(d0 * parts.fewSteps, {parts.number}));
    Value isShorter = compare(arith::CmpIPredicate::ult, first, second);
    takesSecond = arith::AndIOp::create(rewriter, loc, isUneven, isShort);
    takesSecond = arith::AndIOp::create(rewriter, loc, takesSecond, isShorter);
  }
  auto getStep = [&](OpFoldResult extent, bool isFirst) -> OpFoldResult {
    Value step = arith::CeilDivUIOp::create(rewriter, loc, toValue(extent),
                                            toValue(parts.number));
    if (!takesSecond) {
      return step;
    }
    return arith::SelectOp::create(rewriter, loc, takesSecond,
                                   isFirst ? toValue(extent) : step,
                                   isFirst ? step : toValue(extent))
        .getResult();
  };
  OpFoldResult steps[] = {getStep(first, true), getStep(second, false)};

  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  Value init = destination.getDpsInitOperand(0)->get();
  auto forall = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{parts.number}, init,
      rewriter.getArrayAttr(
          {ClusterAttr::get(context, ClusterStrategy::SplitOverHeight)}));
  rewriter.setInsertionPoint(forall.getTerminator());
  Value cluster = forall.getInductionVar(0);
  SmallVector<OpFoldResult> offsets(domain.size(), rewriter.getIndexAttr(0)),
      sizes;
  for (const Range &range : domain) {
    sizes.push_back(range.size);
  }
  const unsigned dims[] = {parts.first, parts.second};
  for (auto [dim, step] : llvm::zip_equal(dims, steps)) {
    OpFoldResult extent = domain[dim].size;
    Value number = cluster;
    // The loop that is not shared has one step.
    if (takesSecond) {
      Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      bool isFirst = dim == parts.first;
      number = arith::SelectOp::create(rewriter, loc, takesSecond,
                                       isFirst ? zero : cluster,
                                       isFirst ? cluster : zero);
    }
    Value start = arith::MinUIOp::create(
        rewriter, loc,
        arith::MulIOp::create(rewriter, loc, number, toValue(step)),
        toValue(extent));
    offsets[dim] = start;
    Value left = arith::SubIOp::create(rewriter, loc, toValue(extent), start);
    sizes[dim] =
        arith::MinUIOp::create(rewriter, loc, toValue(step), left).getResult();
    if (!takesSecond) {
      break;
    }
  }
  FailureOr<TilingResult> tiled =
      op.getTiledImplementation(rewriter, offsets, sizes);
  SmallVector<OpFoldResult> resultOffsets, resultSizes;
  if (failed(tiled) ||
      failed(op.getResultTilePosition(rewriter, 0, offsets, sizes,
                                      resultOffsets, resultSizes))) {
    return failure();
  }
  Operation *part = tiled->tiledOps.front();
  // Each cluster writes its part of what the loop carries.
  Value carried = forall.getRegionIterArgs().front();
  Value own =
      cast<DestinationStyleOpInterface>(part).getDpsInitOperand(0)->get();
  SmallVector<OpFoldResult> strides(resultSizes.size(),
                                    rewriter.getIndexAttr(1));
  rewriter.setInsertionPoint(part);
  Value slice =
      tensor::ExtractSliceOp::create(rewriter, loc, getTensorType(own), carried,
                                     resultOffsets, resultSizes, strides);
  rewriter.modifyOpInPlace(part, [&] {
    cast<DestinationStyleOpInterface>(part).getDpsInitOperand(0)->set(slice);
  });
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, part->getResult(0),
                                        carried, resultOffsets, resultSizes,
                                        strides);
  return Part{cast<TilingInterface>(part),
              offsets,
              tiled->generatedSlices,
              {forall.getResult(0)}};
}

FailureOr<RowGroup> RowGroup::tileAtRunTime(RewriterBase &rewriter,
                                            ArrayRef<OpFoldResult> tileSizes,
                                            const RunTimeParts *parts) const {
  SmallVector<OpFoldResult> loopSizes =
      getAsIndexOpFoldResult(rewriter.getContext(), sizes);
  for (auto [loop, given, size] :
       llvm::zip_equal(loopSizes, tileSizes, sizes)) {
    loop = ShapedType::isDynamic(size) ? given : loop;
  }
  Part part{root, {}, {}, {}};
  if (parts) {
    FailureOr<Part> shared = share(rewriter, root, *parts);
    if (failed(shared)) {
      return failure();
    }
    part = std::move(*shared);
  }
  scf::SCFTilingOptions options;
  options.setTileSizes(loopSizes);
  rewriter.setInsertionPoint(part.op);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, part.op, options);
  if (failed(tiled)) {
    return failure();
  }
  // What a tile is, its insertion into the result says.
  Operation *last = tiled->tiledOps.front();
  auto insertion = cast<tensor::InsertSliceOp>(*last->user_begin());
  SmallVector<OpFoldResult> position(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> actual = loopSizes;
  rewriter.setInsertionPoint(last);
  for (auto [i, dim] : llvm::enumerate(getResultDims(root))) {
    position[dim] = insertion.getMixedOffsets()[i];
    actual[dim] = insertion.getMixedSizes()[i];
    if (parts) {
      AffineExpr d0, d1;
      bindDims(rewriter.getContext(), d0, d1);
      position[dim] = affine::makeComposedFoldedAffineApply(
          rewriter, root->getLoc(), d0 + d1,
          {position[dim], part.position[dim]});
    }
  }
  TileBuilder builder(rewriter, table, position, actual);
  builder.keepBuffers(tiled->loops.front(), loopSizes);
  SmallVector<Operation *> slices = tiled->generatedSlices;
  llvm::append_range(slices, part.slices);
  if (parts) {
    rewriter.replaceOp(part.op, tiled->replacements);
  }
  FailureOr<RowGroup> result = finishTile(
      rewriter, builder, last, slices,
      parts ? ValueRange(part.replacements) : ValueRange(tiled->replacements));
  if (failed(result)) {
    return failure();
  }
  return result;
}
