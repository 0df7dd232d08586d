//===- Weights.cpp - The weights of convolutions --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant weights get their packed form here, and vpu-pack-weights writes it.
// Those that are computed at run time are blocked by output channels once, as
// an image of one row is whose columns are all they are multiplied with, and
// each part of the kernel is gathered from that, whole vectors at a time.
//
//===----------------------------------------------------------------------===//

#include "Weights.h"

#include "nacre/Support/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Part of a kernel of constant weights as that of a convolution,
/// (M, C / groups, …).
template <typename T>
static std::vector<T>
gatherPart(const ConstantFloats &weights, bool isTransposed,
           const ConvolutionSizes &sizes, const std::array<int64_t, 3> &kernel,
           const KernelPart &part) {
  const auto &[depths, rows, columns] = part;
  int64_t inputsPerGroup = sizes.getInputsPerGroup();
  int64_t outputsPerGroup = sizes.getOutputsPerGroup();
  std::vector<T> result;
  result.reserve(sizes.outputs * inputsPerGroup * depths.count * rows.count *
                 columns.count);
  for (int64_t m = 0; m < sizes.outputs; ++m) {
    for (int64_t i = 0; i < inputsPerGroup; ++i) {
      int64_t input = m / outputsPerGroup * inputsPerGroup + i;
      int64_t pair = isTransposed
                         ? input * outputsPerGroup + m % outputsPerGroup
                         : m * inputsPerGroup + i;
      for (int64_t d = 0; d < depths.count; ++d) {
        int64_t plane = pair * kernel[0] + depths.first + d * depths.step;
        for (int64_t r = 0; r < rows.count; ++r) {
          int64_t row = plane * kernel[1] + rows.first + r * rows.step;
          for (int64_t c = 0; c < columns.count; ++c) {
            result.push_back(static_cast<T>(
                weights[row * kernel[2] + columns.first + c * columns.step]));
          }
        }
      }
    }
  }
  return result;
}

/// True for a part that is all of a kernel.
static bool isWhole(const KernelPart &part,
                    const std::array<int64_t, 3> &kernel) {
  return llvm::all_of(llvm::zip(part, kernel), [](auto pair) {
    auto [taps, size] = pair;
    return taps.count == size && (size == 1 || taps.step == 1);
  });
}

VPU::WeightPacking FloatWeights::getPacking() const {
  VPU::WeightPacking packing;
  packing.outputWidth = layouts.out.width;
  packing.outputGroups = layouts.out.groups;
  if (sizes.isDepthwise()) {
    packing.form = VPU::WeightForm::DEPTHWISE;
  } else if (layouts.sharesBlocks) {
    packing.form = VPU::WeightForm::GROUPED;
  } else {
    packing.inputWidth = layouts.in.width;
    packing.groups = sizes.groups;
    packing.inputGroups = layouts.in.groups;
  }
  return packing;
}

Value FloatWeights::packConstant(OpBuilder &builder, Location loc,
                                 const KernelPart &part) const {
  SmallVector<int64_t> shape = {sizes.outputs, sizes.getInputsPerGroup(),
                                part[1].count, part[2].count};
  Value values = !isTransposed && isWhole(part, kernel)
                     ? buildConstantView(builder, loc, weights, shape)
                     : withFloatType(constant.getElementType(), [&](auto zero) {
                         return buildConstant(
                             builder, loc, shape,
                             gatherPart<decltype(zero)>(constant, isTransposed,
                                                        sizes, kernel, part));
                       });
  return VPU::PackWeightsOp::create(builder, loc, values, getPacking());
}

//===----------------------------------------------------------------------===//
// Run-time weights
//===----------------------------------------------------------------------===//

/// (C, M / groups, kernel) as (M, C / groups, kernel).
static Value swapChannels(OpBuilder &builder, Location loc, Value weights,
                          const ConvolutionSizes &sizes, int64_t window) {
  int64_t inputs = sizes.getInputsPerGroup();
  int64_t outputs = sizes.getOutputsPerGroup();
  Value groups = buildReshape(builder, loc, weights,
                              {sizes.groups, inputs, outputs, window});
  if (inputs != 1 && outputs != 1) {
    Value init =
        buildEmpty(builder, loc, {sizes.groups, outputs, inputs, window},
                   getElementTypeOrSelf(weights.getType()));
    groups = linalg::TransposeOp::create(builder, loc, groups, init,
                                         ArrayRef<int64_t>{0, 2, 1, 3})
                 ->getResult(0);
  }
  return buildReshape(builder, loc, groups, {sizes.outputs, inputs, window});
}

/// What is at `taps` along a loop.
static AffineExpr getPosition(AffineExpr loop, const KernelTaps &taps) {
  return loop * taps.step + taps.first;
}

Value nacre::buildGather(OpBuilder &builder, Location loc, Value source,
                         ArrayRef<int64_t> shape, ArrayRef<AffineExpr> from) {
  MLIRContext *context = builder.getContext();
  auto rank = static_cast<unsigned>(shape.size());
  Value init =
      buildEmpty(builder, loc, shape, getElementTypeOrSelf(source.getType()));
  return linalg::GenericOp::create(
             builder, loc, init.getType(), source, init,
             ArrayRef<AffineMap>{AffineMap::get(rank, 0, from, context),
                                 builder.getMultiDimIdentityMap(rank)},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location nested, ValueRange elements) {
               linalg::YieldOp::create(b, nested, elements.front());
             })
      .getResult(0);
}

Value FloatWeights::packDense(OpBuilder &builder, Location loc,
                              const KernelPart &part) {
  int64_t window = kernel[0] * kernel[1] * kernel[2];
  int64_t blocks = layouts.out.getBlocks(sizes.outputs);
  int64_t width = layouts.out.width;
  int64_t inputBlocks = layouts.in.getBlocks(sizes.inputs) / sizes.groups;
  int64_t inputWidth = layouts.in.width;
  if (!lanes) {
    // Channels that are blocked by other groups than the convolution's are a
    // row for each of them.
    int64_t rows = sizes.groups == 1 ? layouts.in.groups : 1;
    int64_t inputs = sizes.getInputsPerGroup() / rows;
    Padding padding;
    padding.sizes[3] = (inputBlocks / rows * inputWidth - inputs) * window;
    Value image = buildReshape(builder, loc, weights,
                               {1, sizes.outputs, rows, inputs * window});
    lanes = buildReshape(
        builder, loc, buildBlocked(builder, loc, image, layouts.out, padding),
        {blocks, inputBlocks, inputWidth, kernel[0], kernel[1], kernel[2],
         width});
  }
  SmallVector<int64_t> shape = {blocks,        inputBlocks, part[1].count,
                                part[2].count, inputWidth,  width};
  if (window == 1) {
    return buildReshape(builder, loc, lanes, shape);
  }
  SmallVector<AffineExpr> loops(shape.size());
  bindDimsList(builder.getContext(), MutableArrayRef(loops));
  return buildGather(builder, loc, lanes, shape,
                     {loops[0], loops[1], loops[4],
                      builder.getAffineConstantExpr(part[0].first),
                      getPosition(loops[2], part[1]),
                      getPosition(loops[3], part[2]), loops[5]});
}

Value FloatWeights::packDepth(OpBuilder &builder, Location loc,
                              const KernelPart &part) {
  int64_t blocks = layouts.out.getBlocks(sizes.outputs);
  int64_t width = layouts.out.width;
  if (!lanes) {
    Value image =
        buildReshape(builder, loc, weights,
                     {1, sizes.outputs, 1, kernel[0] * kernel[1] * kernel[2]});
    lanes = buildReshape(builder, loc,
                         buildBlocked(builder, loc, image, layouts.out),
                         {blocks, kernel[0], kernel[1], kernel[2], width});
  }
  SmallVector<int64_t> shape = {blocks, part[1].count, part[2].count, width};
  if (isWhole(part, kernel)) {
    return buildReshape(builder, loc, lanes, shape);
  }
  SmallVector<AffineExpr> loops(shape.size());
  bindDimsList(builder.getContext(), MutableArrayRef(loops));
  return buildGather(builder, loc, lanes, shape,
                     {loops[0], builder.getAffineConstantExpr(part[0].first),
                      getPosition(loops[1], part[1]),
                      getPosition(loops[2], part[2]), loops[3]});
}

/// The form GROUPED of VPU.PackWeights at run time.
Value FloatWeights::packGroups(OpBuilder &builder, Location loc,
                               const KernelPart &part) {
  int64_t width = layouts.out.width, size = sizes.getInputsPerGroup();
  Type element = getElementTypeOrSelf(weights.getType());
  Value source =
      buildReshape(builder, loc, weights,
                   {sizes.outputs, size, kernel[0], kernel[1], kernel[2]});
  Value init = buildEmpty(builder, loc,
                          {layouts.out.getBlocks(sizes.outputs), part[1].count,
                           part[2].count, size, width},
                          element);
  constexpr unsigned kRank = 5;
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange(), init,
      ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(kRank)},
      SmallVector<utils::IteratorType>(kRank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location nested, ValueRange) {
        auto index = [&](unsigned dim) -> Value {
          return linalg::IndexOp::create(b, nested, dim);
        };
        auto constant = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(b, nested, value);
        };
        auto position = [&](unsigned dim, const KernelTaps &taps) -> Value {
          Value scaled =
              arith::MulIOp::create(b, nested, index(dim), constant(taps.step));
          return arith::AddIOp::create(b, nested, scaled, constant(taps.first));
        };
        // The lane `distance` away is of the same group, as its size is a power
        // of two.
        Value lane = arith::XOrIOp::create(b, nested, index(4), index(3));
        Value first =
            arith::MulIOp::create(b, nested, index(0), constant(width));
        Value channel = arith::AddIOp::create(b, nested, first, lane);
        Value last = constant(sizes.outputs - 1);
        Value exists = arith::CmpIOp::create(
            b, nested, arith::CmpIPredicate::ule, channel, last);
        Value inGroup =
            arith::RemUIOp::create(b, nested, index(4), constant(size));
        Value found = tensor::ExtractOp::create(
            b, nested, source,
            ValueRange{arith::MinUIOp::create(b, nested, channel, last),
                       inGroup, constant(part[0].first), position(1, part[1]),
                       position(2, part[2])});
        Value zero =
            arith::ConstantOp::create(b, nested, b.getZeroAttr(element));
        linalg::YieldOp::create(
            b, nested,
            arith::SelectOp::create(b, nested, exists, found, zero)
                .getResult());
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// Either
//===----------------------------------------------------------------------===//

FloatWeights::FloatWeights(Value weights, bool isTransposed,
                           const ConvolutionSizes &sizes,
                           ConvolutionLayouts layouts)
    : weights(weights), constant(weights), isTransposed(isTransposed),
      sizes(sizes), layouts(layouts), kernel{1, 1, 1} {
  ArrayRef<int64_t> spatial =
      cast<RankedTensorType>(weights.getType()).getShape().drop_front(2);
  llvm::copy(spatial, kernel.end() - spatial.size());
}

Value FloatWeights::pack(OpBuilder &builder, Location loc,
                         const KernelPart &part) {
  if (constant) {
    return packConstant(builder, loc, part);
  }
  if (isTransposed) {
    weights = swapChannels(builder, loc, weights, sizes,
                           kernel[0] * kernel[1] * kernel[2]);
    isTransposed = false;
  }
  if (sizes.isDepthwise()) {
    return packDepth(builder, loc, part);
  }
  return layouts.sharesBlocks ? packGroups(builder, loc, part)
                              : packDense(builder, loc, part);
}

Value nacre::buildBias(OpBuilder &builder, Location loc, Value bias,
                       BlockedLayout layout) {
  if (!bias) {
    return {};
  }
  if (ConstantFloats constant(bias); constant) {
    return buildPackedBias(builder, loc, constant.getAll<double>(), layout,
                           constant.getElementType());
  }
  int64_t channels = cast<RankedTensorType>(bias.getType()).getDimSize(0);
  Value pixel = buildReshape(builder, loc, bias, {1, channels, 1, 1});
  return buildReshape(builder, loc, buildBlocked(builder, loc, pixel, layout),
                      {layout.getBlocks(channels), layout.width});
}

bool nacre::canHoldPacked(VPU::ArchAttr arch, const ConvolutionSizes &sizes,
                          int64_t depth, Type elementType) {
  // Blocks are no wider than a vector.
  int64_t lanes = arch.getLanes(elementType);
  int64_t inputs = llvm::alignTo(sizes.getInputsPerGroup(), lanes);
  int64_t outputs = llvm::alignTo(sizes.getOutputsPerGroup(), lanes);
  if (sizes.isDepthwise()) {
    inputs = 1;
    outputs = lanes;
  }
  return fitsMemory(countBytes({sizes.groups, inputs, outputs, depth,
                                sizes.kernelRows, sizes.kernelColumns},
                               elementType.getIntOrFloatBitWidth() / 8));
}

bool nacre::canPack(VPU::ArchAttr arch, Value weights, Value bias) {
  return llvm::all_of(ArrayRef{weights, bias}, [&](Value value) {
    return !value || ConstantFloats(value) ||
           (!arch.hasFixedFunctionNCE() && getEngineType(arch, value));
  });
}
