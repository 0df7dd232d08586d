//===- FuseGelu.cpp - The ie-fuse-gelu pass -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write Gelu as the arithmetic that defines it, in one association or
// another. As one op it can follow a matrix product while the values are in
// registers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace nacre::IE {
#define GEN_PASS_DEF_FUSEGELU
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

static std::optional<double> getScalar(Value value) {
  std::optional<SmallVector<double>> constant = IE::getConstantFloats(value);
  return constant && constant->size() == 1 ? std::optional(constant->front())
                                           : std::nullopt;
}

/// Models carry these constants with as few as five digits.
static bool isAbout(double value, double expected) {
  return std::abs(value - expected) <= 1e-4 * expected;
}

namespace {

/// A product of a number and tensors.
struct Factors {
  double scale = 1;
  SmallVector<Value> tensors;

  static Factors of(Value value) {
    Factors factors;
    factors.collect(value);
    return factors;
  }

  /// True for `expected` times `tensor` once.
  bool is(double expected, Value tensor) const {
    return isAbout(scale, expected) && tensors.size() == 1 &&
           tensors.front() == tensor;
  }

private:
  void collect(Value value) {
    if (std::optional<double> scalar = getScalar(value)) {
      scale *= *scalar;
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

/// The other operand of an addition of the number 1; null for anything else.
static Value getOnePlus(Value value) {
  auto add = value.getDefiningOp<IE::AddOp>();
  if (!add) {
    return {};
  }
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())}) {
    if (getScalar(one) == 1.0) {
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
         {std::pair(outer.tensors[0], outer.tensors[1]),
          std::pair(outer.tensors[1], outer.tensors[0])}) {
      Value square = first == x ? getOnePlus(second) : Value();
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
  for (auto [linear, cube] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
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

struct FuseGeluPattern final : OpRewritePattern<IE::MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MulOp op,
                                PatternRewriter &rewriter) const override {
    Factors factors = Factors::of(op.getResult());
    if (!isAbout(factors.scale, 0.5) || factors.tensors.size() != 2) {
      return rewriter.notifyMatchFailure(op, "not half of two factors");
    }
    for (auto [x, other] :
         {std::pair(factors.tensors[0], factors.tensors[1]),
          std::pair(factors.tensors[1], factors.tensors[0])}) {
      Value bell = getOnePlus(other);
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

struct FuseGeluPass final : nacre::IE::impl::FuseGeluBase<FuseGeluPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseGeluPattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
