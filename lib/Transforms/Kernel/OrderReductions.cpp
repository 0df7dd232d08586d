//===- OrderReductions.cpp - The order-reductions pass --------------------===//
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

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace nacre {
#define GEN_PASS_DEF_ORDERREDUCTIONS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// LLVM unrolls loops over windows of so many elements: 5 by 5 still, and 7 by
/// 7 no more.
static constexpr int64_t kMostUnrolled = 32;

/// True for columns `dim` that a window slides along: neighbours are next to
/// each other in the input.
static bool slidesAlong(AffineMap map, unsigned dim, linalg::LinalgOp op) {
  if (map.getNumResults() == 0) {
    return false;
  }
  auto sum = dyn_cast<AffineBinaryOpExpr>(map.getResults().back());
  MLIRContext *context = map.getContext();
  AffineExpr column = getAffineDimExpr(dim, context);
  if (!sum || sum.getKind() != AffineExprKind::Add ||
      (sum.getLHS() != column && sum.getRHS() != column)) {
    return false;
  }
  AffineExpr tap = sum.getLHS() == column ? sum.getRHS() : sum.getLHS();
  // Each column is in this sum alone, and what is added is of the window.
  ArrayRef<AffineExpr> others = map.getResults().drop_back();
  return llvm::none_of(others,
                       [&](AffineExpr e) { return e.isFunctionOfDim(dim); }) &&
         !tap.isFunctionOfDim(dim) &&
         llvm::none_of(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
           return tap.isFunctionOfDim(loop) &&
                  op.getIteratorTypesArray()[loop] !=
                      utils::IteratorType::reduction;
         });
}

/// The loop over columns of what sums large windows, if this is one.
static std::optional<unsigned> getColumns(linalg::GenericOp op) {
  SmallVector<unsigned> window;
  op.getReductionDims(window);
  if (op.getNumDpsInits() != 1 || window.empty()) {
    return std::nullopt;
  }
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t elements = 1;
  for (unsigned loop : window) {
    if (ShapedType::isDynamic(extents[loop])) {
      return std::nullopt;
    }
    elements *= extents[loop];
  }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (elements <= kMostUnrolled || out.getNumResults() == 0) {
    return std::nullopt;
  }
  auto columns = dyn_cast<AffineDimExpr>(out.getResults().back());
  if (!columns) {
    return std::nullopt;
  }
  // The longer loop had better be the innermost one.
  unsigned loop = columns.getPosition();
  bool isShort = !ShapedType::isDynamic(extents[loop]) &&
                 extents[loop] < extents[window.back()];
  bool slides = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return slidesAlong(op.getMatchingIndexingMap(input), loop, op);
  });
  return slides && !isShort ? std::optional(loop) : std::nullopt;
}

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

/// Makes the loop over columns of each sum of large windows the innermost one.
static int64_t interchangeWindows(Operation *root) {
  IRRewriter rewriter(root->getContext());
  int64_t numWindows = 0;
  root->walk([&](linalg::GenericOp op) {
    std::optional<unsigned> columns = getColumns(op);
    if (!columns || *columns + 1 == op.getNumLoops()) {
      return;
    }
    SmallVector<unsigned> order(op.getNumLoops());
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + *columns);
    order.push_back(*columns);
    rewriter.setInsertionPoint(op);
    if (succeeded(linalg::interchangeGenericOp(rewriter, op, order))) {
      ++numWindows;
    }
  });
  return numWindows;
}

/// Lets the op accumulate its elements in any order.
static int64_t reassociate(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0) {
    return 0;
  }
  int64_t numReductions = 0;
  for (BlockArgument total : op.getRegionOutputArgs()) {
    for (Operation *user : llvm::make_early_inc_range(total.getUsers())) {
      auto flagged = dyn_cast<arith::ArithFastMathInterface>(user);
      std::optional<arith::FastMathFlags> flags = getFlags(user);
      if (flagged && flags) {
        user->setAttr(flagged.getFastMathAttrName(),
                      arith::FastMathFlagsAttr::get(op.getContext(), *flags));
        putTotalSecond(user, total);
        ++numReductions;
      }
    }
  }
  return numReductions;
}

namespace {
struct OrderReductionsPass final
    : nacre::impl::OrderReductionsBase<OrderReductionsPass> {
  void runOnOperation() override {
    numWindows += interchangeWindows(getOperation());
    getOperation()->walk(
        [&](linalg::LinalgOp op) { numReductions += reassociate(op); });
  }
};
} // namespace
