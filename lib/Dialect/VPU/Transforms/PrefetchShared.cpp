//===- PrefetchShared.cpp - The vpu-prefetch-shared pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel reads its input in the order of its register tiles, which no
// hardware prefetcher foresees: of lines in another core's cache it would wait
// for each.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_PREFETCHSHARED
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Asks for all lines of `buffer`.
static void prefetch(OpBuilder &builder, Location loc,
                     TypedValue<MemRefType> buffer) {
  constexpr int64_t kLineBits = kCacheLineBytes * 8;
  // The second-level cache: the first level would not hold them.
  constexpr unsigned kSecondLevel = 2;
  MemRefType type = buffer.getType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> lower(type.getRank(), zero), upper, steps;
  for (int64_t size : type.getShape()) {
    upper.push_back(arith::ConstantIndexOp::create(builder, loc, size));
    steps.push_back(arith::ConstantIndexOp::create(
        builder, loc,
        static_cast<int64_t>(upper.size()) == type.getRank()
            ? kLineBits / type.getElementTypeBitWidth()
            : 1));
  }
  scf::buildLoopNest(builder, loc, lower, upper, steps,
                     [&](OpBuilder &nested, Location, ValueRange indices) {
                       memref::PrefetchOp::create(
                           nested, loc, buffer, indices, /*isWrite=*/false,
                           kSecondLevel, /*isDataCache=*/true);
                     });
}

/// Whether the input of `op` is to be asked for, which is not decided any more.
static bool takePrefetching(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (!strategy || !strategy.getPrefetchInput()) {
    return false;
  }
  strategy = strategy.withPrefetchedInput(false);
  strategy.attachTo(op);
  if (strategy == StrategyAttr::getDefault(op->getContext())) {
    op->removeAttr(StrategyAttr::attrName);
  }
  return true;
}

namespace {
struct PrefetchSharedPass final
    : VPU::impl::PrefetchSharedBase<PrefetchSharedPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    WalkResult walk = getOperation()->walk([&](Operation *op) {
      return WalkResult(verifyPrefetchedInput(op, arch));
    });
    if (walk.wasInterrupted()) {
      return signalPassFailure();
    }
    getOperation()->walk([&](scf::ForallOp forall) {
      llvm::SmallSetVector<Value, 2> inputs;
      forall.walk([&](NCEOpInterface op) {
        if (takePrefetching(op)) {
          inputs.insert(op->getOperand(0));
        }
      });
      OpBuilder builder = OpBuilder::atBlockBegin(forall.getBody());
      for (Value input : inputs) {
        prefetch(builder, forall.getLoc(), cast<TypedValue<MemRefType>>(input));
        ++numPrefetched;
      }
    });
  }
};
} // namespace
