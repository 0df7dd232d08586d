//===- Constants.cpp - Constant weights -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes the elements of constants.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Alignment.h"

#include <cstring>

using namespace mlir;
using namespace nacre;

static float widenBFloat16(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t VPU::roundToBFloat16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (value != value) {
    // Rounding could carry a NaN's bits into an infinity's; it becomes quiet.
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  }
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

std::optional<ArrayRef<char>> VPU::getConstantBytes(Value value) {
  ElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr))) {
    return std::nullopt;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    size_t elementBytes = attr.getShapedType().getElementTypeBitWidth() / 8;
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob && blob->getData().size() ==
                       attr.getNumElements() * elementBytes
               ? std::optional(blob->getData())
               : std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  return dense ? std::optional(dense.getRawData()) : std::nullopt;
}

/// An element of f32 or bf16, which may be at any address.
static float readFloat(ArrayRef<char> bytes, bool isBFloat16) {
  if (isBFloat16) {
    uint16_t bits;
    std::memcpy(&bits, bytes.data(), sizeof(bits));
    return widenBFloat16(bits);
  }
  float value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

std::optional<ArrayRef<float>>
VPU::getConstantFloats(Value value, SmallVectorImpl<float> &storage) {
  auto type = cast<ShapedType>(value.getType());
  bool isBFloat16 = type.getElementType().isBF16();
  std::optional<ArrayRef<char>> bytes =
      isBFloat16 || type.getElementType().isF32() ? getConstantBytes(value)
                                                  : std::nullopt;
  if (!bytes) {
    return std::nullopt;
  }
  size_t elements = type.getNumElements(),
         elementBytes = isBFloat16 ? sizeof(uint16_t) : sizeof(float);
  if (bytes->size() != elements * elementBytes) {
    storage.assign(elements, readFloat(*bytes, isBFloat16));
    return ArrayRef<float>(storage);
  }
  if (!isBFloat16 &&
      llvm::isAddrAligned(llvm::Align::Of<float>(), bytes->data())) {
    return ArrayRef(reinterpret_cast<const float *>(bytes->data()), elements);
  }
  storage.reserve(elements);
  for (size_t i = 0; i < elements; ++i) {
    storage.push_back(readFloat(bytes->slice(i * elementBytes), isBFloat16));
  }
  return ArrayRef<float>(storage);
}

Value VPU::buildConstant(OpBuilder &builder, Location loc,
                         RankedTensorType type, ArrayRef<float> values,
                         StringRef name) {
  size_t bytes = values.size() * type.getElementTypeBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes, /*align=*/64,
                                                       /*dataIsMutable=*/true);
  char *data = blob.getMutableData().data();
  if (type.getElementType().isBF16()) {
    llvm::transform(values, reinterpret_cast<uint16_t *>(data),
                    roundToBFloat16);
  } else {
    llvm::copy(values, reinterpret_cast<float *>(data));
  }
  return arith::ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(type, name, std::move(blob)));
}
