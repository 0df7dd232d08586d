//===- FuseLeadingScaleShift.cpp - Scales and shifts before products ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W (x * s + t) + b is (W s) x + (W t + b), also where W convolves: at a border
// that is padded, t must be zero, since the padding is not shifted.
//
//===----------------------------------------------------------------------===//

#include "ScaleShift.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Support/ConstantReleaser.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using interpreter::Tensor;

namespace {

/// Which of the weights multiply an input channel, and make an output channel.
struct WeightForm {
  int64_t inputAxis, outputAxis, groups;
};

/// What weights and bias become.
struct Absorbed {
  Tensor weights, bias;
};

} // namespace

/// Nothing for other ops, and for those that compute more than W x + b.
static std::optional<WeightForm> getForm(Operation *op) {
  if (auto conv = dyn_cast<IE::ConvOp>(op)) {
    return WeightForm{1, 0, static_cast<int64_t>(conv.getGroup())};
  }
  auto gemm = dyn_cast<IE::GemmOp>(op);
  if (!gemm || gemm.getTransA() != 0 || !gemm.getAlpha().isExactlyValue(1) ||
      !gemm.getBeta().isExactlyValue(1)) {
    return std::nullopt;
  }
  bool isTransposed = gemm.getTransB() != 0;
  return WeightForm{isTransposed ? 1 : 0, isTransposed ? 0 : 1, 1};
}

static bool hasPadding(Operation *op) {
  auto conv = dyn_cast<IE::ConvOp>(op);
  if (!conv) {
    return false;
  }
  std::optional<ArrayRef<int64_t>> pads = conv.getPads();
  bool isFixed = conv.getAutoPad() == "NOTSET" || conv.getAutoPad() == "VALID";
  return !isFixed ||
         (pads && llvm::any_of(*pads, [](int64_t size) { return size != 0; }));
}

/// The operand that a scale and a shift by finite constants are applied to.
static std::optional<std::pair<Value, IE::ScaleShift>>
findSource(Operation *op, int64_t channels, int64_t channelDim) {
  for (Value source : op->getOperands()) {
    std::optional<IE::ScaleShift> found =
        IE::getScaleShift(op, source, channels, channelDim);
    auto isFinite = [](double value) { return std::isfinite(value); };
    // What is far from zero before it is shifted would be multiplied as it is,
    // and most digits of the sums lost: a time in seconds, less their mean.
    // Means of pixels are near.
    constexpr double kFar = 256;
    auto isNear = [](double value) { return std::abs(value) <= kFar; };
    if (found && !IE::getConstantElements(source) &&
        llvm::all_of(found->scale, isFinite) &&
        llvm::all_of(found->shift, isNear)) {
      return std::pair(source, *found);
    }
  }
  return std::nullopt;
}

/// Nothing where weights or bias are no f32 constants, one for each output
/// channel, or would be infinite.
static std::optional<Absorbed> absorb(Operation *op, const WeightForm &form,
                                      const IE::ScaleShift &affine) {
  ElementsAttr attribute = IE::getConstantElements(op->getOperand(1));
  FailureOr<Tensor> weights =
      attribute ? Tensor::fromAttr(attribute) : FailureOr<Tensor>(failure());
  if (failed(weights) || !weights->getElementType().isF32()) {
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = weights->getShape();
  int64_t outputs = shape[form.outputAxis];
  SmallVector<double> bias(outputs, 0);
  if (Value old = op->getNumOperands() > 2 ? op->getOperand(2) : Value()) {
    auto constants = IE::getPerChannel(old, outputs, /*channelDim=*/1);
    if (!constants) {
      return std::nullopt;
    }
    bias = *constants;
  }
  Absorbed result{
      Tensor(weights->getType()),
      Tensor(RankedTensorType::get({outputs}, attribute.getElementType()))};
  SmallVector<int64_t> strides = computeStrides(shape);
  MutableArrayRef<float> scaled = result.weights.mutableValues<float>();
  for (auto [i, weight] : llvm::enumerate(weights->values<float>())) {
    auto at = static_cast<int64_t>(i);
    int64_t output = at / strides[form.outputAxis] % outputs;
    int64_t group = output / (outputs / form.groups);
    int64_t input = group * shape[form.inputAxis] +
                    at / strides[form.inputAxis] % shape[form.inputAxis];
    auto exact = static_cast<double>(weight);
    scaled[i] = static_cast<float>(exact * affine.scale[input]);
    bias[output] += exact * affine.shift[input];
  }
  llvm::transform(bias, result.bias.mutableValues<float>().begin(),
                  [](double value) { return static_cast<float>(value); });
  auto isFinite = [](float value) { return std::isfinite(value); };
  bool areFinite = llvm::all_of(result.weights.values<float>(), isFinite) &&
                   llvm::all_of(result.bias.values<float>(), isFinite);
  return areFinite ? std::optional(std::move(result)) : std::nullopt;
}

namespace {

/// Folds what computes the input of a convolution or Gemm, for it alone, into
/// its weights and bias.
struct FuseLeadingScaleShift final : RewritePattern {
  FuseLeadingScaleShift(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    std::optional<WeightForm> form = getForm(op);
    Operation *before = form ? op->getOperand(0).getDefiningOp() : nullptr;
    if (!before || !op->getOperand(0).hasOneUse()) {
      return rewriter.notifyMatchFailure(
          op, "has no weights, or an input that others read");
    }
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    if (type.getRank() < 2 || type.isDynamicDim(1)) {
      return rewriter.notifyMatchFailure(op, "needs a static channel count");
    }
    auto found = findSource(before, type.getDimSize(1), type.getRank() - 1);
    if (!found) {
      return rewriter.notifyMatchFailure(
          op, "its input is not scaled or shifted by constants per channel");
    }
    const auto &[source, affine] = *found;
    if (hasPadding(op) &&
        llvm::any_of(affine.shift, [](double shift) { return shift != 0; })) {
      return rewriter.notifyMatchFailure(op, "the padding is not shifted");
    }
    std::optional<Absorbed> absorbed = absorb(op, *form, affine);
    if (!absorbed) {
      return rewriter.notifyMatchFailure(
          op, "weights or bias are no finite f32 constants per channel");
    }
    bool isScaled =
        llvm::any_of(affine.scale, [](double scale) { return scale != 1; });
    if (isScaled && !op->getOperand(1).hasOneUse()) {
      return rewriter.notifyMatchFailure(op, "others read the weights, too");
    }
    Location loc = rewriter.getFusedLoc({before->getLoc(), op->getLoc()});
    Value oldWeights = op->getOperand(1);
    Value weights = oldWeights;
    if (isScaled) {
      weights =
          IE::ConstantOp::create(rewriter, loc, absorbed->weights.toAttr());
    }
    Value bias = IE::ConstantOp::create(rewriter, loc, absorbed->bias.toAttr());
    Operation *fused = rewriter.clone(*op);
    fused->setOperands({source, weights, bias});
    fused->setLoc(loc);
    rewriter.replaceOp(op, fused->getResults());
    rewriter.eraseOp(before);
    if (isScaled) {
      eraseIfDead(rewriter, oldWeights);
    }
    return success();
  }
};

} // namespace

void IE::populateFuseLeadingScaleShiftPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseLeadingScaleShift>(patterns.getContext());
}
