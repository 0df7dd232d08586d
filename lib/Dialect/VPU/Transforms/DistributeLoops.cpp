//===- DistributeLoops.cpp - The vpu-distribute-loops pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of scalars, as those that select or interpolate, are no structured ops:
// what their iterations have to do with each other is said by who made them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_DISTRIBUTELOOPS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static constexpr StringRef kIndependent = "nacre.independent";

namespace {

/// A loop whose iterations each write a part of its results: what has their
/// number along one dimension. What else it carries is room to work in.
class IndependentLoop {
public:
  /// Nothing where not all sizes are known.
  static std::optional<IndependentLoop> match(scf::ForOp loop);

  int64_t getExtent() const { return extent; }
  /// Elements that are read or written.
  int64_t countElements();
  /// Replaces the loop by one over parts of `size` iterations.
  void split(IRRewriter &rewriter, int64_t size);

private:
  IndependentLoop(scf::ForOp loop, unsigned dim, int64_t extent)
      : loop(loop), dim(dim), extent(extent) {}

  /// What the part of a loop carries at first: `outputs` and room of its own.
  SmallVector<Value> buildInits(OpBuilder &builder, ValueRange outputs);
  /// The slices of the loop's result number `result` that a part writes.
  void getSlice(OpBuilder &builder, OpResult result, Value first,
                OpFoldResult count, SmallVectorImpl<OpFoldResult> &offsets,
                SmallVectorImpl<OpFoldResult> &sizes) const;

  scf::ForOp loop;
  unsigned dim;
  int64_t extent;
};

} // namespace

std::optional<IndependentLoop> IndependentLoop::match(scf::ForOp loop) {
  auto dim = loop->getAttrOfType<IntegerAttr>(kIndependent);
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  bool isCounted = getConstantIntValue(loop.getLowerBound()) == 0 &&
                   getConstantIntValue(loop.getStep()) == 1;
  if (!dim || !end || !isCounted || loop.use_empty()) {
    return std::nullopt;
  }
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape()) {
      return std::nullopt;
    }
    bool isRoom = result.use_empty() && init.getDefiningOp<tensor::EmptyOp>();
    bool isOutput =
        type.getRank() > dim.getInt() && type.getDimSize(dim.getInt()) == *end;
    if (!isRoom && !isOutput) {
      return std::nullopt;
    }
  }
  return IndependentLoop(loop, dim.getInt(), *end);
}

int64_t IndependentLoop::countElements() {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(loop->getRegions(), values);
  values.insert_range(loop.getInitArgs());
  int64_t count = 0;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    count += type && type.hasStaticShape() ? type.getNumElements() : 0;
  }
  return count;
}

SmallVector<Value> IndependentLoop::buildInits(OpBuilder &builder,
                                               ValueRange outputs) {
  SmallVector<Value> inits;
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    if (result.use_empty()) {
      inits.push_back(builder.clone(*init.getDefiningOp())->getResult(0));
    } else {
      inits.push_back(outputs.front());
      outputs = outputs.drop_front();
    }
  }
  return inits;
}

void IndependentLoop::getSlice(OpBuilder &builder, OpResult result, Value first,
                               OpFoldResult count,
                               SmallVectorImpl<OpFoldResult> &offsets,
                               SmallVectorImpl<OpFoldResult> &sizes) const {
  auto type = cast<RankedTensorType>(result.getType());
  offsets.assign(type.getRank(), builder.getIndexAttr(0));
  sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets[dim] = first;
  sizes[dim] = count;
}

void IndependentLoop::split(IRRewriter &rewriter, int64_t size) {
  Location loc = loop.getLoc();
  SmallVector<OpResult> used;
  SmallVector<Value> outputs;
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    if (!result.use_empty()) {
      used.push_back(result);
      outputs.push_back(init);
    }
  }
  rewriter.setInsertionPoint(loop);
  auto attr = [&](int64_t value) { return rewriter.getIndexAttr(value); };
  auto parts = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{attr(0)},
      ArrayRef<OpFoldResult>{attr(extent)}, ArrayRef<OpFoldResult>{attr(size)},
      outputs,
      rewriter.getArrayAttr(ClusterAttr::get(
          rewriter.getContext(), ClusterStrategy::SplitOverHeight)));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(parts.getBody());
  Value first = parts.getInductionVars().front();
  OpFoldResult count = attr(size);
  if (extent % size != 0) {
    AffineExpr position = rewriter.getAffineDimExpr(0);
    count = affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(/*dimCount=*/1, /*symbolCount=*/0,
                       {rewriter.getAffineConstantExpr(size),
                        rewriter.getAffineConstantExpr(extent) - position},
                       rewriter.getContext()),
        OpFoldResult(first));
  }
  Value end = arith::AddIOp::create(
      rewriter, loc, first,
      getValueOrCreateConstantIndexOp(rewriter, loc, count));
  SmallVector<Value> inits = buildInits(rewriter, parts.getRegionIterArgs());
  auto part = cast<scf::ForOp>(rewriter.clone(*loop));
  part->removeAttr(kIndependent);
  part.setLowerBound(first);
  part.setUpperBound(end);
  part.getInitArgsMutable().assign(inits);
  SmallVector<OpFoldResult> offsets, sizes;
  for (auto [result, output] :
       llvm::zip_equal(used, parts.getRegionIterArgs())) {
    getSlice(rewriter, result, first, count, offsets, sizes);
    SmallVector<OpFoldResult> strides(offsets.size(), attr(1));
    rewriter.setInsertionPoint(parts.getTerminator());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, part.getResult(result.getResultNumber()), offsets, sizes,
        strides);
    rewriter.setInsertionPointToEnd(parts.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(rewriter, loc, slice, output, offsets,
                                          sizes, strides);
  }
  for (auto [result, whole] : llvm::zip_equal(used, parts.getResults())) {
    rewriter.replaceAllUsesWith(result, whole);
  }
  rewriter.eraseOp(loop);
}

namespace {
struct DistributeLoopsPass final
    : VPU::impl::DistributeLoopsBase<DistributeLoopsPass> {
  using DistributeLoopsBase::DistributeLoopsBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    if (getOperation().isExternal()) {
      return;
    }
    SmallVector<scf::ForOp> loops(
        getOperation().getBody().front().getOps<scf::ForOp>());
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      std::optional<IndependentLoop> match = IndependentLoop::match(loop);
      if (match && arch.hasCores() && isWorthwhile(arch, *match)) {
        match->split(rewriter, llvm::divideCeilSigned(match->getExtent(),
                                                      arch.getClusters()));
        ++numDistributed;
      }
    }
    getOperation()->walk(
        [](scf::ForOp loop) { loop->removeAttr(kIndependent); });
  }

private:
  /// True where each core has an iteration, and enough to do.
  bool isWorthwhile(ArchAttr arch, IndependentLoop &loop) const {
    int64_t clusters = arch.getClusters();
    // Such loops take at least so many cycles for an element.
    constexpr int64_t kCyclesPerElement = 2;
    double cycles =
        static_cast<double>(loop.countElements() * kCyclesPerElement);
    return clusters > 1 && loop.getExtent() >= clusters &&
           cycles / static_cast<double>(clusters) >=
               CostModel(arch).getLeastPart(minCycles, /*areAwake=*/false);
  }
};
} // namespace
