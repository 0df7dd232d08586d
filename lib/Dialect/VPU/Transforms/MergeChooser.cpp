//===- MergeChooser.cpp - What is read once for several results -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of an operand that the first cache does not hold are one op: each
// would read it from farther away.
//
//===----------------------------------------------------------------------===//

#include "ReductionSets.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static bool isLarge(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return type &&
           (!type.hasStaticShape() || type.getNumElements() >= kNearFloats);
  });
}

/// Puts reductions that read alike into one set, in the order in which they are
/// found. Those of the sets that are there stay as they are.
static void collect(ReductionSets &sets, Block &block) {
  size_t numGiven = sets.getSets().size();
  for (auto op : block.getOps<linalg::GenericOp>()) {
    if (!isTensorReduction(op) || !isLarge(op) || StrategyAttr::lookup(op)) {
      continue;
    }
    ArrayRef<ReductionSets::Set> open = sets.getSets().drop_front(numGiven);
    const auto *found = llvm::find_if(open, [&](const ReductionSets::Set &set) {
      return explainOtherReading(set.front(), op).empty();
    });
    size_t number = numGiven + (found - open.begin());
    if (found == open.end() || !sets.canJoin(op, number)) {
      sets.begin(op);
    } else {
      sets.add(op, number);
    }
  }
}

void VPU::chooseMerging(FunctionOpInterface function,
                        const llvm::DenseSet<Operation *> &given) {
  llvm::DenseSet<int64_t> taken;
  for (Operation *op : given) {
    taken.insert(StrategyAttr::lookup(op).getMerge());
  }
  int64_t number = 0;
  for (Block &block : function.getFunctionBody()) {
    ReductionSets sets = ReductionSets::get(block);
    size_t numGiven = sets.getSets().size();
    collect(sets, block);
    for (const ReductionSets::Set &set : sets.getSets().drop_front(numGiven)) {
      if (set.size() < 2) {
        continue;
      }
      do {
        ++number;
      } while (taken.contains(number));
      for (linalg::GenericOp op : set) {
        StrategyAttr::getForMerging(op.getContext(), number).attachTo(op);
      }
    }
  }
}
