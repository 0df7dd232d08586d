//===- Histogram.cpp - How often which numbers occur ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace nacre::quantization;

/// The number of the bin that holds `value`, of bins of 2^exponent.
static int64_t findBin(double value, int exponent) {
  return static_cast<int64_t>(std::floor(std::ldexp(value, -exponent)));
}

/// The width of bins depends on the least and the largest number alone, which
/// is what makes the order of numbers irrelevant.
static int chooseExponent(float low, float high, size_t limit) {
  // Bins narrower than the last place of the largest number would be in vain;
  // and their numbers fit.
  constexpr int kMantissaBits = 23, kLeastExponent = -126;
  float largest = std::max(std::fabs(low), std::fabs(high));
  int exponent = std::max(largest > 0 ? std::ilogb(largest) : kLeastExponent,
                          kLeastExponent) -
                 kMantissaBits;
  while (findBin(high, exponent) - findBin(low, exponent) >=
         static_cast<int64_t>(limit)) {
    ++exponent;
  }
  return exponent;
}

double Bins::getWidth() const { return std::ldexp(1.0, exponent); }

void Histogram::cover(float newLow, float newHigh) {
  if (!bins.counts.empty() && newLow >= low && newHigh <= high) {
    return;
  }
  Bins before = std::move(bins);
  low = before.counts.empty() ? newLow : std::min(low, newLow);
  high = before.counts.empty() ? newHigh : std::max(high, newHigh);
  bins.exponent = chooseExponent(low, high, limit);
  bins.first = findBin(low, bins.exponent);
  bins.counts.assign(findBin(high, bins.exponent) - bins.first + 1, 0);
  addMerged(before);
}

void Histogram::addMerged(const Bins &other) {
  int shift = bins.exponent - other.exponent;
  assert(other.counts.empty() || shift >= 0);
  for (size_t i = 0; i < other.counts.size(); ++i) {
    // Rounds down, of negative numbers, too.
    int64_t bin = (other.first + static_cast<int64_t>(i)) >> shift;
    bins.counts[bin - bins.first] += other.counts[i];
  }
}

void Histogram::add(llvm::ArrayRef<float> values, float newLow, float newHigh) {
  assert(newLow <= newHigh && "expected the least and the largest number");
  cover(newLow, newHigh);
  double inverse = std::ldexp(1.0, -bins.exponent);
  for (float value : values) {
    if (std::isfinite(value)) {
      // Rounds down, as findBin does, but without a call.
      double position = value * inverse;
      auto bin = static_cast<int64_t>(position);
      bin -= static_cast<double>(bin) > position ? 1 : 0;
      ++bins.counts[bin - bins.first];
    }
  }
}
