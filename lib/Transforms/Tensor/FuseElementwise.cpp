//===- FuseElementwise.cpp - The fuse-elementwise pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's fusion of elementwise ops, with a bound. Each fusion builds the
// body of the fused op anew, and what optimises loops takes longer than they
// are long: one loop for thousands of ops would take hours to compile, for one
// load and store less.
//
//===----------------------------------------------------------------------===//

#include "RecomputeBroadcasts.h"

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

/// Counts the ops in the body of a structured op, up to `limit`.
static int64_t countOps(linalg::LinalgOp op, int64_t limit) {
  int64_t count = 0;
  for (auto it = op.getBlock()->begin(), end = op.getBlock()->end();
       it != end && count < limit; ++it) {
    ++count;
  }
  return count;
}

/// True for an op that picks several elements by their positions for each of
/// its own, and would do so again for the iterations of a loop that only the op
/// that uses the operand has.
static bool picksAgain(OpOperand *use) {
  auto consumer = dyn_cast<linalg::LinalgOp>(use->getOwner());
  auto producer = use->get().getDefiningOp<linalg::LinalgOp>();
  if (!consumer || !producer) {
    return false;
  }
  AffineMap map = consumer.getMatchingIndexingMap(use);
  SmallVector<int64_t> ranges = consumer.getStaticLoopRanges();
  bool isRepeated = llvm::any_of(llvm::enumerate(ranges), [&](auto loop) {
    return loop.value() != 1 && !map.isFunctionOfDim(loop.index());
  });
  int64_t picked = 0;
  producer.getBlock()->walk([&](tensor::ExtractOp) { ++picked; });
  return isRepeated && picked > 1;
}

/// The type of a slice with the dimensions of size 1 that its own type lacks.
template <typename SliceOp>
static RankedTensorType getWholeType(SliceOp slice, RankedTensorType type) {
  return RankedTensorType::get(slice.getStaticSizes(), type.getElementType());
}

/// True for groups of dimensions of which one at most is not of size 1.
static bool areOfOne(ArrayRef<ReassociationIndices> groups,
                     RankedTensorType type) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return type.getDimSize(dim) != 1;
           }) <= 1;
  });
}

namespace {

/// A slice that lacks dimensions of size 1, only to be given them back, keeps
/// them. (Upstream has this in one set with the opposite, which makes slices of
/// which nothing tells any more where the dimensions were.)
struct KeepGivenBack final : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    RankedTensorType type = op.getResultType();
    if (!slice || getWholeType(slice, type) != type ||
        !areOfOne(op.getReassociationIndices(), type)) {
      return rewriter.notifyMatchFailure(
          op, "gives no slice what it lacks of its sizes");
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, slice.getSource(), slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
    return success();
  }
};

/// The same of what is put into a tensor.
struct KeepInserted final : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse ||
        getWholeType(op, collapse.getSrcType()) != collapse.getSrcType() ||
        !areOfOne(collapse.getReassociationIndices(), collapse.getSrcType())) {
      return rewriter.notifyMatchFailure(
          op, "its source lacks nothing that the sizes have");
    }
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, collapse.getSrc(), op.getDest(), op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    return success();
  }
};

struct FuseElementwisePass final
    : nacre::impl::FuseElementwiseBase<FuseElementwisePass> {
  using FuseElementwiseBase::FuseElementwiseBase;

  void runOnOperation() override {
    numClones += nacre::recomputeBroadcasts(getOperation(), minElements);
    MLIRContext *context = &getContext();
    auto hasOneUse = [](OpOperand *use) {
      Operation *producer = use->get().getDefiningOp();
      return producer && producer->hasOneUse();
    };
    auto mayFuse = [&](OpOperand *use) {
      return hasOneUse(use) && fitsOneBody(use) && !picksAgain(use);
    };
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, hasOneUse);
    linalg::populateConstantFoldLinalgOperations(patterns, hasOneUse);
    tensor::populateBubbleUpExpandShapePatterns(patterns);
    patterns.add<KeepGivenBack, KeepInserted>(context);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getLoadedDialect<linalg::LinalgDialect>()
        ->getCanonicalizationPatterns(patterns);
    // Producers before their consumers, which take them over as they are.
    if (failed(applyPatternsGreedily(
            getOperation(), std::move(patterns),
            GreedyRewriteConfig().setUseTopDownTraversal()))) {
      signalPassFailure();
    }
  }

private:
  /// True unless the op that uses the operand and the one that computes it have
  /// more ops in their bodies together than one body may have.
  bool fitsOneBody(OpOperand *use) {
    auto consumer = dyn_cast<linalg::LinalgOp>(use->getOwner());
    auto producer = use->get().getDefiningOp<linalg::LinalgOp>();
    return !consumer || !producer ||
           countOps(consumer, maxBody) + countOps(producer, maxBody) <= maxBody;
  }
};
} // namespace
