//===- Statistics.h - What is known of a value's elements -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of a value over many runs, kept in memory that does not grow with
// them. All of them are exact sums, counts and extremes, so that the order of
// the runs does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_STATISTICS_H
#define NACRE_QUANTIZATION_STATISTICS_H

#include "nacre/Quantization/Histogram.h"

#include <array>

namespace nacre::quantization {

/// The sum of floats and that of their squares, without rounding: by exponent,
/// mantissas are integers. For up to 2^39 numbers.
class Moments {
public:
  void
  add(llvm::ArrayRef<float> values); // those that are not finite do not count
  void add(const Moments &other);
  uint64_t getCount() const { return count; }
  double getMean() const;
  double getStandardDeviation() const;

private:
  struct Sums {
    int64_t mantissas = 0;
    /// Of squares, which may be as many bits as the count and 48.
    uint64_t squaresLow = 0, squaresHigh = 0;
  };

  uint64_t count = 0;
  std::array<Sums, 255> byExponent;
};

/// The least and the largest number of each index of a dimension.
struct ChannelRanges {
  int64_t axis = 0;
  std::vector<float> low, high;
};

class Statistics {
public:
  /// Of numbers in `bins` bins. Channels are the indices of dimension `axis`;
  /// there are none for a negative one.
  Statistics(size_t bins, int64_t axis) : axis(axis), histogram(bins) {}

  /// Adds the elements of a tensor in row-major order.
  void add(llvm::ArrayRef<float> values, llvm::ArrayRef<int64_t> shape);
  /// Adds what another of the same kind has seen.
  void add(const Statistics &other);

  uint64_t getCount() const { return moments.getCount(); }
  uint64_t getNaNs() const { return nans; }
  uint64_t getInfinities() const { return infinities; }
  /// Of the finite numbers; 0 where there are none.
  float getLow() const { return low; }
  float getHigh() const { return high; }
  const Moments &getMoments() const { return moments; }
  const Histogram &getHistogram() const { return histogram; }
  /// Empty where their number is not the same in all runs.
  const ChannelRanges &getChannels() const { return channels; }

private:
  void addChannels(llvm::ArrayRef<float> values, llvm::ArrayRef<int64_t> shape);
  void merge(const ChannelRanges &other);
  void widen(float newLow, float newHigh);

  int64_t axis;
  uint64_t nans = 0, infinities = 0;
  bool isEmpty = true, channelsVary = false;
  float low = 0, high = 0;
  Moments moments;
  Histogram histogram;
  ChannelRanges channels;
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_STATISTICS_H
