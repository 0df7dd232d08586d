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

#include "ContiguousBuffers.h"
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
static bool isContiguous(Value buffer, unsigned outer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.hasStaticShape()) {
    SmallVector<ReassociationIndices> groups;
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      if (dim == outer + 1) {
        groups.back().push_back(dim);
      } else {
        groups.push_back({dim});
      }
    }
    return isCollapsible(buffer, groups);
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(strides[outer + 1]) &&
         strides[outer] == strides[outer + 1] * type.getDimSize(outer + 1);
}

/// True where loop `outer + 1` goes on in every operand that it and loop
/// `outer` step through from one step of that to the next.
static bool areContiguous(linalg::LinalgOp op, unsigned outer) {
  MLIRContext *context = op->getContext();
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(outer, context));
    std::optional<unsigned> next =
        map.getResultPosition(getAffineDimExpr(outer + 1, context));
    return !isa<MemRefType>(operand.get().getType()) || !position || !next ||
           isContiguous(operand.get(), *position);
  });
}

static bool hasKnownSizes(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !memref || memref.hasStaticShape();
  });
}

/// The loops of which the body reads the index: each stays as it is.
static llvm::SmallDenseSet<int64_t> getIndexedLoops(linalg::LinalgOp op) {
  llvm::SmallDenseSet<int64_t> loops;
  op.getBlock()->walk([&](linalg::IndexOp index) {
    loops.insert(static_cast<int64_t>(index.getDim()));
  });
  return loops;
}

/// Runs of loops of one kind that all operands step through alike.
static SmallVector<ReassociationIndices> findAllRuns(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Upstream's rewriting asserts that maps only select and order loops.
  bool selects = llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!selects || !op.hasPureBufferSemantics()) {
    return {};
  }
  llvm::SmallDenseSet<int64_t> indexed = getIndexedLoops(op);
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
    if (indexed.contains(dim)) {
      finish();
      continue;
    }
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

/// Those of ops that upstream's rewriting takes.
static SmallVector<ReassociationIndices> findRuns(linalg::LinalgOp op) {
  return hasKnownSizes(op) ? findAllRuns(op)
                           : SmallVector<ReassociationIndices>();
}

namespace {
/// An operand that is read at index 0 of dimensions of size 1 becomes a view
/// without them.
struct DropBroadcastDims final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics()) {
      return rewriter.notifyMatchFailure(op, "is not on buffers");
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
    // What is left of each dimension, with those of size 1 beside it.
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices inFront;
    for (auto [dim, size, expr] :
         llvm::enumerate(type.getShape(), map.getResults())) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (size != 1 || !constant || constant.getValue() != 0) {
        results.push_back(expr);
        shape.push_back(size);
        groups.push_back(std::exchange(inFront, {}));
      }
      (groups.empty() ? inFront : groups.back())
          .push_back(static_cast<int64_t>(dim));
    }
    if (results.size() == map.getNumResults()) {
      return operand;
    }
    map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
    // A buffer of dynamic size would become a part that is not known to be
    // contiguous.
    if (!type.hasStaticShape() && isCollapsible(operand, groups)) {
      return collapseBuffer(builder, operand, groups);
    }
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        memref::getMixedSizes(builder, loc, operand);
    MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
        shape, type, offsets, sizes, strides);
    return memref::SubViewOp::create(builder, loc, reduced, operand, offsets,
                                     sizes, strides);
  }
};

/// Merges loops of dynamic extent: upstream's rewriting takes
/// buffers whose types alone say that they are contiguous.
struct CollapseDynamicLoops final
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (hasKnownSizes(op) ||
        !isa<linalg::GenericOp, linalg::CopyOp, linalg::FillOp>(
            op.getOperation())) {
      return rewriter.notifyMatchFailure(
          op, "all sizes are known, or its name tells what its loops are");
    }
    SmallVector<ReassociationIndices> runs = findAllRuns(op);
    if (runs.empty()) {
      return rewriter.notifyMatchFailure(op, "no loops can be merged");
    }
    SmallVector<utils::IteratorType> kinds;
    SmallVector<unsigned> merged = mergeLoops(op, runs, kinds);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<SmallVector<ReassociationIndices>> groups;
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
      groups.push_back(mergeDims(map, merged, kinds.size()));
      if (isa<MemRefType>(operand.getType()) &&
          !isCollapsible(operand, groups.back())) {
        return rewriter.notifyMatchFailure(
            op, "an operand is not known to be contiguous");
      }
    }
    SmallVector<Value> buffers;
    rewriter.setInsertionPoint(op);
    for (auto [operand, own] : llvm::zip_equal(op->getOperands(), groups)) {
      buffers.push_back(isa<MemRefType>(operand.getType())
                            ? collapseBuffer(rewriter, operand, own)
                            : operand);
    }
    if (!isa<linalg::GenericOp>(op.getOperation())) {
      // A copy, or a fill with a number.
      rewriter.modifyOpInPlace(op, [&] { op->setOperands(buffers); });
      return success();
    }
    auto collapsed = linalg::GenericOp::create(
        rewriter, op.getLoc(),
        ArrayRef(buffers).take_front(op.getNumDpsInputs()),
        ArrayRef(buffers).drop_front(op.getNumDpsInputs()), maps, kinds);
    rewriter.inlineRegionBefore(op->getRegion(0), collapsed.getRegion(),
                                collapsed.getRegion().begin());
    collapsed.getBody()->walk([&](linalg::IndexOp index) {
      rewriter.modifyOpInPlace(index,
                               [&] { index.setDim(merged[index.getDim()]); });
    });
    rewriter.replaceOp(op, collapsed);
    return success();
  }

private:
  /// The new loop of each loop, and the `kinds` of the new ones.
  static SmallVector<unsigned>
  mergeLoops(linalg::LinalgOp op, ArrayRef<ReassociationIndices> runs,
             SmallVectorImpl<utils::IteratorType> &kinds) {
    llvm::SmallDenseSet<int64_t> inner;
    for (const ReassociationIndices &run : runs) {
      inner.insert(run.begin() + 1, run.end());
    }
    SmallVector<unsigned> merged;
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (!inner.contains(static_cast<int64_t>(dim))) {
        kinds.push_back(kind);
      }
      merged.push_back(kinds.size() - 1);
    }
    return merged;
  }

  /// The dimensions of an operand that one of `numLoops` new loops steps
  /// through, and its `map` over these.
  static SmallVector<ReassociationIndices>
  mergeDims(AffineMap &map, ArrayRef<unsigned> merged, unsigned numLoops) {
    SmallVector<ReassociationIndices> groups;
    SmallVector<AffineExpr> results;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      AffineExpr loop = getAffineDimExpr(
          merged[cast<AffineDimExpr>(expr).getPosition()], map.getContext());
      if (results.empty() || results.back() != loop) {
        results.push_back(loop);
        groups.emplace_back();
      }
      groups.back().push_back(static_cast<int64_t>(dim));
    }
    map = AffineMap::get(numLoops, 0, results, map.getContext());
    return groups;
  }
};

/// A transposition that keeps dimensions beside each other, as (n, c, h, w) to
/// (n, w, c, h) does c and h, is one of fewer and longer dimensions, of which
/// blocks of vectors fit into more. Its name tells no loops that could be
/// merged.
struct GeneralizeTransposition final : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto structured = cast<linalg::LinalgOp>(op.getOperation());
    if (findAllRuns(structured).empty()) {
      return rewriter.notifyMatchFailure(op, "no loops can be merged");
    }
    return linalg::generalizeNamedOp(rewriter, structured);
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
    patterns
        .add<CollapseDynamicLoops, DropBroadcastDims, GeneralizeTransposition>(
            &getContext());
    linalg::populateCollapseDimensions(patterns, findRuns);
    auto isRoot = [](Operation *op) { return isa<linalg::LinalgOp>(op); };
    if (failed(rewriteOps(getOperation(), std::move(patterns), isRoot))) {
      signalPassFailure();
    }
  }
};
} // namespace
