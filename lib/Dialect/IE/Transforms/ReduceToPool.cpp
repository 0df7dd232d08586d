//===- ReduceToPool.cpp - The ie-reduce-to-pool pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean of all pixels is what the engine computes in the layout of what the
// engine gives, by the name that networks for images have for it.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_REDUCETOPOOL
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

namespace {

struct MeanToPool final : OpRewritePattern<IE::ReduceMeanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ReduceMeanOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    int64_t rank = type.getRank();
    bool isImage = rank == 4 || rank == 5;
    if (!isImage || !isa<FloatType>(type.getElementType()) ||
        llvm::is_contained(type.getShape(), 0)) {
      return rewriter.notifyMatchFailure(op, "not of images of floats");
    }
    std::optional<SmallVector<int64_t>> axes = op.getReducedAxes();
    if (!axes || !op.getAxes() ||
        !llvm::equal(*axes, llvm::seq(int64_t(2), rank))) {
      return rewriter.notifyMatchFailure(op, "not of all pixels of a channel");
    }
    SmallVector<int64_t> shape(type.getShape());
    std::fill(shape.begin() + 2, shape.end(), 1);
    RankedTensorType pooledType = type.clone(shape);
    bool keeps = op.getKeepdims() != 0;
    if (keeps && pooledType != op.getType()) {
      return rewriter.notifyMatchFailure(op, "the result's type is refined");
    }
    Value pooled =
        IE::GlobalAveragePoolOp::create(rewriter, op.getLoc(),
                                        TypeRange(pooledType), op.getInput())
            .getOutput();
    if (!keeps) {
      pooled = IE::SqueezeOp::create(rewriter, op.getLoc(), op.getType(),
                                     pooled, op.getAxes());
    }
    rewriter.replaceOp(op, pooled);
    return success();
  }
};

} // namespace

void IE::populateReduceToPoolPatterns(RewritePatternSet &patterns) {
  patterns.add<MeanToPool>(patterns.getContext());
}

namespace {
struct ReduceToPoolPass final
    : nacre::IE::impl::ReduceToPoolBase<ReduceToPoolPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    IE::populateReduceToPoolPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
