//===- Elementwise.cpp - Lower the Elementwise family to linalg ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Elementwise. Transcendental
// functions become math ops, which later pipelines approximate or call.
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"
#include "SmallNumbers.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// For ops that combine any number of operands from the left.
template <typename OpT, Value (ScalarEmitter::*combine)(Value, Value) const>
static Value emitChain(OpT, const ScalarEmitter &e, ValueRange args) {
  Value result = args[0];
  for (Value arg : args.drop_front()) {
    result = (e.*combine)(result, arg);
  }
  return result;
}

static Value emitMean(IE::MeanOp op, const ScalarEmitter &e, ValueRange args) {
  Value sum = emitChain<IE::MeanOp, &ScalarEmitter::add>(op, e, args);
  return e.div(sum, e.constant(sum, static_cast<double>(args.size())));
}

static Value emitMod(IE::ModOp op, const ScalarEmitter &e, ValueRange args) {
  Value a = args[0], b = args[1];
  Value remainder = e.rem(a, b);
  if (op.getFmod() == 1 || e.isUnsigned()) {
    return remainder;
  }
  // The machine's remainder has the dividend's sign; one divisor more gives
  // the other representative.
  Value zero = e.constant(a, 0);
  Value signsDiffer = e.less(e.create<arith::XOrIOp>(remainder, b), zero);
  Value isInexact =
      e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, remainder, zero);
  Value adjusted = e.add(remainder, b);
  return e.select(e.create<arith::AndIOp>(signsDiffer, isInexact), adjusted,
                  remainder);
}

/// base ^ exponent of integers modulo the base's width, by squaring. A loop
/// over the bits of the exponent, without data-dependent control flow, becomes
/// vectors. Of 64 bits there would be too many: there, it ends with the highest
/// one that is set, which for exponents as models have them is one of the
/// first.
static Value buildPowerOfInts(const ScalarEmitter &e, Value base,
                              Value exponent, bool isExponentUnsigned) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  unsigned bits = exponent.getType().getIntOrFloatBitWidth();
  Value one = e.constant(base, 1);
  SmallVector<Value> start = {one, base, exponent};
  ValueRange initial(start);
  auto square = [&](OpBuilder &nested, ValueRange state) -> SmallVector<Value> {
    ScalarEmitter inner(nested, loc, e.isUnsigned());
    Value result = state[0], power = state[1], rest = state[2];
    Value isSet = inner.create<arith::TruncIOp>(nested.getI1Type(), rest);
    Value next = inner.select(isSet, inner.mul(result, power), result);
    Value shifted = inner.create<arith::ShRUIOp>(rest, inner.constant(rest, 1));
    return {next, inner.mul(power, power), shifted};
  };
  constexpr unsigned kMostBits = 32;
  Operation *loop;
  if (bits > kMostBits) {
    loop = scf::WhileOp::create(
        builder, loc, initial.getTypes(), initial,
        [&](OpBuilder &nested, Location, ValueRange state) {
          ScalarEmitter inner(nested, loc, e.isUnsigned());
          Value isLeft = inner.create<arith::CmpIOp>(
              arith::CmpIPredicate::ne, state[2], inner.constant(state[2], 0));
          scf::ConditionOp::create(nested, loc, isLeft, state);
        },
        [&](OpBuilder &nested, Location, ValueRange state) {
          scf::YieldOp::create(nested, loc, square(nested, state));
        });
  } else {
    Value lower = arith::ConstantIndexOp::create(builder, loc, 0);
    Value upper = arith::ConstantIndexOp::create(builder, loc, bits);
    Value step = arith::ConstantIndexOp::create(builder, loc, 1);
    loop = scf::ForOp::create(
        builder, loc, lower, upper, step, initial,
        [&](OpBuilder &nested, Location, Value, ValueRange state) {
          scf::YieldOp::create(nested, loc, square(nested, state));
        });
  }
  Value power = loop->getResult(0);
  if (isExponentUnsigned) {
    return power;
  }
  // The truncated reciprocal: 1 and -1 have one, the rest vanish.
  Value isNegative = e.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                             exponent, e.constant(exponent, 0));
  Value isOdd = e.create<arith::TruncIOp>(builder.getI1Type(), exponent);
  Value zero = e.constant(base, 0);
  Value minusOne = e.constant(base, -1);
  Value ofMinusOne = e.select(isOdd, minusOne, one);
  Value reciprocal =
      e.select(e.equal(base, one), one,
               e.select(e.equal(base, minusOne), ofMinusOne, zero));
  return e.select(isNegative, reciprocal, power);
}

static Value emitPow(IE::PowOp op, const ScalarEmitter &e, ValueRange args) {
  Value base = args[0], exponent = args[1];
  bool isBaseInt = isa<IntegerType>(base.getType());
  bool isExponentInt = isa<IntegerType>(exponent.getType());
  bool isExponentUnsigned = isUnsignedElement(op.getExponent());
  if (isBaseInt && isExponentInt) {
    return buildPowerOfInts(e, base, exponent, isExponentUnsigned);
  }
  // Mixed types meet where both are exact; that is f32 only for floats and for
  // integers of up to 16 bits.
  auto fitsF32 = [](Value value) {
    Type type = value.getType();
    return type.isF32() ||
           (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() <= 16);
  };
  Type type = fitsF32(base) && fitsF32(exponent)
                  ? Type(e.getBuilder().getF32Type())
                  : Type(e.getBuilder().getF64Type());
  ScalarEmitter ofExponent(e.getBuilder(), e.getLoc(), isExponentUnsigned);
  Value power = e.create<math::PowFOp>(
      e.convert(base, type, false), ofExponent.convert(exponent, type, false));
  return e.convert(power, base.getType(), e.isUnsigned());
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <typename OpT, typename ScalarOpT>
static Value emitBitwise(OpT, const ScalarEmitter &e, ValueRange args) {
  return e.create<ScalarOpT>(args[0], args[1]);
}

static Value emitBitwiseNot(IE::BitwiseNotOp, const ScalarEmitter &e,
                            ValueRange args) {
  return e.create<arith::XOrIOp>(args[0], e.constant(args[0], -1));
}

static Value emitBitShift(IE::BitShiftOp op, const ScalarEmitter &e,
                          ValueRange args) {
  Value x = args[0], distance = args[1];
  Value shifted = op.getDirection() == "LEFT"
                      ? e.create<arith::ShLIOp>(x, distance)
                      : e.create<arith::ShRUIOp>(x, distance);
  // A shift by the width or more is poison, which select does not pass on.
  Value width = e.constant(x, x.getType().getIntOrFloatBitWidth());
  return e.select(e.less(distance, width), shifted, e.constant(x, 0));
}

//===----------------------------------------------------------------------===//
// Unary math and classification
//===----------------------------------------------------------------------===//

template <typename OpT, typename MathOpT>
static Value emitMath(OpT, const ScalarEmitter &e, ValueRange args) {
  return e.create<MathOpT>(args[0]);
}

static Value emitNeg(IE::NegOp, const ScalarEmitter &e, ValueRange args) {
  return e.neg(args[0]);
}

static Value emitAbs(IE::AbsOp, const ScalarEmitter &e, ValueRange args) {
  if (isa<FloatType>(args[0].getType())) {
    return e.create<math::AbsFOp>(args[0]);
  }
  return e.isUnsigned() ? args[0] : e.create<math::AbsIOp>(args[0]);
}

static Value emitSign(IE::SignOp, const ScalarEmitter &e, ValueRange args) {
  Value x = args[0];
  Value zero = e.constant(x, 0), one = e.constant(x, 1);
  // Zero and NaN answer neither comparison and are their own sign.
  Value result = e.select(e.less(zero, x), one, x);
  if (e.isUnsigned()) {
    return result;
  }
  return e.select(e.less(x, zero), e.constant(x, -1), result);
}

static Value emitReciprocal(IE::ReciprocalOp, const ScalarEmitter &e,
                            ValueRange args) {
  return e.div(e.constant(args[0], 1), args[0]);
}

static Value emitIsNaN(IE::IsNaNOp, const ScalarEmitter &e, ValueRange args) {
  return e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, args[0], args[0]);
}

static Value emitIsInf(IE::IsInfOp op, const ScalarEmitter &e,
                       ValueRange args) {
  Value x = args[0];
  double infinity = std::numeric_limits<double>::infinity();
  auto isSigned = [&](double sign, bool wanted) {
    return wanted ? e.equal(x, e.constant(x, sign * infinity))
                  : buildScalar(e.getBuilder(), e.getLoc(),
                                e.getBuilder().getI1Type(), 0);
  };
  return e.create<arith::OrIOp>(isSigned(1, op.getDetectPositive() != 0),
                                isSigned(-1, op.getDetectNegative() != 0));
}

//===----------------------------------------------------------------------===//
// Conversion and copies
//===----------------------------------------------------------------------===//

static Value emitCast(IE::CastOp op, const ScalarEmitter &e, ValueRange args) {
  Type target = op.getTo(), source = getElementTypeOrSelf(op.getInput());
  Value value = args[0];
  if (source == target) {
    return value;
  }
  if (IE::isSmallNumber(source)) {
    value = decodeSmallNumber(e, value, source);
  }
  if (IE::isSmallNumber(target)) {
    return encodeSmallNumber(
        e, value, target, IE::CastOptions(op.getSaturate(), op.getRoundMode()));
  }
  if (auto integer = dyn_cast<IntegerType>(target)) {
    target = e.getBuilder().getIntegerType(integer.getWidth());
  }
  return e.convert(value, target, isUnsignedElement(op.getOutput()));
}

static Value emitClip(IE::ClipOp op, const ScalarEmitter &e, ValueRange args) {
  Value result = args[0];
  if (op.getMin()) {
    result = e.max(result, args[1]);
  }
  return op.getMax() ? e.min(result, args.back()) : result;
}

namespace {
struct IdentityToOperand final : OpConversionPattern<IE::IdentityOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::IdentityOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, buildCast(rewriter, op.getLoc(), adaptor.getInput(),
                      getRankedType(*getTypeConverter(), op.getOutput())));
    return success();
  }
};

/// Lowered, the bits of all types but bool are as many as in IE; those of 4
/// bits and float8 are bytes already. Halves stay as they are.
struct BitCastToLinalg final : OpConversionPattern<IE::BitCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::BitCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    rewriter.replaceOp(
        op, buildElementwise(rewriter, op.getLoc(), type,
                             getResultSize(rewriter, op), adaptor.getInput(),
                             [&](OpBuilder &b, Location loc, ValueRange args) {
                               ScalarEmitter e(b, loc, /*isUnsigned=*/false);
                               return emitBitCast(e, args[0],
                                                  type.getElementType());
                             }));
    return success();
  }

private:
  static Value emitBitCast(const ScalarEmitter &e, Value value, Type target) {
    Type source = value.getType();
    if (source == target) {
      return value;
    }
    if (source.isInteger(1)) {
      return e.create<arith::ExtUIOp>(target, value);
    }
    if (target.isInteger(1)) {
      return e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, value,
                                     e.constant(value, 0));
    }
    return e.create<arith::BitcastOp>(target, value);
  }
};

/// The second operand lends its type only, so its shape need not broadcast.
struct CastLikeToCast final : OpConversionPattern<IE::CastLikeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::CastLikeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IE::CastOp>(
        op, op.getType(), op.getInput(),
        TypeAttr::get(getElementTypeOrSelf(op.getTargetType())),
        op.getSaturateAttr(), op.getRoundModeAttr());
    return success();
  }
};

struct DropoutToCopy final : OpConversionPattern<IE::DropoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::DropoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.isInference()) {
      return rewriter.notifyMatchFailure(op, "ie-decompose replaces it");
    }
    const TypeConverter &converter = *getTypeConverter();
    FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
    if (failed(sizes)) {
      return failure();
    }
    Value isKept = buildScalar(rewriter, op.getLoc(), rewriter.getI1Type(), 1);
    Value mask = buildFilled(rewriter, op.getLoc(),
                             getRankedType(converter, op.getMask()), isKept,
                             sizes->back());
    Value output = buildCast(rewriter, op.getLoc(), adaptor.getData(),
                             getRankedType(converter, op.getOutput()));
    rewriter.replaceOp(op, {output, mask});
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename OpT, auto emit>
static void add(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ElementwiseToLinalg<OpT, emit>>(converter,
                                               patterns.getContext());
}

template <typename OpT, typename MathOpT>
static void addMath(const TypeConverter &converter,
                    RewritePatternSet &patterns) {
  add<OpT, emitMath<OpT, MathOpT>>(converter, patterns);
}

template <typename OpT, Value (ScalarEmitter::*combine)(Value, Value) const>
static void addChain(const TypeConverter &converter,
                     RewritePatternSet &patterns) {
  add<OpT, emitChain<OpT, combine>>(converter, patterns);
}

template <typename OpT, typename ScalarOpT>
static void addBitwise(const TypeConverter &converter,
                       RewritePatternSet &patterns) {
  add<OpT, emitBitwise<OpT, ScalarOpT>>(converter, patterns);
}

static void populateArithmetic(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  addChain<IE::AddOp, &ScalarEmitter::add>(converter, patterns);
  addChain<IE::SubOp, &ScalarEmitter::sub>(converter, patterns);
  addChain<IE::MulOp, &ScalarEmitter::mul>(converter, patterns);
  addChain<IE::DivOp, &ScalarEmitter::div>(converter, patterns);
  addChain<IE::SumOp, &ScalarEmitter::add>(converter, patterns);
  addChain<IE::MaxOp, &ScalarEmitter::max>(converter, patterns);
  addChain<IE::MinOp, &ScalarEmitter::min>(converter, patterns);
  add<IE::MeanOp, emitMean>(converter, patterns);
  add<IE::ModOp, emitMod>(converter, patterns);
  add<IE::PowOp, emitPow>(converter, patterns);
  addBitwise<IE::BitwiseAndOp, arith::AndIOp>(converter, patterns);
  addBitwise<IE::BitwiseOrOp, arith::OrIOp>(converter, patterns);
  addBitwise<IE::BitwiseXorOp, arith::XOrIOp>(converter, patterns);
  add<IE::BitwiseNotOp, emitBitwiseNot>(converter, patterns);
  add<IE::BitShiftOp, emitBitShift>(converter, patterns);
}

static void populateUnaryMath(const TypeConverter &converter,
                              RewritePatternSet &patterns) {
  addMath<IE::FloorOp, math::FloorOp>(converter, patterns);
  addMath<IE::CeilOp, math::CeilOp>(converter, patterns);
  addMath<IE::RoundOp, math::RoundEvenOp>(converter, patterns);
  addMath<IE::SqrtOp, math::SqrtOp>(converter, patterns);
  addMath<IE::ExpOp, math::ExpOp>(converter, patterns);
  addMath<IE::LogOp, math::LogOp>(converter, patterns);
  addMath<IE::ErfOp, math::ErfOp>(converter, patterns);
  addMath<IE::SinOp, math::SinOp>(converter, patterns);
  addMath<IE::CosOp, math::CosOp>(converter, patterns);
  addMath<IE::TanOp, math::TanOp>(converter, patterns);
  addMath<IE::AsinOp, math::AsinOp>(converter, patterns);
  addMath<IE::AcosOp, math::AcosOp>(converter, patterns);
  addMath<IE::AtanOp, math::AtanOp>(converter, patterns);
  addMath<IE::SinhOp, math::SinhOp>(converter, patterns);
  addMath<IE::CoshOp, math::CoshOp>(converter, patterns);
  addMath<IE::AsinhOp, math::AsinhOp>(converter, patterns);
  addMath<IE::AcoshOp, math::AcoshOp>(converter, patterns);
  addMath<IE::AtanhOp, math::AtanhOp>(converter, patterns);
  add<IE::NegOp, emitNeg>(converter, patterns);
  add<IE::AbsOp, emitAbs>(converter, patterns);
  add<IE::SignOp, emitSign>(converter, patterns);
  add<IE::ReciprocalOp, emitReciprocal>(converter, patterns);
  add<IE::IsNaNOp, emitIsNaN>(converter, patterns);
  add<IE::IsInfOp, emitIsInf>(converter, patterns);
}

void nacre::populateElementwiseToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  populateArithmetic(converter, patterns);
  populateUnaryMath(converter, patterns);
  add<IE::CastOp, emitCast>(converter, patterns);
  add<IE::ClipOp, emitClip>(converter, patterns);
  patterns
      .add<BitCastToLinalg, CastLikeToCast, DropoutToCopy, IdentityToOperand>(
          converter, patterns.getContext());
}
