//===- Trigonometry.cpp - Approximations of angles in f32 -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine and cosine are polynomials within a quarter of a turn around 0. How many
// quarters are in front of that has to be known exactly: the largest f32 has
// 2^127 of them. Without branches, so that LLVM vectorises loops.
//
//===----------------------------------------------------------------------===//

#include "Trigonometry.h"

using namespace mlir;
using namespace nacre;

namespace {
/// An angle as the nearest multiple of a quarter turn, of which the lowest bits
/// count, and the rest in radians.
struct Angle {
  Value quarters; // i32
  Value rest;     // f64
};
} // namespace

/// 1 / (2 pi) in parts of 29 bits: the product of each and an f32 of 24 bits is
/// an exact f64. Of the largest f32 the last part still tells fractions of a
/// quarter.
static constexpr double kTurnsPerRadian[] = {
    0x1.45f306dp-3,   0x1.9391054p-32, 0x1.4fe13abp-61, 0x1.d1f534dp-90,
    0x1.b81b6c5p-119, 0x1.5993c4p-150, 0x1.c820ff2p-177};

static Angle reduce(MathEmitter &e, Value x) {
  OpBuilder &builder = e.getBuilder();
  MathEmitter wide = e.as(builder.getF64Type());
  Value exact = e.create<arith::ExtFOp>(wide.getType(), x);
  // Whole turns do not count.
  Value turns;
  for (double part : kTurnsPerRadian) {
    Value product = wide.mul(exact, wide.constant(part));
    product = wide.sub(product, wide.create<math::RoundEvenOp>(product));
    turns = turns ? wide.add(turns, product) : product;
  }
  Value quarters = wide.mul(turns, wide.constant(4));
  // Added to this number, others are rounded to whole ones in the lowest bits.
  Value rounder = wide.constant(0x1.8p52);
  Value rounded = wide.add(quarters, rounder);
  MathEmitter bits = e.as(builder.getI64Type());
  Value whole = e.create<arith::TruncIOp>(
      e.as(builder.getI32Type()).getType(),
      e.create<arith::BitcastOp>(bits.getType(), rounded));
  Value rest = wide.sub(quarters, wide.sub(rounded, rounder));
  Value radians = wide.mul(rest, wide.constant(0x1.921fb54442d18p0));
  return {whole, radians};
}

static Value isOdd(MathEmitter &e, Value quarters) {
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Value lowest = e.create<arith::AndIOp>(quarters, integers.constant(1));
  return e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, lowest,
                                 integers.constant(0));
}

/// The sign of x as the highest bit of an i32.
static Value getSign(MathEmitter &e, Value x) {
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  return e.create<arith::AndIOp>(
      e.create<arith::BitcastOp>(integers.getType(), x),
      integers.constant(std::numeric_limits<int32_t>::min()));
}

/// The sine of a quarter with an even number or the cosine of an odd one, and
/// the sign of either, on `sign`. Cephes' coefficients.
static Value emitQuarter(MathEmitter &e, const Angle &angle, Value sign) {
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Value x = e.create<arith::TruncFOp>(e.getType(), angle.rest);
  Value square = e.mul(x, x);
  Value odd =
      e.fma(e.mul(square, x),
            e.evaluate({-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f},
                       square),
            x);
  Value even = e.fma(e.mul(square, square),
                     e.evaluate({2.443315711809948e-5f, -1.388731625493765e-3f,
                                 4.166664568298827e-2f},
                                square),
                     e.fma(square, e.constant(-0.5), e.constant(1)));
  Value size = e.select(isOdd(e, angle.quarters), even, odd);
  // The second bit of the quarter becomes the sign.
  Value second = e.create<arith::ShLIOp>(
      e.create<arith::AndIOp>(angle.quarters, integers.constant(2)),
      integers.constant(30));
  Value flipped = e.create<arith::XOrIOp>(
      e.create<arith::BitcastOp>(integers.getType(), size), second);
  if (sign) {
    flipped = e.create<arith::XOrIOp>(flipped, sign);
  }
  return e.create<arith::BitcastOp>(e.getType(), flipped);
}

Value nacre::emitSin(MathEmitter &e, Value x) {
  // The sign of x is that of the result, of zeros, too.
  return emitQuarter(e, reduce(e, e.abs(x)), getSign(e, x));
}

Value nacre::emitCos(MathEmitter &e, Value x) {
  // The sine of a quarter more.
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Angle angle = reduce(e, x);
  angle.quarters =
      e.create<arith::AddIOp>(angle.quarters, integers.constant(1));
  return emitQuarter(e, angle, /*sign=*/{});
}

Value nacre::emitTan(MathEmitter &e, Value x) {
  Angle angle = reduce(e, e.abs(x));
  MathEmitter wide = e.as(e.getBuilder().getF64Type());
  Value rest = angle.rest, square = wide.mul(rest, rest);
  Value tangent =
      wide.fma(wide.mul(square, rest),
               wide.evaluate({3.843555925413966e-3, 1.1846201959997416e-3,
                              9.962585754692554e-3, 2.162100188434124e-2,
                              5.399448052048683e-2, 1.3333231210708618e-1,
                              3.333333432674408e-1},
                             square),
               rest);
  // A quarter more is the negated reciprocal.
  Value odd = isOdd(e, angle.quarters);
  Value quotient = wide.div(wide.select(odd, wide.constant(-1), tangent),
                            wide.select(odd, tangent, wide.constant(1)));
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Value bits = e.create<arith::BitcastOp>(
      integers.getType(), e.create<arith::TruncFOp>(e.getType(), quotient));
  return e.create<arith::BitcastOp>(
      e.getType(), e.create<arith::XOrIOp>(bits, getSign(e, x)));
}

namespace {
/// An arcsine of at most 0.5: of |x| itself or, where that is larger, of half
/// the angle between it and 1. Cephes' coefficients.
struct Arc {
  Arc(MathEmitter &e, Value size) {
    isLarge = e.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, size,
                                      e.constant(0.5));
    Value half = e.fma(size, e.constant(-0.5), e.constant(0.5));
    Value square = e.create<arith::SelectOp>(isLarge, half, e.mul(size, size));
    argument =
        e.create<arith::SelectOp>(isLarge, e.create<math::SqrtOp>(half), size);
    excess =
        e.mul(e.evaluate({4.2163199048e-2f, 2.4181311049e-2f, 4.5470025998e-2f,
                          7.4953002686e-2f, 1.6666752422e-1f},
                         square),
              square);
  }

  Value get(MathEmitter &e) const { return e.fma(excess, argument, argument); }

  Value isLarge;
  Value argument;
  Value excess; // of the arc, as a share of the argument
};
} // namespace

static constexpr double kHalfPi = 0x1.921fb54442d18p0;

Value nacre::emitAsin(MathEmitter &e, Value x) {
  Arc arc(e, e.create<math::AbsFOp>(x));
  // The larger parts first, which leaves little to round, as does what an f32
  // lacks of half pi.
  constexpr double kLow = kHalfPi - static_cast<float>(kHalfPi);
  Value twice = e.mul(arc.argument, e.constant(-2));
  Value large = e.add(e.add(twice, e.constant(kHalfPi)),
                      e.fma(arc.excess, twice, e.constant(kLow)));
  Value size = e.create<arith::SelectOp>(arc.isLarge, large, arc.get(e));
  return e.create<math::CopySignOp>(size, x);
}

Value nacre::emitAcos(MathEmitter &e, Value x) {
  Arc arc(e, e.create<math::AbsFOp>(x));
  Value value = arc.get(e);
  Value isNegative =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, e.constant(0));
  Value twice = e.add(value, value);
  Value large = e.create<arith::SelectOp>(
      isNegative, e.sub(e.constant(2 * kHalfPi), twice), twice);
  Value small =
      e.sub(e.constant(kHalfPi), e.create<math::CopySignOp>(value, x));
  return e.create<arith::SelectOp>(arc.isLarge, large, small);
}

Value nacre::emitAtan(MathEmitter &e, Value x) {
  Value size = e.abs(x), one = e.constant(1);
  Value isLarge = e.compare(arith::CmpFPredicate::OGT, size, one);
  // Of what is larger than 1, a quarter less the arc of the reciprocal.
  Value argument =
      e.div(e.select(isLarge, one, size), e.select(isLarge, size, one));
  Value square = e.mul(argument, argument);
  Value arc = e.fma(e.mul(square, argument),
                    e.evaluate({1.488691894337535e-3, -9.14462935179472e-3,
                                2.6305001229047775e-2, -4.896051436662674e-2,
                                7.031914591789246e-2, -8.931826800107956e-2,
                                1.1088261753320694e-1, -1.4284004271030426e-1,
                                1.9999949634075165e-1, -3.333333432674408e-1},
                               square),
                    argument);
  constexpr double kLow = kHalfPi - static_cast<float>(kHalfPi);
  Value rest = e.add(e.sub(e.constant(kHalfPi), arc), e.constant(kLow));
  return e.create<math::CopySignOp>(e.select(isLarge, rest, arc), x);
}
