//===- ConvTranspose.cpp - Lower transposed convolutions to the engine ----===//
//
// The outputs that are a stride apart are a convolution of the input by every
// stride-th element of the mirrored kernel. Each such phase is an op of the
// engine that writes its pixels between those of the others, in place, and
// multiplies no zeroes. Where output channels are too few to fill a vector, or
// phases too many, a single convolution has the phases as channels, which
// DepthToSpace spreads out.
//
//===----------------------------------------------------------------------===//

#include "Volume.h"
#include "Weights.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>
#include <map>
#include <numeric>

using namespace mlir;
using namespace nacre;

namespace {

/// Along one dimension, the outputs `first`, `first` + stride, …: a convolution
/// by the kernel's elements from `tap` on.
struct Phase {
  int64_t first;
  int64_t tap;
  int64_t taps; // none where the stride leaps over the kernel
  /// Zeroes around the input; negative where its edge is not read.
  int64_t padsBegin, padsEnd;
  /// How many outputs there are more than inputs; negative for fewer.
  int64_t surplus;
};

/// A transposed convolution along one dimension.
struct Axis {
  int64_t input, output; // dynamic where a run decides
  int64_t kernel, stride, dilation, padsBegin;
  /// How many outputs there are more than `stride` for each input.
  int64_t surplus;

  /// The distance of one phase's elements in the kernel, and in the input.
  int64_t getStep() const { return stride / std::gcd(stride, dilation); }
  int64_t getReach() const { return dilation / std::gcd(stride, dilation); }

  SmallVector<Phase> getPhases() const;
};

/// A transposed convolution in the engine's terms: depth, rows, columns. Images
/// without depth are each their own.
struct Transposed {
  std::array<Axis, 3> axes;
  ConvolutionSizes sizes;
};

/// A phase along each axis.
using PhaseIn3D = std::array<Phase, 3>;

} // namespace

SmallVector<Phase> Axis::getPhases() const {
  SmallVector<Phase> phases;
  for (int64_t first = 0; first < stride; ++first) {
    Phase phase{first, 0, 0, 0, 0, 0};
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

/// The op in the engine's terms; nothing where a run decides about its padding
/// or it has more than three spatial dimensions.
static std::optional<Transposed> getTransposed(IE::ConvTransposeOp op) {
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
  Transposed result;
  auto groups = static_cast<int64_t>(op.getGroup());
  result.sizes = {weights.getDimSize(0), weights.getDimSize(1) * groups,
                  groups};
  bool isSame = op.getAutoPad().starts_with("SAME");
  Axis &images = result.axes[0];
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
    Axis &axis = result.axes[i + 1];
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
static int64_t countOps(const Transposed &op) {
  int64_t count = 0;
  for (const Phase &phase : op.axes[0].getPhases()) {
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
               const Transposed &transposed, ConvolutionLayouts layouts)
      : builder(builder), loc(op.getLoc()), op(transposed), layouts(layouts),
        weights(op.getWeights(), /*isTransposed=*/true, transposed.sizes,
                layouts),
        bias(buildBias(builder, loc, op.getBias(), layouts.out)) {
    for (auto [along, axis] : llvm::zip(phases, transposed.axes)) {
      along = axis.getPhases();
    }
  }

  /// The result in the engine's form, of images or of so many volumes.
  Value build(Value image, int64_t volumes);

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
  const Transposed &op;
  ConvolutionLayouts layouts;
  FloatWeights weights;
  Value bias;
  std::array<SmallVector<Phase>, 3> phases;
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
      layouts.out, builder.getF32Type());
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
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  return linalg::FillOp::create(builder, loc, zero, init).getResult(0);
}

Value PhaseBuilder::buildVolume(Value blocked) {
  padded = buildPaddedVolume(builder, loc, blocked, padsBegin[0], padsEnd[0]);
  if (llvm::all_of(op.axes,
                   [](const Axis &axis) { return axis.stride == 1; })) {
    return buildPhase(
        {phases[0].front(), phases[1].front(), phases[2].front()});
  }
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  MixedSizes sizes, offsets(5, zero), strides(5, one);
  bool isReached = true;
  for (auto [i, dim] : llvm::enumerate(kAxisDims)) {
    const Axis &axis = op.axes[i];
    sizes.push_back(scale(inputSizes[i], axis.stride, axis.surplus));
    strides[dim] = builder.getIndexAttr(axis.stride);
    isReached &= llvm::all_of(
        phases[i], [](const Phase &phase) { return phase.taps > 0; });
  }
  Value joined = buildInit(sizes);
  if (!isReached) {
    joined = buildUnreached(joined);
  }
  for (const Phase &images : phases[0]) {
    for (const Phase &rows : phases[1]) {
      for (const Phase &columns : phases[2]) {
        PhaseIn3D phase = {images, rows, columns};
        if (llvm::any_of(phase, [](const Phase &p) { return p.taps == 0; })) {
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

Value PhaseBuilder::build(Value image, int64_t volumes) {
  for (size_t i : {0, 1, 2}) {
    for (const Phase &phase : phases[i]) {
      padsBegin[i] = std::max(padsBegin[i], phase.padsBegin);
      padsEnd[i] = std::max(padsEnd[i], phase.padsEnd);
    }
  }
  MixedSizes sizes = getMixedSizes(builder, loc, image);
  inputSizes = {sizes[0], sizes[2], sizes[3]};
  if (volumes > 1) {
    inputSizes[0] = builder.getIndexAttr(op.axes[0].input);
  }
  Padding padding;
  padding.sizes = {padsBegin[1], padsBegin[2], padsEnd[1], padsEnd[2]};
  Value blocked = buildBlocked(builder, loc, image, layouts.in, padding);
  return forEachVolume(builder, loc, blocked, volumes,
                       [&](Value volume) { return buildVolume(volume); });
}

//===----------------------------------------------------------------------===//
// Phases as channels
//===----------------------------------------------------------------------===//

/// The vectors that are multiplied and added for each input pixel by a
/// convolution for `outputs` output channels.
static int64_t countVectors(const ConvolutionSizes &sizes, int64_t lanes,
                            int64_t outputs) {
  if (sizes.inputs == sizes.groups && outputs == sizes.groups) {
    return llvm::divideCeilSigned(outputs, lanes); // depthwise
  }
  return sizes.inputs * llvm::divideCeilSigned(outputs / sizes.groups, lanes);
}

/// True where one convolution for all phases is faster than one for each. A
/// phase with a shorter kernel than others is filled with zeroes then.
static bool hasPhasesAsChannels(const Transposed &op, int64_t lanes) {
  const auto &[images, rows, columns] = op.axes;
  if (rows.stride != columns.stride || rows.stride == 1 || rows.dilation != 1 ||
      columns.dilation != 1) {
    return false;
  }
  auto countPhases = [](const Axis &axis) {
    return std::min(axis.stride, axis.kernel);
  };
  auto countTaps = [](const Axis &axis) {
    return llvm::divideCeilSigned(axis.kernel, axis.stride);
  };
  int64_t apart = rows.kernel * columns.kernel *
                  countVectors(op.sizes, lanes, op.sizes.outputs);
  int64_t together =
      countTaps(rows) * countTaps(columns) *
      countVectors(op.sizes, lanes,
                   op.sizes.outputs * rows.stride * columns.stride);
  // Spreading the channels out takes time, too.
  if (2 * together <= apart) {
    return true;
  }
  // Each op costs code, and time to distribute it.
  constexpr int64_t kManyPhases = 16;
  bool areMany = countPhases(rows) * countPhases(columns) > kManyPhases;
  return areMany && together < 2 * apart;
}

namespace {

/// A convolution, DepthToSpace, and a Slice of what is not cropped.
class DepthBuilder {
public:
  DepthBuilder(PatternRewriter &rewriter, IE::ConvTransposeOp op,
               const Transposed &transposed)
      : rewriter(rewriter), loc(op.getLoc()), op(op), transposed(transposed),
        weights(op.getWeights()), bias(op.getBias()),
        stride(transposed.axes[1].stride) {}

  void replace();

private:
  float getWeight(int64_t input, int64_t output, int64_t row,
                  int64_t column) const {
    int64_t perGroup = transposed.sizes.getOutputsPerGroup();
    int64_t pair = input * perGroup + output % perGroup;
    const auto &[images, rows, columns] = transposed.axes;
    return weights.get()[(pair * rows.kernel + row) * columns.kernel + column];
  }
  /// The number of the convolution's outputs beyond its inputs.
  static int64_t getSurplus(const Axis &axis) {
    return std::max<int64_t>(
        llvm::divideCeilSigned(axis.surplus + axis.padsBegin, axis.stride), 0);
  }
  static int64_t getTaps(const Axis &axis) {
    return llvm::divideCeilSigned(axis.kernel, axis.stride);
  }
  Value buildWeights();
  Value buildRunTimeWeights();
  Value buildBias();
  Value buildCrop(Value value);

  PatternRewriter &rewriter;
  Location loc;
  IE::ConvTransposeOp op;
  const Transposed &transposed;
  ConstantFloats weights, bias;
  int64_t stride;
};

} // namespace

/// Weights (M * stride * stride, C / groups, taps, taps).
Value DepthBuilder::buildWeights() {
  if (!weights) {
    return buildRunTimeWeights();
  }
  const auto &[images, rows, columns] = transposed.axes;
  int64_t inputsPerGroup = transposed.sizes.getInputsPerGroup();
  SmallVector<int64_t> shape = {transposed.sizes.outputs * stride * stride,
                                inputsPerGroup, getTaps(rows),
                                getTaps(columns)};
  std::vector<float> values;
  values.reserve(ShapedType::getNumElements(shape));
  for (int64_t channel = 0; channel < shape[0]; ++channel) {
    int64_t m = channel / (stride * stride);
    int64_t first = m / transposed.sizes.getOutputsPerGroup() * inputsPerGroup;
    int64_t phaseRow = channel / stride % stride,
            phaseColumn = channel % stride;
    for (int64_t c = first; c < first + inputsPerGroup; ++c) {
      for (int64_t i = shape[2]; i-- > 0;) {
        for (int64_t j = shape[3]; j-- > 0;) {
          int64_t row = phaseRow + i * stride,
                  column = phaseColumn + j * stride;
          bool isInside = row < rows.kernel && column < columns.kernel;
          values.push_back(isInside ? getWeight(c, m, row, column) : 0.0f);
        }
      }
    }
  }
  return buildConstant(rewriter, loc, shape, std::move(values));
}

/// The same of weights that a run computes.
Value DepthBuilder::buildRunTimeWeights() {
  const auto &[images, rows, columns] = transposed.axes;
  const ConvolutionSizes &sizes = transposed.sizes;
  int64_t inputs = sizes.getInputsPerGroup();
  int64_t outputs = sizes.getOutputsPerGroup();
  SmallVector<int64_t> kernel = {sizes.groups, inputs, outputs, rows.kernel,
                                 columns.kernel};
  SmallVector<int64_t> filled(kernel);
  filled[3] = getTaps(rows) * stride;
  filled[4] = getTaps(columns) * stride;
  Value source = buildReshape(rewriter, loc, op.getWeights(), kernel);
  if (filled != kernel) {
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getF32FloatAttr(0.0f));
    Value init = buildEmpty(rewriter, loc, filled, rewriter.getF32Type());
    Value zeroes =
        linalg::FillOp::create(rewriter, loc, zero, init).getResult(0);
    MixedSizes offsets(5, rewriter.getIndexAttr(0));
    MixedSizes strides(5, rewriter.getIndexAttr(1));
    source = tensor::InsertSliceOp::create(
        rewriter, loc, source, zeroes, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), kernel), strides);
  }
  SmallVector<int64_t> shape = {sizes.groups,    outputs, stride,
                                stride,          inputs,  getTaps(rows),
                                getTaps(columns)};
  SmallVector<AffineExpr> d(shape.size());
  bindDimsList(rewriter.getContext(), MutableArrayRef(d));
  Value phases = buildGather(
      rewriter, loc, source, shape,
      {d[0], d[4], d[1], d[2] - d[5] * stride + (getTaps(rows) - 1) * stride,
       d[3] - d[6] * stride + (getTaps(columns) - 1) * stride});
  return buildReshape(rewriter, loc, phases,
                      {sizes.outputs * stride * stride, inputs, getTaps(rows),
                       getTaps(columns)});
}

Value DepthBuilder::buildBias() {
  if (!op.getBias()) {
    return {};
  }
  if (!bias) {
    Value init =
        buildEmpty(rewriter, loc, {transposed.sizes.outputs, stride * stride},
                   rewriter.getF32Type());
    Value repeated = linalg::BroadcastOp::create(rewriter, loc, op.getBias(),
                                                 init, ArrayRef<int64_t>{1})
                         ->getResult(0);
    return buildReshape(rewriter, loc, repeated,
                        {transposed.sizes.outputs * stride * stride});
  }
  SmallVector<float> values;
  for (float value : bias.get()) {
    values.append(stride * stride, value);
  }
  return buildConstant(rewriter, loc, {static_cast<int64_t>(values.size())},
                       ArrayRef<float>(values));
}

Value DepthBuilder::buildCrop(Value value) {
  SmallVector<int64_t> starts, ends;
  for (const Axis &axis : ArrayRef(transposed.axes).drop_front()) {
    starts.push_back(axis.padsBegin);
    int64_t rest = stride * getSurplus(axis) - axis.surplus - axis.padsBegin;
    ends.push_back(rest == 0 ? std::numeric_limits<int64_t>::max() : -rest);
  }
  auto build = [&](ArrayRef<int64_t> numbers) {
    auto type = RankedTensorType::get({2}, rewriter.getI64Type());
    return arith::ConstantOp::create(rewriter, loc,
                                     DenseElementsAttr::get(type, numbers));
  };
  return IE::SliceOp::create(rewriter, loc, op.getOutput().getType(), value,
                             build(starts), build(ends), build({2, 3}),
                             /*steps=*/Value());
}

void DepthBuilder::replace() {
  const auto &[images, rows, columns] = transposed.axes;
  SmallVector<int64_t> pads = {getTaps(rows) - 1, getTaps(columns) - 1,
                               getSurplus(rows), getSurplus(columns)};
  DenseI64ArrayAttr none;
  Value phaseWeights = buildWeights(), phaseBias = buildBias();
  Value phases = IE::ConvOp::create(
      rewriter, loc, op.getInput(), phaseWeights, phaseBias,
      rewriter.getStringAttr("NOTSET"), /*dilations=*/none, op.getGroupAttr(),
      /*kernel_shape=*/none, rewriter.getDenseI64ArrayAttr(pads),
      /*strides=*/none);
  Value spread = IE::DepthToSpaceOp::create(rewriter, loc, phases, stride,
                                            rewriter.getStringAttr("CRD"));
  rewriter.replaceOp(op, buildCrop(spread));
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

/// True where groups of few output channels leave more of each vector empty
/// than a software kernel multiplies zeroes, with which it spreads the input.
static bool wastesVectors(const Transposed &op, int64_t lanes) {
  if (op.sizes.groups == 1 || op.sizes.isDepthwise()) {
    return false;
  }
  int64_t used = op.sizes.getOutputsPerGroup(), spread = 1;
  for (const Axis &axis : op.axes) {
    spread *= axis.stride;
  }
  // What the engine is faster by where it fills its vectors.
  constexpr int64_t kGain = 4;
  return llvm::divideCeilSigned(used, lanes) * lanes > kGain * used * spread;
}

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
    std::optional<Transposed> transposed = getTransposed(op);
    if (!transposed) {
      return rewriter.notifyMatchFailure(
          op, "needs known padding that is not negative");
    }
    if (wastesVectors(*transposed, arch.getLanes())) {
      return rewriter.notifyMatchFailure(
          op, "has groups that would leave most of each vector empty");
    }
    if (type.getRank() == 4 &&
        hasPhasesAsChannels(*transposed, arch.getLanes())) {
      DepthBuilder(rewriter, op, *transposed).replace();
      return success();
    }
    bool areVolumes = type.getRank() == 5;
    int64_t volumes = areVolumes ? type.getDimSize(0) : 1;
    if (areVolumes && volumes * countOps(*transposed) > kMaxVolumeOps) {
      return rewriter.notifyMatchFailure(
          op, "its volumes and the phases of its kernel are too many");
    }
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    ConvolutionLayouts layouts =
        chooseLayouts(arch, image, op.getOutput(), transposed->sizes);
    Value result =
        PhaseBuilder(rewriter, op, *transposed, layouts).build(image, volumes);
    Value logical = buildUnblocked(rewriter, loc, {result, layouts.out},
                                   transposed->sizes.outputs);
    rewriter.replaceOp(op, buildFromImage(rewriter, loc, logical, type));
    return success();
  }
};

} // namespace

void nacre::populateConvTransposeToVPUPatterns(VPU::ArchAttr arch,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvTransposeToVPU>(arch, patterns.getContext());
}
