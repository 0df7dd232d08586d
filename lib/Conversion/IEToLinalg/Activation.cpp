//===- Activation.cpp - Lower the Activation family to linalg -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Activation: the formulas of the
// ONNX operator pages on scalars.
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"

#include "nacre/Dialect/IE/IR/Activation.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace nacre;

static Value buildParameter(const ScalarEmitter &e, Value like,
                            const APFloat &value) {
  return e.constant(like, value.convertToFloat());
}

/// log(1 + exp(x)) without overflow.
static Value buildSoftplus(const ScalarEmitter &e, Value x) {
  Value negated = e.neg(e.create<math::AbsFOp>(x));
  Value tail = e.create<math::Log1pOp>(e.create<math::ExpOp>(negated));
  return e.add(e.max(x, e.constant(x, 0)), tail);
}

/// max(0, min(1, x))
static Value buildClamp01(const ScalarEmitter &e, Value x) {
  return e.max(e.min(x, e.constant(x, 1)), e.constant(x, 0));
}

static Value emitRelu(IE::ReluOp, const ScalarEmitter &e, ValueRange args) {
  if (e.isUnsigned()) {
    return args[0];
  }
  return e.max(args[0], e.constant(args[0], 0));
}

static Value emitHardSwish(IE::HardSwishOp, const ScalarEmitter &e,
                           ValueRange args) {
  Value x = args[0];
  Value line = e.add(e.mul(x, e.constant(x, 1.0 / 6.0)), e.constant(x, 0.5));
  return e.mul(x, buildClamp01(e, line));
}

static Value emitMish(IE::MishOp, const ScalarEmitter &e, ValueRange args) {
  return e.mul(args[0], e.create<math::TanhOp>(buildSoftplus(e, args[0])));
}

static Value buildSigmoid(const ScalarEmitter &e, Value x) {
  Value one = e.constant(x, 1);
  Value decay = e.create<math::ExpOp>(e.neg(x));
  return e.div(one, e.add(one, decay));
}

static Value emitSigmoid(IE::SigmoidOp, const ScalarEmitter &e,
                         ValueRange args) {
  return buildSigmoid(e, args[0]);
}

static Value emitSwish(IE::SwishOp op, const ScalarEmitter &e,
                       ValueRange args) {
  Value x = args[0];
  Value scaled = op.getAlpha().isExactlyValue(1)
                     ? x
                     : e.mul(x, buildParameter(e, x, op.getAlpha()));
  return e.mul(x, buildSigmoid(e, scaled));
}

static Value emitSoftplus(IE::SoftplusOp, const ScalarEmitter &e,
                          ValueRange args) {
  return buildSoftplus(e, args[0]);
}

static Value emitSoftsign(IE::SoftsignOp, const ScalarEmitter &e,
                          ValueRange args) {
  Value magnitude = e.create<math::AbsFOp>(args[0]);
  return e.div(args[0], e.add(e.constant(args[0], 1), magnitude));
}

static Value emitTanh(IE::TanhOp, const ScalarEmitter &e, ValueRange args) {
  return e.create<math::TanhOp>(args[0]);
}

static Value emitLeakyRelu(IE::LeakyReluOp op, const ScalarEmitter &e,
                           ValueRange args) {
  Value x = args[0];
  Value scaled = e.mul(buildParameter(e, x, op.getAlpha()), x);
  // Between 0 and 1 the larger one is meant. As a comparison that is one
  // instruction of x86, and right of NaN, whose multiples are NaN.
  float alpha = op.getAlpha().convertToFloat();
  return alpha > 0 && alpha < 1
             ? e.select(e.less(scaled, x), x, scaled)
             : e.select(e.less(x, e.constant(x, 0)), scaled, x);
}

static Value emitElu(IE::EluOp op, const ScalarEmitter &e, ValueRange args) {
  Value x = args[0];
  Value curve =
      e.mul(buildParameter(e, x, op.getAlpha()), e.create<math::ExpM1Op>(x));
  return e.select(e.less(x, e.constant(x, 0)), curve, x);
}

static Value emitCelu(IE::CeluOp op, const ScalarEmitter &e, ValueRange args) {
  Value x = args[0];
  Value zero = e.constant(x, 0);
  Value alpha = buildParameter(e, x, op.getAlpha());
  Value curve = e.mul(alpha, e.create<math::ExpM1Op>(e.div(x, alpha)));
  return e.add(e.max(x, zero), e.min(curve, zero));
}

static Value emitSelu(IE::SeluOp op, const ScalarEmitter &e, ValueRange args) {
  Value x = args[0];
  Value curve =
      e.mul(buildParameter(e, x, op.getAlpha()), e.create<math::ExpM1Op>(x));
  Value isPositive = e.less(e.constant(x, 0), x);
  return e.mul(buildParameter(e, x, op.getGamma()),
               e.select(isPositive, x, curve));
}

static Value emitThresholdedRelu(IE::ThresholdedReluOp op,
                                 const ScalarEmitter &e, ValueRange args) {
  Value x = args[0];
  // NaN is not below the threshold and so is kept.
  Value isBelow = e.lessOrEqual(x, buildParameter(e, x, op.getAlpha()));
  return e.select(isBelow, e.constant(x, 0), x);
}

static Value emitHardSigmoid(IE::HardSigmoidOp op, const ScalarEmitter &e,
                             ValueRange args) {
  Value x = args[0];
  Value line = e.add(e.mul(buildParameter(e, x, op.getAlpha()), x),
                     buildParameter(e, x, op.getBeta()));
  return buildClamp01(e, line);
}

static Value emitShrink(IE::ShrinkOp op, const ScalarEmitter &e,
                        ValueRange args) {
  // The parameters need not be integers: integers are computed in f64.
  Type type = args[0].getType();
  bool isInt = isa<IntegerType>(type);
  Value x =
      isInt ? e.convert(args[0], e.getBuilder().getF64Type(), false) : args[0];
  Value bias = buildParameter(e, x, op.getBias());
  Value lambd = buildParameter(e, x, op.getLambd());
  Value isInside = e.create<arith::AndIOp>(e.lessOrEqual(x, lambd),
                                           e.lessOrEqual(e.neg(lambd), x));
  Value outside =
      e.select(e.less(x, e.neg(lambd)), e.add(x, bias), e.sub(x, bias));
  Value result = e.select(isInside, e.constant(x, 0), outside);
  return isInt ? e.convert(result, type, e.isUnsigned()) : result;
}

static Value emitGelu(IE::GeluOp op, const ScalarEmitter &e, ValueRange args) {
  constexpr double kSqrt2OverPi = 0.79788456080286535588;
  constexpr double kSqrtHalf = 0.70710678118654752440;
  Value x = args[0];
  Value bell;
  if (op.getApproximate() == "tanh") {
    Value cube = e.mul(x, e.mul(x, x));
    Value inner = e.add(x, e.mul(e.constant(x, 0.044715), cube));
    bell = e.create<math::TanhOp>(e.mul(e.constant(x, kSqrt2OverPi), inner));
  } else {
    bell = e.create<math::ErfOp>(e.mul(e.constant(x, kSqrtHalf), x));
  }
  Value half = e.mul(e.constant(x, 0.5), x);
  return e.mul(half, e.add(e.constant(x, 1), bell));
}

static Value emitPRelu(IE::PReluOp, const ScalarEmitter &e, ValueRange args) {
  Value isNegative = e.less(args[0], e.constant(args[0], 0));
  return e.select(isNegative, e.mul(args[0], args[1]), args[0]);
}

void nacre::populateActivationToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<ElementwiseToLinalg<IE::CeluOp, emitCelu>,
               ElementwiseToLinalg<IE::EluOp, emitElu>,
               ElementwiseToLinalg<IE::GeluOp, emitGelu>,
               ElementwiseToLinalg<IE::HardSigmoidOp, emitHardSigmoid>,
               ElementwiseToLinalg<IE::HardSwishOp, emitHardSwish>,
               ElementwiseToLinalg<IE::LeakyReluOp, emitLeakyRelu>,
               ElementwiseToLinalg<IE::MishOp, emitMish>,
               ElementwiseToLinalg<IE::PReluOp, emitPRelu>,
               ElementwiseToLinalg<IE::ReluOp, emitRelu>,
               ElementwiseToLinalg<IE::SeluOp, emitSelu>,
               ElementwiseToLinalg<IE::ShrinkOp, emitShrink>,
               ElementwiseToLinalg<IE::SigmoidOp, emitSigmoid>,
               ElementwiseToLinalg<IE::SoftplusOp, emitSoftplus>,
               ElementwiseToLinalg<IE::SoftsignOp, emitSoftsign>,
               ElementwiseToLinalg<IE::SwishOp, emitSwish>,
               ElementwiseToLinalg<IE::TanhOp, emitTanh>,
               ElementwiseToLinalg<IE::ThresholdedReluOp, emitThresholdedRelu>>(
      converter, patterns.getContext());
}
