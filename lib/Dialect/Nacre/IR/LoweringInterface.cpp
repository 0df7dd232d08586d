//===- LoweringInterface.cpp - How operators are lowered ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/LoweringInterface.h"

#include "llvm/ADT/STLExtras.h"

#include "nacre/Dialect/Nacre/IR/LoweringInterface.cpp.inc"

using namespace mlir;
using namespace nacre;

bool nacre::isLeftToSoftware(Operation *op) {
  return llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
    auto lowering = dyn_cast<LoweringAttrInterface>(attribute.getValue());
    return lowering && lowering.isInSoftware();
  });
}
