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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

/// The most vectors of a block: more need registers for the masks alone.
static constexpr int64_t kMostVectors = 16;
/// With fewer elements in a vector, loops over single ones are as fast.
static constexpr int64_t kFewestElements = 4;

namespace {

/// A transposition by blocks of edge × edge elements.
struct Blocks {
  // The loops along which the elements of the source, and of the result, are
  // contiguous.
  unsigned sourceLoop, resultLoop;
  int64_t edge;
};

/// A transposition between few elements that lie one after the other and rows.
struct Interleaving {
  // The loop over the few, and that along the rows.
  unsigned few, along;
  int64_t count;
};

} // namespace

/// True for ops that copy a buffer with its dimensions in another order.
static bool isTransposition(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isPermutation(); })) {
    return false;
  }
  Block &body = *op.getBlock();
  return body.getTerminator()->getOperand(0) == body.getArgument(0) &&
         llvm::hasSingleElement(body);
}

/// The loop along which the elements of an operand lie one after the other.
static std::optional<unsigned> getContiguousLoop(linalg::LinalgOp op,
                                                 OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || type.getRank() == 0 || !type.isLastDimUnitStride()) {
    return std::nullopt;
  }
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return map.getDimPosition(map.getNumResults() - 1);
}

/// True where blocks of so many elements would fill too little of a vector, and
/// LLVM takes so many apart.
static bool areFew(int64_t count, Type element) {
  constexpr int64_t kMostInterleaved = 8;
  constexpr int64_t kLeastBits = 64;
  if (ShapedType::isDynamic(count) || count < 2 || count > kMostInterleaved) {
    return false;
  }
  return count < kFewestElements ||
         count * static_cast<int64_t>(element.getIntOrFloatBitWidth()) <
             kLeastBits;
}

static std::optional<Interleaving> findInterleaving(linalg::LinalgOp op) {
  if (!isTransposition(op)) {
    return std::nullopt;
  }
  std::optional<unsigned> source =
      getContiguousLoop(op, *op.getDpsInputOperand(0));
  std::optional<unsigned> result =
      getContiguousLoop(op, *op.getDpsInitOperand(0));
  Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  if (!source || !result || source == result || !element.isIntOrFloat()) {
    return std::nullopt;
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (areFew(sizes[*source], element)) {
    return Interleaving{*source, *result, sizes[*source]};
  }
  if (areFew(sizes[*result], element)) {
    return Interleaving{*result, *source, sizes[*result]};
  }
  return std::nullopt;
}

static std::optional<Blocks> findBlocks(linalg::LinalgOp op,
                                        int64_t vectorBytes) {
  if (!isTransposition(op)) {
    return std::nullopt;
  }
  Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  std::optional<unsigned> source =
      getContiguousLoop(op, *op.getDpsInputOperand(0));
  std::optional<unsigned> result =
      getContiguousLoop(op, *op.getDpsInitOperand(0));
  bool isWholeBytes = element.isIntOrFloat() &&
                      element.getIntOrFloatBitWidth() % 8 == 0 &&
                      element.getIntOrFloatBitWidth() <= 64;
  if (!source || !result || source == result || !isWholeBytes) {
    return std::nullopt;
  }
  int64_t edge = std::min(
      kMostVectors,
      vectorBytes * 8 / static_cast<int64_t>(element.getIntOrFloatBitWidth()));
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : {*source, *result}) {
    if (!ShapedType::isDynamic(sizes[loop])) {
      edge = std::min<int64_t>(edge, llvm::bit_floor<uint64_t>(sizes[loop]));
    }
  }
  if (edge < kFewestElements) {
    return std::nullopt;
  }
  return Blocks{*source, *result, edge};
}

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
                             const Interleaving &interleaving) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  SmallVector<unsigned> order;
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    if (loop != interleaving.few && loop != interleaving.along) {
      order.push_back(loop);
    }
  }
  order.push_back(interleaving.along);
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
  for (int64_t i = 0; i < interleaving.count; ++i) {
    Value element = memref::LoadOp::create(
        builder, loc, source.get(),
        getIndices(builder, op, source, loops, interleaving.few, i));
    memref::StoreOp::create(
        builder, loc, element, result.get(),
        getIndices(builder, op, result, loops, interleaving.few, i));
  }
}

/// True at run time where both dimensions have a whole block; null where that
/// is known.
static Value hasBlock(OpBuilder &builder, linalg::LinalgOp op,
                      const Blocks &blocks) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  Value all;
  for (unsigned loop : {blocks.sourceLoop, blocks.resultLoop}) {
    if (auto size = dyn_cast<Value>(ranges[loop].size)) {
      Value edge = arith::ConstantIndexOp::create(builder, loc, blocks.edge);
      Value fits = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::sge, size, edge);
      all = all ? arith::AndIOp::create(builder, loc, all, fits) : fits;
    }
  }
  return all;
}

static void rewrite(RewriterBase &rewriter, linalg::LinalgOp op,
                    const Blocks &blocks) {
  rewriter.setInsertionPoint(op);
  if (Value fits = hasBlock(rewriter, op, blocks)) {
    auto choice = scf::IfOp::create(rewriter, op.getLoc(), fits,
                                    /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(choice.elseBlock());
    rewriter.clone(*op);
    rewriter.setInsertionPointToStart(choice.thenBlock());
  }
  emitBlocks(rewriter, op, blocks);
  rewriter.eraseOp(op);
}

TranspositionCounts nacre::transposeInRegisters(Operation *root,
                                                VPU::ArchAttr arch) {
  int64_t vectorBytes = arch.getLanes() * 4;
  SmallVector<std::pair<linalg::LinalgOp, Blocks>> found;
  SmallVector<std::pair<linalg::LinalgOp, Interleaving>> few;
  root->walk([&](linalg::LinalgOp op) {
    if (std::optional<Interleaving> interleaving = findInterleaving(op)) {
      few.emplace_back(op, *interleaving);
    } else if (std::optional<Blocks> blocks = findBlocks(op, vectorBytes)) {
      found.emplace_back(op, *blocks);
    }
  });
  IRRewriter rewriter(root->getContext());
  for (auto [op, interleaving] : few) {
    rewriter.setInsertionPoint(op);
    emitInterleaving(rewriter, op, interleaving);
    rewriter.eraseOp(op);
  }
  for (auto [op, blocks] : found) {
    rewrite(rewriter, op, blocks);
  }
  return {found.size(), few.size()};
}
