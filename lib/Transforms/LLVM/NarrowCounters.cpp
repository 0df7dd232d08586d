//===- NarrowCounters.cpp - The narrow-counters pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM narrows the arithmetic of addresses itself, but never the counter of a
// loop; neither does upstream's arith-int-range-narrowing.
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Pointers.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace nacre {
#define GEN_PASS_DEF_NARROWCOUNTERS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// What is known of an integer; nothing where no run comes by.
static std::optional<ConstantIntRanges> getRange(DataFlowSolver &solver,
                                                 Value value) {
  const auto *state =
      solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized()) {
    return std::nullopt;
  }
  return state->getValue().getValue();
}

/// Whether all that the loop counts, the end that it stops behind included, is
/// an integer of `bits`.
static bool fits(DataFlowSolver &solver, scf::ForOp loop, unsigned bits) {
  auto lower = getRange(solver, loop.getLowerBound());
  auto upper = getRange(solver, loop.getUpperBound());
  auto step = getRange(solver, loop.getStep());
  if (!lower || !upper || !step) {
    return false;
  }
  bool isOverflow = false;
  APInt end = upper->smax().sadd_ov(step->smax(), isOverflow);
  return !isOverflow && lower->smin().isSignedIntN(bits) &&
         lower->smax().isSignedIntN(bits) && upper->smin().isSignedIntN(bits) &&
         end.isSignedIntN(bits) && step->smax().isSignedIntN(bits);
}

static void narrow(scf::ForOp loop, unsigned bits) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = builder.getIntegerType(bits);
  for (OpOperand *bound :
       {&loop.getLowerBoundMutable(), &loop.getUpperBoundMutable(),
        &loop.getStepMutable()}) {
    bound->set(
        builder.createOrFold<arith::IndexCastOp>(loc, type, bound->get()));
  }
  BlockArgument counter = cast<BlockArgument>(loop.getInductionVar());
  counter.setType(type);
  builder.setInsertionPointToStart(loop.getBody());
  auto index =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), counter);
  counter.replaceAllUsesExcept(index, index);
}

namespace {
struct NarrowCountersPass final
    : nacre::impl::NarrowCountersBase<NarrowCountersPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    unsigned bits = getPointerBits(root);
    if (bits >= IndexType::kInternalStorageBitWidth) {
      return;
    }
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(root))) {
      return signalPassFailure();
    }
    // All are asked before any changes.
    SmallVector<scf::ForOp> loops;
    root->walk([&](scf::ForOp loop) {
      if (loop.getLowerBound().getType().isIndex() && !loop.getUnsignedCmp() &&
          fits(solver, loop, bits)) {
        loops.push_back(loop);
      }
    });
    for (scf::ForOp loop : loops) {
      narrow(loop, bits);
      ++numNarrowed;
    }
  }
};
} // namespace
