//===- FuseRows.cpp - The vpu-fuse-rows pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one loop of each group of ops that compute rows from rows, as their
// strategies say. What a row is last computed from is written over
// (ReuseOperands.cpp). Reductions of the same operands become one op where
// strategies say so (MergeReductions.cpp).
//
//===----------------------------------------------------------------------===//

#include "ReductionSets.h"
#include "ReuseOperands.h"
#include "RowGroupChooser.h"
#include "RowGroupStrategy.h"
#include "RunTimeRows.h"

#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_FUSEROWS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Gives each cluster a part of the root's loops.
static FailureOr<RowGroup> share(RewriterBase &rewriter, RowGroup group,
                                 ArrayRef<int64_t> part) {
  // As verified.
  [[maybe_unused]] bool isBox = group.setTile(part);
  assert(isBox && "expected parts that are one box of each fused op");
  MLIRContext *context = rewriter.getContext();
  SmallVector<Attribute> mapping = {
      ClusterAttr::get(context, ClusterStrategy::SplitOverHeight)};
  if (llvm::count_if(group.getTile(),
                     [](int64_t size) { return size != kWhole; }) > 1) {
    mapping.insert(mapping.begin(),
                   ClusterAttr::get(context, ClusterStrategy::SplitOverBatch));
  }
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setMapping(mapping);
  return group.tile(rewriter, options);
}

static LogicalResult fuse(RewriterBase &rewriter, ArrayRef<Operation *> members,
                          ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(members.front());
  PointCosts costs;
  for (Operation *op : members) {
    costs[op] = StrategyAttr::lookup(op).getPointCost();
    op->removeAttr(StrategyAttr::attrName);
  }
  FailureOr<RowGroup> group = getRowGroup(members, strategy);
  if (hasRunTimeRows(*group, strategy)) {
    group =
        tileAtRunTime(rewriter, *group, strategy, costs, arch.getClusters());
    if (succeeded(group)) {
      group->reuseTiles(rewriter);
    }
    return group;
  }
  if (!strategy.getParts().empty()) {
    group = share(rewriter, *group, *getEvenPart(*group, strategy));
    if (failed(group)) {
      return failure();
    }
  }
  if (!strategy.getBlock().empty()) {
    if (!group->setTile(strategy.getBlock())) {
      return group->getRoot()->emitOpError(
          "expected a block that is one box of each op of its group");
    }
    group = group->tile(rewriter, scf::SCFTilingOptions());
    if (failed(group)) {
      return failure();
    }
  }
  group->reuseTiles(rewriter);
  return success();
}

namespace {
struct FuseRowsPass final : VPU::impl::FuseRowsBase<FuseRowsPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verifyRowGroups(getOperation())) ||
        failed(verifyMerging(getOperation()))) {
      return signalPassFailure();
    }
    if (getOperation().isExternal()) {
      return;
    }
    IRRewriter rewriter(&getContext());
    for (ArrayRef<Operation *> members :
         collectRowGroups(getOperation().getBody().front())) {
      if (failed(fuse(rewriter, members, arch))) {
        return signalPassFailure();
      }
      ++numGroups;
    }
    // The others that were given none are in no group and no set; about their
    // loops nothing is decided yet.
    StrategyAttr none = StrategyAttr::getDefault(&getContext());
    for (Operation &op : getOperation().getBody().front()) {
      if ((canJoinRows(&op) || isTensorReduction(&op)) &&
          StrategyAttr::lookup(&op) == none) {
        op.removeAttr(StrategyAttr::attrName);
      }
    }
    // What only the ops before tiling used.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    numReused += reuseOperands(rewriter, getOperation());
    FailureOr<int64_t> merged = mergeReductions(rewriter, getOperation());
    if (failed(merged)) {
      return signalPassFailure();
    }
    numMerged += *merged;
  }
};
} // namespace
