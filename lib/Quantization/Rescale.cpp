//===- Rescale.cpp - Values whose channels are multiplied -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a channel its extremes, mean and deviation are known. It is taken for a
// Laplace distribution between the extremes, whose tails are heavy, as those of
// activations are: nothing that occurs is taken for rarer than it is.
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Rescale.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace nacre::quantization;

/// Bins of a whole value, and of one channel, at most.
static constexpr double kNumBins = 512, kNumChannelBins = 64;
/// What all bins of a channel hold.
static constexpr double kNumCounted = 1 << 20;

namespace {

struct Channel {
  double low, high, mean, deviation;
};

} // namespace

static Channel getChannel(const ChannelRanges &channels, size_t i) {
  Channel channel = {channels.low[i], channels.high[i], channels.mean[i], 0};
  // Where nothing is known of it, as if all numbers were equally likely.
  double otherwise = (channel.high - channel.low) / std::sqrt(12);
  channel.deviation = channels.deviation.empty()
                          ? otherwise
                          : static_cast<double>(channels.deviation[i]);
  return channel;
}

/// Empty bins from one number to another, at most `limit` of them.
static Bins makeBins(double low, double high, double limit) {
  constexpr int kLeastExponent = -126;
  Bins bins;
  double width = (high - low) / (limit - 1);
  bins.exponent = width > 0
                      ? std::max(static_cast<int>(std::ceil(std::log2(width))),
                                 kLeastExponent)
                      : kLeastExponent;
  auto find = [&](double number) {
    return static_cast<int64_t>(std::floor(std::ldexp(number, -bins.exponent)));
  };
  if (low == high) {
    // Their numbers have to fit.
    constexpr int kPlaces = 23;
    int exponent = low == 0 ? kLeastExponent : std::ilogb(low) - kPlaces;
    bins.exponent = std::max(exponent, kLeastExponent);
  }
  bins.first = find(low);
  bins.counts.assign(find(high) - bins.first + 1, 0);
  return bins;
}

/// How much of a Laplace distribution is below a number.
static double getPartBelow(double number, const Channel &channel) {
  double distance = (number - channel.mean) / channel.deviation * std::sqrt(2);
  return distance < 0 ? std::exp(distance) / 2 : 1 - std::exp(-distance) / 2;
}

/// Counts what a channel is likely to hold.
static void addChannel(Bins &bins, const Channel &channel) {
  double width = bins.getWidth();
  auto findBin = [&](double number) {
    auto bin = static_cast<int64_t>(std::floor(number / width)) - bins.first;
    return std::clamp<int64_t>(bin, 0,
                               static_cast<int64_t>(bins.counts.size()) - 1);
  };
  int64_t begin = findBin(channel.low), end = findBin(channel.high);
  if (begin == end || channel.deviation <= 0) {
    bins.counts[findBin(channel.mean)] += static_cast<uint64_t>(kNumCounted);
    return;
  }
  double below = getPartBelow(channel.low, channel);
  double part = getPartBelow(channel.high, channel) - below;
  if (part <= 0) {
    bins.counts[findBin(channel.mean)] += static_cast<uint64_t>(kNumCounted);
    return;
  }
  for (int64_t bin = begin; bin <= end; ++bin) {
    double edge = static_cast<double>(bins.first + bin + 1) * width;
    double next = getPartBelow(std::min(edge, channel.high), channel);
    bins.counts[bin] +=
        static_cast<uint64_t>(std::max(next - below, 0.0) / part * kNumCounted);
    below = next;
  }
  // The extremes have occurred.
  ++bins.counts[begin];
  ++bins.counts[end];
}

ValueProfile nacre::quantization::rescale(const ValueProfile &value,
                                          llvm::ArrayRef<float> factors) {
  assert(value.channels && value.channels->low.size() == factors.size() &&
         !factors.empty() && "expected a factor for each channel");
  ValueProfile result = value;
  result.histogram = Bins();
  ChannelRanges &channels = *result.channels;
  double sum = 0, squares = 0;
  auto count = static_cast<double>(factors.size());
  for (size_t i = 0; i < factors.size(); ++i) {
    for (std::vector<float> *numbers :
         {&channels.low, &channels.high, &channels.mean, &channels.deviation}) {
      if (!numbers->empty()) {
        (*numbers)[i] *= factors[i];
      }
    }
    Channel channel = getChannel(channels, i);
    sum += channel.mean;
    squares +=
        channel.mean * channel.mean + channel.deviation * channel.deviation;
  }
  result.mean = sum / count;
  result.deviation =
      std::sqrt(std::max(squares / count - result.mean * result.mean, 0.0));
  result.low = *llvm::min_element(channels.low);
  result.high = *llvm::max_element(channels.high);
  if (!channels.deviation.empty()) {
    result.histogram = makeBins(result.low, result.high, kNumBins);
    for (size_t i = 0; i < factors.size(); ++i) {
      addChannel(result.histogram, getChannel(channels, i));
    }
  }
  return result;
}

std::vector<double>
nacre::quantization::getChannelSquares(const ValueProfile &value) {
  std::vector<double> squares;
  for (size_t i = 0; i < value.channels->low.size(); ++i) {
    Channel channel = getChannel(*value.channels, i);
    squares.push_back(channel.mean * channel.mean +
                      channel.deviation * channel.deviation);
  }
  return squares;
}

std::vector<double>
nacre::quantization::getChannelErrors(const ValueProfile &value,
                                      const Parameters &parameters) {
  std::vector<double> errors;
  for (size_t i = 0; i < value.channels->low.size(); ++i) {
    Channel channel = getChannel(*value.channels, i);
    Bins bins = makeBins(channel.low, channel.high, kNumChannelBins);
    addChannel(bins, channel);
    errors.push_back(getSquaredError(bins, parameters));
  }
  return errors;
}
