//===- Activation.cpp - Interpreter kernels: Activation family ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Activation: the formulas of the ONNX
// operator pages as scalar functions.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/IR/Activation.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static double asDouble(const APFloat &value) { return value.convertToFloat(); }

/// log(1 + exp(x)) without overflow.
static double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

static double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

static double mish(double x) { return x * std::tanh(softplus(x)); }

static double softsign(double x) { return x / (1.0 + std::abs(x)); }

static double clamp01(double x) { return minimum(maximum(x, 0.0), 1.0); }

static double hardSwish(double x) { return x * clamp01(x / 6.0 + 0.5); }

static auto makeRelu(IE::ReluOp) {
  return [](auto x) { return maximum(x, decltype(x)(0)); };
}

static auto makeLeakyRelu(IE::LeakyReluOp op) {
  return [alpha = asDouble(op.getAlpha())](double x) {
    return x < 0 ? alpha * x : x;
  };
}

static auto makeElu(IE::EluOp op) {
  return [alpha = asDouble(op.getAlpha())](double x) {
    return x < 0 ? alpha * std::expm1(x) : x;
  };
}

static auto makeSwish(IE::SwishOp op) {
  return [alpha = asDouble(op.getAlpha())](double x) {
    return x * sigmoid(alpha * x);
  };
}

static auto makeCelu(IE::CeluOp op) {
  return [alpha = asDouble(op.getAlpha())](double x) {
    return maximum(x, 0.0) + minimum(alpha * std::expm1(x / alpha), 0.0);
  };
}

static auto makeSelu(IE::SeluOp op) {
  return [alpha = asDouble(op.getAlpha()), gamma = asDouble(op.getGamma())](
             double x) { return gamma * (x > 0 ? x : alpha * std::expm1(x)); };
}

static auto makeThresholdedRelu(IE::ThresholdedReluOp op) {
  return [alpha = asDouble(op.getAlpha())](double x) {
    return x > alpha || std::isnan(x) ? x : 0.0;
  };
}

static auto makeHardSigmoid(IE::HardSigmoidOp op) {
  return [alpha = asDouble(op.getAlpha()), beta = asDouble(op.getBeta())](
             double x) { return clamp01(alpha * x + beta); };
}

static auto makeShrink(IE::ShrinkOp op) {
  return [bias = asDouble(op.getBias()),
          lambd = asDouble(op.getLambd())](double x) {
    if (x < -lambd) {
      return x + bias;
    }
    return x > lambd ? x - bias : std::isnan(x) ? x : 0.0;
  };
}

static auto makeGelu(IE::GeluOp op) {
  return [isTanh = op.getApproximate() == "tanh"](double x) {
    constexpr double kSqrt2OverPi = 0.79788456080286535588;
    constexpr double kSqrtHalf = 0.70710678118654752440;
    return 0.5 * x *
           (1.0 + (isTanh ? std::tanh(kSqrt2OverPi * (x + 0.044715 * x * x * x))
                          : std::erf(x * kSqrtHalf)));
  };
}

static auto makePRelu(IE::PReluOp) {
  return [](auto x, auto slope) {
    using C = decltype(x);
    return x < C(0) ? applyWrapping(x, slope, std::multiplies<>()) : x;
  };
}

template <typename OpT, auto make>
static void attachInDouble(MLIRContext *context) {
  attachKernel<OpT, evalUnaryAs<double, OpT, make>>(context);
}

void interpreter::registerActivationKernels(MLIRContext *context) {
  attachKernel<IE::HardSwishOp, evalMath<IE::HardSwishOp, hardSwish>>(context);
  attachKernel<IE::MishOp, evalMath<IE::MishOp, mish>>(context);
  attachKernel<IE::SigmoidOp, evalMath<IE::SigmoidOp, sigmoid>>(context);
  attachKernel<IE::SoftplusOp, evalMath<IE::SoftplusOp, softplus>>(context);
  attachKernel<IE::SoftsignOp, evalMath<IE::SoftsignOp, softsign>>(context);
  attachKernel<IE::TanhOp, evalMath<IE::TanhOp, std::tanh>>(context);
  attachInDouble<IE::CeluOp, makeCelu>(context);
  attachInDouble<IE::EluOp, makeElu>(context);
  attachInDouble<IE::GeluOp, makeGelu>(context);
  attachInDouble<IE::SwishOp, makeSwish>(context);
  attachInDouble<IE::HardSigmoidOp, makeHardSigmoid>(context);
  attachInDouble<IE::LeakyReluOp, makeLeakyRelu>(context);
  attachInDouble<IE::SeluOp, makeSelu>(context);
  attachInDouble<IE::ShrinkOp, makeShrink>(context);
  attachInDouble<IE::ThresholdedReluOp, makeThresholdedRelu>(context);
  attachKernel<IE::ReluOp, evalUnary<IE::ReluOp, makeRelu>>(context);
  attachKernel<IE::PReluOp, evalBroadcast<IE::PReluOp, makePRelu>>(context);
}
