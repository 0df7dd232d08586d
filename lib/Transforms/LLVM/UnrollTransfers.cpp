//===- UnrollTransfers.cpp - The unroll-transfers pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace nacre {
#define GEN_PASS_DEF_UNROLLTRANSFERS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

namespace {
struct UnrollTransfersPass final
    : nacre::impl::UnrollTransfersBase<UnrollTransfersPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    VectorTransferToSCFOptions options;
    populateVectorToSCFConversionPatterns(patterns, options.enableFullUnroll());
    if (failed(nacre::rewriteOps(
            getOperation(), std::move(patterns), [](Operation *op) {
              return isa<vector::TransferReadOp, vector::TransferWriteOp>(op);
            }))) {
      signalPassFailure();
    }
  }
};
} // namespace
