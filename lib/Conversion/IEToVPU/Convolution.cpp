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
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/Utils/Builders.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

static constexpr StringLiteral kTooLarge =
    "memory has no room for its packed weights";

/// The sums of the weights of each output channel.
template <typename T>
static SmallVector<int32_t> sumWeights(ArrayRef<T> weights,
                                       const ConvolutionSizes &sizes) {
  size_t perOutput = weights.size() / sizes.outputs;
  SmallVector<int32_t> sums;
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    int32_t sum = 0;
    for (T weight : weights.slice(m * perOutput, perOutput)) {
      sum += static_cast<int32_t>(weight);
    }
    sums.push_back(sum);
  }
  return sums;
}

template <typename Op>
static ConvolutionSizes getSizes(Op op, const Window2D &window) {
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  int64_t groups = op.getGroup();
  return {weights.getDimSize(1) * groups, weights.getDimSize(0), groups,
          window.kernel[0], window.kernel[1]};
}

/// Whether a block can hold several groups. Where it can, that is faster than a
/// block for each of them, most of whose lanes would hold nothing: even a 1×1
/// window, for which sums are exchanged as often as multiplied, gains from
/// images without gaps.
static bool canShareBlocks(VPU::ArchAttr arch, const ConvolutionSizes &sizes,
                           Type elementType) {
  int64_t size = sizes.getInputsPerGroup();
  int64_t width = arch.getBlockSize(sizes.outputs, elementType);
  return !arch.hasFixedFunctionNCE() && sizes.groups > 1 &&
         size == sizes.getOutputsPerGroup() && llvm::isPowerOf2_64(size) &&
         size < width && width % size == 0;
}

/// How `channels` channels, in groups that a convolution keeps apart, are laid
/// out: plainly where each group fills its blocks.
static BlockedLayout getGroupedLayout(VPU::ArchAttr arch, int64_t channels,
                                      int64_t groups, Type elementType) {
  int64_t perGroup = channels / groups;
  int64_t width = arch.getBlockSize(channels, elementType);
  if (perGroup % width == 0) {
    return {width};
  }
  return {arch.getBlockSize(perGroup, elementType), groups};
}

/// The layout that the one convolution that reads `value` needs of it.
static std::optional<BlockedLayout> getWantedLayout(VPU::ArchAttr arch,
                                                    Value value) {
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
  Type element = type.getElementType();
  return canShareBlocks(arch, sizes, element)
             ? BlockedLayout{arch.getBlockSize(sizes.outputs, element)}
             : getGroupedLayout(arch, sizes.inputs, sizes.groups, element);
}

/// The channels of a group, where they do not fill their blocks. Channels
/// that are grouped otherwise in their blocks have gaps among them.
static IntegerAttr getInputChannels(Builder &builder,
                                    const ConvolutionSizes &sizes,
                                    BlockedLayout in) {
  int64_t perGroup = sizes.getInputsPerGroup();
  bool isFull = perGroup % in.width == 0;
  bool hasGaps = in.groups != 1 && in.groups != sizes.groups;
  return isFull || hasGaps ? IntegerAttr()
                           : builder.getI64IntegerAttr(perGroup);
}

/// The attribute for a border of zeros; null where there is none.
static DenseI64ArrayAttr getZeroBorder(Builder &builder,
                                       ArrayRef<int64_t> border) {
  return llvm::all_of(border, [](int64_t size) { return size == 0; })
             ? DenseI64ArrayAttr()
             : builder.getDenseI64ArrayAttr(border);
}

/// A destination of `channels` channels for the windows of `input`, for each of
/// these images.
static Value buildDestination(OpBuilder &builder, Location loc, Value images,
                              const WindowInput &input, int64_t channels,
                              BlockedLayout layout, Type elementType) {
  OpFoldResult count = getMixedSizes(builder, loc, images).front();
  return buildBlockedEmpty(
      builder, loc,
      {count, builder.getIndexAttr(channels), input.output[0], input.output[1]},
      layout, elementType);
}

/// Replaces what follows the sums by the engine's result, in the type of the
/// last op.
static void finish(PatternRewriter &rewriter, const SumsEpilogue &epilogue,
                   const BlockedImage &result, int64_t channels) {
  Operation *op = epilogue.last;
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value value = buildFromBlocked(rewriter, loc, result, channels, type);
  rewriter.replaceOp(op, epilogue.buildResult(rewriter, loc, value));
}

ConvolutionLayouts nacre::chooseLayouts(VPU::ArchAttr arch, Value input,
                                        Value output,
                                        const ConvolutionSizes &sizes) {
  if (sizes.isDepthwise()) {
    BlockedLayout layout = chooseLayout(arch, input, /*reducesChannels=*/false);
    if (!getBlockedImage(input)) {
      layout = getWantedLayout(arch, output).value_or(layout);
    }
    return {layout, layout};
  }
  Type element = getElementTypeOrSelf(input.getType());
  if (canShareBlocks(arch, sizes, element)) {
    BlockedLayout layout{arch.getBlockSize(sizes.outputs, element)};
    return {layout, layout, /*sharesBlocks=*/true};
  }
  BlockedLayout in =
      sizes.groups == 1
          ? chooseLayout(arch, input, /*reducesChannels=*/true)
          : getGroupedLayout(arch, sizes.inputs, sizes.groups, element);
  return {in, getGroupedLayout(arch, sizes.outputs, sizes.groups, element)};
}

Value nacre::buildConvolution(OpBuilder &builder, Location loc,
                              const FloatConvolution &conv, Value input,
                              Value init) {
  const auto &[sizes, layouts, weights, bias, strides, dilations, residual,
               zeroBorder] = conv;
  auto ppe = VPU::PPEAttr::get(builder.getContext());
  if (sizes.isDepthwise()) {
    return VPU::NCEDepthConvolutionOp::create(
               builder, loc, init.getType(), input, weights, /*offset=*/Value(),
               /*scale=*/Value(), bias, residual, init, strides, dilations, ppe,
               VPU::QuantAttr())
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
             sizes.groups, getInputChannels(builder, sizes, layouts.in), ppe,
             getZeroBorder(builder, zeroBorder))
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
    if (!canHoldPacked(arch, sizes, depth.kernel, type.getElementType())) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    if (leavesBlocksEmpty(sizes, type.getElementType())) {
      repeatChannels(op, sizes, rewriter);
      return success();
    }
    Location loc = op.getLoc();
    ConvolutionLayouts layouts =
        chooseLayouts(arch, op.getInput(), op.getOutput(), sizes);
    WindowInput input =
        buildWindowInput(rewriter, loc, op.getInput(), layouts.in, *window);
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
                                 layouts.out, type.getElementType());
            FloatConvolution conv{sizes,
                                  layouts,
                                  part,
                                  sum ? Value() : bias,
                                  window->strides,
                                  window->dilations,
                                  /*residual=*/sum,
                                  input.border};
            sum = buildConvolution(rewriter, loc, conv, images, init);
          }
          return sum;
        });
    replaceByImage(rewriter, op, {result, layouts.out}, sizes.outputs);
    return success();
  }

private:
  /// True for groups that each make so few channels of one that blocks of them
  /// would be nearly empty.
  bool leavesBlocksEmpty(const ConvolutionSizes &sizes, Type element) const {
    constexpr int64_t kMostOfBlock = 4; // one part in so many
    return !arch.hasFixedFunctionNCE() && sizes.groups > 1 &&
           sizes.getInputsPerGroup() == 1 && !sizes.isDepthwise() &&
           sizes.getOutputsPerGroup() * kMostOfBlock <= arch.getLanes(element);
  }

  /// Makes them as many groups as they make channels, of an input that has each
  /// of its channels as often.
  static void repeatChannels(IE::ConvOp op, const ConvolutionSizes &sizes,
                             PatternRewriter &rewriter) {
    int64_t each = sizes.getOutputsPerGroup();
    SmallVector<int64_t> places =
        llvm::map_to_vector(llvm::seq(sizes.outputs),
                            [&](int64_t channel) { return channel / each; });
    Location loc = op.getLoc();
    Value indices = IE::buildInts(rewriter, loc, places);
    auto type = cast<RankedTensorType>(op.getInput().getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[1] = sizes.outputs;
    Value repeated = IE::GatherOp::create(
        rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
        op.getInput(), indices, /*axis=*/1);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(repeated);
      op.setGroup(sizes.outputs);
    });
  }
};

/// A convolution of 8-bit integers and what follows its sums.
struct ConvIntegerToVPU final : VPUPattern<IE::ConvIntegerOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvIntegerOp op,
                                PatternRewriter &rewriter) const override {
    bool mayBeComputed = !arch.hasFixedFunctionNCE();
    std::optional<ZeroPoint> zeroPoint =
        ZeroPoint::get(op.getXZeroPoint(), op.getInput(), mayBeComputed);
    if (!isImageOfBytes(arch, op.getInput()) || !zeroPoint) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of one zero point, on an NPU a "
              "constant one and of known size");
    }
    FailureOr<IE::Window> resolved = op.getWindow();
    std::optional<Window2D> window =
        succeeded(resolved) ? Window2D::get(*resolved, op.getAutoPad())
                            : std::nullopt;
    std::optional<SumsEpilogue> epilogue =
        collectEpilogue(op, /*dim=*/1, mayBeComputed);
    auto weightsType = cast<RankedTensorType>(op.getWeights().getType());
    if (!window || !epilogue || !weightsType.hasStaticShape()) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions without negative padding, "
              "and on an NPU sums that become floats");
    }
    ConvolutionSizes sizes = getSizes(op, *window);
    if (!canHoldPacked(arch, sizes, /*depth=*/1, rewriter.getF32Type())) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    // What the result is made of comes before it.
    if (sizes.isDepthwise()) {
      std::optional<SmallVector<float>> weights =
          getExactWeights(op.getWeights(), op.getWZeroPoint());
      // f32 holds sums up to this exactly.
      constexpr int64_t kMostExact = 1 << 24, kMostProduct = 255 * 255;
      if (!weights ||
          sizes.kernelRows * sizes.kernelColumns * kMostProduct > kMostExact) {
        return rewriter.notifyMatchFailure(
            op, "needs constant weights, and a window that is not very large");
      }
      if (epilogue->elementType.isInteger(32) && !epilogue->addends.empty()) {
        return rewriter.notifyMatchFailure(
            op, "what is added to its sums may make them inexact in f32");
      }
      rewriter.setInsertionPoint(epilogue->last);
      rewriteDepthwise(op, *window, sizes, *weights, *zeroPoint, *epilogue,
                       rewriter);
      return success();
    }
    std::optional<SmallVector<int8_t, 0>> weights =
        getConstantWeights(op.getWeights(), op.getWZeroPoint());
    if (!weights) {
      return rewriter.notifyMatchFailure(op,
                                         "needs constant weights around zero");
    }
    rewriter.setInsertionPoint(epilogue->last);
    int64_t pack = arch.getPack(rewriter.getI8Type());
    // Groups that share a block are one for the engine, which multiplies no
    // more packs for a full vector than for one of which it would use a part.
    // One without whole packs of channels multiplies them one by one.
    bool sharesBlocks = canShareBlocks(arch, sizes, rewriter.getI8Type());
    if (!sharesBlocks && sizes.groups > 1 &&
        sizes.getInputsPerGroup() % pack != 0) {
      pack = 1;
    }
    Location loc = op.getLoc();
    BlockedLayout out = getGroupedLayout(arch, sizes.outputs, sizes.groups,
                                         rewriter.getI8Type());
    BlockedLayout in = getInputLayout(op.getInput(), sizes, pack);
    int64_t groups = sizes.groups;
    IntegerAttr inputChannels = getInputChannels(rewriter, sizes, in);
    if (sharesBlocks) {
      in = out = {arch.getBlockSize(sizes.outputs, rewriter.getI8Type())};
      groups = out.getBlocks(sizes.outputs);
      inputChannels = {};
    }
    WindowInput input =
        buildInput(rewriter, loc, op.getInput(), in, *window, *zeroPoint);
    Value packed = VPU::PackWeightsOp::create(
        rewriter, loc,
        buildConstant(rewriter, loc,
                      {sizes.outputs, sizes.getInputsPerGroup(),
                       sizes.kernelRows, sizes.kernelColumns},
                      ArrayRef<int8_t>(*weights)),
        VPU::WeightPacking{VPU::WeightForm::DENSE, out.width, in.width, pack,
                           sizes.groups, in.groups, out.groups});
    Value offset = zeroPoint->buildOffset(
        rewriter, loc, sumWeights(ArrayRef<int8_t>(*weights), sizes),
        epilogue->addends, out);
    Value init = buildDestination(rewriter, loc, input.value, input,
                                  sizes.outputs, out, epilogue->elementType);
    auto zeroBorder = zeroPoint->isZero()
                          ? getZeroBorder(rewriter, input.border)
                          : DenseI64ArrayAttr();
    Value result =
        VPU::NCEConvolutionOp::create(
            rewriter, loc, init.getType(), input.value, packed, offset,
            epilogue->scale.build(rewriter, loc, out),
            epilogue->bias.build(rewriter, loc, out), /*residual=*/Value(),
            init, window->strides, window->dilations, groups, inputChannels,
            epilogue->ppe, zeroBorder)
            ->getResult(0);
    finish(rewriter, *epilogue, {result, out}, sizes.outputs);
    return success();
  }

private:
  /// Images are padded with the zero point, where they are.
  static WindowInput buildInput(OpBuilder &builder, Location loc, Value value,
                                BlockedLayout layout, const Window2D &window,
                                const ZeroPoint &zeroPoint) {
    auto type = cast<RankedTensorType>(value.getType());
    std::array<int64_t, 2> overhang = window.getOverhang(
        VPU::getBlockedType(type, layout).getShape().slice(2, 2));
    bool pads = llvm::any_of(window.pads, [](int64_t pad) { return pad != 0; });
    return buildWindowInput(builder, loc, value, layout, window,
                            pads || overhang[0] != 0 || overhang[1] != 0
                                ? zeroPoint.buildPadding(builder, loc)
                                : Padding());
  }

  /// What sums of floats start from where that is not zero.
  static Value buildFloatOffset(OpBuilder &builder, Location loc,
                                ArrayRef<int32_t> sums,
                                const ZeroPoint &zeroPoint,
                                const SumsEpilogue &epilogue,
                                BlockedLayout layout) {
    if (!zeroPoint.getKnown()) {
      Value offset =
          zeroPoint.buildOffset(builder, loc, sums, epilogue.addends, layout);
      return IE::CastOp::create(
                 builder, loc,
                 TypeRange(cast<RankedTensorType>(offset.getType())
                               .clone(builder.getF32Type())),
                 offset, TypeAttr::get(builder.getF32Type()))
          ->getResult(0);
    }
    if (epilogue.addends.empty()) {
      return {};
    }
    SmallVector<float> offsets;
    for (int32_t offset : zeroPoint.getOffsets(sums, epilogue.addends)) {
      offsets.push_back(static_cast<float>(offset));
    }
    return buildPackedBias(builder, loc, offsets, layout);
  }

  /// Sums of floats, which are exact. A zero point computed at run time
  /// is part of what they start from, as addends are.
  void rewriteDepthwise(IE::ConvIntegerOp op, const Window2D &window,
                        const ConvolutionSizes &sizes, ArrayRef<float> weights,
                        const ZeroPoint &zeroPoint,
                        const SumsEpilogue &epilogue,
                        PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    BlockedLayout layout =
        chooseLayout(arch, op.getInput(), /*reducesChannels=*/false);
    WindowInput input =
        buildInput(rewriter, loc, op.getInput(), layout, window, zeroPoint);
    VPU::WeightPacking packing{VPU::WeightForm::DEPTHWISE, layout.width};
    packing.outputGroups = layout.groups;
    Value packed = VPU::PackWeightsOp::create(
        rewriter, loc,
        buildConstant(rewriter, loc,
                      {sizes.outputs, 1, sizes.kernelRows, sizes.kernelColumns},
                      std::vector<float>(weights.begin(), weights.end())),
        packing);
    Type element = epilogue.elementType.isInteger(32)
                       ? Type(rewriter.getF32Type())
                       : epilogue.elementType;
    Value init = buildDestination(rewriter, loc, input.value, input,
                                  sizes.outputs, layout, element);
    Value offset = buildFloatOffset(rewriter, loc, sumWeights(weights, sizes),
                                    zeroPoint, epilogue, layout);
    auto quant = VPU::QuantAttr::get(getContext(), rewriter.getF32FloatAttr(1),
                                     offset ? 0 : *zeroPoint.getKnown());
    Value result = VPU::NCEDepthConvolutionOp::create(
                       rewriter, loc, init.getType(), input.value, packed,
                       offset, epilogue.scale.build(rewriter, loc, layout),
                       epilogue.bias.build(rewriter, loc, layout),
                       /*residual=*/Value(), init, window.strides,
                       window.dilations, epilogue.ppe, quant)
                       ->getResult(0);
    finish(rewriter, epilogue, {result, layout}, sizes.outputs);
  }

  /// Blocks of whole packs: those of the value where it has such.
  BlockedLayout getInputLayout(Value value, const ConvolutionSizes &sizes,
                               int64_t pack) const {
    if (sizes.groups != 1) {
      return getGroupedLayout(arch, sizes.inputs, sizes.groups,
                              IntegerType::get(getContext(), 8));
    }
    BlockedLayout layout = chooseLayout(arch, value, /*reducesChannels=*/true);
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
