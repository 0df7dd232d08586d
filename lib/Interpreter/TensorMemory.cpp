//===- TensorMemory.cpp - Memory that tensors need ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the bytes of tensors and asks whether memory has room for them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/TensorMemory.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Support/Memory.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace nacre;

std::optional<int64_t> nacre::interpreter::countBytes(RankedTensorType type) {
  return nacre::countBytes(type.getShape(),
                           getElementBytes(type.getElementType()));
}

LogicalResult nacre::interpreter::requireMemory(Operation *op,
                                                RankedTensorType type) {
  return nacre::requireMemory(countBytes(type), [&] {
    return op->emitError("a result of type ") << type;
  });
}

LogicalResult
nacre::interpreter::requireMemoryForConstant(Operation *op,
                                             ElementsAttr constant) {
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  auto type = dense ? dyn_cast<RankedTensorType>(dense.getType()) : nullptr;
  if (!type || !dense.isSplat()) {
    return success();
  }
  return nacre::requireMemory(countBytes(type), [&] {
    return op->emitError("a constant of type ") << type;
  });
}
