//===- InRegisters.cpp - Vectors where sizes have them --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// True at run time where `loops` of an op have `length` iterations; null where
/// that is known.
static Value buildFits(OpBuilder &builder, linalg::LinalgOp op,
                       ArrayRef<unsigned> loops, int64_t length) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  Value all;
  for (unsigned loop : loops) {
    if (auto size = dyn_cast<Value>(ranges[loop].size)) {
      Value least = arith::ConstantIndexOp::create(builder, loc, length);
      Value fits = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, size, least);
      all = all ? arith::AndIOp::create(builder, loc, all, fits) : fits;
    }
  }
  return all;
}

void nacre::replaceWhereFits(
    RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<unsigned> loops,
    ArrayRef<int64_t> lengths,
    llvm::function_ref<void(OpBuilder &, int64_t)> emit) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (int64_t length : lengths) {
    Value fits = buildFits(rewriter, op, loops, length);
    if (!fits) {
      emit(rewriter, length);
      rewriter.eraseOp(op);
      return;
    }
    auto choice = scf::IfOp::create(rewriter, op.getLoc(), fits,
                                    /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(choice.thenBlock());
    emit(rewriter, length);
    rewriter.setInsertionPointToStart(choice.elseBlock());
  }
  rewriter.clone(*op);
  rewriter.eraseOp(op);
}
