//===- ExpandSmallFloats.cpp - The expand-small-floats pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's patterns without the rest of arith-expand: a floating-point
// maximum must stay one operation, which LLVM knows how to vectorise.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace nacre {
#define GEN_PASS_DEF_EXPANDSMALLFLOATS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

static bool isBFloat16(Value value) {
  return getElementTypeOrSelf(value).isBF16();
}

/// `op` with a result of f32 instead of 16 bits, and what rounds it.
static void roundTwice(PatternRewriter &rewriter, Operation *op) {
  Type type = op->getResultTypes().front();
  Type single = rewriter.getF32Type();
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    single = shaped.clone(single);
  }
  Operation *wide = rewriter.create(op->getLoc(), op->getName().getIdentifier(),
                                    op->getOperands(), single, op->getAttrs());
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide->getResult(0));
}

namespace {
/// What is wider than f32 few machines round to 16 bits.
struct RoundDouble final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() != 16 ||
        !getElementTypeOrSelf(op.getIn()).isF64()) {
      return rewriter.notifyMatchFailure(op, "rounds no f64 to 16 bits");
    }
    roundTwice(rewriter, op);
    return success();
  }
};

template <typename OpT> struct RoundInteger final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isBFloat16(op)) {
      return rewriter.notifyMatchFailure(op, "gives no bf16");
    }
    roundTwice(rewriter, op);
    return success();
  }
};

struct ExpandSmallFloatsPass final
    : nacre::impl::ExpandSmallFloatsBase<ExpandSmallFloatsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(getOperation());
    bool hasInstructions =
        arch && arch.getPack(BFloat16Type::get(&getContext())) > 1;
    if (!hasInstructions) {
      arith::populateExpandBFloat16Patterns(patterns);
    }
    patterns.add<RoundDouble, RoundInteger<arith::SIToFPOp>,
                 RoundInteger<arith::UIToFPOp>>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    auto isRoot = [](Operation *op) {
      return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp,
                 arith::UIToFPOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
                 arith::FloorDivSIOp>(op);
    };
    if (failed(rewriteOps(getOperation(), std::move(patterns), isRoot))) {
      signalPassFailure();
    }
  }
};
} // namespace
