//===- Hyperbolic.cpp - Approximations of hyperbolic functions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas which would lose digits or overflow in f32 are exact enough in f64.
// Without branches, so that LLVM vectorises loops.
//
//===----------------------------------------------------------------------===//

#include "Hyperbolic.h"
#include "Power.h"

using namespace mlir;
using namespace nacre;

static MathEmitter getWide(MathEmitter &e) {
  return e.as(e.getBuilder().getF64Type());
}

static Value extend(MathEmitter &e, Value x) {
  return e.create<arith::ExtFOp>(getWide(e).getType(), x);
}

static Value round(MathEmitter &e, Value x) {
  return e.create<arith::TruncFOp>(e.getType(), x);
}

namespace {
/// x = n ln(2) + r: the functions of r, and those of n ln(2) times two.
struct Split {
  Split(const MathEmitter &e, Value x);

  Value cosh, sinh;      // of r
  Value sum, difference; // 2^n and 2^-n
};
} // namespace

Split::Split(const MathEmitter &e, Value x) {
  // Beyond these an f32 is infinite.
  x = e.atMost(e.atLeast(x, -90), 90);
  Value rounder = e.constant(e.getRounder());
  Value rounded = e.fma(x, e.constant(1.4426950408889634), rounder);
  Value n = e.sub(rounded, rounder);
  Value r = e.fma(n, e.constant(-0x1.62e42fefa39efp-1), x);
  Value square = e.mul(r, r);
  cosh = e.fma(square,
               e.evaluate({0x1.a136f964043f1p-16, 0x1.6c166bbb82a34p-10,
                           0x1.55555565d1feep-5, 0x1.fffffffffe048p-2},
                          square),
               e.constant(1));
  sinh = e.fma(e.mul(square, r),
               e.evaluate({0x1.72ad6ff0672a6p-19, 0x1.a019c3523ff6bp-13,
                           0x1.111111170f6e0p-7, 0x1.5555555554f91p-3},
                          square),
               r);
  Value rise = e.exp2(rounded), fall = e.exp2(e.sub(rounder, n));
  sum = e.add(rise, fall);
  difference = e.sub(rise, fall);
}

Value nacre::emitSinh(MathEmitter &e, Value x) {
  MathEmitter wide = getWide(e);
  Split parts(wide, extend(e, x));
  Value twice =
      wide.fma(parts.cosh, parts.difference, wide.mul(parts.sinh, parts.sum));
  // Of zero both terms are, one of which has no sign.
  return e.create<math::CopySignOp>(
      round(e, wide.mul(twice, wide.constant(0.5))), x);
}

Value nacre::emitCosh(MathEmitter &e, Value x) {
  MathEmitter wide = getWide(e);
  Split parts(wide, extend(e, x));
  Value twice =
      wide.fma(parts.cosh, parts.sum, wide.mul(parts.sinh, parts.difference));
  return round(e, wide.mul(twice, wide.constant(0.5)));
}

/// An odd function: `large`, or size + cubic * size^3 where its logarithm would
/// lose the bits of a small number, with the sign of x.
static Value finishOdd(MathEmitter &e, Value size, double cubic, Value large,
                       Value x) {
  MathEmitter wide = getWide(e);
  constexpr double kSmall = 0x1p-12;
  Value isSmall =
      wide.compare(arith::CmpFPredicate::OLT, size, wide.constant(kSmall));
  Value cube = wide.mul(wide.mul(size, size), size);
  Value small = wide.fma(cube, wide.constant(cubic), size);
  return e.create<math::CopySignOp>(
      round(e, wide.select(isSmall, small, large)), x);
}

Value nacre::emitAsinh(MathEmitter &e, Value x) {
  MathEmitter wide = getWide(e);
  Value size = extend(e, e.abs(x));
  Value root =
      wide.create<math::SqrtOp>(wide.fma(size, size, wide.constant(1)));
  Value log = emitShortLog(wide, wide.add(size, root));
  return finishOdd(e, size, -1.0 / 6, log, x);
}

Value nacre::emitAcosh(MathEmitter &e, Value x) {
  MathEmitter wide = getWide(e);
  Value size = extend(e, x), one = wide.constant(1);
  Value root =
      wide.create<math::SqrtOp>(wide.fma(size, size, wide.constant(-1)));
  Value log = emitShortLog(wide, wide.add(size, root));
  Value isDefined = wide.compare(arith::CmpFPredicate::OGE, size, one);
  Value nan = wide.constant(std::numeric_limits<double>::quiet_NaN());
  return round(e, wide.select(isDefined, log, nan));
}

Value nacre::emitAtanh(MathEmitter &e, Value x) {
  MathEmitter wide = getWide(e);
  Value size = extend(e, e.abs(x)), one = wide.constant(1);
  Value quotient = wide.div(wide.add(one, size), wide.sub(one, size));
  Value log = wide.mul(emitShortLog(wide, quotient), wide.constant(0.5));
  Value isDefined = wide.compare(arith::CmpFPredicate::OLE, size, one);
  Value nan = wide.constant(std::numeric_limits<double>::quiet_NaN());
  return finishOdd(e, size, 1.0 / 3, wide.select(isDefined, log, nan), x);
}
