//===- ApproximateMath.cpp - The approximate-math pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes transcendental functions vectorisable.
//
//===----------------------------------------------------------------------===//

#include "Hyperbolic.h"
#include "Power.h"
#include "Trigonometry.h"
#include "WideTrigonometry.h"

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace nacre {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The polynomial takes subnormal numbers for the smallest normal one. It gets
/// them scaled up, and the result corrected.
static void scaleSubnormals(math::LogOp op) {
  OpBuilder b(op);
  MathEmitter e(b, op.getLoc(), op.getType());
  constexpr float kSmallestNormal = 0x1p-126f, kScale = 0x1p23f;
  constexpr float kLogOfScale = 15.9423847f;
  Value x = op.getOperand();
  Value isSubnormal = e.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, x,
                                              e.constant(kSmallestNormal));
  Value scaled = e.create<arith::MulFOp>(x, e.constant(kScale));
  op->setOperand(0, e.create<arith::SelectOp>(isSubnormal, scaled, x));
  b.setInsertionPointAfter(op);
  Value shift = e.create<arith::SelectOp>(isSubnormal, e.constant(kLogOfScale),
                                          e.constant(0));
  Value result = e.create<arith::SubFOp>(op, shift);
  op.getResult().replaceAllUsesExcept(result, result.getDefiningOp());
}

static bool isMath(Operation *op) {
  return isa_and_present<math::MathDialect>(op->getDialect());
}

namespace {
/// exp(x) as 2^n * exp(r), r within half a ln(2) of 0: n and the rounder, and
/// exp(r) - 1.
struct Factors {
  Value rounded, excess;
};
} // namespace

/// With Cephes' coefficients as upstream, whose form takes more registers.
static Factors splitExp(MathEmitter &e, Value x) {
  // exp(-x), as of a sigmoid, is the same with other signs of constants.
  float sign = 1;
  if (auto negation = x.getDefiningOp<arith::NegFOp>()) {
    x = negation.getOperand();
    sign = -1;
  }
  // Below it the result is 0. What is too large needs no bound but that of n:
  // r is large then, too, and the result infinite.
  constexpr float kLeast = -87.8f;
  x = sign > 0 ? e.atLeast(x, kLeast) : e.atMost(x, -kLeast);
  double rounder = e.getRounder();
  Value rounded = e.fma(x, e.constant(sign * 1.44269502f), e.constant(rounder));
  rounded = e.atMost(rounded, rounder + 127);
  Value n = e.sub(rounded, e.constant(rounder));
  // r, or -r. ln(2) in two parts, so that n times the first is exact.
  Value r = e.create<math::FmaOp>(e.constant(sign * -0.693359375f), n, x);
  r = e.create<math::FmaOp>(e.constant(sign * 2.12194442e-4f), n, r);
  Value series =
      e.evaluate({sign * 1.98756912e-4f, 1.39819994e-3f, sign * 8.33345205e-3f,
                  4.16657962e-2f, sign * 0.166666657f, 0.5f},
                 r);
  Value square = e.create<arith::MulFOp>(r, r);
  Value linear = sign > 0 ? r : e.create<arith::NegFOp>(r);
  return {rounded, e.create<math::FmaOp>(series, square, linear)};
}

static Value emitExp(MathEmitter &e, Value x) {
  auto [rounded, excess] = splitExp(e, x);
  Value factor = e.add(excess, e.constant(1));
  return e.mul(factor, e.exp2(rounded));
}

/// exp(x) - 1, as (2^n - 1) + 2^n * (exp(r) - 1), which loses no digits near 0:
/// n is 0 there. 2^n is finite, as the infinite ones of exp come from r.
/// Upstream divides by a logarithm of the rounded exponential, which takes five
/// times as long.
static Value emitExpM1(MathEmitter &e, Value x) {
  auto [rounded, excess] = splitExp(e, x);
  Value power = e.exp2(rounded);
  return e.fma(excess, power, e.sub(power, e.constant(1)));
}

/// 2^n * exp(r) as above, in f64, with Cephes' quotient.
static Value emitWideExp(MathEmitter &e, Value x) {
  // Beyond these the result is 0 or infinite.
  x = e.atMost(e.atLeast(x, -746), 710);
  double rounder = e.getRounder();
  Value scaled = e.fma(x, e.constant(1.4426950408889634), e.constant(rounder));
  Value n = e.sub(scaled, e.constant(rounder));
  Value r = e.fma(n, e.constant(-6.93145751953125e-1), x);
  r = e.fma(n, e.constant(-1.42860682030941723212e-6), r);
  Value square = e.mul(r, r);
  Value odd = e.mul(
      r, e.evaluate({1.26177193074810590878e-4, 3.02994407707441961300e-2, 1},
                    square));
  Value even = e.evaluate({3.00198505138664455042e-6, 2.52448340349684104192e-3,
                           2.27265548208155028766e-1, 2},
                          square);
  Value quotient = e.create<arith::DivFOp>(odd, e.sub(even, odd));
  Value power = e.fma(quotient, e.constant(2), e.constant(1));
  return e.scale(power, n);
}

/// 1 - 2 / (exp(2 |x|) + 1), or a quotient where that would lose digits:
/// Cephes' coefficients.
static Value emitWideTanh(MathEmitter &e, Value x) {
  Value size = e.create<math::AbsFOp>(x);
  Value power = emitWideExp(e, e.add(size, size));
  Value one = e.constant(1);
  Value large =
      e.sub(one, e.create<arith::DivFOp>(e.constant(2), e.add(power, one)));
  Value square = e.mul(size, size);
  Value p = e.evaluate({-9.64399179425052238628e-1, -9.92877231001918586564e1,
                        -1.61468768441708447952e3},
                       square);
  Value q = e.evaluate({1, 1.12811678491632931402e2, 2.23548839060100448583e3,
                        4.84406305325125486048e3},
                       square);
  Value excess = e.mul(square, e.create<arith::DivFOp>(p, q));
  Value small = e.fma(size, excess, size);
  Value isLarge = e.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, size,
                                          e.constant(0.625));
  return e.create<math::CopySignOp>(
      e.create<arith::SelectOp>(isLarge, large, small), x);
}

/// x * P(x²) / Q(x²) within [-bound, bound], beyond which the function is what
/// it is there.
static Value emitRational(MathEmitter &e, Value x, double bound,
                          ArrayRef<double> p, ArrayRef<double> q) {
  // P(0) is small: x times it would be subnormal for more x than need be.
  constexpr float kScale = 256;
  auto evaluate = [&](ArrayRef<double> coefficients, Value square) {
    return e.evaluate(
        llvm::map_to_vector(coefficients, [](double c) { return kScale * c; }),
        square);
  };
  x = e.atMost(e.atLeast(x, -bound), bound);
  Value square = e.create<arith::MulFOp>(x, x);
  Value product = e.create<arith::MulFOp>(x, evaluate(p, square));
  return e.create<arith::DivFOp>(product, evaluate(q, square));
}

/// Eigen's coefficients. Upstream selects x itself where that is small, which
/// is no closer.
static Value emitTanh(MathEmitter &e, Value x) {
  return emitRational(
      e, x, 7.99881172f,
      {-2.76076837e-16f, 2.00018794e-13f, -8.60467184e-11f, 5.12229725e-08f,
       1.48572235e-05f, 6.37261954e-04f, 4.89352457e-03f},
      {1.19825836e-06f, 1.18534706e-04f, 2.26843474e-03f, 4.89352504e-03f});
}

/// Eigen's coefficients. Upstream selects among four intervals, which takes
/// twice as long.
static Value emitErf(MathEmitter &e, Value x) {
  return emitRational(
      e, x, 4,
      {-2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f,
       -5.69250639462346e-05f, -7.34990630326855e-04f, -2.95459980854025e-03f,
       -1.60960333262415e-02f},
      {-1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
       -7.37332916720468e-03f, -1.42647390514189e-02f});
}

namespace {

template <typename Op, Value (*emit)(MathEmitter &, Value), unsigned width = 32>
struct Approximate final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isFloat(width)) {
      return rewriter.notifyMatchFailure(op, "is of another precision");
    }
    MathEmitter emitter(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, emit(emitter, op.getOperand()));
    return success();
  }
};

struct ApproximatePower final : OpRewritePattern<math::PowFOp> {
  // After the simplifications for some constant exponents.
  explicit ApproximatePower(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/0) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64()) {
      return rewriter.notifyMatchFailure(op, "is of another precision");
    }
    MathEmitter emitter(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, emitPower(emitter, op.getLhs(), op.getRhs()));
    return success();
  }
};

struct ApproximateMathPass final
    : nacre::impl::ApproximateMathBase<ApproximateMathPass> {
  void runOnOperation() override {
    SmallVector<math::LogOp> logs;
    getOperation()->walk([&](math::LogOp op) {
      if (getElementTypeOrSelf(op.getType()).isF32()) {
        logs.push_back(op);
      }
    });
    llvm::for_each(logs, scaleSubnormals);
    RewritePatternSet patterns(&getContext());
    // Powers with small constant exponents, as of LRN, are square roots.
    populateMathAlgebraicSimplificationPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::LogOp::getOperationName() ||
             name == math::Log1pOp::getOperationName();
    });
    patterns.add<
        Approximate<math::ExpOp, emitExp>,
        Approximate<math::ExpOp, emitWideExp, 64>,
        Approximate<math::ExpM1Op, emitExpM1>,
        Approximate<math::TanhOp, emitWideTanh, 64>,
        Approximate<math::TanhOp, emitTanh>, Approximate<math::ErfOp, emitErf>,
        Approximate<math::SinOp, emitSin>, Approximate<math::CosOp, emitCos>,
        Approximate<math::SinOp, emitWideSin, 64>,
        Approximate<math::CosOp, emitWideCos, 64>,
        Approximate<math::TanOp, emitTan>, Approximate<math::AsinOp, emitAsin>,
        Approximate<math::AcosOp, emitAcos>,
        Approximate<math::AtanOp, emitAtan>,
        Approximate<math::SinhOp, emitSinh>,
        Approximate<math::CoshOp, emitCosh>,
        Approximate<math::AsinhOp, emitAsinh>,
        Approximate<math::AcoshOp, emitAcosh>,
        Approximate<math::AtanhOp, emitAtanh>, ApproximatePower>(&getContext());
    if (failed(
            nacre::rewriteOps(getOperation(), std::move(patterns), isMath))) {
      signalPassFailure();
    }
  }
};
} // namespace
