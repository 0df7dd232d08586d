//===- ExpandBFloat16.cpp - The expand-bfloat16 pass ----------------------===//
//
// Upstream's patterns without the rest of arith-expand: a floating-point
// maximum must stay one operation, which LLVM knows how to vectorise.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre {
#define GEN_PASS_DEF_EXPANDBFLOAT16
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct ExpandBFloat16Pass final
    : nacre::impl::ExpandBFloat16Base<ExpandBFloat16Pass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(getOperation());
    bool hasInstructions =
        arch && arch.getPack(BFloat16Type::get(&getContext())) > 1;
    if (!hasInstructions) {
      arith::populateExpandBFloat16Patterns(patterns);
    }
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
