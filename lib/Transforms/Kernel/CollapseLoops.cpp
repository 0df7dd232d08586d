//===- CollapseLoops.cpp - The collapse-loops pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest over (4, 34, 28, 28) elements that lie one after the other is one loop
// over 106,624: LLVM vectorises the innermost loop only. Dimensions of size 1
// that an operand is broadcast along are left out of it first, as a scale of
// (1, 34, 1, 1) would otherwise keep all loops apart. Before loops over several
// dimensions are one, those that reduce rows are joined to the ones that
// compute these where strategies say so (JoinReductions.cpp).
//
//===----------------------------------------------------------------------===//

#include "JoinReductions.h"

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre {
#define GEN_PASS_DEF_COLLAPSELOOPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// True where stepping through dimension `outer` of a buffer is stepping on
/// through all of the next one.
static bool isContiguous(MemRefType type, unsigned outer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(strides[outer + 1]) &&
         strides[outer] == strides[outer + 1] * type.getDimSize(outer + 1);
}

/// The same for loops `outer` and `outer + 1` and every operand that both step
/// through.
static bool areContiguous(linalg::LinalgOp op, unsigned outer) {
  MLIRContext *context = op->getContext();
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(outer, context));
    std::optional<unsigned> next =
        map.getResultPosition(getAffineDimExpr(outer + 1, context));
    return !type || !position || !next || isContiguous(type, *position);
  });
}

/// True for an op on buffers of known sizes whose loops may be merged as far as
/// its body is concerned.
static bool isCollapsible(linalg::LinalgOp op) {
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !memref || memref.hasStaticShape();
  });
  return isStatic && op.hasPureBufferSemantics() && !op.hasIndexSemantics();
}

/// Runs of loops of one kind that all operands step through alike.
static SmallVector<ReassociationIndices> findRuns(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Upstream's rewriting asserts that maps only select and order loops.
  bool selects = llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!selects || !isCollapsible(op)) {
    return {};
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<ReassociationIndices> runs;
  ReassociationIndices run;
  auto finish = [&] {
    if (run.size() > 1) {
      runs.push_back(run);
    }
    run.clear();
  };
  for (int64_t dim = 0, end = op.getNumLoops(); dim < end; ++dim) {
    if (!run.empty()) {
      ReassociationIndices longer = run;
      longer.push_back(dim);
      if (kinds[dim] != kinds[run.back()] ||
          !linalg::areDimSequencesPreserved(maps, {longer}) ||
          !areContiguous(op, run.back())) {
        finish();
      }
    }
    run.push_back(dim);
  }
  finish();
  return runs;
}

namespace {
/// An operand that is read at index 0 of dimensions of size 1 becomes a view
/// without them.
struct DropBroadcastDims final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isCollapsible(op)) {
      return rewriter.notifyMatchFailure(
          op, "its sizes are dynamic, or its body reads indices");
    }
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> views;
    rewriter.setInsertionPoint(op);
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
      views.push_back(dropDims(rewriter, op.getLoc(), operand, map));
    }
    if (llvm::equal(views, op->getOperands())) {
      return rewriter.notifyMatchFailure(
          op, "no operand is broadcast along a dimension of size 1");
    }
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(views);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }

private:
  /// A view of `operand` without the dimensions of size 1 where `map` is 0, and
  /// its `map`; `operand` itself if there are none.
  static Value dropDims(OpBuilder &builder, Location loc, Value operand,
                        AffineMap &map) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type) {
      return operand;
    }
    SmallVector<AffineExpr> results;
    SmallVector<int64_t> shape;
    for (auto [size, expr] :
         llvm::zip_equal(type.getShape(), map.getResults())) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (size != 1 || !constant || constant.getValue() != 0) {
        results.push_back(expr);
        shape.push_back(size);
      }
    }
    if (results.size() == map.getNumResults()) {
      return operand;
    }
    map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(builder.getContext(), type.getShape());
    MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
        shape, type, offsets, sizes, strides);
    return memref::SubViewOp::create(builder, loc, reduced, operand, offsets,
                                     sizes, strides);
  }
};

struct CollapseLoopsPass final
    : nacre::impl::CollapseLoopsBase<CollapseLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    FailureOr<int64_t> joined = joinReductions(rewriter, getOperation());
    if (failed(joined)) {
      return signalPassFailure();
    }
    numJoined += *joined;
    RewritePatternSet patterns(&getContext());
    patterns.add<DropBroadcastDims>(&getContext());
    linalg::populateCollapseDimensions(patterns, findRuns);
    auto isRoot = [](Operation *op) { return isa<linalg::LinalgOp>(op); };
    if (failed(rewriteOps(getOperation(), std::move(patterns), isRoot))) {
      signalPassFailure();
    }
  }
};
} // namespace
