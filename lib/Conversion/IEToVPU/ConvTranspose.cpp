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

#include "Convolution.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>
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

/// A transposed convolution in the engine's terms: rows, then columns.
struct Transposed {
  std::array<Axis, 2> axes;
  int64_t inputs, outputs, groups;
  ArrayRef<float> weights; // (C, M / groups, KH, KW)
  ArrayRef<float> bias;

  int64_t getOutputsPerGroup() const { return outputs / groups; }
  bool isDepthwise() const { return inputs == groups && outputs == groups; }
  float getWeight(int64_t input, int64_t output, int64_t row,
                  int64_t column) const {
    int64_t perGroup = getOutputsPerGroup();
    return weights[((input * perGroup + output % perGroup) * axes[0].kernel +
                    row) *
                       axes[1].kernel +
                   column];
  }
};

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

/// The op in the engine's terms, without its constants; nothing where a run
/// decides about its padding or it has other than one or two spatial
/// dimensions.
static std::optional<Transposed> getTransposed(IE::ConvTransposeOp op) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window) ||
      llvm::any_of(window->padsBegin, ShapedType::isDynamic)) {
    return std::nullopt;
  }
  std::optional<Window2D> flat = Window2D::get(*window, /*autoPad=*/"");
  if (!flat) {
    return std::nullopt;
  }
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  ArrayRef<int64_t> spatial = input.getShape().drop_front(2);
  ArrayRef<int64_t> extra = op.getOutputPadding().value_or(ArrayRef<int64_t>());
  Transposed result;
  result.inputs = weights.getDimSize(0);
  result.groups = static_cast<int64_t>(op.getGroup());
  result.outputs = weights.getDimSize(1) * result.groups;
  bool isSame = op.getAutoPad().starts_with("SAME");
  for (size_t i : {0, 1}) {
    int64_t dim = static_cast<int64_t>(i + spatial.size()) - 2;
    Axis &axis = result.axes[i];
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

//===----------------------------------------------------------------------===//
// Phase by phase
//===----------------------------------------------------------------------===//

/// The weights of a phase as those of a convolution, (M, C / groups, …).
static std::vector<float>
getPhaseWeights(const Transposed &op, const Phase &rows, const Phase &columns) {
  int64_t inputsPerGroup = op.inputs / op.groups;
  std::vector<float> result;
  result.reserve(op.outputs * inputsPerGroup * rows.taps * columns.taps);
  for (int64_t m = 0; m < op.outputs; ++m) {
    int64_t first = m / op.getOutputsPerGroup() * inputsPerGroup;
    for (int64_t c = first; c < first + inputsPerGroup; ++c) {
      for (int64_t row = rows.taps; row-- > 0;) {
        for (int64_t column = columns.taps; column-- > 0;) {
          result.push_back(
              op.getWeight(c, m, rows.tap + row * op.axes[0].getStep(),
                           columns.tap + column * op.axes[1].getStep()));
        }
      }
    }
  }
  return result;
}

namespace {

/// Builds the phases of one op.
class PhaseBuilder {
public:
  PhaseBuilder(OpBuilder &builder, Location loc, const Transposed &op,
               ConvolutionLayouts layouts)
      : builder(builder), loc(loc), op(op), layouts(layouts),
        phases{op.axes[0].getPhases(), op.axes[1].getPhases()} {}

  /// The result in the engine's form.
  Value build(Value image);

private:
  ConvolutionSizes getSizes(const Phase &rows, const Phase &columns) const {
    return {op.inputs, op.outputs, op.groups, rows.taps, columns.taps};
  }
  /// The image with the zeroes that any of the phases reads.
  void buildPadded(Value image);
  /// What a phase reads for this many rows and columns of its result.
  Value buildInput(const Phase &rows, const Phase &columns,
                   ArrayRef<OpFoldResult> outputs);
  Value buildPhase(const Phase &rows, const Phase &columns, Value bias);
  /// size * factor + surplus, but not less than none.
  OpFoldResult scale(OpFoldResult size, int64_t factor, int64_t surplus);
  OpFoldResult grow(OpFoldResult size, int64_t surplus) {
    return scale(size, 1, surplus);
  }
  /// A destination for an image of these rows and columns.
  Value buildInit(OpFoldResult rows, OpFoldResult columns);
  /// What an output is where the kernel reaches none: the bias.
  Value buildUnreached(Value init, Value bias);

  OpBuilder &builder;
  Location loc;
  const Transposed &op;
  ConvolutionLayouts layouts;
  std::array<SmallVector<Phase>, 2> phases;
  MixedSizes inputSizes;
  Value padded;
  std::array<int64_t, 4> pads = {0, 0, 0, 0};
};

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

Value PhaseBuilder::buildInit(OpFoldResult rows, OpFoldResult columns) {
  return buildBlockedEmpty(
      builder, loc,
      {inputSizes[0], builder.getIndexAttr(op.outputs), rows, columns},
      layouts.out, builder.getF32Type());
}

void PhaseBuilder::buildPadded(Value image) {
  for (size_t i : {0, 1}) {
    for (const Phase &phase : phases[i]) {
      pads[i] = std::max(pads[i], phase.padsBegin);
      pads[i + 2] = std::max(pads[i + 2], phase.padsEnd);
    }
  }
  inputSizes = getMixedSizes(builder, loc, image);
  padded = buildBlocked(builder, loc, image, layouts.in, {pads, 0.0f});
}

Value PhaseBuilder::buildInput(const Phase &rows, const Phase &columns,
                               ArrayRef<OpFoldResult> outputs) {
  MixedSizes offsets(5, builder.getIndexAttr(0));
  MixedSizes strides(5, builder.getIndexAttr(1));
  MixedSizes sizes = getMixedSizes(builder, loc, padded);
  bool isWhole = true;
  for (size_t i : {0, 1}) {
    const Phase &phase = i == 0 ? rows : columns;
    isWhole &= phase.padsBegin == pads[i] && phase.padsEnd == pads[i + 2];
    offsets[i + 2] = builder.getIndexAttr(pads[i] - phase.padsBegin);
    sizes[i + 2] = grow(outputs[i], (phase.taps - 1) * op.axes[i].getReach());
  }
  return isWhole ? padded
                 : tensor::ExtractSliceOp::create(builder, loc, padded, offsets,
                                                  sizes, strides)
                       .getResult();
}

Value PhaseBuilder::buildPhase(const Phase &rows, const Phase &columns,
                               Value bias) {
  MixedSizes outputs = {grow(inputSizes[2], rows.surplus),
                        grow(inputSizes[3], columns.surplus)};
  Value input = buildInput(rows, columns, outputs);
  Value init = buildInit(outputs[0], outputs[1]);
  std::vector<float> weights = getPhaseWeights(op, rows, columns);
  FloatConvolution conv{getSizes(rows, columns), layouts, weights, bias};
  conv.dilations = {op.axes[0].getReach(), op.axes[1].getReach()};
  return buildConvolution(builder, loc, conv, input, init);
}

Value PhaseBuilder::buildUnreached(Value init, Value bias) {
  if (bias) {
    return linalg::BroadcastOp::create(builder, loc, bias, init,
                                       ArrayRef<int64_t>{0, 2, 3})
        ->getResult(0);
  }
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  return linalg::FillOp::create(builder, loc, zero, init).getResult(0);
}

Value PhaseBuilder::build(Value image) {
  buildPadded(image);
  Value bias = buildBias(builder, loc, op.bias, layouts.out);
  bool isSingle = op.axes[0].stride == 1 && op.axes[1].stride == 1;
  if (isSingle) {
    return buildPhase(phases[0].front(), phases[1].front(), bias);
  }
  const auto &[rowAxis, columnAxis] = op.axes;
  Value joined =
      buildInit(scale(inputSizes[2], rowAxis.stride, rowAxis.surplus),
                scale(inputSizes[3], columnAxis.stride, columnAxis.surplus));
  auto isUnreached = [](const Phase &phase) { return phase.taps == 0; };
  if (llvm::any_of(phases[0], isUnreached) ||
      llvm::any_of(phases[1], isUnreached)) {
    joined = buildUnreached(joined, bias);
  }
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  MixedSizes strides = {one, one, builder.getIndexAttr(rowAxis.stride),
                        builder.getIndexAttr(columnAxis.stride), one};
  for (const Phase &rows : phases[0]) {
    for (const Phase &columns : phases[1]) {
      if (isUnreached(rows) || isUnreached(columns)) {
        continue;
      }
      Value part = buildPhase(rows, columns, bias);
      MixedSizes offsets = {zero, zero, builder.getIndexAttr(rows.first),
                            builder.getIndexAttr(columns.first), zero};
      joined = tensor::InsertSliceOp::create(
          builder, loc, part, joined, offsets,
          getMixedSizes(builder, loc, part), strides);
    }
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// Phases as channels
//===----------------------------------------------------------------------===//

/// The vectors that are multiplied and added for each input pixel by a
/// convolution for `outputs` output channels.
static int64_t countVectors(const Transposed &op, int64_t lanes,
                            int64_t outputs) {
  if (op.inputs == op.groups && outputs == op.groups) {
    return llvm::divideCeilSigned(outputs, lanes); // depthwise
  }
  return op.inputs * llvm::divideCeilSigned(outputs / op.groups, lanes);
}

/// True where one convolution for all phases is faster than one for each. A
/// phase with a shorter kernel than others is filled with zeroes then.
static bool hasPhasesAsChannels(const Transposed &op, int64_t lanes) {
  const auto &[rows, columns] = op.axes;
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
  int64_t apart =
      rows.kernel * columns.kernel * countVectors(op, lanes, op.outputs);
  int64_t together =
      countTaps(rows) * countTaps(columns) *
      countVectors(op, lanes, op.outputs * rows.stride * columns.stride);
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
        stride(transposed.axes[0].stride) {}

  void replace();

private:
  /// The number of the convolution's outputs beyond its inputs.
  static int64_t getSurplus(const Axis &axis) {
    return std::max<int64_t>(
        llvm::divideCeilSigned(axis.surplus + axis.padsBegin, axis.stride), 0);
  }
  static int64_t getTaps(const Axis &axis) {
    return llvm::divideCeilSigned(axis.kernel, axis.stride);
  }
  Value buildWeights();
  Value buildBias();
  Value buildCrop(Value value);

  PatternRewriter &rewriter;
  Location loc;
  IE::ConvTransposeOp op;
  const Transposed &transposed;
  int64_t stride;
};

} // namespace

/// Weights (M * stride * stride, C / groups, taps, taps).
Value DepthBuilder::buildWeights() {
  const auto &[rows, columns] = transposed.axes;
  int64_t inputsPerGroup = transposed.inputs / transposed.groups;
  SmallVector<int64_t> shape = {transposed.outputs * stride * stride,
                                inputsPerGroup, getTaps(rows),
                                getTaps(columns)};
  std::vector<float> weights;
  weights.reserve(ShapedType::getNumElements(shape));
  for (int64_t channel = 0; channel < shape[0]; ++channel) {
    int64_t m = channel / (stride * stride);
    int64_t first = m / transposed.getOutputsPerGroup() * inputsPerGroup;
    int64_t phaseRow = channel / stride % stride,
            phaseColumn = channel % stride;
    for (int64_t c = first; c < first + inputsPerGroup; ++c) {
      for (int64_t i = shape[2]; i-- > 0;) {
        for (int64_t j = shape[3]; j-- > 0;) {
          int64_t row = phaseRow + i * stride,
                  column = phaseColumn + j * stride;
          bool isInside = row < rows.kernel && column < columns.kernel;
          weights.push_back(isInside ? transposed.getWeight(c, m, row, column)
                                     : 0.0f);
        }
      }
    }
  }
  return buildConstant(rewriter, loc, shape, std::move(weights));
}

Value DepthBuilder::buildBias() {
  if (transposed.bias.empty()) {
    return {};
  }
  SmallVector<float> bias;
  for (float value : transposed.bias) {
    bias.append(stride * stride, value);
  }
  return buildConstant(rewriter, loc, {static_cast<int64_t>(bias.size())},
                       ArrayRef<float>(bias));
}

Value DepthBuilder::buildCrop(Value value) {
  SmallVector<int64_t> starts, ends;
  for (const Axis &axis : transposed.axes) {
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
  const auto &[rows, columns] = transposed.axes;
  SmallVector<int64_t> pads = {getTaps(rows) - 1, getTaps(columns) - 1,
                               getSurplus(rows), getSurplus(columns)};
  Value weights = buildWeights(), bias = buildBias();
  DenseI64ArrayAttr none;
  Value phases = IE::ConvOp::create(
      rewriter, loc, op.getInput(), weights, bias,
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
  if (op.groups == 1 || op.isDepthwise()) {
    return false;
  }
  int64_t used = op.getOutputsPerGroup();
  int64_t spread = op.axes[0].stride * op.axes[1].stride;
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
              "engine, and on an NPU of known size");
    }
    ConstantFloats weights(op.getWeights());
    ConstantFloats bias(op.getBias());
    if (!weights || (op.getBias() && !bias)) {
      return rewriter.notifyMatchFailure(op, "needs constant weights and bias");
    }
    std::optional<Transposed> transposed = getTransposed(op);
    if (!transposed) {
      return rewriter.notifyMatchFailure(
          op, "needs one or two spatial dimensions of known padding");
    }
    if (wastesVectors(*transposed, arch.getLanes())) {
      return rewriter.notifyMatchFailure(
          op, "has groups that would leave most of each vector empty");
    }
    transposed->weights = weights.get();
    transposed->bias = bias.get();
    if (type.getRank() == 4 &&
        hasPhasesAsChannels(*transposed, arch.getLanes())) {
      DepthBuilder(rewriter, op, *transposed).replace();
      return success();
    }
    Location loc = op.getLoc();
    Value image = buildImage(rewriter, loc, op.getInput());
    ConvolutionSizes whole{transposed->inputs, transposed->outputs,
                           transposed->groups, transposed->axes[0].kernel,
                           transposed->axes[1].kernel};
    ConvolutionLayouts layouts =
        chooseLayouts(arch, image, op.getOutput(), whole);
    Value result =
        PhaseBuilder(rewriter, loc, *transposed, layouts).build(image);
    Value logical = buildUnblocked(rewriter, loc, {result, layouts.out},
                                   transposed->outputs);
    rewriter.replaceOp(op, buildFromImage(rewriter, loc, logical, type));
    return success();
  }
};

} // namespace

void nacre::populateConvTransposeToVPUPatterns(VPU::ArchAttr arch,
                                               RewritePatternSet &patterns) {
  patterns.add<ConvTransposeToVPU>(arch, patterns.getContext());
}
