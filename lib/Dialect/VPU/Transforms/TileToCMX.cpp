//===- TileToCMX.cpp - The vpu-tile-to-cmx pass ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses tiles whose operands fit the scratchpad, and moves them there.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "CacheTile.h"
#include "TilingUtils.h"
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
#define GEN_PASS_DEF_TILETOCMX
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The tile of most elements whose operands fit `budget`; whole blocks of
/// `lanes` where the block dimension is made of single channels. The batch is
/// only split when nothing else suffices.
static std::optional<SmallVector<int64_t>>
chooseTile(NCEOpInterface op, int64_t budget, int64_t lanes) {
  SmallVector<int64_t> shape(getDestinationShape(op));
  if (std::optional<int64_t> whole = getWorkingSet(op, shape);
      whole && *whole <= budget) {
    return shape;
  }
  std::optional<SmallVector<int64_t>> best;
  double bestScore = 0;
  unsigned rowDim = op.getRowDim(), blockDim = op.getBlockDim();
  for (int64_t batch : {shape[0], int64_t(1)}) {
    for (int64_t rows : getEvenTileSizes(shape[rowDim], op.getRowStep())) {
      for (int64_t blocks :
           getEvenTileSizes(shape[blockDim], op.getBlockStep())) {
        SmallVector<int64_t> tile = shape;
        tile[0] = batch;
        tile[rowDim] = rows;
        tile[blockDim] = blocks;
        std::optional<int64_t> bytes = getWorkingSet(op, tile);
        if (!bytes || *bytes > budget) {
          continue;
        }
        // A tile of channels that leaves lanes idle does less per cycle.
        double score = static_cast<double>(batch) * rows * blocks;
        if (blockDim == shape.size() - 1 && blocks % lanes != 0) {
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

namespace {
struct TileToCMXPass final : VPU::impl::TileToCMXBase<TileToCMXPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    SmallVector<NCEOpInterface> ops;
    getOperation()->walk([&](NCEOpInterface op) {
      if (op->getNumResults() == 1) {
        ops.push_back(op);
      }
    });
    IRRewriter rewriter(&getContext());
    for (NCEOpInterface op : ops) {
      if (!arch.hasScratchpad() && isFusedProducer(op)) {
        continue;
      }
      bool isStatic = !ShapedType::isDynamicShape(getDestinationShape(op));
      LogicalResult fitted = arch.hasScratchpad()
                                 ? fitScratchpad(rewriter, op, arch)
                             : isStatic ? fitCache(rewriter, op, arch)
                                        : fitCacheAtRunTime(rewriter, op, arch);
      if (failed(fitted)) {
        return signalPassFailure();
      }
    }
    // Untiled copies that were fused, and slices of them.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    // What does not change from tile to tile is copied once, but by each
    // cluster: it has a CMX of its own.
    // Not out of loops of the model: buffers would live as long as those do.
    getOperation()->walk([](scf::ForOp loop) {
      if (!loop->hasAttr("nacre.steps")) {
        moveInvariants(loop);
      }
    });
  }

private:
  FailureOr<NCEOpInterface> tile(RewriterBase &rewriter, NCEOpInterface op,
                                 ArrayRef<int64_t> tile, FusedOps others = {}) {
    if (tile == getDestinationShape(op)) {
      return op;
    }
    ++numTiled;
    scf::SCFTilingOptions options;
    if (others.unblocking) {
      return tileAndFuse(rewriter, op, tile, options, others);
    }
    // Rows outside, so that a tile of input serves all blocks of output.
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
    return tileAndFuse(rewriter, op, tile, options, others);
  }

  LogicalResult fitScratchpad(RewriterBase &rewriter, NCEOpInterface op,
                              ArchAttr arch) {
    if (ShapedType::isDynamicShape(getDestinationShape(op))) {
      return op->emitOpError("no tile of it is known to fit the CMX of ")
             << arch.getName()
             << ": an NPU needs all sizes, which --shape gives";
    }
    std::optional<SmallVector<int64_t>> choice =
        chooseTile(op, arch.getCmxBytes(), arch.getLanes());
    if (!choice) {
      return op->emitOpError("no tile of it fits the ")
             << arch.getCmxBytes() << " bytes of CMX of " << arch.getName();
    }
    FailureOr<NCEOpInterface> tiled = tile(rewriter, op, *choice);
    if (failed(tiled)) {
      return failure();
    }
    moveToCMX(rewriter, *tiled);
    return success();
  }

  /// True when a copy pads the op's input for it alone.
  static bool readsPadded(NCEOpInterface op) {
    CopyOp padding = getFusableCopy(op->getOperand(0));
    return padding && padding.getDstOrder() == DimsOrder::NCHWc &&
           isa<RankedTensorType>(op->getOperand(0).getType());
  }

  /// True when the op's input was computed where it is padded.
  static bool isPaddedInPlace(NCEOpInterface op) {
    Value input = op->getOperand(0);
    while (auto slice = input.getDefiningOp<tensor::ExtractSliceOp>()) {
      input = slice.getSource();
    }
    auto image = input.getDefiningOp<tensor::InsertSliceOp>();
    return image && image.getDest().getDefiningOp<FillBorderOp>();
  }

  /// A depthwise convolution that is computed, tile by tile, right before the
  /// 1×1 convolution that reads it, `op`.
  static NCEOpInterface getFusedProducer(NCEOpInterface op) {
    NCEOpInterface producer = getRowProducer(op);
    return producer && (readsPadded(producer) || isPaddedInPlace(producer))
               ? producer
               : NCEOpInterface();
  }

  static bool isFusedProducer(NCEOpInterface op) {
    auto user = op->hasOneUse() ? dyn_cast<NCEOpInterface>(*op->user_begin())
                                : NCEOpInterface();
    return user && getFusedProducer(user) == op;
  }

  /// A cache needs no copies: only what is copied anyway, to be padded or to
  /// get the model's order, is so by tiles, while the rows are still in the
  /// cache.
  LogicalResult fitCache(RewriterBase &rewriter, NCEOpInterface op,
                         ArchAttr arch) {
    NCEOpInterface producer = getFusedProducer(op);
    CopyOp unblocking = getUnblocking(op);
    if (!producer && !unblocking && !readsPadded(op)) {
      return success();
    }
    std::optional<CacheTile> choice =
        chooseCacheTile(op, producer, getDestinationShape(op), arch);
    if (!choice) {
      return producer ? fitCache(rewriter, producer, arch) : success();
    }
    FailureOr<NCEOpInterface> tiled =
        tile(rewriter, op, choice->shape, {producer, unblocking});
    if (failed(tiled) || !choice->widening) {
      return tiled;
    }
    return fuseBlocks(rewriter, producer ? getRowProducer(*tiled) : *tiled,
                      choice->widening);
  }

  /// The same where a run chooses the number of rows. A tile's bytes are
  /// `fixed` and so many more for each row, in proportion to the columns.
  LogicalResult fitCacheAtRunTime(RewriterBase &rewriter, NCEOpInterface op,
                                  ArchAttr arch) {
    unsigned rowDim = op.getRowDim(), columnDim = rowDim + 1;
    NCEOpInterface producer = getFusedProducer(op);
    CopyOp unblocking = getUnblocking(op);
    if ((!producer && !unblocking && !readsPadded(op)) ||
        getDestinationShape(op).size() != 5) {
      return success();
    }
    SmallVector<int64_t> tile = getTypicalShape(getDestinationShape(op));
    tile[0] = 1;
    tile[rowDim] = 1;
    std::optional<int64_t> oneRow = getTileBytes(op, producer, {}, tile);
    tile[rowDim] = 2;
    std::optional<int64_t> twoRows = getTileBytes(op, producer, {}, tile);
    if (!oneRow || !twoRows) {
      return success();
    }
    int64_t perRow = std::max<int64_t>(*twoRows - *oneRow, 1);
    int64_t fixed = *oneRow - perRow;

    if (unblocking) {
      rewriter.setInsertionPoint(unblocking);
    } else {
      rewriter.setInsertionPoint(op);
    }
    Location loc = op->getLoc();
    SmallVector<Range> domain =
        cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
    AffineExpr d0 = rewriter.getAffineDimExpr(0);
    auto divideUp = [&](OpFoldResult a, OpFoldResult b) {
      auto get = [&](OpFoldResult size) {
        return getValueOrCreateConstantIndexOp(rewriter, loc, size);
      };
      return rewriter.createOrFold<arith::CeilDivUIOp>(loc, get(a), get(b));
    };
    auto atLeast = [&](OpFoldResult size, int64_t least) {
      AffineMap map = AffineMap::get(
          1, 0, {d0, rewriter.getAffineConstantExpr(least)}, &getContext());
      return affine::makeComposedFoldedAffineMax(rewriter, loc, map, {size});
    };
    // Of empty images, too.
    OpFoldResult columns = atLeast(domain[columnDim].size, 1);
    OpFoldResult rows = atLeast(domain[rowDim].size, 1);
    OpFoldResult budget = divideUp(
        rewriter.getIndexAttr(getTileBudget(op, arch) * tile[columnDim]),
        columns);
    int64_t step = op.getRowStep();
    OpFoldResult fitting =
        atLeast(affine::makeComposedFoldedAffineApply(
                    rewriter, loc, (d0 - fixed).floorDiv(perRow * step) * step,
                    {budget}),
                step);
    // A single row may be too little for a register tile of many pixels.
    OpFoldResult most = rewriter.createOrFold<arith::MaxUIOp>(
        loc, getValueOrCreateConstantIndexOp(rewriter, loc, fitting),
        divideUp(rewriter.getIndexAttr(arch.getPixels()), columns));
    // Tiles of about one size, made of whole steps.
    OpFoldResult size = affine::makeComposedFoldedAffineApply(
        rewriter, loc, d0.ceilDiv(step) * step,
        {divideUp(rows, divideUp(rows, most))});

    ++numTiled;
    SmallVector<OpFoldResult> sizes(tile.size(), rewriter.getIndexAttr(0));
    sizes[rowDim] = size;
    if (!isConstantIntValue(domain[0].size, 1)) {
      sizes[0] = rewriter.getIndexAttr(1);
    }
    scf::SCFTilingOptions options;
    if (unblocking) {
      sizes.pop_back();
    }
    options.setTileSizes(sizes);
    return tileAndFuse(rewriter, op, options, {producer, unblocking});
  }
};
} // namespace
