//===- FuseScaleShift.cpp - The ie-fuse-scale-shift pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What multiplies or shifts the channels of a convolution or Gemm by constants,
// behind it or before it, is part of its weights and bias: BatchNormalization
// above all, but also Mul, Div, Add and Sub with per-channel constants.
//
//===----------------------------------------------------------------------===//

#include "ScaleShift.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Support/ConstantReleaser.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_FUSESCALESHIFT
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using interpreter::Tensor;

std::optional<SmallVector<double>>
IE::getPerChannel(Value value, int64_t channels, int64_t channelDim) {
  std::optional<SmallVector<double>> constants = IE::getConstantFloats(value);
  if (!constants) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  if (constants->size() == 1 &&
      static_cast<int64_t>(shape.size()) <= channelDim) {
    return SmallVector<double>(channels, constants->front());
  }
  int64_t rank = shape.size();
  if (rank < channelDim ||
      static_cast<int64_t>(constants->size()) != channels) {
    return std::nullopt;
  }
  if (shape[rank - channelDim] != channels) {
    return std::nullopt;
  }
  return constants;
}

std::optional<IE::ScaleShift> IE::getScaleShift(Operation *op, Value source,
                                                int64_t channels,
                                                int64_t channelDim) {
  ScaleShift result;
  result.scale.assign(channels, 1);
  result.shift.assign(channels, 0);
  if (auto norm = dyn_cast<IE::BatchNormalizationOp>(op)) {
    if (op->getOperand(0) != source) {
      return std::nullopt;
    }
    std::optional<SmallVector<double>> parameters[4];
    for (int i = 0; i < 4; ++i) {
      parameters[i] = IE::getConstantFloats(op->getOperand(i + 1));
      if (!parameters[i] ||
          static_cast<int64_t>(parameters[i]->size()) != channels) {
        return std::nullopt;
      }
    }
    double epsilon = norm.getEpsilon().convertToDouble();
    for (int64_t c = 0; c < channels; ++c) {
      double scale =
          (*parameters[0])[c] / std::sqrt((*parameters[3])[c] + epsilon);
      result.scale[c] = scale;
      result.shift[c] = (*parameters[1])[c] - (*parameters[2])[c] * scale;
    }
    return result;
  }
  bool isFactor = isa<IE::MulOp, IE::DivOp>(op);
  bool isSummand = isa<IE::AddOp, IE::SubOp>(op);
  if ((!isFactor && !isSummand) ||
      op->getResult(0).getType() != source.getType()) {
    return std::nullopt;
  }
  bool sourceIsLhs = op->getOperand(0) == source;
  std::optional<SmallVector<double>> constants =
      getPerChannel(op->getOperand(sourceIsLhs ? 1 : 0), channels, channelDim);
  if (!constants || (!sourceIsLhs && isa<IE::DivOp>(op))) {
    return std::nullopt;
  }
  for (int64_t c = 0; c < channels; ++c) {
    double constant = (*constants)[c];
    if (isa<IE::MulOp>(op)) {
      result.scale[c] = constant;
    } else if (isa<IE::DivOp>(op)) {
      result.scale[c] = 1 / constant;
    } else if (isa<IE::AddOp>(op)) {
      result.shift[c] = constant;
    } else {
      result.shift[c] = sourceIsLhs ? -constant : constant;
      result.scale[c] = sourceIsLhs ? 1 : -1;
    }
  }
  return result;
}

/// `weights` with the slice of each channel along `dim` scaled.
static FailureOr<Tensor> scaleWeights(ElementsAttr weights, int64_t dim,
                                      ArrayRef<double> scale) {
  FailureOr<Tensor> source = Tensor::fromAttr(weights);
  if (failed(source) || !source->getElementType().isF32()) {
    return failure();
  }
  int64_t inner = 1;
  for (int64_t size : source->getShape().drop_front(dim + 1)) {
    inner *= size;
  }
  Tensor result(source->getType());
  ArrayRef<float> in = source->values<float>();
  MutableArrayRef<float> out = result.mutableValues<float>();
  for (int64_t begin = 0, i = 0; begin < static_cast<int64_t>(in.size());
       begin += inner, ++i) {
    double factor = scale[i % scale.size()];
    llvm::transform(in.slice(begin, inner), out.begin() + begin,
                    [=](float x) { return static_cast<float>(x * factor); });
  }
  return result;
}

/// The scale of each row of weights that has one for each of its own group's
/// output channels, as those of a transposed convolution.
static SmallVector<double>
repeatForInputs(ArrayRef<double> scale, ElementsAttr weights, int64_t groups) {
  if (groups == 1) {
    return SmallVector<double>(scale);
  }
  int64_t perGroup = weights.getShapedType().getDimSize(0) / groups;
  int64_t outputs = static_cast<int64_t>(scale.size()) / groups;
  SmallVector<double> result;
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t input = 0; input < perGroup; ++input) {
      llvm::append_range(result, scale.slice(group * outputs, outputs));
    }
  }
  return result;
}

/// bias * scale + shift; a missing bias is zero.
static FailureOr<Tensor> fuseBias(PatternRewriter &rewriter, Value bias,
                                  const IE::ScaleShift &affine) {
  int64_t channels = affine.scale.size();
  SmallVector<double> values(channels, 0);
  if (bias) {
    std::optional<SmallVector<double>> constants =
        IE::getPerChannel(bias, channels, /*channelDim=*/1);
    if (!constants) {
      return failure();
    }
    values = *constants;
  }
  Tensor result(RankedTensorType::get({channels}, rewriter.getF32Type()));
  for (int64_t c = 0; c < channels; ++c) {
    result.mutableValues<float>()[c] =
        static_cast<float>(values[c] * affine.scale[c] + affine.shift[c]);
  }
  return result;
}

namespace {

/// Folds the only user of a convolution or Gemm into its weights and bias.
struct FuseIntoWeights final : RewritePattern {
  FuseIntoWeights(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    int64_t channelAxis = 1, weightDim, groups = 1;
    if (isa<IE::ConvOp>(op)) {
      weightDim = 0;
    } else if (auto transposed = dyn_cast<IE::ConvTransposeOp>(op)) {
      weightDim = 1;
      groups = static_cast<int64_t>(transposed.getGroup());
    } else if (auto gemm = dyn_cast<IE::GemmOp>(op)) {
      if (!gemm.getBeta().isExactlyValue(1)) {
        return rewriter.notifyMatchFailure(op, "beta scales the bias");
      }
      weightDim = gemm.getTransB() ? 0 : 1;
    } else {
      return rewriter.notifyMatchFailure(op, "has no weights");
    }
    Value result = op->getResult(0);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || type.isDynamicDim(channelAxis) || !result.hasOneUse()) {
      return rewriter.notifyMatchFailure(
          op, "needs a static channel count and a single user");
    }
    int64_t channels = type.getDimSize(channelAxis);
    Operation *user = *result.user_begin();
    std::optional<IE::ScaleShift> affine =
        IE::getScaleShift(user, result, channels, type.getRank() - channelAxis);
    if (!affine) {
      return rewriter.notifyMatchFailure(
          op, "the user does not scale or shift channels by constants");
    }
    ElementsAttr weights = IE::getConstantElements(op->getOperand(1));
    if (!weights) {
      return rewriter.notifyMatchFailure(op, "weights are not constant");
    }
    FailureOr<Tensor> scaled = scaleWeights(
        weights, weightDim, repeatForInputs(affine->scale, weights, groups));
    Value oldBias = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
    FailureOr<Tensor> bias = fuseBias(rewriter, oldBias, *affine);
    if (failed(scaled) || failed(bias)) {
      return rewriter.notifyMatchFailure(
          op, "weights or bias are not f32 constants per channel");
    }
    Location loc = rewriter.getFusedLoc({op->getLoc(), user->getLoc()});
    rewriter.setInsertionPoint(op);
    Value oldWeights = op->getOperand(1), newWeights = oldWeights;
    bool scales = llvm::any_of(affine->scale, [](double s) { return s != 1; });
    if (scales) {
      newWeights = IE::ConstantOp::create(rewriter, loc, scaled->toAttr());
    }
    Value newBias = IE::ConstantOp::create(rewriter, loc, bias->toAttr());
    Operation *fused = rewriter.clone(*op);
    fused->setOperands({op->getOperand(0), newWeights, newBias});
    fused->setLoc(loc);
    // The model may declare sizes of the user's result that nothing else shows.
    fused->getResult(0).setType(user->getResult(0).getType());
    rewriter.replaceOp(user, fused->getResults());
    rewriter.eraseOp(op);
    eraseIfDead(rewriter, oldWeights);
    return success();
  }
};

struct FuseScaleShiftPass final
    : nacre::IE::impl::FuseScaleShiftBase<FuseScaleShiftPass> {
  using FuseScaleShiftBase::FuseScaleShiftBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext()), leading(&getContext());
    patterns.add<FuseIntoWeights>(&getContext());
    // What no op before takes.
    IE::populateFuseLeadingScaleShiftPatterns(leading);
    std::optional<ConstantReleaser> releaser;
    GreedyRewriteConfig config;
    if (releaseConstants) {
      config.setListener(&releaser.emplace(getOperation()));
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config)) ||
        failed(applyPatternsGreedily(getOperation(), std::move(leading),
                                     config))) {
      signalPassFailure();
    }
  }
};

} // namespace
