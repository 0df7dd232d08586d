//===- ConstantFloats.cpp - The elements of constants ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace nacre;

template <typename T>
void IE::ConstantFloats::readDense(DenseElementsAttr dense) {
  storage.resize_for_overwrite(dense.getNumElements() * sizeof(T));
  bytes = storage;
  char *to = storage.data();
  for (T element : dense.getValues<T>()) {
    std::memcpy(to, &element, sizeof(T));
    to += sizeof(T);
  }
}

IE::ConstantFloats::ConstantFloats(Value value) {
  ElementsAttr attr = IE::getConstantElements(value);
  Type type = attr ? attr.getElementType() : Type();
  if (!attr || !(type.isF32() || type.isF64())) {
    return;
  }
  isDouble = type.isF64();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      elementType = type;
      bytes = blob->getData();
    }
    return;
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    elementType = type;
    if (isDouble) {
      readDense<double>(dense);
    } else {
      readDense<float>(dense);
    }
  }
}
