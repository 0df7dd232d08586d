//===- Constants.cpp - Constant weights -----------------------------------===//
//
// Reads the elements of constants.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nacre;

std::optional<ArrayRef<float>>
VPU::getConstantFloats(Value value, SmallVectorImpl<float> &storage) {
  ElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) ||
      !attr.getElementType().isF32()) {
    return std::nullopt;
  }
  if (auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attr)) {
    return resource.tryGetAsArrayRef();
  }
  if (auto dense = dyn_cast<DenseFPElementsAttr>(attr)) {
    llvm::append_range(storage, dense.getValues<float>());
    return ArrayRef<float>(storage);
  }
  return std::nullopt;
}
