//===- Elementwise.cpp - Interpreter kernels: Elementwise family --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Elementwise.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"
#include "StringConversion.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/RandomUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename OpT, typename Function> static auto makeWrapping(OpT) {
  return [](auto a, auto b) { return applyWrapping(a, b, Function()); };
}

/// a / b towards zero; 0 for b = 0, and wrapping where it overflows.
template <typename C> static C divide(C a, C b) {
  if constexpr (std::is_floating_point_v<C>) {
    return a / b;
  } else if (b == 0) {
    return 0;
  } else if (b == static_cast<C>(-1) && std::is_signed_v<C>) {
    return applyWrapping(C(0), a, std::minus<>());
  } else {
    return a / b;
  }
}

static auto makeDiv(IE::DivOp) {
  return [](auto a, auto b) { return divide(a, b); };
}

static auto makeMod(IE::ModOp op) {
  return [isFmod = op.getFmod() == 1](auto a, auto b) {
    using C = decltype(a);
    if constexpr (std::is_floating_point_v<C>) {
      return std::fmod(a, b);
    } else {
      // -1 divides everything, but the machine's division may overflow.
      if (b == 0 || (std::is_signed_v<C> && b == static_cast<C>(-1))) {
        return C(0);
      }
      C remainder = a % b;
      bool signsDiffer = remainder != 0 && (remainder < 0) != (b < 0);
      return !isFmod && signsDiffer ? static_cast<C>(remainder + b) : remainder;
    }
  };
}

static auto makeMin(IE::MinOp) {
  return [](auto a, auto b) { return minimum(a, b); };
}

static auto makeMax(IE::MaxOp) {
  return [](auto a, auto b) { return maximum(a, b); };
}

static LogicalResult evalMean(IE::MeanOp, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  // Not through evalBroadcast: the sum must not be rounded before the division.
  ArrayRef<int64_t> shape = results[0].getShape();
  std::vector<double> sum(results[0].getNumElements());
  for (const Tensor &operand : operands) {
    std::vector<double> values = load<double>(operand, shape);
    for (size_t i = 0; i < sum.size(); ++i) {
      sum[i] += values[i];
    }
  }
  for (double &value : sum) {
    value /= static_cast<double>(operands.size());
  }
  store(sum, results[0]);
  return success();
}

/// base ^ exponent modulo 2^64, by squaring; a negative exponent gives the
/// truncated reciprocal, with 0 for that of 0.
template <typename Base, typename Exponent>
static Base powerOfInts(Base base, Exponent exponent) {
  if constexpr (std::is_signed_v<Exponent>) {
    if (exponent < 0) {
      bool isOne = base == Base(1);
      bool isMinusOne = base == static_cast<Base>(-1);
      Base ofMinusOne = exponent % 2 == 0 ? Base(1) : base;
      return isOne ? base : isMinusOne ? ofMinusOne : Base(0);
    }
  }
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    result *= rest & 1 ? square : 1;
    square *= square;
  }
  return static_cast<Base>(result);
}

static LogicalResult evalPow(IE::PowOp, ArrayRef<Tensor> operands,
                             MutableArrayRef<Tensor> results) {
  ArrayRef<int64_t> shape = results[0].getShape();
  Type baseType = operands[0].getElementType();
  dispatchCompute(operands[1].getElementType(), [&](auto exponentTag) {
    std::vector<decltype(exponentTag)> exponents =
        load<decltype(exponentTag)>(operands[1], shape);
    bool isInt = !std::is_floating_point_v<decltype(exponentTag)>;
    if (isInt && isa<IntegerType>(baseType)) {
      std::vector<int64_t> values = load<int64_t>(operands[0], shape);
      for (size_t i = 0; i < values.size(); ++i) {
        if constexpr (!std::is_floating_point_v<decltype(exponentTag)>) {
          values[i] = powerOfInts(values[i], exponents[i]);
        }
      }
      store(values, results[0]);
      return;
    }
    std::vector<double> values = load<double>(operands[0], shape);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = std::pow(values[i], static_cast<double>(exponents[i]));
    }
    store(values, results[0]);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <typename OpT, typename Function> static auto makeBitwise(OpT) {
  return [](uint64_t a, uint64_t b) { return Function()(a, b); };
}

static auto makeBitwiseNot(IE::BitwiseNotOp) {
  return [](uint64_t x) { return ~x; };
}

static auto makeBitShift(IE::BitShiftOp op) {
  return [isLeft = op.getDirection() == "LEFT"](uint64_t x, uint64_t distance) {
    if (distance >= 64) {
      return uint64_t(0);
    }
    return isLeft ? x << distance : x >> distance;
  };
}

//===----------------------------------------------------------------------===//
// Unary math and classification
//===----------------------------------------------------------------------===//

static double reciprocal(double x) { return 1.0 / x; }

static auto makeNeg(IE::NegOp) {
  return [](auto x) {
    using C = decltype(x);
    if constexpr (std::is_floating_point_v<C>) {
      return -x;
    } else {
      return applyWrapping(C(0), x, std::minus<>());
    }
  };
}

static auto makeAbs(IE::AbsOp) {
  return [](auto x) {
    using C = decltype(x);
    if constexpr (std::is_floating_point_v<C>) {
      return std::abs(x);
    } else {
      return x < C(0) ? applyWrapping(C(0), x, std::minus<>()) : x;
    }
  };
}

static auto makeSign(IE::SignOp) {
  return [](auto x) {
    using C = decltype(x);
    return isNaN(x) ? x : static_cast<C>((x > C(0)) - (x < C(0)));
  };
}

static auto makeIsNaN(IE::IsNaNOp) {
  return [](double x) { return std::isnan(x); };
}

static auto makeIsInf(IE::IsInfOp op) {
  return [positive = op.getDetectPositive() != 0,
          negative = op.getDetectNegative() != 0](double x) {
    return std::isinf(x) && (x > 0 ? positive : negative);
  };
}

//===----------------------------------------------------------------------===//
// Conversion and copies
//===----------------------------------------------------------------------===//

/// The number in the type that strings stand for, where its own is small.
static Tensor makeWide(const Tensor &small) {
  MLIRContext *context = small.getType().getContext();
  Type element = isa<FloatType>(small.getElementType())
                     ? Type(Float32Type::get(context))
                     : IntegerType::get(context, 64);
  return Tensor(small.getType().clone(element));
}

/// Writes numbers in the codes of small ones. Integers, which have no larger
/// ones to saturate to, wrap to fewer bits.
template <typename C>
static void storeSmall(const std::vector<C> &values, Tensor &tensor,
                       const IE::CastOptions &options) {
  Type element = tensor.getElementType();
  auto mask = llvm::maskTrailingOnes<uint64_t>(element.getIntOrFloatBitWidth());
  bool wraps = std::is_integral_v<C> && isa<IntegerType>(element);
  for (auto [value, code] : llvm::zip_equal(values, tensor.getMutableBytes())) {
    code = static_cast<char>(
        wraps ? static_cast<uint64_t>(value) & mask
              : IE::encodeSmallNumber(element, static_cast<double>(value),
                                      options));
  }
}

static LogicalResult convert(Operation *op, const Tensor &input, Tensor &result,
                             const IE::CastOptions &options) {
  if (input.getElementType() == result.getElementType()) {
    result = input.withType(result.getType());
    return success();
  }
  if (input.hasStrings() && result.hasSmallNumbers()) {
    Tensor wide = makeWide(result);
    if (failed(readNumbers(op, input, wide))) {
      return failure();
    }
    return convert(op, wide, result, options);
  }
  if (input.hasSmallNumbers() && result.hasStrings()) {
    Tensor wide = makeWide(input);
    if (failed(convert(op, input, wide, options))) {
      return failure();
    }
    writeNumbers(wide, result);
    return success();
  }
  if (result.hasStrings()) {
    writeNumbers(input, result);
    return success();
  }
  if (input.hasStrings()) {
    return readNumbers(op, input, result);
  }
  dispatchCompute(input.getElementType(), [&](auto tag) {
    std::vector<decltype(tag)> values = load<decltype(tag)>(input);
    if (result.hasSmallNumbers()) {
      storeSmall(values, result, options);
    } else {
      store(values, result);
    }
  });
  return success();
}

/// Kernel of Cast and CastLike: the element types say it all.
template <typename OpT>
static LogicalResult evalConversion(OpT op, ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  return convert(op, operands[0], results[0],
                 IE::CastOptions(op.getSaturate(), op.getRoundMode()));
}

static LogicalResult evalBitCast(IE::BitCastOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  if (!op.getTo().isInteger(1)) {
    results[0] = operands[0].withType(results[0].getType());
    return success();
  }
  for (auto [bits, result] : llvm::zip_equal(
           operands[0].getBytes(), results[0].mutableValues<bool>())) {
    result = bits != 0;
  }
  return success();
}

static LogicalResult evalIdentity(IE::IdentityOp, ArrayRef<Tensor> operands,
                                  MutableArrayRef<Tensor> results) {
  results[0] = operands[0].withType(results[0].getType());
  return success();
}

static LogicalResult evalDropout(IE::DropoutOp op, ArrayRef<Tensor> operands,
                                 MutableArrayRef<Tensor> results) {
  // Optional operands are absent from the list, not null.
  const Tensor *training = op.getTrainingMode() ? &operands.back() : nullptr;
  double ratio = op.getRatio() ? operands[1].getDouble(0) : 0.5;
  if (!training || training->getInt(0) == 0 || ratio == 0.0) {
    results[0] = operands[0].withType(results[0].getType());
    llvm::fill(results[1].mutableValues<bool>(), true);
    return success();
  }
  IE::RandomNumbers random(static_cast<uint32_t>(op.getSeed()));
  std::vector<double> values = load<double>(operands[0]);
  for (auto [value, isKept] :
       llvm::zip_equal(values, results[1].mutableValues<bool>())) {
    isKept = random.drawUniform() >= ratio;
    value = isKept ? value / (1 - ratio) : 0;
  }
  store(values, results[0]);
  return success();
}

static LogicalResult evalClip(IE::ClipOp op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  dispatchCompute(results[0].getElementType(), [&](auto tag) {
    using C = decltype(tag);
    std::vector<C> values = load<C>(operands[0]);
    const Tensor *bound = operands.data() + 1;
    if (op.getMin()) {
      C lower = load<C>(*bound++).front();
      for (C &value : values) {
        value = maximum(value, lower);
      }
    }
    if (op.getMax()) {
      C upper = load<C>(*bound).front();
      for (C &value : values) {
        value = minimum(value, upper);
      }
    }
    store(values, results[0]);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename OpT, double (*function)(double)>
static void attachMath(MLIRContext *context) {
  attachKernel<OpT, evalMath<OpT, function>>(context);
}

template <typename OpT, typename Function>
static void attachWrapping(MLIRContext *context) {
  attachKernel<OpT, evalBroadcast<OpT, makeWrapping<OpT, Function>>>(context);
}

template <typename OpT, typename Function>
static void attachBitwise(MLIRContext *context) {
  attachKernel<OpT, evalBroadcastAs<uint64_t, OpT, makeBitwise<OpT, Function>>>(
      context);
}

static void registerArithmetic(MLIRContext *context) {
  attachWrapping<IE::AddOp, std::plus<>>(context);
  attachWrapping<IE::SubOp, std::minus<>>(context);
  attachWrapping<IE::MulOp, std::multiplies<>>(context);
  attachWrapping<IE::SumOp, std::plus<>>(context);
  attachKernel<IE::DivOp, evalBroadcast<IE::DivOp, makeDiv>>(context);
  attachKernel<IE::ModOp, evalBroadcast<IE::ModOp, makeMod>>(context);
  attachKernel<IE::MinOp, evalBroadcast<IE::MinOp, makeMin>>(context);
  attachKernel<IE::MaxOp, evalBroadcast<IE::MaxOp, makeMax>>(context);
  attachKernel<IE::MeanOp, evalMean>(context);
  attachKernel<IE::PowOp, evalPow>(context);
  attachBitwise<IE::BitwiseAndOp, std::bit_and<>>(context);
  attachBitwise<IE::BitwiseOrOp, std::bit_or<>>(context);
  attachBitwise<IE::BitwiseXorOp, std::bit_xor<>>(context);
  attachKernel<IE::BitwiseNotOp,
               evalUnaryAs<uint64_t, IE::BitwiseNotOp, makeBitwiseNot>>(
      context);
  attachKernel<IE::BitShiftOp,
               evalBroadcastAs<uint64_t, IE::BitShiftOp, makeBitShift>>(
      context);
}

static void registerUnaryMath(MLIRContext *context) {
  attachMath<IE::FloorOp, std::floor>(context);
  attachMath<IE::CeilOp, std::ceil>(context);
  // The default rounding mode, which nothing here changes, is half to even.
  attachMath<IE::RoundOp, std::nearbyint>(context);
  attachMath<IE::SqrtOp, std::sqrt>(context);
  attachMath<IE::ReciprocalOp, reciprocal>(context);
  attachMath<IE::ExpOp, std::exp>(context);
  attachMath<IE::LogOp, std::log>(context);
  attachMath<IE::ErfOp, std::erf>(context);
  attachMath<IE::SinOp, std::sin>(context);
  attachMath<IE::CosOp, std::cos>(context);
  attachMath<IE::TanOp, std::tan>(context);
  attachMath<IE::AsinOp, std::asin>(context);
  attachMath<IE::AcosOp, std::acos>(context);
  attachMath<IE::AtanOp, std::atan>(context);
  attachMath<IE::SinhOp, std::sinh>(context);
  attachMath<IE::CoshOp, std::cosh>(context);
  attachMath<IE::AsinhOp, std::asinh>(context);
  attachMath<IE::AcoshOp, std::acosh>(context);
  attachMath<IE::AtanhOp, std::atanh>(context);
  attachKernel<IE::NegOp, evalUnary<IE::NegOp, makeNeg>>(context);
  attachKernel<IE::AbsOp, evalUnary<IE::AbsOp, makeAbs>>(context);
  attachKernel<IE::SignOp, evalUnary<IE::SignOp, makeSign>>(context);
  attachKernel<IE::IsNaNOp, evalUnaryAs<double, IE::IsNaNOp, makeIsNaN>>(
      context);
  attachKernel<IE::IsInfOp, evalUnaryAs<double, IE::IsInfOp, makeIsInf>>(
      context);
}

void interpreter::registerElementwiseKernels(MLIRContext *context) {
  registerArithmetic(context);
  registerUnaryMath(context);
  attachKernel<IE::CastOp, evalConversion<IE::CastOp>>(context);
  attachKernel<IE::BitCastOp, evalBitCast>(context);
  attachKernel<IE::CastLikeOp, evalConversion<IE::CastLikeOp>>(context);
  attachKernel<IE::IdentityOp, evalIdentity>(context);
  attachKernel<IE::DropoutOp, evalDropout>(context);
  attachKernel<IE::ClipOp, evalClip>(context);
}
