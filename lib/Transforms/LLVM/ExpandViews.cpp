//===- ExpandViews.cpp - The expand-views pass -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as arithmetic: upstream's expansion of strided metadata, what it leaves
// out, and the affine expressions that it makes of sizes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {
#define GEN_PASS_DEF_EXPANDVIEWS
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
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  AffineExpr product =
      builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1);
  for (auto [group, stride] : llvm::zip_equal(
           op.getReassociationIndices(), source.getConstifiedMixedStrides())) {
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = stride;
      stride = affine::makeComposedFoldedAffineApply(builder, loc, product,
                                                     {sizes[dim], stride});
    }
  }
  auto view = memref::ReinterpretCastOp::create(
      builder, loc, op.getResultType(), source.getBaseBuffer(),
      source.getConstifiedMixedOffset(), sizes, strides);
  op.replaceAllUsesWith(view.getResult());
  op.erase();
}

/// Addresses and loops of affine expressions, those of the views included.
static LogicalResult lowerAffine(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  affine::populateAffineExpandIndexOpsPatterns(patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                         scf::SCFDialect, vector::VectorDialect>();
  return applyPartialConversion(root, target, std::move(patterns));
}

namespace {
struct ExpandViewsPass final : nacre::impl::ExpandViewsBase<ExpandViewsPass> {
  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp op) {
      if (isAmbiguous(op)) {
        expand(op);
      }
    });
    RewritePatternSet patterns(&getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    if (failed(
            rewriteOps(getOperation(), std::move(patterns), [](Operation *op) {
              return isa_and_present<memref::MemRefDialect>(op->getDialect());
            }))) {
      return signalPassFailure();
    }
    if (failed(lowerAffine(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
