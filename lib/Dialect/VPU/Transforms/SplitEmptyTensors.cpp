//===- SplitEmptyTensors.cpp - Empty tensors for each use -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common subexpression elimination makes one tensor.empty of all that have a
// type. To one-shot analysis everything computed into that one may share a
// buffer, and it compares each with each. What several reductions start from,
// if it is one tensor, has to be copied for all but one of them, which takes
// longer than filling it anew. And two buffers that a loop carries, which start
// from one tensor without contents, would stay one.
//
//===----------------------------------------------------------------------===//

#include "SplitEmptyTensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;

/// Gives each use of `op` that `selects` accepts a clone of its own.
static void split(Operation *op, function_ref<bool(OpOperand &)> selects) {
  if (op->use_empty() || op->hasOneUse()) {
    return;
  }
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    if (!selects(use)) {
      continue;
    }
    // In the block of the original: a loop must not allocate in each iteration
    // what it did not before.
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    OpBuilder builder(user);
    use.set(builder.clone(*op)->getResult(0));
  }
  if (op->use_empty()) {
    op->erase();
  }
}

/// True for what names a part of a tensor, or all of it by another type.
static bool isView(Operation *op) {
  return isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp>(op);
}

/// True for a tensor.empty or a view of one.
static bool isEmpty(Value value) {
  while (isView(value.getDefiningOp())) {
    value = value.getDefiningOp()->getOperand(0);
  }
  return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// True where a structured op starts from the value.
static bool isStart(OpOperand &use) {
  auto structured = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return structured && structured.isDpsInit(&use);
}

void VPU::splitEmptyTensors(Operation *root) {
  SmallVector<linalg::FillOp> fills;
  root->walk([&](linalg::FillOp op) {
    if (isEmpty(op.getDpsInits().front())) {
      fills.push_back(op);
    }
  });
  for (linalg::FillOp op : fills) {
    split(op, isStart);
  }
  SmallVector<Operation *> views;
  root->walk([&](Operation *op) {
    if (isView(op) && isEmpty(op->getResult(0))) {
      views.push_back(op);
    }
  });
  // Views of views first, so that each gets what it is a view of.
  for (Operation *op : llvm::reverse(views)) {
    split(op, [](OpOperand &) { return true; });
  }
  // Those of the fills included.
  SmallVector<tensor::EmptyOp> empties;
  root->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  for (tensor::EmptyOp op : empties) {
    split(op, [](OpOperand &) { return true; });
  }
}
