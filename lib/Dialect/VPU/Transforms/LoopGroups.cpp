//===- LoopGroups.cpp - Loops that run at the same time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads groups of loops from strategies, finds an order in which their loops
// follow each other, and checks them: a person may have written them.
//
//===----------------------------------------------------------------------===//

#include "LoopGroups.h"

#include "SoftwareStrategy.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t VPU::getLoopGroup(Operation *op) {
  StrategyAttr strategy =
      isa<scf::ForOp>(op) ? StrategyAttr::lookup(op) : StrategyAttr();
  return strategy ? strategy.getGroup() : 0;
}

bool VPU::isInLoopOfCluster(Operation *op) {
  while (auto loop = op->getParentOfType<scf::ForOp>()) {
    StrategyAttr strategy = StrategyAttr::lookup(loop);
    if (strategy &&
        (strategy.getGroup() != 0 || !strategy.getParts().empty())) {
      return true;
    }
    op = loop;
  }
  return false;
}

bool VPU::isMovable(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    bool isFree = isa<cf::AssertOp>(inner) ||
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner);
    return isFree ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

SmallVector<int64_t> VPU::getLoopGroups(Block &block) {
  SmallVector<int64_t> numbers;
  for (auto loop : block.getOps<scf::ForOp>()) {
    if (int64_t number = getLoopGroup(loop)) {
      numbers.push_back(number);
    }
  }
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

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

LoopOrder::LoopOrder(Block &block) : block(&block) {
  for (Operation &op : block) {
    ops.push_back(&op);
  }
}

SmallVector<scf::ForOp> LoopOrder::getLoops(int64_t group) const {
  SmallVector<scf::ForOp> loops;
  for (Operation *op : ops) {
    if (getLoopGroup(op) == group) {
      loops.push_back(cast<scf::ForOp>(op));
    }
  }
  return loops;
}

Operation *LoopOrder::moveTogether(ArrayRef<scf::ForOp> loops,
                                   scf::ForOp next) {
  Operation *front = loops.front();
  auto *first = llvm::find(ops, front);
  auto *end = std::find(first, ops.end(), next.getOperation());
  assert(end != ops.end() && "expected `next` behind the loops");
  llvm::DenseSet<Operation *> needing(loops.begin(), loops.end());
  SmallVector<Operation *> before, later;
  for (Operation *op : ArrayRef(first + loops.size(), end)) {
    if (!usesAny(op, needing)) {
      before.push_back(op);
      continue;
    }
    if (!isMovable(op)) {
      return op;
    }
    needing.insert(op);
    later.push_back(op);
  }
  if (usesAny(next, needing)) {
    return next;
  }
  auto *place = llvm::copy(before, first);
  place = llvm::copy(loops, place);
  *place++ = next;
  llvm::copy(later, place);
  return nullptr;
}

void LoopOrder::apply() const {
  for (Operation *op : ops) {
    op->moveBefore(block, block->end());
  }
}

FailureOr<LoopOrder> VPU::orderLoopGroups(Block &block) {
  LoopOrder order(block);
  for (int64_t number : getLoopGroups(block)) {
    SmallVector<scf::ForOp> loops = order.getLoops(number);
    for (auto [i, next] : llvm::enumerate(loops)) {
      ArrayRef<scf::ForOp> others = ArrayRef(loops).take_front(i);
      Operation *obstacle =
          others.empty() ? nullptr : order.moveTogether(others, next);
      if (!obstacle) {
        continue;
      }
      bool needs = obstacle == next.getOperation();
      InFlightDiagnostic error =
          next->emitOpError("expected no group ")
          << number << ": "
          << (needs ? "the loop needs the result of another one of the group"
                    : "an op with effects comes before the loop, and behind "
                      "another one of the group");
      error.attachNote(needs ? loops.front().getLoc() : obstacle->getLoc())
          << (needs ? "the first loop of the group" : "the op with effects")
          << " is here";
      return error;
    }
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyLoop(scf::ForOp loop, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(loop);
  MLIRContext *context = loop.getContext();
  if (!strategy || strategy == StrategyAttr::getDefault(context)) {
    return success();
  }
  int64_t group = strategy.getGroup();
  if (group == 0) {
    return isMovable(loop) ? verifyLoopParts(loop)
                           : loop.emitOpError("expected no parts: the loop has "
                                              "effects, whose order stays");
  }
  if (strategy != StrategyAttr::getForGroup(context, group)) {
    return loop.emitOpError("expected a group alone, or #VPU.strategy<> for "
                            "none");
  }
  if (!isa<FunctionOpInterface>(loop->getParentOp())) {
    return loop.emitOpError("expected no group inside of a loop or a branch");
  }
  if (!arch.hasCores()) {
    return loop.emitOpError("expected no group: ")
           << arch.getName() << " has no cores that loops run on";
  }
  if (!isMovable(loop)) {
    return loop.emitOpError("expected no group: the loop has effects, whose "
                            "order stays");
  }
  return success();
}

LogicalResult VPU::verifyLoopGroups(FunctionOpInterface function) {
  ArchAttr arch = ArchAttr::lookup(function);
  WalkResult walk = function->walk([&](scf::ForOp loop) {
    return failed(verifyLoop(loop, arch)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
  });
  if (walk.wasInterrupted()) {
    return failure();
  }
  for (Block &block : function.getFunctionBody()) {
    for (int64_t number : getLoopGroups(block)) {
      SmallVector<scf::ForOp> loops = LoopOrder(block).getLoops(number);
      if (loops.size() < 2) {
        return loops.front().emitOpError("expected more loops of group ")
               << number << " than this one";
      }
    }
    if (failed(orderLoopGroups(block))) {
      return failure();
    }
  }
  return success();
}
