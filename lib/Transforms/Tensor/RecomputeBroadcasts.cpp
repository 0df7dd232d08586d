//===- RecomputeBroadcasts.cpp - Clones of what is broadcast --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a few vectors are broadcast and compared to, such as the mask of causal
// attention, is as large as the scores of a head. Each layer of a network reads
// it: as one value it would be stored. So fuse-elementwise computes it again
// for each of them first.
//
//===----------------------------------------------------------------------===//

#include "RecomputeBroadcasts.h"

#include "nacre/Dialect/VPU/Cost/GraphLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace nacre;

static bool isElementwise(Operation *op) {
  auto structured = dyn_cast<linalg::GenericOp>(op);
  return structured && structured.getNumDpsInits() == 1 &&
         structured.getNumLoops() == structured.getNumParallelLoops();
}

/// True for comparisons, selections and the like, a few to each element.
static bool isSimple(linalg::GenericOp op) {
  return llvm::hasNItemsOrLess(op.getBody()->without_terminator(),
                               VPU::kMostRecomputedOps) &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return isa<arith::ArithDialect>(inner.getDialect()) &&
                  isSpeculatable(&inner);
         });
}

/// Lets a structured op read what a reshape only adds dimensions of size 1 to:
/// no pattern fuses producers through a reshape that is broadcast along one.
static void readThrough(OpOperand &use) {
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  auto expand = use.get().getDefiningOp<tensor::ExpandShapeOp>();
  // Others may reduce along a dimension that only the reshape has.
  if (!user || !expand || !isElementwise(user) || !user.isDpsInput(&use)) {
    return;
  }
  AffineMap map = user.getMatchingIndexingMap(&use);
  SmallVector<AffineExpr> results;
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    auto isLong = [&](int64_t dim) {
      return expand.getResultType().getDimSize(dim) != 1;
    };
    if (llvm::count_if(group, isLong) > 1) {
      return;
    }
    const auto *dim = llvm::find_if(group, isLong);
    results.push_back(map.getResult(dim == group.end() ? group.front() : *dim));
  }
  SmallVector<AffineMap> maps = user.getIndexingMapsArray();
  maps[use.getOperandNumber()] = AffineMap::get(
      map.getNumDims(), map.getNumSymbols(), results, user.getContext());
  user.setIndexingMapsAttr(Builder(user).getAffineMapArrayAttr(maps));
  use.set(expand.getSrc());
}

namespace {
/// Recomputes the broadcasts of one root.
class BroadcastSplitter {
public:
  explicit BroadcastSplitter(int64_t minElements) : minElements(minElements) {}

  /// Returns the number of clones.
  int64_t run(Operation *root) {
    llvm::SetVector<Operation *> broadcasts;
    root->walk([&](Operation *op) {
      if (isBroadcast(op, broadcasts)) {
        broadcasts.insert(op);
      }
    });
    // Users first: a clone is one more user of what it reads.
    for (Operation *op : llvm::reverse(broadcasts)) {
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        readThrough(use);
      }
      split(op);
    }
    return numClones;
  }

private:
  /// True if `op` computes many elements from few, or from what does.
  bool isBroadcast(Operation *op,
                   const llvm::SetVector<Operation *> &broadcasts) const {
    if (op->getNumResults() != 1) {
      return false;
    }
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() ||
        type.getNumElements() < minElements) {
      return false;
    }
    auto isFree = [&](Value operand) {
      auto source = dyn_cast<RankedTensorType>(operand.getType());
      return !source || broadcasts.contains(operand.getDefiningOp()) ||
             (source.hasStaticShape() &&
              source.getNumElements() <=
                  type.getNumElements() / VPU::kLeastBroadcastGrowth);
    };
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      return isFree(op->getOperand(0));
    }
    auto structured = dyn_cast<linalg::GenericOp>(op);
    return structured && isElementwise(op) && isSimple(structured) &&
           llvm::all_of(structured.getDpsInputs(), isFree);
  }

  /// Gives each elementwise user of `op` a clone of its own.
  void split(Operation *op) {
    if (op->hasOneUse()) {
      return;
    }
    // Where one broadcast reads another twice, clones of clones double.
    constexpr int64_t kMostClones = 256;
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      if (user->getBlock() == op->getBlock() && numClones < kMostClones &&
          (isElementwise(user) ||
           isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))) {
        OpBuilder builder(user);
        use.set(builder.clone(*op)->getResult(0));
        ++numClones;
      }
    }
    if (op->use_empty()) {
      op->erase();
    }
  }

  int64_t minElements;
  int64_t numClones = 0;
};
} // namespace

int64_t nacre::recomputeBroadcasts(Operation *root, int64_t minElements) {
  return BroadcastSplitter(minElements).run(root);
}
