//===- GroupLoops.cpp - The vpu-group-loops pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directions of a recurrent layer are loops that do not need each other.
// Each can run on a cluster of its own, where its state and its weights stay,
// and no step of it waits for another cluster.
//
//===----------------------------------------------------------------------===//

#include "LoopGroups.h"
#include "TilingUtils.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_GROUPLOOPS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True for what can change places with ops that do not need it: it does no
/// more than compute tensors, or end the run.
static bool isMovable(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    bool isFree = isa<cf::AssertOp>(inner) ||
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner);
    return isFree ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

static bool usesAny(Operation *op, const llvm::DenseSet<Operation *> &ops) {
  WalkResult walk = op->walk([&](Operation *inner) {
    return llvm::any_of(
               inner->getOperands(),
               [&](Value value) { return ops.contains(value.getDefiningOp()); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Moves the loops of `group`, which follow each other, in front of `next`, and
/// what needs them behind it. Fails where `next` needs them itself.
static LogicalResult moveTogether(ArrayRef<scf::ForOp> group, scf::ForOp next) {
  llvm::DenseSet<Operation *> needing(group.begin(), group.end());
  SmallVector<Operation *> later;
  for (Operation *op = group.back()->getNextNode(); op != next;
       op = op->getNextNode()) {
    if (!usesAny(op, needing)) {
      continue;
    }
    if (!isMovable(op)) {
      return failure();
    }
    needing.insert(op);
    later.push_back(op);
  }
  if (usesAny(next, needing)) {
    return failure();
  }
  for (scf::ForOp loop : group) {
    loop->moveBefore(next);
  }
  Operation *last = next;
  for (Operation *op : later) {
    op->moveAfter(last);
    last = op;
  }
  return success();
}

namespace {

/// What a loop takes, in cycles.
struct LoopCost {
  double alone;  // by one cluster
  double shared; // with what is large enough in it shared by all

  void add(const LoopCost &other, double times) {
    alone += times * other.alone;
    shared += times * other.shared;
  }
};

struct GroupLoopsPass final : VPU::impl::GroupLoopsBase<GroupLoopsPass> {
  using GroupLoopsBase::GroupLoopsBase;

  void runOnOperation() override {
    arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    if (arch.getClusters() == 1 || !arch.hasCores() ||
        getOperation().isExternal()) {
      return;
    }
    SmallVector<scf::ForOp> loops;
    for (auto loop : getOperation().getBody().front().getOps<scf::ForOp>()) {
      if (abi::has<abi::HasSteps>(loop) && isMovable(loop) &&
          getCost(loop).alone >= static_cast<double>(minCycles)) {
        loops.push_back(loop);
      }
    }
    int64_t number = 0;
    while (loops.size() > 1) {
      SmallVector<scf::ForOp> group = takeGroup(loops);
      if (!isWorthwhile(group)) {
        continue;
      }
      for (scf::ForOp loop : group) {
        setLoopGroup(loop, number);
      }
      ++number;
    }
    numGroups += number;
  }

private:
  /// Moves the first of `loops` to others that do not need each other, and
  /// takes them out of the list.
  SmallVector<scf::ForOp> takeGroup(SmallVectorImpl<scf::ForOp> &loops) const {
    SmallVector<scf::ForOp> group = {loops.front()}, rest;
    for (scf::ForOp loop : llvm::drop_begin(loops)) {
      bool hasRoom = static_cast<int64_t>(group.size()) < arch.getClusters();
      if (hasRoom && succeeded(moveTogether(group, loop))) {
        group.push_back(loop);
      } else {
        rest.push_back(loop);
      }
    }
    loops = rest;
    return group;
  }

  /// True where the slowest of the loops takes no longer than all of them do
  /// one after the other, each with all clusters.
  bool isWorthwhile(ArrayRef<scf::ForOp> group) const {
    double slowest = 0, sequence = 0;
    for (scf::ForOp loop : group) {
      LoopCost cost = getCost(loop);
      slowest = std::max(slowest, cost.alone);
      sequence += cost.shared;
    }
    return group.size() > 1 && slowest <= sequence;
  }

  LoopCost getCost(Operation *op) const {
    CostModel model(arch);
    if (isa<NCEOpInterface, CopyOp, linalg::LinalgOp>(op)) {
      double cycles = model.getCycles(op);
      // Software kernels in a loop are never shared.
      double each = cycles / static_cast<double>(arch.getClusters());
      bool isShared = isa<NCEOpInterface>(op) &&
                      each >= model.getLeastPart(minCycles, /*areAwake=*/false);
      return {cycles, isShared ? each : cycles};
    }
    LoopCost cost = {0, 0};
    for (Region &region : op->getRegions()) {
      for (Operation &inner : region.getOps()) {
        cost.add(getCost(&inner), 1);
      }
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::optional(APInt(64, 1));
    LoopCost all = {0, 0};
    all.add(cost, trips ? static_cast<double>(trips->getSExtValue())
                        : static_cast<double>(kTypicalSize));
    return all;
  }

  ArchAttr arch;
};
} // namespace
