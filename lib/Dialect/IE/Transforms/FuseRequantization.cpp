//===- FuseRequantization.cpp - Integers that become integers again -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between a DequantizeLinear and a QuantizeLinear, or before one of
// them, and changes nothing: the results are the same to the last bit.
//
//===----------------------------------------------------------------------===//

#include "QuantizationFusions.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

namespace {

struct Interval {
  double low, high;
};

} // namespace

/// Between these scales products with integers of 16 bits are normal numbers,
/// which a division by the scale makes the same integers again.
static constexpr double kLeastScale = 0x1p-100, kLargestScale = 0x1p100;

/// The scales, if they are constants that keep the order and lose nothing.
static std::optional<SmallVector<double>> getPlainScales(Value scale) {
  std::optional<SmallVector<double>> scales = IE::getConstantFloats(scale);
  bool isPlain = scales && getElementTypeOrSelf(scale).isF32() &&
                 llvm::all_of(*scales, [](double value) {
                   return value >= kLeastScale && value <= kLargestScale;
                 });
  return isPlain ? scales : std::nullopt;
}

/// What all integers of `type` lie between, as floats of a scale and a zero
/// point; nothing where these are no constants.
static std::optional<Interval> getInterval(Type type, Value scale,
                                           Value zeroPoint) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  std::optional<SmallVector<double>> scales = getPlainScales(scale);
  SmallVector<int64_t> zeros = {0};
  if (zeroPoint) {
    std::optional<SmallVector<int64_t>> constant =
        IE::getConstantInts(zeroPoint);
    if (!constant) {
      return std::nullopt;
    }
    zeros = *constant;
  }
  bool fits = scales && !scales->empty() && element.getWidth() <= 16 &&
              (zeros.size() == 1 || zeros.size() == scales->size());
  if (!fits) {
    return std::nullopt;
  }
  auto [least, most] = IE::getIntegerRange(element);
  Interval result = {std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
  for (auto [i, factor] : llvm::enumerate(*scales)) {
    int64_t zero = zeros[zeros.size() == 1 ? 0 : i];
    result.low =
        std::min(result.low, static_cast<double>(least - zero) * factor);
    result.high =
        std::max(result.high, static_cast<double>(most - zero) * factor);
  }
  return result;
}

/// What the results of an activation lie between; nothing for other ops, and
/// for bounds that are no constants.
static std::optional<Interval> getBounds(Operation *op) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (isa<IE::ReluOp>(op)) {
    return Interval{0, kInfinity};
  }
  auto clip = dyn_cast<IE::ClipOp>(op);
  if (!clip) {
    return std::nullopt;
  }
  Interval result = {-kInfinity, kInfinity};
  for (auto [bound, value] : {std::pair(clip.getMin(), &result.low),
                              std::pair(clip.getMax(), &result.high)}) {
    if (!bound) {
      continue;
    }
    std::optional<SmallVector<double>> constant = IE::getConstantFloats(bound);
    if (!constant || constant->size() != 1) {
      return std::nullopt;
    }
    *value = constant->front();
  }
  return result;
}

/// True for one value, and for constants of the same type and elements.
static bool isSame(Value a, Value b) {
  DenseElementsAttr left, right;
  return a == b || (a && b && matchPattern(a, m_Constant(&left)) &&
                    matchPattern(b, m_Constant(&right)) && left == right);
}

static int64_t getDim(IE::QuantizeLinearOp op) {
  int64_t axis = op.getAxis();
  return axis < 0 ? axis + cast<ShapedType>(op.getInput().getType()).getRank()
                  : axis;
}

namespace {

/// QuantizeLinear(DequantizeLinear(x)) of the same parameters is x.
struct RemoveRequantization final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    auto source = op.getInput().getDefiningOp<IE::DequantizeLinearOp>();
    if (!source || source.isBlocked() ||
        source.getInput().getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "no integers of the same type");
    }
    if (!isSame(op.getScale(), source.getScale()) ||
        !isSame(op.getZeroPoint(), source.getZeroPoint())) {
      return rewriter.notifyMatchFailure(op, "other parameters");
    }
    std::optional<SmallVector<double>> scales = getPlainScales(op.getScale());
    bool isNarrow =
        getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() <= 16;
    if (!scales || !isNarrow) {
      return rewriter.notifyMatchFailure(
          op, "the scale is not known, or floats are not exact");
    }
    if (scales->size() != 1 && getDim(op) != source.getDim()) {
      return rewriter.notifyMatchFailure(op, "scales of other dimensions");
    }
    rewriter.replaceOp(op, source.getInput());
    return success();
  }
};

/// What an activation limits to an interval that has all that the integers can
/// stand for is limited by them anyway.
struct AbsorbActivation final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    Operation *activation = op.getInput().getDefiningOp();
    std::optional<Interval> bounds;
    if (activation) {
      bounds = getBounds(activation);
    }
    // Others would compute it all the same.
    if (!bounds || !activation->hasOneUse() ||
        activation->getOperand(0).getType() != op.getInput().getType()) {
      return rewriter.notifyMatchFailure(
          op, "no Relu or Clip of constant bounds for this op alone");
    }
    std::optional<Interval> integers =
        getInterval(op.getType(), op.getScale(), op.getZeroPoint());
    // A bound that is no number limits to no number.
    bool holdsAll = integers && bounds->low <= integers->low &&
                    bounds->high >= integers->high;
    if (!holdsAll) {
      return rewriter.notifyMatchFailure(op, "integers have less or more");
    }
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(activation->getOperand(0)); });
    return success();
  }
};

/// An activation of integers that stand for nothing beyond its bounds is no op
/// at all.
template <typename ActivationOp>
struct RemoveActivationOfIntegers final : OpRewritePattern<ActivationOp> {
  using OpRewritePattern<ActivationOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    auto source =
        op.getInput().template getDefiningOp<IE::DequantizeLinearOp>();
    if (!source || source.isBlocked() || source.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "no dequantized operand");
    }
    std::optional<Interval> bounds = getBounds(op);
    std::optional<Interval> integers = getInterval(
        source.getInput().getType(), source.getScale(), source.getZeroPoint());
    // A bound that is no number limits to no number.
    bool holdsAll = bounds && integers && bounds->low <= integers->low &&
                    bounds->high >= integers->high;
    if (!holdsAll) {
      return rewriter.notifyMatchFailure(op, "integers may be beyond a bound");
    }
    rewriter.replaceOp(op, source.getOutput());
    return success();
  }
};

} // namespace

void IE::populateFuseRequantizationPatterns(RewritePatternSet &patterns) {
  patterns.add<RemoveRequantization, AbsorbActivation,
               RemoveActivationOfIntegers<IE::ReluOp>,
               RemoveActivationOfIntegers<IE::ClipOp>>(patterns.getContext());
}
