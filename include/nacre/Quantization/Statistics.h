//===- Statistics.h - What is known of a value's elements -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of a value over many runs, kept in memory that does not grow with
// them. All of them are exact counts and extremes, and sums of twice the bits
// that they are read with, so that the order of the runs does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_STATISTICS_H
#define NACRE_QUANTIZATION_STATISTICS_H

#include "nacre/Quantization/Histogram.h"

namespace nacre::quantization {

/// The least and the largest number of each index of a dimension, the mean, and
/// the standard deviation, which profiles of earlier versions do not have.
struct ChannelRanges {
  int64_t axis = 0;
  std::vector<float> low, high, mean, deviation;
};

/// A sum in two doubles, 106 bits: exact unless numbers are very far apart, so
/// that the order of the numbers does not matter.
struct LongSum {
  double high = 0, low = 0;

  void add(double value) {
    // After Knuth: what rounding takes from one part, the other gets.
    double sum = high + value, part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  void add(const LongSum &other) {
    add(other.high);
    add(other.low);
  }
  double get() const { return high + low; }
};

/// What is known of some numbers: nothing but zeros where there are none.
struct Summary {
  uint64_t count = 0;
  float low = 0, high = 0;
  LongSum sum, squares;

  /// Of finite numbers.
  static Summary of(llvm::ArrayRef<float> values);
  void add(float value);
  void add(const Summary &other);
  double getMean() const;
  double getDeviation() const;
};

class Statistics {
public:
  /// Of numbers in `bins` bins. Channels are the indices of dimension `axis`;
  /// there are none for a negative one.
  Statistics(size_t bins, int64_t axis) : axis(axis), histogram(bins) {}

  /// Adds the elements of a tensor in row-major order.
  void add(llvm::ArrayRef<float> values, llvm::ArrayRef<int64_t> shape);

  /// Of the finite numbers.
  const Summary &getSummary() const { return all; }
  uint64_t getNaNs() const { return nans; }
  uint64_t getInfinities() const { return infinities; }
  const Histogram &getHistogram() const { return histogram; }
  /// Empty where their number is not the same in all runs.
  ChannelRanges getChannels() const;

private:
  void merge(llvm::ArrayRef<Summary> other);

  int64_t axis;
  uint64_t nans = 0, infinities = 0;
  bool channelsVary = false;
  Summary all;
  Histogram histogram;
  std::vector<Summary> channels;
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_STATISTICS_H
