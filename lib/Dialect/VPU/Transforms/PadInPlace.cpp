//===- PadInPlace.cpp - The vpu-pad-in-place pass -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that computes an image for another one that reads it padded can as well
// compute it where it is padded.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_PADINPLACE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True when it costs the op register tiles that rows of what it reads or
/// writes are apart: a 1×1 convolution takes all of them for one.
static bool needsWholeRows(Operation *op, ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (!convolution || !convolution.isPointwise()) {
    return false;
  }
  // Pixels of its last register tile that a row leaves idle, as a share of
  // those that it has.
  constexpr double kMostIdle = 0.1;
  int64_t columns = getTypicalShape(convolution.getInitType().getShape())[3];
  int64_t idle = llvm::alignTo(columns, arch.getPixels()) - columns;
  return static_cast<double>(idle) > kMostIdle * static_cast<double>(columns);
}

/// True for an engine op that may read or write an image whose rows are apart.
static bool takesApartRows(Operation *op, ArchAttr arch) {
  return isa_and_present<NCEOpInterface, ShuffleChannelsOp>(op) &&
         !needsWholeRows(op, arch);
}

/// The op whose result `copy` pads where it could as well be written to the
/// padded image; null when there is none.
static DestinationStyleOpInterface getPaddedOp(CopyOp copy, ArchAttr arch) {
  bool pads = copy->getNumResults() == 1 && copy.hasPads() &&
              !copy.getRowOffset() && !copy.getFill() &&
              copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc) &&
              copy.getSourceType().getElementType() ==
                  copy.getInitType().getElementType();
  Operation *op = pads ? copy.getSource().getDefiningOp() : nullptr;
  if (!takesApartRows(op, arch) || op->getBlock() != copy->getBlock()) {
    return {};
  }
  bool takeApartRows = llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<CopyOp>(user) || takesApartRows(user, arch);
  });
  // A block producer never computes all of its result.
  bool isForBlocks = llvm::any_of(copy->getUsers(), [&](Operation *user) {
    auto reader = dyn_cast<NCEOpInterface>(user);
    return reader && getBlockProducer(reader) == op;
  });
  auto destination = cast<DestinationStyleOpInterface>(op);
  // What it adds to must be where it writes.
  Value init = destination.getDpsInitOperand(0)->get();
  return takeApartRows && !isForBlocks && init.getDefiningOp<tensor::EmptyOp>()
             ? destination
             : DestinationStyleOpInterface();
}

/// Has `op` write to what `copy` would have padded.
static void padInPlace(RewriterBase &rewriter, CopyOp copy,
                       DestinationStyleOpInterface op) {
  rewriter.setInsertionPoint(op);
  Location loc = copy.getLoc();
  ArrayRef<int64_t> pads = copy.getPads();
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<OpFoldResult> sizes = getTracedSizes(rewriter, loc, init->get());
  SmallVector<OpFoldResult> padded = sizes;
  for (unsigned i : {0, 1}) {
    padded[2 + i] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineDimExpr(0) + (pads[i] + pads[i + 2]),
        {sizes[2 + i]});
  }
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(padded, dynamicSizes, shape);
  // Unlike tensor.empty, one for each image: of what started as one frame, all
  // but one would be copies.
  Value buffer = bufferization::AllocTensorOp::create(
      rewriter, loc,
      RankedTensorType::get(shape, copy.getInitType().getElementType()),
      dynamicSizes);
  Value image =
      computeInBorder(rewriter, op, buffer, sizes, pads, copy.getPadValue());
  // The copy may know its sizes better.
  if (image.getType() != copy->getResult(0).getType()) {
    image = tensor::CastOp::create(rewriter, loc, copy->getResult(0).getType(),
                                   image);
  }
  rewriter.replaceOp(copy, image);
}

namespace {
struct PadInPlacePass final : VPU::impl::PadInPlaceBase<PadInPlacePass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    // Else the DMA engine pads while it moves.
    if (arch.hasScratchpad()) {
      return;
    }
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](CopyOp copy) {
      if (DestinationStyleOpInterface op = getPaddedOp(copy, arch)) {
        padInPlace(rewriter, copy, op);
        ++numCopies;
      }
    });
  }
};
} // namespace
