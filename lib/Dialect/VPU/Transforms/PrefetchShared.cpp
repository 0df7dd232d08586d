//===- PrefetchShared.cpp - The vpu-prefetch-shared pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel reads its input in the order of its register tiles, which no
// hardware prefetcher foresees: of lines in another core's cache it would wait
// for each.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/CostModel.h"
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

/// True for a loop over blocks of channels, each of which needs all of the
/// input.
static bool splitsChannels(scf::ForallOp forall) {
  std::optional<ArrayAttr> mapping = forall.getMapping();
  return mapping && llvm::any_of(*mapping, [](Attribute attr) {
           auto cluster = dyn_cast<ClusterAttr>(attr);
           return cluster &&
                  cluster.getStrategy() == ClusterStrategy::SplitOverKernel;
         });
}

/// The activations that `op` reads and `forall` does not cut, if they fit
/// `budget` bytes.
static TypedValue<MemRefType>
getSharedInput(NCEOpInterface op, scf::ForallOp forall, int64_t budget) {
  auto input = dyn_cast<TypedValue<MemRefType>>(op->getOperand(0));
  if (!input || !input.getType().hasStaticShape() ||
      forall.getRegion().isAncestor(input.getParentRegion())) {
    return {};
  }
  MemRefType type = input.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t bytes = llvm::divideCeil(
      type.getNumElements() * type.getElementTypeBitWidth(), 8);
  return !strides.empty() && strides.back() == 1 && bytes <= budget
             ? input
             : TypedValue<MemRefType>();
}

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

namespace {
struct PrefetchSharedPass final
    : VPU::impl::PrefetchSharedBase<PrefetchSharedPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    if (arch.hasScratchpad()) {
      return;
    }
    int64_t budget = CostModel(arch).getSharedOperandBytes();
    getOperation()->walk([&](scf::ForallOp forall) {
      if (!splitsChannels(forall)) {
        return;
      }
      llvm::SmallSetVector<Value, 2> inputs;
      forall.walk([&](NCEOpInterface op) {
        if (auto input = getSharedInput(op, forall, budget)) {
          inputs.insert(input);
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
