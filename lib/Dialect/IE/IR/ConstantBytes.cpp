//===- ConstantBytes.cpp - Constants of 8-bit integers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ConstantBytes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace nacre;

IE::ConstantBytes::ConstantBytes(Value value) {
  ElementsAttr attr = value ? IE::getConstantElements(value) : ElementsAttr();
  if (!attr || !attr.getElementType().isInteger(8)) {
    return;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      bytes = blob->getData();
      isValid = true;
    }
    return;
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    storage.reserve(dense.getNumElements());
    for (const APInt &element : dense.getValues<APInt>()) {
      storage.push_back(static_cast<char>(element.getZExtValue()));
    }
    bytes = storage;
    isValid = true;
  }
}

uint32_t IE::ConstantBytes::getWord(size_t first) const {
  return llvm::support::endian::read32le(&bytes[first]);
}
