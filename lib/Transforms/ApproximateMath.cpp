//===- ApproximateMath.cpp - The approximate-math pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes transcendental functions vectorisable.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace nacre {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {

/// Builds arithmetic on f32 values of one type, scalar or vector.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  template <typename Op, typename... Args> Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  Value constant(float value) {
    return create<arith::ConstantOp>(splat(builder.getF32FloatAttr(value)));
  }

  /// 2^n for a whole n within [-127, 127]; 0 for -127. The exponent's bias is
  /// added before n becomes an integer: LLVM can load a constant of floats
  /// wherever it is needed, while one of integers takes a register.
  Value exp2(Value n) {
    Type integers = builder.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      integers = shaped.clone(integers);
    }
    constexpr int kMantissaBits = 23;
    Value biased = create<arith::FPToSIOp>(
        integers, create<arith::AddFOp>(n, constant(127)));
    Value shift = create<arith::ConstantOp>(
        splat(builder.getI32IntegerAttr(kMantissaBits)));
    return create<arith::BitcastOp>(type, create<arith::ShLIOp>(biased, shift));
  }

  /// `x`, or `bound` where that is less; a NaN stays one. One instruction.
  Value atMost(Value x, float bound) {
    return limit(arith::CmpFPredicate::OLT, x, bound);
  }
  Value atLeast(Value x, float bound) {
    return limit(arith::CmpFPredicate::OGT, x, bound);
  }

  /// The polynomial in x with these coefficients, highest power first.
  Value evaluate(ArrayRef<float> coefficients, Value x) {
    Value sum = constant(coefficients.front());
    for (float coefficient : coefficients.drop_front()) {
      sum = create<math::FmaOp>(sum, x, constant(coefficient));
    }
    return sum;
  }

private:
  TypedAttr splat(TypedAttr attr) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? DenseElementsAttr::get(shaped.clone(attr.getType()), attr)
                  : attr;
  }
  Value limit(arith::CmpFPredicate predicate, Value x, float bound) {
    Value limit = constant(bound);
    return create<arith::SelectOp>(create<arith::CmpFOp>(predicate, limit, x),
                                   limit, x);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

} // namespace

/// The polynomial takes subnormal numbers for the smallest normal one. It gets
/// them scaled up, and the result corrected.
static void scaleSubnormals(math::LogOp op) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), op.getType());
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

/// exp(x) as 2^n * exp(r), r within half a ln(2) of 0, with Cephes'
/// coefficients as upstream, whose form takes more registers.
static Value emitExp(Emitter &e, Value x) {
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
  Value n = e.create<math::FloorOp>(e.create<math::FmaOp>(
      x, e.constant(sign * 1.44269502f), e.constant(0.5f)));
  n = e.atMost(n, 127);
  // r, or -r. ln(2) in two parts, so that n times the first is exact.
  Value r = e.create<math::FmaOp>(e.constant(sign * -0.693359375f), n, x);
  r = e.create<math::FmaOp>(e.constant(sign * 2.12194442e-4f), n, r);
  Value series =
      e.evaluate({sign * 1.98756912e-4f, 1.39819994e-3f, sign * 8.33345205e-3f,
                  4.16657962e-2f, sign * 0.166666657f, 0.5f},
                 r);
  Value square = e.create<arith::MulFOp>(r, r);
  Value linear = sign > 0 ? r : e.create<arith::NegFOp>(r);
  Value power = e.create<arith::AddFOp>(
      e.create<math::FmaOp>(series, square, linear), e.constant(1));
  return e.create<arith::MulFOp>(power, e.exp2(n));
}

/// x * P(x²) / Q(x²) within [-bound, bound], beyond which the function is what
/// it is there.
static Value emitRational(Emitter &e, Value x, float bound, ArrayRef<float> p,
                          ArrayRef<float> q) {
  // P(0) is small: x times it would be subnormal for more x than need be.
  constexpr float kScale = 256;
  auto evaluate = [&](ArrayRef<float> coefficients, Value square) {
    return e.evaluate(
        llvm::map_to_vector(coefficients, [](float c) { return kScale * c; }),
        square);
  };
  x = e.atMost(e.atLeast(x, -bound), bound);
  Value square = e.create<arith::MulFOp>(x, x);
  Value product = e.create<arith::MulFOp>(x, evaluate(p, square));
  return e.create<arith::DivFOp>(product, evaluate(q, square));
}

/// Eigen's coefficients. Upstream selects x itself where that is small, which
/// is no closer.
static Value emitTanh(Emitter &e, Value x) {
  return emitRational(
      e, x, 7.99881172f,
      {-2.76076837e-16f, 2.00018794e-13f, -8.60467184e-11f, 5.12229725e-08f,
       1.48572235e-05f, 6.37261954e-04f, 4.89352457e-03f},
      {1.19825836e-06f, 1.18534706e-04f, 2.26843474e-03f, 4.89352504e-03f});
}

/// Eigen's coefficients. Upstream selects among four intervals, which takes
/// twice as long.
static Value emitErf(Emitter &e, Value x) {
  return emitRational(
      e, x, 4,
      {-2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f,
       -5.69250639462346e-05f, -7.34990630326855e-04f, -2.95459980854025e-03f,
       -1.60960333262415e-02f},
      {-1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
       -7.37332916720468e-03f, -1.42647390514189e-02f});
}

namespace {

template <typename Op, Value (*emit)(Emitter &, Value)>
struct Approximate final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32()) {
      return rewriter.notifyMatchFailure(op, "is not of f32");
    }
    Emitter emitter(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, emit(emitter, op.getOperand()));
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
             name == math::ExpM1Op::getOperationName() ||
             name == math::Log1pOp::getOperationName();
    });
    patterns.add<Approximate<math::ExpOp, emitExp>,
                 Approximate<math::TanhOp, emitTanh>,
                 Approximate<math::ErfOp, emitErf>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
