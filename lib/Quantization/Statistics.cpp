//===- Statistics.cpp - What is known of a value's elements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Statistics.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nacre::quantization;

static constexpr unsigned kMantissaBits = 23;
static constexpr unsigned kNotFinite = 255;

/// Of the last place of a float with this biased exponent.
static int getPlace(unsigned exponent) {
  constexpr int kBias = 127 + static_cast<int>(kMantissaBits);
  return static_cast<int>(std::max(exponent, 1u)) - kBias;
}

void Moments::add(llvm::ArrayRef<float> values) {
  for (float value : values) {
    uint32_t bits = llvm::bit_cast<uint32_t>(value);
    unsigned exponent = (bits >> kMantissaBits) & 0xff;
    if (exponent == kNotFinite) {
      continue;
    }
    int64_t mantissa = bits & ((1u << kMantissaBits) - 1);
    mantissa |= exponent != 0 ? int64_t(1) << kMantissaBits : 0;
    Sums &sums = byExponent[exponent];
    sums.mantissas += bits >> 31 ? -mantissa : mantissa;
    uint64_t square = static_cast<uint64_t>(mantissa * mantissa);
    sums.squaresLow += square;
    sums.squaresHigh += sums.squaresLow < square;
    ++count;
  }
}

void Moments::add(const Moments &other) {
  count += other.count;
  for (size_t i = 0; i < byExponent.size(); ++i) {
    Sums &sums = byExponent[i];
    const Sums &more = other.byExponent[i];
    sums.mantissas += more.mantissas;
    sums.squaresLow += more.squaresLow;
    sums.squaresHigh +=
        more.squaresHigh + (sums.squaresLow < more.squaresLow ? 1 : 0);
  }
}

double Moments::getMean() const {
  double sum = 0;
  for (size_t i = 0; i < byExponent.size(); ++i) {
    sum += std::ldexp(static_cast<double>(byExponent[i].mantissas),
                      getPlace(static_cast<unsigned>(i)));
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double Moments::getStandardDeviation() const {
  double sum = 0;
  for (size_t i = 0; i < byExponent.size(); ++i) {
    const Sums &sums = byExponent[i];
    double squares = std::ldexp(static_cast<double>(sums.squaresHigh), 64) +
                     static_cast<double>(sums.squaresLow);
    sum += std::ldexp(squares, 2 * getPlace(static_cast<unsigned>(i)));
  }
  if (count == 0) {
    return 0;
  }
  double mean = getMean();
  return std::sqrt(
      std::max(sum / static_cast<double>(count) - mean * mean, 0.0));
}

void Statistics::widen(float newLow, float newHigh) {
  low = isEmpty ? newLow : std::min(low, newLow);
  high = isEmpty ? newHigh : std::max(high, newHigh);
  isEmpty = false;
}

void Statistics::add(llvm::ArrayRef<float> values,
                     llvm::ArrayRef<int64_t> shape) {
  float least = std::numeric_limits<float>::infinity(), most = -least;
  for (float value : values) {
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    } else {
      ++(std::isnan(value) ? nans : infinities);
    }
  }
  if (least > most) {
    return;
  }
  widen(least, most);
  moments.add(values);
  histogram.add(values, least, most);
  addChannels(values, shape);
}

void Statistics::addChannels(llvm::ArrayRef<float> values,
                             llvm::ArrayRef<int64_t> shape) {
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) {
    return;
  }
  int64_t inner = 1;
  for (int64_t size : shape.drop_front(axis + 1)) {
    inner *= size;
  }
  int64_t numChannels = shape[axis];
  ChannelRanges found;
  found.axis = axis;
  found.low.assign(numChannels, std::numeric_limits<float>::infinity());
  found.high.assign(numChannels, -std::numeric_limits<float>::infinity());
  for (int64_t row = 0; !values.empty(); ++row) {
    float &least = found.low[row % numChannels];
    float &most = found.high[row % numChannels];
    for (float value : values.take_front(inner)) {
      if (std::isfinite(value)) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
    values = values.drop_front(inner);
  }
  merge(found);
}

void Statistics::merge(const ChannelRanges &other) {
  bool isFirst = channels.low.empty() && !channelsVary;
  if (isFirst) {
    channels = other;
    return;
  }
  if (channels.low.size() != other.low.size()) {
    channelsVary = true;
    channels = {};
    return;
  }
  for (size_t i = 0; i < other.low.size(); ++i) {
    channels.low[i] = std::min(channels.low[i], other.low[i]);
    channels.high[i] = std::max(channels.high[i], other.high[i]);
  }
}

void Statistics::add(const Statistics &other) {
  nans += other.nans;
  infinities += other.infinities;
  if (other.isEmpty) {
    return;
  }
  widen(other.low, other.high);
  moments.add(other.moments);
  histogram.add(other.histogram);
  if (other.channelsVary) {
    channelsVary = true;
    channels = {};
  } else if (!other.channels.low.empty()) {
    merge(other.channels);
  }
}
