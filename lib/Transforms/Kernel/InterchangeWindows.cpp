//===- InterchangeWindows.cpp - The interchange-windows pass --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over a window that slides along rows is vectorised along these. LLVM
// does so where it unrolls the loops over the window, which it does with small
// ones. Larger ones are summed one element after the other, since the innermost
// loop is a row of the window.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace nacre {
#define GEN_PASS_DEF_INTERCHANGEWINDOWS
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

namespace {
struct InterchangeWindowsPass final
    : nacre::impl::InterchangeWindowsBase<InterchangeWindowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](linalg::GenericOp op) {
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
  }
};
} // namespace
