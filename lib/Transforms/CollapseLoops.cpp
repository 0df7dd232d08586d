//===- CollapseLoops.cpp - The collapse-loops pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest over (4, 34, 28, 28) elements that lie one after the other is one loop
// over 106,624: LLVM vectorises the innermost loop only.
//
//===----------------------------------------------------------------------===//

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

/// Runs of loops of one kind that all operands step through alike.
static SmallVector<ReassociationIndices> findRuns(linalg::LinalgOp op) {
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !memref || memref.hasStaticShape();
  });
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Upstream's rewriting asserts that maps only select and order loops.
  bool selects = llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!op.hasPureBufferSemantics() || !isStatic || !selects ||
      op.hasIndexSemantics()) {
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
struct CollapseLoopsPass final
    : nacre::impl::CollapseLoopsBase<CollapseLoopsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateCollapseDimensions(patterns, findRuns);
    auto isRoot = [](Operation *op) { return isa<linalg::LinalgOp>(op); };
    if (failed(rewriteOps(getOperation(), std::move(patterns), isRoot))) {
      signalPassFailure();
    }
  }
};
} // namespace
