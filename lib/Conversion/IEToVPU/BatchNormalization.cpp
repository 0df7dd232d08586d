//===- BatchNormalization.cpp - Scales and shifts that the engine takes ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch normalisation that follows no convolution, as of a network that
// normalises before it convolves, would leave the engine's blocks for a
// software kernel and enter them again. As a depthwise convolution of one pixel
// it stays, and activations are its post-processing.
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "Quantization.h"

#include "nacre/Conversion/IEToVPU/IEToVPU.h"
#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

/// True for images that only convolutions read, after activations that an
/// engine op can be followed by.
static bool isConvolved(Value image) {
  return !image.use_empty() &&
         llvm::all_of(image.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<IE::ConvOp>(user)) {
             return use.getOperandNumber() == 0;
           }
           return use.getOperandNumber() == 0 && getActivation(user) &&
                  isConvolved(user->getResult(0));
         });
}

namespace {

struct BatchNormalizationToConv final : VPUPattern<IE::BatchNormalizationOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::BatchNormalizationOp op,
                                PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0);
    RankedTensorType type = getImageType(arch, input);
    constexpr int64_t kImageRank = 4;
    if (!type || type.getRank() != kImageRank ||
        !type.getElementType().isF32() ||
        op->getResult(0).getType() != input.getType()) {
      return rewriter.notifyMatchFailure(op, "normalises no images in f32");
    }
    if (!isConvolved(op->getResult(0))) {
      return rewriter.notifyMatchFailure(
          op, "what is read by others than convolutions is better left to a "
              "software kernel");
    }
    std::optional<SmallVector<double>> parameters[4];
    for (auto [i, values] : llvm::enumerate(parameters)) {
      values = IE::getConstantFloats(op->getOperand(1 + i));
      if (!values) {
        return rewriter.notifyMatchFailure(op, "its parameters are computed");
      }
    }
    auto &[scale, bias, mean, variance] = parameters;
    int64_t channels = type.getDimSize(1);
    double epsilon = op.getEpsilon().convertToDouble();
    SmallVector<float> weights, shifts;
    for (int64_t c = 0; c < channels; ++c) {
      double factor = (*scale)[c] / std::sqrt((*variance)[c] + epsilon);
      weights.push_back(static_cast<float>(factor));
      shifts.push_back(static_cast<float>((*bias)[c] - (*mean)[c] * factor));
    }
    Location loc = op.getLoc();
    Value kernel =
        buildConstant<float>(rewriter, loc, {channels, 1, 1, 1}, weights);
    Value shift = buildConstant<float>(rewriter, loc, {channels}, shifts);
    rewriter.replaceOpWithNewOp<IE::ConvOp>(
        op, input.getType(), input, kernel, shift,
        rewriter.getStringAttr("NOTSET"), DenseI64ArrayAttr(),
        rewriter.getI64IntegerAttr(channels), DenseI64ArrayAttr(),
        DenseI64ArrayAttr(), DenseI64ArrayAttr());
    return success();
  }
};

} // namespace

void nacre::populateBatchNormalizationToVPUPatterns(
    VPU::ArchAttr arch, RewritePatternSet &patterns) {
  patterns.add<BatchNormalizationToConv>(arch, patterns.getContext());
}
