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

/// Builds arithmetic on f32 or f64 values of one type, scalar or vector.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  template <typename Op, typename... Args> Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  bool isDouble() const { return getElementTypeOrSelf(type).isF64(); }

  Value constant(double value) {
    return create<arith::ConstantOp>(
        splat(builder.getFloatAttr(getElementTypeOrSelf(type), value)));
  }

  /// 2^n for a whole n within [-127, 127], of f64 [-1023, 1023]; 0 for the
  /// least. The exponent's bias is added before n becomes an integer: LLVM can
  /// load a constant of floats wherever it is needed, while one of integers
  /// takes a register.
  Value exp2(Value n) {
    Type integer =
        isDouble() ? builder.getI64Type() : Type(builder.getI32Type());
    Type integers = integer;
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      integers = shaped.clone(integer);
    }
    int64_t mantissaBits = isDouble() ? 52 : 23;
    Value biased;
    if (isDouble()) {
      // Few machines make integers of 64 bits: added to 2^52, the sum is the
      // last bits of the mantissa. All others are shifted out.
      biased = create<arith::BitcastOp>(
          integers, create<arith::AddFOp>(n, constant(0x1p52 + 1023)));
    } else {
      biased = create<arith::FPToSIOp>(integers,
                                       create<arith::AddFOp>(n, constant(127)));
    }
    Value shift = create<arith::ConstantOp>(
        splat(builder.getIntegerAttr(integer, mantissaBits)));
    return create<arith::BitcastOp>(type, create<arith::ShLIOp>(biased, shift));
  }

  /// `x`, or `bound` where that is less; a NaN stays one. One instruction.
  Value atMost(Value x, double bound) {
    return limit(arith::CmpFPredicate::OLT, x, bound);
  }
  Value atLeast(Value x, double bound) {
    return limit(arith::CmpFPredicate::OGT, x, bound);
  }

  /// The polynomial in x with these coefficients, highest power first.
  Value evaluate(ArrayRef<double> coefficients, Value x) {
    Value sum = constant(coefficients.front());
    for (double coefficient : coefficients.drop_front()) {
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
  Value limit(arith::CmpFPredicate predicate, Value x, double bound) {
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

namespace {
/// What exp() of a type takes.
struct ExpConstants {
  double least;        // below which the result is 0
  double largestPower; // of two
  double log2e;
  double ln2High, ln2Low; // the first has so few bits that n times it is exact
  /// Of (exp(r) - 1 - r) / r², an even number of them, highest power first.
  SmallVector<double> series;
};
} // namespace

/// Of f32 with Cephes' coefficients as upstream, whose form takes more
/// registers.
static ExpConstants getExpConstants(bool isDouble) {
  if (!isDouble) {
    return {-87.8f,
            127,
            1.44269502f,
            0.693359375f,
            -2.12194442e-4f,
            {1.98756912e-4f, 1.39819994e-3f, 8.33345205e-3f, 4.16657962e-2f,
             0.166666657f, 0.5f}};
  }
  ExpConstants constants = {-708.8,
                            1023,
                            1.4426950408889634074,
                            6.93145751953125e-1,
                            1.42860682030941723212e-6,
                            {}};
  // Taylor's: r is so small that those of higher powers do not count.
  constexpr int kHighest = 13;
  double factor = 1;
  for (int power = 2; power <= kHighest; ++power) {
    factor /= power;
    constants.series.insert(constants.series.begin(), factor);
  }
  return constants;
}

/// exp(x) as 2^n * exp(r), r within half a ln(2) of 0.
static Value emitExp(Emitter &e, Value x) {
  ExpConstants constants = getExpConstants(e.isDouble());
  // exp(-x), as of a sigmoid, is the same with other signs of constants.
  double sign = 1;
  if (auto negation = x.getDefiningOp<arith::NegFOp>()) {
    x = negation.getOperand();
    sign = -1;
  }
  // What is too large needs no bound but that of n: r is large then, too, and
  // the result infinite.
  x = sign > 0 ? e.atLeast(x, constants.least) : e.atMost(x, -constants.least);
  Value n = e.create<math::FloorOp>(e.create<math::FmaOp>(
      x, e.constant(sign * constants.log2e), e.constant(0.5)));
  n = e.atMost(n, constants.largestPower);
  // r, or -r. ln(2) in two parts, so that n times the first is exact.
  Value r = e.create<math::FmaOp>(e.constant(sign * -constants.ln2High), n, x);
  r = e.create<math::FmaOp>(e.constant(sign * -constants.ln2Low), n, r);
  // Odd powers change their signs with r.
  for (size_t i = 0; i < constants.series.size(); i += 2) {
    constants.series[i] *= sign;
  }
  Value series = e.evaluate(constants.series, r);
  Value square = e.create<arith::MulFOp>(r, r);
  Value linear = sign > 0 ? r : e.create<arith::NegFOp>(r);
  Value power = e.create<arith::AddFOp>(
      e.create<math::FmaOp>(series, square, linear), e.constant(1));
  return e.create<arith::MulFOp>(power, e.exp2(n));
}

/// x * P(x²) / Q(x²) within [-bound, bound], beyond which the function is what
/// it is there.
static Value emitRational(Emitter &e, Value x, float bound, ArrayRef<double> p,
                          ArrayRef<double> q) {
  // P(0) is small: x times it would be subnormal for more x than need be.
  constexpr double kScale = 256;
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

/// 1 - 2 / (exp(2x) + 1), which near 0, where that is a difference of equal
/// numbers, is x + x³ * P(x²) / Q(x²) with Cephes' coefficients.
static Value emitWideTanh(Emitter &e, Value x) {
  constexpr double kSmall = 0.625;
  Value one = e.constant(1), two = e.constant(2);
  Value magnitude = e.create<math::AbsFOp>(x);
  Value exp = emitExp(e, e.create<arith::AddFOp>(magnitude, magnitude));
  Value rest = e.create<arith::DivFOp>(two, e.create<arith::AddFOp>(exp, one));
  Value large =
      e.create<math::CopySignOp>(e.create<arith::SubFOp>(one, rest), x);
  Value square = e.create<arith::MulFOp>(x, x);
  Value p = e.evaluate({-9.64399179425052238628e-1, -9.92877231001918586564e1,
                        -1.61468768441708447952e3},
                       square);
  Value q = e.evaluate({1, 1.12811678491632931402e2, 2.23548839060100448583e3,
                        4.84406305325125486048e3},
                       square);
  Value cube = e.create<arith::MulFOp>(x, square);
  Value small = e.create<math::FmaOp>(cube, e.create<arith::DivFOp>(p, q), x);
  Value isLarge = e.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, magnitude,
                                          e.constant(kSmall));
  return e.create<arith::SelectOp>(isLarge, large, small);
}

/// Of f32 with Eigen's coefficients. Upstream selects x itself where that is
/// small, which is no closer.
static Value emitTanh(Emitter &e, Value x) {
  if (e.isDouble()) {
    return emitWideTanh(e, x);
  }
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

template <typename Op, Value (*emit)(Emitter &, Value), bool takesF64>
struct Approximate final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !(takesF64 && element.isF64())) {
      return rewriter.notifyMatchFailure(op, "has no polynomial of its type");
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
    patterns.add<Approximate<math::ExpOp, emitExp, /*takesF64=*/true>,
                 Approximate<math::TanhOp, emitTanh, /*takesF64=*/true>,
                 Approximate<math::ErfOp, emitErf, /*takesF64=*/false>>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
