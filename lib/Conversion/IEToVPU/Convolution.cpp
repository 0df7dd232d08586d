//===- Convolution.cpp - Lower convolutions to the engine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense, grouped, and depthwise convolutions. A group is a number of whole
// blocks; where its channels are not, they are blocked group by group, but for
// small groups, several of which share a block. A convolution of volumes is the
// sum of those of their images, one for each element of the kernel's depth.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "Quantization.h"
#include "Volume.h"
#include "Weights.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

static constexpr StringLiteral kTooLarge =
    "memory has no room for its packed weights";

namespace {

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

/// One value per output channel in blocks; null where there are none.
Value buildParameters(OpBuilder &builder, Location loc, ArrayRef<float> values,
                      BlockedLayout layout) {
  return values.empty() ? Value()
                        : buildPackedBias(builder, loc, values, layout);
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

Value nacre::buildConvolution(OpBuilder &builder, Location loc,
                              const FloatConvolution &conv, Value input,
                              Value init) {
  const auto &[sizes, layouts, weights, bias, strides, dilations, residual] =
      conv;
  auto ppe = VPU::PPEAttr::get(builder.getContext());
  if (sizes.isDepthwise()) {
    return VPU::NCEDepthConvolutionOp::create(
               builder, loc, init.getType(), input, weights, /*scale=*/Value(),
               bias, residual, init, strides, dilations, ppe, VPU::QuantAttr())
        ->getResult(0);
  }
  if (layouts.sharesBlocks) {
    return VPU::NCEGroupConvolutionOp::create(builder, loc, init.getType(),
                                              input, weights, bias, residual,
                                              init, strides, dilations, ppe)
        ->getResult(0);
  }
  return VPU::NCEConvolutionOp::create(
             builder, loc, init.getType(), input, weights, /*offset=*/Value(),
             /*scale=*/Value(), bias, residual, init, strides, dilations,
             sizes.groups, getInputChannels(builder, sizes, layouts.in), ppe)
      ->getResult(0);
}

namespace {

struct ConvToVPU final : VPUPattern<IE::ConvOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageType(arch, op.getInput());
    if (!type || !getImageType(arch, op.getOutput())) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and volumes or those of an NPU of known size");
    }
    FailureOr<IE::Window> resolved = op.getWindow();
    Depth depth;
    std::optional<Window2D> window;
    if (succeeded(resolved)) {
      depth = Depth::take(*resolved);
      window = Window2D::get(*resolved, op.getAutoPad());
    }
    if (!window || depth.hasNegativePadding()) {
      return rewriter.notifyMatchFailure(op, "has negative padding");
    }
    if (!canPack(arch, op.getWeights(), op.getBias())) {
      return rewriter.notifyMatchFailure(
          op, "needs weights and bias of known sizes, and on an NPU constants");
    }
    int64_t volumes = depth.isSingle() ? 1 : type.getDimSize(0);
    if (!depth.isSingle() && volumes * depth.kernel > kMaxVolumeOps) {
      return rewriter.notifyMatchFailure(
          op, "its volumes and the depth of its kernel are too many");
    }
    ConvolutionSizes sizes = getSizes(op, *window);
    if (!canHoldPacked(arch, sizes, depth.kernel, sizeof(float))) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    ConvolutionLayouts layouts =
        chooseLayouts(arch, image, op.getOutput(), sizes);
    WindowInput input =
        buildWindowInput(rewriter, loc, image, layouts.in, *window);
    FloatWeights weights(op.getWeights(), /*isTransposed=*/false, sizes,
                         layouts);
    SmallVector<Value> parts;
    for (int64_t k = 0; k < depth.kernel; ++k) {
      KernelTaps rows{0, sizes.kernelRows}, columns{0, sizes.kernelColumns};
      parts.push_back(
          weights.pack(rewriter, loc, {KernelTaps{k}, rows, columns}));
    }
    Value bias = buildBias(rewriter, loc, op.getBias(), layouts.out);
    Value result =
        forEachVolume(rewriter, loc, input.value, volumes, [&](Value volume) {
          volume = buildPaddedVolume(rewriter, loc, volume, depth.padsBegin,
                                     depth.padsEnd);
          Value sum;
          for (auto [k, part] : llvm::enumerate(parts)) {
            Value images = depth.buildTap(rewriter, loc, volume, k);
            Value init =
                buildDestination(rewriter, loc, images, input, sizes.outputs,
                                 layouts.out, rewriter.getF32Type());
            FloatConvolution conv{
                sizes,           layouts,           part, sum ? Value() : bias,
                window->strides, window->dilations,
                /*residual=*/sum};
            sum = buildConvolution(rewriter, loc, conv, images, init);
          }
          return sum;
        });
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
    if (!isImageOfBytes(arch, op.getInput()) || !zeroPoint || !weights) {
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
    if (!canHoldPacked(arch, sizes, /*depth=*/1, sizeof(float))) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
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
            buildParameters(rewriter, loc, epilogue->scale, out),
            buildParameters(rewriter, loc, epilogue->bias, out),
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
                       buildParameters(rewriter, loc, epilogue.scale, layout),
                       buildParameters(rewriter, loc, epilogue.bias, layout),
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
