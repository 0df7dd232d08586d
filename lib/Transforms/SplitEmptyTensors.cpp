//===- SplitEmptyTensors.cpp - The split-empty-tensors pass ---------------===//
//
// Common subexpression elimination makes one tensor.empty of all that have a
// type. To one-shot analysis everything computed into that one may share a
// buffer, and it compares each with each.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace nacre {
#define GEN_PASS_DEF_SPLITEMPTYTENSORS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

namespace {
struct SplitEmptyTensorsPass final
    : nacre::impl::SplitEmptyTensorsBase<SplitEmptyTensorsPass> {
  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> shared;
    getOperation()->walk([&](tensor::EmptyOp op) {
      if (!op->use_empty() && !op->hasOneUse()) {
        shared.push_back(op);
      }
    });
    for (tensor::EmptyOp op : shared) {
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        // In the block of the original: a loop must not allocate in each
        // iteration what it did not before.
        Operation *user =
            op->getBlock()->findAncestorOpInBlock(*use.getOwner());
        OpBuilder builder(user);
        use.set(builder.clone(*op)->getResult(0));
      }
      op->erase();
    }
  }
};
} // namespace
