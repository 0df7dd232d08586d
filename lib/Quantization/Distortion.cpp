//===- Distortion.cpp - How far numbers are from others -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Distortion.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace nacre::quantization;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

double nacre::quantization::getDecibels(double signal, double noise) {
  return noise == 0 ? kInfinity : 10 * std::log10(signal / noise);
}

double nacre::quantization::limitDecibels(double decibels) {
  constexpr double kMost = 300;
  return std::clamp(decibels, -kMost, kMost);
}

double nacre::quantization::roundDecibels(double decibels) {
  constexpr double kParts = 10;
  // What is next to nothing has no sign.
  return std::round(decibels * kParts) / kParts + 0.0;
}

template <typename T> static double getError(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
    return static_cast<double>(x < y ? b - a : a - b);
  } else {
    return std::abs(static_cast<double>(x) - static_cast<double>(y));
  }
}

/// The product of two numbers, which sums of many stay finite with. That of
/// doubles alone can be as large as that.
template <typename T> static double multiply(double x, double y) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr double kMost = 1e290;
    return std::clamp(x * y, -kMost, kMost);
  }
  return x * y;
}

/// The square of an error, which is not 0 unless the error is.
template <typename T> static double square(double error) {
  constexpr double kLeast = std::numeric_limits<double>::min();
  return error == 0 ? 0 : std::max(multiply<T>(error, error), kLeast);
}

template <typename T>
void Distortion::addAll(llvm::ArrayRef<T> expected, llvm::ArrayRef<T> found) {
  count += expected.size();
  // Sums of doubles lose little over one tensor, and are fast.
  double sums[4] = {0, 0, 0, 0};
  for (auto [wanted, value] : llvm::zip_equal(expected, found)) {
    double x = static_cast<double>(wanted), y = static_cast<double>(value);
    double error = getError(wanted, value);
    if (std::isfinite(error)) {
      sums[0] += multiply<T>(x, x);
      sums[1] += square<T>(error);
      sums[2] += multiply<T>(x, y);
      sums[3] += multiply<T>(y, y);
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

void Distortion::add(llvm::ArrayRef<float> expected,
                     llvm::ArrayRef<float> found) {
  addAll(expected, found);
}

template <typename T>
void Distortion::add(llvm::ArrayRef<T> expected, llvm::ArrayRef<T> found) {
  addAll(expected, found);
}

template void Distortion::add(llvm::ArrayRef<double>, llvm::ArrayRef<double>);
template void Distortion::add(llvm::ArrayRef<int64_t>, llvm::ArrayRef<int64_t>);
template void Distortion::add(llvm::ArrayRef<uint64_t>,
                              llvm::ArrayRef<uint64_t>);

double Distortion::getDecibels() const {
  if (largest == 0 || largest == kInfinity) {
    return largest == 0 ? kInfinity : -kInfinity;
  }
  // The ratio of two doubles may be none.
  return 10 * (std::log10(signal.get()) - std::log10(noise.get()));
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
