//===- RaiseActivations.cpp - Activations for ie-raise --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write activations that are younger than their operator set as the
// arithmetic that defines them, in one association or another. As one op such
// an activation can follow a convolution or a matrix product while the values
// are in registers.
//
//===----------------------------------------------------------------------===//

#include "RaisePatterns.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include <array>
#include <cmath>
#include <utility>

using namespace mlir;
using namespace nacre;

static std::optional<double> getScalar(Value value) {
  std::optional<SmallVector<double>> constant = IE::getConstantFloats(value);
  return constant && constant->size() == 1 ? std::optional(constant->front())
                                           : std::nullopt;
}

/// Two operands of what is the same in either order, in both orders.
static std::array<std::pair<Value, Value>, 2> inBothOrders(Value first,
                                                           Value second) {
  return {std::pair(first, second), std::pair(second, first)};
}

/// Models carry these constants with as few as five digits, or the eleven bits
/// of an f16.
static bool isAbout(double value, double expected) {
  constexpr double kHalfUnit = 1.0 / (1 << 11);
  return std::abs(value - expected) <= kHalfUnit * expected;
}

/// True where an f32 attribute holds a parameter as exactly as the numbers that
/// it is computed with.
static bool isHeld(double parameter, Type type) {
  return !getElementTypeOrSelf(type).isF64() ||
         static_cast<double>(static_cast<float>(parameter)) == parameter;
}

namespace {

/// A product of a number and tensors. A factor that is a product itself, but
/// has other users, is one tensor.
struct Factors {
  double scale = 1;
  SmallVector<Value> tensors;

  static Factors of(Value value) {
    Factors factors;
    factors.collect(value, /*isWhole=*/true);
    return factors;
  }

  /// True for `expected` times `tensor` once.
  bool is(double expected, Value tensor) const {
    return isAbout(scale, expected) && tensors.size() == 1 &&
           tensors.front() == tensor;
  }

private:
  void collect(Value value, bool isWhole = false) {
    if (std::optional<double> scalar = getScalar(value)) {
      scale *= *scalar;
      return;
    }
    if (!isWhole && !value.hasOneUse()) {
      tensors.push_back(value);
      return;
    }
    if (auto mul = value.getDefiningOp<IE::MulOp>()) {
      collect(mul.getLhs());
      collect(mul.getRhs());
      return;
    }
    if (auto div = value.getDefiningOp<IE::DivOp>()) {
      if (std::optional<double> scalar = getScalar(div.getRhs())) {
        collect(div.getLhs());
        scale /= *scalar;
        return;
      }
    }
    if (auto pow = value.getDefiningOp<IE::PowOp>()) {
      std::optional<double> exponent = getScalar(pow->getOperand(1));
      if (exponent == 2.0 || exponent == 3.0) {
        tensors.append(static_cast<size_t>(*exponent), pow->getOperand(0));
        return;
      }
    }
    tensors.push_back(value);
  }
};

} // namespace

/// The other operand of an addition of `number`; null for anything else.
static Value getSummand(Value value, double number) {
  auto add = value.getDefiningOp<IE::AddOp>();
  if (!add) {
    return {};
  }
  for (auto [scalar, other] : inBothOrders(add.getLhs(), add.getRhs())) {
    if (getScalar(scalar) == number) {
      return other;
    }
  }
  return {};
}

/// True when `cubic` is sqrt(2/pi) * (x + 0.044715 x^3).
static bool isTanhArgument(Value cubic, Value x) {
  constexpr double kScale = 0.79788456080286535588, kCubic = 0.044715;
  Factors outer = Factors::of(cubic);
  if (!isAbout(outer.scale, kScale)) {
    return false;
  }
  // x * (1 + 0.044715 x^2)
  if (outer.tensors.size() == 2) {
    for (auto [first, second] :
         inBothOrders(outer.tensors[0], outer.tensors[1])) {
      Value square = first == x ? getSummand(second, 1) : Value();
      if (square) {
        Factors inner = Factors::of(square);
        return isAbout(inner.scale, kCubic) &&
               inner.tensors == SmallVector<Value>(2, x);
      }
    }
    return false;
  }
  auto sum = outer.tensors.size() == 1
                 ? outer.tensors.front().getDefiningOp<IE::AddOp>()
                 : IE::AddOp();
  if (!sum) {
    return false;
  }
  for (auto [linear, cube] : inBothOrders(sum.getLhs(), sum.getRhs())) {
    Factors inner = Factors::of(cube);
    if (linear == x && isAbout(inner.scale, kCubic) &&
        inner.tensors == SmallVector<Value>(3, x)) {
      return true;
    }
  }
  return false;
}

/// How the Gelu of `x` that x * (1 + `bell`) / 2 is, is computed; nothing when
/// it is none.
static std::optional<StringRef> getApproximation(Value bell, Value x) {
  if (auto erf = bell.getDefiningOp<IE::ErfOp>()) {
    constexpr double kInverseSqrt2 = 0.70710678118654752440;
    return Factors::of(erf->getOperand(0)).is(kInverseSqrt2, x)
               ? std::optional<StringRef>("none")
               : std::nullopt;
  }
  if (auto tanh = bell.getDefiningOp<IE::TanhOp>()) {
    return isTanhArgument(tanh->getOperand(0), x)
               ? std::optional<StringRef>("tanh")
               : std::nullopt;
  }
  return std::nullopt;
}

namespace {

struct RaiseGelu final : OpRewritePattern<IE::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MulOp op,
                                PatternRewriter &rewriter) const override {
    Factors factors = Factors::of(op.getResult());
    if (!isAbout(factors.scale, 0.5) || factors.tensors.size() != 2) {
      return rewriter.notifyMatchFailure(op, "not half of two factors");
    }
    for (auto [x, other] :
         inBothOrders(factors.tensors[0], factors.tensors[1])) {
      Value bell = getSummand(other, 1);
      std::optional<StringRef> approximation =
          bell && x.getType() == op.getType() ? getApproximation(bell, x)
                                              : std::nullopt;
      if (approximation) {
        rewriter.replaceOpWithNewOp<IE::GeluOp>(op, op.getType(), x,
                                                *approximation);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no factor is a Gelu's bell");
  }
};

/// 1 / (1 + exp(-x)), and x over the same.
struct RaiseLogistic final : OpRewritePattern<IE::DivOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::DivOp op,
                                PatternRewriter &rewriter) const override {
    Value decay = getSummand(op.getRhs(), 1);
    auto exp = decay ? decay.getDefiningOp<IE::ExpOp>() : IE::ExpOp();
    auto neg =
        exp ? exp->getOperand(0).getDefiningOp<IE::NegOp>() : IE::NegOp();
    Value x = neg ? neg->getOperand(0) : Value();
    if (!x || x.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "not divided by 1 + exp(-x)");
    }
    if (getScalar(op.getLhs()) == 1.0) {
      rewriter.replaceOpWithNewOp<IE::SigmoidOp>(op, op.getType(), x);
      return success();
    }
    if (op.getLhs() == x) {
      rewriter.replaceOpWithNewOp<IE::SwishOp>(op, op.getType(), x);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "neither 1 nor x is divided");
  }
};

/// x times a function of x.
struct RaiseProduct final : OpRewritePattern<IE::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MulOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [x, gate] : inBothOrders(op.getLhs(), op.getRhs())) {
      // Computing the gate twice may cost more than what fusing saves.
      if (x.getType() == op.getType() && gate.hasOneUse() &&
          succeeded(fuse(op, x, gate, rewriter))) {
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "not x times a function of x alone");
  }

private:
  /// How many times `x` a value is; nothing when it is something else.
  static std::optional<double> getMultiple(Value value, Value x) {
    if (value == x) {
      return 1;
    }
    Factors factors = Factors::of(value);
    return factors.tensors == SmallVector<Value>{x}
               ? std::optional(factors.scale)
               : std::nullopt;
  }

  static LogicalResult fuse(IE::MulOp op, Value x, Value gate,
                            PatternRewriter &rewriter) {
    if (auto sigmoid = gate.getDefiningOp<IE::SigmoidOp>()) {
      std::optional<double> alpha = getMultiple(sigmoid->getOperand(0), x);
      if (!alpha || !isHeld(*alpha, op.getType())) {
        return failure();
      }
      rewriter.replaceOpWithNewOp<IE::SwishOp>(
          op, op.getType(), x, rewriter.getF32FloatAttr(*alpha));
      return success();
    }
    if (auto hard = gate.getDefiningOp<IE::HardSigmoidOp>()) {
      if (hard.getInput() != x || hard.getBeta().convertToFloat() != 0.5f ||
          !isAbout(hard.getAlpha().convertToFloat(), 1.0 / 6.0)) {
        return failure();
      }
      rewriter.replaceOpWithNewOp<IE::HardSwishOp>(op, op.getType(), x);
      return success();
    }
    auto tanh = gate.getDefiningOp<IE::TanhOp>();
    auto softplus = tanh ? tanh->getOperand(0).getDefiningOp<IE::SoftplusOp>()
                         : IE::SoftplusOp();
    if (!softplus || softplus->getOperand(0) != x) {
      return failure();
    }
    rewriter.replaceOpWithNewOp<IE::MishOp>(op, op.getType(), x);
    return success();
  }
};

/// clip(x + 3, 0, 6) / 6, and x times that.
template <typename Op> struct RaiseHardSwish final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Factors factors = Factors::of(op.getResult());
    size_t count = factors.tensors.size();
    if (!isAbout(factors.scale, 1.0 / 6.0) || count == 0 || count > 2) {
      return rewriter.notifyMatchFailure(op, "no sixth of at most two factors");
    }
    for (auto [ramp, x] :
         inBothOrders(factors.tensors.front(), factors.tensors.back())) {
      Value shifted = getShifted(ramp);
      if (!shifted || shifted.getType() != op.getType()) {
        continue;
      }
      if (count == 1 && isHeld(1.0 / 6.0, op.getType())) {
        rewriter.replaceOpWithNewOp<IE::HardSigmoidOp>(
            op, op.getType(), shifted, rewriter.getF32FloatAttr(1.0f / 6.0f),
            rewriter.getF32FloatAttr(0.5f));
        return success();
      }
      if (count == 2 && shifted == x) {
        rewriter.replaceOpWithNewOp<IE::HardSwishOp>(op, op.getType(), x);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no factor is clip(x + 3, 0, 6)");
  }

private:
  /// x of clip(x + 3, 0, 6); null for anything else.
  static Value getShifted(Value ramp) {
    auto clip = ramp.getDefiningOp<IE::ClipOp>();
    if (!clip || !clip.getMin() || !clip.getMax() ||
        getScalar(clip.getMin()) != 0.0 || getScalar(clip.getMax()) != 6.0) {
      return {};
    }
    return getSummand(clip.getInput(), 3);
  }
};

} // namespace

void IE::populateRaiseActivationPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseGelu, RaiseHardSwish<IE::DivOp>, RaiseHardSwish<IE::MulOp>,
               RaiseLogistic, RaiseProduct>(patterns.getContext());
}
