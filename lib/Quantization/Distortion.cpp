//===- Distortion.cpp - How far numbers are from others -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Distortion.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace nacre::quantization;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

double nacre::quantization::getDecibels(double signal, double noise) {
  return noise == 0 ? kInfinity : 10 * std::log10(signal / noise);
}

void Distortion::add(llvm::ArrayRef<float> expected,
                     llvm::ArrayRef<float> found) {
  count += expected.size();
  // Sums of doubles lose little over one tensor, and are fast.
  double sums[4] = {0, 0, 0, 0};
  for (auto [wanted, value] : llvm::zip_equal(expected, found)) {
    double x = static_cast<double>(wanted), y = static_cast<double>(value);
    double error = std::abs(x - y);
    if (std::isfinite(error)) {
      sums[0] += x * x;
      sums[1] += error * error;
      sums[2] += x * y;
      sums[3] += y * y;
      largest = std::max(largest, error);
    } else if (x != y && !(std::isnan(x) && std::isnan(y))) {
      sums[1] = largest = kInfinity;
    }
  }
  signal.add(sums[0]);
  noise.add(sums[1]);
  product.add(sums[2]);
  squares.add(sums[3]);
}

double Distortion::getDecibels() const {
  return largest == kInfinity
             ? -kInfinity
             : quantization::getDecibels(signal.get(), noise.get());
}

double Distortion::getCosine() const {
  double lengths = std::sqrt(signal.get()) * std::sqrt(squares.get());
  if (lengths == 0) {
    return signal.get() == squares.get() ? 1 : 0;
  }
  return largest == kInfinity ? 0 : product.get() / lengths;
}

int64_t nacre::quantization::findLargest(llvm::ArrayRef<float> row) {
  return llvm::max_element(row) - row.begin();
}

void Agreement::add(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found,
                    int64_t width) {
  for (size_t i = 0; i < expected.size(); i += width) {
    ++count;
    same += findLargest(expected.slice(i, width)) ==
            findLargest(found.slice(i, width));
  }
}
