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

/// The dimension of a bias that is as long as there are scales, of those that
/// broadcast to channels; nothing where it is another kind of addend.
static std::optional<int64_t> findChannels(RankedTensorType bias,
                                           size_t numScales) {
  int64_t rank = bias.getRank();
  bool fits = rank > 0 && bias.getNumElements() == bias.getDimSize(rank - 1) &&
              (numScales == 1 ||
               bias.getDimSize(rank - 1) == static_cast<int64_t>(numScales));
  return fits ? std::optional<int64_t>(rank - 1) : std::nullopt;
}

void IE::quantizeConstants(OpBuilder &builder, const LinearOperands &operands,
                           float inputScale, bool perChannel) {
  OpOperand &weights = *operands.weights;
  auto type = cast<RankedTensorType>(weights.get().getType());
  std::vector<float> floats = ConstantFloats(weights.get()).getAll<float>();
  int64_t axis = perChannel ? operands.channelAxis : -1;
  std::vector<float> scales = getWeightScales(floats, type.getShape(), axis);

  Value bias = operands.bias ? operands.bias->get() : weights.get();
  ConstantFloats addends(bias);
  std::optional<int64_t> channels;
  if (operands.bias && addends && addends.getElementType().isF32()) {
    channels =
        findChannels(cast<RankedTensorType>(bias.getType()), scales.size());
  }
  for (size_t i = 0; channels && i < addends.size(); ++i) {
    float &scale = scales[scales.size() == 1 ? 0 : i];
    scale = fitBias(scale, inputScale, static_cast<float>(addends[i]));
  }

  Location loc = weights.getOwner()->getLoc();
  Value integers = buildConstant<int8_t>(
      builder, loc, type.getShape(), builder.getI8Type(),
      quantizeWeights(floats, type.getShape(), axis, scales));
  weights.set(dequantize(builder, integers, scales, operands.channelAxis));
  if (!channels) {
    return;
  }
  SmallVector<float> products;
  for (float scale : scales) {
    products.push_back(std::max(scale * inputScale, FLT_MIN));
  }
  SmallVector<int32_t> rounded;
  for (size_t i = 0; i < addends.size(); ++i) {
    double product = products[products.size() == 1 ? 0 : i];
    rounded.push_back(
        static_cast<int32_t>(std::nearbyint(addends[i] / product)));
  }
  Value sums = buildConstant<int32_t>(
      builder, loc, cast<RankedTensorType>(bias.getType()).getShape(),
      builder.getI32Type(), rounded);
  operands.bias->set(dequantize(builder, sums, products, *channels));
}
