//===- QuantizeConstants.cpp - Quantized constants ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "BuildConstant.h"
#include "RoundWeights.h"

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

static Value buildZeroPoint(OpBuilder &builder, Location loc,
                            const Parameters &parameters) {
  if (parameters.bits == 16) {
    return IE::buildConstant<int16_t>(
        builder, loc, {}, builder.getI16Type(),
        static_cast<int16_t>(parameters.zeroPoint));
  }
  if (parameters.isSigned) {
    return IE::buildConstant<int8_t>(builder, loc, {}, builder.getI8Type(),
                                     static_cast<int8_t>(parameters.zeroPoint));
  }
  return IE::buildConstant<uint8_t>(
      builder, loc, {}, builder.getIntegerType(8, /*isSigned=*/false),
      static_cast<uint8_t>(parameters.zeroPoint));
}

Value IE::buildRoundTrip(OpBuilder &builder, Location loc, Value value,
                         const Parameters &parameters) {
  auto type = cast<RankedTensorType>(value.getType());
  Value scale = IE::buildConstant<float>(builder, loc, {}, builder.getF32Type(),
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

std::string IE::findFormObstacle(const std::optional<LinearOperands> &operands,
                                 StringRef integers) {
  if (!operands) {
    return ("its form has none " + integers).str();
  }
  return canQuantizeWeights(*operands)
             ? ""
             : "its weights are no constants that are finite f32";
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
  Value scale = IE::buildConstant<float>(builder, loc, shape,
                                         builder.getF32Type(), scales);
  return IE::DequantizeLinearOp::create(
             builder, loc, type.clone(builder.getF32Type()), constant, scale,
             /*zero_point=*/Value(), builder.getI64IntegerAttr(axis),
             /*block_size=*/builder.getI64IntegerAttr(0))
      .getOutput();
}

int64_t IE::getProductChannelDim(Operation *product, int64_t rank) {
  // Of images, channels are the second dimension, of matrices the last.
  return isa<IE::GemmOp, IE::MatMulOp>(product) ? rank - 1 : 1;
}

/// The means of the channels of a linear op's input, if they are known.
static ArrayRef<float> findMeans(Value input, const IE::LinearOperands &of,
                                 const ValueProfile *profile) {
  if (!profile || !profile->channels) {
    return {};
  }
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  bool fits = profile->channels->axis ==
              IE::getProductChannelDim(of.input->getOwner(), rank);
  return fits ? ArrayRef<float>(profile->channels->mean) : ArrayRef<float>();
}

/// What the result's channels are larger in the mean since the weights have
/// been rounded; empty where the means of the input's channels are not known.
static std::vector<double> findShifts(const IE::QuantizedConstants &constants,
                                      ArrayRef<float> weights,
                                      ArrayRef<float> means) {
  const IE::LinearOperands &operands = constants.operands;
  ArrayRef<int64_t> shape = constants.getShape();
  int64_t numChannels = shape[operands.channelAxis];
  int64_t numInputs = shape[operands.inputAxis];
  // Batches of matrices have no channels in common.
  bool isBatched = std::min(operands.channelAxis, operands.inputAxis) > 0;
  if (isBatched ||
      static_cast<int64_t>(means.size()) != numInputs * operands.groups) {
    return {};
  }
  std::vector<float> rounded = constants.getWeights();
  SmallVector<int64_t> strides = computeStrides(shape);
  std::vector<double> shifts(numChannels, 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    auto indexAt = [&](int64_t axis) {
      return static_cast<int64_t>(i) / strides[axis] % shape[axis];
    };
    int64_t channel = indexAt(operands.channelAxis);
    int64_t group = channel / (numChannels / operands.groups);
    shifts[channel] +=
        (static_cast<double>(rounded[i]) - static_cast<double>(weights[i])) *
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

int64_t IE::countBiases(const LinearOperands &operands) {
  auto weights = cast<RankedTensorType>(operands.weights->get().getType());
  int64_t numChannels = weights.getDimSize(operands.channelAxis);
  return operands.bias && readBias(*operands.bias, numChannels) ? numChannels
                                                                : 0;
}

ArrayRef<int64_t> IE::QuantizedConstants::getShape() const {
  return cast<RankedTensorType>(operands.weights->get().getType()).getShape();
}

std::vector<float> IE::QuantizedConstants::getWeights() const {
  int64_t channels = getShape()[operands.channelAxis];
  int64_t inner = computeStrides(getShape())[operands.channelAxis];
  std::vector<float> floats;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    int64_t channel = static_cast<int64_t>(i) / inner % channels;
    floats.push_back(weight * scales[scales.size() == 1 ? 0 : channel]);
  }
  return floats;
}

std::vector<float> IE::QuantizedConstants::getBias() const {
  std::vector<float> floats;
  for (auto [i, addend] : llvm::enumerate(bias)) {
    float scale = biasType == BiasType::F32
                      ? 1.0f
                      : biasScales[biasScales.size() == 1 ? 0 : i];
    floats.push_back(static_cast<float>(addend) * scale);
  }
  return floats;
}

/// Rounds weights of these scales for what samples have shown of the input, if
/// that is known.
static void roundWeights(IE::QuantizedConstants &constants,
                         ArrayRef<float> weights, const IE::ValueKeys &keys,
                         const IE::KnownRanges &ranges) {
  int largest = (1 << (constants.weightBits - 1)) - 1;
  ArrayRef<int64_t> shape = constants.getShape();
  int64_t axis = constants.operands.channelAxis;
  int64_t inner = computeStrides(shape)[axis];
  auto scaleOf = [&](size_t i) {
    int64_t channel = static_cast<int64_t>(i) / inner % shape[axis];
    return constants.scales[constants.scales.size() == 1 ? 0 : channel];
  };
  auto rounded = IE::roundForInputs(
      constants.operands, {weights, scaleOf, -largest, largest}, keys, ranges);
  if (rounded) {
    constants.weights.assign(rounded->integers.begin(),
                             rounded->integers.end());
    constants.roundingDecibels = rounded->decibels;
  }
}

/// The scales of a bias: those that sums have, or its own.
static std::vector<float> getBiasScales(const IE::QuantizedConstants &constants,
                                        ArrayRef<double> addends,
                                        float inputScale) {
  if (constants.biasType == BiasType::Int8) {
    double largest = 0;
    for (double addend : addends) {
      largest = std::max(largest, std::fabs(addend));
    }
    return {getWeightScale(static_cast<float>(largest))};
  }
  std::vector<float> scales;
  for (float scale : constants.scales) {
    scales.push_back(std::max(scale * inputScale, FLT_MIN));
  }
  return scales;
}

/// Gives the product a bias of the type that was chosen.
static void roundBias(IE::QuantizedConstants &constants,
                      ArrayRef<double> addends, float inputScale) {
  constants.bias.assign(addends.begin(), addends.end());
  if (constants.biasType == BiasType::F32) {
    return;
  }
  constants.biasScales = getBiasScales(constants, addends, inputScale);
  ArrayRef<float> scales = constants.biasScales;
  // What makes up for rounding may be more than the scales were chosen for.
  double largest = constants.biasType == BiasType::Int8 ? INT8_MAX : INT32_MAX;
  for (auto [i, addend] : llvm::enumerate(constants.bias)) {
    double scale = scales[scales.size() == 1 ? 0 : i];
    addend = std::clamp(std::nearbyint(addend / scale), -largest, largest);
  }
}

/// Has a bias make up for what quantization changes in the mean.
static void correctBias(const IE::QuantizedConstants &constants,
                        MutableArrayRef<double> addends,
                        ArrayRef<float> weights, const IE::ValueKeys &keys,
                        const IE::KnownRanges &ranges,
                        BiasCorrection correction) {
  Value input = constants.operands.input->get();
  if (correction == BiasCorrection::Exact) {
    Value result = constants.operands.input->getOwner()->getResult(0);
    ArrayRef<float> measured = ranges.findCorrections(keys.get(result));
    for (auto [addend, shift] : llvm::zip(addends, measured)) {
      addend += shift;
    }
  }
  // Weights that are rounded for their inputs have made up for most of it.
  if (correction == BiasCorrection::Fast) {
    ArrayRef<float> means =
        findMeans(input, constants.operands, ranges.find(keys.get(input)));
    for (auto [addend, shift] :
         llvm::zip(addends, findShifts(constants, weights, means))) {
      addend -= shift;
    }
  }
}

IE::QuantizedConstants IE::computeConstants(Operation *product,
                                            const QuantizationPlan &plan,
                                            const KnownRanges &ranges,
                                            const ConstantOptions &options) {
  QuantizedConstants result;
  result.weightBits = options.weightBits;
  result.biasType = options.bias;
  result.operands = *cast<QuantizableOpInterface>(product).getLinearOperands();
  const LinearOperands &operands = result.operands;
  Value input = operands.input->get();
  float inputScale =
      plan.getValues().lookup(findQuantizedSource(input)).parameters.scale;
  ArrayRef<int64_t> shape = result.getShape();
  std::vector<float> floats =
      ConstantFloats(operands.weights->get()).getAll<float>();
  int64_t axis = options.perChannel ? operands.channelAxis : -1;
  result.scales = getWeightScales(floats, shape, axis, options.weightBits);
  if (options.calibrateWeights) {
    shrinkWeightScales(floats, shape, axis, result.scales, options.weightBits);
  }

  std::optional<std::vector<double>> addends;
  if (operands.bias) {
    addends = readBias(*operands.bias, shape[operands.channelAxis]);
  }
  if (addends && options.bias == BiasType::Int32) {
    for (auto [i, addend] : llvm::enumerate(*addends)) {
      float &scale = result.scales[result.scales.size() == 1 ? 0 : i];
      scale = fitBias(scale, inputScale, static_cast<float>(addend));
    }
  }
  result.weights =
      quantizeWeights(floats, shape, axis, result.scales, options.weightBits);
  if (options.rounding == Rounding::Hessian) {
    roundWeights(result, floats, plan.getKeys(), ranges);
  }
  if (!addends) {
    return result;
  }
  correctBias(result, *addends, floats, plan.getKeys(), ranges,
              options.biasCorrection);
  roundBias(result, *addends, inputScale);
  return result;
}

/// A constant of integers that are held in larger numbers.
template <typename T, typename NumberT>
static Value buildIntegers(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, ArrayRef<NumberT> numbers) {
  auto integers = llvm::map_to_vector(
      numbers, [](NumberT number) { return static_cast<T>(number); });
  return IE::buildConstant<T>(builder, loc, shape,
                              builder.getIntegerType(8 * sizeof(T)), integers);
}

static Value buildWeights(OpBuilder &builder, Location loc,
                          const IE::QuantizedConstants &constants) {
  ArrayRef<int16_t> weights = constants.weights;
  ArrayRef<int64_t> shape = constants.getShape();
  return constants.getStorageBits() == 8
             ? buildIntegers<int8_t>(builder, loc, shape, weights)
             : buildIntegers<int16_t>(builder, loc, shape, weights);
}

static Value buildBias(OpBuilder &builder, Location loc,
                       const IE::QuantizedConstants &constants) {
  auto type = cast<RankedTensorType>(constants.operands.bias->get().getType());
  ArrayRef<double> addends = constants.bias;
  ArrayRef<int64_t> shape = type.getShape();
  if (constants.biasType == BiasType::F32) {
    return IE::buildConstant<float>(builder, loc, shape, builder.getF32Type(),
                                    constants.getBias());
  }
  Value integers = constants.biasType == BiasType::Int8
                       ? buildIntegers<int8_t>(builder, loc, shape, addends)
                       : buildIntegers<int32_t>(builder, loc, shape, addends);
  return dequantize(builder, integers, constants.biasScales,
                    type.getRank() - 1);
}

void IE::quantizeConstants(OpBuilder &builder,
                           const QuantizedConstants &constants) {
  OpOperand &weights = *constants.operands.weights;
  Location loc = weights.getOwner()->getLoc();
  weights.set(dequantize(builder, buildWeights(builder, loc, constants),
                         constants.scales, constants.operands.channelAxis));
  if (!constants.bias.empty()) {
    constants.operands.bias->set(buildBias(builder, loc, constants));
  }
}
