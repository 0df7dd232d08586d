//===- Eltwise.cpp - Kernel of VPU.NCE.Eltwise ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors over the merged contiguous dimensions.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nacre;

static Value buildEltwise(KernelBuilder &kernel, VPU::EltwiseKind kind,
                          Value lhs, Value rhs) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  switch (kind) {
  case VPU::EltwiseKind::ADD:
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  case VPU::EltwiseKind::SUB:
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  case VPU::EltwiseKind::MUL:
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  // To tell zeros apart takes longer than all the rest of a comparison.
  case VPU::EltwiseKind::MAX:
    return arith::MaximumFOp::create(builder, loc, lhs, rhs,
                                     arith::FastMathFlags::nsz);
  case VPU::EltwiseKind::MIN:
    return arith::MinimumFOp::create(builder, loc, lhs, rhs,
                                     arith::FastMathFlags::nsz);
  }
  llvm_unreachable("unknown eltwise kind");
}

namespace {

struct EltwiseKernel final : OpRewritePattern<VPU::NCEEltwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEEltwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    SmallVector<Value> operands = {op.getLhs(), op.getRhs(), op.getInit()};
    mergeContiguous(kernel, operands);
    SmallVector<OpFoldResult> shape = kernel.getSizes(operands[2]);
    kernel.nest(ArrayRef(shape).drop_back(), [&](ValueRange outer) {
      kernel.vectors(shape.back(), [&](Value base, Lanes lanes) {
        SmallVector<Value> at(outer);
        at.push_back(base);
        Value lhs =
            kernel.loadFloats(operands[0], at, lanes, op.getLhsQuantAttr());
        Value rhs =
            kernel.loadFloats(operands[1], at, lanes, op.getRhsQuantAttr());
        Value result = buildEltwise(kernel, op.getKind(), lhs, rhs);
        kernel.storeResult(op.getPpe(), result, operands[2], at, lanes);
      });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nacre::populateEltwiseKernels(RewritePatternSet &patterns) {
  patterns.add<EltwiseKernel>(patterns.getContext());
}
