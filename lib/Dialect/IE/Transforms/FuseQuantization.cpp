//===- FuseQuantization.cpp - The ie-fuse-quantization pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dequantized operand is the model's way to say that an operator computes on
// integers. What is linear then runs on the integers themselves, exactly, and
// the scales follow.
//
//===----------------------------------------------------------------------===//

#include "QuantizationFusions.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FUSEQUANTIZATION
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

bool IE::isPerTensor(DequantizeLinearOp op) {
  RankedTensorType type = getTensorType(op.getScale());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

/// The dequantization of integers of so many bits, 8 in products, to f32 that
/// made `value`; null when none did.
static IE::DequantizeLinearOp getDequantization(Value value,
                                                unsigned bits = 8) {
  auto op = value.getDefiningOp<IE::DequantizeLinearOp>();
  bool fits = op && !op.isBlocked() &&
              getTensorType(value).getElementType().isF32() &&
              getTensorType(op.getInput()).getElementTypeBitWidth() == bits &&
              getTensorType(op.getScale()).hasStaticShape();
  return fits ? op : IE::DequantizeLinearOp();
}

/// True when the parameters belong to dimension `dim` or to the whole tensor.
static bool isQuantizedAlong(IE::DequantizeLinearOp op, int64_t dim) {
  int64_t rank = getTensorType(op.getInput()).getRank();
  int64_t axis = op.getAxis();
  return IE::isPerTensor(op) || (axis < 0 ? axis + rank : axis) == dim;
}

/// The type of an op's result as 32-bit integers.
static Type getSumsType(Operation *op) {
  return getTensorType(op->getResult(0))
      .clone(IntegerType::get(op->getContext(), 32));
}

/// `sums * (scale of lhs * scale of rhs)` in f32. The right one's scales
/// belong to dimension `dim` of the sums.
static Value scaleSums(PatternRewriter &rewriter, Location loc, Value sums,
                       IE::DequantizeLinearOp lhs, IE::DequantizeLinearOp rhs,
                       int64_t dim) {
  int64_t rank = getTensorType(sums).getRank();
  Value floats = IE::castToF32(rewriter, loc, sums);
  Value lhsScale =
      IE::reshapeChannels(rewriter, loc, lhs.getScale(), rank, dim);
  Value rhsScale =
      IE::reshapeChannels(rewriter, loc, rhs.getScale(), rank, dim);
  Value scale = IE::MulOp::create(rewriter, loc, lhsScale, rhsScale);
  return IE::MulOp::create(rewriter, loc, floats, scale);
}

namespace {

struct FuseConv final : OpRewritePattern<IE::ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    IE::DequantizeLinearOp input = getDequantization(op.getInput());
    IE::DequantizeLinearOp weights = getDequantization(op.getWeights());
    bool hasStaticBias =
        !op.getBias() || getTensorType(op.getBias()).hasStaticShape();
    if (!input || !weights || !IE::isPerTensor(input) || !hasStaticBias ||
        !isQuantizedAlong(weights, /*dim=*/0)) {
      return rewriter.notifyMatchFailure(
          op, "input and weights are not dequantized, or not per tensor and "
              "per output channel");
    }
    Location loc = op.getLoc();
    Value sums =
        IE::ConvIntegerOp::create(
            rewriter, loc, getSumsType(op), input.getInput(),
            weights.getInput(), input.getZeroPoint(), weights.getZeroPoint(),
            op.getAutoPadAttr(), op.getDilationsAttr(), op.getGroupAttr(),
            op.getKernelShapeAttr(), op.getPadsAttr(), op.getStridesAttr())
            ->getResult(0);
    Value result = scaleSums(rewriter, loc, sums, input, weights, /*dim=*/1);
    if (op.getBias()) {
      Value bias =
          IE::reshapeChannels(rewriter, loc, op.getBias(),
                              getTensorType(result).getRank(), /*dim=*/1);
      result = IE::AddOp::create(rewriter, loc, result, bias);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct FuseMatMul final : OpRewritePattern<IE::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    IE::DequantizeLinearOp lhs = getDequantization(op.getLhs());
    IE::DequantizeLinearOp rhs = getDequantization(op.getRhs());
    int64_t rhsRank = getTensorType(op.getRhs()).getRank();
    if (!lhs || !rhs || !IE::isPerTensor(lhs) || rhsRank < 2 ||
        getTensorType(op.getLhs()).getRank() < 2 ||
        !isQuantizedAlong(rhs, rhsRank - 1)) {
      return rewriter.notifyMatchFailure(
          op, "the operands are not dequantized matrices, or not per tensor "
              "and per column");
    }
    Value sums = IE::MatMulIntegerOp::create(
                     rewriter, op.getLoc(), getSumsType(op), lhs.getInput(),
                     rhs.getInput(), lhs.getZeroPoint(), rhs.getZeroPoint())
                     ->getResult(0);
    int64_t rank = getTensorType(sums).getRank();
    rewriter.replaceOp(
        op, scaleSums(rewriter, op.getLoc(), sums, lhs, rhs, rank - 1));
    return success();
  }
};

struct FuseGemm final : OpRewritePattern<IE::GemmOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::GemmOp op,
                                PatternRewriter &rewriter) const override {
    IE::DequantizeLinearOp lhs = getDequantization(op.getLhs());
    IE::DequantizeLinearOp rhs = getDequantization(op.getRhs());
    bool transB = op.getTransB() != 0;
    if (!lhs || !rhs || !IE::isPerTensor(lhs) || op.getTransA() != 0 ||
        !isQuantizedAlong(rhs, transB ? 0 : 1) ||
        !op.getAlpha().isExactlyValue(1.0) ||
        !op.getBeta().isExactlyValue(1.0)) {
      return rewriter.notifyMatchFailure(
          op, "the operands are not dequantized matrices, or they are scaled "
              "or transposed otherwise");
    }
    Location loc = op.getLoc();
    Value matrix = rhs.getInput();
    if (transB) {
      matrix = IE::TransposeOp::create(rewriter, loc, matrix,
                                       rewriter.getDenseI64ArrayAttr({1, 0}))
                   ->getResult(0);
    }
    Value sums = IE::MatMulIntegerOp::create(
                     rewriter, loc, getSumsType(op), lhs.getInput(), matrix,
                     lhs.getZeroPoint(), rhs.getZeroPoint())
                     ->getResult(0);
    Value result = scaleSums(rewriter, loc, sums, lhs, rhs, /*dim=*/1);
    if (op.getAddend()) {
      result = IE::AddOp::create(rewriter, loc, result, op.getAddend());
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// What only moves or selects elements does so before they are dequantized.
struct SinkDequantization final : RewritePattern {
  SinkDequantization(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto carrier = dyn_cast<IE::QuantizableOpInterface>(op);
    if (!carrier ||
        carrier.getQuantizableKind() != IE::QuantizableKind::Carries) {
      return failure();
    }
    IE::DequantizeLinearOp source = getDequantization(op->getOperand(0));
    // Engines select among bytes alone.
    if (!source && !op->hasTrait<IE::ForEngines>()) {
      source = getDequantization(op->getOperand(0), /*bits=*/16);
    }
    if (!source || !IE::isPerTensor(source) || op->getNumResults() != 1) {
      return rewriter.notifyMatchFailure(
          op, "the operand is not dequantized by one scale");
    }
    if (isa<IE::MaxPoolOp>(op)) {
      std::optional<SmallVector<double>> scale =
          IE::getConstantFloats(source.getScale());
      if (!scale || scale->front() <= 0) {
        return rewriter.notifyMatchFailure(
            op, "only a positive scale keeps the order");
      }
    }
    Type element = getTensorType(source.getInput()).getElementType();
    Operation *moved = rewriter.clone(*op);
    moved->setOperand(0, source.getInput());
    moved->getResult(0).setType(getTensorType(op->getResult(0)).clone(element));
    rewriter.replaceOpWithNewOp<IE::DequantizeLinearOp>(
        op, op->getResult(0).getType(), moved->getResult(0), source.getScale(),
        source.getZeroPoint(), source.getAxisAttr(), source.getBlockSizeAttr());
    return success();
  }
};

/// What is joined is quantized before: elements are what they are either way,
/// and integers are joined instead of floats.
struct HoistQuantization final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    auto join = op.getInput().getDefiningOp<IE::ConcatOp>();
    if (!join || !join->hasOneUse() || !hasOneElement(op.getScale()) ||
        (op.getZeroPoint() && !hasOneElement(op.getZeroPoint()))) {
      return rewriter.notifyMatchFailure(
          op, "no values that are joined for it alone, or several scales");
    }
    SmallVector<Value> parts;
    for (Value part : join.getInputs()) {
      Type type = getTensorType(part).clone(
          getTensorType(op.getOutput()).getElementType());
      parts.push_back(
          IE::QuantizeLinearOp::create(rewriter, op.getLoc(), type, part,
                                       op.getScale(), op.getZeroPoint(),
                                       op.getAxisAttr(), op.getSaturateAttr())
              .getOutput());
    }
    Operation *joined = rewriter.clone(*join);
    joined->setOperands(parts);
    joined->getResult(0).setType(op.getOutput().getType());
    rewriter.replaceOp(op, joined);
    return success();
  }

private:
  static bool hasOneElement(Value value) {
    RankedTensorType type = getTensorType(value);
    return type.hasStaticShape() && type.getNumElements() == 1;
  }
};

struct FuseQuantizationPass final
    : nacre::IE::impl::FuseQuantizationBase<FuseQuantizationPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseConv, FuseMatMul, FuseGemm, SinkDequantization,
                 HoistQuantization>(&getContext());
    IE::populateFuseRequantizationPatterns(patterns);
    // What is no product of integers may be one of floats and integers.
    RewritePatternSet others(&getContext());
    IE::populateFuseLowBitWeightsPatterns(others);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(others)))) {
      signalPassFailure();
    }
  }
};

} // namespace
