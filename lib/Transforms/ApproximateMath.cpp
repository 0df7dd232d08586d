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
             name == math::ErfOp::getOperationName() ||
             name == math::ExpM1Op::getOperationName() ||
             name == math::Log1pOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
