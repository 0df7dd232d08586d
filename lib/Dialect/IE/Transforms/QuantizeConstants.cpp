//===- QuantizeConstants.cpp - Quantized constants ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeConstants.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;
using interpreter::Tensor;

/// A constant of `values`, shared memory and all.
template <typename T>
static Value buildConstant(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, Type element,
                           ArrayRef<T> values) {
  Tensor tensor(RankedTensorType::get(shape, element));
  llvm::copy(values, tensor.mutableValues<T>().begin());
  return IE::ConstantOp::create(builder, loc, tensor.toAttr());
}

static Value buildZeroPoint(OpBuilder &builder, Location loc,
                            const Parameters &parameters) {
  if (parameters.isSigned) {
    return buildConstant<int8_t>(builder, loc, {}, builder.getI8Type(),
                                 static_cast<int8_t>(parameters.zeroPoint));
  }
  return buildConstant<uint8_t>(builder, loc, {},
                                builder.getIntegerType(8, /*isSigned=*/false),
                                static_cast<uint8_t>(parameters.zeroPoint));
}

Value IE::buildRoundTrip(OpBuilder &builder, Value value,
                         const Parameters &parameters) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value scale = buildConstant<float>(builder, loc, {}, builder.getF32Type(),
                                     parameters.scale);
  Value zero = buildZeroPoint(builder, loc, parameters);
  auto integers =
      type.clone(cast<RankedTensorType>(zero.getType()).getElementType());
  auto axis = builder.getI64IntegerAttr(1);
  Value quantized =
      QuantizeLinearOp::create(builder, loc, integers, value, scale, zero, axis,
                               /*saturate=*/builder.getI64IntegerAttr(1))
          .getOutput();
  return DequantizeLinearOp::create(builder, loc, type, quantized, scale, zero,
                                    axis,
                                    /*block_size=*/builder.getI64IntegerAttr(0))
      .getOutput();
}

bool IE::canQuantizeWeights(const LinearOperands &operands) {
  ConstantFloats weights(operands.weights->get());
  if (!weights || !weights.getElementType().isF32() || weights.size() == 0) {
    return false;
  }
  for (size_t i = 0, e = weights.size(); i < e; ++i) {
    if (!std::isfinite(weights[i])) {
      return false;
    }
  }
  return true;
}

/// Dequantizes a constant by scales of dimension `axis`, or a single one.
static Value dequantize(OpBuilder &builder, Value constant,
                        ArrayRef<float> scales, int64_t axis) {
  Location loc = constant.getLoc();
  auto type = cast<RankedTensorType>(constant.getType());
  SmallVector<int64_t> shape;
  if (scales.size() != 1) {
    shape.push_back(static_cast<int64_t>(scales.size()));
  }
  Value scale =
      buildConstant<float>(builder, loc, shape, builder.getF32Type(), scales);
  return IE::DequantizeLinearOp::create(
             builder, loc, type.clone(builder.getF32Type()), constant, scale,
             /*zero_point=*/Value(), builder.getI64IntegerAttr(axis),
             /*block_size=*/builder.getI64IntegerAttr(0))
      .getOutput();
}

/// What the result's channels are larger in the mean since the weights have
/// been rounded; empty where the means of the input's channels are not known.
static std::vector<double>
findShifts(const IE::LinearOperands &operands, ArrayRef<int64_t> shape,
           ArrayRef<float> weights, ArrayRef<int8_t> rounded,
           ArrayRef<float> scales, ArrayRef<float> means) {
  int64_t numChannels = shape[operands.channelAxis];
  int64_t numInputs = shape[operands.inputAxis];
  // Batches of matrices have no channels in common.
  bool isBatched = std::min(operands.channelAxis, operands.inputAxis) > 0;
  if (isBatched ||
      static_cast<int64_t>(means.size()) != numInputs * operands.groups) {
    return {};
  }
  SmallVector<int64_t> strides = computeStrides(shape);
  std::vector<double> shifts(numChannels, 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    auto indexAt = [&](int64_t axis) {
      return static_cast<int64_t>(i) / strides[axis] % shape[axis];
    };
    int64_t channel = indexAt(operands.channelAxis);
    int64_t group = channel / (numChannels / operands.groups);
    double scale = scales[scales.size() == 1 ? 0 : channel];
    shifts[channel] +=
        (rounded[i] * scale - static_cast<double>(weights[i])) *
        static_cast<double>(
            means[group * numInputs + indexAt(operands.inputAxis)]);
  }
  return shifts;
}

/// The elements of a bias that is one for each channel; nothing for another
/// addend.
static std::optional<std::vector<double>> readBias(OpOperand &bias,
                                                   int64_t numChannels) {
  IE::ConstantFloats addends(bias.get());
  auto type = cast<RankedTensorType>(bias.get().getType());
  if (!addends || !addends.getElementType().isF32() || type.getRank() == 0 ||
      type.getNumElements() != numChannels ||
      type.getShape().back() != numChannels) {
    return std::nullopt;
  }
  return addends.getAll<double>();
}

/// Makes a bias the nearest integers of the scales that sums have.
static void quantizeBias(OpBuilder &builder, OpOperand &bias,
                         ArrayRef<double> addends, ArrayRef<float> scales,
                         float inputScale) {
  SmallVector<float> products;
  for (float scale : scales) {
    products.push_back(std::max(scale * inputScale, FLT_MIN));
  }
  SmallVector<int32_t> rounded;
  for (auto [i, addend] : llvm::enumerate(addends)) {
    double product = products[products.size() == 1 ? 0 : i];
    rounded.push_back(static_cast<int32_t>(std::nearbyint(addend / product)));
  }
  auto type = cast<RankedTensorType>(bias.get().getType());
  Value sums =
      buildConstant<int32_t>(builder, bias.getOwner()->getLoc(),
                             type.getShape(), builder.getI32Type(), rounded);
  bias.set(dequantize(builder, sums, products, type.getRank() - 1));
}

void IE::quantizeConstants(OpBuilder &builder, const LinearOperands &operands,
                           const InputStatistics &input, bool perChannel) {
  OpOperand &weights = *operands.weights;
  auto type = cast<RankedTensorType>(weights.get().getType());
  std::vector<float> floats = ConstantFloats(weights.get()).getAll<float>();
  int64_t axis = perChannel ? operands.channelAxis : -1;
  std::vector<float> scales = getWeightScales(floats, type.getShape(), axis);

  std::optional<std::vector<double>> addends;
  if (operands.bias) {
    addends = readBias(*operands.bias, type.getDimSize(operands.channelAxis));
  }
  if (addends) {
    for (auto [i, addend] : llvm::enumerate(*addends)) {
      float &scale = scales[scales.size() == 1 ? 0 : i];
      scale = fitBias(scale, input.scale, static_cast<float>(addend));
    }
  }
  std::vector<int8_t> rounded =
      quantizeWeights(floats, type.getShape(), axis, scales);
  Value integers =
      buildConstant<int8_t>(builder, weights.getOwner()->getLoc(),
                            type.getShape(), builder.getI8Type(), rounded);
  weights.set(dequantize(builder, integers, scales, operands.channelAxis));
  if (!addends) {
    return;
  }
  std::vector<double> shifts = findShifts(operands, type.getShape(), floats,
                                          rounded, scales, input.means);
  for (auto [i, shift] : llvm::enumerate(shifts)) {
    (*addends)[i] -= shift;
  }
  quantizeBias(builder, *operands.bias, *addends, scales, input.scale);
}
