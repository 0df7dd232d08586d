//===- RandomUtils.h - The generator of random numbers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random numbers of all random operators: those of NumPy's RandomState.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_RANDOMUTILS_H
#define NACRE_DIALECT_IE_UTILS_RANDOMUTILS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"

#include <random>

namespace nacre::IE {

/// The Mersenne Twister's words of state, and what they are made of.
inline constexpr uint32_t kTwisterSize = 624;
inline constexpr uint32_t kTwisterShift = 397;
inline constexpr uint32_t kTwisterMatrix = 0x9908b0df;

/// The seed of the generator that an operator's seed stands for.
uint32_t getGeneratorSeed(const llvm::APFloat &seed);

/// The state of a generator that was seeded and has drawn nothing.
llvm::SmallVector<uint32_t, 0> getTwisterState(uint32_t seed);

/// Random numbers in double precision, one after the other.
class RandomNumbers {
public:
  explicit RandomNumbers(uint32_t seed) : twister(seed) {}

  /// Uniform in [0, 1), of 53 bits.
  double drawUniform();

  /// Standard normal.
  double drawNormal();

private:
  std::mt19937 twister;
  /// Normal numbers come in pairs.
  std::optional<double> second;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_RANDOMUTILS_H
