//===- LowerLinalg.cpp - The lower-linalg pass ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops for the structured ops. Upstream's pass for that is one of patterns,
// and looks at all operations of kernels that have no structured op left.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre {
#define GEN_PASS_DEF_LOWERLINALG
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// True if a size of the operand is not known, or only by a cast: what makes
/// affine loops of the op folds that.
static bool hasUnknownSize(Value operand) {
  if (auto cast = operand.getDefiningOp<memref::CastOp>()) {
    operand = cast.getSource();
  }
  auto type = dyn_cast<MemRefType>(operand.getType());
  return type && !type.hasStaticShape();
}

/// True for an op in a loop of which some extent is not known: affine loops
/// would need it as a value of the function.
static bool isTileOfUnknownSize(linalg::LinalgOp op) {
  return !isa<FunctionOpInterface>(op->getParentOp()) &&
         llvm::any_of(op->getOperands(), hasUnknownSize);
}

/// Computes what the op's body has as affine maps by arith. An index of a
/// structured op may be a symbol of a map; the loop's that it becomes may not.
static void expandMaps(RewriterBase &rewriter, linalg::LinalgOp op) {
  op->walk([&](affine::AffineApplyOp apply) {
    rewriter.setInsertionPoint(apply);
    std::optional<SmallVector<Value, 8>> values = affine::expandAffineMap(
        rewriter, apply.getLoc(), apply.getAffineMap(), apply.getMapOperands());
    if (values) {
      rewriter.replaceOp(apply, *values);
    }
  });
}

static LogicalResult lower(RewriterBase &rewriter, linalg::LinalgOp op) {
  expandMaps(rewriter, op);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops =
      isTileOfUnknownSize(op) ? linalg::linalgOpToLoops(rewriter, op)
                              : linalg::linalgOpToAffineLoops(rewriter, op);
  if (failed(loops)) {
    return op->emitOpError("expected a structured op that loops can compute");
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct LowerLinalgPass final : nacre::impl::LowerLinalgBase<LowerLinalgPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics()) {
        ops.push_back(op);
      }
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (failed(lower(rewriter, op))) {
        return signalPassFailure();
      }
    }
  }
};
} // namespace
