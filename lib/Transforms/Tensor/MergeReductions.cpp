//===- MergeReductions.cpp - The merge-reductions pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is too large for a cache is read from memory by each kernel that reduces
// it. Two kernels with the same loops over the same operands become one with
// both results.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nacre {
#define GEN_PASS_DEF_MERGEREDUCTIONS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

static bool isReduction(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 &&
         op.getNumDpsInputs() > 0;
}

/// True when both read the same elements in the same order.
static bool readAlike(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<AffineMap> maps = first.getIndexingMapsArray(),
                         others = second.getIndexingMapsArray();
  size_t inputs = first.getNumDpsInputs();
  return first.getInputs() == second.getInputs() &&
         first.getIteratorTypesArray() == second.getIteratorTypesArray() &&
         ArrayRef(maps).take_front(inputs) ==
             ArrayRef(others).take_front(inputs);
}

/// The body of `op` on the arguments of a merged one, of which those for its
/// results start at number `first`; adds what it yields.
static void cloneBody(OpBuilder &builder, linalg::GenericOp op,
                      ValueRange arguments, int64_t first,
                      SmallVectorImpl<Value> &yielded) {
  IRMapping mapping;
  for (BlockArgument argument : op.getBody()->getArguments()) {
    int64_t number = argument.getArgNumber();
    bool isInput = number < op.getNumDpsInputs();
    mapping.map(
        argument,
        arguments[isInput ? number : number - op.getNumDpsInputs() + first]);
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    builder.clone(inner, mapping);
  }
  for (Value value : op.getBody()->getTerminator()->getOperands()) {
    yielded.push_back(mapping.lookupOrDefault(value));
  }
}

/// One op, in place of `first`, with the results of both.
static linalg::GenericOp merge(RewriterBase &rewriter, linalg::GenericOp first,
                               linalg::GenericOp second) {
  SmallVector<Value> outputs(first.getOutputs());
  llvm::append_range(outputs, second.getOutputs());
  SmallVector<AffineMap> maps = first.getIndexingMapsArray(),
                         others = second.getIndexingMapsArray();
  int64_t inputs = first.getNumDpsInputs(), own = first.getNumDpsInits();
  llvm::append_range(maps, ArrayRef(others).drop_front(inputs));
  rewriter.setInsertionPoint(first);
  auto merged = linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
      ValueRange(outputs).getTypes(), first.getInputs(), outputs, maps,
      first.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Value> yielded;
        cloneBody(b, first, arguments, inputs, yielded);
        cloneBody(b, second, arguments, inputs + own, yielded);
        linalg::YieldOp::create(b, loc, yielded);
      });
  rewriter.replaceOp(first, merged.getResults().take_front(own));
  rewriter.replaceOp(second, merged.getResults().drop_front(own));
  return merged;
}

namespace {
struct MergeReductionsPass final
    : nacre::impl::MergeReductionsBase<MergeReductionsPass> {
  using MergeReductionsBase::MergeReductionsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block &block : getOperation().getFunctionBody()) {
      SmallVector<linalg::GenericOp> reductions;
      for (auto op :
           llvm::make_early_inc_range(block.getOps<linalg::GenericOp>())) {
        if (!isReduction(op) || !isLarge(op)) {
          continue;
        }
        linalg::GenericOp *found =
            llvm::find_if(reductions, [&](linalg::GenericOp earlier) {
              return readAlike(earlier, op);
            });
        if (found == reductions.end() ||
            failed(moveOperationDependencies(rewriter, op, *found))) {
          reductions.push_back(op);
          continue;
        }
        *found = merge(rewriter, *found, op);
        ++numMerged;
      }
    }
  }

private:
  bool isLarge(linalg::GenericOp op) {
    return llvm::any_of(op.getInputs(), [&](Value input) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      return type &&
             (!type.hasStaticShape() || type.getNumElements() >= minElements);
    });
  }
};
} // namespace
