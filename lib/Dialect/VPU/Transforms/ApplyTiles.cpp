//===- ApplyTiles.cpp - The vpu-apply-tiles pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the tiles of strategies into loops, and moves operands of tiles to the
// scratchpad.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "CacheTile.h"
#include "LoopGroups.h"
#include "SoftwareStrategy.h"
#include "StrategyChoosers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_APPLYTILES
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// A fresh tensor of this value's shape in CMX.
static Value buildScratch(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto layout =
      LayoutAttr::get(builder.getContext(), DimsOrder::ANY, MemoryKind::CMX);
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType(), layout);
}

static bool isInCMX(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                       : LayoutAttr();
  return layout && layout.getMemory() == MemoryKind::CMX;
}

/// Moves all operands of the op to CMX, and its result back to where its
/// destination was.
static void moveToCMX(RewriterBase &rewriter, NCEOpInterface op) {
  auto destinationOp = cast<DestinationStyleOpInterface>(op.getOperation());
  Location loc = op->getLoc();
  OpOperand *init = destinationOp.getDpsInitOperand(0);
  Value destination = init->get();
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (&operand == init || isInCMX(value.getType())) {
      continue;
    }
    rewriter.setInsertionPoint(op);
    // A copy that was fused into the tile lands in CMX itself.
    CopyOp copy = getFusableCopy(value);
    if (copy && copy->getBlock() == op->getBlock()) {
      rewriter.setInsertionPoint(copy);
      Value scratch = buildScratch(rewriter, loc, value);
      IRMapping mapping;
      mapping.map(copy.getInit(), scratch);
      auto moved = cast<CopyOp>(rewriter.clone(*copy, mapping));
      moved->getResult(0).setType(cast<RankedTensorType>(scratch.getType()));
      rewriter.modifyOpInPlace(op, [&] { operand.set(moved->getResult(0)); });
      rewriter.eraseOp(copy);
      continue;
    }
    Value scratch = buildScratch(rewriter, loc, value);
    auto moved = CopyOp::create(rewriter, loc, value, scratch);
    rewriter.modifyOpInPlace(op, [&] { operand.set(moved->getResult(0)); });
  }
  rewriter.setInsertionPoint(op);
  Value scratch = buildScratch(rewriter, loc, destination);
  rewriter.modifyOpInPlace(op, [&] {
    init->set(scratch);
    op->getResult(0).setType(cast<RankedTensorType>(scratch.getType()));
  });
  rewriter.setInsertionPointAfter(op);
  auto back = CopyOp::create(rewriter, loc, op->getResult(0), destination);
  rewriter.replaceAllUsesExcept(op->getResult(0), back->getResult(0), back);
}

/// Moves what does not change out of a loop, but for what accumulators and
/// padded images start from: each iteration would have to copy it.
static void moveInvariants(scf::ForOp loop) {
  moveLoopInvariantCode(
      &loop.getRegion(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) {
        return isMemoryEffectFree(op) && isSpeculatable(op) &&
               !isa<linalg::FillOp, FillBorderOp>(op);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

/// Puts `op` into loops over tiles of this shape, with `others` in them.
static FailureOr<NCEOpInterface> tile(RewriterBase &rewriter, NCEOpInterface op,
                                      ArrayRef<int64_t> tile,
                                      FusedOps others = {}) {
  if (tile == getDestinationShape(op)) {
    return op;
  }
  scf::SCFTilingOptions options;
  // Rows outside, so that a tile of input serves all blocks of output. The
  // model's order has no blocks.
  if (!others.unblocking) {
    unsigned rowDim = op.getRowDim(), blockDim = op.getBlockDim();
    SmallVector<int64_t> order;
    for (unsigned dim = 0; dim < tile.size(); ++dim) {
      if (dim != blockDim) {
        order.push_back(dim);
      }
      if (dim == rowDim) {
        order.push_back(blockDim);
      }
    }
    options.setInterchange(order);
  }
  return tileAndFuse(rewriter, op, tile, options, others);
}

/// The rows of a tile, as many as fit the limits: its bytes are some whatever
/// their number and so many more for each row, in proportion to the columns.
static OpFoldResult buildRows(RewriterBase &rewriter, NCEOpInterface op,
                              RowBytes bytes, ArrayRef<Range> domain,
                              TileLimitsAttr limits) {
  Location loc = op->getLoc();
  MLIRContext *context = op.getContext();
  unsigned rowDim = op.getRowDim(), columnDim = rowDim + 1;
  int64_t typicalColumns = getTypicalShape(getDestinationShape(op))[columnDim];
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  auto divideUp = [&](OpFoldResult a, OpFoldResult b) {
    auto get = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, size);
    };
    return rewriter.createOrFold<arith::CeilDivUIOp>(loc, get(a), get(b));
  };
  auto atLeast = [&](OpFoldResult size, int64_t least) {
    AffineMap map = AffineMap::get(
        1, 0, {d0, rewriter.getAffineConstantExpr(least)}, context);
    return affine::makeComposedFoldedAffineMax(rewriter, loc, map, {size});
  };
  // Of empty images, too.
  OpFoldResult columns = atLeast(domain[columnDim].size, 1);
  OpFoldResult rows = atLeast(domain[rowDim].size, 1);
  OpFoldResult budget = divideUp(
      rewriter.getIndexAttr(limits.getBytes() * typicalColumns), columns);
  int64_t step = op.getRowStep();
  OpFoldResult fitting = atLeast(
      affine::makeComposedFoldedAffineApply(
          rewriter, loc,
          (d0 - bytes.fixed).floorDiv(bytes.perRow * step) * step, {budget}),
      step);
  OpFoldResult most = rewriter.createOrFold<arith::MaxUIOp>(
      loc, getValueOrCreateConstantIndexOp(rewriter, loc, fitting),
      divideUp(rewriter.getIndexAttr(limits.getLeastPixels()), columns));
  // Tiles of about one size, made of whole steps.
  OpFoldResult size = affine::makeComposedFoldedAffineApply(
      rewriter, loc, d0.ceilDiv(step) * step,
      {divideUp(rows, divideUp(rows, most))});

  return size;
}

namespace {
struct ApplyTilesPass final : VPU::impl::ApplyTilesBase<ApplyTilesPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    SmallVector<std::pair<NCEOpInterface, StrategyAttr>> ops;
    WalkResult walk = getOperation()->walk([&](NCEOpInterface op) {
      if (op->getNumResults() != 1) {
        return WalkResult::advance();
      }
      if (failed(verifyStrategy(op, arch))) {
        return WalkResult::interrupt();
      }
      StrategyAttr strategy = StrategyAttr::lookup(op);
      if (!strategy.getParts().empty()) {
        op->emitOpError("expected a strategy without parts, as "
                        "vpu-apply-clusters leaves it");
        return WalkResult::interrupt();
      }
      ops.emplace_back(op, strategy);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    // Tiles are to look equal where they are.
    getOperation()->walk([](Operation *op) {
      if (getLoopGroup(op) == 0 && !isWholeOnBuffers(op)) {
        op->removeAttr(StrategyAttr::attrName);
      }
    });
    IRRewriter rewriter(&getContext());
    for (auto [op, strategy] : ops) {
      if (failed(apply(rewriter, op, strategy, arch))) {
        return signalPassFailure();
      }
    }
    // Untiled copies that were fused, and slices of them.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    // What does not change from tile to tile is copied once, but by each
    // cluster: it has a CMX of its own.
    // Not out of loops of the model: buffers would live as long as those do.
    getOperation()->walk([](scf::ForOp loop) {
      if (!abi::has<abi::HasSteps>(loop)) {
        moveInvariants(loop);
      }
    });
  }

private:
  LogicalResult apply(RewriterBase &rewriter, NCEOpInterface op,
                      StrategyAttr strategy, ArchAttr arch) {
    numTiled += !strategy.getTiles().empty();
    if (arch.hasScratchpad()) {
      return fitScratchpad(rewriter, op, strategy);
    }
    return strategy.hasRunTimeTiles()
               ? fitCacheAtRunTime(rewriter, op, strategy)
               : fitCache(rewriter, op, strategy);
  }

  static LogicalResult fitScratchpad(RewriterBase &rewriter, NCEOpInterface op,
                                     StrategyAttr strategy) {
    FailureOr<NCEOpInterface> tiled =
        tile(rewriter, op, strategy.getTile(getDestinationShape(op)));
    if (failed(tiled)) {
      return failure();
    }
    moveToCMX(rewriter, *tiled);
    return success();
  }

  static LogicalResult fitCache(RewriterBase &rewriter, NCEOpInterface op,
                                StrategyAttr strategy) {
    FusedOps others = getFusedOps(op, strategy);
    NCEConvolutionOp widening =
        strategy.getWideningBlocks() == 0
            ? NCEConvolutionOp()
            : getBlockProducer(others.producer ? others.producer : op);
    FailureOr<NCEOpInterface> tiled =
        tile(rewriter, op, strategy.getTile(getDestinationShape(op)), others);
    if (failed(tiled) || !widening) {
      return tiled;
    }
    return fuseBlocks(rewriter,
                      others.producer ? getRowProducer(*tiled) : *tiled,
                      widening, strategy.getWideningBlocks());
  }

  static LogicalResult fitCacheAtRunTime(RewriterBase &rewriter,
                                         NCEOpInterface op,
                                         StrategyAttr strategy) {
    FusedOps others = getFusedOps(op, strategy);
    std::optional<RowBytes> bytes = getRowBytes(op, others.producer);
    if (!bytes) {
      return op->emitOpError("expected a strategy without `?` in tiles: its "
                             "rows need no boxes of its operands");
    }
    if (others.unblocking) {
      rewriter.setInsertionPoint(others.unblocking);
    } else {
      rewriter.setInsertionPoint(op);
    }
    SmallVector<Range> domain =
        cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
    SmallVector<OpFoldResult> sizes(domain.size(), rewriter.getIndexAttr(0));
    sizes[op.getRowDim()] =
        buildRows(rewriter, op, *bytes, domain, strategy.getLimits());
    if (strategy.getTiles()[0] != 1 && !isConstantIntValue(domain[0].size, 1)) {
      sizes[0] = rewriter.getIndexAttr(1);
    }
    // The model's order has no channels of a block.
    if (others.unblocking) {
      sizes.pop_back();
    }
    scf::SCFTilingOptions options;
    options.setTileSizes(sizes);
    return tileAndFuse(rewriter, op, options, others);
  }
};
} // namespace
