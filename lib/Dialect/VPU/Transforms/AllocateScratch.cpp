//===- AllocateScratch.cpp - The vpu-allocate-scratch pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for what an op computes on the way, as much as its strategy says. Only
// on buffers, where each op gets its own: on tensors two ops' scratch would be
// one value to CSE.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/LowBitTiles.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_ALLOCATESCRATCH
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static Value allocate(OpBuilder &builder, Location loc, int64_t elements,
                      Type type) {
  return memref::AllocOp::create(builder, loc,
                                 MemRefType::get({elements}, type),
                                 builder.getI64IntegerAttr(64));
}

/// Room for the transformed tiles of a chunk.
static void allocateFor(NCEWinogradConvolutionOp op, ArrayRef<int64_t> chunk) {
  if (chunk.empty()) {
    return;
  }
  op.setChunk(chunk);
  int64_t planes = op.getNumGroups() * op.getNumPoints();
  int64_t tiles = op.getTilesPerGroup();
  OpBuilder builder(op);
  op.getInputPlanesMutable().assign(
      allocate(builder, op.getLoc(), planes * op.getInputPitch(tiles),
               cast<ShapedType>(op.getWeights().getType()).getElementType()));
  op.getOutputPlanesMutable().assign(allocate(builder, op.getLoc(),
                                              planes * op.getOutputPitch(tiles),
                                              builder.getF32Type()));
}

/// Room for some panels as floats or tiles where there may be many rows, or
/// for rows as integers.
static void allocateFor(NCEMatMulNBitsOp op, ArrayRef<int64_t> chunk,
                        ArchAttr arch) {
  if (op.getScratch() || !op.hasPureBufferSemantics()) {
    return;
  }
  int64_t elements = 0;
  if (!chunk.empty()) {
    op.setIntegerRows(chunk.front());
    elements = chunk.front() * op.getRowElements();
  }
  if (hasLowBitTile(op, arch)) {
    // Which the kernel is written by, too.
    LowBitTileAttr tile = StrategyAttr::lookup(op).getKernel().getLowBitTile();
    elements = std::max(
        elements,
        LowBitTiles::get(op, tile, arch.getMatrixUnit()).getElements());
  } else if (!op.hasFewRows() && !op.sumsIntegersOfAnyRows()) {
    int64_t panels = std::min<int64_t>(NCEMatMulNBitsOp::kScratchPanels,
                                       op.getWeightsShape()[0]);
    elements = std::max(elements, panels * op.getDepth() * op.getPanelWidth());
  }
  if (elements > 0) {
    OpBuilder builder(op);
    op.getScratchMutable().assign(
        allocate(builder, op.getLoc(), elements, builder.getF32Type()));
  }
}

namespace {
struct AllocateScratchPass final
    : VPU::impl::AllocateScratchBase<AllocateScratchPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    WalkResult walk = getOperation()->walk(
        [&](Operation *op) { return WalkResult(verifyScratch(op, arch)); });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    getOperation()->walk(
        [&](NCEWinogradConvolutionOp op) { allocateFor(op, takeChunk(op)); });
    getOperation()->walk(
        [&](NCEMatMulNBitsOp op) { allocateFor(op, takeChunk(op), arch); });
  }

private:
  /// The chunk of an op that has one, which is not decided any more.
  static SmallVector<int64_t> takeChunk(Operation *op) {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    if (!strategy || strategy.getChunk().empty()) {
      return {};
    }
    SmallVector<int64_t> chunk(strategy.getChunk());
    op->removeAttr(StrategyAttr::attrName);
    if (strategy.getKernel() || strategy.getPrefetchInput()) {
      StrategyAttr::getForKernel(op->getContext(), strategy.getKernel())
          .withPrefetchedInput(strategy.getPrefetchInput())
          .attachTo(op);
    }
    return chunk;
  }
};
} // namespace
