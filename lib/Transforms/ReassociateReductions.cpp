//===- ReassociateReductions.cpp - The reassociate-reductions pass --------===//
//
// Lets LLVM keep several partial sums, one per vector lane.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nacre {
#define GEN_PASS_DEF_REASSOCIATEREDUCTIONS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct ReassociateReductionsPass final
    : nacre::impl::ReassociateReductionsBase<ReassociateReductionsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() == 0) {
        return;
      }
      for (BlockArgument total : op.getRegionOutputArgs()) {
        for (Operation *user : total.getUsers()) {
          auto flags = dyn_cast<arith::ArithFastMathInterface>(user);
          if (flags && isa<arith::AddFOp, arith::MulFOp>(user)) {
            user->setAttr(flags.getFastMathAttrName(),
                          arith::FastMathFlagsAttr::get(
                              &getContext(), arith::FastMathFlags::reassoc));
            ++numReductions;
          }
        }
      }
    });
  }
};
} // namespace
