//===- ScalarEmitter.cpp - Scalar code of elementwise kernels -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the arith and math op by kind of element.
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"

using namespace mlir;
using namespace nacre;

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

Value ScalarEmitter::add(Value a, Value b) const {
  return isFloat(a) ? create<arith::AddFOp>(a, b) : create<arith::AddIOp>(a, b);
}

Value ScalarEmitter::sub(Value a, Value b) const {
  return isFloat(a) ? create<arith::SubFOp>(a, b) : create<arith::SubIOp>(a, b);
}

Value ScalarEmitter::mul(Value a, Value b) const {
  return isFloat(a) ? create<arith::MulFOp>(a, b) : create<arith::MulIOp>(a, b);
}

Value ScalarEmitter::buildSafeDivisor(Value b) const {
  // Division by zero traps on some machines, and so does INT_MIN / -1.
  Value unsafe = equal(b, constant(b, 0));
  if (!unsignedInts) {
    Value isMinusOne = equal(b, constant(b, -1));
    unsafe = create<arith::OrIOp>(unsafe, isMinusOne);
  }
  return select(unsafe, constant(b, 1), b);
}

/// Machines divide vectors of floats, not of integers. A quotient that is no
/// whole number is further from the next one than rounding moves it, by 1 / a
/// of itself at least, where a float has more bits than the integers.
static bool isDividedAsFloat(Type type) {
  return type.getIntOrFloatBitWidth() <= 32;
}

static Value divideAsFloat(const ScalarEmitter &e, Value a, Value divisor) {
  Type type = a.getType();
  OpBuilder &builder = e.getBuilder();
  Type real = type.getIntOrFloatBitWidth() > 16 ? Type(builder.getF64Type())
                                                : builder.getF32Type();
  Value quotient = e.create<arith::DivFOp>(
      e.convert(a, real, /*isTargetUnsigned=*/false),
      e.convert(divisor, real, /*isTargetUnsigned=*/false));
  return e.isUnsigned() ? e.create<arith::FPToUIOp>(type, quotient)
                        : e.create<arith::FPToSIOp>(type, quotient);
}

static Value divideSafely(const ScalarEmitter &e, Value a, Value divisor) {
  if (isDividedAsFloat(a.getType())) {
    return divideAsFloat(e, a, divisor);
  }
  return e.isUnsigned() ? e.create<arith::DivUIOp>(a, divisor)
                        : e.create<arith::DivSIOp>(a, divisor);
}

Value ScalarEmitter::div(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::DivFOp>(a, b);
  }
  Value quotient = divideSafely(*this, a, buildSafeDivisor(b));
  Value zero = constant(a, 0);
  Value isZero = equal(b, zero);
  if (unsignedInts) {
    return select(isZero, zero, quotient);
  }
  quotient = select(equal(b, constant(b, -1)), sub(zero, a), quotient);
  return select(isZero, zero, quotient);
}

Value ScalarEmitter::rem(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::RemFOp>(a, b);
  }
  // The stand-in divisor is 1, whose remainder is the wanted 0 each time.
  Value divisor = buildSafeDivisor(b);
  if (isDividedAsFloat(a.getType())) {
    return sub(a, mul(divideAsFloat(*this, a, divisor), divisor));
  }
  return unsignedInts ? create<arith::RemUIOp>(a, divisor)
                      : create<arith::RemSIOp>(a, divisor);
}

// To tell zeros apart takes as long as all the rest of a comparison.
Value ScalarEmitter::max(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::MaximumFOp>(a, b, arith::FastMathFlags::nsz);
  }
  return unsignedInts ? create<arith::MaxUIOp>(a, b)
                      : create<arith::MaxSIOp>(a, b);
}

Value ScalarEmitter::min(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::MinimumFOp>(a, b, arith::FastMathFlags::nsz);
  }
  return unsignedInts ? create<arith::MinUIOp>(a, b)
                      : create<arith::MinSIOp>(a, b);
}

Value ScalarEmitter::neg(Value a) const {
  return isFloat(a) ? create<arith::NegFOp>(a) : sub(constant(a, 0), a);
}

Value ScalarEmitter::equal(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, a, b);
  }
  return create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}

Value ScalarEmitter::less(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::CmpFOp>(arith::CmpFPredicate::OLT, a, b);
  }
  return create<arith::CmpIOp>(unsignedInts ? arith::CmpIPredicate::ult
                                            : arith::CmpIPredicate::slt,
                               a, b);
}

Value ScalarEmitter::lessOrEqual(Value a, Value b) const {
  if (isFloat(a)) {
    return create<arith::CmpFOp>(arith::CmpFPredicate::OLE, a, b);
  }
  return create<arith::CmpIOp>(unsignedInts ? arith::CmpIPredicate::ule
                                            : arith::CmpIPredicate::sle,
                               a, b);
}

Value ScalarEmitter::select(Value condition, Value a, Value b) const {
  return create<arith::SelectOp>(condition, a, b);
}

Value ScalarEmitter::convert(Value value, Type type,
                             bool isTargetUnsigned) const {
  Type source = value.getType();
  if (source == type) {
    return value;
  }
  unsigned sourceWidth = source.getIntOrFloatBitWidth();
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isInteger(1)) {
    // NaN is not zero: hence the unordered comparison.
    Value zero = constant(value, 0);
    return isFloat(value)
               ? create<arith::CmpFOp>(arith::CmpFPredicate::UNE, value, zero)
               : create<arith::CmpIOp>(arith::CmpIPredicate::ne, value, zero);
  }
  if (isFloat(value) && isa<FloatType>(type)) {
    if (sourceWidth < width) {
      return create<arith::ExtFOp>(type, value);
    }
    return create<arith::TruncFOp>(type, value);
  }
  if (isFloat(value)) {
    if (isTargetUnsigned && width == 64) {
      return create<arith::FPToUIOp>(type, value);
    }
    // Through a wider signed type, so that what does not fit wraps as integers
    // do.
    unsigned wideWidth =
        width == 64 || (isTargetUnsigned && width == 32) ? 64 : 32;
    Value wide =
        create<arith::FPToSIOp>(builder.getIntegerType(wideWidth), value);
    return wideWidth == width ? wide : create<arith::TruncIOp>(type, wide);
  }
  if (isa<FloatType>(type)) {
    return unsignedInts ? create<arith::UIToFPOp>(type, value)
                        : create<arith::SIToFPOp>(type, value);
  }
  if (sourceWidth == width) {
    return value;
  }
  if (sourceWidth > width) {
    return create<arith::TruncIOp>(type, value);
  }
  return unsignedInts ? create<arith::ExtUIOp>(type, value)
                      : create<arith::ExtSIOp>(type, value);
}
