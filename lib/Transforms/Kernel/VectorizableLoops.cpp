//===- VectorizableLoops.cpp - Orders that LLVM vectorises ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises the innermost loop, and a reduction only in an order that the
// source allows.
//
// A sum over a window that slides along rows is vectorised along these. LLVM
// does so where it unrolls the loops over the window, which it does with small
// ones. Larger ones are summed one element after the other, since the innermost
// loop is a row of the window: the loop along the rows becomes that.
//
// Other reductions may keep several partial sums, one per vector lane, and
// compare without telling zeros apart. x86 gives the second of two operands if
// either is NaN, so that only the first one has to be asked: LLVM takes it for
// that of the op. It had better be the element, for the next comparison waits
// for the total.
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

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

LogicalResult nacre::moveInnermost(RewriterBase &rewriter, linalg::GenericOp op,
                                   unsigned loop) {
  SmallVector<unsigned> order(op.getNumLoops());
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + loop);
  order.push_back(loop);
  rewriter.setInsertionPoint(op);
  return linalg::interchangeGenericOp(rewriter, op, order);
}

/// True for sums of so few elements, as a pool's of 2x2, that they are
/// unrolled, and vectors have one of each: in one order, these are the same
/// however cores share them.
static bool isUnrolled(linalg::LinalgOp op) {
  constexpr int64_t kUnrolled = 4;
  int64_t count = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (linalg::isReductionIterator(iterator)) {
      if (ShapedType::isDynamic(size)) {
        return false;
      }
      count *= size;
    }
  }
  return count <= kUnrolled;
}

int64_t nacre::reassociate(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0) {
    return 0;
  }
  bool keepsOrder = isUnrolled(op);
  int64_t numReductions = 0;
  for (BlockArgument total : op.getRegionOutputArgs()) {
    for (Operation *user : llvm::make_early_inc_range(total.getUsers())) {
      auto flagged = dyn_cast<arith::ArithFastMathInterface>(user);
      std::optional<arith::FastMathFlags> flags = getFlags(user);
      bool isSum = flags == arith::FastMathFlags::reassoc;
      if (flagged && flags && !(isSum && keepsOrder)) {
        user->setAttr(flagged.getFastMathAttrName(),
                      arith::FastMathFlagsAttr::get(op.getContext(), *flags));
        putTotalSecond(user, total);
        ++numReductions;
      }
    }
  }
  return numReductions;
}
