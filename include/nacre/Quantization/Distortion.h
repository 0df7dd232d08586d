//===- Distortion.h - How far numbers are from others -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rounding has done to the numbers of a value, over many runs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_DISTORTION_H
#define NACRE_QUANTIZATION_DISTORTION_H

#include "nacre/Quantization/Statistics.h"

namespace nacre::quantization {

/// Decibels of a signal over noise, from the sums of their squares: infinite
/// without noise.
double getDecibels(double signal, double noise);

/// Decibels as files hold them, which are finite: those of numbers that are
/// exact are not.
double limitDecibels(double decibels);

/// To a tenth: what is less, the order of sums decides.
double roundDecibels(double decibels);

class Distortion {
public:
  /// Adds numbers, beside what they should be. Pairs of equal infinities and of
  /// NaNs count as equal numbers; other pairs with one as infinite noise.
  void add(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found);
  /// The same of double, int64_t and uint64_t. Integers that differ never count
  /// as equal, though they may be as doubles.
  template <typename T>
  void add(llvm::ArrayRef<T> expected, llvm::ArrayRef<T> found);

  uint64_t getCount() const { return count; }
  /// Whether anything that is expected is not 0.
  bool hasSignal() const { return signal.get() > 0; }
  double getDecibels() const;
  /// The cosine of the angle between both, as vectors; 1 for two of zeros.
  double getCosine() const;
  double getLargestError() const { return largest; }

private:
  template <typename T>
  void addAll(llvm::ArrayRef<T> expected, llvm::ArrayRef<T> found);

  uint64_t count = 0;
  LongSum signal, noise, product, squares; // of what is expected, found …
  double largest = 0;
};

/// How often the largest of a row is where it should be.
class Agreement {
public:
  /// Adds rows of `width` numbers.
  void add(llvm::ArrayRef<float> expected, llvm::ArrayRef<float> found,
           int64_t width);

  uint64_t getCount() const { return count; }
  uint64_t getSame() const { return same; }

private:
  uint64_t count = 0, same = 0;
};

/// The position of the largest number, of equal ones the first.
int64_t findLargest(llvm::ArrayRef<float> row);

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_DISTORTION_H
