//===- ConvTranspose.cpp - Lower transposed convolutions to the engine ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outputs that are a stride apart are a convolution of the input by every
// stride-th element of the mirrored kernel. Each such phase is an op of the
// engine that writes its pixels between those of the others, in place, and
// multiplies no zeroes. Where output channels are too few to fill a vector, or
// phases too many, a single convolution has the phases as channels, which
// DepthToSpace spreads out.
//
//===----------------------------------------------------------------------===//

#include "TransposedConvolution.h"
#include "Volume.h"
#include "Weights.h"

#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

#include <map>

using namespace mlir;
using namespace nacre;

namespace {

/// A phase along each axis.
using PhaseIn3D = std::array<TransposedPhase, 3>;

} // namespace

SmallVector<TransposedPhase> TransposedAxis::getPhases() const {
  SmallVector<TransposedPhase> phases;
  for (int64_t first = 0; first < stride; ++first) {
    TransposedPhase phase{first, 0, 0, 0, 0, 0};
    phase.surplus = llvm::divideCeilSigned(surplus - first, stride);
    bool isEmpty = !ShapedType::isDynamic(output) && first >= output;
    if (isEmpty) {
      continue;
    }
    // Input i and kernel element k meet in output
    // i * stride + k * dilation - padsBegin.
    auto isOf = [&](int64_t k) {
      return (first + padsBegin - k * dilation) % stride == 0;
    };
    while (phase.tap < kernel && !isOf(phase.tap)) {
      ++phase.tap;
    }
    if (phase.tap < kernel) {
      phase.taps = llvm::divideCeilSigned(kernel - phase.tap, getStep());
      int64_t last = (first + padsBegin - phase.tap * dilation) / stride;
      phase.padsBegin = (phase.taps - 1) * getReach() - last;
      phase.padsEnd = phase.surplus + last;
    }
    phases.push_back(phase);
  }
  return phases;
}

/// The op in the engine's terms; nothing where its padding is dynamic or it has
/// more than three spatial dimensions.
static std::optional<TransposedConvolution>
getTransposed(IE::ConvTransposeOp op) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window) ||
      llvm::any_of(window->padsBegin, ShapedType::isDynamic)) {
    return std::nullopt;
  }
  Depth depth = Depth::take(*window);
  std::optional<Window2D> flat = Window2D::get(*window, /*autoPad=*/"");
  if (!flat || depth.hasNegativePadding()) {
    return std::nullopt;
  }
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  ArrayRef<int64_t> spatial = input.getShape().drop_front(2);
  ArrayRef<int64_t> extra = op.getOutputPadding().value_or(ArrayRef<int64_t>());
  TransposedConvolution result;
  auto groups = static_cast<int64_t>(op.getGroup());
  result.sizes = {weights.getDimSize(0), weights.getDimSize(1) * groups,
                  groups};
  bool isSame = op.getAutoPad().starts_with("SAME");
  TransposedAxis &images = result.axes[0];
  images = {ShapedType::kDynamic, ShapedType::kDynamic, depth.kernel,
            depth.stride,         depth.dilation,       depth.padsBegin,
            /*surplus=*/0};
  if (spatial.size() == 3) {
    images.input = spatial.front();
    images.output = depth.output;
    images.surplus = images.output - images.stride * images.input;
  }
  for (size_t i : {0, 1}) {
    int64_t dim = static_cast<int64_t>(i + spatial.size()) - 2;
    TransposedAxis &axis = result.axes[i + 1];
    axis = {dim < 0 ? 1 : spatial[dim],
            flat->output[i],
            flat->kernel[i],
            flat->strides[i],
            flat->dilations[i],
            flat->pads[i],
            /*surplus=*/0};
    if (!ShapedType::isDynamic(axis.input)) {
      axis.surplus = axis.output - axis.stride * axis.input;
    } else if (!isSame) {
      axis.surplus = flat->getExtent(i) + (extra.empty() ? 0 : extra[dim]) -
                     axis.stride - flat->pads[i] - flat->pads[i + 2];
    }
  }
  return result;
}

/// The engine's ops that the phases of a volume take.
static int64_t countOps(const TransposedConvolution &op) {
  int64_t count = 0;
  for (const TransposedPhase &phase : op.axes[0].getPhases()) {
    count += phase.taps;
  }
  return count * static_cast<int64_t>(op.axes[1].getPhases().size() *
                                      op.axes[2].getPhases().size());
}

//===----------------------------------------------------------------------===//
// Phase by phase
//===----------------------------------------------------------------------===//

namespace {

/// Builds the phases of one op.
class PhaseBuilder {
public:
  PhaseBuilder(OpBuilder &builder, IE::ConvTransposeOp op,
               const TransposedConvolution &transposed,
               ConvolutionLayouts layouts)
      : builder(builder), loc(op.getLoc()), op(transposed), layouts(layouts),
        weights(op.getWeights(), /*isTransposed=*/true, transposed.sizes,
                layouts),
        bias(buildBias(builder, loc, op.getBias(), layouts.out)),
        elementType(getElementTypeOrSelf(op.getType())) {
    for (auto [along, axis] : llvm::zip(phases, transposed.axes)) {
      along = axis.getPhases();
    }
  }

  /// The result in the engine's form, of images or of so many volumes.
  Value build(Value value, int64_t volumes);

private:
  Value buildVolume(Value blocked);
  /// What a phase reads for this many images, rows and columns of its result,
  /// where the kernel has its element `tap` of depth.
  Value buildInput(const PhaseIn3D &phase, int64_t tap,
                   ArrayRef<OpFoldResult> outputs);
  Value buildPhase(const PhaseIn3D &phase);
  /// size * factor + surplus, but not less than none.
  OpFoldResult scale(OpFoldResult size, int64_t factor, int64_t surplus);
  /// A destination for these many images, rows and columns.
  Value buildInit(ArrayRef<OpFoldResult> sizes);
  /// What an output is where the kernel reaches none: the bias.
  Value buildUnreached(Value init);

  OpBuilder &builder;
  Location loc;
  const TransposedConvolution &op;
  ConvolutionLayouts layouts;
  FloatWeights weights;
  Value bias;
  Type elementType;
  std::array<SmallVector<TransposedPhase>, 3> phases;
  /// Packed weights by the first taps, as volumes share them.
  std::map<std::array<int64_t, 3>, Value> parts;
  /// The images, rows and columns of a volume.
  MixedSizes inputSizes;
  /// The volume with the zeroes that any of the phases reads.
  Value padded;
  std::array<int64_t, 3> padsBegin = {0, 0, 0}, padsEnd = {0, 0, 0};
};

/// The dimensions of a blocked value that are depth, rows and columns.
constexpr std::array<size_t, 3> kAxisDims = {0, 2, 3};

} // namespace

OpFoldResult PhaseBuilder::scale(OpFoldResult size, int64_t factor,
                                 int64_t surplus) {
  AffineExpr scaled = builder.getAffineDimExpr(0) * factor + surplus;
  if (surplus >= 0) {
    return affine::makeComposedFoldedAffineApply(builder, loc, scaled, {size});
  }
  AffineMap map = AffineMap::get(
      1, 0, {scaled, builder.getAffineConstantExpr(0)}, builder.getContext());
  return affine::makeComposedFoldedAffineMax(builder, loc, map, {size});
}

Value PhaseBuilder::buildInit(ArrayRef<OpFoldResult> sizes) {
  return buildBlockedEmpty(
      builder, loc,
      {sizes[0], builder.getIndexAttr(op.sizes.outputs), sizes[1], sizes[2]},
      layouts.out, elementType);
}

Value PhaseBuilder::buildInput(const PhaseIn3D &phase, int64_t tap,
                               ArrayRef<OpFoldResult> outputs) {
  MixedSizes offsets(5, builder.getIndexAttr(0));
  MixedSizes strides(5, builder.getIndexAttr(1));
  MixedSizes sizes = getMixedSizes(builder, loc, padded);
  bool isWhole = true;
  for (auto [i, dim] : llvm::enumerate(kAxisDims)) {
    isWhole &=
        phase[i].padsBegin == padsBegin[i] && phase[i].padsEnd == padsEnd[i];
    offsets[dim] = builder.getIndexAttr(padsBegin[i] - phase[i].padsBegin);
    sizes[dim] =
        scale(outputs[i], 1, (phase[i].taps - 1) * op.axes[i].getReach());
  }
  if (phase[0].taps > 1) {
    isWhole = false;
    offsets[0] = builder.getIndexAttr(padsBegin[0] - phase[0].padsBegin +
                                      tap * op.axes[0].getReach());
    sizes[0] = outputs[0];
  }
  return isWhole ? padded
                 : tensor::ExtractSliceOp::create(builder, loc, padded, offsets,
                                                  sizes, strides)
                       .getResult();
}

Value PhaseBuilder::buildPhase(const PhaseIn3D &phase) {
  MixedSizes outputs;
  KernelPart part;
  for (size_t i : {0, 1, 2}) {
    outputs.push_back(scale(inputSizes[i], 1, phase[i].surplus));
    int64_t step = op.axes[i].getStep();
    part[i] = {phase[i].tap + (phase[i].taps - 1) * step, phase[i].taps, -step};
  }
  Value sum;
  KernelTaps depths = part[0];
  for (int64_t tap = 0; tap < depths.count; ++tap) {
    part[0] = {depths.first + tap * depths.step};
    Value &packed = parts[{part[0].first, part[1].first, part[2].first}];
    if (!packed) {
      packed = weights.pack(builder, loc, part);
    }
    FloatConvolution conv{op.sizes, layouts, packed, sum ? Value() : bias};
    conv.dilations = {op.axes[1].getReach(), op.axes[2].getReach()};
    conv.residual = sum;
    Value input = buildInput(phase, tap, outputs);
    sum = buildConvolution(builder, loc, conv, input, buildInit(outputs));
  }
  return sum;
}

Value PhaseBuilder::buildUnreached(Value init) {
  if (bias) {
    return linalg::BroadcastOp::create(builder, loc, bias, init,
                                       ArrayRef<int64_t>{0, 2, 3})
        ->getResult(0);
  }
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
  return linalg::FillOp::create(builder, loc, zero, init).getResult(0);
}

Value PhaseBuilder::buildVolume(Value blocked) {
  padded = buildPaddedVolume(builder, loc, blocked, padsBegin[0], padsEnd[0]);
  if (llvm::all_of(op.axes, [](const TransposedAxis &axis) {
        return axis.stride == 1;
      })) {
    return buildPhase(
        {phases[0].front(), phases[1].front(), phases[2].front()});
  }
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  MixedSizes sizes, offsets(5, zero), strides(5, one);
  bool isReached = true;
  for (auto [i, dim] : llvm::enumerate(kAxisDims)) {
    const TransposedAxis &axis = op.axes[i];
    sizes.push_back(scale(inputSizes[i], axis.stride, axis.surplus));
    strides[dim] = builder.getIndexAttr(axis.stride);
    isReached &= llvm::all_of(
        phases[i], [](const TransposedPhase &phase) { return phase.taps > 0; });
  }
  Value joined = buildInit(sizes);
  if (!isReached) {
    joined = buildUnreached(joined);
  }
  for (const TransposedPhase &images : phases[0]) {
    for (const TransposedPhase &rows : phases[1]) {
      for (const TransposedPhase &columns : phases[2]) {
        PhaseIn3D phase = {images, rows, columns};
        if (llvm::any_of(
                phase, [](const TransposedPhase &p) { return p.taps == 0; })) {
          continue;
        }
        Value part = buildPhase(phase);
        for (auto [i, dim] : llvm::enumerate(kAxisDims)) {
          offsets[dim] = builder.getIndexAttr(phase[i].first);
        }
        joined = tensor::InsertSliceOp::create(
            builder, loc, part, joined, offsets,
            getMixedSizes(builder, loc, part), strides);
      }
    }
  }
  return joined;
}

Value PhaseBuilder::build(Value value, int64_t volumes) {
  for (size_t i : {0, 1, 2}) {
    for (const TransposedPhase &phase : phases[i]) {
      padsBegin[i] = std::max(padsBegin[i], phase.padsBegin);
      padsEnd[i] = std::max(padsEnd[i], phase.padsEnd);
    }
  }
  MixedSizes sizes = getImageSizes(builder, loc, value);
  inputSizes = {sizes[0], sizes[2], sizes[3]};
  if (volumes > 1) {
    inputSizes[0] = builder.getIndexAttr(op.axes[0].input);
  }
  Padding padding;
  padding.sizes = {padsBegin[1], padsBegin[2], padsEnd[1], padsEnd[2]};
  Value blocked = buildBlocked(builder, loc, value, layouts.in, padding);
  return forEachVolume(builder, loc, blocked, volumes,
                       [&](Value volume) { return buildVolume(volume); });
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

namespace {

struct ConvTransposeToVPU final : VPUPattern<IE::ConvTransposeOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConvTransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageType(arch, op.getOutput());
    if (!type || !getImageType(arch, op.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and volumes or those of an NPU of known size");
    }
    if (!canPack(arch, op.getWeights(), op.getBias())) {
      return rewriter.notifyMatchFailure(
          op, "needs weights and bias of known sizes, and on an NPU constants");
    }
    std::optional<TransposedConvolution> transposed = getTransposed(op);
    if (!transposed) {
      return rewriter.notifyMatchFailure(
          op, "needs known padding that is not negative");
    }
    auto weights = cast<ShapedType>(op.getWeights().getType());
    int64_t window =
        ShapedType::getNumElements(weights.getShape().drop_front(2));
    if (!canHoldPacked(arch, transposed->sizes, window,
                       type.getElementType())) {
      return rewriter.notifyMatchFailure(
          op, "memory has no room for its packed weights");
    }
    VPU::Algorithm algorithm = VPU::getAlgorithm(op);
    if (algorithm == VPU::Algorithm::software) {
      return rewriter.notifyMatchFailure(
          op, "was decided to be a software kernel: algorithm = software");
    }
    if (algorithm == VPU::Algorithm::phasesAsChannels) {
      replaceByPhasesAsChannels(rewriter, op, *transposed);
      return success();
    }
    bool areVolumes = type.getRank() == 5;
    int64_t volumes = areVolumes ? type.getDimSize(0) : 1;
    if (areVolumes && volumes * countOps(*transposed) > kMaxVolumeOps) {
      return rewriter.notifyMatchFailure(
          op, "its volumes and the phases of its kernel are too many");
    }
    ConvolutionLayouts layouts =
        chooseLayouts(arch, op.getInput(), op.getOutput(), transposed->sizes);
    Value result = PhaseBuilder(rewriter, op, *transposed, layouts)
                       .build(op.getInput(), volumes);
    replaceByImage(rewriter, op, {result, layouts.out},
                   transposed->sizes.outputs);
    return success();
  }
};

} // namespace

void nacre::populateConvTransposeToVPUPatterns(VPU::ArchAttr arch,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvTransposeToVPU>(arch, patterns.getContext());
}
