//===- LoopGroupChooser.cpp - Which loops run at the same time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directions of a recurrent layer are loops that do not need each other.
// Each can run on a cluster of its own, where its state and its weights stay,
// and no step of it waits for another cluster. Nor do the iterations of a loop
// over samples need each other: each cluster can run some of them.
//
//===----------------------------------------------------------------------===//

#include "IndependentLoop.h"
#include "LoopGroups.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// What a loop takes, in cycles.
struct LoopCost {
  double alone;  // by one cluster
  double shared; // with what is large enough in it shared by all

  void add(const LoopCost &other, double times) {
    alone += times * other.alone;
    shared += times * other.shared;
  }
};

class LoopGroupChooser {
public:
  LoopGroupChooser(Block &block, ArchAttr arch, int64_t minCycles)
      : order(block), arch(arch), minCycles(minCycles) {}

  /// Has the loops of a group that was given follow each other. Where they
  /// cannot, the strategies will be found to be wrong.
  void keep(int64_t group);
  /// Makes groups of these loops, with numbers above `number`.
  void choose(SmallVector<scf::ForOp> loops, int64_t number);
  LoopCost getCost(Operation *op) const;
  /// Has clusters share the iterations of a loop that do not need each other,
  /// if that is better than to share what is in each of them; false otherwise.
  bool shareIterations(scf::ForOp loop) const;

private:
  bool fitsCaches(scf::ForOp loop) const;
  LoopCost getIterationCost(scf::ForOp loop) const;
  SmallVector<scf::ForOp> takeGroup(SmallVectorImpl<scf::ForOp> &loops);
  bool isWorthwhile(ArrayRef<scf::ForOp> group) const;

  LoopOrder order;
  ArchAttr arch;
  int64_t minCycles;
};

} // namespace

void LoopGroupChooser::keep(int64_t group) {
  SmallVector<scf::ForOp> loops = order.getLoops(group);
  for (size_t i = 1; i < loops.size(); ++i) {
    if (order.moveTogether(ArrayRef(loops).take_front(i), loops[i])) {
      return;
    }
  }
}

/// Moves the first of `loops` to others that do not need each other, and takes
/// them out of the list.
SmallVector<scf::ForOp>
LoopGroupChooser::takeGroup(SmallVectorImpl<scf::ForOp> &loops) {
  SmallVector<scf::ForOp> group = {loops.front()}, rest;
  for (scf::ForOp loop : llvm::drop_begin(loops)) {
    bool hasRoom = static_cast<int64_t>(group.size()) < arch.getClusters();
    if (hasRoom && !order.moveTogether(group, loop)) {
      group.push_back(loop);
    } else {
      rest.push_back(loop);
    }
  }
  loops = rest;
  return group;
}

/// True where the slowest of the loops takes no longer than all of them do one
/// after the other, each with all clusters.
bool LoopGroupChooser::isWorthwhile(ArrayRef<scf::ForOp> group) const {
  double slowest = 0, sequence = 0;
  for (scf::ForOp loop : group) {
    LoopCost cost = getCost(loop);
    slowest = std::max(slowest, cost.alone);
    sequence += cost.shared;
  }
  return group.size() > 1 && slowest <= sequence;
}

static bool isStep(Operation *op) {
  return isa<NCEOpInterface, CopyOp, linalg::LinalgOp>(op);
}

static int64_t countSteps(scf::ForOp loop) {
  int64_t count = 0;
  loop.getBody()->walk([&](Operation *op) { count += isStep(op); });
  return count;
}

LoopCost LoopGroupChooser::getCost(Operation *op) const {
  CostModel model(arch);
  if (isStep(op)) {
    double cycles = model.getCycles(op);
    // Software kernels in a loop are never shared.
    int64_t clusters =
        isa<NCEOpInterface>(op)
            ? model.countClusters(cycles, minCycles, /*areAwake=*/false)
            : 1;
    return {cycles, cycles / static_cast<double>(clusters)};
  }
  LoopCost cost = {0, 0};
  for (Region &region : op->getRegions()) {
    for (Operation &inner : region.getOps()) {
      cost.add(getCost(&inner), 1);
    }
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<APInt> trips =
      loop ? loop.getStaticTripCount() : std::optional(APInt(64, 1));
  LoopCost all = {0, 0};
  all.add(cost, trips ? static_cast<double>(trips->getSExtValue())
                      : static_cast<double>(kTypicalSize));
  return all;
}

/// What an iteration takes, scalars included, which one cluster computes.
LoopCost LoopGroupChooser::getIterationCost(scf::ForOp loop) const {
  CostModel model(arch);
  SymbolTableCollection symbols;
  LoopCost cost = {0, 0};
  for (Operation &op : *loop.getBody()) {
    LoopCost own = getCost(&op);
    double all = model.getCyclesBelow(&op, symbols);
    cost.add({all, all - (own.alone - own.shared)}, 1);
  }
  return cost;
}

/// True if what an iteration makes, which each cluster then has its own of,
/// stays in caches. The arena has room for all clusters in every run.
bool LoopGroupChooser::fitsCaches(scf::ForOp loop) const {
  int64_t bytes = 0;
  loop.getBody()->walk([&](DestinationStyleOpInterface op) {
    if (isa<tensor::InsertSliceOp>(op)) {
      return; // into what all iterations write
    }
    for (Type result : op->getResultTypes()) {
      if (auto type = dyn_cast<RankedTensorType>(result)) {
        Type element = type.getElementType();
        int64_t bits =
            element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
        bytes += getTypicalNumElements(type) *
                 static_cast<int64_t>(llvm::divideCeil(bits, 8));
      }
    }
  });
  int64_t clusters = arch.getClusters();
  return bytes * clusters <=
         std::max(arch.getSharedCacheBytes(), arch.getCmxBytes() * clusters);
}

bool LoopGroupChooser::shareIterations(scf::ForOp loop) const {
  // A run of an unknown number of iterations may be one alone, in which other
  // clusters then have nothing to do. Where they help by more, a second loop
  // has them share what is in an iteration: its code is all of the loop's
  // again, and they must help by less than they do where each has iterations.
  constexpr double kMostGain = 1.15;
  constexpr int64_t kMostStepsAgain = 16;
  std::optional<IndependentLoop> match = IndependentLoop::match(loop);
  if (!match || match->getExtent() == 0 || !match->hasKnownParts() ||
      !fitsCaches(loop)) {
    return false;
  }
  LoopCost cost = getIterationCost(loop);
  MLIRContext *context = loop.getContext();
  if (!match->hasKnownExtent()) {
    double gain = cost.alone / cost.shared;
    bool sharesRest = gain > kMostGain;
    if (sharesRest && (gain * kMostGain > arch.getClusters() ||
                       countSteps(loop) > kMostStepsAgain)) {
      return false;
    }
    StrategyAttr::getForParts(context, ClusterStrategy::SplitOverHeight,
                              ShapedType::kDynamic, FusedNeighbours::none,
                              getGrain(/*openLoops=*/0, cost.alone, minCycles))
        .withSharedRest(sharesRest)
        .attachTo(loop);
    return true;
  }
  auto extent = static_cast<double>(match->getExtent());
  int64_t clusters =
      std::min(CostModel(arch).countClusters(cost.alone * extent, minCycles,
                                             /*areAwake=*/false),
               match->getExtent());
  int64_t parts = match->countParts(clusters);
  double longest = std::ceil(extent / static_cast<double>(parts));
  if (parts == 1 || longest * cost.alone >= extent * cost.shared) {
    return false;
  }
  StrategyAttr::getForParts(context, ClusterStrategy::SplitOverHeight, parts,
                            FusedNeighbours::none)
      .attachTo(loop);
  return true;
}

void LoopGroupChooser::choose(SmallVector<scf::ForOp> loops, int64_t number) {
  while (loops.size() > 1) {
    LoopOrder before = order;
    SmallVector<scf::ForOp> group = takeGroup(loops);
    if (!isWorthwhile(group)) {
      order = before;
      continue;
    }
    ++number;
    for (scf::ForOp loop : group) {
      StrategyAttr::getForGroup(loop.getContext(), number).attachTo(loop);
    }
  }
}

void VPU::chooseConcurrency(FunctionOpInterface function,
                            const ChooserInput &input, int64_t minCycles) {
  if (input.arch.getClusters() == 1 || !input.arch.hasCores() ||
      function.isExternal()) {
    return;
  }
  Block &block = function.front();
  LoopGroupChooser chooser(block, input.arch, minCycles);
  // Groups are moved together in the order of their numbers.
  SmallVector<int64_t> given = getLoopGroups(block);
  for (int64_t group : given) {
    chooser.keep(group);
  }
  SmallVector<scf::ForOp> loops;
  for (auto loop : block.getOps<scf::ForOp>()) {
    if (input.isGiven(loop) || !abi::has<abi::HasSteps>(loop) ||
        !isMovable(loop) || chooser.shareIterations(loop)) {
      continue;
    }
    if (chooser.getCost(loop).alone >= static_cast<double>(minCycles)) {
      loops.push_back(loop);
    }
  }
  chooser.choose(loops, given.empty() ? 0 : given.back());
}
