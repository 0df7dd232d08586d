//===- ExpandReshapes.cpp - The expand-reshapes pass ----------------------===//
//
// What upstream's expansion of strided metadata leaves out.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nacre {
#define GEN_PASS_DEF_EXPANDRESHAPES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// True when a dimension becomes several of unknown size.
static bool isAmbiguous(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](ArrayRef<int64_t> group) {
                        return llvm::count_if(group, [&](int64_t dim) {
                                 return type.isDynamicDim(dim);
                               }) > 1;
                      });
}

static void expand(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  AffineExpr product =
      builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1);
  for (size_t i = sizes.size(); i > 1; --i) {
    strides[i - 2] = affine::makeComposedFoldedAffineApply(
        builder, loc, product, {sizes[i - 1], strides[i - 1]});
  }
  Value start =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc())
          .getBaseBuffer();
  auto view = memref::ReinterpretCastOp::create(
      builder, loc, op.getResultType(), start, builder.getIndexAttr(0), sizes,
      strides);
  op.replaceAllUsesWith(view.getResult());
  op.erase();
}

namespace {
struct ExpandReshapesPass final
    : nacre::impl::ExpandReshapesBase<ExpandReshapesPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([](memref::ExpandShapeOp op) {
      if (!isAmbiguous(op)) {
        return WalkResult::advance();
      }
      if (!op.getResultType().getLayout().isIdentity()) {
        op.emitOpError("expected a contiguous buffer to make dimensions of "
                       "unknown size of, found ")
            << op.getSrcType();
        return WalkResult::interrupt();
      }
      expand(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) {
      signalPassFailure();
    }
  }
};
} // namespace
