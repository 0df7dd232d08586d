//===- ChannelScaling.cpp - Factors for channels of values ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChannelScaling.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Quantization/Distortion.h"
#include "nacre/Quantization/Rescale.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

std::unique_ptr<IE::ScalableProduct> IE::ScalableProduct::find(Operation *op) {
  auto quantizable = dyn_cast_if_present<QuantizableOpInterface>(op);
  std::optional<LinearOperands> operands =
      quantizable ? quantizable.getLinearOperands() : std::nullopt;
  if (!operands || !canQuantizeWeights(*operands) ||
      std::min(operands->channelAxis, operands->inputAxis) > 0) {
    return nullptr;
  }
  auto result = std::make_unique<ScalableProduct>();
  result->operands = *operands;
  result->groups = operands->groups;
  Value weights = operands->weights->get();
  llvm::append_range(result->shape,
                     cast<RankedTensorType>(weights.getType()).getShape());
  result->weights = ConstantFloats(weights).getAll<float>();
  if (operands->bias) {
    ConstantFloats bias(operands->bias->get());
    auto type = cast<RankedTensorType>(operands->bias->get().getType());
    if (!bias || !bias.getElementType().isF32() || type.getRank() == 0 ||
        bias.size() != result->getNumChannels() ||
        type.getShape().back() != type.getNumElements()) {
      return nullptr;
    }
    result->bias = bias.getAll<float>();
  }
  return result;
}

/// Of matrices the last dimension is channels, of images the second.
static int64_t getChannelDim(Value value, int64_t weightRank) {
  constexpr int64_t kMatrix = 2;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return weightRank == kMatrix ? rank - 1 : 1;
}

int64_t IE::ScalableProduct::getInputDim() const {
  return getChannelDim(getInput(), static_cast<int64_t>(shape.size()));
}

int64_t IE::ScalableProduct::getResultDim() const {
  return getChannelDim(getOp()->getResult(0),
                       static_cast<int64_t>(shape.size()));
}

/// Calls `visit` with each weight's number, its channel of the result and that
/// of the input.
template <typename Visitor>
void IE::ScalableProduct::forEachWeight(Visitor visit) const {
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t channels = shape[operands.channelAxis];
  int64_t inputs = shape[operands.inputAxis];
  int64_t perGroup = channels / groups;
  for (size_t i = 0; i < weights.size(); ++i) {
    auto number = static_cast<int64_t>(i);
    int64_t channel = number / strides[operands.channelAxis] % channels;
    int64_t input = number / strides[operands.inputAxis] % inputs;
    visit(i, channel, channel / perGroup * inputs + input);
  }
}

std::vector<double> IE::ScalableProduct::getInputRanges() const {
  std::vector<double> ranges(getNumInputs(), 0);
  forEachWeight([&](size_t i, int64_t, int64_t input) {
    ranges[input] =
        std::max(ranges[input], static_cast<double>(std::fabs(weights[i])));
  });
  return ranges;
}

std::vector<double> IE::ScalableProduct::getChannelRanges() const {
  std::vector<double> ranges(getNumChannels(), 0);
  forEachWeight([&](size_t i, int64_t channel, int64_t) {
    ranges[channel] =
        std::max(ranges[channel], static_cast<double>(std::fabs(weights[i])));
  });
  return ranges;
}

void IE::ScalableProduct::takeInputs(ArrayRef<float> factors) {
  isChanged = true;
  forEachWeight(
      [&](size_t i, int64_t, int64_t input) { weights[i] /= factors[input]; });
}

void IE::ScalableProduct::giveChannels(ArrayRef<float> factors) {
  isChanged = true;
  forEachWeight([&](size_t i, int64_t channel, int64_t) {
    weights[i] *= factors[channel];
  });
  for (auto [i, addend] : llvm::enumerate(bias)) {
    addend *= factors[i];
  }
}

std::vector<double> IE::ScalableProduct::getNoise(ArrayRef<double> inputErrors,
                                                  ArrayRef<double> inputSquares,
                                                  bool perChannel) const {
  std::vector<float> scales =
      getWeightScales(weights, shape, perChannel ? operands.channelAxis : -1);
  std::vector<double> noise(getNumChannels(), 0);
  forEachWeight([&](size_t i, int64_t channel, int64_t input) {
    double weight = weights[i], scale = scales[perChannel ? channel : 0];
    double error = weight - std::nearbyint(weight / scale) * scale;
    noise[channel] += weight * weight * inputErrors[input] +
                      error * error * inputSquares[input];
  });
  return noise;
}

/// Has an op read other elements in place of a constant's.
static void replaceConstant(OpOperand &operand, ArrayRef<float> values) {
  OpBuilder builder(operand.getOwner());
  interpreter::Tensor tensor(cast<RankedTensorType>(operand.get().getType()));
  llvm::copy(values, tensor.mutableValues<float>().begin());
  operand.set(
      IE::ConstantOp::create(builder, operand.get().getLoc(), tensor.toAttr()));
}

void IE::ScalableProduct::commit() {
  if (!isChanged) {
    return;
  }
  replaceConstant(*operands.weights, weights);
  if (!bias.empty()) {
    replaceConstant(*operands.bias, bias);
  }
  isChanged = false;
}

IE::ChannelScaler::ChannelScaler(func::FuncOp function,
                                 std::shared_ptr<const KnownRanges> ranges,
                                 const CalibrationOptions &options,
                                 bool perChannel)
    : ranges(std::move(ranges)), options(options), perChannel(perChannel),
      keys(function) {}

IE::ScalableProduct *IE::ChannelScaler::getProduct(Operation *op) {
  auto [it, isNew] = products.try_emplace(op);
  if (isNew) {
    it->second = ScalableProduct::find(op);
  }
  return it->second.get();
}

IE::ChannelScaler::Known &IE::ChannelScaler::find(Value value) {
  auto [it, isNew] = known.try_emplace(value);
  if (!isNew) {
    return *it->second;
  }
  it->second = std::make_unique<Known>();
  constexpr float kHuge = 1e30f;
  StringRef key = keys.get(value);
  const ValueProfile *profile = ranges->find(key);
  if (profile && !ranges->findOverride(key)) {
    it->second->profile = *profile;
    it->second->isUsable = profile->channels && profile->nans == 0 &&
                           profile->infinities == 0 && profile->count > 0 &&
                           profile->low > -kHuge && profile->high < kHuge;
  }
  return *it->second;
}

const ValueProfile *IE::ChannelScaler::getProfile(Value value, int64_t dim) {
  Known &found = find(value);
  auto type = cast<RankedTensorType>(value.getType());
  bool fits = found.isUsable && found.profile.channels->axis == dim &&
              static_cast<int64_t>(found.profile.channels->low.size()) ==
                  type.getDimSize(dim);
  return fits ? &found.profile : nullptr;
}

static Parameters chooseParameters(const ValueProfile &profile,
                                   const CalibrationOptions &options) {
  return getParameters(calibrate(profile, options), options.schema,
                       options.type);
}

std::optional<double>
IE::ChannelScaler::estimateNoise(const Link &link, ArrayRef<float> factors) {
  const ValueProfile *profile =
      getProfile(link.value, link.consumers.front()->getInputDim());
  if (!profile) {
    return std::nullopt;
  }
  bool isChanged = llvm::any_of(factors, [](float x) { return x != 1; });
  ValueProfile scaled = isChanged ? rescale(*profile, factors) : *profile;
  std::vector<double> errors =
      getChannelErrors(scaled, chooseParameters(scaled, options));
  std::vector<double> squares = getChannelSquares(scaled);
  if (link.producer) {
    const ValueProfile *input =
        getProfile(link.producer->getInput(), link.producer->getInputDim());
    if (!input) {
      return std::nullopt;
    }
    ScalableProduct producer = *link.producer;
    producer.giveChannels(factors);
    std::vector<double> noise = producer.getNoise(
        getChannelErrors(*input, chooseParameters(*input, options)),
        getChannelSquares(*input), perChannel);
    for (auto [error, more] : llvm::zip_equal(errors, noise)) {
      error += more;
    }
  }
  double sum = 0;
  for (const ScalableProduct *each : link.consumers) {
    ScalableProduct consumer = *each;
    consumer.takeInputs(factors);
    std::vector<double> noise = consumer.getNoise(errors, squares, perChannel);
    sum = std::accumulate(noise.begin(), noise.end(), sum);
  }
  return sum;
}

void IE::ChannelScaler::apply(const Link &link, ArrayRef<float> factors) {
  if (link.producer) {
    link.producer->giveChannels(factors);
  }
  for (ScalableProduct *consumer : link.consumers) {
    consumer->takeInputs(factors);
  }
  Known &value = find(link.value);
  value.profile = rescale(value.profile, factors);
}

std::vector<double> IE::getMagnitudes(const ValueProfile &profile) {
  std::vector<double> magnitudes;
  for (auto [low, high] :
       llvm::zip_equal(profile.channels->low, profile.channels->high)) {
    magnitudes.push_back(
        static_cast<double>(std::max(std::fabs(low), std::fabs(high))));
  }
  return magnitudes;
}

std::vector<float> IE::makeFactors(ArrayRef<double> numbers) {
  // What is further apart than this is so for another reason.
  constexpr double kMost = 1 << 20;
  auto isFactor = [](double number) {
    return std::isfinite(number) && number > 0;
  };
  double sum = 0;
  for (double number : numbers) {
    sum += isFactor(number) ? std::log(number) : 0;
  }
  auto count = static_cast<double>(llvm::count_if(numbers, isFactor));
  double mean = count > 0 ? std::exp(sum / count) : 1;
  std::vector<float> factors;
  for (double number : numbers) {
    factors.push_back(isFactor(number) ? static_cast<float>(std::clamp(
                                             number / mean, 1 / kMost, kMost))
                                       : 1.0f);
  }
  return factors;
}

std::optional<IE::ChosenFactors>
IE::chooseFactors(ChannelScaler &scaler, const Link &link,
                  ArrayRef<std::vector<float>> candidates) {
  constexpr double kLeastGain = 0.5;
  std::vector<float> ones(link.consumers.front()->getNumInputs(), 1);
  std::optional<double> before = scaler.estimateNoise(link, ones);
  std::optional<ChosenFactors> best;
  if (!before || *before <= 0) {
    return best;
  }
  for (const std::vector<float> &factors : candidates) {
    std::optional<double> noise = scaler.estimateNoise(link, factors);
    double decibels = noise ? getDecibels(*before, *noise) : 0;
    if (std::isfinite(decibels) && decibels >= kLeastGain &&
        (!best || decibels > best->decibels)) {
      best = ChosenFactors{factors, decibels};
    }
  }
  return best;
}
