//===- IndexingFolders.cpp - Simplify the Indexing family -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frameworks that only gather and scatter elements, as graph networks do with
// the features of nodes, repeat the index of a row for each of its elements.
// Rows are moved as a whole, and the repeated indices are never made.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

static int64_t normalizeAxis(int64_t axis, RankedTensorType type) {
  return axis < 0 ? axis + type.getRank() : axis;
}

static Value buildReshape(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return ReshapeOp::create(builder, loc, RankedTensorType::get(shape, element),
                           value);
}

/// The indices along `axis` that `indices` repeats for all elements across it;
/// null where an element may have its own.
static Value getRepeated(Value indices, int64_t axis) {
  auto expand = indices.getDefiningOp<ExpandOp>();
  if (!expand) {
    return {};
  }
  auto type = cast<RankedTensorType>(expand.getResult().getType());
  auto rows = cast<RankedTensorType>(expand->getOperand(0).getType());
  // Dimensions count from the last one, as they broadcast.
  int64_t missing = type.getRank() - rows.getRank();
  if (!rows.hasStaticShape() || axis < missing ||
      rows.getDimSize(axis - missing) != type.getDimSize(axis)) {
    return {};
  }
  return rows.getNumElements() == type.getDimSize(axis) ? expand->getOperand(0)
                                                        : Value();
}

/// True when `across` has all elements of `data` outside of `axis`.
static bool hasWholeRows(RankedTensorType across, RankedTensorType data,
                         int64_t axis) {
  for (int64_t i = 0; i < data.getRank(); ++i) {
    if (i != axis &&
        (data.isDynamicDim(i) || across.getDimSize(i) != data.getDimSize(i))) {
      return false;
    }
  }
  return true;
}

namespace {

struct GatherRows final : OpRewritePattern<GatherElementsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherElementsOp op,
                                PatternRewriter &rewriter) const override {
    auto data = cast<RankedTensorType>(op.getData().getType());
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t axis = normalizeAxis(op.getAxis(), data);
    Value rows = getRepeated(op.getIndices(), axis);
    if (!rows || !hasWholeRows(type, data, axis)) {
      return rewriter.notifyMatchFailure(op, "elements of a row differ");
    }
    Value list =
        buildReshape(rewriter, op.getLoc(), rows, {type.getDimSize(axis)});
    rewriter.replaceOpWithNewOp<GatherOp>(op, type, op.getData(), list,
                                          rewriter.getI64IntegerAttr(axis));
    return success();
  }
};

struct ScatterRows final : OpRewritePattern<ScatterElementsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterElementsOp op,
                                PatternRewriter &rewriter) const override {
    auto data = cast<RankedTensorType>(op.getData().getType());
    auto updates = cast<RankedTensorType>(op.getUpdates().getType());
    // Tuples address the first dimensions.
    if (normalizeAxis(op.getAxis(), data) != 0) {
      return rewriter.notifyMatchFailure(op, "not along the first dimension");
    }
    Value rows = getRepeated(op.getIndices(), 0);
    if (!rows || updates.isDynamicDim(0) || !hasWholeRows(updates, data, 0)) {
      return rewriter.notifyMatchFailure(op, "elements of a row differ");
    }
    Location loc = op.getLoc();
    Value tuples =
        buildReshape(rewriter, loc, rows, {updates.getDimSize(0), 1});
    auto tupleType = cast<RankedTensorType>(tuples.getType());
    Type wide = rewriter.getI64Type();
    if (tupleType.getElementType() != wide) {
      tuples = CastOp::create(rewriter, loc, TypeRange(tupleType.clone(wide)),
                              tuples, TypeAttr::get(wide))
                   ->getResult(0);
    }
    rewriter.replaceOpWithNewOp<ScatterNDOp>(op, op.getType(), op.getData(),
                                             tuples, op.getUpdates(),
                                             op.getReductionAttr());
    return success();
  }
};

} // namespace

void GatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  populateGatherSectionPatterns(patterns);
}

void GatherElementsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<GatherRows>(context);
}

void ScatterElementsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                    MLIRContext *context) {
  patterns.add<ScatterRows>(context);
}
