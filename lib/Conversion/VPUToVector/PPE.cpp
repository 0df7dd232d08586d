//===- PPE.cpp - Post-processing of accumulators --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of #VPU.PPE on one vector, while it is in a register.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

/// `limit` where x is beyond it, else x, as which NaN counts: what one x86
/// instruction does, while the larger or smaller of two numbers takes three.
static Value buildLimit(KernelBuilder &kernel, Value x,
                        arith::CmpFPredicate isBeyond, double limit,
                        Lanes lanes) {
  Value bound = kernel.splat(limit, lanes);
  Value beyond =
      arith::CmpFOp::create(kernel.builder, kernel.loc, isBeyond, x, bound);
  return arith::SelectOp::create(kernel.builder, kernel.loc, beyond, bound, x);
}

static Value buildAtLeast(KernelBuilder &kernel, Value x, double low,
                          Lanes lanes) {
  return buildLimit(kernel, x, arith::CmpFPredicate::OLT, low, lanes);
}

static Value buildAtMost(KernelBuilder &kernel, Value x, double high,
                         Lanes lanes) {
  return buildLimit(kernel, x, arith::CmpFPredicate::OGT, high, lanes);
}

/// min(max(x * slope + 1/2, 0), 1)
static Value buildHardSigmoid(KernelBuilder &kernel, Value x, double slope,
                              Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value line = math::FmaOp::create(b, loc, x, kernel.splat(slope, lanes),
                                   kernel.splat(0.5, lanes));
  return buildAtMost(kernel, buildAtLeast(kernel, line, 0, lanes), 1, lanes);
}

/// 1 / (1 + exp(-x))
static Value buildSigmoid(KernelBuilder &kernel, Value x, Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value one = kernel.splat(1, lanes);
  Value negated = arith::NegFOp::create(b, loc, x);
  Value exp = math::ExpOp::create(b, loc, negated);
  return arith::DivFOp::create(b, loc, one,
                               arith::AddFOp::create(b, loc, one, exp));
}

/// x * sigmoid(slope * x)
static Value buildSwish(KernelBuilder &kernel, Value x, double slope,
                        Lanes lanes) {
  Value scaled = slope == 1
                     ? x
                     : arith::MulFOp::create(kernel.builder, kernel.loc, x,
                                             kernel.splat(slope, lanes))
                           .getResult();
  return arith::MulFOp::create(kernel.builder, kernel.loc, x,
                               buildSigmoid(kernel, scaled, lanes));
}

/// x * tanh(log(1 + exp(x))), whose tangent is n / (n + 2) with
/// n = exp(x) * (exp(x) + 2), and is 1 before n overflows.
static Value buildMish(KernelBuilder &kernel, Value x, Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  constexpr double kSaturated = 20;
  Value two = kernel.splat(2, lanes);
  Value exp =
      math::ExpOp::create(b, loc, buildAtMost(kernel, x, kSaturated, lanes));
  Value n = arith::MulFOp::create(b, loc, exp, kernel.addVectors(exp, two));
  Value tangent = arith::DivFOp::create(b, loc, n, kernel.addVectors(n, two));
  return arith::MulFOp::create(b, loc, x, tangent);
}

/// x < 0 ? slope * (exp(x) - 1) : x
static Value buildElu(KernelBuilder &kernel, Value x, double slope,
                      Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value curve = arith::MulFOp::create(b, loc, math::ExpM1Op::create(b, loc, x),
                                      kernel.splat(slope, lanes));
  Value negative = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x,
                                         kernel.splat(0, lanes));
  return arith::SelectOp::create(b, loc, negative, curve, x);
}

/// x / 2 * (1 + erf(x / sqrt(2)))
static Value buildGelu(KernelBuilder &kernel, Value x, Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value scaled = arith::MulFOp::create(
      b, loc, x, kernel.splat(0.70710678118654752440, lanes));
  Value erf = math::ErfOp::create(b, loc, scaled);
  Value factor = arith::AddFOp::create(b, loc, erf, kernel.splat(1, lanes));
  Value half = arith::MulFOp::create(b, loc, x, kernel.splat(0.5, lanes));
  return arith::MulFOp::create(b, loc, half, factor);
}

/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
static Value buildGeluTanh(KernelBuilder &kernel, Value x, Lanes lanes) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  constexpr double kScale = 0.79788456080286535588;
  Value square = arith::MulFOp::create(b, loc, x, x);
  Value slope = math::FmaOp::create(b, loc, square,
                                    kernel.splat(kScale * 0.044715, lanes),
                                    kernel.splat(kScale, lanes));
  Value tanh =
      math::TanhOp::create(b, loc, arith::MulFOp::create(b, loc, x, slope));
  Value factor = kernel.addVectors(tanh, kernel.splat(1, lanes));
  Value half = arith::MulFOp::create(b, loc, x, kernel.splat(0.5, lanes));
  return arith::MulFOp::create(b, loc, half, factor);
}

Value KernelBuilder::applyPPE(VPU::PPEAttr ppe, Value x, Lanes lanes) {
  switch (ppe.getMode()) {
  case VPU::PPEMode::NOOP:
    return x;
  case VPU::PPEMode::RELU:
    return buildAtLeast(*this, x, 0, lanes);
  case VPU::PPEMode::LRELU: {
    Value zero = splat(0, lanes);
    Value scaled = arith::MulFOp::create(builder, loc, x,
                                         splat(ppe.getSlopeValue(), lanes));
    Value negative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
    return arith::SelectOp::create(builder, loc, negative, scaled, x);
  }
  case VPU::PPEMode::CLAMP: {
    if (ppe.getLow()) {
      x = buildAtLeast(*this, x, ppe.getLowValue(), lanes);
    }
    if (ppe.getHigh()) {
      x = buildAtMost(*this, x, ppe.getHighValue(), lanes);
    }
    return x;
  }
  case VPU::PPEMode::SIGMOID:
    return buildSigmoid(*this, x, lanes);
  case VPU::PPEMode::TANH:
    return math::TanhOp::create(builder, loc, x);
  case VPU::PPEMode::HSIGMOID:
    return buildHardSigmoid(*this, x, ppe.getSlopeValue(), lanes);
  case VPU::PPEMode::HSWISH:
    return arith::MulFOp::create(builder, loc, x,
                                 buildHardSigmoid(*this, x, 1.0 / 6.0, lanes));
  case VPU::PPEMode::SWISH:
    return buildSwish(*this, x, ppe.getSlopeValue(), lanes);
  case VPU::PPEMode::MISH:
    return buildMish(*this, x, lanes);
  case VPU::PPEMode::ELU:
    return buildElu(*this, x, ppe.getSlopeValue(), lanes);
  case VPU::PPEMode::GELU:
    return buildGelu(*this, x, lanes);
  case VPU::PPEMode::GELU_TANH:
    return buildGeluTanh(*this, x, lanes);
  }
  llvm_unreachable("unknown PPE mode");
}

Value KernelBuilder::roundToBytes(Value x, int64_t zeroPoint, Lanes lanes) {
  auto type = cast<VectorType>(x.getType());
  // Limits are integers, so that it is as good to round what is within them. A
  // NaN becomes the least number: the maximum takes the second operand for it.
  auto limit = [&](int64_t value) {
    return splat(static_cast<double>(value - zeroPoint), lanes);
  };
  x = arith::MaxNumFOp::create(builder, loc, x, limit(0));
  x = arith::MinNumFOp::create(builder, loc, x, limit(255));
  // The sum is rounded to an integer, ties to even, as all of its mantissa is
  // before the point. What follows the first half of the mantissa's range are
  // the low bits of that integer, in two's complement.
  unsigned mantissa = APFloat::semanticsPrecision(
      cast<FloatType>(type.getElementType()).getFloatSemantics());
  double shift = 1.5 * std::ldexp(1.0, static_cast<int>(mantissa) - 1);
  x = addVectors(x, splat(shift, lanes));
  VectorType words =
      type.clone(builder.getIntegerType(type.getElementTypeBitWidth()));
  Value integers = arith::BitcastOp::create(builder, loc, words, x);
  if (zeroPoint != 0) {
    Value offset = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            words, builder.getIntegerAttr(words.getElementType(), zeroPoint)));
    integers = arith::AddIOp::create(builder, loc, integers, offset);
  }
  return arith::TruncIOp::create(builder, loc, type.clone(builder.getI8Type()),
                                 integers);
}

void KernelBuilder::storeResult(VPU::PPEAttr ppe, Value vector, Value memref,
                                ValueRange indices, Lanes lanes,
                                Value residual) {
  if (residual) {
    vector = addVectors(vector, loadFloats(residual, indices, lanes));
  }
  Value y = applyPPE(ppe, vector, lanes);
  if (ppe.getZeroPoint()) {
    y = roundToBytes(y, ppe.getZeroPoint().getInt(), lanes);
  }
  store(y, memref, indices, lanes);
}
