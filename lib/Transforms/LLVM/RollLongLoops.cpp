//===- RollLongLoops.cpp - The roll-long-loops pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop over 256 elements, unrolls what is left, and moves all
// that the loop around it does not change out of that: the scale and bias of a
// normalisation, say, into registers for each of their 256 elements.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/LLVM/Loops.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace nacre {
#define GEN_PASS_DEF_ROLLLONGLOOPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

// The name that branches of the LLVM dialect have it under.
static constexpr StringLiteral kAnnotation = "loop_annotation";

/// Annotates a loop as one that LLVM does not unroll. Where it makes vectors,
/// each step has so many.
static void annotate(scf::ForOp loop, int32_t vectors) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  LLVM::LoopInterleaveAttr interleave;
  if (vectors > 1) {
    interleave = LLVM::LoopInterleaveAttr::get(
        context, Builder(context).getI32IntegerAttr(vectors));
  }
  loop->setAttr(kAnnotation, LLVM::LoopAnnotationAttr::get(
                                 context, {}, {}, interleave, unroll, {}, {},
                                 {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

void nacre::keepRolled(scf::ForOp loop) { annotate(loop, /*vectors=*/1); }

/// True for an innermost loop over scalars: what has vectors already was
/// unrolled as far as is good for it.
static bool isScalarLoop(scf::ForOp loop) {
  return llvm::none_of(loop.getBody()->without_terminator(), [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<VectorType>);
  });
}

/// True for a loop that adds up what it reads: it writes to one place.
static bool accumulates(scf::ForOp loop) {
  return llvm::any_of(
      loop.getBody()->getOps<memref::StoreOp>(), [&](memref::StoreOp store) {
        return llvm::all_of(store.getIndices(), [&](Value index) {
          return loop.isDefinedOutsideOfLoop(index);
        });
      });
}

/// How many vectors a step of a loop should have, for their loads and chains of
/// arithmetic to run beside each other: as many as registers are for.
static int32_t countVectors(scf::ForOp loop) {
  constexpr int64_t kLittle = 4, kSome = 24;
  int64_t work =
      llvm::count_if(loop.getBody()->without_terminator(), [](Operation &op) {
        return !isa<memref::LoadOp, memref::StoreOp, arith::ConstantOp>(op);
      });
  return work <= kLittle ? 4 : work <= kSome ? 2 : 1;
}

namespace {
struct RollLongLoopsPass final
    : nacre::impl::RollLongLoopsBase<RollLongLoopsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](scf::ForOp loop) {
      std::optional<APInt> count = loop.getStaticTripCount();
      bool isLong = count && count->sge(kLongLoop);
      // One that stays one anyway may have several sums that do not wait for
      // each other, which LLVM gives no loop that must not be unrolled.
      bool isVeryLong = count && count->sge(kVeryLongLoop);
      if (isLong && !loop->hasAttr(kAnnotation) && isScalarLoop(loop) &&
          !(isVeryLong && accumulates(loop))) {
        annotate(loop, isVeryLong ? countVectors(loop) : 1);
      }
    });
  }

private:
  /// Shorter ones fit the registers that unrolling them takes.
  static constexpr int64_t kLongLoop = 64;
  /// So many vectors are more than LLVM unrolls, and what is left of them after
  /// steps of several is little.
  static constexpr int64_t kVeryLongLoop = 4096;
};
} // namespace
