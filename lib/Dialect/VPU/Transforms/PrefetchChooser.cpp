//===- PrefetchChooser.cpp - Inputs in the caches of others ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that is split over its blocks reads all of an input that other cores
// have just written. Where a core's cache holds that, it had better ask for all
// of it first.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/CostModel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

bool VPU::canPrefetchInput(Operation *op, ArchAttr arch) {
  auto forall = op->getParentOfType<scf::ForallOp>();
  if (!isa<NCEOpInterface>(op) || op->getNumOperands() == 0 || !forall ||
      !splitsChannels(forall) || arch.hasScratchpad()) {
    return false;
  }
  // The activations, which the loop does not cut.
  auto input = dyn_cast<TypedValue<MemRefType>>(op->getOperand(0));
  if (!input || !input.getType().hasStaticShape() ||
      forall.getRegion().isAncestor(input.getParentRegion())) {
    return false;
  }
  auto [strides, offset] = input.getType().getStridesAndOffset();
  return !strides.empty() && strides.back() == 1;
}

void VPU::choosePrefetching(FunctionOpInterface function,
                            const ChooserInput &input) {
  int64_t budget = CostModel(input.arch).getSharedOperandBytes();
  function->walk([&](NCEOpInterface op) {
    if (input.isGiven(op) || !canPrefetchInput(op, input.arch)) {
      return;
    }
    auto type = cast<MemRefType>(op->getOperand(0).getType());
    auto bytes = static_cast<int64_t>(llvm::divideCeil(
        type.getNumElements() * type.getElementTypeBitWidth(), 8));
    if (bytes <= budget) {
      StrategyAttr strategy = StrategyAttr::lookup(op);
      (strategy ? strategy : StrategyAttr::getDefault(op.getContext()))
          .withPrefetchedInput(true)
          .attachTo(op);
    }
  });
}

LogicalResult VPU::verifyPrefetchedInput(Operation *op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return strategy && strategy.getPrefetchInput() && !canPrefetchInput(op, arch)
             ? op->emitOpError("expected no prefetchInput: it is for an input "
                               "of static shape that a loop of cores over "
                               "blocks does not cut")
             : success();
}
