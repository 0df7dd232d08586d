//===- Convolution.cpp - Lower convolutions to the engine -----------------===//
//
// Convolutions with constant weights, which are packed here for the register
// tile: dense, grouped, and depthwise. A group is a number of whole blocks;
// where its channels are not, they are blocked group by group.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The sizes of a convolution in ONNX's terms.
struct Sizes {
  int64_t inputs;  // C
  int64_t outputs; // M
  int64_t groups;
  int64_t kernelRows;
  int64_t kernelColumns;

  int64_t getInputsPerGroup() const { return inputs / groups; }
  int64_t getOutputsPerGroup() const { return outputs / groups; }
};

/// (M, C/g, KH, KW) to (OCB, ICB/g, KH, KW, ic, oc), zero where a block holds
/// no channel.
std::vector<float> packWeights(ArrayRef<float> weights, const Sizes &sizes,
                               BlockedLayout in, BlockedLayout out) {
  int64_t inputBlocks = in.getBlocks(sizes.inputs) / sizes.groups;
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  int64_t perGroup = sizes.getInputsPerGroup();
  std::vector<float> packed(out.getBlocks(sizes.outputs) * inputBlocks *
                                window * in.width * out.width,
                            0.0f);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    int64_t outSlot = out.getSlot(m, sizes.outputs);
    int64_t first = m / sizes.getOutputsPerGroup() * perGroup;
    int64_t firstSlot = in.getSlot(first, sizes.inputs);
    for (int64_t c = 0; c < perGroup; ++c) {
      int64_t inSlot = in.getSlot(first + c, sizes.inputs) - firstSlot;
      const float *from = &weights[(m * perGroup + c) * window];
      float *to =
          &packed[((outSlot / out.width) * inputBlocks + inSlot / in.width) *
                      window * in.width * out.width +
                  (inSlot % in.width) * out.width + outSlot % out.width];
      for (int64_t k = 0; k < window; ++k) {
        to[k * in.width * out.width] = from[k];
      }
    }
  }
  return packed;
}

/// (C, 1, KH, KW) to (CB, KH, KW, c), zero where a block holds no channel.
std::vector<float> packDepthWeights(ArrayRef<float> weights, const Sizes &sizes,
                                    BlockedLayout layout) {
  int64_t width = layout.width;
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  std::vector<float> packed(layout.getBlocks(sizes.outputs) * window * width,
                            0.0f);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    int64_t slot = layout.getSlot(m, sizes.outputs);
    for (int64_t k = 0; k < window; ++k) {
      packed[((slot / width) * window + k) * width + slot % width] =
          weights[m * window + k];
    }
  }
  return packed;
}

Sizes getSizes(IE::ConvOp op, const Window2D &window) {
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  int64_t groups = op.getGroup();
  return {weights.getDimSize(1) * groups, weights.getDimSize(0), groups,
          window.kernel[0], window.kernel[1]};
}

bool isDepthwise(const Sizes &sizes) {
  // A single channel is a dense convolution.
  return sizes.groups > 1 && sizes.inputs == sizes.groups &&
         sizes.outputs == sizes.groups;
}

/// How `channels` channels, in groups that a convolution keeps apart, are laid
/// out: plainly where each group fills its blocks.
BlockedLayout getGroupedLayout(VPU::ArchAttr arch, int64_t channels,
                               int64_t groups) {
  int64_t perGroup = channels / groups;
  int64_t width = arch.getBlockSize(channels);
  if (perGroup % width == 0) {
    return {width};
  }
  return {arch.getBlockSize(perGroup), groups};
}

/// The layout that the one convolution that reads `value` needs of it.
std::optional<BlockedLayout> getWantedLayout(VPU::ArchAttr arch, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto user =
      value.hasOneUse() ? dyn_cast<IE::ConvOp>(*value.user_begin()) : nullptr;
  if (!user || user.getInput() != value || user.getGroup() == 1 ||
      type.getRank() < 3 ||
      static_cast<int64_t>(user.getGroup()) == type.getDimSize(1)) {
    return std::nullopt;
  }
  return getGroupedLayout(arch, type.getDimSize(1), user.getGroup());
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
    Sizes sizes = getSizes(op, *window);
    if (isDepthwise(sizes)) {
      rewriteDepthwise(op, *window, sizes, weights.get(), bias.get(), rewriter);
    } else {
      rewriteDense(op, *window, sizes, weights.get(), bias.get(), rewriter);
    }
    return success();
  }

private:
  void rewriteDense(IE::ConvOp op, const Window2D &window, const Sizes &sizes,
                    ArrayRef<float> weights, ArrayRef<float> bias,
                    PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    BlockedLayout in = sizes.groups == 1
                           ? chooseLayout(arch, image, /*reducesChannels=*/true)
                           : getGroupedLayout(arch, sizes.inputs, sizes.groups);
    BlockedLayout out = getGroupedLayout(arch, sizes.outputs, sizes.groups);
    Value input = buildBlocked(rewriter, loc, image, in, Padding{window.pads});
    Value packed = buildConstant(rewriter, loc,
                                 {out.getBlocks(sizes.outputs),
                                  in.getBlocks(sizes.inputs) / sizes.groups,
                                  sizes.kernelRows, sizes.kernelColumns,
                                  in.width, out.width},
                                 packWeights(weights, sizes, in, out));
    Value init = buildDestination(rewriter, op, window, out);
    Value result =
        VPU::NCEConvolutionOp::create(
            rewriter, loc, init.getType(), input, packed,
            buildBias(rewriter, loc, bias, out),
            /*residual=*/Value(), init, window.strides, window.dilations,
            sizes.groups, getInputChannels(rewriter, sizes, in),
            VPU::PPEAttr::get(getContext()))
            ->getResult(0);
    finish(rewriter, op, {result, out}, sizes.outputs);
  }

  void rewriteDepthwise(IE::ConvOp op, const Window2D &window,
                        const Sizes &sizes, ArrayRef<float> weights,
                        ArrayRef<float> bias, PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    BlockedLayout layout = chooseLayout(arch, image, /*reducesChannels=*/false);
    if (!getBlockedSource(image)) {
      layout = getWantedLayout(arch, op.getOutput()).value_or(layout);
    }
    Value input =
        buildBlocked(rewriter, loc, image, layout, Padding{window.pads});
    Value packed =
        buildConstant(rewriter, loc,
                      {layout.getBlocks(sizes.outputs), sizes.kernelRows,
                       sizes.kernelColumns, layout.width},
                      packDepthWeights(weights, sizes, layout));
    Value init = buildDestination(rewriter, op, window, layout);
    Value result =
        VPU::NCEDepthConvolutionOp::create(
            rewriter, loc, init.getType(), input, packed,
            buildBias(rewriter, loc, bias, layout),
            /*residual=*/Value(), init, window.strides, window.dilations)
            ->getResult(0);
    finish(rewriter, op, {result, layout}, sizes.outputs);
  }

  /// The channels of a group, where they do not fill their blocks. Channels
  /// that are grouped otherwise in their blocks have gaps among them.
  static IntegerAttr getInputChannels(Builder &builder, const Sizes &sizes,
                                      BlockedLayout in) {
    int64_t perGroup = sizes.getInputsPerGroup();
    bool isFull = perGroup % in.width == 0;
    bool hasGaps = in.groups != 1 && in.groups != sizes.groups;
    return isFull || hasGaps ? IntegerAttr()
                             : builder.getI64IntegerAttr(perGroup);
  }

  static Value buildBias(OpBuilder &builder, Location loc, ArrayRef<float> bias,
                         BlockedLayout layout) {
    return bias.empty() ? Value() : buildPackedBias(builder, loc, bias, layout);
  }

  static Value buildDestination(OpBuilder &builder, IE::ConvOp op,
                                const Window2D &window, BlockedLayout layout) {
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    auto logical =
        type.clone(ArrayRef<int64_t>{type.getDimSize(0), type.getDimSize(1),
                                     window.output[0], window.output[1]});
    return buildBlockedEmpty(builder, op.getLoc(), logical, layout);
  }

  static void finish(PatternRewriter &rewriter, IE::ConvOp op,
                     const BlockedImage &result, int64_t channels) {
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
