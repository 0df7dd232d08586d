//===- CarriedBuffers.cpp - Buffers of branches and loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the analysis which yielded values are in another buffer than the value
// they replace, and copies those.
//
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using bufferization::OneShotAnalysisState;

namespace {

/// Operand `number` of a terminator belongs into the buffer of `destination`.
struct Move {
  unsigned number;
  Value destination;
  /// Another move of the terminator overwrites the operand.
  bool needsSaving;
};

class CopyInserter {
public:
  explicit CopyInserter(const OneShotAnalysisState &state) : state(state) {}

  void visit(scf::ForOp loop);
  void visit(scf::WhileOp loop);
  void visit(scf::IfOp branch);
  void keepDestinations();
  void insertCopies();

private:
  /// Operand i of `terminator`, a tensor, belongs into `destinations[i]`,
  /// unless that is null.
  void require(Operation *terminator, ArrayRef<Value> destinations);

  /// Where `loop` moves what it carries into the buffer that it starts from,
  /// and that is read in the loop or afterwards, it starts from a copy: the
  /// analysis would not make one.
  void keepInitialValues(LoopLikeOpInterface loop, Operation *terminator);

  const OneShotAnalysisState &state;
  llvm::MapVector<Operation *, SmallVector<Move>> moves;
  SmallVector<OpOperand *> overwritten;
};

} // namespace

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static bool isStaticTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

void CopyInserter::require(Operation *terminator,
                           ArrayRef<Value> destinations) {
  for (auto [i, destination] : llvm::enumerate(destinations)) {
    Value value = terminator->getOperand(i);
    if (!destination || !isTensor(value) ||
        state.areEquivalentBufferizedValues(value, destination)) {
      continue;
    }
    bool needsSaving = llvm::any_of(destinations, [&](Value other) {
      return other && isTensor(other) &&
             state.areAliasingBufferizedValues(value, other);
    });
    moves[terminator].push_back(
        {static_cast<unsigned>(i), destination, needsSaving});
  }
}

/// True if `value` is read in `op`, or when that is done. Views of it are
/// copied by bufferization where they have to be.
static bool isReadInOrAfter(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return user != op && ancestor &&
           (ancestor == op || op->isBeforeInBlock(ancestor));
  });
}

void CopyInserter::keepInitialValues(LoopLikeOpInterface loop,
                                     Operation *terminator) {
  auto *found = moves.find(terminator);
  if (found == moves.end()) {
    return;
  }
  for (const Move &move : found->second) {
    OpOperand &initial = loop.getInitsMutable()[move.number];
    if (isReadInOrAfter(initial.get(), loop)) {
      overwritten.push_back(&initial);
    }
  }
}

void CopyInserter::visit(scf::ForOp loop) {
  SmallVector<Value> carried(loop.getRegionIterArgs());
  Operation *terminator = loop.getBody()->getTerminator();
  require(terminator, carried);
  keepInitialValues(loop, terminator);
}

void CopyInserter::visit(scf::WhileOp loop) {
  // What is yielded replaces the arguments of the first region, which the
  // second one knows by the number under which the condition passes them on.
  SmallVector<Value> carried(loop.getYieldOp()->getNumOperands());
  for (auto [passed, argument] : llvm::zip_equal(
           loop.getConditionOp().getArgs(), loop.getAfterArguments())) {
    if (auto source = dyn_cast<BlockArgument>(passed);
        source && source.getOwner() == loop.getBeforeBody()) {
      carried[source.getArgNumber()] = argument;
    }
  }
  require(loop.getYieldOp(), carried);
  keepInitialValues(loop, loop.getYieldOp());
}

void CopyInserter::visit(scf::IfOp branch) {
  SmallVector<Value> destinations(branch.getNumResults());
  OpBuilder builder(branch);
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    bool isShared = state.areEquivalentBufferizedValues(
        branch.thenYield().getOperand(i), branch.elseYield().getOperand(i));
    if (isStaticTensor(result) && !isShared) {
      destinations[i] = bufferization::AllocTensorOp::create(
          builder, branch.getLoc(), cast<RankedTensorType>(result.getType()),
          ValueRange());
    }
  }
  for (Operation *yield : {branch.thenYield(), branch.elseYield()}) {
    for (auto [i, destination] : llvm::enumerate(destinations)) {
      if (destination) {
        moves[yield].push_back(
            {static_cast<unsigned>(i), destination, /*needsSaving=*/false});
      }
    }
  }
}

/// A loop that starts from what a move overwrites later, and that is read in
/// the loop or behind it, starts from a copy, too.
void CopyInserter::keepDestinations() {
  for (const auto &[terminator, list] : moves) {
    for (const Move &move : list) {
      for (OpOperand &use : move.destination.getUses()) {
        auto loop = dyn_cast<LoopLikeOpInterface>(use.getOwner());
        if (loop && isReadInOrAfter(move.destination, loop) &&
            !llvm::is_contained(overwritten, &use)) {
          overwritten.push_back(&use);
        }
      }
    }
  }
}

void CopyInserter::insertCopies() {
  for (OpOperand *initial : overwritten) {
    OpBuilder builder(initial->getOwner());
    initial->set(bufferization::AllocTensorOp::create(
        builder, initial->getOwner()->getLoc(),
        cast<RankedTensorType>(initial->get().getType()), ValueRange(),
        initial->get()));
  }
  for (auto &[terminator, list] : moves) {
    OpBuilder builder(terminator);
    Location loc = terminator->getLoc();
    for (const Move &move : list) {
      if (move.needsSaving) {
        Value value = terminator->getOperand(move.number);
        terminator->setOperand(move.number,
                               bufferization::AllocTensorOp::create(
                                   builder, loc,
                                   cast<RankedTensorType>(value.getType()),
                                   ValueRange(), value));
      }
    }
    for (const Move &move : list) {
      Value copied = bufferization::MaterializeInDestinationOp::create(
                         builder, loc, move.destination.getType(),
                         terminator->getOperand(move.number), move.destination)
                         .getResult();
      terminator->setOperand(move.number, copied);
    }
  }
}

/// Lets the condition of a loop pass on all arguments of its first region, in
/// order, which is how bufferization compares them: others may have been
/// dropped because the second region does not use them.
static void passAllArguments(RewriterBase &rewriter, scf::WhileOp loop) {
  auto arguments = loop.getBeforeArguments();
  auto passed = loop.getConditionOp().getArgs();
  bool isInOrder = llvm::equal(passed, arguments);
  if (isInOrder || !llvm::all_of(passed, [&](Value value) {
        return llvm::is_contained(arguments, value);
      })) {
    return;
  }
  rewriter.setInsertionPoint(loop);
  SmallVector<unsigned> positions;
  for (Value value : passed) {
    positions.push_back(cast<BlockArgument>(value).getArgNumber());
  }
  auto aligned = scf::WhileOp::create(rewriter, loop.getLoc(),
                                      ValueRange(arguments).getTypes(),
                                      loop.getInits(), nullptr, nullptr);
  SmallVector<Value> results, after;
  for (unsigned position : positions) {
    results.push_back(aligned.getResult(position));
  }
  aligned.getBefore().takeBody(loop.getBefore());
  scf::ConditionOp condition = aligned.getConditionOp();
  rewriter.modifyOpInPlace(condition, [&] {
    condition.getArgsMutable().assign(aligned.getBeforeArguments());
  });
  Block *body = aligned.getAfterBody();
  for (unsigned position : positions) {
    after.push_back(body->getArgument(position));
  }
  rewriter.mergeBlocks(loop.getAfterBody(), body, after);
  rewriter.replaceOp(loop, results);
}

/// Makes a choice between tensors a branch, which copies what it chooses: that
/// may be what a loop or another branch overwrites.
static void branchInsteadOfSelecting(RewriterBase &rewriter,
                                     arith::SelectOp select) {
  if (!isTensor(select.getResult()) ||
      !isa<IntegerType>(select.getCondition().getType())) {
    return;
  }
  rewriter.setInsertionPoint(select);
  auto yield = [](Value chosen) {
    return [chosen](OpBuilder &builder, Location loc) {
      scf::YieldOp::create(builder, loc, chosen);
    };
  };
  rewriter.replaceOpWithNewOp<scf::IfOp>(select, select.getCondition(),
                                         yield(select.getTrueValue()),
                                         yield(select.getFalseValue()));
}

LogicalResult VPU::fixCarriedBuffers(
    ModuleOp module, const bufferization::OneShotBufferizationOptions &given) {
  IRRewriter rewriter(module.getContext());
  SmallVector<arith::SelectOp> selects;
  module.walk([&](arith::SelectOp select) { selects.push_back(select); });
  for (arith::SelectOp select : selects) {
    branchInsteadOfSelecting(rewriter, select);
  }
  WalkResult found = module.walk([](Operation *op) {
    return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) &&
                   op->getNumResults() > 0
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted()) {
    return success();
  }
  SmallVector<scf::WhileOp> loops;
  module.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops) {
    passAllArguments(rewriter, loop);
  }
  bufferization::OneShotBufferizationOptions options = given;
  options.allowReturnAllocsFromLoops = true;
  OneShotAnalysisState state(module, options);
  if (failed(bufferization::analyzeModuleOp(module, state))) {
    return failure();
  }
  CopyInserter inserter(state);
  module.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      inserter.visit(loop);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      inserter.visit(loop);
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && branch->getNumResults() > 0) {
      inserter.visit(branch);
    }
  });
  inserter.keepDestinations();
  inserter.insertCopies();
  return success();
}
