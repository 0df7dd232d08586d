//===- VectorizeStructuredOps.cpp - The vectorize-structured-ops pass -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop along its one direction. What needs elements of
// several rows in one register at the same time is written with vectors here,
// and the other loops get the order that their strategies say.
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace nacre {
#define GEN_PASS_DEF_VECTORIZESTRUCTUREDOPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct VectorizeStructuredOpsPass final
    : nacre::impl::VectorizeStructuredOpsBase<VectorizeStructuredOpsPass> {
  void runOnOperation() override {
    VPU::ArchAttr arch = VPU::ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      VPU::StrategyAttr strategy = VPU::StrategyAttr::lookup(op);
      if (strategy && strategy.getKernel()) {
        ops.push_back(op);
      }
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (failed(VPU::verifyKernelLoops(op, arch)) ||
          failed(apply(rewriter, op, arch))) {
        return signalPassFailure();
      }
    }
    getOperation()->walk(
        [&](linalg::LinalgOp op) { numReductions += reassociate(op); });
  }

private:
  LogicalResult apply(RewriterBase &rewriter, linalg::LinalgOp op,
                      VPU::ArchAttr arch) {
    VPU::KernelLoopsAttr loops = VPU::getKernelLoops(op);
    op->removeAttr(VPU::StrategyAttr::attrName);
    if (loops.getUnrolled() != VPU::KernelLoopsAttr::kNone) {
      interleave(rewriter, op, loops.getUnrolled(), loops.getInnermost());
      ++numInterleaved;
    } else if (loops.getInnermost() != VPU::KernelLoopsAttr::kNone) {
      ++numInterchanged;
      return moveInnermost(rewriter, cast<linalg::GenericOp>(op.getOperation()),
                           loops.getInnermost());
    } else if (loops.getBlockEdge() != 0 && VPU::Repetition::get(op)) {
      repeatInRegisters(rewriter, op, loops.getBlockEdge());
      ++numRepeated;
    } else if (loops.getBlockEdge() != 0) {
      transposeInBlocks(rewriter, op, loops.getBlockEdge());
      ++numBlocked;
    } else if (loops.getByteProduct()) {
      auto generic = cast<linalg::GenericOp>(op.getOperation());
      dotBytesInRegisters(rewriter, *VPU::ByteProduct::get(generic),
                          loops.getByteProduct(), arch);
      ++numProducts;
    }
    return success();
  }
};
} // namespace
