//===- Quantization.cpp - Integer operators of the engine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant bytes, and the chains of ops that end in a quantized value.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"
#include "Weights.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ConstantBytes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

using namespace mlir;
using namespace nacre;

/// The bytes of a constant zero point, 0 for null.
static std::optional<SmallVector<uint8_t>> getZeroPoints(Value zeroPoint) {
  if (!zeroPoint) {
    return SmallVector<uint8_t>{0};
  }
  IE::ConstantBytes bytes(zeroPoint);
  if (!bytes) {
    return std::nullopt;
  }
  SmallVector<uint8_t> zeros;
  for (size_t i = 0; i < bytes.size(); ++i) {
    zeros.push_back(bytes[i]);
  }
  return zeros;
}

std::optional<SmallVector<int8_t, 0>>
nacre::getConstantWeights(Value value, Value zeroPoint) {
  IE::ConstantBytes bytes(value);
  if (!bytes) {
    return std::nullopt;
  }
  // Unsigned weights are signed ones shifted by half the range.
  bool isUnsigned = getTensorType(value).getElementType().isUnsignedInteger();
  constexpr uint8_t kHalfRange = 0x80;
  uint8_t half = isUnsigned ? kHalfRange : 0;
  std::optional<SmallVector<uint8_t>> zeros = getZeroPoints(zeroPoint);
  if (!zeros ||
      llvm::any_of(*zeros, [&](uint8_t zero) { return zero != half; })) {
    return std::nullopt;
  }
  SmallVector<int8_t, 0> weights;
  weights.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    weights.push_back(static_cast<int8_t>(bytes[i] ^ half));
  }
  return weights;
}

/// The numbers that bytes of `type` are.
static int32_t getNumber(uint8_t byte, RankedTensorType type) {
  return type.getElementType().isUnsignedInteger()
             ? static_cast<int32_t>(byte)
             : static_cast<int32_t>(static_cast<int8_t>(byte));
}

std::optional<SmallVector<float>> nacre::getExactWeights(Value value,
                                                         Value zeroPoint) {
  IE::ConstantBytes weights(value);
  std::optional<SmallVector<uint8_t>> zeros = getZeroPoints(zeroPoint);
  RankedTensorType type = getTensorType(value);
  if (!weights || !zeros || zeros->empty() ||
      (zeros->size() != 1 &&
       static_cast<int64_t>(zeros->size()) != type.getDimSize(0))) {
    return std::nullopt;
  }
  size_t perZero = weights.size() / zeros->size();
  SmallVector<float> result;
  for (size_t i = 0; i < weights.size(); ++i) {
    int32_t zero = getNumber((*zeros)[i / perZero], type);
    result.push_back(static_cast<float>(getNumber(weights[i], type) - zero));
  }
  return result;
}

std::optional<int64_t> nacre::getZeroPoint(Value zeroPoint, Value bytes) {
  bool isUnsigned = getTensorType(bytes).getElementType().isUnsignedInteger();
  constexpr int64_t kHalfRange = 128;
  int64_t zero = 0;
  if (zeroPoint) {
    IE::ConstantBytes constant(zeroPoint);
    if (!constant || constant.size() != 1) {
      return std::nullopt;
    }
    zero = getNumber(constant[0], getTensorType(bytes));
  }
  return isUnsigned ? zero : zero + kHalfRange;
}

/// A positive scale of one element.
static std::optional<float> getScale(Value value) {
  ConstantFloats scale(value);
  if (!scale || scale.size() != 1 || !(scale[0] > 0)) {
    return std::nullopt;
  }
  return static_cast<float>(scale[0]);
}

VPU::QuantAttr nacre::getQuant(IE::DequantizeLinearOp op) {
  std::optional<float> scale = getScale(op.getScale());
  bool isBytes = isByte(getTensorType(op.getInput()).getElementType());
  std::optional<int64_t> zeroPoint =
      isBytes ? getZeroPoint(op.getZeroPoint(), op.getInput()) : std::nullopt;
  if (!scale || !zeroPoint) {
    return {};
  }
  Builder builder(op.getContext());
  return VPU::QuantAttr::get(op.getContext(), builder.getF32FloatAttr(*scale),
                             *zeroPoint);
}

std::optional<int64_t> nacre::getRoundingZeroPoint(IE::QuantizeLinearOp op) {
  bool isBytes = isByte(getTensorType(op.getOutput()).getElementType());
  if (!isBytes || getScale(op.getScale()) != 1.0f) {
    return std::nullopt;
  }
  return getZeroPoint(op.getZeroPoint(), op.getOutput());
}

//===----------------------------------------------------------------------===//
// Zero points
//===----------------------------------------------------------------------===//

std::optional<ZeroPoint> ZeroPoint::get(Value value, Value bytes,
                                        bool mayBeComputed) {
  ZeroPoint result;
  result.known = getZeroPoint(value, bytes);
  if (result.known) {
    return result;
  }
  RankedTensorType type = getTensorType(value);
  if (!mayBeComputed || !type.hasStaticShape() || type.getNumElements() != 1 ||
      IE::getConstantElements(value)) {
    return std::nullopt;
  }
  result.value = value;
  return result;
}

SmallVector<int32_t> ZeroPoint::getOffsets(ArrayRef<int32_t> sums,
                                           ArrayRef<int32_t> addends) const {
  // Modulo 2^32, as the engine's sums are.
  auto factor = static_cast<uint32_t>(known.value_or(0));
  SmallVector<int32_t> offsets;
  for (auto [i, sum] : llvm::enumerate(sums)) {
    auto addend = static_cast<uint32_t>(addends.empty() ? 0 : addends[i]);
    offsets.push_back(
        static_cast<int32_t>(addend - factor * static_cast<uint32_t>(sum)));
  }
  return offsets;
}

Value ZeroPoint::buildOffset(OpBuilder &builder, Location loc,
                             ArrayRef<int32_t> sums, ArrayRef<int32_t> addends,
                             BlockedLayout layout) const {
  SmallVector<int32_t> offsets = getOffsets(sums, addends);
  bool isNothing =
      llvm::all_of(offsets, [](int32_t offset) { return offset == 0; });
  Value known =
      isNothing ? Value() : buildPackedOffset(builder, loc, offsets, layout);
  if (!value) {
    return known;
  }
  SmallVector<int32_t> negated = llvm::map_to_vector(
      sums, [](int32_t sum) { return static_cast<int32_t>(0U - sum); });
  Value zero = buildReshape(builder, loc, value, {});
  Type i32 = builder.getI32Type();
  zero = IE::CastOp::create(builder, loc,
                            TypeRange(RankedTensorType::get({}, i32)), zero,
                            TypeAttr::get(i32))
             ->getResult(0);
  if (!getTensorType(value).getElementType().isUnsignedInteger()) {
    constexpr int32_t kHalfRange = 128;
    zero = IE::AddOp::create(
        builder, loc, zero,
        IE::buildScalar(builder, loc, builder.getI32Type(), kHalfRange));
  }
  Value offset = IE::MulOp::create(
      builder, loc, buildPackedOffset(builder, loc, negated, layout), zero);
  return known ? IE::AddOp::create(builder, loc, offset, known).getResult()
               : offset;
}

Padding ZeroPoint::buildPadding(OpBuilder &builder, Location loc) const {
  Padding padding;
  if (known) {
    padding.value = static_cast<float>(*known);
    return padding;
  }
  Value byte = buildBytes(builder, loc, buildReshape(builder, loc, value, {}));
  padding.fill = tensor::ExtractOp::create(builder, loc, byte);
  return padding;
}

//===----------------------------------------------------------------------===//
// Chains that follow sums
//===----------------------------------------------------------------------===//

/// True when a constant or computed tensor of `valueType` has one element for
/// each index of dimension `dim` of `type`.
static bool isPerChannel(RankedTensorType valueType, RankedTensorType type,
                         int64_t dim) {
  int64_t channels = type.getDimSize(dim), fromEnd = type.getRank() - dim;
  return valueType.hasStaticShape() && valueType.getNumElements() == channels &&
         valueType.getRank() >= fromEnd &&
         valueType.getDimSize(valueType.getRank() - fromEnd) == channels;
}

std::optional<ChannelNumbers> ChannelNumbers::get(Value value,
                                                  RankedTensorType type,
                                                  int64_t dim,
                                                  bool mayBeComputed) {
  RankedTensorType valueType = getTensorType(value);
  bool isOne = valueType.hasStaticShape() && valueType.getNumElements() == 1;
  if (type.isDynamicDim(dim) || !valueType.getElementType().isF32() ||
      (!isOne && !isPerChannel(valueType, type, dim))) {
    return std::nullopt;
  }
  ChannelNumbers result;
  result.channels = type.getDimSize(dim);
  if (ConstantFloats constant(value); constant) {
    result.known = constant.getAll<float>();
    if (isOne) {
      result.known.assign(result.channels, result.known.front());
    }
    return result;
  }
  if (!mayBeComputed) {
    return std::nullopt;
  }
  result.value = value;
  return result;
}

Value ChannelNumbers::build(OpBuilder &builder, Location loc,
                            BlockedLayout layout) const {
  if (!value) {
    return known.empty() ? Value()
                         : buildPackedBias(builder, loc, known, layout);
  }
  if (getTensorType(value).getNumElements() != 1) {
    return buildBias(builder, loc,
                     buildReshape(builder, loc, value, {channels}), layout);
  }
  SmallVector<float> ones(channels, 1.0f);
  return IE::MulOp::create(builder, loc,
                           buildPackedBias(builder, loc, ones, layout),
                           buildReshape(builder, loc, value, {}));
}

/// The other operand of `user`, an op of type Op of two operands that keeps the
/// type of `value`; null for other ops.
template <typename Op> static Value getOther(Operation *user, Value value) {
  if (!isa_and_present<Op>(user) || user->getNumOperands() != 2 ||
      user->getOperand(0) == user->getOperand(1) ||
      user->getResult(0).getType() != value.getType()) {
    return {};
  }
  return user->getOperand(user->getOperand(0) == value ? 1 : 0);
}

/// A constant of 32-bit integers for each channel; nothing for other values.
static std::optional<SmallVector<int32_t>>
getAddends(Value value, RankedTensorType type, int64_t dim) {
  std::optional<SmallVector<int64_t>> constant =
      value && !type.isDynamicDim(dim) ? IE::getConstantInts(value)
                                       : std::nullopt;
  if (!constant || (constant->size() != 1 &&
                    !isPerChannel(getTensorType(value), type, dim))) {
    return std::nullopt;
  }
  if (constant->size() == 1) {
    constant->assign(type.getDimSize(dim), constant->front());
  }
  return llvm::map_to_vector(
      *constant, [](int64_t number) { return static_cast<int32_t>(number); });
}

std::optional<SumsEpilogue> nacre::collectEpilogue(Operation *op, int64_t dim,
                                                   bool mayBeComputed) {
  SumsEpilogue result;
  result.last = op;
  result.ppe = VPU::PPEAttr::get(op->getContext());
  Value value = op->getResult(0);
  auto getUser = [&]() -> Operation * {
    Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
    return user && user->getBlock() == op->getBlock() ? user : nullptr;
  };
  auto advance = [&](Operation *next) {
    result.last = next;
    value = next->getResult(0);
  };
  Value other = getOther<IE::AddOp>(getUser(), value);
  if (auto addends = getAddends(other, getTensorType(value), dim)) {
    result.addends = *addends;
    advance(getUser());
  }
  result.elementType = getTensorType(value).getElementType();
  auto cast = dyn_cast_if_present<IE::CastOp>(getUser());
  if (!cast || !cast.getTo().isF32()) {
    return mayBeComputed ? std::optional(result) : std::nullopt;
  }
  advance(cast);
  result.elementType = cast.getTo();
  auto collect = [&](Value numbers, ChannelNumbers &into) {
    auto found = numbers ? ChannelNumbers::get(numbers, getTensorType(value),
                                               dim, mayBeComputed)
                         : std::nullopt;
    if (found) {
      into = *found;
      advance(getUser());
    }
  };
  collect(getOther<IE::MulOp>(getUser(), value), result.scale);
  collect(getOther<IE::AddOp>(getUser(), value), result.bias);
  if (Operation *user = getUser()) {
    if (VPU::PPEAttr ppe = getActivation(user)) {
      result.ppe = ppe;
      advance(user);
    }
  }
  auto quantize = dyn_cast_if_present<IE::QuantizeLinearOp>(getUser());
  std::optional<int64_t> zeroPoint =
      quantize ? getRoundingZeroPoint(quantize) : std::nullopt;
  if (zeroPoint) {
    result.ppe = result.ppe.getQuantizing(*zeroPoint);
    result.elementType = IntegerType::get(op->getContext(), 8);
    advance(quantize);
  }
  return result;
}

Value SumsEpilogue::buildResult(OpBuilder &builder, Location loc,
                                Value value) const {
  Type element = getTensorType(last->getResult(0)).getElementType();
  RankedTensorType type = getTensorType(value);
  return type.getElementType() == element
             ? value
             : IE::CastOp::create(builder, loc, TypeRange(type.clone(element)),
                                  value, TypeAttr::get(element))
                   ->getResult(0);
}
