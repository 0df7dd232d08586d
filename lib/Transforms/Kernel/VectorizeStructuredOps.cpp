//===- VectorizeStructuredOps.cpp - The vectorize-structured-ops pass -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop along its one direction. What needs elements of
// several rows in one register at the same time is written with vectors here.
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

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
    auto [blocked, interleaved] = transposeInRegisters(getOperation(), arch);
    numBlocked += blocked;
    numInterleaved += interleaved;
    numProducts += dotBytesInRegisters(getOperation(), arch);
  }
};
} // namespace
