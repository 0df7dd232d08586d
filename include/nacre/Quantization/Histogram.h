//===- Histogram.h - How often which numbers occur --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts floats in bins whose width is a power of two and whose edges are
// multiples of it. Two neighbours are exactly one bin of twice the width, so
// that the histogram of a set of numbers depends neither on their order nor on
// how they were divided into parts.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_HISTOGRAM_H
#define NACRE_QUANTIZATION_HISTOGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace nacre::quantization {

/// Counts of numbers in bins of one width.
struct Bins {
  /// A bin is 2^exponent wide, the first begins at `first` widths.
  int exponent = 0;
  int64_t first = 0;
  /// From the bin of the least number to that of the largest.
  std::vector<uint64_t> counts;

  double getWidth() const;
};

class Histogram {
public:
  /// At most `limit` bins, from 2.
  explicit Histogram(size_t limit = 2048) : limit(limit) {}

  /// Counts finite numbers, whose least and largest the caller knows. The
  /// others are left out.
  void add(llvm::ArrayRef<float> values, float low, float high);

  /// The narrowest bins of which so many hold all numbers.
  const Bins &getBins() const { return bins; }

private:
  /// Widens the bins, and adds empty ones, until they hold both numbers.
  void cover(float newLow, float newHigh);
  /// Counts what narrower bins have counted, all of it covered.
  void addMerged(const Bins &other);

  size_t limit;
  float low = 0, high = 0;
  Bins bins;
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_HISTOGRAM_H
