//===- SeparateBuffers.cpp - The vpu-separate-buffers pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine reads and writes whole vectors, so its operands need buffers in
// which neighbours are next to each other. Whole vectors may be apart. What
// starts as an empty tensor needs one of its own for other reasons, which
// SplitEmptyTensors.cpp tells.
//
//===----------------------------------------------------------------------===//

#include "SplitEmptyTensors.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_SEPARATEBUFFERS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

/// What the value is a view of; itself where it is none.
static Value getViewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// True if an engine op reads the value, or a view of it.
static bool isReadByEngine(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<TiledOpInterface>(user) ||
           (isView(user) && isReadByEngine(user->getResult(0)));
  });
}

/// True if an engine op computes the value, or reads it elsewhere: in the
/// buffer that it is computed in.
static bool isSharedWithEngine(Value value) {
  Value viewed = getViewed(value);
  return isa_and_present<TiledOpInterface>(viewed.getDefiningOp()) ||
         isReadByEngine(viewed);
}

/// True if elements of the tensor that follow each other do not in the slice,
/// which has the type `slice`; `isReshaped` if it is read, or computed, as a
/// view of fewer dimensions.
template <typename SliceOp>
static bool separatesNeighbours(SliceOp op, RankedTensorType tensor,
                                RankedTensorType slice, bool isReshaped) {
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  auto isApart = [](OpFoldResult stride) {
    return getConstantIntValue(stride) != 1;
  };
  // Of fewer dimensions than the tensor, the last may be one with a stride, or
  // one before that of which the slice has a single element.
  bool keepsDims = slice.getRank() == tensor.getRank();
  bool isColumn = tensor.getShape().back() != 1 &&
                  getConstantIntValue(op.getMixedSizes().back()) == 1;
  if (isColumn && (!keepsDims || isReshaped)) {
    return true;
  }
  return keepsDims ? isApart(strides.back()) : llvm::any_of(strides, isApart);
}

static Value buildCopy(OpBuilder &builder, Location loc, Value value) {
  Value place = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      cast<RankedTensorType>(value.getType()).getElementType());
  return linalg::CopyOp::create(builder, loc, value, place).getResult(0);
}

namespace {
struct SeparateBuffersPass final
    : VPU::impl::SeparateBuffersBase<SeparateBuffersPass> {
  void runOnOperation() override {
    copyStridedSlices();
    splitEmptyTensors(getOperation());
  }

private:
  void copyStridedSlices() {
    getOperation()->walk([&](Operation *op) {
      OpBuilder builder(op);
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
        bool isReshaped = isa_and_present<tensor::ExpandShapeOp>(
            insert.getSource().getDefiningOp());
        if (separatesNeighbours(insert, insert.getType(),
                                insert.getSourceType(), isReshaped) &&
            isSharedWithEngine(insert.getSource())) {
          insert.getSourceMutable().assign(
              buildCopy(builder, op->getLoc(), insert.getSource()));
          ++numCopies;
        }
        return;
      }
      auto extract = dyn_cast<tensor::ExtractSliceOp>(op);
      if (extract &&
          separatesNeighbours(
              extract, extract.getSourceType(), extract.getType(),
              llvm::any_of(extract->getUsers(),
                           llvm::IsaPred<tensor::CollapseShapeOp>)) &&
          isReadByEngine(extract)) {
        builder.setInsertionPointAfter(op);
        Value copy = buildCopy(builder, op->getLoc(), extract);
        extract.getResult().replaceUsesWithIf(copy, [&](OpOperand &use) {
          return use.getOwner() != copy.getDefiningOp() &&
                 !isa<tensor::DimOp>(use.getOwner());
        });
        ++numCopies;
      }
    });
  }
};
} // namespace
