//===- Samples.cpp - Ops and samples of a batch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Samples.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/SamplesInterface.cpp.inc"

RankedTensorType IE::getBatchType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isBatch = tensor && tensor.getRank() > 0 && tensor.isDynamicDim(0) &&
                 tensor.getNumDynamicDims() == 1;
  return isBatch ? tensor : RankedTensorType();
}

bool IE::isOnlyFirstBatched(Operation *op) {
  auto isStatic = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape();
  };
  return getBatchType(op->getOperand(0).getType()) &&
         llvm::all_of(op->getOperands().drop_front(), isStatic);
}

bool IE::broadcastsOverBatch(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    auto own = dyn_cast<RankedTensorType>(operand.getType());
    if (!own) {
      return false;
    }
    if (getBatchType(own)) {
      return own.getRank() == type.getRank();
    }
    return own.hasStaticShape() &&
           (own.getRank() < type.getRank() || own.getDimSize(0) == 1);
  });
}

bool IE::isInnerAxis(int64_t axis, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return axis > 0 || (axis < 0 && axis + type.getRank() > 0);
}

bool IE::keepsSamples(Operation *op) {
  RankedTensorType from = getBatchType(op->getOperand(0).getType());
  RankedTensorType to = getBatchType(op->getResult(0).getType());
  return from && to &&
         ShapedType::getNumElements(from.getShape().drop_front()) ==
             ShapedType::getNumElements(to.getShape().drop_front());
}

bool IE::reducesSamples(Value input, std::optional<ArrayRef<int64_t>> axes) {
  return axes && !llvm::is_contained(*axes, 0) && getBatchType(input.getType());
}
