//===- FoldQuantizationScale.cpp - The ie-fold-quantization-scale pass ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// round(x / scale) of an x that is made of dequantized numbers and scaled sums
// needs no division: their scales absorb it. Besides the time this saves, it is
// how integer kernels compute, so that ties round as theirs do.
//
// Integers that become integers again follow from their own, all of which are
// looked at.
//
//===----------------------------------------------------------------------===//

#include "RescaleIntegers.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FOLDQUANTIZATIONSCALE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

static bool isConstant(Value value) {
  return static_cast<bool>(IE::getConstantFloats(value));
}

/// The number of the operand that is a constant factor, if one is.
static std::optional<unsigned> getFactor(IE::MulOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (isConstant(operand.get())) {
      return operand.getOperandNumber();
    }
  }
  return std::nullopt;
}

/// True for a normalisation whose scale and bias absorb a factor, and whose
/// statistics nobody reads.
static bool isScaledNormalization(Operation *op) {
  return isa<IE::LayerNormalizationOp>(op) &&
         llvm::all_of(op->getOperands().drop_front(), isConstant) &&
         llvm::all_of(op->getResults().drop_front(),
                      [](Value statistics) { return statistics.use_empty(); });
}

/// True when dividing `value` by a constant costs nothing. What is in between
/// must have no other use.
static bool absorbsScale(Value value, bool isRoot) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    return false;
  }
  if (auto dequantize = dyn_cast<IE::DequantizeLinearOp>(op)) {
    return isConstant(dequantize.getScale());
  }
  if (isConstant(value)) {
    return true;
  }
  if (!isRoot && !value.hasOneUse()) {
    return false;
  }
  if (auto mul = dyn_cast<IE::MulOp>(op)) {
    return getFactor(mul).has_value();
  }
  if (isa<IE::AddOp>(op)) {
    return absorbsScale(op->getOperand(0), /*isRoot=*/false) &&
           absorbsScale(op->getOperand(1), /*isRoot=*/false);
  }
  return isScaledNormalization(op) ||
         (op->hasTrait<IE::Homogeneous>() &&
          absorbsScale(op->getOperand(0), /*isRoot=*/false));
}

/// A constant divided by another one, element by element, in f32.
static Value divide(PatternRewriter &rewriter, Location loc, Value value,
                    float divisor) {
  std::optional<SmallVector<double>> elements = IE::getConstantFloats(value);
  SmallVector<float> quotients;
  for (double element : *elements) {
    quotients.push_back(static_cast<float>(element) / divisor);
  }
  return IE::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(value.getType()),
                             ArrayRef<float>(quotients)));
}

/// `value / divisor`; absorbsScale said that it can be built.
static Value rescale(PatternRewriter &rewriter, Value value, float divisor) {
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  if (isConstant(value)) {
    return divide(rewriter, loc, value, divisor);
  }
  SmallVector<Value> operands(op->getOperands());
  if (auto dequantize = dyn_cast<IE::DequantizeLinearOp>(op)) {
    operands[1] = divide(rewriter, loc, dequantize.getScale(), divisor);
  } else if (auto mul = dyn_cast<IE::MulOp>(op)) {
    Value &factor = operands[*getFactor(mul)];
    factor = divide(rewriter, loc, factor, divisor);
  } else if (isa<IE::LayerNormalizationOp>(op)) {
    for (Value &parameter : MutableArrayRef(operands).drop_front()) {
      parameter = divide(rewriter, loc, parameter, divisor);
    }
  } else if (isa<IE::AddOp>(op)) {
    for (Value &operand : operands) {
      operand = rescale(rewriter, operand, divisor);
    }
  } else {
    operands[0] = rescale(rewriter, operands[0], divisor);
  }
  Operation *scaled = rewriter.clone(*op);
  scaled->setOperands(operands);
  return scaled->getResult(0);
}

namespace {

struct FoldScale final : OpRewritePattern<IE::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<SmallVector<double>> scale =
        IE::getConstantFloats(op.getScale());
    auto type = cast<RankedTensorType>(op.getInput().getType());
    if (!scale || scale->size() != 1 || !(scale->front() > 0) ||
        scale->front() == 1 || !type.getElementType().isF32()) {
      return rewriter.notifyMatchFailure(
          op, "needs one positive constant scale other than 1");
    }
    if (IE::getRescaledSource(op)) {
      return rewriter.notifyMatchFailure(op, "is one of integers alone");
    }
    if (isConstant(op.getInput()) || !op.getInput().hasOneUse() ||
        !absorbsScale(op.getInput(), /*isRoot=*/true)) {
      return rewriter.notifyMatchFailure(
          op, "the scale cannot move into the operand");
    }
    Value input =
        rescale(rewriter, op.getInput(), static_cast<float>(scale->front()));
    auto scaleType = cast<RankedTensorType>(op.getScale().getType());
    Value one = IE::ConstantOp::create(rewriter, op.getLoc(),
                                       DenseElementsAttr::get(scaleType, 1.0f));
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(input);
      op.getScaleMutable().assign(one);
    });
    return success();
  }
};

struct FoldQuantizationScalePass final
    : nacre::IE::impl::FoldQuantizationScaleBase<FoldQuantizationScalePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldScale>(&getContext());
    IE::populateRescaleIntegersPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
