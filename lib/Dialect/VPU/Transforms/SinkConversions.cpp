//===- SinkConversions.cpp - The vpu-sink-conversions pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only moves data moves half as much of it before bf16 becomes f32, and
// most of the time nobody is left who wants f32.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_SINKCONVERSIONS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The tensor that `value` is a wider version of; null when it is none.
static Value getNarrowSource(Value value) {
  auto extend = value.getDefiningOp<arith::ExtFOp>();
  return extend && isa<RankedTensorType>(value.getType()) ? extend.getIn()
                                                          : Value();
}

namespace {

/// op(extend(x)) to extend(op(x)) for an op that only moves elements.
struct SinkBelowMovement final : RewritePattern {
  explicit SinkBelowMovement(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::TransposeOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op)) {
      return rewriter.notifyMatchFailure(op, "does more than move elements");
    }
    Value source = getNarrowSource(op->getOperand(0));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!source || !type.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "moves no widened elements");
    }
    Location loc = op->getLoc();
    RankedTensorType narrow =
        type.clone(cast<RankedTensorType>(source.getType()).getElementType());
    Value moved;
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      Value init = tensor::EmptyOp::create(rewriter, loc, narrow.getShape(),
                                           narrow.getElementType());
      moved = linalg::TransposeOp::create(rewriter, loc, source, init,
                                          transpose.getPermutation())
                  ->getResult(0);
    } else {
      moved = clone(rewriter, op, TypeRange(narrow), ValueRange(source))
                  ->getResult(0);
    }
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, type, moved);
    return success();
  }
};

/// A copy converts by itself.
struct MergeIntoCopy final : OpRewritePattern<CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CopyOp op,
                                PatternRewriter &rewriter) const override {
    Value source = getNarrowSource(op.getSource());
    if (!source) {
      return rewriter.notifyMatchFailure(op, "copies no widened elements");
    }
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(source); });
    return success();
  }
};

struct SinkConversionsPass final
    : VPU::impl::SinkConversionsBase<SinkConversionsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkBelowMovement, MergeIntoCopy>(&getContext());
    // Narrowing what was widened is nothing.
    arith::TruncFOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
