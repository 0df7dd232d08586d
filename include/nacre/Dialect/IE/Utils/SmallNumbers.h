//===- SmallNumbers.h - Numbers of eight and four bits ----------*- C++ -*-===//
//
// float8, float4 and integers of four bits: formats to store numbers in. Only
// conversions compute with them. Wherever nacre holds elements of such a type,
// each is a byte with the number's bits at its low end and zeros above.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H
#define NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H

#include "mlir/IR/Types.h"

#include <cstdint>

namespace nacre::IE {

/// True for the element types of this file.
bool isSmallNumber(mlir::Type element);

/// True for those of four bits, of which callers of a model, and files, put two
/// into a byte.
bool isFourBit(mlir::Type element);

/// How a small float is laid out. Codes are without the sign.
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

/// The number of a code.
double decodeSmallNumber(mlir::Type element, uint8_t code);

/// The code of a number. Floats round to nearest even, after rounding to float,
/// and what is too large becomes the largest or, unless it `saturates`, the
/// format's infinity or NaN. Integers are truncated towards zero and saturate;
/// NaN is 0.
uint8_t encodeSmallNumber(mlir::Type element, double value, bool saturates);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SMALLNUMBERS_H
