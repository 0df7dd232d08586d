//===- SmallNumbers.h - Numbers of eight bits and fewer ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// float8, float4 and integers of four and two bits: formats to store numbers
// in. Only conversions compute with them. Wherever nacre holds elements of such
// a type, each is a byte with the number's bits at its low end and zeros above.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H
#define NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <utility>

namespace nacre::IE {

/// True for the element types of this file.
bool isSmallNumber(mlir::Type element);

/// True for those of four and two bits, of which callers of a model, and files,
/// put two and four into a byte.
bool isPacked(mlir::Type element);

/// The integers that elements stand for in NumPy: of a float, its codes.
std::pair<int, int> getSmallNumberRange(mlir::Type element);

/// How a small float that has a sign is laid out. Codes are without it.
struct SmallFloatFormat {
  unsigned bits; // with the sign
  unsigned mantissaBits;
  int bias;
  uint8_t largest;  // the largest finite number
  uint8_t overflow; // what is larger, where it does not saturate
  uint8_t nan;      // the largest number where there is no NaN
  bool hasInfinity;
  /// No negative zero: its code is that of NaN.
  bool isUnsignedZero;
};
SmallFloatFormat getSmallFloatFormat(mlir::Type element);

/// float8e8m0: powers of two from 2^-127 on, and NaN. It has neither sign nor
/// zero; blocks of other small numbers have it for a scale.
constexpr int kScaleBias = 127;
constexpr uint8_t kLargestScale = 0xFE, kScaleNaN = 0xFF;

/// Which of two neighbours a number becomes that lies between: the greater, the
/// smaller or the nearer, which of two is the greater.
enum class RoundMode { Up, Down, Nearest };

/// How Cast converts to small floats.
struct CastOptions {
  bool saturates = true;
  RoundMode roundMode = RoundMode::Up; // to float8e8m0

  /// From the attributes of Cast.
  CastOptions(int64_t saturate, llvm::StringRef roundMode);
};

/// The number of a code.
double decodeSmallNumber(mlir::Type element, uint8_t code);

/// The code of a number. Floats round to nearest even, after rounding to float,
/// and what is too large becomes the largest or, unless it saturates, the
/// format's infinity or NaN. To float8e8m0 a magnitude rounds as told, and what
/// is too small becomes the smallest or NaN. Integers are truncated towards
/// zero; those of four bits saturate, NaN being 0, those of two wrap.
uint8_t encodeSmallNumber(mlir::Type element, double value,
                          const CastOptions &options);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H
