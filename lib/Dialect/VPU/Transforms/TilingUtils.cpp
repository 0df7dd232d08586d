//===- TilingUtils.cpp - What the tiling passes share ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile sizes are static by construction, where sizes are: a tile that does not
// divide its dimension would have a remainder of dynamic size, for which most
// kernels do not exist. What parts of a software kernel leave over is therefore
// an op of its own.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using VPU::ClusterAttr;
using VPU::ClusterStrategy;
using VPU::RunTimeSplit;

ArrayRef<int64_t> VPU::getDestinationShape(NCEOpInterface op) {
  Value init = cast<DestinationStyleOpInterface>(op.getOperation())
                   .getDpsInitOperand(0)
                   ->get();
  return cast<ShapedType>(init.getType()).getShape();
}

/// True when `expr` never falls as its dimensions rise, as far as can be told.
static bool isMonotonic(AffineExpr expr) {
  WalkResult walk = expr.walk([](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || part.getKind() == AffineExprKind::Add) {
      return WalkResult::advance();
    }
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool rises = part.getKind() != AffineExprKind::Mod && factor &&
                 factor.getValue() >= 0;
    return rises ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

bool VPU::readsForwards(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::all_of(map.getResults(), isMonotonic);
  });
}

SmallVector<int64_t> VPU::getEvenTileSizes(int64_t extent, int64_t step) {
  SmallVector<int64_t> sizes = {extent};
  for (int64_t size = extent / 2; size > 0; --size) {
    if (extent % size == 0 && size % step == 0) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

std::optional<int64_t> VPU::getOperandElements(NCEOpInterface op,
                                               OpOperand &operand,
                                               ArrayRef<int64_t> tile) {
  // Boxes at constant positions fold to constants: nothing is built.
  OpBuilder builder(op);
  SmallVector<OpFoldResult> offsets(tile.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(op.getContext(), tile);
  SmallVector<OpFoldResult> boxOffsets, boxSizes;
  if (cast<DestinationStyleOpInterface>(op.getOperation())
          .isDpsInit(&operand)) {
    boxSizes = sizes;
  } else if (failed(cast<TiledOpInterface>(op.getOperation())
                        .getOperandTile(builder, operand, offsets, sizes,
                                        boxOffsets, boxSizes))) {
    return std::nullopt;
  }
  int64_t elements = 1;
  for (OpFoldResult size : boxSizes) {
    elements *= getConstantIntValue(size).value_or(kTypicalSize);
  }
  return elements;
}

std::optional<int64_t> VPU::getWorkingSet(NCEOpInterface op,
                                          ArrayRef<int64_t> tile) {
  int64_t bytes = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type) {
      continue;
    }
    std::optional<int64_t> elements = getOperandElements(op, operand, tile);
    if (!elements) {
      return std::nullopt;
    }
    bytes += *elements * type.getElementTypeBitWidth() / 8;
  }
  return bytes;
}

bool VPU::isPaddedInPlace(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return strategy && strategy.getPadInPlace();
}

VPU::CopyOp VPU::getFusableCopy(Value value) {
  auto copy = value.getDefiningOp<CopyOp>();
  return copy && copy->hasOneUse() && !isPaddedInPlace(copy) ? copy : CopyOp();
}

VPU::CopyOp VPU::getUnblocking(NCEOpInterface op) {
  auto copy = op->hasOneUse() ? dyn_cast<CopyOp>(*op->user_begin()) : CopyOp();
  // Not in a loop of the model, in each iteration of which it would run.
  bool isForIt = copy && copy.getSource() == op->getResult(0) &&
                 copy->getBlock() == op->getBlock() &&
                 copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHW);
  return isForIt ? copy : CopyOp();
}

VPU::NCEOpInterface VPU::getRowProducer(NCEOpInterface op) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op.getOperation());
  if (!convolution || !convolution.isPointwise()) {
    return {};
  }
  Operation *producer =
      convolution.getInput().getDefiningOp<NCEDepthConvolutionOp>();
  // Not into a loop, in each iteration of which it would be computed.
  bool isForIt = producer && producer->hasOneUse() &&
                 producer->getBlock() == op->getBlock();
  return isForIt ? cast<NCEOpInterface>(producer) : NCEOpInterface();
}

VPU::FusedOps VPU::getFusedOps(NCEOpInterface op, StrategyAttr strategy) {
  FusedOps others;
  if (strategy.fuses(FusedNeighbours::producer)) {
    others.producer = getRowProducer(op);
  }
  if (strategy.fuses(FusedNeighbours::unblocking)) {
    others.unblocking = getUnblocking(op);
  }
  return others;
}

/// The copies that `op` reads and that are computed in its loops.
static SmallVector<VPU::CopyOp> getFusableCopies(VPU::NCEOpInterface op) {
  SmallVector<VPU::CopyOp> copies;
  for (Value operand : op->getOperands()) {
    if (VPU::CopyOp copy = VPU::getFusableCopy(operand)) {
      copies.push_back(copy);
    }
  }
  return copies;
}

double VPU::getCyclesOfLoops(NCEOpInterface op, FusedOps others,
                             const CostModel &model) {
  double cycles = others.unblocking ? model.getCycles(others.unblocking) : 0;
  for (NCEOpInterface each : {op, others.producer}) {
    if (!each) {
      continue;
    }
    cycles += model.getCycles(each);
    for (CopyOp copy : getFusableCopies(each)) {
      cycles += model.getCycles(copy);
    }
  }
  return cycles;
}

FailureOr<VPU::NCEOpInterface> VPU::tileAndFuse(RewriterBase &rewriter,
                                                NCEOpInterface op,
                                                ArrayRef<int64_t> tile,
                                                scf::SCFTilingOptions options,
                                                FusedOps others) {
  SmallVector<int64_t> loopSizes(tile);
  for (auto [size, extent] :
       llvm::zip_equal(loopSizes, getDestinationShape(op))) {
    // Zero means no loop.
    size = size == extent ? 0 : size;
  }
  // The model's order has images, channels, rows and columns where blocks have
  // them, but for the channels of a block.
  if (others.unblocking) {
    loopSizes.pop_back();
  }
  options.setTileSizes(getAsIndexOpFoldResult(op.getContext(), loopSizes));
  return tileAndFuse(rewriter, op, std::move(options), others);
}

/// The op whose loops those of `op` and `others` are.
static Operation *getRoot(VPU::NCEOpInterface op, VPU::FusedOps others) {
  return others.unblocking ? others.unblocking.getOperation()
                           : op.getOperation();
}

FailureOr<VPU::NCEOpInterface> VPU::tileAndFuse(RewriterBase &rewriter,
                                                NCEOpInterface op,
                                                scf::SCFTilingOptions options,
                                                FusedOps others) {
  // Asked before tiling adds users: slices.
  llvm::SmallPtrSet<Operation *, 4> fused;
  fused.insert_range(getFusableCopies(op));
  if (others.producer) {
    fused.insert_range(getFusableCopies(others.producer));
    fused.insert(others.producer);
  }
  Operation *root = getRoot(op, others);
  if (root != op) {
    fused.insert(op);
  }
  scf::SCFTileAndFuseOptions fuseOptions;
  fuseOptions.setTilingOptions(std::move(options));
  fuseOptions.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult result, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isDestination || !fused.contains(result.getOwner())) {
          return std::nullopt;
        }
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(root), fuseOptions);
  if (failed(tiled)) {
    return failure();
  }
  SmallVector<Value> replacements;
  for (Value result : root->getResults()) {
    replacements.push_back(tiled->replacements.lookup(result));
  }
  rewriter.replaceOp(root, replacements);
  Operation *part = tiled->tiledAndFusedOps.front();
  return others.unblocking
             ? cast<CopyOp>(part).getSource().getDefiningOp<NCEOpInterface>()
             : cast<NCEOpInterface>(part);
}

int64_t VPU::getGrain(int64_t openLoops, double cycles, int64_t minCycles) {
  double typicalPoints = std::pow(kTypicalSize, openLoops);
  double cyclesPerPoint = (cycles > 0 ? cycles : 1.0) / typicalPoints;
  auto grain = static_cast<int64_t>(
      std::ceil(static_cast<double>(minCycles) / cyclesPerPoint));
  return std::max<int64_t>(grain, 1);
}

OpFoldResult VPU::buildNumParts(OpBuilder &builder, Location loc, Value points,
                                int64_t clusters, int64_t grain) {
  MLIRContext *context = builder.getContext();
  AffineExpr d0 = builder.getAffineDimExpr(0);
  // Unsigned, so that a compiler sees which sizes are one part.
  Value worth = builder.createOrFold<arith::DivUIOp>(
      loc, points, arith::ConstantIndexOp::create(builder, loc, grain));
  AffineMap most =
      AffineMap::get(1, 0, {d0, builder.getAffineConstantExpr(1)}, context);
  AffineMap least = AffineMap::get(
      1, 0, {d0, builder.getAffineConstantExpr(clusters)}, context);
  OpFoldResult parts =
      affine::makeComposedFoldedAffineMax(builder, loc, most, {worth});
  return affine::makeComposedFoldedAffineMin(builder, loc, least, {parts});
}

/// The number of parts of an op, computed at run time. Null where a loop is
/// known to have no steps: upstream's tiling takes a tile of size 0 for a loop
/// that is not tiled.
static OpFoldResult buildNumParts(OpBuilder &builder, TilingInterface op,
                                  const RunTimeSplit &split) {
  Location loc = op.getLoc();
  Value points;
  for (const Range &range : op.getIterationDomain(builder)) {
    if (isZeroInteger(range.size)) {
      return {};
    }
    auto size = dyn_cast<Value>(range.size);
    if (!size || getConstantIntValue(range.size)) {
      continue;
    }
    points = points ? arith::MulIOp::create(builder, loc, points, size)
                    : Value(size);
  }
  if (!points) {
    return builder.getIndexAttr(split.clusters);
  }
  return VPU::buildNumParts(builder, loc, points, split.clusters, split.grain);
}

/// How many of `parts` a loop of `extent` takes before another one.
static OpFoldResult takeParts(OpBuilder &builder, Location loc,
                              OpFoldResult parts, OpFoldResult extent) {
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  MLIRContext *context = builder.getContext();
  AffineMap least = AffineMap::get(2, 0, {d0, d1}, context);
  AffineMap some =
      AffineMap::get(1, 0, {d0, builder.getAffineConstantExpr(1)}, context);
  OpFoldResult taken =
      affine::makeComposedFoldedAffineMin(builder, loc, least, {parts, extent});
  return affine::makeComposedFoldedAffineMax(builder, loc, some, {taken});
}

/// One instead of what the first loop has `taken`, where the other one, of
/// `extent`, has steps enough for all `parts`.
static OpFoldResult leaveParts(OpBuilder &builder, Location loc,
                               OpFoldResult parts, OpFoldResult extent,
                               int64_t fewSteps, OpFoldResult taken) {
  auto get = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, OpFoldResult b) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, get(b));
  };
  Value left =
      builder.createOrFold<arith::RemUIOp>(loc, get(extent), get(parts));
  OpFoldResult many = affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineDimExpr(0) * fewSteps, {parts});
  Value isEven =
      compare(arith::CmpIPredicate::eq, left, builder.getIndexAttr(0));
  Value isLong = compare(arith::CmpIPredicate::uge, get(extent), many);
  Value isEnough = builder.createOrFold<arith::OrIOp>(loc, isEven, isLong);
  return builder.createOrFold<arith::SelectOp>(
      loc, isEnough, get(builder.getIndexAttr(1)), get(taken));
}

/// The steps of each loop that a part has, but for the last ones, which have
/// fewer. In front of the loop over parts, by an op that no affine expression
/// in it contains: that would divide again in each part.
static SmallVector<OpFoldResult> getPartSizes(OpBuilder &builder,
                                              TilingInterface op,
                                              ArrayRef<OpFoldResult> parts) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes;
  for (auto [range, count] :
       llvm::zip_equal(op.getIterationDomain(builder), parts)) {
    auto get = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(builder, loc, size);
    };
    sizes.push_back(
        isZeroInteger(count)
            ? count
            : getAsOpFoldResult(builder.createOrFold<arith::CeilDivUIOp>(
                  loc, get(range.size), get(count))));
  }
  return sizes;
}

/// Options that make an scf.forall over the parts; none where there is nothing
/// to split.
static std::optional<scf::SCFTilingOptions>
getSplitOptions(RewriterBase &rewriter, TilingInterface op,
                const RunTimeSplit &split) {
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> parts(op.getLoopIteratorTypes().size(),
                                  rewriter.getIndexAttr(0));
  OpFoldResult rest = buildNumParts(rewriter, op, split);
  if (!rest) {
    return std::nullopt;
  }
  SmallVector<Attribute> mapping = {
      ClusterAttr::get(op.getContext(), ClusterStrategy::SplitOverHeight)};
  if (split.dims.size() > 1) {
    unsigned first = split.dims.front();
    SmallVector<Range> domain = op.getIterationDomain(rewriter);
    Location loc = op.getLoc();
    parts[first] = takeParts(rewriter, loc, rest, domain[first].size);
    if (split.fewSteps != 0) {
      parts[first] =
          leaveParts(rewriter, loc, rest, domain[split.dims.back()].size,
                     split.fewSteps, parts[first]);
    }
    // What is left by the first loop: together they have as many parts.
    rest = rewriter.createOrFold<arith::DivUIOp>(
        loc, getValueOrCreateConstantIndexOp(rewriter, loc, rest),
        getValueOrCreateConstantIndexOp(rewriter, loc, parts[first]));
    mapping.insert(
        mapping.begin(),
        ClusterAttr::get(op.getContext(), ClusterStrategy::SplitOverBatch));
  }
  parts[split.dims.back()] = rest;
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setNumThreads(parts);
  options.setTileSizes(getPartSizes(rewriter, op, parts));
  options.setMapping(mapping);
  return options;
}

LogicalResult VPU::replaceByTiles(RewriterBase &rewriter, TilingInterface op,
                                  const scf::SCFTilingOptions &options) {
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, op, options);
  if (failed(tiled)) {
    return failure();
  }
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

LogicalResult VPU::splitAtRunTime(RewriterBase &rewriter, TilingInterface op,
                                  const RunTimeSplit &split) {
  auto options = getSplitOptions(rewriter, op, split);
  return options ? replaceByTiles(rewriter, op, *options) : success();
}

LogicalResult VPU::splitAtRunTimeAndFuse(RewriterBase &rewriter,
                                         NCEOpInterface op,
                                         const RunTimeSplit &split,
                                         FusedOps others) {
  auto root = cast<TilingInterface>(getRoot(op, others));
  auto options = getSplitOptions(rewriter, root, split);
  if (!options) {
    return success();
  }
  return tileAndFuse(rewriter, op, *options, others);
}

Value VPU::computeInBorder(RewriterBase &rewriter,
                           DestinationStyleOpInterface op, Value buffer,
                           ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> pads,
                           const APFloat &padValue) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value frame =
      FillBorderOp::create(rewriter, loc, buffer, pads, padValue)->getResult(0);
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> inside(sizes.size(), rewriter.getIndexAttr(0));
  inside[2] = rewriter.getIndexAttr(pads[0]);
  inside[3] = rewriter.getIndexAttr(pads[1]);
  Value place =
      tensor::ExtractSliceOp::create(rewriter, loc, frame, inside, sizes, ones);
  rewriter.modifyOpInPlace(op, [&] { op.getDpsInitOperand(0)->set(place); });
  rewriter.setInsertionPointAfter(op);
  return tensor::InsertSliceOp::create(rewriter, loc, op->getResult(0), frame,
                                       inside, sizes, ones);
}
