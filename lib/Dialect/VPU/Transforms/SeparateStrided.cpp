//===- SeparateStrided.cpp - The vpu-separate-strided pass ----------------===//
//
// The engine writes whole vectors, so what it computes needs a buffer in which
// neighbours are next to each other. Whole vectors may be apart.
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

/// True if elements of the source that follow each other do not in the slice.
static bool separatesNeighbours(tensor::InsertSliceOp op) {
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  auto isApart = [](OpFoldResult stride) {
    return getConstantIntValue(stride) != 1;
  };
  // Of fewer dimensions than the slice, the last may be one with a stride.
  bool keepsDims = op.getSourceType().getRank() == op.getType().getRank();
  return keepsDims ? isApart(strides.back()) : llvm::any_of(strides, isApart);
}

namespace {
struct SeparateStridedPass final
    : VPU::impl::SeparateStridedBase<SeparateStridedPass> {
  void runOnOperation() override {
    getOperation()->walk([&](tensor::InsertSliceOp op) {
      if (!separatesNeighbours(op) || !isFromEngine(op.getSource())) {
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
