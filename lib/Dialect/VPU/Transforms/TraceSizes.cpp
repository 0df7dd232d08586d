//===- TraceSizes.cpp - The vpu-trace-sizes pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who only asks for the size of a value is no user of it: the size comes from
// where the value's own sizes do.
//
//===----------------------------------------------------------------------===//

#include "RowSizes.h"

#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_TRACESIZES
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {
struct TraceSizesPass final : VPU::impl::TraceSizesBase<TraceSizesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SizeTable sizes(/*numTileSizes=*/0);
    getOperation()->walk(
        [&](tensor::DimOp query) { sizes.resolve(rewriter, query); });
  }
};
} // namespace
