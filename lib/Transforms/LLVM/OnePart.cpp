//===- OnePart.cpp - Loops over cores that are one part -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model is called for few samples at a time, and then each of its steps
// is one part: what prepares to share it takes as long as the step.
//
//===----------------------------------------------------------------------===//

#include "OnePart.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Values as they are where numbers of parts are 1.
class OnePart {
public:
  explicit OnePart(OpBuilder &builder) : builder(builder) {}

  /// Takes `count` for 1 from here on.
  void assume(Value count) {
    known.map(
        count,
        arith::ConstantIndexOp::create(builder, count.getLoc(), 1).getResult());
    getForwardSlice(count, &dependents, ForwardSliceOptions([](Operation *op) {
                      return isMemoryEffectFree(op) && op->getNumRegions() == 0;
                    }));
  }

  /// `value`, computed again at the builder's place if it depends on a count.
  Value get(Value value) {
    if (Value result = known.lookupOrNull(value)) {
      return result;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !dependents.contains(op)) {
      return value;
    }
    for (Value operand : op->getOperands()) {
      known.map(operand, get(operand));
    }
    Operation *copy = builder.clone(*op, known);
    SmallVector<Value> folded;
    if (succeeded(builder.tryFold(copy, folded)) && !folded.empty()) {
      known.map(op->getResults(), folded);
      copy->erase();
    } else if (!isSpeculatable(copy)) {
      // Whether the count is 1 is not known yet: nothing may trap.
      known.map(op->getResults(), op->getResults());
      copy->erase();
    }
    return known.lookup(value);
  }

  /// What `loop` does in its only step.
  void buildBody(scf::ForallOp loop) {
    Value zero = arith::ConstantIndexOp::create(builder, loop.getLoc(), 0);
    for (Value counter : loop.getInductionVars()) {
      known.map(counter, zero);
    }
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop->getRegions(), used);
    for (Value value : used) {
      known.map(value, get(value));
    }
    for (Operation &op : loop.getBody()->without_terminator()) {
      builder.clone(op, known);
    }
  }

private:
  OpBuilder &builder;
  IRMapping known;
  llvm::SetVector<Operation *> dependents;
};

} // namespace

bool nacre::mayBeOnePart(scf::ForallOp loop) {
  return loop.isNormalized() && !loop.getDynamicUpperBound().empty() &&
         llvm::all_of(loop.getStaticUpperBound(), [](int64_t extent) {
           return extent == 1 || ShapedType::isDynamic(extent);
         });
}

void nacre::doOnePartAlone(scf::ForallOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  OnePart onePart(builder);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1), condition;
  for (Value count : loop.getDynamicUpperBound()) {
    // What is left to an inner loop depends on what the outer one takes.
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        onePart.get(count), one);
    condition =
        condition
            ? arith::AndIOp::create(builder, loc, condition, isOne).getResult()
            : isOne;
    onePart.assume(count);
  }
  auto branch =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  loop->moveBefore(branch.elseYield());
  builder.setInsertionPoint(branch.thenYield());
  onePart.buildBody(loop);
}
