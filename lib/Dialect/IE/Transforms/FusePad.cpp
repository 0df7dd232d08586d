//===- FusePad.cpp - The ie-fuse-pad pass ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zero padding in front of a convolution is the convolution's own padding.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FUSEPAD
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

namespace {

struct FusePadIntoConv final : OpRewritePattern<IE::ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ConvOp conv,
                                PatternRewriter &rewriter) const override {
    auto pad = conv->getOperand(0).getDefiningOp<IE::PadOp>();
    if (!pad) {
      return rewriter.notifyMatchFailure(conv, "the input is not padded");
    }
    if (conv.getAutoPad() != "NOTSET") {
      return rewriter.notifyMatchFailure(
          conv, "auto_pad computes padding from the padded shape");
    }
    std::optional<SmallVector<int64_t>> pads = getZeroPads(pad);
    if (!pads) {
      return rewriter.notifyMatchFailure(
          conv, "the Pad is not constant zero padding of all axes");
    }
    // begin of N, C, spatial…, then ends in the same order.
    int64_t rank = pads->size() / 2;
    int64_t spatial = rank - 2;
    SmallVector<int64_t> fused(2 * spatial, 0);
    if (std::optional<ArrayRef<int64_t>> own = conv.getPads()) {
      fused.assign(own->begin(), own->end());
    }
    for (int64_t i = 0; i < rank; ++i) {
      int64_t begin = (*pads)[i], end = (*pads)[rank + i];
      if (begin < 0 || end < 0 || (i < 2 && (begin != 0 || end != 0))) {
        return rewriter.notifyMatchFailure(
            conv, "only non-negative padding of spatial axes fuses");
      }
      if (i >= 2) {
        fused[i - 2] += begin;
        fused[spatial + i - 2] += end;
      }
    }
    rewriter.modifyOpInPlace(conv, [&] {
      conv.setPads(fused);
      conv->setOperand(0, pad->getOperand(0));
    });
    return success();
  }

private:
  /// The constant pads of a Pad that fills all axes with zeros.
  static std::optional<SmallVector<int64_t>> getZeroPads(IE::PadOp pad) {
    if (pad.getMode() != "constant" || pad.getAxes()) {
      return std::nullopt;
    }
    if (Value fill = pad.getConstantValue()) {
      std::optional<SmallVector<double>> value = IE::getConstantFloats(fill);
      if (!value || value->size() != 1 || value->front() != 0) {
        return std::nullopt;
      }
    }
    return IE::getConstantInts(pad.getPads());
  }
};

struct FusePadPass final : nacre::IE::impl::FusePadBase<FusePadPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FusePadIntoConv>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
