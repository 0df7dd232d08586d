//===- FuseMatMulAdd.cpp - The ie-fuse-matmul-add pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product with a constant matrix and a bias row is one Gemm, whatever the
// number of leading dimensions.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FUSEMATMULADD
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

namespace {

struct FuseMatMulAddPattern final : OpRewritePattern<IE::AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::AddOp add,
                                PatternRewriter &rewriter) const override {
    for (unsigned side : {0u, 1u}) {
      auto matmul = add->getOperand(side).getDefiningOp<IE::MatMulOp>();
      if (matmul &&
          succeeded(fuse(add, matmul, add->getOperand(1 - side), rewriter))) {
        return success();
      }
    }
    return rewriter.notifyMatchFailure(
        add, "no operand is a MatMul with constant weights to fuse with");
  }

private:
  static LogicalResult fuse(IE::AddOp add, IE::MatMulOp matmul, Value bias,
                            PatternRewriter &rewriter) {
    Value lhs = matmul->getOperand(0), rhs = matmul->getOperand(1);
    auto lhsType = cast<RankedTensorType>(lhs.getType());
    auto rhsType = cast<RankedTensorType>(rhs.getType());
    auto biasType = cast<RankedTensorType>(bias.getType());
    auto type = cast<RankedTensorType>(add.getResult().getType());
    if (!matmul->hasOneUse() || !IE::getConstantElements(rhs) ||
        !IE::getConstantElements(bias)) {
      return rewriter.notifyMatchFailure(
          add, "weights and bias must be constant, the product used once");
    }
    if (rhsType.getRank() != 2 || lhsType.getRank() < 2 ||
        !lhsType.hasStaticShape() || !type.hasStaticShape() ||
        type != matmul.getResult().getType()) {
      return rewriter.notifyMatchFailure(
          add, "needs static shapes and a weight matrix");
    }
    if (!isa<FloatType>(type.getElementType())) {
      return rewriter.notifyMatchFailure(add, "Gemm kernels are float");
    }
    int64_t columns = rhsType.getDimSize(1);
    if (biasType.getNumElements() != columns ||
        (columns != 1 && biasType.getShape().back() != columns)) {
      return rewriter.notifyMatchFailure(add, "the bias is not one row");
    }
    Location loc = rewriter.getFusedLoc({matmul.getLoc(), add.getLoc()});
    int64_t rows = lhsType.getNumElements() / lhsType.getShape().back();
    Type element = type.getElementType();
    Value flat =
        IE::reshapeTo(rewriter, loc, lhs, {rows, lhsType.getShape().back()});
    Value row = IE::reshapeTo(rewriter, loc, bias, {columns});
    Value product =
        IE::GemmOp::create(
            rewriter, loc,
            TypeRange(RankedTensorType::get({rows, columns}, element)),
            ValueRange{flat, rhs, row}, ArrayRef<NamedAttribute>())
            .getResult();
    rewriter.replaceOp(add,
                       IE::reshapeTo(rewriter, loc, product, type.getShape()));
    return success();
  }
};

struct FuseMatMulAddPass final
    : nacre::IE::impl::FuseMatMulAddBase<FuseMatMulAddPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseMatMulAddPattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
