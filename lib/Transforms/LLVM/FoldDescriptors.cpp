//===- FoldDescriptors.cpp - The fold-descriptors pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace nacre {
#define GEN_PASS_DEF_FOLDDESCRIPTORS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

namespace {
struct FoldDescriptorsPass final
    : nacre::impl::FoldDescriptorsBase<FoldDescriptorsPass> {
  void runOnOperation() override {
    // The op folds itself, the driver erases what has no use.
    RewritePatternSet none(&getContext());
    if (failed(nacre::rewriteOps(
            getOperation(), std::move(none), [](Operation *op) {
              return isa<LLVM::ExtractValueOp, LLVM::InsertValueOp>(op);
            }))) {
      signalPassFailure();
    }
  }
};
} // namespace
