//===- SmallNumbers.cpp - Conversion of small numbers ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without branches or tables, so that it vectorizes.
//
//===----------------------------------------------------------------------===//

#include "SmallNumbers.h"

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

// Of f32.
static constexpr int kMantissaBits = 23, kBias = 127;
static constexpr uint32_t kInfinity = 0x7f800000;

namespace {

/// Arithmetic on the bits of an f32, unsigned.
struct Bits {
  const ScalarEmitter &e;

  Value number(uint32_t value) const {
    return arith::ConstantOp::create(
        e.getBuilder(), e.getLoc(),
        e.getBuilder().getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value real(double value) const {
    return arith::ConstantOp::create(
        e.getBuilder(), e.getLoc(),
        e.getBuilder().getF32FloatAttr(static_cast<float>(value)));
  }
  Value mask(Value bits, uint32_t value) const {
    return e.create<arith::AndIOp>(bits, number(value));
  }
  Value shiftLeft(Value bits, unsigned by) const {
    return e.create<arith::ShLIOp>(bits, number(by));
  }
  Value shiftRight(Value bits, unsigned by) const {
    return e.create<arith::ShRUIOp>(bits, number(by));
  }
  Value isAbove(Value bits, uint32_t value) const {
    return e.create<arith::CmpIOp>(arith::CmpIPredicate::ugt, bits,
                                   number(value));
  }
  Value toFloat(Value bits) const {
    return e.create<arith::BitcastOp>(e.getBuilder().getF32Type(), bits);
  }
  Value fromFloat(Value value) const {
    return e.create<arith::BitcastOp>(e.getBuilder().getI32Type(), value);
  }
};

} // namespace

static Value decodeFloat(const ScalarEmitter &e, Value code,
                         const IE::SmallFloatFormat &format) {
  Bits b{e};
  int mantissa = static_cast<int>(format.mantissaBits);
  uint32_t signBit = 1u << (format.bits - 1);
  Value bits = e.create<arith::ExtUIOp>(e.getBuilder().getI32Type(), code);
  Value magnitude = b.mask(bits, signBit - 1);
  // A subnormal number is an integer of the smallest number; not through f32's
  // own subnormals, which a process may have switched off.
  Value subnormal =
      e.mul(e.create<arith::UIToFPOp>(e.getBuilder().getF32Type(), magnitude),
            b.real(std::ldexp(1.0, 1 - format.bias - mantissa)));
  Value normal = e.add(
      b.shiftLeft(magnitude, kMantissaBits - mantissa),
      b.number(static_cast<uint32_t>(kBias - format.bias) << kMantissaBits));
  Value isNormal = b.isAbove(magnitude, (1u << mantissa) - 1);
  Value result = e.select(isNormal, normal, b.fromFloat(subnormal));
  if (format.isUnsignedZero) {
    Value isNaN = e.equal(bits, b.number(format.nan));
    result = e.select(isNaN, b.number(kInfinity | 1u << 22), result);
  } else if (format.nan != format.largest) {
    Value isFinite = e.create<arith::CmpIOp>(
        arith::CmpIPredicate::ule, magnitude, b.number(format.largest));
    Value special = b.number(kInfinity | 1u << 22);
    if (format.hasInfinity) {
      Value isInfinite = e.equal(magnitude, b.number(format.overflow));
      special = e.select(isInfinite, b.number(kInfinity), special);
    }
    result = e.select(isFinite, result, special);
  }
  Value sign = b.shiftLeft(b.mask(bits, signBit), 32 - format.bits);
  return b.toFloat(e.create<arith::OrIOp>(result, sign));
}

static Value encodeFloat(const ScalarEmitter &e, Value value,
                         const IE::SmallFloatFormat &format, bool saturates) {
  Bits b{e};
  int mantissa = static_cast<int>(format.mantissaBits);
  unsigned shift = kMantissaBits - mantissa;
  Value bits = b.fromFloat(value);
  Value magnitude = b.mask(bits, 0x7fffffff);
  // Half a unit of the last place that is left, less a little where that is
  // even, carries into it, and on into the exponent.
  Value odd = b.mask(b.shiftRight(magnitude, shift), 1);
  Value half = e.add(odd, b.number((1u << (shift - 1)) - 1));
  Value normal =
      e.sub(b.shiftRight(e.add(magnitude, half), shift),
            b.number(static_cast<uint32_t>(kBias - format.bias) << mantissa));
  // A subnormal result is a multiple of the smallest number.
  Value steps = e.mul(b.toFloat(magnitude),
                      b.real(std::ldexp(1.0, format.bias + mantissa - 1)));
  Value smallestNormal =
      b.number(static_cast<uint32_t>(kBias + 1 - format.bias) << kMantissaBits);
  Value isSubnormal = e.create<arith::CmpIOp>(arith::CmpIPredicate::ult,
                                              magnitude, smallestNormal);
  // What is no subnormal need not fit an integer.
  steps = e.select(isSubnormal, steps, b.real(0));
  Value subnormal = e.create<arith::FPToSIOp>(
      e.getBuilder().getI32Type(), e.create<math::RoundEvenOp>(steps));
  Value code = e.select(isSubnormal, subnormal, normal);
  code = e.select(b.isAbove(code, format.largest),
                  b.number(saturates ? format.largest : format.overflow), code);
  code = e.select(b.isAbove(magnitude, kInfinity), b.number(format.nan), code);
  Value sign =
      b.mask(b.shiftRight(bits, 32 - format.bits), 1u << (format.bits - 1));
  if (format.isUnsignedZero) {
    sign = e.select(e.equal(code, b.number(0)), b.number(0), sign);
  }
  return e.create<arith::OrIOp>(code, sign);
}

static Value decodeScale(const ScalarEmitter &e, Value code) {
  Bits b{e};
  Value bits = e.create<arith::ExtUIOp>(e.getBuilder().getI32Type(), code);
  // A code is the exponent of an f32, of which the smallest is subnormal.
  Value result =
      e.select(e.equal(bits, b.number(0)), b.number(1u << (kMantissaBits - 1)),
               b.shiftLeft(bits, kMantissaBits));
  return b.toFloat(e.select(e.equal(bits, b.number(IE::kScaleNaN)),
                            b.number(kInfinity | 1u << 22), result));
}

static Value encodeScale(const ScalarEmitter &e, Value value,
                         const IE::CastOptions &options) {
  static_assert(IE::kScaleBias == kBias, "a code is an f32's exponent");
  constexpr uint32_t kOne = 1u << kMantissaBits; // of the exponent
  Bits b{e};
  Value magnitude = b.mask(b.fromFloat(value), 0x7fffffff);
  // The smallest number is among f32's subnormals, which become like the others
  // by a leading one that is not written.
  Value aligned = e.select(b.isAbove(magnitude, kOne - 1), magnitude,
                           e.sub(b.shiftLeft(magnitude, 1), b.number(kOne)));
  uint32_t carry = options.roundMode == IE::RoundMode::Up     ? kOne - 1
                   : options.roundMode == IE::RoundMode::Down ? 0
                                                              : kOne / 2;
  Value code = b.shiftRight(e.add(aligned, b.number(carry)), kMantissaBits);
  code = e.select(b.isAbove(magnitude, kOne / 2 - 1), code,
                  b.number(options.saturates ? 0 : IE::kScaleNaN));
  uint32_t largest = uint32_t(IE::kLargestScale) << kMantissaBits;
  code = e.select(
      b.isAbove(magnitude, largest),
      b.number(options.saturates ? IE::kLargestScale : IE::kScaleNaN), code);
  return e.select(b.isAbove(magnitude, kInfinity), b.number(IE::kScaleNaN),
                  code);
}

Value nacre::decodeSmallNumber(const ScalarEmitter &e, Value code,
                               Type element) {
  if (isa<Float8E8M0FNUType>(element)) {
    return decodeScale(e, code);
  }
  if (isa<FloatType>(element)) {
    return decodeFloat(e, code, IE::getSmallFloatFormat(element));
  }
  if (element.isUnsignedInteger()) {
    return code;
  }
  Value above = e.constant(code, 8 - element.getIntOrFloatBitWidth());
  return e.create<arith::ShRSIOp>(e.create<arith::ShLIOp>(code, above), above);
}

Value nacre::encodeSmallNumber(const ScalarEmitter &e, Value value,
                               Type element, const IE::CastOptions &options) {
  Type byte = e.getBuilder().getI8Type();
  if (isa<FloatType>(element)) {
    Value wide = e.convert(value, e.getBuilder().getF32Type(),
                           /*isTargetUnsigned=*/false);
    Value code = isa<Float8E8M0FNUType>(element)
                     ? encodeScale(e, wide, options)
                     : encodeFloat(e, wide, IE::getSmallFloatFormat(element),
                                   options.saturates);
    return e.create<arith::TruncIOp>(byte, code);
  }
  bool isUnsigned = element.isUnsignedInteger();
  unsigned bits = element.getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()) && bits == 4) {
    auto [least, most] = IE::getSmallNumberRange(element);
    Value low = e.constant(value, least), high = e.constant(value, most);
    Value isNaN =
        e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, value, value);
    value = e.select(e.less(value, low), low, value);
    value = e.select(e.less(high, value), high, value);
    value = e.select(isNaN, e.constant(value, 0), value);
  }
  Value wide = e.convert(value, byte, isUnsigned);
  return e.create<arith::AndIOp>(wide, e.constant(wide, (1 << bits) - 1));
}
