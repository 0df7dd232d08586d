//===- RepeatInRegisters.cpp - Repetitions by vectors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image that grows to several times its size has each element several times
// side by side. LLVM makes a short memset of the copies of a byte, one element
// after the other, and scatters three copies of a float. A vector of elements
// becomes as many vectors of the result as there are copies.
//
//===----------------------------------------------------------------------===//

#include "ContiguousBuffers.h"
#include "InRegisters.h"

#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Emits the loops of one op.
class RepetitionEmitter {
public:
  RepetitionEmitter(OpBuilder &builder, linalg::LinalgOp op, int64_t length)
      : builder(builder), op(op), loc(op.getLoc()),
        repetition(*VPU::Repetition::get(op)), length(length),
        copies(op.getStaticLoopRanges()[repetition.copyLoop]),
        ranges(op.createLoopRanges(builder, loc)) {
    // The copies of a whole row lie one after the other.
    Value buffer = op.getDpsInits().front();
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    SmallVector<ReassociationIndices> rows(rank - 1);
    for (int64_t dim = 0; dim < rank; ++dim) {
      rows[std::min(dim, rank - 2)].push_back(dim);
    }
    result = collapseBuffer(builder, buffer, rows);
  }

  void emit() const {
    SmallVector<Value> loops(ranges.size());
    OpBuilder::InsertionGuard guard(builder);
    AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (AffineExpr dim : to.getResults().drop_back(2)) {
      unsigned loop = cast<AffineDimExpr>(dim).getPosition();
      auto nest = scf::ForOp::create(builder, loc, index(0),
                                     size(ranges[loop].size), index(1));
      builder.setInsertionPointToStart(nest.getBody());
      loops[loop] = nest.getInductionVar();
    }
    emitRow(loops);
  }

private:
  /// Loops over whole vectors. What is left is part of one that overlaps the
  /// one before: the addresses of the loop are counted up, so that LLVM can
  /// store past the caches.
  void emitRow(SmallVector<Value> loops) const {
    OpFoldResult extent = ranges[repetition.sourceLoop].size;
    AffineExpr elements = builder.getAffineSymbolExpr(0);
    OpFoldResult end = affine::makeComposedFoldedAffineApply(
        builder, loc, elements.floorDiv(length) * length, extent);
    auto nest =
        scf::ForOp::create(builder, loc, index(0), size(end), index(length));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(nest.getBody());
      loops[repetition.sourceLoop] = nest.getInductionVar();
      emitVector(loops);
    }
    std::optional<int64_t> known = getConstantIntValue(extent);
    if (!known || *known % length != 0) {
      loops[repetition.sourceLoop] = size(affine::makeComposedFoldedAffineApply(
          builder, loc, elements - length, extent));
      emitVector(loops);
    }
  }

  /// Copies the vector at `loops`.
  void emitVector(ArrayRef<Value> loops) const {
    auto getIndices = [&](ArrayRef<AffineExpr> dims) {
      return llvm::map_to_vector(dims, [&](AffineExpr dim) {
        return loops[cast<AffineDimExpr>(dim).getPosition()];
      });
    };
    OpOperand &source = *op.getDpsInputOperand(0);
    auto type = VectorType::get({length}, getElementTypeOrSelf(source.get()));
    Value vector = vector::LoadOp::create(
        builder, loc, type, source.get(),
        getIndices(op.getMatchingIndexingMap(&source).getResults()));
    SmallVector<Value> place =
        getIndices(op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                       .getResults()
                       .drop_back());
    Value first =
        arith::MulIOp::create(builder, loc, place.back(), index(copies));
    for (int64_t i = 0; i < copies; ++i) {
      SmallVector<int64_t> from;
      for (int64_t lane = 0; lane < length; ++lane) {
        from.push_back((i * length + lane) / copies);
      }
      place.back() =
          arith::AddIOp::create(builder, loc, first, index(i * length));
      Value repeated =
          vector::ShuffleOp::create(builder, loc, vector, vector, from);
      vector::StoreOp::create(builder, loc, repeated, result, place);
    }
  }

  Value index(int64_t value) const {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value size(OpFoldResult value) const {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }

  OpBuilder &builder;
  mutable linalg::LinalgOp op;
  Location loc;
  VPU::Repetition repetition;
  int64_t length, copies;
  SmallVector<Range> ranges;
  Value result;
};

} // namespace

void nacre::repeatInRegisters(RewriterBase &rewriter, linalg::LinalgOp op,
                              int64_t length) {
  // Rows of unknown length may be short ones.
  constexpr int64_t kParts = 4;
  SmallVector<int64_t> lengths = {length};
  if (length >= kParts * kParts) {
    lengths.push_back(length / kParts);
  }
  replaceWhereFits(rewriter, op, VPU::Repetition::get(op)->sourceLoop, lengths,
                   [&](OpBuilder &builder, int64_t fitting) {
                     RepetitionEmitter(builder, op, fitting).emit();
                   });
}
