//===- SwapReluPool.cpp - The ie-swap-relu-pool pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest element of a window is rectified instead of all elements, where
// no op in front would rectify them for nothing.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_SWAPRELUPOOL
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// True for what computes nothing that an activation could follow while it is
/// in registers: arguments, and elements that are only moved.
static bool isMoved(Value value) {
  Operation *def = value.getDefiningOp();
  auto quantizable = dyn_cast_if_present<IE::QuantizableOpInterface>(def);
  return !def || isa<IE::ConcatOp>(def) ||
         (quantizable &&
          quantizable.getQuantizableKind() == IE::QuantizableKind::Carries);
}

/// True where no window lies in the padding alone, whose maximum is below zero.
static bool hasElementsInAllWindows(IE::MaxPoolOp op) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window) || op.getCeilMode() != 0) {
    return false;
  }
  auto isOne = [](int64_t dilation) { return dilation == 1; };
  if (!llvm::all_of(window->dilations, isOne)) {
    return false;
  }
  return llvm::all_of(
      llvm::zip_equal(window->kernel, window->padsBegin, window->padsEnd),
      [](auto sizes) {
        auto [kernel, begin, end] = sizes;
        return !ShapedType::isDynamic(begin) && !ShapedType::isDynamic(end) &&
               begin < kernel && end < kernel;
      });
}

namespace {

struct SwapReluMaxPool final : OpRewritePattern<IE::MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    auto relu = op.getInput().getDefiningOp<IE::ReluOp>();
    if (!relu || !relu->hasOneUse() || !isMoved(relu.getInput()) ||
        relu.getInput().getType() != relu.getType()) {
      return rewriter.notifyMatchFailure(
          op, "no Relu for this op alone, of elements that are only moved");
    }
    if (!hasElementsInAllWindows(op)) {
      return rewriter.notifyMatchFailure(op, "a window may be padding alone");
    }
    auto pool = cast<IE::MaxPoolOp>(rewriter.clone(*op));
    rewriter.modifyOpInPlace(
        pool, [&] { pool.getInputMutable().assign(relu.getInput()); });
    rewriter.replaceOpWithNewOp<IE::ReluOp>(op, op.getType(), pool.getOutput());
    return success();
  }
};

struct SwapReluPoolPass final
    : nacre::IE::impl::SwapReluPoolBase<SwapReluPoolPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SwapReluMaxPool>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
