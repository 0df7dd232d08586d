//===- Convolution.cpp - Lower convolutions to the engine -----------------===//
//
// Convolutions with constant weights, which are packed here for the register
// tile: dense, grouped, and depthwise. A group is a number of whole blocks;
// where its channels are not, they are blocked group by group, but for small
// groups, several of which share a block.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

/// (M, C/g, KH, KW) to (OCB, ICB/g, KH, KW, ic/pack, oc, pack), zero where a
/// block holds no channel.
template <typename T>
std::vector<T> packWeights(ArrayRef<T> weights, const ConvolutionSizes &sizes,
                           BlockedLayout in, BlockedLayout out,
                           int64_t pack = 1) {
  int64_t inputBlocks = in.getBlocks(sizes.inputs) / sizes.groups;
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  int64_t perGroup = sizes.getInputsPerGroup();
  std::vector<T> packed(out.getBlocks(sizes.outputs) * inputBlocks * window *
                            in.width * out.width,
                        T(0));
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    int64_t outSlot = out.getSlot(m, sizes.outputs);
    int64_t first = m / sizes.getOutputsPerGroup() * perGroup;
    int64_t firstSlot = in.getSlot(first, sizes.inputs);
    for (int64_t c = 0; c < perGroup; ++c) {
      int64_t inSlot = in.getSlot(first + c, sizes.inputs) - firstSlot;
      const T *from = &weights[(m * perGroup + c) * window];
      int64_t lane = inSlot % in.width;
      T *to =
          &packed[((outSlot / out.width) * inputBlocks + inSlot / in.width) *
                      window * in.width * out.width +
                  (lane / pack * out.width + outSlot % out.width) * pack +
                  lane % pack];
      for (int64_t k = 0; k < window; ++k) {
        to[k * in.width * out.width] = from[k];
      }
    }
  }
  return packed;
}

/// (C, 1, KH, KW) to (CB, KH, KW, c), zero where a block holds no channel.
std::vector<float> packDepthWeights(ArrayRef<float> weights,
                                    const ConvolutionSizes &sizes,
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

/// (M, g, KH, KW) to (CB, KH, KW, g, c): what each lane of a block adds to the
/// one at each distance, zero where a block holds no channel.
std::vector<float> packGroupWeights(ArrayRef<float> weights,
                                    const ConvolutionSizes &sizes,
                                    int64_t width) {
  int64_t size = sizes.getInputsPerGroup();
  int64_t window = sizes.kernelRows * sizes.kernelColumns;
  std::vector<float> packed(llvm::alignTo(sizes.outputs, width) * window * size,
                            0.0f);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    for (int64_t c = 0; c < size; ++c) {
      int64_t from = m / size * size + c, distance = m ^ from;
      for (int64_t k = 0; k < window; ++k) {
        packed[((m / width * window + k) * size + distance) * width +
               from % width] = weights[(m * size + c) * window + k];
      }
    }
  }
  return packed;
}

/// Minus what the input's zero point adds to each output channel's sum.
std::vector<int32_t> computeOffsets(ArrayRef<int8_t> weights,
                                    const ConvolutionSizes &sizes,
                                    int64_t zeroPoint) {
  size_t perOutput = weights.size() / sizes.outputs;
  std::vector<int32_t> offsets;
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    int64_t sum = 0;
    for (int8_t weight : weights.slice(m * perOutput, perOutput)) {
      sum += weight;
    }
    offsets.push_back(static_cast<int32_t>(-zeroPoint * sum));
  }
  return offsets;
}

template <typename Op>
ConvolutionSizes getSizes(Op op, const Window2D &window) {
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  int64_t groups = op.getGroup();
  return {weights.getDimSize(1) * groups, weights.getDimSize(0), groups,
          window.kernel[0], window.kernel[1]};
}

/// Whether a block can hold several groups. Where it can, that is faster than a
/// block for each of them, most of whose lanes would hold nothing: even a 1×1
/// window, for which sums are exchanged as often as multiplied, gains from
/// images without gaps.
bool canShareBlocks(VPU::ArchAttr arch, const ConvolutionSizes &sizes) {
  int64_t size = sizes.getInputsPerGroup();
  int64_t width = arch.getBlockSize(sizes.outputs);
  // A modelled engine has no instruction for it.
  return !arch.isNPU() && sizes.groups > 1 &&
         size == sizes.getOutputsPerGroup() && llvm::isPowerOf2_64(size) &&
         size < width && width % size == 0;
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
  ConvolutionSizes sizes{
      type.getDimSize(1),
      cast<ShapedType>(user.getWeights().getType()).getDimSize(0),
      static_cast<int64_t>(user.getGroup()), 1, 1};
  return canShareBlocks(arch, sizes)
             ? BlockedLayout{arch.getBlockSize(sizes.outputs)}
             : getGroupedLayout(arch, sizes.inputs, sizes.groups);
}

/// The channels of a group, where they do not fill their blocks. Channels
/// that are grouped otherwise in their blocks have gaps among them.
IntegerAttr getInputChannels(Builder &builder, const ConvolutionSizes &sizes,
                             BlockedLayout in) {
  int64_t perGroup = sizes.getInputsPerGroup();
  bool isFull = perGroup % in.width == 0;
  bool hasGaps = in.groups != 1 && in.groups != sizes.groups;
  return isFull || hasGaps ? IntegerAttr()
                           : builder.getI64IntegerAttr(perGroup);
}

/// A destination of `channels` channels for the windows of `input`.
Value buildDestination(OpBuilder &builder, Location loc, Value image,
                       const WindowInput &input, int64_t channels,
                       BlockedLayout layout, Type elementType) {
  OpFoldResult images = getMixedSizes(builder, loc, image).front();
  return buildBlockedEmpty(builder, loc,
                           {images, builder.getIndexAttr(channels),
                            input.output[0], input.output[1]},
                           layout, elementType);
}

/// Replaces `op` by the engine's result in ONNX's layout, shape and type.
void finish(PatternRewriter &rewriter, Operation *op,
            const BlockedImage &result, int64_t channels) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value image = buildUnblocked(rewriter, loc, result, channels);
  if (!isByte(type.getElementType())) {
    rewriter.replaceOp(op, buildFromImage(rewriter, loc, image, type));
    return;
  }
  image = buildFromImage(rewriter, loc, image,
                         type.clone(getElementTypeOrSelf(image.getType())));
  rewriter.replaceOp(
      op, buildModelBytes(rewriter, loc, image, type.getElementType()));
}

} // namespace

ConvolutionLayouts nacre::chooseLayouts(VPU::ArchAttr arch, Value image,
                                        Value output,
                                        const ConvolutionSizes &sizes) {
  if (sizes.isDepthwise()) {
    BlockedLayout layout = chooseLayout(arch, image, /*reducesChannels=*/false);
    if (!getBlockedSource(image)) {
      layout = getWantedLayout(arch, output).value_or(layout);
    }
    return {layout, layout};
  }
  if (canShareBlocks(arch, sizes)) {
    BlockedLayout layout{arch.getBlockSize(sizes.outputs)};
    return {layout, layout, /*sharesBlocks=*/true};
  }
  BlockedLayout in = sizes.groups == 1
                         ? chooseLayout(arch, image, /*reducesChannels=*/true)
                         : getGroupedLayout(arch, sizes.inputs, sizes.groups);
  return {in, getGroupedLayout(arch, sizes.outputs, sizes.groups)};
}

Value nacre::buildBias(OpBuilder &builder, Location loc, ArrayRef<float> bias,
                       BlockedLayout layout) {
  return bias.empty() ? Value() : buildPackedBias(builder, loc, bias, layout);
}

Value nacre::buildConvolution(OpBuilder &builder, Location loc,
                              const FloatConvolution &conv, Value input,
                              Value init) {
  const auto &[sizes, layouts, weights, bias, strides, dilations] = conv;
  auto ppe = VPU::PPEAttr::get(builder.getContext());
  if (sizes.isDepthwise()) {
    Value packed =
        buildConstant(builder, loc,
                      {layouts.out.getBlocks(sizes.outputs), sizes.kernelRows,
                       sizes.kernelColumns, layouts.out.width},
                      packDepthWeights(weights, sizes, layouts.out));
    return VPU::NCEDepthConvolutionOp::create(
               builder, loc, init.getType(), input, packed, /*scale=*/Value(),
               bias, /*residual=*/Value(), init, strides, dilations, ppe,
               VPU::QuantAttr())
        ->getResult(0);
  }
  if (layouts.sharesBlocks) {
    Value packed = buildConstant(
        builder, loc,
        {layouts.out.getBlocks(sizes.outputs), sizes.kernelRows,
         sizes.kernelColumns, sizes.getInputsPerGroup(), layouts.out.width},
        packGroupWeights(weights, sizes, layouts.out.width));
    return VPU::NCEGroupConvolutionOp::create(
               builder, loc, init.getType(), input, packed, bias,
               /*residual=*/Value(), init, strides, dilations, ppe)
        ->getResult(0);
  }
  Value packed = buildConstant(
      builder, loc,
      {layouts.out.getBlocks(sizes.outputs),
       layouts.in.getBlocks(sizes.inputs) / sizes.groups, sizes.kernelRows,
       sizes.kernelColumns, layouts.in.width, layouts.out.width},
      packWeights(weights, sizes, layouts.in, layouts.out));
  return VPU::NCEConvolutionOp::create(
             builder, loc, init.getType(), input, packed, /*offset=*/Value(),
             /*scale=*/Value(), bias, /*residual=*/Value(), init, strides,
             dilations, sizes.groups,
             getInputChannels(builder, sizes, layouts.in), ppe)
      ->getResult(0);
}

namespace {

struct ConvToVPU final : VPUPattern<IE::ConvOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (!getImageType(arch, op.getInput()) ||
        !getImageType(arch, op.getOutput())) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and on an NPU of known size");
    }
    FailureOr<IE::Window> resolved = op.getWindow();
    std::optional<Window2D> window =
        succeeded(resolved) ? Window2D::get(*resolved, op.getAutoPad())
                            : std::nullopt;
    if (!window) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions without negative padding");
    }
    ConstantFloats weights(op.getWeights());
    ConstantFloats bias(op.getBias());
    if (!weights || (op.getBias() && !bias)) {
      return rewriter.notifyMatchFailure(op, "needs constant weights and bias");
    }
    ConvolutionSizes sizes = getSizes(op, *window);
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    ConvolutionLayouts layouts =
        chooseLayouts(arch, image, op.getOutput(), sizes);
    WindowInput input =
        buildWindowInput(rewriter, loc, image, layouts.in, *window);
    Value init = buildDestination(rewriter, loc, image, input, sizes.outputs,
                                  layouts.out, rewriter.getF32Type());
    FloatConvolution conv{
        sizes,           layouts,
        weights.get(),   buildBias(rewriter, loc, bias.get(), layouts.out),
        window->strides, window->dilations};
    Value result = buildConvolution(rewriter, loc, conv, input.value, init);
    finish(rewriter, op, {result, layouts.out}, sizes.outputs);
    return success();
  }
};

/// A convolution of 8-bit integers and what follows its sums.
struct ConvIntegerToVPU final : VPUPattern<IE::ConvIntegerOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvIntegerOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> zeroPoint =
        getZeroPoint(op.getXZeroPoint(), op.getInput());
    std::optional<SmallVector<int8_t, 0>> weights =
        getConstantWeights(op.getWeights(), op.getWZeroPoint());
    if (!isEngineBytes(arch, op.getInput(), /*dim=*/1) || !zeroPoint ||
        !weights) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of one zero point, on an NPU of "
              "known size, and constant weights around zero");
    }
    FailureOr<IE::Window> resolved = op.getWindow();
    std::optional<Window2D> window =
        succeeded(resolved) ? Window2D::get(*resolved, op.getAutoPad())
                            : std::nullopt;
    std::optional<SumsEpilogue> epilogue =
        collectEpilogue(op.getOutput(), /*dim=*/1);
    if (!window || !epilogue) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions without negative padding, "
              "and sums that become floats");
    }
    ConvolutionSizes sizes = getSizes(op, *window);
    if (sizes.isDepthwise()) {
      // Sums of so few products are exact in f32.
      constexpr int64_t kMaxTaps = 512;
      if (sizes.kernelRows * sizes.kernelColumns > kMaxTaps) {
        return rewriter.notifyMatchFailure(op, "has a very large window");
      }
      rewriteDepthwise(op, *window, sizes, *weights, *zeroPoint, *epilogue,
                       rewriter);
      return success();
    }
    int64_t pack = arch.getPack(rewriter.getI8Type());
    // A group without whole packs of channels multiplies them one by one.
    if (sizes.groups > 1 && sizes.getInputsPerGroup() % pack != 0) {
      pack = 1;
    }
    Location loc = op.getLoc();
    Value image =
        buildImage(rewriter, loc, buildBytes(rewriter, loc, op.getInput()));
    BlockedLayout in = getInputLayout(image, sizes, pack);
    BlockedLayout out = getGroupedLayout(arch, sizes.outputs, sizes.groups);
    WindowInput input = buildWindowInput(rewriter, loc, image, in, *window,
                                         static_cast<float>(*zeroPoint));
    SmallVector<int64_t> weightsShape = {out.getBlocks(sizes.outputs),
                                         in.getBlocks(sizes.inputs) /
                                             sizes.groups,
                                         sizes.kernelRows,
                                         sizes.kernelColumns,
                                         in.width / pack,
                                         out.width};
    if (pack > 1) {
      weightsShape.push_back(pack);
    }
    Value packed =
        buildConstant(rewriter, loc, weightsShape,
                      ArrayRef<int8_t>(packWeights(ArrayRef<int8_t>(*weights),
                                                   sizes, in, out, pack)));
    Value offset;
    if (*zeroPoint != 0) {
      offset = buildPackedOffset(
          rewriter, loc, computeOffsets(*weights, sizes, *zeroPoint), out);
    }
    Value init = buildDestination(rewriter, loc, image, input, sizes.outputs,
                                  out, getResultElement(rewriter, *epilogue));
    Value result =
        VPU::NCEConvolutionOp::create(
            rewriter, loc, init.getType(), input.value, packed, offset,
            buildBias(rewriter, loc, epilogue->scale, out),
            buildBias(rewriter, loc, epilogue->bias, out),
            /*residual=*/Value(), init, window->strides, window->dilations,
            sizes.groups, getInputChannels(rewriter, sizes, in), epilogue->ppe)
            ->getResult(0);
    finish(rewriter, epilogue->last, {result, out}, sizes.outputs);
    return success();
  }

private:
  static Type getResultElement(Builder &builder, const SumsEpilogue &epilogue) {
    return epilogue.ppe.getZeroPoint() ? Type(builder.getI8Type())
                                       : builder.getF32Type();
  }

  void rewriteDepthwise(IE::ConvIntegerOp op, const Window2D &window,
                        const ConvolutionSizes &sizes, ArrayRef<int8_t> weights,
                        int64_t zeroPoint, const SumsEpilogue &epilogue,
                        PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value image =
        buildImage(rewriter, loc, buildBytes(rewriter, loc, op.getInput()));
    BlockedLayout layout = chooseLayout(arch, image, /*reducesChannels=*/false);
    WindowInput input = buildWindowInput(rewriter, loc, image, layout, window,
                                         static_cast<float>(zeroPoint));
    SmallVector<float> floats(weights.begin(), weights.end());
    Value packed =
        buildConstant(rewriter, loc,
                      {layout.getBlocks(sizes.outputs), sizes.kernelRows,
                       sizes.kernelColumns, layout.width},
                      packDepthWeights(floats, sizes, layout));
    Value init = buildDestination(rewriter, loc, image, input, sizes.outputs,
                                  layout, getResultElement(rewriter, epilogue));
    auto quant = VPU::QuantAttr::get(getContext(), rewriter.getF32FloatAttr(1),
                                     zeroPoint);
    Value result = VPU::NCEDepthConvolutionOp::create(
                       rewriter, loc, init.getType(), input.value, packed,
                       buildBias(rewriter, loc, epilogue.scale, layout),
                       buildBias(rewriter, loc, epilogue.bias, layout),
                       /*residual=*/Value(), init, window.strides,
                       window.dilations, epilogue.ppe, quant)
                       ->getResult(0);
    finish(rewriter, epilogue.last, {result, layout}, sizes.outputs);
  }

  /// Blocks of whole packs: those of the value where it has such.
  BlockedLayout getInputLayout(Value image, const ConvolutionSizes &sizes,
                               int64_t pack) const {
    if (sizes.groups != 1) {
      return getGroupedLayout(arch, sizes.inputs, sizes.groups);
    }
    BlockedLayout layout = chooseLayout(arch, image, /*reducesChannels=*/true);
    return layout.width % pack == 0 ? layout
                                    : BlockedLayout{static_cast<int64_t>(
                                          llvm::alignTo(layout.width, pack))};
  }
};

} // namespace

void nacre::populateConvolutionToVPUPatterns(VPU::ArchAttr arch,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvToVPU, ConvIntegerToVPU>(arch, patterns.getContext());
}
