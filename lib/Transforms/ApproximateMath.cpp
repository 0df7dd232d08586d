//===- ApproximateMath.cpp - The approximate-math pass --------------------===//
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

namespace nacre {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The polynomial takes subnormal numbers for the smallest normal one. It gets
/// them scaled up, and the result corrected.
static void scaleSubnormals(math::LogOp op) {
  Location loc = op.getLoc();
  Type type = op.getType();
  OpBuilder b(op);
  auto splat = [&](float value) -> Value {
    TypedAttr attr = b.getF32FloatAttr(value);
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      attr = DenseElementsAttr::get(shaped, value);
    }
    return arith::ConstantOp::create(b, loc, attr);
  };
  constexpr float kSmallestNormal = 0x1p-126f, kScale = 0x1p23f;
  constexpr float kLogOfScale = 15.9423847f;
  Value x = op.getOperand();
  Value isSubnormal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                            x, splat(kSmallestNormal));
  Value scaled = arith::MulFOp::create(b, loc, x, splat(kScale));
  op->setOperand(0, arith::SelectOp::create(b, loc, isSubnormal, scaled, x));
  b.setInsertionPointAfter(op);
  Value shift = arith::SelectOp::create(b, loc, isSubnormal, splat(kLogOfScale),
                                        splat(0));
  Value result = arith::SubFOp::create(b, loc, op, shift);
  op.getResult().replaceAllUsesExcept(result, result.getDefiningOp());
}

namespace {

/// The error function as x * P(x²) / Q(x²) within [-4, 4], beyond which it is 1
/// in f32: the coefficients are Eigen's. Upstream's approximation selects among
/// four intervals, which takes twice as long.
struct ApproximateErf final : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32()) {
      return rewriter.notifyMatchFailure(op, "is not of f32");
    }
    Location loc = op.getLoc();
    auto constant = [&](float value) -> Value {
      TypedAttr attr = rewriter.getF32FloatAttr(value);
      if (auto shaped = dyn_cast<ShapedType>(type)) {
        attr = DenseElementsAttr::get(shaped, attr);
      }
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    // Comparisons that a NaN fails and passes: one instruction for each bound.
    Value x = op.getOperand();
    for (auto [bound, predicate] :
         {std::pair(constant(-4.0f), arith::CmpFPredicate::OGT),
          std::pair(constant(4.0f), arith::CmpFPredicate::OLT)}) {
      Value isBeyond =
          arith::CmpFOp::create(rewriter, loc, predicate, bound, x);
      x = arith::SelectOp::create(rewriter, loc, isBeyond, bound, x);
    }
    Value square = arith::MulFOp::create(rewriter, loc, x, x);
    auto evaluate = [&](ArrayRef<float> coefficients) {
      Value sum = constant(coefficients.front());
      for (float coefficient : coefficients.drop_front()) {
        sum = math::FmaOp::create(rewriter, loc, sum, square,
                                  constant(coefficient));
      }
      return sum;
    };
    Value numerator = evaluate({-2.72614225801306e-10f, 2.77068142495902e-08f,
                                -2.10102402082508e-06f, -5.69250639462346e-05f,
                                -7.34990630326855e-04f, -2.95459980854025e-03f,
                                -1.60960333262415e-02f});
    Value denominator = evaluate(
        {-1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
         -7.37332916720468e-03f, -1.42647390514189e-02f});
    Value scaled = arith::MulFOp::create(rewriter, loc, x, numerator);
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, scaled, denominator);
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
      return name == math::ExpOp::getOperationName() ||
             name == math::LogOp::getOperationName() ||
             name == math::TanhOp::getOperationName() ||
             name == math::ExpM1Op::getOperationName() ||
             name == math::Log1pOp::getOperationName();
    });
    patterns.add<ApproximateErf>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
