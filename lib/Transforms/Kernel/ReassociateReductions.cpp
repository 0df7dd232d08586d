//===- ReassociateReductions.cpp - The reassociate-reductions pass --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets LLVM keep several partial sums, one per vector lane, and compare without
// telling zeros apart. x86 gives the second of two operands if either is NaN,
// so that only the first one has to be asked: LLVM takes it for that of the op.
// It had better be the element, for the next comparison waits for the total.
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

/// What the order of accumulation may change.
static std::optional<arith::FastMathFlags> getFlags(Operation *accumulation) {
  if (isa<arith::AddFOp, arith::MulFOp>(accumulation)) {
    return arith::FastMathFlags::reassoc;
  }
  // Which of two zeros is the larger takes longer to find out than all the
  // rest of a comparison.
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(accumulation)) {
    return arith::FastMathFlags::nsz;
  }
  return std::nullopt;
}

/// Has the largest or smallest element so far compared as the second operand.
static void putTotalSecond(Operation *accumulation, Value total) {
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(accumulation) &&
      accumulation->getOperand(0) == total) {
    Value element = accumulation->getOperand(1);
    accumulation->setOperands({element, total});
  }
}

namespace {
struct ReassociateReductionsPass final
    : nacre::impl::ReassociateReductionsBase<ReassociateReductionsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() == 0) {
        return;
      }
      for (BlockArgument total : op.getRegionOutputArgs()) {
        for (Operation *user : llvm::make_early_inc_range(total.getUsers())) {
          auto flagged = dyn_cast<arith::ArithFastMathInterface>(user);
          std::optional<arith::FastMathFlags> flags = getFlags(user);
          if (flagged && flags) {
            user->setAttr(flagged.getFastMathAttrName(),
                          arith::FastMathFlagsAttr::get(&getContext(), *flags));
            putTotalSecond(user, total);
            ++numReductions;
          }
        }
      }
    });
  }
};
} // namespace
