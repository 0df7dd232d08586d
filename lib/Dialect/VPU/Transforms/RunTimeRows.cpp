//===- RunTimeRows.cpp - Rows of which a run knows the sizes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is as many rows as fit the cache, which a run computes from their
// length. Where the length is known, so is the largest tile, and only the last
// one is smaller.
//
//===----------------------------------------------------------------------===//

#include "RunTimeRows.h"

#include "TilingUtils.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t VPU::getTileBudget(const RowGroup &group, ArchAttr arch) {
  // Of what software kernels walk over and over again, and of scores, whose
  // keys and values pass by.
  constexpr int64_t kRowShare = 4, kScoreShare = 2;
  bool isProduct = isa<NCEMatMulOp>(group.getRoot());
  return arch.getCmxBytes() / (isProduct ? kScoreShare : kRowShare);
}

int64_t VPU::getFewestRows(const RowGroup &group) {
  constexpr int64_t kTimes = 4;
  bool packsKeys = llvm::any_of(group.getMembers(), [](Operation *op) {
    auto product = dyn_cast<NCEMatMulOp>(op);
    return product && product.getTransposed();
  });
  return packsKeys ? kTimes * kFewRows : kFewRows;
}

unsigned VPU::getInnermostLoop(const RowGroup &group) {
  return getResultDims(group.getRoot()).back();
}

namespace {

/// Computes sizes in front of a group.
class RunTimeChooser {
public:
  RunTimeChooser(RewriterBase &rewriter, const RowGroup &group, ArchAttr arch)
      : rewriter(rewriter), loc(group.getRoot()->getLoc()), group(group),
        arch(arch) {}

  /// Chooses a tile: of the group that this returns, and the sizes of its loops
  /// that are left open. The parts of the loop `uneven`, if there is one, are
  /// of different sizes.
  RowGroup chooseTile(SmallVector<OpFoldResult> &sizes,
                      std::optional<unsigned> uneven);

  /// The clusters that have enough to do, of all.
  OpFoldResult countParts(int64_t minCycles);

private:
  /// Bytes of a tile: so many in any case, and so many per step of a loop.
  struct Bytes {
    OpFoldResult fixed, perStep;
  };
  Bytes countBytes(const RowGroup &trial, unsigned dim);
  OpFoldResult countFitting(const Bytes &bytes, int64_t least);
  OpFoldResult cutPart(int64_t extent, OpFoldResult fitting);

  Value toValue(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, size);
  }
  template <typename OpT> OpFoldResult build(OpFoldResult a, OpFoldResult b) {
    return rewriter.createOrFold<OpT>(loc, toValue(a), toValue(b));
  }
  OpFoldResult number(int64_t value) { return rewriter.getIndexAttr(value); }
  OpFoldResult build(const Extent &extent) {
    SmallVector<OpFoldResult> tile(group.getTile().size(), number(1));
    return group.getSizes().build(rewriter, loc, extent, tile);
  }

  RewriterBase &rewriter;
  Location loc;
  const RowGroup &group;
  ArchAttr arch;
};

} // namespace

/// What `trial` touches, with single steps of the loops outside of `dim` and
/// all of those in it.
RunTimeChooser::Bytes RunTimeChooser::countBytes(const RowGroup &trial,
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
        rewriter, loc, amount,
        SmallVector<OpFoldResult>(trial.getTile().size(), number(1)));
    OpFoldResult &sum = isPerStep ? bytes.perStep : bytes.fixed;
    sum = build<arith::AddIOp>(sum, value);
  }
  return bytes;
}

/// Steps whose bytes fit the budget, but for `least`.
OpFoldResult RunTimeChooser::countFitting(const Bytes &bytes, int64_t least) {
  int64_t budget = getTileBudget(group, arch);
  // What is the same for all steps may not leave them nothing.
  constexpr int64_t kLeastShare = 4;
  OpFoldResult left = build<arith::SubIOp>(
      number(budget), build<arith::MinUIOp>(bytes.fixed, number(budget)));
  left = build<arith::MaxUIOp>(left, number(budget / kLeastShare));
  OpFoldResult step = build<arith::MaxUIOp>(bytes.perStep, number(1));
  OpFoldResult fitting = build<arith::DivUIOp>(left, step);
  return build<arith::MaxUIOp>(fitting, number(least));
}

/// The steps of tiles of about one size that together are a cluster's part.
OpFoldResult RunTimeChooser::cutPart(int64_t extent, OpFoldResult fitting) {
  int64_t part = llvm::divideCeilSigned(extent, arch.getClusters());
  int64_t most = std::min(getConstantIntValue(fitting).value_or(part), part);
  return number(
      llvm::divideCeilSigned(part, llvm::divideCeilSigned(part, most)));
}

RowGroup RunTimeChooser::chooseTile(SmallVector<OpFoldResult> &sizes,
                                    std::optional<unsigned> uneven) {
  RowGroup result = group;
  ArrayRef<unsigned> dims = group.getDims();
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  SmallVector<int64_t> tile(group.getTile());
  sizes.assign(extents.size(), number(kWhole));
  bool isProduct = isa<NCEMatMulOp>(group.getRoot());
  for (unsigned dim : llvm::reverse(dims)) {
    // Kernels of a known inner extent are the better ones, as long as other
    // rows make tiles.
    constexpr int64_t kShortRow = 256;
    bool isInnermost = dim == getInnermostLoop(group);
    SmallVector<int64_t> next = tile;
    if (isInnermost && dims.size() > 1 && dim != uneven &&
        !ShapedType::isDynamic(extents[dim]) && extents[dim] <= kShortRow) {
      next[dim] = kWhole;
      RowGroup trial = result;
      if (trial.setTile(next)) {
        tile = next;
        result = std::move(trial);
        continue;
      }
    }
    next[dim] = ShapedType::kDynamic;
    RowGroup trial = result;
    if (!trial.setTile(next)) {
      break;
    }
    Bytes bytes = countBytes(trial, dim);
    int64_t least = isInnermost             ? arch.getLanes()
                    : isProduct && dim == 1 ? getFewestRows(group)
                                            : 1;
    OpFoldResult fitting = countFitting(bytes, least);
    if (!isProduct && dim == dims.back() && !isInnermost) {
      // Few rows are so few that LLVM unrolls all of them, which is worth no
      // more than CMX.
      OpFoldResult most = build<arith::DivUIOp>(
          number(arch.getCmxBytes()),
          build<arith::MaxUIOp>(bytes.perStep, number(1)));
      OpFoldResult few = build<arith::MinUIOp>(most, number(kFewRows));
      fitting = build<arith::MaxUIOp>(fitting, few);
    }
    if (dim == uneven) {
      sizes[dim] = cutPart(extents[dim], fitting);
      return trial;
    }
    std::optional<int64_t> known = getConstantIntValue(fitting);
    if (known && !ShapedType::isDynamic(extents[dim])) {
      // Tiles of one size, unless those were much smaller.
      SmallVector<int64_t> even = getEvenTileSizes(extents[dim], 1);
      int64_t size = *llvm::find_if(
          even, [&](int64_t candidate) { return candidate <= *known; });
      // Some loop has to be there.
      next[dim] = kWhole;
      bool isOnlyLoop =
          size == extents[dim] &&
          llvm::all_of(next, [](int64_t other) { return other == kWhole; });
      if (!isOnlyLoop && 2 * size >= std::min(*known, extents[dim])) {
        next[dim] = size;
        trial = result;
        if (trial.setTile(next)) {
          tile = next;
          result = std::move(trial);
          if (size != extents[dim]) {
            break;
          }
          continue;
        }
      }
      next[dim] = ShapedType::kDynamic;
      trial = result;
      trial.setTile(next);
    }
    if (!known) {
      // Tiles of about one size.
      OpFoldResult extent =
          build<arith::MaxUIOp>(build(group.getExtent(dim)), number(1));
      OpFoldResult count = build<arith::CeilDivUIOp>(extent, fitting);
      fitting = build<arith::CeilDivUIOp>(extent, count);
    }
    sizes[dim] = fitting;
    tile = next;
    result = std::move(trial);
    // A constant number of steps of an unknown extent leaves no room for more.
    if (known) {
      break;
    }
  }
  return result;
}

OpFoldResult RunTimeChooser::countParts(int64_t minCycles) {
  // In fractions of a cycle: points may take less.
  constexpr double kFraction = 64;
  OpFoldResult cycles = number(0);
  for (Operation *op : group.getMembers()) {
    double typical = CostModel(arch).getCycles(op);
    if (typical == 0) {
      continue;
    }
    Extent points = group.getPoints(op);
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    double typicalPoints =
        structured ? static_cast<double>(ShapedType::getNumElements(
                         getTypicalShape(structured.getStaticLoopRanges())))
                   : static_cast<double>(cast<NCEOpInterface>(op).getMacs());
    double perPoint = kFraction * typical / std::max(typicalPoints, 1.0);
    auto each = static_cast<int64_t>(std::ceil(perPoint));
    cycles = build<arith::AddIOp>(cycles, build(points * Extent(each)));
  }
  OpFoldResult parts =
      build<arith::DivUIOp>(cycles, number(std::max<int64_t>(minCycles, 1) *
                                           static_cast<int64_t>(kFraction)));
  parts = build<arith::MaxUIOp>(parts, number(1));
  // As an affine.min: whoever places buffers asks for the most.
  AffineMap least =
      AffineMap::get(1, 0,
                     {rewriter.getAffineDimExpr(0),
                      rewriter.getAffineConstantExpr(arch.getClusters())},
                     rewriter.getContext());
  return affine::makeComposedFoldedAffineMin(rewriter, loc, least, {parts});
}

FailureOr<RowGroup> VPU::tileAtRunTime(RewriterBase &rewriter,
                                       const RowGroup &group, ArchAttr arch,
                                       int64_t minCycles,
                                       std::optional<unsigned> uneven) {
  rewriter.setInsertionPoint(group.getRoot());
  RunTimeChooser chooser(rewriter, group, arch);
  SmallVector<OpFoldResult> sizes;
  RowGroup tiled = chooser.chooseTile(sizes, uneven);
  if (arch.getClusters() == 1) {
    return tiled.tileAtRunTime(rewriter, sizes, /*parts=*/nullptr);
  }
  if (uneven) {
    RunTimeParts parts{rewriter.getIndexAttr(arch.getClusters()), *uneven,
                       *uneven};
    return tiled.tileAtRunTime(rewriter, sizes, &parts);
  }
  // A cluster's part may be any number of steps of a loop: one with tiles of a
  // known size has no tile for what would be left of it.
  SmallVector<unsigned> open =
      llvm::filter_to_vector(group.getDims(), [&](unsigned dim) {
        int64_t size = tiled.getTile()[dim];
        return ShapedType::isDynamic(size) || size == 1;
      });
  if (open.empty()) {
    return tiled.tileAtRunTime(rewriter, sizes, /*parts=*/nullptr);
  }
  RunTimeParts parts{chooser.countParts(minCycles), open.front(), open.back()};
  return tiled.tileAtRunTime(rewriter, sizes, &parts);
}
