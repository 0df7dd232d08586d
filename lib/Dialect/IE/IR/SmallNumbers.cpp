//===- SmallNumbers.cpp - Numbers of eight bits and fewer -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats, and conversion one number at a time.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nacre;

bool IE::isSmallNumber(Type element) {
  return isPacked(element) ||
         isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType, Float8E8M0FNUType>(element);
}

bool IE::isPacked(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return isa<Float4E2M1FNType>(element) ||
         (integer && !integer.isSigned() &&
          (integer.getWidth() == 4 || integer.getWidth() == 2));
}

std::pair<int, int> IE::getSmallNumberRange(Type element) {
  int count = 1 << element.getIntOrFloatBitWidth();
  return element.isSignlessInteger() ? std::pair(-count / 2, count / 2 - 1)
                                     : std::pair(0, count - 1);
}

IE::CastOptions::CastOptions(int64_t saturate, StringRef roundMode)
    : saturates(saturate != 0),
      roundMode(roundMode == "up"     ? RoundMode::Up
                : roundMode == "down" ? RoundMode::Down
                                      : RoundMode::Nearest) {}

IE::SmallFloatFormat IE::getSmallFloatFormat(Type element) {
  if (isa<Float8E4M3FNType>(element)) {
    return {8, 3, 7, 0x7E, 0x7F, 0x7F, false, false};
  }
  if (isa<Float8E4M3FNUZType>(element)) {
    return {8, 3, 8, 0x7F, 0x80, 0x80, false, true};
  }
  if (isa<Float8E5M2Type>(element)) {
    return {8, 2, 15, 0x7B, 0x7C, 0x7F, true, false};
  }
  if (isa<Float8E5M2FNUZType>(element)) {
    return {8, 2, 16, 0x7F, 0x80, 0x80, false, true};
  }
  assert(isa<Float4E2M1FNType>(element) && "not a small float");
  return {4, 1, 1, 0x7, 0x7, 0x7, false, false};
}

/// The value of a finite code without its sign.
static double decodeMagnitude(const IE::SmallFloatFormat &format,
                              unsigned code) {
  unsigned fraction = code & ((1u << format.mantissaBits) - 1);
  int exponent = static_cast<int>(code >> format.mantissaBits);
  int scale = 1 - format.bias - static_cast<int>(format.mantissaBits);
  if (exponent == 0) {
    return std::ldexp(fraction, scale);
  }
  return std::ldexp(fraction + (1u << format.mantissaBits),
                    exponent - 1 + scale);
}

double IE::decodeSmallNumber(Type element, uint8_t code) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    auto [low, high] = getSmallNumberRange(element);
    return code > high ? code - (high - low + 1) : code;
  }
  if (isa<Float8E8M0FNUType>(element)) {
    return code == kScaleNaN ? std::numeric_limits<double>::quiet_NaN()
                             : std::ldexp(1.0, code - kScaleBias);
  }
  SmallFloatFormat format = getSmallFloatFormat(element);
  unsigned sign = 1u << (format.bits - 1);
  unsigned magnitude = code & (sign - 1);
  double value = decodeMagnitude(format, magnitude);
  if (format.isUnsignedZero ? code == format.nan : magnitude > format.largest) {
    value = format.hasInfinity && magnitude == format.overflow
                ? std::numeric_limits<double>::infinity()
                : std::numeric_limits<double>::quiet_NaN();
  }
  return code & sign ? -value : value;
}

static uint8_t encodeInteger(IntegerType type, double value) {
  if (std::isnan(value)) {
    return 0;
  }
  // Two bits wrap as integers of eight do.
  auto [low, high] = type.getWidth() == 2
                         ? std::pair(std::numeric_limits<int>::min(),
                                     std::numeric_limits<int>::max())
                         : IE::getSmallNumberRange(type);
  double limited = std::min(std::max(value, double(low)), double(high));
  return static_cast<unsigned>(static_cast<int>(limited)) &
         llvm::maskTrailingOnes<unsigned>(type.getWidth());
}

static uint8_t encodeScale(double magnitude, const IE::CastOptions &options) {
  double smallest = std::ldexp(1.0, -IE::kScaleBias);
  double largest = std::ldexp(1.0, IE::kLargestScale - IE::kScaleBias);
  if (std::isnan(magnitude) ||
      (!options.saturates && (magnitude < smallest || magnitude > largest))) {
    return IE::kScaleNaN;
  }
  int exponent;
  double fraction =
      std::frexp(std::min(std::max(magnitude, smallest), largest), &exponent);
  bool isUp =
      options.roundMode == IE::RoundMode::Up
          ? fraction > 0.5
          : options.roundMode == IE::RoundMode::Nearest && fraction >= 0.75;
  return static_cast<uint8_t>(exponent - 1 + IE::kScaleBias + isUp);
}

/// The code nearest to a magnitude, of two the even one; `overflow` beyond the
/// largest.
static unsigned encodeMagnitude(const IE::SmallFloatFormat &format,
                                double magnitude) {
  unsigned below = 0, above = format.largest + 1u;
  while (above - below > 1) {
    unsigned middle = (below + above) / 2;
    (decodeMagnitude(format, middle) <= magnitude ? below : above) = middle;
  }
  double low = decodeMagnitude(format, below);
  // One more than the largest is a number for rounding's sake.
  double high = decodeMagnitude(format, above);
  double middle = low + (high - low) / 2;
  bool isUp = magnitude > middle || (magnitude == middle && below % 2 == 1);
  unsigned code = isUp ? above : below;
  return code > format.largest ? format.overflow : code;
}

uint8_t IE::encodeSmallNumber(Type element, double value,
                              const CastOptions &options) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    return encodeInteger(integer, value);
  }
  auto number = static_cast<float>(value);
  if (isa<Float8E8M0FNUType>(element)) {
    return encodeScale(std::fabs(number), options);
  }
  SmallFloatFormat format = getSmallFloatFormat(element);
  unsigned sign = std::signbit(number) ? 1u << (format.bits - 1) : 0;
  if (std::isnan(number)) {
    return format.nan | sign;
  }
  unsigned code = encodeMagnitude(format, std::fabs(number));
  if (options.saturates && code == format.overflow) {
    code = format.largest;
  }
  return format.isUnsignedZero && code == 0 ? 0 : code | sign;
}
