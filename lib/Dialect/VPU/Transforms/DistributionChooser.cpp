//===- DistributionChooser.cpp - Which part of an op clusters get ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to split an op evenly, and what each moves between clusters.
//
//===----------------------------------------------------------------------===//

#include "DistributionChooser.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Bytes that a tile touches, and again those that it copies to have its input
/// padded or in its order. Nothing where a part of the op cannot be computed.
static std::optional<int64_t> getTraffic(NCEOpInterface op,
                                         ArrayRef<int64_t> tile) {
  std::optional<int64_t> bytes = getWorkingSet(op, tile);
  for (OpOperand &operand : op->getOpOperands()) {
    if (bytes && getFusableCopy(operand.get())) {
      auto type = cast<ShapedType>(operand.get().getType());
      *bytes += 2 * *getOperandElements(op, operand, tile) *
                type.getElementTypeBitWidth() / 8;
    }
  }
  return bytes;
}

/// Splitting dimension `dim` of what `op` computes, or of the part of it that
/// has this shape; nothing when that gains nothing.
static std::optional<Distribution> split(NCEOpInterface op,
                                         ArrayRef<int64_t> shape,
                                         ClusterStrategy strategy, unsigned dim,
                                         int64_t step, Sharers sharers) {
  int64_t clusters = sharers.clusters;
  std::optional<Distribution> best;
  for (int64_t size : getEvenTileSizes(shape[dim], step)) {
    int64_t tiles = shape[dim] / size;
    if (tiles == 1) {
      continue;
    }
    if (tiles > sharers.mostParts) {
      break;
    }
    // Each part transforms all of the input again.
    if (isa<NCEWinogradConvolutionOp>(op.getOperation()) &&
        dim == op.getBlockDim() && tiles > clusters) {
      break;
    }
    double busiest =
        static_cast<double>(llvm::divideCeil(tiles, clusters) * size);
    double even = static_cast<double>(shape[dim]) / clusters;
    SmallVector<int64_t> tile(shape);
    tile[dim] = size;
    std::optional<int64_t> bytes = getTraffic(op, tile);
    // Sizes come largest first: a smaller one must be clearly more even.
    if (bytes && (!best || busiest / even < best->imbalance * 0.95)) {
      best = Distribution{strategy, tile, busiest / even, *bytes * tiles};
    }
  }
  // Of several clusters at least two must have work.
  if (best && best->imbalance < static_cast<double>(clusters)) {
    return best;
  }
  return std::nullopt;
}

/// Splitting both rows and blocks, where that keeps clusters much busier than
/// `one` of them does.
static std::optional<Distribution>
splitBoth(NCEOpInterface op, ArrayRef<int64_t> shape, const Distribution &one,
          int64_t blockStep, Sharers sharers) {
  constexpr double kClearly = 0.85;
  // By Winograd's algorithm, parts of blocks transform their rows again.
  if (one.imbalance * kClearly < 1 ||
      isa<NCEWinogradConvolutionOp>(op.getOperation())) {
    return std::nullopt;
  }
  int64_t clusters = sharers.clusters;
  int64_t mostParts = std::min(sharers.mostParts, 2 * clusters);
  unsigned rowDim = op.getRowDim(), blockDim = op.getBlockDim();
  std::optional<Distribution> best;
  for (int64_t rows : getEvenTileSizes(shape[rowDim], op.getRowStep())) {
    for (int64_t blocks : getEvenTileSizes(shape[blockDim], blockStep)) {
      int64_t tiles = shape[rowDim] / rows * (shape[blockDim] / blocks);
      double imbalance =
          static_cast<double>(llvm::divideCeil(tiles, clusters) * clusters) /
          static_cast<double>(tiles);
      // Many small ones read more together.
      if (rows == shape[rowDim] || blocks == shape[blockDim] ||
          tiles > mostParts || imbalance > one.imbalance * kClearly) {
        continue;
      }
      SmallVector<int64_t> tile(shape);
      tile[rowDim] = rows;
      tile[blockDim] = blocks;
      std::optional<int64_t> bytes = getTraffic(op, tile);
      if (!bytes) {
        continue;
      }
      Distribution both{ClusterStrategy::SplitOverHeight, tile, imbalance,
                        *bytes * tiles};
      if (!best || imbalance < best->imbalance * 0.95 ||
          (imbalance < best->imbalance * 1.05 &&
           both.traffic < best->traffic)) {
        best = both;
      }
    }
  }
  return best;
}

/// The op that computed a value, padded since or where it is padded.
NCEOpInterface VPU::getProducer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      if (!copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc)) {
        break;
      }
      value = copy.getSource();
    } else if (auto image = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = image.getSource();
    } else {
      break;
    }
  }
  return value.getDefiningOp<NCEOpInterface>();
}

double DistributionChooser::getForeignBytes(NCEOpInterface op,
                                            const Distribution &distribution,
                                            int64_t clusters) const {
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  double foreign = 0;
  for (OpOperand *operand : destination.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || matchPattern(operand->get(), m_Constant())) {
      continue;
    }
    // A contraction over channels needs them all for a block of its result.
    int64_t elements = getTypicalNumElements(type);
    bool needsAll =
        getOperandElements(op, *operand, distribution.tile) == elements;
    NCEOpInterface producer = getProducer(operand->get());
    auto found = producer ? chosen.find(producer) : chosen.end();
    if (!needsAll && found != chosen.end() &&
        found->second == distribution.strategy) {
      continue;
    }
    double bytes =
        static_cast<double>(elements) * type.getElementTypeBitWidth() / 8;
    // Of what all need, each reads most from others.
    foreign += bytes * static_cast<double>(clusters - 1) /
               static_cast<double>(needsAll ? 1 : clusters);
  }
  return foreign;
}

bool DistributionChooser::isBetter(NCEOpInterface op, const Distribution &other,
                                   const Distribution &best,
                                   int64_t clusters) const {
  // An idle cluster costs more than shared data read twice.
  constexpr double kClearly = 0.95;
  if (other.imbalance < best.imbalance * kClearly) {
    return true;
  }
  if (best.imbalance < other.imbalance * kClearly) {
    return false;
  }
  // A line that another core wrote takes several times as long as one that it
  // only read.
  constexpr double kForeignCost = 4;
  auto cost = [&](const Distribution &distribution) {
    return static_cast<double>(distribution.traffic) +
           kForeignCost * getForeignBytes(op, distribution, clusters);
  };
  return cost(other) < cost(best);
}

/// True for images that may be cut between any two columns.
static bool hasFreeColumns(NCEOpInterface op) {
  return getDestinationShape(op).size() == 5 &&
         !isa<NCEWinogradConvolutionOp>(op.getOperation());
}

std::optional<Distribution>
DistributionChooser::chooseBlocks(NCEOpInterface op, ArrayRef<int64_t> shape,
                                  int64_t clusters) const {
  return split(op, shape, ClusterStrategy::SplitOverKernel, op.getBlockDim(),
               getPartStep(op, arch), getSharers(clusters));
}

std::optional<Distribution>
DistributionChooser::choose(NCEOpInterface op, int64_t clusters) const {
  ArrayRef<int64_t> shape = getDestinationShape(op);
  Sharers sharers = getSharers(clusters);
  std::optional<Distribution> rows =
      split(op, shape, ClusterStrategy::SplitOverHeight, op.getRowDim(),
            op.getRowStep(), sharers);
  // What has one dimension lies in the columns of a single row.
  if (!rows && !arch.hasFixedFunctionNCE() && hasFreeColumns(op)) {
    rows = split(op, shape, ClusterStrategy::SplitOverWidth, op.getRowDim() + 1,
                 /*step=*/1, sharers);
  }
  std::optional<Distribution> one = rows;
  auto consider = [&](std::optional<Distribution> other) {
    if (other && (!one || isBetter(op, *other, *one, clusters))) {
      one = other;
    }
  };
  consider(chooseBlocks(op, shape, clusters));
  // Parts of a batch of products have panels of their own, too.
  if (shape.size() == 3) {
    consider(split(op, shape, ClusterStrategy::SplitOverBatch, /*dim=*/0,
                   /*step=*/1, sharers));
  }
  if (!one) {
    return std::nullopt;
  }
  std::optional<Distribution> both =
      splitBoth(op, shape, *one, getPartStep(op, arch), sharers);
  return both ? both : one;
}
