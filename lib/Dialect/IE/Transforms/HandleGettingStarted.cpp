//===- HandleGettingStarted.cpp - The tutorial's pass ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three ways to rewrite IR, on the tutorial's ops: walking over it, greedy
// pattern application, and dialect conversion. Prints the counters it sees.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/GettingStarted.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/raw_ostream.h"

namespace nacre::IE {
#define GEN_PASS_DEF_HANDLEGETTINGSTARTED
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Walk
//===----------------------------------------------------------------------===//

// Where the walk sets every counter to.
static constexpr int64_t kWalkedValue = 100;

/// Visits each op that counts, whatever it is; changes the tutorial's own.
static void rewriteByWalk(Operation *root) {
  root->walk([](IE::GettingStartedInterface counting) {
    llvm::outs() << counting.getCounter() << "\n";
    if (auto op = dyn_cast<IE::GettingStartedOp>(counting.getOperation())) {
      op.setMyInt(kWalkedValue);
    }
  });
}

//===----------------------------------------------------------------------===//
// Greedy
//===----------------------------------------------------------------------===//

namespace {
/// Counts down by one and prints. The driver applies it again to the op that it
/// changed, until it fails.
struct CountDownAndPrint final : OpRewritePattern<IE::GettingStartedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::GettingStartedOp op,
                                PatternRewriter &rewriter) const override {
    if (op.isFinished()) {
      return rewriter.notifyMatchFailure(op, "nothing left to count");
    }
    rewriter.modifyOpInPlace(op, [&] { op.setMyInt(op.getCounter() - 1); });
    llvm::outs() << op.getCounter() << "\n";
    return success();
  }
};
} // namespace

static LogicalResult rewriteGreedily(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<CountDownAndPrint>(root->getContext());
  return applyPatternsGreedily(root, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {

/// The tutorial's tensor type becomes the builtin one. Where an op that is not
/// converted still needs the other type, a cast stands in between.
struct GettingStartedTypeConverter final : TypeConverter {
  GettingStartedTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](IE::GettingStartedTensorType type) -> Type {
      return type.getTensorType();
    });
    auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                   Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
          .getResult(0);
    };
    addSourceMaterialization(cast);
    addTargetMaterialization(cast);
  }
};

/// Replaces an op that has something to count by its operand.
struct RemoveGettingStarted final : OpConversionPattern<IE::GettingStartedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GettingStartedOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

/// Repeats a builtin tensor instead.
struct RepeatBuiltinTensor final
    : OpConversionPattern<IE::GettingStartedRepeatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GettingStartedRepeatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IE::GettingStartedRepeatOp>(
        op, adaptor.getInput().getType(), adaptor.getInput(), op.getTimes());
    return success();
  }
};

} // namespace

static LogicalResult rewriteByConversion(Operation *root) {
  MLIRContext *context = root->getContext();
  GettingStartedTypeConverter converter;
  ConversionTarget target(*context);
  target.addDynamicallyLegalOp<IE::GettingStartedOp>(
      [](IE::GettingStartedOp op) { return op.isFinished(); });
  target.addDynamicallyLegalOp<IE::GettingStartedRepeatOp>(
      [&](IE::GettingStartedRepeatOp op) {
        return converter.isLegal(op.getOperation());
      });
  RewritePatternSet patterns(context);
  patterns.add<RemoveGettingStarted, RepeatBuiltinTensor>(converter, context);
  // Partial: ops that nothing is said about may stay.
  return applyPartialConversion(root, target, std::move(patterns));
}

namespace {
struct HandleGettingStartedPass final
    : nacre::IE::impl::HandleGettingStartedBase<HandleGettingStartedPass> {
  using HandleGettingStartedBase::HandleGettingStartedBase;

  void runOnOperation() override {
    LogicalResult result = success();
    switch (variant) {
    case IE::GettingStartedVariant::walk:
      rewriteByWalk(getOperation());
      break;
    case IE::GettingStartedVariant::greedy:
      result = rewriteGreedily(getOperation());
      break;
    case IE::GettingStartedVariant::conversion:
      result = rewriteByConversion(getOperation());
      break;
    }
    if (failed(result)) {
      signalPassFailure();
    }
  }
};
} // namespace
