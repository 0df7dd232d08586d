//===- Raise.cpp - The ie-raise pass --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write limits, rectifiers and normalisations as the minima,
// selections and reductions that define them. Only forms are found whose
// results are those of the operator for every number, infinities and NaN
// included: a selection by x > 0 gives something for NaN that a rectifier does
// not. Of a zero the sign may change, and the last bit of what is multiplied by
// a reciprocal.
//
//===----------------------------------------------------------------------===//

#include "RaisePatterns.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace nacre::IE {
#define GEN_PASS_DEF_RAISE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using nacre::IE::getUniform;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<double> IE::getUniform(Value value) {
  // More are weights.
  constexpr int64_t kMostElements = 1 << 16;
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0 ||
      type.getNumElements() > kMostElements) {
    return std::nullopt;
  }
  std::optional<SmallVector<double>> elements = IE::getConstantFloats(value);
  bool isUniform = elements && std::isfinite(elements->front()) &&
                   llvm::all_equal(*elements);
  return isUniform ? std::optional(elements->front()) : std::nullopt;
}

/// How many times `x` a product with a number is.
static std::optional<double> getMultiple(Value value, Value x) {
  auto mul = value.getDefiningOp<IE::MulOp>();
  if (!mul || mul.getType() != x.getType()) {
    return std::nullopt;
  }
  return mul.getLhs() == x   ? getUniform(mul.getRhs())
         : mul.getRhs() == x ? getUniform(mul.getLhs())
                             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// What is put in place
//===----------------------------------------------------------------------===//

static LogicalResult replaceByLimit(Operation *op, Value x, double limit,
                                    bool isLower, PatternRewriter &rewriter) {
  auto element = cast<RankedTensorType>(x.getType()).getElementType();
  Value bound = IE::buildScalar(rewriter, op->getLoc(), element, limit);
  rewriter.replaceOpWithNewOp<IE::ClipOp>(
      op, x.getType(), x, isLower ? bound : Value(), isLower ? Value() : bound);
  return success();
}

static LogicalResult replaceByLeakyRelu(Operation *op, Value x, double alpha,
                                        PatternRewriter &rewriter) {
  auto narrow = static_cast<float>(alpha);
  if (static_cast<double>(narrow) != alpha) {
    return rewriter.notifyMatchFailure(op, "the slope is no f32");
  }
  rewriter.replaceOpWithNewOp<IE::LeakyReluOp>(
      op, x.getType(), x, rewriter.getF32FloatAttr(narrow));
  return success();
}

//===----------------------------------------------------------------------===//
// Limits and rectifiers
//===----------------------------------------------------------------------===//

namespace {

/// Max(x, a) and Min(x, b) are halves of Clip(x, a, b), which canonicalisation
/// joins; Max(x, alpha * x) is a LeakyRelu.
template <typename Op> struct RaiseExtremum final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isMax = std::is_same_v<Op, IE::MaxOp>;
    if (op.getInputs().size() != 2) {
      return rewriter.notifyMatchFailure(op, "not of two operands");
    }
    Value first = op.getInputs()[0], second = op.getInputs()[1];
    for (auto [x, other] :
         {std::pair(first, second), std::pair(second, first)}) {
      if (x.getType() != op.getType()) {
        continue;
      }
      if (std::optional<double> limit = getUniform(other)) {
        return replaceByLimit(op, x, *limit, isMax, rewriter);
      }
      std::optional<double> alpha =
          isMax ? getMultiple(other, x) : std::nullopt;
      if (alpha && *alpha > 0 && *alpha < 1) {
        return replaceByLeakyRelu(op, x, *alpha, rewriter);
      }
    }
    return rewriter.notifyMatchFailure(op, "no limit and no rectifier");
  }
};

/// x compared with a number; false for NaN.
struct Comparison {
  Value x;
  double limit;
  bool isBelow;
};

} // namespace

static std::optional<Comparison> getComparison(Value condition) {
  Operation *op = condition.getDefiningOp();
  bool isLess = isa_and_present<IE::LessOp, IE::LessOrEqualOp>(op);
  if (!isLess && !isa_and_present<IE::GreaterOp, IE::GreaterOrEqualOp>(op)) {
    return std::nullopt;
  }
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (std::optional<double> limit = getUniform(rhs)) {
    return Comparison{lhs, *limit, isLess};
  }
  if (std::optional<double> limit = getUniform(lhs)) {
    return Comparison{rhs, *limit, !isLess};
  }
  return std::nullopt;
}

namespace {

/// Selections between x and a limit, or a multiple of x, by where x is.
struct RaiseSelection final : OpRewritePattern<IE::WhereOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::WhereOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Comparison> comparison = getComparison(op.getCondition());
    if (!comparison || comparison->x.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "no comparison with a number");
    }
    Value x = comparison->x;
    // A NaN is where the comparison does not hold, and has to stay one there.
    if (op.getOnFalse() == x) {
      if (getUniform(op.getOnTrue()) == comparison->limit) {
        return replaceByLimit(op, x, comparison->limit, comparison->isBelow,
                              rewriter);
      }
      std::optional<double> alpha = getMultiple(op.getOnTrue(), x);
      if (alpha && comparison->limit == 0 && comparison->isBelow) {
        return replaceByLeakyRelu(op, x, *alpha, rewriter);
      }
    }
    if (op.getOnTrue() == x && comparison->limit == 0 && !comparison->isBelow) {
      if (std::optional<double> alpha = getMultiple(op.getOnFalse(), x)) {
        return replaceByLeakyRelu(op, x, *alpha, rewriter);
      }
    }
    return rewriter.notifyMatchFailure(op, "no limit and no rectifier");
  }
};

/// PRelu of one slope.
struct RaisePRelu final : OpRewritePattern<IE::PReluOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::PReluOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<double> slope = getUniform(op.getSlope());
    if (!slope || op.getInput().getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "channels have their own slopes");
    }
    return replaceByLeakyRelu(op, op.getInput(), *slope, rewriter);
  }
};

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// e / ReduceSum(e) of e = Exp(x - ReduceMax(x)). Without the maximum it is
/// left alone: that form needs a pass less, and overflows where Softmax does
/// not.
struct RaiseSoftmax final : OpRewritePattern<IE::DivOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DivOp op,
                                PatternRewriter &rewriter) const override {
    auto exp = op.getLhs().getDefiningOp<IE::ExpOp>();
    auto sum = op.getRhs().getDefiningOp<IE::ReduceSumOp>();
    auto sub = exp ? exp.getInput().getDefiningOp<IE::SubOp>() : IE::SubOp();
    auto max =
        sub ? sub.getRhs().getDefiningOp<IE::ReduceMaxOp>() : IE::ReduceMaxOp();
    if (!sum || !max || sum.getInput() != exp.getResult() ||
        max.getInput() != sub.getLhs() ||
        sub.getLhs().getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "not a softmax");
    }
    bool isOnlyUser = llvm::all_of(exp->getUsers(), [&](Operation *user) {
      return user == op || user == sum;
    });
    if (!isOnlyUser || !sum->hasOneUse() || !sub->hasOneUse() ||
        !max->hasOneUse()) {
      return rewriter.notifyMatchFailure(op, "others need what is in between");
    }
    std::optional<SmallVector<int64_t>> axes = sum.getReducedAxes();
    if (!axes || axes->size() != 1 || axes != max.getReducedAxes() ||
        sum.getKeepdims() == 0 || max.getKeepdims() == 0) {
      return rewriter.notifyMatchFailure(op, "not along one kept axis");
    }
    rewriter.replaceOpWithNewOp<IE::SoftmaxOp>(
        op, op.getType(), sub.getLhs(),
        rewriter.getI64IntegerAttr(axes->front()));
    return success();
  }
};

struct RaisePass final : nacre::IE::impl::RaiseBase<RaisePass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<RaiseExtremum<IE::MaxOp>, RaiseExtremum<IE::MinOp>, RaisePRelu,
                 RaiseSelection, RaiseSoftmax>(context);
    IE::populateRaiseActivationPatterns(patterns);
    IE::populateRaiseNormalizationPatterns(patterns);
    // Join the halves.
    IE::ClipOp::getCanonicalizationPatterns(patterns, context);
    IE::ReluOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
