//===- Convolution.cpp - Lower convolutions to the engine -----------------===//
//
// Convolutions with constant weights, which are packed here for the register
// tile: dense, grouped by whole blocks, and depthwise.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The sizes of a convolution in ONNX's terms.
struct Sizes {
  int64_t outputs;        // M
  int64_t inputsPerGroup; // C / group
  int64_t kernelRows;
  int64_t kernelColumns;
};

/// (M, C/g, KH, KW) to (OCB, ICB/g, KH, KW, ic, oc), zero beyond M and C/g.
std::vector<float> packWeights(ArrayRef<float> weights, const Sizes &sizes,
                               int64_t ic, int64_t oc) {
  int64_t outputBlocks = llvm::divideCeilSigned(sizes.outputs, oc);
  int64_t inputBlocks = llvm::divideCeilSigned(sizes.inputsPerGroup, ic);
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  std::vector<float> packed(outputBlocks * inputBlocks * window * ic * oc,
                            0.0f);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    for (int64_t c = 0; c < sizes.inputsPerGroup; ++c) {
      const float *from = &weights[(m * sizes.inputsPerGroup + c) * window];
      float *to = &packed[((m / oc) * inputBlocks + c / ic) * window * ic * oc +
                          (c % ic) * oc + m % oc];
      for (int64_t k = 0; k < window; ++k) {
        to[k * ic * oc] = from[k];
      }
    }
  }
  return packed;
}

/// (C, 1, KH, KW) to (CB, KH, KW, c), zero beyond C.
std::vector<float> packDepthWeights(ArrayRef<float> weights, const Sizes &sizes,
                                    int64_t width) {
  int64_t blocks = llvm::divideCeilSigned(sizes.outputs, width);
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  std::vector<float> packed(blocks * window * width, 0.0f);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    for (int64_t k = 0; k < window; ++k) {
      packed[((m / width) * window + k) * width + m % width] =
          weights[m * window + k];
    }
  }
  return packed;
}

struct ConvToVPU final : VPUPattern<IE::ConvOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType inputType = getEngineType(arch, op.getInput());
    RankedTensorType outputType = getEngineType(arch, op.getOutput());
    if (!inputType || !outputType) {
      return rewriter.notifyMatchFailure(
          op, "needs static shapes of an element type of the engine");
    }
    FailureOr<IE::Window> resolved = op.getWindow();
    std::optional<Window2D> window =
        succeeded(resolved) ? Window2D::get(*resolved) : std::nullopt;
    if (!window) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions without negative padding");
    }
    ConstantFloats weights(op.getWeights());
    ConstantFloats bias(op.getBias());
    if (!weights || (op.getBias() && !bias)) {
      return rewriter.notifyMatchFailure(op, "needs constant weights and bias");
    }
    auto weightsType = cast<RankedTensorType>(op.getWeights().getType());
    Sizes sizes{weightsType.getDimSize(0), weightsType.getDimSize(1),
                window->kernel[0], window->kernel[1]};
    int64_t groups = op.getGroup();
    // One filter per channel; a single channel is a dense convolution.
    if (groups > 1 && sizes.inputsPerGroup == 1 && sizes.outputs == groups) {
      rewriteDepthwise(op, *window, sizes, weights.get(), bias.get(), rewriter);
      return success();
    }
    int64_t oc = arch.getBlockSize(sizes.outputs);
    // Before anything is built: a match that fails must leave no op behind.
    if (groups > 1 &&
        (sizes.inputsPerGroup % arch.getBlockSize(inputType.getDimSize(1)) !=
             0 ||
         (sizes.outputs / groups) % oc != 0)) {
      return rewriter.notifyMatchFailure(
          op, "a group ends in the middle of a block of channels");
    }
    Value image = buildImage(rewriter, op.getLoc(), op.getInput());
    int64_t ic = chooseBlockSize(arch, image, /*reducesChannels=*/groups == 1);
    if (groups > 1 && (sizes.inputsPerGroup % ic != 0 ||
                       (sizes.outputs / groups) % oc != 0)) {
      return rewriter.notifyMatchFailure(
          op, "a group ends in the middle of a block of channels");
    }
    Location loc = op.getLoc();
    Padding padding{window->pads};
    Value input = buildBlocked(rewriter, loc, image, ic, padding);
    Value packed =
        buildConstant(rewriter, loc,
                      {llvm::divideCeilSigned(sizes.outputs, oc),
                       llvm::divideCeilSigned(sizes.inputsPerGroup, ic),
                       sizes.kernelRows, sizes.kernelColumns, ic, oc},
                      packWeights(weights.get(), sizes, ic, oc));
    Value init = buildDestination(rewriter, op, *window, oc);
    Value result =
        VPU::NCEConvolutionOp::create(
            rewriter, loc, init.getType(), input, packed,
            buildBias(rewriter, loc, bias.get(), oc), /*residual=*/Value(),
            init, window->strides, window->dilations, groups)
            ->getResult(0);
    finish(rewriter, op, result, sizes.outputs);
    return success();
  }

private:
  void rewriteDepthwise(IE::ConvOp op, const Window2D &window,
                        const Sizes &sizes, ArrayRef<float> weights,
                        ArrayRef<float> bias, PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    int64_t width = chooseBlockSize(arch, image, /*reducesChannels=*/false);
    Value input =
        buildBlocked(rewriter, loc, image, width, Padding{window.pads});
    Value packed = buildConstant(rewriter, loc,
                                 {llvm::divideCeilSigned(sizes.outputs, width),
                                  sizes.kernelRows, sizes.kernelColumns, width},
                                 packDepthWeights(weights, sizes, width));
    Value init = buildDestination(rewriter, op, window, width);
    Value result =
        VPU::NCEDepthConvolutionOp::create(
            rewriter, loc, init.getType(), input, packed,
            buildBias(rewriter, loc, bias, width),
            /*residual=*/Value(), init, window.strides, window.dilations)
            ->getResult(0);
    finish(rewriter, op, result, sizes.outputs);
  }

  static Value buildBias(OpBuilder &builder, Location loc, ArrayRef<float> bias,
                         int64_t width) {
    return bias.empty() ? Value() : buildPackedBias(builder, loc, bias, width);
  }

  static Value buildDestination(OpBuilder &builder, IE::ConvOp op,
                                const Window2D &window, int64_t width) {
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    auto logical =
        type.clone(ArrayRef<int64_t>{type.getDimSize(0), type.getDimSize(1),
                                     window.output[0], window.output[1]});
    return buildBlockedEmpty(builder, op.getLoc(), logical, width);
  }

  static void finish(PatternRewriter &rewriter, IE::ConvOp op, Value result,
                     int64_t channels) {
    Value image = buildUnblocked(rewriter, op.getLoc(), result, channels);
    rewriter.replaceOp(
        op, buildReshape(
                rewriter, op.getLoc(), image,
                cast<RankedTensorType>(op.getOutput().getType()).getShape()));
  }
};

} // namespace

void nacre::populateConvolutionToVPUPatterns(VPU::ArchAttr arch,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvToVPU>(arch, patterns.getContext());
}
