//===- Trigonometry.cpp - Approximations of sine and cosine ---------------===//
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
  Value rest;
};
} // namespace

/// 2 / pi in parts of 29 bits: the product of each and an f32 of 24 bits is an
/// exact f64. Of the largest f32 the last part still tells fractions of a
/// quarter.
static constexpr double kTwoOverPi[] = {
    0x1.45f306dp-1,   0x1.9391054p-30, 0x1.4fe13abp-59, 0x1.d1f534dp-88,
    0x1.b81b6c5p-117, 0x1.5993c4p-148, 0x1.c820ff2p-175};

static Angle reduce(MathEmitter &e, Value x) {
  OpBuilder &builder = e.getBuilder();
  MathEmitter wide = e.as(builder.getF64Type());
  Value exact = e.create<arith::ExtFOp>(wide.getType(), x);
  // Whole turns, of four quarters, do not count.
  Value quarters;
  for (double part : kTwoOverPi) {
    Value product = wide.mul(exact, wide.constant(part));
    Value turns =
        wide.create<math::RoundEvenOp>(wide.mul(product, wide.constant(0.25)));
    product = wide.fma(turns, wide.constant(-4), product);
    quarters = quarters ? wide.add(quarters, product) : product;
  }
  // Added to this number, others are rounded to whole ones in the lowest bits.
  Value rounder = wide.constant(0x1.8p52);
  Value rounded = wide.add(quarters, rounder);
  MathEmitter bits = e.as(builder.getI64Type());
  Value whole = e.create<arith::TruncIOp>(
      e.as(builder.getI32Type()).getType(),
      e.create<arith::BitcastOp>(bits.getType(), rounded));
  Value rest = wide.sub(quarters, wide.sub(rounded, rounder));
  Value radians = wide.mul(rest, wide.constant(0x1.921fb54442d18p0));
  return {whole, e.create<arith::TruncFOp>(e.getType(), radians)};
}

/// The sine of a quarter with an even number or the cosine of an odd one, and
/// the sign of either, on `sign`. Cephes' coefficients.
static Value emitQuarter(MathEmitter &e, const Angle &angle, Value sign) {
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Value x = angle.rest, square = e.mul(x, x);
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
  Value lowest = e.create<arith::AndIOp>(angle.quarters, integers.constant(1));
  Value isOdd = e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, lowest,
                                        integers.constant(0));
  Value size = e.create<arith::SelectOp>(isOdd, even, odd);
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
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Value sign = e.create<arith::AndIOp>(
      e.create<arith::BitcastOp>(integers.getType(), x),
      integers.constant(std::numeric_limits<int32_t>::min()));
  return emitQuarter(e, reduce(e, e.create<math::AbsFOp>(x)), sign);
}

Value nacre::emitCos(MathEmitter &e, Value x) {
  // The sine of a quarter more.
  MathEmitter integers = e.as(e.getBuilder().getI32Type());
  Angle angle = reduce(e, x);
  angle.quarters =
      e.create<arith::AddIOp>(angle.quarters, integers.constant(1));
  return emitQuarter(e, angle, /*sign=*/{});
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
