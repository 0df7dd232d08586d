//===- BindResults.cpp - The bind-results pass ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination of empty tensors takes the ops in order, so that what is written
// into a part of a result moves in front of the result's memory, which then
// comes too late for it. So the memory is what such a result starts from before
// anything moves.
//
//===----------------------------------------------------------------------===//

#include "ResultBinding.h"

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre {
#define GEN_PASS_DEF_BINDRESULTS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The tensor.empty that `result` starts as, if it is computed in place
/// throughout; null where there is none or several.
static tensor::EmptyOp findStart(OpOperand &result,
                                 const bufferization::AnalysisState &analysis) {
  llvm::SetVector<Value> origins =
      analysis.findValueInReverseUseDefChain(&result, [](Value value) {
        return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
      });
  auto start = origins.size() == 1
                   ? origins.front().getDefiningOp<tensor::EmptyOp>()
                   : tensor::EmptyOp();
  return start && start.getType() == result.get().getType() ? start
                                                            : tensor::EmptyOp();
}

namespace {
struct BindResultsPass final : nacre::impl::BindResultsBase<BindResultsPass> {
  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    numReshaped += reshapeResults(getOperation(), dominance);
    if (failed(bindStates(getOperation()))) {
      return signalPassFailure();
    }
    bufferization::BufferizationOptions options;
    bufferization::AnalysisState analysis(options);
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp op) {
      Value memory = op.getDest();
      tensor::EmptyOp start = findStart(op.getSourceMutable(), analysis);
      // Other memory with this name would be no part of the restriction.
      if (!isa<BaseMemRefType>(memory.getType()) || !op.getRestrict() ||
          !op.getWritable() || !start ||
          !llvm::all_of(start->getUsers(), [&](Operation *user) {
            return dominance.properlyDominates(memory, user);
          })) {
        return;
      }
      OpBuilder builder(op.getContext());
      builder.setInsertionPointAfterValue(memory);
      Value place = bufferization::ToTensorOp::create(
          builder, op.getLoc(), start.getType(), memory, /*restrict=*/true,
          /*writable=*/true);
      start.replaceAllUsesWith(place);
      // There is one name of the memory only.
      op.setRestrict(false);
      ++numBound;
    });
  }
};
} // namespace
