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

std::optional<ArrayRef<float>>
VPU::getConstantFloats(Value value, SmallVectorImpl<float> &storage) {
  ElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr))) {
    return std::nullopt;
  }
  bool isBFloat16 = attr.getElementType().isBF16();
  if (!isBFloat16 && !attr.getElementType().isF32()) {
    return std::nullopt;
  }
  if (auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attr)) {
    return resource.tryGetAsArrayRef();
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob) {
      return std::nullopt;
    }
    for (uint16_t bits : blob->getDataAs<uint16_t>()) {
      storage.push_back(widenBFloat16(bits));
    }
    return ArrayRef<float>(storage);
  }
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr)) {
    for (const APFloat &element : dense.getValues<APFloat>()) {
      auto bits = element.bitcastToAPInt().getZExtValue();
      storage.push_back(isBFloat16 ? widenBFloat16(static_cast<uint16_t>(bits))
                                   : element.convertToFloat());
    }
    return ArrayRef<float>(storage);
  }
  return std::nullopt;
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
