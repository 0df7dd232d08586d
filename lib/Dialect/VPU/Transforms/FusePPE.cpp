//===- FusePPE.cpp - The vpu-fuse-ppe pass --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows an NCE op elementwise moves into its post-processing step, where
// the values are still in registers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_FUSEPPE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// The NCE op that produces `value` for `user` alone and does no
/// post-processing yet; null when there is none.
NCEOpInterface getFusableProducer(Value value, Operation *user) {
  auto producer = value.getDefiningOp<NCEOpInterface>();
  if (!producer || !producer.getPpe().isNoop() ||
      producer->getBlock() != user->getBlock() ||
      !llvm::all_of(value.getUsers(),
                    [&](Operation *other) { return other == user; })) {
    return {};
  }
  return producer;
}

/// Finds the NCE ops, fusable as above, whose results `value` is joined of.
/// Returns false where it is made of anything else.
bool findParts(Value value, Operation *user,
               SmallVectorImpl<NCEOpInterface> &parts) {
  if (NCEOpInterface producer = getFusableProducer(value, user)) {
    parts.push_back(producer);
    return true;
  }
  auto join = value.getDefiningOp<tensor::InsertSliceOp>();
  if (!join || join->getBlock() != user->getBlock() ||
      !llvm::all_of(join->getUsers(),
                    [&](Operation *other) { return other == user; })) {
    return false;
  }
  // What no part fills is undefined, before its activation and after it.
  bool isEmpty = join.getDest().getDefiningOp<tensor::EmptyOp>() != nullptr;
  return (isEmpty || findParts(join.getDest(), join, parts)) &&
         findParts(join.getSource(), join, parts);
}

/// True when the op takes or makes integers that stand for something else.
bool quantizes(NCEEltwiseOp op) {
  return op.getLhsQuant() || op.getRhsQuant() || op.getPpe().getZeroPoint();
}

/// The activation of an elementwise op that only applies one becomes its
/// producer's, or that of each part that is joined to its operand. Such an op
/// is the maximum of a value with itself.
struct FuseActivation final : OpRewritePattern<NCEEltwiseOp> {
  FuseActivation(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(NCEEltwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != EltwiseKind::MAX || op.getLhs() != op.getRhs() ||
        quantizes(op)) {
      return rewriter.notifyMatchFailure(op, "computes more than its PPE");
    }
    SmallVector<NCEOpInterface> parts;
    if (!findParts(op.getLhs(), op, parts)) {
      return rewriter.notifyMatchFailure(
          op, "no NCE ops with a free PPE produce it for this use alone");
    }
    for (NCEOpInterface part : parts) {
      rewriter.modifyOpInPlace(part, [&] {
        part.setPpeAttr(op.getPpe());
        part->setLoc(rewriter.getFusedLoc({part->getLoc(), op.getLoc()}));
      });
    }
    rewriter.replaceOp(op, op.getLhs());
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

/// An addition to an NCE op's result becomes its residual.
struct FuseResidual final : OpRewritePattern<NCEEltwiseOp> {
  FuseResidual(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(NCEEltwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != EltwiseKind::ADD || op.getLhs() == op.getRhs() ||
        quantizes(op)) {
      return rewriter.notifyMatchFailure(op, "no addition of two float values");
    }
    // Of two candidates take the later: its operands are all computed there,
    // and the earlier one's result lives no longer than it did.
    NCEOpInterface producer;
    Value residual;
    for (auto [value, other] : {std::pair(op.getLhs(), op.getRhs()),
                                std::pair(op.getRhs(), op.getLhs())}) {
      NCEOpInterface candidate = getFusableProducer(value, op);
      if (!candidate || !candidate.getResidualOperand() ||
          !candidate.getResidualOperand()->empty()) {
        continue;
      }
      if (!producer || producer->isBeforeInBlock(candidate)) {
        producer = candidate;
        residual = other;
      }
    }
    if (!producer) {
      return rewriter.notifyMatchFailure(
          op, "no NCE op that can take a residual produces an operand for this "
              "use alone");
    }
    // The residual need not dominate the producer, only the addition.
    rewriter.moveOpBefore(producer, op);
    rewriter.modifyOpInPlace(producer, [&] {
      producer.getResidualOperand()->assign(residual);
      producer.setPpeAttr(op.getPpe());
      producer->setLoc(rewriter.getFusedLoc({producer->getLoc(), op.getLoc()}));
    });
    rewriter.replaceOp(op, producer->getResults());
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

struct FusePPEPass final : VPU::impl::FusePPEBase<FusePPEPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseActivation>(&getContext(), numActivations);
    patterns.add<FuseResidual>(&getContext(), numResiduals);
    CopyOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
