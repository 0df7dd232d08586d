//===- Statistics.cpp - What is known of a value's elements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run has millions of numbers: what looks at each of them is written so that
// compilers make vectors of it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nacre::quantization;

/// Integers that are ordered as the floats are, which vectors find extremes of
/// without caring about NaN. The function is its own inverse.
static int32_t exchangeOrder(int32_t bits) {
  return bits ^ ((bits >> 31) & std::numeric_limits<int32_t>::max());
}

static float fromOrdered(int32_t ordered) {
  return llvm::bit_cast<float>(exchangeOrder(ordered));
}

/// Sums of every eighth number: each waits for the one before it.
static constexpr size_t kLanes = 8;

Summary Summary::of(llvm::ArrayRef<float> values) {
  Summary result;
  if (values.empty()) {
    return result;
  }
  LongSum sums[kLanes], squares[kLanes];
  int32_t least = std::numeric_limits<int32_t>::max(), most = ~least;
  size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      double value = values[i + lane];
      sums[lane].add(value);
      squares[lane].add(value * value);
    }
  }
  for (; i < values.size(); ++i) {
    double value = values[i];
    sums[i % kLanes].add(value);
    squares[i % kLanes].add(value * value);
  }
  for (float value : values) {
    int32_t ordered = exchangeOrder(llvm::bit_cast<int32_t>(value));
    least = std::min(least, ordered);
    most = std::max(most, ordered);
  }
  result.count = values.size();
  // Of two zeros the one without a sign, whatever came first.
  result.low = fromOrdered(least) + 0.0f;
  result.high = fromOrdered(most) + 0.0f;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    result.sum.add(sums[lane]);
    result.squares.add(squares[lane]);
  }
  return result;
}

void Summary::add(float value) {
  value += 0.0f;
  low = count == 0 ? value : std::min(low, value);
  high = count == 0 ? value : std::max(high, value);
  ++count;
  sum.add(value);
  squares.add(static_cast<double>(value) * value);
}

void Summary::add(const Summary &other) {
  if (other.count == 0) {
    return;
  }
  low = count == 0 ? other.low : std::min(low, other.low);
  high = count == 0 ? other.high : std::max(high, other.high);
  count += other.count;
  sum.add(other.sum);
  squares.add(other.squares);
}

double Summary::getMean() const {
  return count == 0 ? 0 : sum.get() / static_cast<double>(count);
}

double Summary::getDeviation() const {
  if (count == 0) {
    return 0;
  }
  double mean = getMean();
  double variance = squares.get() / static_cast<double>(count) - mean * mean;
  return std::sqrt(std::max(variance, 0.0));
}

/// Rows of numbers that belong to one channel each, in turn.
static std::vector<Summary> summarize(llvm::ArrayRef<float> values,
                                      size_t rowSize, size_t numChannels,
                                      bool allFinite) {
  std::vector<Summary> channels(numChannels);
  llvm::SmallVector<float> finite;
  for (size_t row = 0; !values.empty(); ++row) {
    llvm::ArrayRef<float> numbers = values.take_front(rowSize);
    if (!allFinite) {
      finite.clear();
      llvm::copy_if(numbers, std::back_inserter(finite),
                    [](float value) { return std::isfinite(value); });
      numbers = finite;
    }
    Summary &channel = channels[row % numChannels];
    // Lanes do not pay for few numbers.
    if (numbers.size() < 4 * kLanes) {
      llvm::for_each(numbers, [&](float value) { channel.add(value); });
    } else {
      channel.add(Summary::of(numbers));
    }
    values = values.drop_front(rowSize);
  }
  return channels;
}

void Statistics::add(llvm::ArrayRef<float> values,
                     llvm::ArrayRef<int64_t> shape) {
  if (values.empty()) {
    return;
  }
  bool hasChannels = axis >= 0 && axis < static_cast<int64_t>(shape.size());
  size_t rowSize = values.size();
  if (hasChannels) {
    rowSize = 1;
    for (int64_t size : shape.drop_front(axis + 1)) {
      rowSize *= size;
    }
  }
  uint64_t before = nans + infinities;
  for (float value : values) {
    nans += std::isnan(value) ? 1 : 0;
    infinities += std::isinf(value) ? 1 : 0;
  }
  std::vector<Summary> found =
      summarize(values, rowSize, hasChannels ? shape[axis] : 1,
                /*allFinite=*/nans + infinities == before);
  Summary run;
  for (const Summary &channel : found) {
    run.add(channel);
  }
  if (run.count == 0) {
    return;
  }
  all.add(run);
  histogram.add(values, run.low, run.high);
  if (hasChannels) {
    merge(found);
  }
}

void Statistics::merge(llvm::ArrayRef<Summary> other) {
  bool isFirst = channels.empty() && !channelsVary;
  if (isFirst) {
    channels = other.vec();
    return;
  }
  if (channels.size() != other.size()) {
    channelsVary = true;
    channels = {};
    return;
  }
  for (auto [mine, theirs] : llvm::zip_equal(channels, other)) {
    mine.add(theirs);
  }
}

ChannelRanges Statistics::getChannels() const {
  ChannelRanges result;
  result.axis = axis;
  for (const Summary &channel : channels) {
    result.low.push_back(channel.low);
    result.high.push_back(channel.high);
    result.mean.push_back(static_cast<float>(channel.getMean()));
    result.deviation.push_back(static_cast<float>(channel.getDeviation()));
  }
  return result;
}
