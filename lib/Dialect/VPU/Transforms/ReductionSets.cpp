//===- ReductionSets.cpp - Reductions that become one op ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which reductions can be one op, and checks the sets of them that
// strategies name: a person may have written these.
//
//===----------------------------------------------------------------------===//

#include "ReductionSets.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

bool VPU::isTensorReduction(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.getNumReductionLoops() > 0 && generic.getNumDpsInputs() > 0 &&
         isa_and_present<FunctionOpInterface>(op->getParentOp());
}

/// True if both have as many steps in a loop whose extent no input tells, as a
/// dimension that an operand is broadcast along.
static bool isSameExtent(linalg::GenericOp first, linalg::GenericOp second,
                         unsigned loop) {
  SmallVector<AffineMap> maps = first.getIndexingMapsArray();
  bool isOfInput = llvm::any_of(
      ArrayRef(maps).take_front(first.getNumDpsInputs()), [&](AffineMap map) {
        return map.getResultPosition(
                   getAffineDimExpr(loop, first.getContext())) != std::nullopt;
      });
  if (isOfInput) {
    return true;
  }
  int64_t extent = first.getStaticLoopRanges()[loop];
  return !ShapedType::isDynamic(extent) &&
         extent == second.getStaticLoopRanges()[loop];
}

StringRef VPU::explainOtherReading(linalg::GenericOp first,
                                   linalg::GenericOp second) {
  if (first.getInputs() != second.getInputs()) {
    return "other operands";
  }
  if (first.getIteratorTypesArray() != second.getIteratorTypesArray()) {
    return "by other loops";
  }
  SmallVector<AffineMap> maps = first.getIndexingMapsArray(),
                         others = second.getIndexingMapsArray();
  size_t inputs = first.getNumDpsInputs();
  if (ArrayRef(maps).take_front(inputs) !=
      ArrayRef(others).take_front(inputs)) {
    return "in another order";
  }
  bool areEqual = llvm::all_of(
      llvm::seq<unsigned>(0, first.getNumLoops()),
      [&](unsigned loop) { return isSameExtent(first, second, loop); });
  return areEqual ? "" : "by loops of other extents";
}

static int64_t getMerge(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return strategy ? strategy.getMerge() : 0;
}

ReductionSets ReductionSets::get(Block &block) {
  ReductionSets result;
  llvm::DenseMap<int64_t, size_t> positions;
  for (auto op : block.getOps<linalg::GenericOp>()) {
    int64_t merge = getMerge(op);
    if (merge == 0) {
      continue;
    }
    auto [found, isNew] = positions.try_emplace(merge, result.getSets().size());
    if (isNew) {
      result.begin(op);
    } else {
      result.add(op, found->second);
    }
  }
  return result;
}

SmallVector<Operation *>
ReductionSets::findNeed(Operation *op, size_t own,
                        llvm::function_ref<bool(Operation *)> isWanted) const {
  Block *block = op->getBlock();
  // Each op that is needed, with the one that needs it, or is one op with it.
  llvm::DenseMap<Operation *, Operation *> reasons = {{op, nullptr}};
  SmallVector<Operation *> open = {op};
  auto visit = [&](Operation *needed, Operation *reason) {
    if (needed && reasons.try_emplace(needed, reason).second) {
      open.push_back(needed);
    }
  };
  auto getSet = [&](Operation *member) {
    auto found = numbers.find(member);
    bool isOne = found != numbers.end() && found->second != own;
    return isOne ? std::optional(found->second) : std::nullopt;
  };
  while (!open.empty()) {
    Operation *next = open.pop_back_val();
    if (next != op && isWanted(next)) {
      SmallVector<Operation *> path = {next};
      for (Operation *later = reasons[next]; later != op;
           later = reasons[later]) {
        Operation *reason = reasons[later];
        if (getSet(later) && getSet(later) == getSet(reason)) {
          path.append({later, reason});
        }
      }
      std::reverse(path.begin(), path.end());
      return path;
    }
    if (std::optional<size_t> set = getSet(next)) {
      for (linalg::GenericOp other : sets[*set]) {
        visit(other, next);
      }
    }
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        visit(definition ? block->findAncestorOpInBlock(*definition) : nullptr,
              next);
      }
    });
  }
  return {};
}

SmallVector<Operation *> ReductionSets::findNeed(Operation *op,
                                                 size_t number) const {
  return findNeed(op, number, [&](Operation *needed) {
    auto found = numbers.find(needed);
    return found != numbers.end() && found->second == number;
  });
}

bool ReductionSets::canJoin(linalg::GenericOp op, size_t number) const {
  if (!findNeed(op, number).empty()) {
    return false;
  }
  // An op before it needs it only by a set that goes on behind it, as one that
  // a person made.
  bool areBefore = llvm::all_of(numbers, [&](const auto &entry) {
    return entry.first->isBeforeInBlock(op);
  });
  return areBefore || llvm::all_of(sets[number], [&](linalg::GenericOp member) {
           return findNeed(member, number,
                           [&](Operation *needed) {
                             return needed == op.getOperation();
                           })
               .empty();
         });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that an op can be one with the first op of its set. `need` is why
/// another op of the set is needed before it, if it is.
static LogicalResult verifyMember(linalg::GenericOp op, linalg::GenericOp first,
                                  ArrayRef<Operation *> need) {
  StringRef other = op == first ? "" : explainOtherReading(first, op);
  if (!other.empty()) {
    InFlightDiagnostic error =
        op.emitOpError("expected no merge: it reads ")
        << other << " than the first op of merge = " << getMerge(op);
    error.attachNote(first.getLoc()) << "the first op is here";
    return error;
  }
  if (need.empty()) {
    return success();
  }
  InFlightDiagnostic error = op.emitOpError(
      "expected no merge: it needs what another op of its set computes");
  ArrayRef<Operation *> between = need.drop_back();
  for (; !between.empty(); between = between.drop_front(2)) {
    error.attachNote(between[0]->getLoc())
        << "by this op, which merge = " << getMerge(between[0])
        << " makes one with another one";
    error.attachNote(between[1]->getLoc()) << "the other one is here";
  }
  error.attachNote(need.back()->getLoc())
      << "the op with merge = " << getMerge(op) << " that it needs is here";
  return error;
}

LogicalResult VPU::verifyMerging(FunctionOpInterface function) {
  WalkResult walk = function->walk([](Operation *op) {
    if (getMerge(op) != 0 && !isTensorReduction(op)) {
      op->emitOpError("expected no merge: it is no structured op on tensors, "
                      "outside of loops, that reduces operands");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted()) {
    return failure();
  }
  for (Block &block : function.getFunctionBody()) {
    ReductionSets sets = ReductionSets::get(block);
    for (auto [number, set] : llvm::enumerate(sets.getSets())) {
      linalg::GenericOp first = set.front();
      if (set.size() < 2) {
        return first.emitOpError("expected more ops with merge = ")
               << getMerge(first) << " than this one";
      }
      for (linalg::GenericOp op : set) {
        if (failed(verifyMember(op, first, sets.findNeed(op, number)))) {
          return failure();
        }
      }
    }
  }
  return success();
}
