//===- LowerTiledLinalg.cpp - The lower-tiled-linalg pass -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over tiles of a size that only a run knows.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre {
#define GEN_PASS_DEF_LOWERTILEDLINALG
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
  return op.hasPureBufferSemantics() &&
         !isa<FunctionOpInterface>(op->getParentOp()) &&
         llvm::any_of(op->getOperands(), hasUnknownSize);
}

namespace {
struct LowerTiledLinalgPass final
    : nacre::impl::LowerTiledLinalgBase<LowerTiledLinalgPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isTileOfUnknownSize(op)) {
        ops.push_back(op);
      }
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op))) {
        op->emitOpError("expected a structured op that loops can compute");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
