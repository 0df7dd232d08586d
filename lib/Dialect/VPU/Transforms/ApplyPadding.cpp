//===- ApplyPadding.cpp - The vpu-apply-padding pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has ops compute images inside their borders where strategies say so.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_APPLYPADDING
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

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
struct ApplyPaddingPass final : VPU::impl::ApplyPaddingBase<ApplyPaddingPass> {
  void runOnOperation() override {
    SmallVector<CopyOp> copies;
    getOperation()->walk([&](CopyOp copy) {
      if (isPaddedInPlace(copy)) {
        copies.push_back(copy);
      }
    });
    IRRewriter rewriter(&getContext());
    for (CopyOp copy : copies) {
      if (failed(verifyStrategy(copy))) {
        return signalPassFailure();
      }
      padInPlace(rewriter, copy,
                 copy.getSource().getDefiningOp<DestinationStyleOpInterface>());
      ++numCopies;
    }
    // The others that were said to be needed are software from here on.
    StrategyAttr needed = StrategyAttr::getDefault(&getContext());
    getOperation()->walk([&](CopyOp copy) {
      if (StrategyAttr::lookup(copy) == needed) {
        copy->removeAttr(StrategyAttr::attrName);
      }
    });
  }
};
} // namespace
