//===- ConstantBytes.cpp - Bytes of a model's constants -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantBytes.h"

#include "nacre/Emit/ModelInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

int64_t ConstantBytes::count(bool isAfter) const {
  int64_t bytes = 0;
  func::FuncOp all = function;
  all.walk([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>()) {
      return;
    }
    Value value = op->getResult(0);
    bool isGone = isAfter && !value.use_empty() &&
                  llvm::all_of(value.getUses(),
                               [&](OpOperand &use) { return isReplaced(use); });
    bytes += isGone ? 0 : countBytes(cast<RankedTensorType>(value.getType()));
  });
  return bytes;
}
