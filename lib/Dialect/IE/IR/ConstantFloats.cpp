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

static ArrayRef<char> getBytes(ArrayRef<float> values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(float)};
}

IE::ConstantFloats::ConstantFloats(Value value) {
  ElementsAttr attr = IE::getConstantElements(value);
  if (!attr || !attr.getElementType().isF32()) {
    return;
  }
  if (auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    valid = blob != nullptr;
    bytes = blob ? blob->getData() : ArrayRef<char>();
    return;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense) {
    return;
  }
  valid = true;
  if (dense.isSplat()) {
    storage.assign(dense.getNumElements(), dense.getSplatValue<float>());
  } else {
    llvm::append_range(storage, dense.getValues<float>());
  }
  bytes = getBytes(storage);
}

ArrayRef<float> IE::ConstantFloats::get() {
  if (!llvm::isAddrAligned(llvm::Align::Of<float>(), bytes.data())) {
    storage.resize_for_overwrite(size());
    std::memcpy(storage.data(), bytes.data(), bytes.size());
    bytes = getBytes(storage);
  }
  return {reinterpret_cast<const float *>(bytes.data()), size()};
}
