//===- Parameters.cpp - Scales and zero points ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Parameters.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

using namespace nacre::quantization;

/// The largest of the integers of so many bits that stand for weights, and for
/// activations whose zero point is 0.
static double getLargestMagnitude(unsigned bits) {
  return (1 << (bits - 1)) - 1;
}

/// A scale that is a normal number: of nothing but zeros any is right.
static float makeScale(double scale) {
  return scale > 0 ? std::max(static_cast<float>(scale), FLT_MIN) : 1.0f;
}

Range Parameters::getRange() const {
  // The least integer has no opposite, and goes unused where that matters.
  int32_t least = isSigned && zeroPoint == 0 ? -getLargest() : getLeast();
  return {(least - zeroPoint) * static_cast<double>(scale),
          (getLargest() - zeroPoint) * static_cast<double>(scale)};
}

int32_t Parameters::quantize(double value) const {
  double rounded = std::nearbyint(value / scale) + zeroPoint;
  return static_cast<int32_t>(
      std::clamp<double>(rounded, getLeast(), getLargest()));
}

double Parameters::roundTrip(double value) const {
  return (quantize(value) - zeroPoint) * static_cast<double>(scale);
}

/// The least power of two that is no less than the scale.
static float makePower2(double scale) {
  return scale > 0 ? makeScale(std::exp2(std::ceil(std::log2(scale)))) : 1.0f;
}

static Parameters getAsymmetric(Range range, ActivationType type) {
  Parameters result;
  result.isSigned = type == ActivationType::Int8;
  result.scale = makeScale((range.high - range.low) / 255);
  double zero = result.getLeast() - range.low / result.scale;
  result.zeroPoint = static_cast<int32_t>(std::clamp<double>(
      std::nearbyint(zero), result.getLeast(), result.getLargest()));
  return result;
}

Parameters nacre::quantization::getParameters(Range range, Schema schema,
                                              ActivationType type) {
  range.low = std::min(range.low, 0.0);
  range.high = std::max(range.high, 0.0);
  double largest = std::max(-range.low, range.high);
  Parameters result;
  result.isSigned = true;
  if (type == ActivationType::Int16) {
    result.bits = 16;
    double scale = largest / result.getLargest();
    result.scale = schema == Schema::SymmetricPower2 ? makePower2(scale)
                                                     : makeScale(scale);
    return result;
  }
  switch (schema) {
  case Schema::Asymmetric:
    return getAsymmetric(range, type);
  case Schema::SymmetricWithUInt8:
    if (range.low == 0) {
      result.isSigned = false;
      result.scale = makeScale(range.high / 255);
      return result;
    }
    [[fallthrough]];
  case Schema::Symmetric:
    result.scale = makeScale(largest / result.getLargest());
    return result;
  case Schema::SymmetricPower2:
    result.scale = makePower2(largest / result.getLargest());
    return result;
  }
  return result;
}

float nacre::quantization::getWeightScale(float largest, unsigned bits) {
  return makeScale(static_cast<double>(largest) / getLargestMagnitude(bits));
}

/// Calls `visit` with each weight's number and the number of its scale.
template <typename Visitor>
static void forEachWeight(llvm::ArrayRef<int64_t> shape, int64_t axis,
                          size_t count, Visitor visit) {
  if (axis < 0) {
    for (size_t i = 0; i < count; ++i) {
      visit(i, 0);
    }
    return;
  }
  size_t inner = 1;
  for (int64_t size : shape.drop_front(axis + 1)) {
    inner *= size;
  }
  for (size_t i = 0, row = 0; i < count; i += inner, ++row) {
    for (size_t j = 0; j < inner; ++j) {
      visit(i + j, row % shape[axis]);
    }
  }
}

std::vector<float>
nacre::quantization::getWeightScales(llvm::ArrayRef<float> weights,
                                     llvm::ArrayRef<int64_t> shape,
                                     int64_t axis, unsigned bits) {
  std::vector<float> scales(axis < 0 ? 1 : shape[axis], 0);
  forEachWeight(shape, axis, weights.size(), [&](size_t i, size_t channel) {
    scales[channel] = std::max(scales[channel], std::fabs(weights[i]));
  });
  for (float &scale : scales) {
    scale = getWeightScale(scale, bits);
  }
  return scales;
}

void nacre::quantization::shrinkWeightScales(
    llvm::ArrayRef<float> weights, llvm::ArrayRef<int64_t> shape, int64_t axis,
    llvm::MutableArrayRef<float> scales, unsigned bits) {
  // What is cut off by more costs more than finer steps gain, whatever the
  // weights are.
  constexpr int kNumTried = 30, kTriedSteps = 60;
  double largest = getLargestMagnitude(bits);
  std::vector<double> least(scales.size(),
                            std::numeric_limits<double>::infinity());
  std::vector<float> best(scales.begin(), scales.end());
  for (int tried = 0; tried < kNumTried; ++tried) {
    std::vector<float> candidates;
    for (float scale : scales) {
      candidates.push_back(makeScale(static_cast<double>(scale) *
                                     (kTriedSteps - tried) / kTriedSteps));
    }
    std::vector<double> errors(scales.size(), 0);
    forEachWeight(shape, axis, weights.size(), [&](size_t i, size_t channel) {
      auto scale = static_cast<double>(candidates[channel]);
      auto wanted = static_cast<double>(weights[i]);
      double rounded =
          std::clamp(std::nearbyint(wanted / scale), -largest, largest);
      double off = wanted - rounded * scale;
      errors[channel] += off * off;
    });
    for (size_t i = 0; i < errors.size(); ++i) {
      if (errors[i] < least[i]) {
        least[i] = errors[i];
        best[i] = candidates[i];
      }
    }
  }
  llvm::copy(best, scales.begin());
}

std::vector<int16_t> nacre::quantization::quantizeWeights(
    llvm::ArrayRef<float> weights, llvm::ArrayRef<int64_t> shape, int64_t axis,
    llvm::ArrayRef<float> scales, unsigned bits) {
  double largest = getLargestMagnitude(bits);
  std::vector<int16_t> result(weights.size());
  forEachWeight(shape, axis, weights.size(), [&](size_t i, size_t channel) {
    double rounded = std::nearbyint(static_cast<double>(weights[i]) /
                                    static_cast<double>(scales[channel]));
    result[i] = static_cast<int16_t>(std::clamp(rounded, -largest, largest));
  });
  return result;
}

float nacre::quantization::fitBias(float weightScale, float inputScale,
                                   float bias) {
  constexpr double kLargestBias = 1 << 30;
  double least = std::fabs(static_cast<double>(bias)) / kLargestBias /
                 static_cast<double>(inputScale);
  return std::max(weightScale, static_cast<float>(least));
}
