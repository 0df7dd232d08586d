//===- RollLongLoops.cpp - The roll-long-loops pass -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop over 256 elements, unrolls what is left, and moves all
// that the loop around it does not change out of that: the scale and bias of a
// normalisation, say, into registers for each of their 256 elements.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Loops.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

void nacre::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  loop->setAttr(kAnnotation, LLVM::LoopAnnotationAttr::get(
                                 context, {}, {}, {}, unroll, {}, {}, {}, {},
                                 {}, {}, {}, {}, {}, {}, {}));
}

/// True for an innermost loop over scalars: what has vectors already was
/// unrolled as far as is good for it.
static bool isScalarLoop(scf::ForOp loop) {
  return llvm::none_of(loop.getBody()->without_terminator(), [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<VectorType>);
  });
}

namespace {
struct RollLongLoopsPass final
    : nacre::impl::RollLongLoopsBase<RollLongLoopsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](scf::ForOp loop) {
      std::optional<APInt> count = loop.getStaticTripCount();
      if (count && count->sge(kLongLoop) && !loop->hasAttr(kAnnotation) &&
          isScalarLoop(loop)) {
        keepRolled(loop);
      }
    });
  }

private:
  /// Shorter ones fit the registers that unrolling them takes.
  static constexpr int64_t kLongLoop = 64;
};
} // namespace
