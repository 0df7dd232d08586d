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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre {
#define GEN_PASS_DEF_BINDRESULTS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The tensor.empty that `result` starts as, if it is computed in place
/// throughout; null where there is none or several, or it is a part of another.
static tensor::EmptyOp findStart(OpOperand &result,
                                 const bufferization::AnalysisState &analysis) {
  llvm::SetVector<Value> origins =
      analysis.findValueInReverseUseDefChain(&result, [](Value value) {
        return isa_and_present<tensor::EmptyOp, tensor::ExtractSliceOp>(
            value.getDefiningOp());
      });
  auto start = origins.size() == 1
                   ? origins.front().getDefiningOp<tensor::EmptyOp>()
                   : tensor::EmptyOp();
  return start && start.getType() == result.get().getType() ? start
                                                            : tensor::EmptyOp();
}

/// The tensors of a block that are stored into buffers, and behind them those
/// that it returns.
static SmallVector<OpOperand *> getResults(Block &block) {
  SmallVector<OpOperand *> results;
  for (auto op : block.getOps<bufferization::MaterializeInDestinationOp>()) {
    if (isa<BaseMemRefType>(op.getDest().getType())) {
      results.push_back(&op.getSourceMutable());
    }
  }
  if (!results.empty() && block.mightHaveTerminator()) {
    for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
      if (isa<RankedTensorType>(operand.get().getType())) {
        results.push_back(&operand);
      }
    }
  }
  return results;
}

/// Enters what `tensor` starts as, if it were computed in place. True if
/// something there starts as the same.
static bool enterStarts(OpOperand &tensor,
                        const bufferization::AnalysisState &analysis,
                        llvm::SmallPtrSetImpl<Value> &starts) {
  auto isStart = [](Value value) {
    return value.getDefiningOp<tensor::EmptyOp>() != nullptr;
  };
  bool isShared = false;
  for (Value origin :
       analysis.findValueInReverseUseDefChain(&tensor, isStart)) {
    isShared |= isStart(origin) && !starts.insert(origin).second;
  }
  return isShared;
}

/// Bufferization does not see that a result which is stored into its buffer
/// overwrites what else is there: another one that was computed in place from
/// the same start and is stored later, or returned. So the last of them alone
/// keeps the start; each other one is stored as a copy with a start of its own.
/// Returns the number of these.
static unsigned separateResults(Block &block,
                                const bufferization::AnalysisState &analysis) {
  SmallVector<OpOperand *> results = getResults(block);
  llvm::SmallPtrSet<Value, 8> starts;
  unsigned numSeparated = 0;
  for (OpOperand *result : llvm::reverse(results)) {
    if (!enterStarts(*result, analysis, starts) ||
        result->getOwner()->hasTrait<OpTrait::IsTerminator>()) {
      continue;
    }
    Value value = result->get();
    Location loc = result->getOwner()->getLoc();
    OpBuilder builder(result->getOwner());
    auto empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, value),
        cast<RankedTensorType>(value.getType()).getElementType());
    auto copy = linalg::CopyOp::create(builder, loc, value, empty.getResult());
    result->set(copy->getResult(0));
    ++numSeparated;
  }
  return numSeparated;
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
    getOperation()->walk([&](Block *block) {
      numSeparated += separateResults(*block, analysis);
    });
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
