//===- MergeReductions.cpp - One op for several reductions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one op of each set of reductions that strategies name.
//
//===----------------------------------------------------------------------===//

#include "ReductionSets.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

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

FailureOr<int64_t> VPU::mergeReductions(RewriterBase &rewriter,
                                        FunctionOpInterface function) {
  int64_t numMerged = 0;
  for (Block &block : function.getFunctionBody()) {
    ReductionSets sets = ReductionSets::get(block);
    for (const ReductionSets::Set &set : sets.getSets()) {
      linalg::GenericOp merged = set.front();
      merged->removeAttr(StrategyAttr::attrName);
      for (linalg::GenericOp op : llvm::drop_begin(set)) {
        if (failed(moveOperationDependencies(rewriter, op, merged))) {
          return op.emitOpError("expected no merge: it needs what another op "
                                "of its set computes");
        }
        merged = merge(rewriter, merged, op);
        ++numMerged;
      }
    }
  }
  return numMerged;
}
