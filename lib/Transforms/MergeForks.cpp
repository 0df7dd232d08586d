//===- MergeForks.cpp - The merge-forks pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two loops that threads share, joining them and waking them again
// takes several times as long as a barrier.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace nacre {
#define GEN_PASS_DEF_MERGEFORKS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// A region that is a shared loop, of all threads whatever a run finds.
static bool isMergeable(omp::ParallelOp parallel) {
  Block &body = parallel.getRegion().front();
  bool isPlain = parallel->getNumOperands() == 0 &&
                 body.getNumArguments() == 0 && !parallel.getProcBindKind();
  return isPlain && parallel.getRegion().hasOneBlock() &&
         llvm::hasSingleElement(body.without_terminator()) &&
         isa<omp::WsloopOp>(body.front());
}

/// A call of a kernel that one thread can execute while the others wait: it
/// neither ends the run nor allocates, which is up to the thread that called.
static bool isSimpleCall(Operation *op, SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  auto kernel = call && call.getNumResults() == 0
                    ? symbols.lookupNearestSymbolFrom<func::FuncOp>(
                          call, call.getCalleeAttr())
                    : func::FuncOp();
  if (!kernel || kernel.isExternal()) {
    return false;
  }
  return !kernel
              .walk([](Operation *inner) {
                return isa<CallOpInterface, cf::AssertOp, memref::AllocOp>(
                           inner)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

namespace {

/// Ops in a row, of which those that are shared loops become one region.
struct Span {
  SmallVector<Operation *> ops;
  /// Of `ops`, as many as the last region needs.
  size_t length = 0;
  unsigned numRegions = 0;

  void add(Operation *op) {
    ops.push_back(op);
    if (isa<omp::ParallelOp>(op)) {
      length = ops.size();
      ++numRegions;
    }
  }
};

struct MergeForksPass final : nacre::impl::MergeForksBase<MergeForksPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    getOperation()->walk([&](Block *block) {
      for (Span &span : findSpans(*block, symbols)) {
        merge(span);
      }
    });
    // The region ends with a barrier of its own.
    getOperation()->walk([](omp::ParallelOp parallel) {
      Block &body = parallel.getRegion().back();
      auto loop = body.getOperations().size() > 1
                      ? dyn_cast<omp::WsloopOp>(*std::prev(body.end(), 2))
                      : omp::WsloopOp();
      if (loop) {
        loop.setNowait(true);
      }
    });
  }

private:
  static SmallVector<Span> findSpans(Block &block,
                                     SymbolTableCollection &symbols) {
    SmallVector<Span> spans(1);
    for (Operation &op : block) {
      auto parallel = dyn_cast<omp::ParallelOp>(op);
      if (parallel ? isMergeable(parallel)
                   : isPure(&op) || isSimpleCall(&op, symbols)) {
        spans.back().add(&op);
      } else {
        spans.emplace_back();
      }
    }
    llvm::erase_if(spans, [](const Span &span) { return span.numRegions < 2; });
    return spans;
  }

  void merge(Span &span) {
    span.ops.truncate(span.length);
    auto first = llvm::find_if(
        span.ops, [](Operation *op) { return isa<omp::ParallelOp>(op); });
    // What precedes the first region and has effects stays before it.
    auto lastBefore =
        std::find_if(std::make_reverse_iterator(first), span.ops.rend(),
                     [](Operation *op) { return !isPure(op); });
    span.ops.erase(span.ops.begin(), lastBefore.base());

    OpBuilder builder(span.ops.front());
    auto merged = omp::ParallelOp::create(builder, span.ops.back()->getLoc());
    builder.createBlock(&merged.getRegion());
    Operation *end = omp::TerminatorOp::create(builder, merged.getLoc());
    omp::MasterOp alone;
    for (Operation *op : span.ops) {
      builder.setInsertionPoint(end);
      if (auto parallel = dyn_cast<omp::ParallelOp>(op)) {
        parallel.getRegion().front().front().moveBefore(end);
        parallel.erase();
        alone = {};
        ++numMerged;
      } else if (isPure(op)) {
        // Every thread computes where buffers lie.
        op->moveBefore(alone ? alone : end);
      } else {
        if (!alone) {
          alone = omp::MasterOp::create(builder, op->getLoc());
          omp::BarrierOp::create(builder, op->getLoc());
          builder.createBlock(&alone.getRegion());
          omp::TerminatorOp::create(builder, op->getLoc());
        }
        op->moveBefore(alone.getRegion().front().getTerminator());
      }
    }
    moveOut(merged);
  }

  /// Moves what is used behind the region before it.
  static void moveOut(omp::ParallelOp region) {
    Operation *next = region;
    for (Operation &op : llvm::make_early_inc_range(
             llvm::reverse(region.getRegion().front()))) {
      bool isUsedOutside = llvm::any_of(op.getUsers(), [&](Operation *user) {
        return !region->isAncestor(user);
      });
      if (isUsedOutside) {
        op.moveBefore(next);
        next = &op;
      }
    }
  }
};
} // namespace
