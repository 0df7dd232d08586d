//===- RandomUtils.cpp - The generator of random numbers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's RandomState: the Mersenne Twister, and the distributions on it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/RandomUtils.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

uint32_t IE::getGeneratorSeed(const APFloat &seed) {
  llvm::APSInt integer(32, /*isUnsigned=*/true);
  bool isExact = false;
  seed.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  if (isExact) {
    return static_cast<uint32_t>(integer.getZExtValue());
  }
  APFloat single = seed;
  bool isRounded;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &isRounded);
  return static_cast<uint32_t>(single.bitcastToAPInt().getZExtValue());
}

SmallVector<uint32_t, 0> IE::getTwisterState(uint32_t seed) {
  SmallVector<uint32_t, 0> state;
  for (uint32_t i = 0; i < kTwisterSize; ++i) {
    state.push_back(seed);
    seed = 1812433253u * (seed ^ (seed >> 30)) + i + 1;
  }
  return state;
}

double IE::RandomNumbers::drawUniform() {
  // One after the other: operands of an operator are evaluated in any order.
  auto high = static_cast<double>(twister() >> 5);
  auto low = static_cast<double>(twister() >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double IE::RandomNumbers::drawNormal() {
  if (second) {
    double normal = *second;
    second.reset();
    return normal;
  }
  double x, y, square;
  do {
    x = 2 * drawUniform() - 1;
    y = 2 * drawUniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  double factor = std::sqrt(-2 * std::log(square) / square);
  second = factor * x;
  return factor * y;
}
