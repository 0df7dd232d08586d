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
#include "mlir/IR/TypeUtilities.h"
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

std::optional<ArrayRef<char>>
VPU::getConstantBytes(Value value, SmallVectorImpl<char> &storage) {
  ElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr))) {
    return std::nullopt;
  }
  size_t elementBytes = attr.getShapedType().getElementTypeBitWidth() / 8;
  size_t bytes = attr.getNumElements() * elementBytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob && blob->getData().size() == bytes
               ? std::optional(blob->getData())
               : std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense) {
    return std::nullopt;
  }
  ArrayRef<char> data = dense.getRawData();
  if (!dense.isSplat()) {
    return data;
  }
  storage.reserve(bytes);
  while (storage.size() < bytes) {
    storage.append(data.begin(), data.end());
  }
  return ArrayRef<char>(storage);
}

std::optional<ArrayRef<float>>
VPU::getConstantFloats(Value value, SmallVectorImpl<float> &storage) {
  Type type = getElementTypeOrSelf(value.getType());
  SmallVector<char, 0> repeated;
  std::optional<ArrayRef<char>> bytes = type.isF32() || type.isBF16()
                                            ? getConstantBytes(value, repeated)
                                            : std::nullopt;
  if (!bytes) {
    return std::nullopt;
  }
  if (type.isBF16()) {
    storage.reserve(bytes->size() / sizeof(uint16_t));
    for (size_t i = 0; i < bytes->size(); i += sizeof(uint16_t)) {
      uint16_t bits;
      std::memcpy(&bits, bytes->data() + i, sizeof(bits));
      storage.push_back(widenBFloat16(bits));
    }
    return ArrayRef<float>(storage);
  }
  // A model's file may have them at any address.
  size_t size = bytes->size() / sizeof(float);
  if (repeated.empty() &&
      llvm::isAddrAligned(llvm::Align::Of<float>(), bytes->data())) {
    return ArrayRef(reinterpret_cast<const float *>(bytes->data()), size);
  }
  storage.resize_for_overwrite(size);
  std::memcpy(storage.data(), bytes->data(), bytes->size());
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
