//===- RaiseNormalization.cpp - Normalisation as one op -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of ie-raise: exporters whose operator set has no LayerNormalization
// write down its formula.
//
//===----------------------------------------------------------------------===//

#include "RaisePatterns.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Support/TensorTypes.h"

using namespace mlir;
using namespace nacre;
using nacre::IE::getUniform;

namespace {

/// x less its mean, divided by its deviation from it.
struct Normalized {
  Value x;
  int64_t firstDim; // of those that means are over
  float epsilon;
};

} // namespace

/// The op that gives `value`, if only one op reads it.
template <typename Op> static Op getOwn(Value value) {
  return value.hasOneUse() ? value.getDefiningOp<Op>() : Op();
}

/// The operands of a commutative op, in both orders.
template <typename Op>
static std::array<std::pair<Value, Value>, 2> getOrders(Op op) {
  return {std::pair<Value, Value>(op.getLhs(), op.getRhs()),
          std::pair<Value, Value>(op.getRhs(), op.getLhs())};
}

/// The first of the dimensions that a mean is over, if these are the last ones
/// and kept with one element.
static std::optional<int64_t> getFirstDim(IE::ReduceMeanOp mean) {
  if (!mean || mean.getKeepdims() == 0) {
    return std::nullopt;
  }
  std::optional<SmallVector<int64_t>> axes = mean.getReducedAxes();
  int64_t rank = getTensorType(mean.getInput()).getRank();
  bool areLast = axes && !axes->empty() &&
                 llvm::equal(*axes, llvm::seq(axes->front(), rank));
  return areLast ? std::optional(axes->front()) : std::nullopt;
}

/// What `value` is the square of.
static Value getRoot(Value value) {
  if (auto mul = getOwn<IE::MulOp>(value)) {
    return mul.getLhs() == mul.getRhs() ? mul.getLhs() : Value();
  }
  auto pow = getOwn<IE::PowOp>(value);
  return pow && getUniform(pow.getExponent()) == 2.0 ? pow.getBase() : Value();
}

/// What `value` is the reciprocal of.
static Value getInverse(Value value) {
  if (auto reciprocal = getOwn<IE::ReciprocalOp>(value)) {
    return reciprocal.getInput();
  }
  auto div = getOwn<IE::DivOp>(value);
  return div && getUniform(div.getLhs()) == 1.0 ? div.getRhs() : Value();
}

/// The variance and the number in Sqrt(variance + number).
static std::optional<std::pair<Value, float>> getDeviation(Value value) {
  auto sqrt = getOwn<IE::SqrtOp>(value);
  auto sum = sqrt ? getOwn<IE::AddOp>(sqrt.getInput()) : IE::AddOp();
  if (!sum) {
    return std::nullopt;
  }
  for (auto [variance, number] : getOrders(sum)) {
    std::optional<double> epsilon = getUniform(number);
    if (epsilon && *epsilon == static_cast<float>(*epsilon) &&
        variance.getType() == sum.getType()) {
      return std::pair(variance, static_cast<float>(*epsilon));
    }
  }
  return std::nullopt;
}

/// The normalised x in `centred` divided by `deviation`.
static std::optional<Normalized> getQuotient(Value centred, Value deviation) {
  auto sub = centred.getDefiningOp<IE::SubOp>();
  auto mean = sub ? getOwn<IE::ReduceMeanOp>(sub.getRhs()) : IE::ReduceMeanOp();
  std::optional<int64_t> firstDim = getFirstDim(mean);
  auto scaled = getDeviation(deviation);
  if (!firstDim || !scaled || mean.getInput() != sub.getLhs() ||
      sub.getType() != mean.getInput().getType()) {
    return std::nullopt;
  }
  auto variance = getOwn<IE::ReduceMeanOp>(scaled->first);
  // Two operands of the square, or one of a power, and the quotient's.
  Value root = variance ? getRoot(variance.getInput()) : Value();
  if (root != centred || getFirstDim(variance) != firstDim) {
    return std::nullopt;
  }
  Operation *square = variance.getInput().getDefiningOp();
  auto isOther = [&](OpOperand &use) { return use.getOwner() != square; };
  if (llvm::count_if(centred.getUses(), isOther) != 1) {
    return std::nullopt;
  }
  return Normalized{sub.getLhs(), *firstDim, scaled->second};
}

static std::optional<Normalized> getNormalized(Value value) {
  if (auto div = getOwn<IE::DivOp>(value)) {
    return getQuotient(div.getLhs(), div.getRhs());
  }
  auto mul = getOwn<IE::MulOp>(value);
  if (!mul) {
    return std::nullopt;
  }
  for (auto [centred, factor] : getOrders(mul)) {
    Value deviation = getInverse(factor);
    std::optional<Normalized> found =
        deviation ? getQuotient(centred, deviation) : std::nullopt;
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

/// True for a constant that has an element for each of the last dimensions of
/// `type`.
static bool isParameter(Value value, RankedTensorType type, int64_t firstDim) {
  RankedTensorType own = getTensorType(value);
  if (!IE::getConstantElements(value) || own.getRank() > type.getRank()) {
    return false;
  }
  // Without the ones in front.
  ArrayRef<int64_t> last = type.getShape().drop_front(firstDim);
  ArrayRef<int64_t> shape = own.getShape();
  while (shape.size() > last.size() && shape.front() == 1) {
    shape = shape.drop_front();
  }
  return shape == last;
}

namespace {

/// A product of what is normalised with a constant, and what is added to it.
struct RaiseLayerNormalization final : OpRewritePattern<IE::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MulOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Normalized> found;
    Value scale;
    for (auto [value, factor] : getOrders(op)) {
      found = getNormalized(value);
      if (found) {
        scale = factor;
        break;
      }
    }
    if (!found) {
      return rewriter.notifyMatchFailure(op, "nothing normalised is scaled");
    }
    RankedTensorType type = getTensorType(found->x);
    bool computes =
        type.getElementType().isF32() || type.getElementType().isF64();
    if (!computes || type != op.getType() ||
        !isParameter(scale, type, found->firstDim)) {
      return rewriter.notifyMatchFailure(
          op, "not by a constant for each of the last dimensions' elements");
    }
    Operation *last = op;
    Value bias = findBias(op, *found);
    if (bias) {
      last = *op->user_begin();
    }
    rewriter.setInsertionPoint(last);
    auto normalization = IE::LayerNormalizationOp::create(
        rewriter, last->getLoc(), found->x, scale, bias,
        found->firstDim - type.getRank(), APFloat(found->epsilon));
    IE::setValueName(normalization.getOutput(),
                     IE::getValueName(last->getResult(0)));
    rewriter.replaceAllUsesWith(last->getResult(0), normalization.getOutput());
    rewriter.eraseOp(last);
    return success();
  }

private:
  /// The constant that the only user adds.
  static Value findBias(IE::MulOp op, const Normalized &normalized) {
    auto add =
        op->hasOneUse() ? dyn_cast<IE::AddOp>(*op->user_begin()) : IE::AddOp();
    if (!add || add.getType() != op.getType()) {
      return {};
    }
    Value bias = add.getLhs() == op ? add.getRhs() : add.getLhs();
    return isParameter(bias, getTensorType(op), normalized.firstDim) ? bias
                                                                     : Value();
  }
};

} // namespace

void IE::populateRaiseNormalizationPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseLayerNormalization>(patterns.getContext());
}
