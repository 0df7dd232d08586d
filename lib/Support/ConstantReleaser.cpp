//===- ConstantReleaser.cpp - Memory of replaced constants ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/ConstantReleaser.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;

static void visitResources(
    Operation *op,
    llvm::function_ref<void(DenseResourceElementsHandle handle)> visit) {
  op->getAttrDictionary().walk(
      [&](DenseResourceElementsAttr attr) { visit(attr.getRawHandle()); });
}

ConstantReleaser::ConstantReleaser(Operation *root) {
  root->walk([&](Operation *op) {
    visitResources(op, [&](auto handle) { ++uses[handle.getKey()]; });
  });
}

void ConstantReleaser::notifyOperationInserted(
    Operation *op, OpBuilder::InsertPoint previous) {
  // Moved, not made.
  if (previous.isSet()) {
    return;
  }
  visitResources(op, [&](auto handle) { ++uses[handle.getKey()]; });
}

void ConstantReleaser::notifyOperationErased(Operation *op) {
  visitResources(op, [&](auto handle) {
    if (--uses[handle.getKey()] == 0) {
      handle.getResource()->setBlob(AsmResourceBlob());
    }
  });
}

void nacre::eraseIfDead(RewriterBase &rewriter, Value value) {
  if (Operation *op = value.getDefiningOp(); op && isOpTriviallyDead(op)) {
    rewriter.eraseOp(op);
  }
}
