//===- ShareGroups.cpp - The vpu-share-groups pass ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As tensors, loops of a group do not need each other. On buffers it takes that
// nobody gave them one buffer, one after the other.
//
//===----------------------------------------------------------------------===//

#include "LoopGroups.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_SHAREGROUPS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// What an op reads or writes: a buffer, or a part of it.
struct Access {
  Value buffer;
  memref::SubViewOp part; // the outermost, or null for all of it
  bool writes;

  Access(Value value, bool writes) : buffer(value), writes(writes) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
      // Dimensions that a reshape in between joins are not comparable.
      part = dyn_cast<memref::SubViewOp>(view.getOperation());
      buffer = view.getViewSource();
    }
  }

  bool conflictsWith(const Access &other) const {
    bool mayBeOne = buffer == other.buffer || !isOwn() || !other.isOwn();
    return mayBeOne && (writes || other.writes) &&
           !(buffer == other.buffer && part && other.part &&
             areApart(part, other.part));
  }

private:
  /// True for memory that no other value has: what an op allocates, or an
  /// argument of the function. A value that a loop carries, or that is chosen
  /// of two, may be any buffer.
  bool isOwn() const {
    auto argument = dyn_cast<BlockArgument>(buffer);
    if (!argument) {
      Operation *op = buffer.getDefiningOp();
      return hasEffect<MemoryEffects::Allocate>(op, buffer) ||
             isa<memref::GetGlobalOp>(op);
    }
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  }
  /// True where the parts have no element in common along some dimension.
  static bool areApart(memref::SubViewOp a, memref::SubViewOp b) {
    for (auto [i, first] : llvm::enumerate(a.getStaticOffsets())) {
      int64_t second = b.getStaticOffsets()[i];
      int64_t sizeA = a.getStaticSizes()[i], sizeB = b.getStaticSizes()[i];
      bool areKnown =
          !ShapedType::isDynamic(first) && !ShapedType::isDynamic(second) &&
          !ShapedType::isDynamic(sizeA) && !ShapedType::isDynamic(sizeB) &&
          a.getStaticStrides()[i] == 1 && b.getStaticStrides()[i] == 1;
      if (areKnown && (first + sizeA <= second || second + sizeB <= first)) {
        return true;
      }
    }
    return false;
  }
};

} // namespace

/// What `op` and the ops in it access; nothing where that is not known.
static std::optional<SmallVector<Access>> findAccesses(Operation *op) {
  SmallVector<Access> accesses;
  WalkResult walk = op->walk([&](Operation *inner) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!interface) {
      return inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>()
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      // One that may end the run is as good before others as behind them.
      if (isa<cf::AssertOp>(inner) ||
          isa<MemoryEffects::Allocate>(effect.getEffect())) {
        continue;
      }
      Value value = effect.getValue();
      if (!value || !isa<BaseMemRefType>(value.getType())) {
        return WalkResult::interrupt();
      }
      accesses.emplace_back(value,
                            !isa<MemoryEffects::Read>(effect.getEffect()));
    }
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? std::nullopt : std::optional(accesses);
}

/// True if the order of the two matters, or is not known not to.
static bool areOrdered(Operation *a, Operation *b) {
  std::optional<SmallVector<Access>> first = findAccesses(a);
  std::optional<SmallVector<Access>> second = findAccesses(b);
  return !first || !second || llvm::any_of(*first, [&](const Access &access) {
    return llvm::any_of(*second, [&](const Access &other) {
      return access.conflictsWith(other);
    });
  });
}

/// Moves the loops of a group to the last of them, with what prepares that one
/// in front. Fails where one loop would have to wait for another.
static LogicalResult moveTogether(ArrayRef<scf::ForOp> group) {
  SmallVector<scf::ForOp> before;
  SmallVector<Operation *> preparing;
  for (Operation *op = group.front(); op != group.back()->getNextNode();
       op = op->getNextNode()) {
    if (llvm::any_of(before,
                     [&](scf::ForOp loop) { return areOrdered(loop, op); })) {
      return failure();
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && llvm::is_contained(group, loop)) {
      before.push_back(loop);
    } else {
      preparing.push_back(op);
    }
  }
  for (Operation *op : preparing) {
    op->moveBefore(group.front());
  }
  return success();
}

/// Makes each loop of a group the part of a loop over clusters.
static void share(ArrayRef<scf::ForOp> group) {
  OpBuilder builder(group.front());
  Location loc = group.front()->getLoc();
  auto attr = [&](int64_t value) { return builder.getIndexAttr(value); };
  auto size = static_cast<int64_t>(group.size());
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>{attr(0)},
      ArrayRef<OpFoldResult>{attr(size)}, ArrayRef<OpFoldResult>{attr(1)},
      /*outputs=*/ValueRange(),
      builder.getArrayAttr(ClusterAttr::get(builder.getContext(),
                                            ClusterStrategy::SplitOverBatch)));
  builder.setInsertionPointToStart(forall.getBody());
  SmallVector<int64_t> cases = llvm::to_vector(llvm::seq(size - 1));
  auto choice = scf::IndexSwitchOp::create(builder, loc, TypeRange(),
                                           forall.getInductionVars().front(),
                                           cases, cases.size());
  // Each of a loop's kernels is a function, as elsewhere.
  for (Operation *op : {forall.getOperation(), choice.getOperation()}) {
    abi::mark<abi::HasSteps>(op);
  }
  for (auto [loop, region] : llvm::zip_equal(
           group,
           llvm::concat<Region>(choice.getCaseRegions(),
                                MutableArrayRef(choice.getDefaultRegion())))) {
    Block *block = builder.createBlock(&region);
    scf::YieldOp::create(builder, loc);
    loop->moveBefore(block, block->begin());
  }
}

namespace {
struct ShareGroupsPass final : VPU::impl::ShareGroupsBase<ShareGroupsPass> {
  void runOnOperation() override {
    if (getOperation().isExternal()) {
      return;
    }
    Block &block = getOperation().getBody().front();
    for (int64_t number : getLoopGroups(block)) {
      SmallVector<scf::ForOp> group = LoopOrder(block).getLoops(number);
      bool yieldsNothing = llvm::all_of(
          group, [](scf::ForOp loop) { return loop->getNumResults() == 0; });
      if (group.size() > 1 && yieldsNothing && succeeded(moveTogether(group))) {
        share(group);
        ++numShared;
      }
      for (scf::ForOp loop : group) {
        loop->removeAttr(StrategyAttr::attrName);
      }
    }
  }
};
} // namespace
