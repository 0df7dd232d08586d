//===- SeparateStrided.cpp - The vpu-separate-strided pass ----------------===//
//
// The engine writes whole vectors, so what it computes needs a buffer in which
// neighbours are next to each other.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_SEPARATESTRIDED
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True if the value is an engine op's result, or a view of one.
static bool isFromEngine(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<TiledOpInterface>(op)) {
      return true;
    }
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op)) {
      return false;
    }
    value = op->getOperand(0);
  }
  return false;
}

namespace {
struct SeparateStridedPass final
    : VPU::impl::SeparateStridedBase<SeparateStridedPass> {
  void runOnOperation() override {
    getOperation()->walk([&](tensor::InsertSliceOp op) {
      bool isStrided = llvm::any_of(op.getMixedStrides(), [](OpFoldResult s) {
        return getConstantIntValue(s) != 1;
      });
      if (!isStrided || !isFromEngine(op.getSource())) {
        return;
      }
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value place = tensor::EmptyOp::create(
          builder, loc, tensor::getMixedSizes(builder, loc, op.getSource()),
          op.getSourceType().getElementType());
      Value copy = linalg::CopyOp::create(builder, loc, op.getSource(), place)
                       .getResult(0);
      op.getSourceMutable().assign(copy);
      ++numCopies;
    });
  }
};
} // namespace
