//===- FuseMatMulAdd.cpp - The ie-fuse-matmul-add pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product with a constant matrix and a bias row is one Gemm, whatever the
// number of leading dimensions and whether their sizes are known.
//
//===----------------------------------------------------------------------===//

#include "FoldConstants.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
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

/// The product of all sizes but the last, if it is known.
static int64_t countRows(RankedTensorType type) {
  ArrayRef<int64_t> sizes = type.getShape().drop_back();
  return ShapedType::isDynamicShape(sizes) ? ShapedType::kDynamic
                                           : ShapedType::getNumElements(sizes);
}

/// A matrix of rows as a value of a type whose leading sizes are those of
/// `like`.
static Value unflattenRows(OpBuilder &builder, Location loc, Value matrix,
                           RankedTensorType type, Value like) {
  if (llvm::count(type.getShape(), ShapedType::kDynamic) < 2) {
    return IE::reshapeTo(builder, loc, matrix, type.getShape());
  }
  Value leading =
      IE::shapeOf(builder, loc, like, /*first=*/0, type.getRank() - 1);
  Value last = IE::buildInts(builder, loc, type.getShape().back());
  Value shape = IE::ConcatOp::create(builder, loc, ValueRange{leading, last},
                                     /*axis=*/0);
  // None of the sizes is to be copied, not one of 0 either.
  return IE::ReshapeOp::create(builder, loc, type, matrix, shape,
                               /*allowzero=*/1);
}

namespace {

struct FuseMatMulAddPattern final : OpRewritePattern<IE::AddOp> {
  FuseMatMulAddPattern(MLIRContext *context, bool splitsBatches)
      : OpRewritePattern(context), splitsBatches(splitsBatches) {}

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
  /// Why the leading dimensions of a product cannot be one; null where they
  /// can.
  const char *findObstacle(RankedTensorType lhs, RankedTensorType type) const {
    if (lhs.getRank() == 2) {
      return nullptr;
    }
    if (llvm::is_contained(lhs.getShape(), 0) ||
        llvm::is_contained(type.getShape(), 0)) {
      return "nothing tells sizes beside one of 0";
    }
    return splitsBatches && lhs.isDynamicDim(0)
               ? "a loop over samples multiplies those of one"
               : nullptr;
  }

  LogicalResult fuse(IE::AddOp add, IE::MatMulOp matmul, Value bias,
                     PatternRewriter &rewriter) const {
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
        lhsType.getShape().back() != rhsType.getDimSize(0) ||
        type != matmul.getResult().getType()) {
      return rewriter.notifyMatchFailure(
          add, "needs rows of known size and a weight matrix");
    }
    if (const char *obstacle = findObstacle(lhsType, type)) {
      return rewriter.notifyMatchFailure(add, obstacle);
    }
    if (!isa<FloatType>(type.getElementType())) {
      return rewriter.notifyMatchFailure(add, "Gemm kernels are float");
    }
    int64_t depth = rhsType.getDimSize(0), columns = rhsType.getDimSize(1);
    if (biasType.getNumElements() != columns ||
        (columns != 1 && biasType.getShape().back() != columns)) {
      return rewriter.notifyMatchFailure(add, "the bias is not one row");
    }
    Location loc = rewriter.getFusedLoc({matmul.getLoc(), add.getLoc()});
    int64_t rows = countRows(lhsType);
    bool isMatrix = lhsType.getRank() == 2;
    Value flat =
        isMatrix ? lhs : IE::reshapeTo(rewriter, loc, lhs, {rows, depth});
    Value row = IE::reshapeTo(rewriter, loc, bias, {columns});
    RankedTensorType flatType = isMatrix ? type : type.clone({rows, columns});
    Value product = IE::GemmOp::create(rewriter, loc, TypeRange(flatType),
                                       ValueRange{flat, rhs, row},
                                       ArrayRef<NamedAttribute>())
                        .getResult();
    rewriter.replaceOp(
        add,
        isMatrix ? product : unflattenRows(rewriter, loc, product, type, lhs));
    return success();
  }

  bool splitsBatches;
};

struct FuseMatMulAddPass final
    : nacre::IE::impl::FuseMatMulAddBase<FuseMatMulAddPass> {
  using FuseMatMulAddBase::FuseMatMulAddBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseMatMulAddPattern>(&getContext(), splitsBatches);
    // A row that is a matrix (1, N) is reshaped.
    if (failed(IE::applyAndFold(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
