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

bool VPU::readAlike(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<AffineMap> maps = first.getIndexingMapsArray(),
                         others = second.getIndexingMapsArray();
  size_t inputs = first.getNumDpsInputs();
  return first.getInputs() == second.getInputs() &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         ArrayRef(maps).take_front(inputs) ==
             ArrayRef(others).take_front(inputs) &&
         llvm::all_of(
             llvm::seq<unsigned>(0, first.getNumLoops()),
             [&](unsigned loop) { return isSameExtent(first, second, loop); });
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

bool ReductionSets::isFreeOf(Operation *op, size_t number) const {
  Block *block = op->getBlock();
  llvm::DenseSet<Operation *> visited = {op};
  SmallVector<Operation *> open = {op};
  auto visit = [&](Operation *needed) {
    if (needed && visited.insert(needed).second) {
      open.push_back(needed);
    }
  };
  while (!open.empty()) {
    Operation *next = open.pop_back_val();
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        visit(definition ? block->findAncestorOpInBlock(*definition) : nullptr);
      }
    });
    auto found = numbers.find(next);
    if (found == numbers.end()) {
      continue;
    }
    if (found->second == number && next != op) {
      return false;
    }
    // Its set is one op, but for the set that is asked about.
    if (found->second != number) {
      for (linalg::GenericOp other : sets[found->second]) {
        visit(other);
      }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

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
        bool isAlike = op == first || readAlike(first, op);
        if (isAlike && sets.isFreeOf(op, number)) {
          continue;
        }
        InFlightDiagnostic error =
            op.emitOpError("expected no merge: ")
            << (isAlike ? "it needs what another op of its set computes"
                        : "another op of its set reads other operands, or by "
                          "other loops");
        error.attachNote(first.getLoc()) << "the first op is here";
        return error;
      }
    }
  }
  return success();
}
