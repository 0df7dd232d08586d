//===- RunTimeRows.cpp - Rows of dynamic sizes ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is as many rows as fit the limits of a strategy, which is computed
// from their length. Where the length is known, so is the largest tile, and
// only the last one is smaller.
//
//===----------------------------------------------------------------------===//

#include "RunTimeRows.h"

#include "RowGroupStrategy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

Value RowSizeBuilder::toValue(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

OpFoldResult RowSizeBuilder::build(const Extent &extent) {
  SmallVector<OpFoldResult> tile(group.getTile().size(), number(1));
  return group.getSizes().build(builder, loc, extent, tile);
}

/// What `trial` touches, with single steps of the loops outside of `dim` and
/// all of those in it.
RowSizeBuilder::Bytes RowSizeBuilder::countBytes(const RowGroup &trial,
                                                 unsigned dim) {
  Bytes bytes{number(0), number(0)};
  for (const Traffic &traffic : trial.getTraffic()) {
    Extent amount = traffic.getBytes();
    bool isPerStep = amount.contains(dim);
    for (auto [other, size] : llvm::enumerate(trial.getTile())) {
      bool isOpen = ShapedType::isDynamic(size) && other != dim;
      amount = isOpen ? amount.replace(other, trial.getExtent(other)) : amount;
    }
    amount = amount.replace(dim, Extent());
    OpFoldResult value = trial.getSizes().build(
        builder, loc, amount,
        SmallVector<OpFoldResult>(trial.getTile().size(), number(1)));
    OpFoldResult &sum = isPerStep ? bytes.perStep : bytes.fixed;
    sum = build<arith::AddIOp>(sum, value);
  }
  return bytes;
}

/// Steps whose bytes fit the limits, but for `least`.
OpFoldResult RowSizeBuilder::countFitting(const Bytes &bytes,
                                          TileLimitsAttr limits,
                                          int64_t least) {
  int64_t budget = limits.getBytes();
  OpFoldResult left = build<arith::SubIOp>(
      number(budget), build<arith::MinUIOp>(bytes.fixed, number(budget)));
  left = build<arith::MaxUIOp>(left, number(limits.getLeastBytes()));
  OpFoldResult step = build<arith::MaxUIOp>(bytes.perStep, number(1));
  OpFoldResult fitting = build<arith::DivUIOp>(left, step);
  return build<arith::MaxUIOp>(fitting, number(least));
}

OpFoldResult RowSizeBuilder::buildFitting(const RowGroup &trial, unsigned dim,
                                          TileLimitsAttr limits) {
  Bytes bytes = countBytes(trial, dim);
  int64_t least = limits.getLeastSteps()[dim];
  int64_t mostBytes = limits.getMostBytes()[dim];
  if (mostBytes == 0) {
    return countFitting(bytes, limits, least);
  }
  OpFoldResult fitting = countFitting(bytes, limits, /*least=*/1);
  OpFoldResult most = build<arith::DivUIOp>(
      number(mostBytes), build<arith::MaxUIOp>(bytes.perStep, number(1)));
  OpFoldResult few = build<arith::MinUIOp>(most, number(least));
  return build<arith::MaxUIOp>(fitting, few);
}

OpFoldResult RowSizeBuilder::buildEven(OpFoldResult fitting, unsigned dim) {
  OpFoldResult extent =
      build<arith::MaxUIOp>(build(group.getExtent(dim)), number(1));
  OpFoldResult count = build<arith::CeilDivUIOp>(extent, fitting);
  return build<arith::CeilDivUIOp>(extent, count);
}

OpFoldResult RowSizeBuilder::buildParts(const PointCosts &costs,
                                        int64_t leastCycles, int64_t clusters) {
  OpFoldResult cycles = number(0);
  for (Operation *op : group.getMembers()) {
    if (int64_t cost = costs.lookup(op)) {
      Extent points = group.getPoints(op);
      cycles = build<arith::AddIOp>(cycles, build(points * Extent(cost)));
    }
  }
  OpFoldResult parts =
      build<arith::DivUIOp>(cycles, number(leastCycles * kPointCostsPerCycle));
  parts = build<arith::MaxUIOp>(parts, number(1));
  // As an affine.min: whoever places buffers asks for the most.
  AffineMap least = AffineMap::get(
      1, 0,
      {builder.getAffineDimExpr(0), builder.getAffineConstantExpr(clusters)},
      builder.getContext());
  return affine::makeComposedFoldedAffineMin(builder, loc, least, {parts});
}

/// A group with the tiles of a strategy: sizes that do not cut a loop evenly,
/// and those that are computed at run time, are kDynamic in it and stand in
/// `sizes`.
static FailureOr<RowGroup> buildTile(RewriterBase &rewriter,
                                     const RowGroup &group,
                                     StrategyAttr strategy,
                                     SmallVectorImpl<OpFoldResult> &sizes) {
  RowSizeBuilder builder(rewriter, group);
  RowGroup result = group;
  SmallVector<int64_t> tile(group.getTile());
  sizes.assign(tile.size(), rewriter.getIndexAttr(kWhole));
  for (unsigned dim : llvm::reverse(group.getDims())) {
    int64_t size = strategy.getBlock()[dim];
    if (size == 1) {
      continue;
    }
    RowGroup trial = result;
    tile[dim] = size;
    if (cutsEvenly(group, strategy, dim) && trial.setTile(tile)) {
      result = std::move(trial);
      continue;
    }
    tile[dim] = ShapedType::kDynamic;
    if (!trial.setTile(tile)) {
      return group.getRoot()->emitOpError("expected a block that is one box of "
                                          "each op of its group");
    }
    if (ShapedType::isDynamic(size)) {
      sizes[dim] = builder.buildEven(
          builder.buildFitting(trial, dim, strategy.getLimits()), dim);
    } else {
      // In front of the loops, of which each would have its own.
      sizes[dim] = arith::ConstantIndexOp::create(
                       rewriter, group.getRoot()->getLoc(), size)
                       .getResult();
    }
    result = std::move(trial);
  }
  return result;
}

FailureOr<RowGroup> VPU::tileAtRunTime(RewriterBase &rewriter,
                                       const RowGroup &group,
                                       StrategyAttr strategy,
                                       const PointCosts &costs,
                                       int64_t clusters) {
  rewriter.setInsertionPoint(group.getRoot());
  SmallVector<OpFoldResult> sizes;
  FailureOr<RowGroup> tiled = buildTile(rewriter, group, strategy, sizes);
  if (failed(tiled)) {
    return failure();
  }
  SmallVector<unsigned> shared;
  for (auto [dim, count] : llvm::enumerate(strategy.getParts())) {
    if (count != 1) {
      shared.push_back(dim);
    }
  }
  if (shared.empty()) {
    return tiled->tileAtRunTime(rewriter, sizes, /*parts=*/nullptr);
  }
  OpFoldResult number =
      strategy.hasRunTimeParts()
          ? RowSizeBuilder(rewriter, group)
                .buildParts(costs, strategy.getGrain(), clusters)
          : rewriter.getIndexAttr(strategy.getParts()[shared.front()]);
  RunTimeParts parts{number, shared.front(), shared.back(),
                     strategy.getFewSteps()};
  return tiled->tileAtRunTime(rewriter, sizes, &parts);
}
