//===- TransposeInRegisters.cpp - Transpositions by vectors ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transposition is contiguous on one side only, whichever loop is innermost.
// Square blocks of vectors are contiguous on both. So are a few elements side
// by side, as those of the phases of an image, which LLVM takes apart or
// interleaves if all of them are moved before the next ones.
//
//===----------------------------------------------------------------------===//

#include "InRegisters.h"

#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace nacre;

namespace {
/// A transposition by blocks of edge × edge elements.
struct Blocks {
  unsigned sourceLoop, resultLoop; // of the transposition
  int64_t edge;
};
} // namespace

/// The rows of the transposed block. Interleaving the first half of the rows
/// with the second rotates the bits of each element's place in the block by
/// one; once for each bit of a row's number exchanges rows and columns. (Of
/// vector.transpose, upstream makes one shuffle of the whole block, or of 16 ×
/// 16 elements of 32 bits only.)
static SmallVector<Value> transpose(OpBuilder &builder, Location loc,
                                    SmallVector<Value> rows) {
  auto edge = static_cast<int64_t>(rows.size());
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < edge / 2; ++i) {
    low.append({i, edge + i});
    high.append({edge / 2 + i, edge + edge / 2 + i});
  }
  for (int64_t done = 1; done < edge; done *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < edge / 2; ++i) {
      for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)}) {
        next.push_back(vector::ShuffleOp::create(builder, loc, rows[i],
                                                 rows[i + edge / 2], mask));
      }
    }
    rows = std::move(next);
  }
  return rows;
}

/// Where an operand is accessed: the loops' values in its own order, with
/// `step` added to that of one loop.
static SmallVector<Value> getIndices(OpBuilder &builder, linalg::LinalgOp op,
                                     OpOperand &operand, ValueRange loops,
                                     unsigned stepped, int64_t step) {
  SmallVector<Value> indices;
  for (AffineExpr result : op.getMatchingIndexingMap(&operand).getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    Value index = loops[loop];
    if (loop == stepped && step > 0) {
      index = arith::AddIOp::create(
          builder, op.getLoc(), index,
          arith::ConstantIndexOp::create(builder, op.getLoc(), step));
    }
    indices.push_back(index);
  }
  return indices;
}

static void emitBlock(OpBuilder &builder, linalg::LinalgOp op,
                      const Blocks &blocks, ValueRange loops) {
  OpOperand &source = *op.getDpsInputOperand(0);
  OpOperand &result = *op.getDpsInitOperand(0);
  auto type =
      VectorType::get({blocks.edge}, getElementTypeOrSelf(source.get()));
  SmallVector<Value> rows;
  for (int64_t i = 0; i < blocks.edge; ++i) {
    rows.push_back(vector::LoadOp::create(
        builder, op.getLoc(), type, source.get(),
        getIndices(builder, op, source, loops, blocks.resultLoop, i)));
  }
  for (auto [i, row] :
       llvm::enumerate(transpose(builder, op.getLoc(), std::move(rows)))) {
    vector::StoreOp::create(builder, op.getLoc(), row, result.get(),
                            getIndices(builder, op, result, loops,
                                       blocks.sourceLoop,
                                       static_cast<int64_t>(i)));
  }
}

/// Loops over blocks. The last block of a dimension ends where the dimension
/// does, and may copy some elements again.
static void emitBlocks(OpBuilder &builder, linalg::LinalgOp op,
                       const Blocks &blocks) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  // The result's rows are written through, one block after the other.
  SmallVector<unsigned> order;
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    if (loop != blocks.sourceLoop && loop != blocks.resultLoop) {
      order.push_back(loop);
    }
  }
  order.append({blocks.sourceLoop, blocks.resultLoop});
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value edge = arith::ConstantIndexOp::create(builder, loc, blocks.edge);
  SmallVector<Value> loops(ranges.size());
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned loop : order) {
    bool isBlocked = loop == blocks.sourceLoop || loop == blocks.resultLoop;
    Value size =
        getValueOrCreateConstantIndexOp(builder, loc, ranges[loop].size);
    auto nest =
        scf::ForOp::create(builder, loc, zero, size, isBlocked ? edge : one);
    builder.setInsertionPointToStart(nest.getBody());
    loops[loop] = nest.getInductionVar();
    bool isWhole = getConstantIntValue(size).value_or(1) % blocks.edge == 0;
    if (isBlocked && !isWhole) {
      Value last = arith::SubIOp::create(builder, loc, size, edge);
      loops[loop] = arith::MinSIOp::create(builder, loc, loops[loop], last);
    }
  }
  emitBlock(builder, op, blocks, loops);
}

/// Loops of which the innermost goes along the rows and moves the few elements.
static void emitInterleaving(OpBuilder &builder, linalg::LinalgOp op,
                             unsigned few, unsigned along) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  SmallVector<unsigned> order;
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    if (loop != few && loop != along) {
      order.push_back(loop);
    }
  }
  order.push_back(along);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> loops(ranges.size(), zero);
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned loop : order) {
    Value size =
        getValueOrCreateConstantIndexOp(builder, loc, ranges[loop].size);
    auto nest = scf::ForOp::create(builder, loc, zero, size, one);
    builder.setInsertionPointToStart(nest.getBody());
    loops[loop] = nest.getInductionVar();
  }
  OpOperand &source = *op.getDpsInputOperand(0);
  OpOperand &result = *op.getDpsInitOperand(0);
  int64_t count = op.getStaticLoopRanges()[few];
  for (int64_t i = 0; i < count; ++i) {
    Value element =
        memref::LoadOp::create(builder, loc, source.get(),
                               getIndices(builder, op, source, loops, few, i));
    memref::StoreOp::create(builder, loc, element, result.get(),
                            getIndices(builder, op, result, loops, few, i));
  }
}

void nacre::transposeInBlocks(RewriterBase &rewriter, linalg::LinalgOp op,
                              int64_t edge) {
  auto [source, result] = *VPU::Transposition::get(op);
  Blocks blocks{source, result, edge};
  replaceWhereFits(
      rewriter, op, {source, result}, edge,
      [&](OpBuilder &builder, int64_t) { emitBlocks(builder, op, blocks); });
}

void nacre::interleave(RewriterBase &rewriter, linalg::LinalgOp op,
                       unsigned few, unsigned along) {
  rewriter.setInsertionPoint(op);
  emitInterleaving(rewriter, op, few, along);
  rewriter.eraseOp(op);
}
