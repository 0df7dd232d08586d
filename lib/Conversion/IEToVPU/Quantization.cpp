//===- Quantization.cpp - Integer operators of the engine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant bytes, and the chains of ops that end in a quantized value.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The bytes of a constant of 8-bit elements.
static std::optional<SmallVector<int8_t, 0>> getBytes(Value value) {
  ElementsAttr attr = IE::getConstantElements(value);
  if (!attr || attr.getElementType().getIntOrFloatBitWidth() != 8) {
    return std::nullopt;
  }
  SmallVector<int8_t, 0> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    ArrayRef<char> data = resource.getData();
    bytes.assign(data.begin(), data.end());
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(attr)) {
    for (const APInt &element : dense.getValues<APInt>()) {
      bytes.push_back(static_cast<int8_t>(element.getZExtValue()));
    }
  } else {
    return std::nullopt;
  }
  return bytes;
}

std::optional<SmallVector<int8_t, 0>>
nacre::getConstantWeights(Value value, Value zeroPoint) {
  std::optional<SmallVector<int8_t, 0>> weights = getBytes(value);
  if (!weights) {
    return std::nullopt;
  }
  // Unsigned weights are signed ones shifted by half the range.
  bool isUnsigned = tensorType(value).getElementType().isUnsignedInteger();
  auto half = static_cast<int8_t>(isUnsigned ? 0x80 : 0);
  std::optional<SmallVector<int8_t, 0>> zeros = SmallVector<int8_t, 0>{0};
  if (zeroPoint) {
    zeros = getBytes(zeroPoint);
  }
  if (!zeros ||
      llvm::any_of(*zeros, [&](int8_t zero) { return zero != half; })) {
    return std::nullopt;
  }
  for (int8_t &weight : *weights) {
    weight ^= half;
  }
  return weights;
}

std::optional<int64_t> nacre::getZeroPoint(Value zeroPoint, Value bytes) {
  bool isUnsigned = tensorType(bytes).getElementType().isUnsignedInteger();
  constexpr int64_t kHalfRange = 128;
  int64_t zero = 0;
  if (zeroPoint) {
    std::optional<SmallVector<int8_t, 0>> constant = getBytes(zeroPoint);
    if (!constant || constant->size() != 1) {
      return std::nullopt;
    }
    zero = isUnsigned ? static_cast<uint8_t>(constant->front())
                      : constant->front();
  }
  return isUnsigned ? zero : zero + kHalfRange;
}

/// A positive scale of one element.
static std::optional<float> getScale(Value value) {
  ConstantFloats scale(value);
  if (!scale || scale.get().size() != 1 || !(scale.get().front() > 0)) {
    return std::nullopt;
  }
  return scale.get().front();
}

VPU::QuantAttr nacre::getQuant(IE::DequantizeLinearOp op) {
  std::optional<float> scale = getScale(op.getScale());
  bool isBytes = isByte(tensorType(op.getInput()).getElementType());
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
  bool isBytes = isByte(tensorType(op.getOutput()).getElementType());
  if (!isBytes || getScale(op.getScale()) != 1.0f) {
    return std::nullopt;
  }
  return getZeroPoint(op.getZeroPoint(), op.getOutput());
}

/// A constant with one element, or one per index of dimension `dim`, as one per
/// channel; nothing when it is not.
static std::optional<SmallVector<float>>
getPerChannel(Value value, RankedTensorType type, int64_t dim) {
  ConstantFloats constant(value);
  if (!constant) {
    return std::nullopt;
  }
  int64_t channels = type.getDimSize(dim);
  ArrayRef<float> elements = constant.get();
  if (elements.size() == 1) {
    return SmallVector<float>(channels, elements.front());
  }
  RankedTensorType constantType = tensorType(value);
  int64_t fromEnd = type.getRank() - dim;
  if (static_cast<int64_t>(elements.size()) != channels ||
      constantType.getRank() < fromEnd ||
      constantType.getDimSize(constantType.getRank() - fromEnd) != channels) {
    return std::nullopt;
  }
  return SmallVector<float>(elements);
}

/// The per-channel constant that the only user of `value`, an op of type Op,
/// combines it with.
template <typename Op>
static std::optional<SmallVector<float>>
getOperandConstant(Operation *user, Value value, int64_t dim) {
  if (!isa<Op>(user) || user->getNumOperands() != 2 ||
      user->getResult(0).getType() != value.getType()) {
    return std::nullopt;
  }
  Value other = user->getOperand(user->getOperand(0) == value ? 1 : 0);
  return getPerChannel(other, tensorType(value), dim);
}

std::optional<SumsEpilogue> nacre::collectEpilogue(Value sums, int64_t dim) {
  SumsEpilogue result;
  result.ppe = VPU::PPEAttr::get(sums.getContext());
  Value value = sums;
  auto getUser = [&]() -> Operation * {
    return value.hasOneUse() ? *value.user_begin() : nullptr;
  };
  auto advance = [&](Operation *op) {
    result.last = op;
    value = op->getResult(0);
  };
  auto cast = dyn_cast_if_present<IE::CastOp>(getUser());
  if (!cast || !cast.getTo().isF32()) {
    return std::nullopt;
  }
  advance(cast);
  if (Operation *user = getUser()) {
    if (auto scale = getOperandConstant<IE::MulOp>(user, value, dim)) {
      result.scale = *scale;
      advance(user);
    }
  }
  if (Operation *user = getUser()) {
    if (auto bias = getOperandConstant<IE::AddOp>(user, value, dim)) {
      result.bias = *bias;
      advance(user);
    }
  }
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
    advance(quantize);
  }
  return result;
}
