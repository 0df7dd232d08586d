//===- Power.cpp - Approximations of powers -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x^y is 2^(y log2(x)). An error of the logarithm is as many times as large in
// the result as the exponent is: of f32 an f64 has bits enough for that, of f64
// two of them hold what it takes. Without branches, so that LLVM vectorises
// loops. Polynomials interpolate at the nodes of Chebyshev.
//
//===----------------------------------------------------------------------===//

#include "Power.h"

using namespace mlir;
using namespace nacre;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Significand::Significand(const MathEmitter &wide, Value x) {
  // What the bits of x have more than those of the root of 1/2 counts whole
  // exponents in its upper part.
  constexpr int64_t kRoot = 0x3FE6A09E00000000, kMantissaBits = 52;
  MathEmitter integers = wide.as(wide.getBuilder().getI64Type());
  Value width = integers.constant(kMantissaBits);
  Value bits = wide.create<arith::BitcastOp>(integers.getType(), x);
  Value count = wide.create<arith::ShRSIOp>(
      wide.create<arith::SubIOp>(bits, integers.constant(kRoot)), width);
  Value rest = wide.create<arith::SubIOp>(
      bits, wide.create<arith::ShLIOp>(count, width));
  value = wide.create<arith::BitcastOp>(wide.getType(), rest);
  exponent = wide.create<arith::SIToFPOp>(wide.getType(), count);
}

/// (v - 1) / (v + 1), an odd series of which is the logarithm of v.
static Value getQuotient(const MathEmitter &e, Value value) {
  Value one = e.constant(1);
  return e.div(e.sub(value, one), e.add(value, one));
}

Value nacre::emitShortLog(const MathEmitter &e, Value x) {
  Significand parts(e, x);
  Value s = getQuotient(e, parts.value), square = e.mul(s, s);
  Value series = e.evaluate({0x1.54710166f7a8cp-3, 0x1.7382687cd8370p-3,
                             0x1.c71fcf7df6060p-3, 0x1.24924627dc195p-2,
                             0x1.9999999b88f9dp-2, 0x1.55555555553b6p-1},
                            square);
  Value log = e.fma(e.mul(s, square), series, e.add(s, s));
  log = e.fma(parts.exponent, e.constant(0x1.62e42fefa39efp-1), log);
  Value isFinite =
      e.compare(arith::CmpFPredicate::OLT, x, e.constant(kInfinity));
  return e.select(isFinite, log, x);
}

namespace {
/// The unevaluated sum of two f64, the second of which is what rounding the
/// first has lost.
struct Pair {
  Value high, low;
};
} // namespace

static Pair multiply(const MathEmitter &e, const Pair &a, const Pair &b) {
  Value high = e.mul(a.high, b.high);
  Value low = e.fma(a.high, b.high, e.create<arith::NegFOp>(high));
  low = e.fma(a.low, b.high, e.fma(a.high, b.low, low));
  return {high, low};
}

/// A constant, which is the larger, and a pair.
static Pair addTo(const MathEmitter &e, double high, double low,
                  const Pair &other) {
  Value constant = e.constant(high);
  Value sum = e.add(constant, other.high);
  Value lost = e.add(e.sub(constant, sum), other.high);
  return {sum, e.add(lost, e.add(other.low, e.constant(low)))};
}

/// log2 of a positive normal f64, with more than 65 bits.
static Pair emitLongLog2(const MathEmitter &e, const Significand &parts) {
  // s = (v - 1) / (v + 1). The numerator is exact.
  Value one = e.constant(1);
  Value numerator = e.sub(parts.value, one);
  Value denominator = e.add(parts.value, one);
  Value lost = e.sub(parts.value, e.sub(denominator, one));
  Value reciprocal = e.div(one, denominator);
  Pair s;
  s.high = e.mul(numerator, reciprocal);
  Value negated = e.create<arith::NegFOp>(s.high);
  Value rest = e.fma(negated, denominator, numerator);
  s.low = e.mul(e.fma(negated, lost, rest), reciprocal);
  // 2 s / ln(2) and 2 s^3 / (3 ln(2)) with all bits, what is left in f64.
  Pair square = multiply(e, s, s);
  Value tail = e.evaluate({0x1.5a695e156ba31p-3, 0x1.59dfb3503e6b3p-3,
                           0x1.89feda6ebf723p-3, 0x1.c68f2edc66a05p-3,
                           0x1.0c9a84bf7d5e8p-2, 0x1.484b13d79c08bp-2,
                           0x1.a61762a7adfa9p-2, 0x1.2776c50ef9bfep-1},
                          square.high);
  Pair inner = addTo(e, 0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55,
                     {e.mul(tail, square.high), e.constant(0)});
  Pair outer = addTo(e, 0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55,
                     multiply(e, square, inner));
  Pair log = multiply(e, s, outer);
  Value high = e.add(parts.exponent, log.high);
  Value carried = e.add(e.sub(parts.exponent, high), log.high);
  return {high, e.add(carried, log.low)};
}

/// -inf for zero, the operand for infinities and NaN.
static Value replaceSpecial(const MathEmitter &e, Value log, Value size) {
  Value isZero = e.compare(arith::CmpFPredicate::OEQ, size, e.constant(0));
  Value isFinite =
      e.compare(arith::CmpFPredicate::OLT, size, e.constant(kInfinity));
  return e.select(isZero, e.constant(-kInfinity),
                  e.select(isFinite, log, size));
}

/// n and the rest of a product, of which 2 to the power is to be computed.
static std::pair<Value, Value> splitWhole(const MathEmitter &e, Value product) {
  Value rounder = e.constant(e.getRounder());
  Value n = e.sub(e.add(product, rounder), rounder);
  return {n, e.sub(product, n)};
}

/// |x|^y for results of f32: log2 to 43 bits, 2^r to 38.
static Value emitShortPower(const MathEmitter &e, Value size, Value y) {
  Significand parts(e, size);
  Value s = getQuotient(e, parts.value), square = e.mul(s, s);
  Value log = e.fma(s,
                    e.evaluate({0x1.21b245a850e1dp-2, 0x1.4795463b406c3p-2,
                                0x1.a61a2ef4051f3p-2, 0x1.2776c2935a8c1p-1,
                                0x1.ec709dc53bfcfp-1, 0x1.71547652b8251p+1},
                               square),
                    parts.exponent);
  Value product = e.mul(y, replaceSpecial(e, log, size));
  // Beyond these an f32 is 0 or infinite.
  auto [n, r] = splitWhole(e, e.atMost(e.atLeast(product, -160), 160));
  Value power = e.fma(r,
                      e.evaluate({0x1.63b2f07a28632p-20, 0x1.00c0fb54e0f1cp-16,
                                  0x1.4308c708aee31p-13, 0x1.5d87757c238f2p-10,
                                  0x1.3b2ab70ad7014p-7, 0x1.c6b08da71da60p-5,
                                  0x1.ebfbdff82a727p-3, 0x1.62e42fef9cc3cp-1},
                                 r),
                      e.constant(1));
  return e.mul(power, e.exp2(e.add(n, e.constant(e.getRounder()))));
}

/// |x|^y of f64.
static Value emitLongPower(const MathEmitter &e, Value size, Value y) {
  // Subnormal numbers are made normal ones.
  Value isTiny =
      e.compare(arith::CmpFPredicate::OLT, size, e.constant(0x1p-1022));
  Significand parts(e, e.select(isTiny, e.mul(size, e.constant(0x1p54)), size));
  parts.exponent =
      e.sub(parts.exponent, e.select(isTiny, e.constant(54), e.constant(0)));
  Pair log = emitLongLog2(e, parts);
  log.high = replaceSpecial(e, log.high, size);
  Value product = e.mul(y, log.high);
  Value low =
      e.fma(y, log.low, e.fma(y, log.high, e.create<arith::NegFOp>(product)));
  // Beyond these the result is 0 or infinite, whatever the rest.
  Value bounded = e.atMost(e.atLeast(product, -1100), 1100);
  Value isWithin = e.compare(arith::CmpFPredicate::OEQ, product, bounded);
  auto [n, high] = splitWhole(e, bounded);
  Value r = e.add(high, e.select(isWithin, low, e.constant(0)));
  Value power = e.fma(r,
                      e.evaluate({0x1.c4a2aaa2b01d9p-36, 0x1.e9ec3d7558475p-32,
                                  0x1.e4cf10d1896bep-28, 0x1.b524ebc089f66p-24,
                                  0x1.62c02242bb0bdp-20, 0x1.ffcbfc6dad6adp-17,
                                  0x1.430912f86b7d4p-13, 0x1.5d87fe78a3f8cp-10,
                                  0x1.3b2ab6fba4e79p-7, 0x1.c6b08d704a0c6p-5,
                                  0x1.ebfbdff82c58fp-3, 0x1.62e42fefa39efp-1},
                                 r),
                      e.constant(1));
  return e.scale(power, n);
}

/// The sign, and what no logarithm says: as C's pow.
static Value addSpecialCases(const MathEmitter &e, Value x, Value y,
                             Value power) {
  auto isWhole = [&](Value number, arith::CmpFPredicate predicate) {
    return e.compare(predicate, number, e.create<math::RoundEvenOp>(number));
  };
  Value whole = isWhole(y, arith::CmpFPredicate::OEQ);
  Value odd = e.create<arith::AndIOp>(
      whole, isWhole(e.mul(y, e.constant(0.5)), arith::CmpFPredicate::ONE));
  power = e.select(odd, e.create<math::CopySignOp>(power, x), power);
  // A negative number has whole powers only; -inf counts as its absolute value.
  Value isNegative = e.create<arith::AndIOp>(
      e.compare(arith::CmpFPredicate::OLT, x, e.constant(0)),
      e.compare(arith::CmpFPredicate::OGT, x, e.constant(-kInfinity)));
  Value isFraction = isWhole(y, arith::CmpFPredicate::UNE);
  Value nan = e.constant(std::numeric_limits<double>::quiet_NaN());
  power = e.select(e.create<arith::AndIOp>(isNegative, isFraction), nan, power);
  // 1 to any power and any number to the power of 0, NaN included.
  Value isOne = e.create<arith::OrIOp>(
      e.compare(arith::CmpFPredicate::OEQ, x, e.constant(1)),
      e.compare(arith::CmpFPredicate::OEQ, y, e.constant(0)));
  return e.select(isOne, e.constant(1), power);
}

Value nacre::emitPower(MathEmitter &e, Value x, Value y) {
  bool isShort = getElementTypeOrSelf(e.getType()).isF32();
  MathEmitter wide = e.as(e.getBuilder().getF64Type());
  if (isShort) {
    x = e.create<arith::ExtFOp>(wide.getType(), x);
    y = e.create<arith::ExtFOp>(wide.getType(), y);
  }
  // A finite exponent, so that -1 to an infinite one is 1. No number next to 1
  // has so small a logarithm that this would matter.
  constexpr double kLargeExponent = 0x1p80;
  Value bounded = wide.atMost(wide.atLeast(y, -kLargeExponent), kLargeExponent);
  Value power =
      (isShort ? emitShortPower : emitLongPower)(wide, wide.abs(x), bounded);
  power = addSpecialCases(wide, x, y, power);
  return isShort ? e.create<arith::TruncFOp>(e.getType(), power) : power;
}
