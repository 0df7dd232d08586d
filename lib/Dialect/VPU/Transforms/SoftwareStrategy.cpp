//===- SoftwareStrategy.cpp - What cores share of software ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be a part of a copy or a software kernel, and whether strategies say
// no more: a person may have written them.
//
//===----------------------------------------------------------------------===//

#include "SoftwareStrategy.h"

#include "IndependentLoop.h"
#include "TilingUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True for a software kernel wherever it is.
static bool isSoftware(Operation *op) {
  return isa<linalg::LinalgOp>(op) ||
         (isa<CopyOp, ShuffleChannelsOp>(op) && op->getNumResults() > 0);
}

bool VPU::isSoftwareKernel(Operation *op) {
  return isSoftware(op) &&
         isa_and_present<FunctionOpInterface>(op->getParentOp());
}

static Value getDestination(Operation *op) {
  return cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
}

SmallVector<int64_t> VPU::getSoftwareExtents(TilingInterface op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation())) {
    return structured.getStaticLoopRanges();
  }
  return SmallVector<int64_t>(
      cast<ShapedType>(getDestination(op).getType()).getShape());
}

/// True where a part of a loop writes a part of each result, if it does not
/// reduce.
static bool writesParts(linalg::LinalgOp op, unsigned dim) {
  bool reduces =
      op.getIteratorTypesArray()[dim] != utils::IteratorType::parallel;
  return reduces || llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isFunctionOfDim(dim);
         });
}

/// A copy cannot compute every box of its destination from static boxes.
bool VPU::canTile(TilingInterface op, unsigned dim, int64_t size) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation())) {
    return readsForwards(structured) && writesParts(structured, dim);
  }
  auto copy = dyn_cast<TiledOpInterface>(op.getOperation());
  if (!copy) {
    return true;
  }
  // Where sizes are computed to see which are known; none of it stays.
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  SmallVector<OpFoldResult> sizes =
      getTracedSizes(builder, copy.getLoc(), getDestination(copy));
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  sizes[dim] = builder.getIndexAttr(size);
  SmallVector<OpFoldResult> boxOffsets, boxSizes;
  return succeeded(copy.getOperandTile(builder, copy->getOpOperand(0), offsets,
                                       sizes, boxOffsets, boxSizes));
}

bool VPU::canCombine(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured || structured.getNumReductionLoops() == 0) {
    return false;
  }
  // Combined by one core.
  constexpr int64_t kFew = 1024;
  for (auto [i, init] : llvm::enumerate(structured.getDpsInits())) {
    auto type = dyn_cast<RankedTensorType>(init.getType());
    SmallVector<Operation *> accumulations;
    bool isFew = type && type.hasStaticShape() && type.getNumElements() <= kFew;
    if (!isFew ||
        !matchReduction(structured.getRegionOutputArgs(), i, accumulations) ||
        accumulations.size() != 1 ||
        !arith::getNeutralElement(accumulations.front())) {
      return false;
    }
  }
  return true;
}

SmallVector<unsigned> VPU::getSplitLoops(StrategyAttr strategy) {
  SmallVector<unsigned> dims;
  for (auto [dim, count] : llvm::enumerate(strategy.getParts())) {
    if (count != 1) {
      dims.push_back(dim);
    }
  }
  return dims;
}

bool VPU::isWholeOnBuffers(Operation *op) {
  return isa<linalg::LinalgOp>(op) && isSoftwareKernel(op) &&
         op->getNumResults() > 0 &&
         StrategyAttr::lookup(op) == StrategyAttr::getDefault(op->getContext());
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that a strategy says of a software kernel what the pass that applies
/// it can do, whatever the kernel.
static LogicalResult verifyPartsAlone(TilingInterface op,
                                      StrategyAttr strategy) {
  ArrayRef<int64_t> parts = strategy.getParts();
  if (parts.empty() ||
      strategy != StrategyAttr::getForParts(
                      op.getContext(), strategy.getMultiCluster(), parts,
                      FusedNeighbours::none, strategy.getGrain())) {
    return op->emitOpError("expected parts alone, or #VPU.strategy<> for none");
  }
  if (!isSoftwareKernel(op)) {
    return op->emitOpError("expected no parts inside of a loop or a branch");
  }
  if (ArchAttr arch = ArchAttr::lookup(op); !arch.hasCores()) {
    return op->emitOpError("expected no parts: ")
           << arch.getName() << " has no cores that share software kernels";
  }
  if (strategy.getMultiCluster() != ClusterStrategy::SplitOverHeight) {
    return op->emitOpError("expected multiCluster = SplitOverHeight, whichever "
                           "loop is split, found ")
           << stringifyClusterStrategy(strategy.getMultiCluster());
  }
  size_t loops = op.getLoopIteratorTypes().size();
  if (parts.size() != loops) {
    return op->emitOpError("expected ")
           << loops << " numbers of parts, one for each loop, found "
           << parts.size();
  }
  size_t split = getSplitLoops(strategy).size();
  if (strategy.hasRunTimeParts() &&
      llvm::any_of(parts, [](int64_t count) { return count > 1; })) {
    return op->emitOpError("expected parts that are computed at run time, or "
                           "numbers of parts, not both");
  }
  if (split > (strategy.hasRunTimeParts() ? 2 : 1)) {
    return op->emitOpError("expected parts of one loop, or of two that are "
                           "computed at run time");
  }
  return success();
}

/// Checks parts of one loop.
static LogicalResult verifyLoop(TilingInterface op, unsigned dim,
                                int64_t count) {
  SmallVector<int64_t> extents = getSoftwareExtents(op);
  int64_t extent = extents[dim];
  bool isCounted = ShapedType::isDynamic(count);
  if (isCounted && llvm::none_of(extents, ShapedType::isDynamic)) {
    return op->emitOpError("expected parts of loop ")
           << dim << " to be a number, as all extents are known";
  }
  if (!isCounted && ShapedType::isDynamic(extent)) {
    return op->emitOpError("expected parts of loop ")
           << dim << " to be 1 or `?`, as its extent is dynamic";
  }
  if (!isCounted && count > extent) {
    return op->emitOpError("expected at most ")
           << extent << " parts of loop " << dim << ", its steps, found "
           << count;
  }
  bool reduces =
      op.getLoopIteratorTypes()[dim] != utils::IteratorType::parallel;
  if (reduces && isCounted) {
    return op->emitOpError("expected no parts of loop ")
           << dim << " that are computed at run time, as it reduces";
  }
  if (reduces && !canCombine(op)) {
    return op->emitOpError("expected no parts of loop ")
           << dim
           << ", which reduces: parts are combined only of few results, each "
              "of which one op with a neutral element accumulates";
  }
  int64_t rest = isCounted ? 0 : extent % count;
  if (!canTile(op, dim, isCounted ? 1 : extent / count) ||
      (rest != 0 && !canTile(op, dim, rest))) {
    return op->emitOpError("expected no parts of loop ")
           << dim << ", of which a part needs no one box of each operand";
  }
  return success();
}

static LogicalResult verifyKernel(TilingInterface op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (!strategy || strategy == StrategyAttr::getDefault(op.getContext())) {
    return success();
  }
  if (failed(verifyPartsAlone(op, strategy))) {
    return failure();
  }
  for (unsigned dim : getSplitLoops(strategy)) {
    if (failed(verifyLoop(op, dim, strategy.getParts()[dim]))) {
      return failure();
    }
  }
  return success();
}

/// Checks the numbers of a loop whose iterations clusters may share.
static LogicalResult verifyCounts(scf::ForOp loop, IndependentLoop match,
                                  StrategyAttr strategy) {
  ArrayRef<int64_t> parts = strategy.getParts();
  int64_t extent = match.getExtent();
  if (strategy.getShareRest() &&
      (match.hasKnownExtent() || !abi::has<abi::HasSteps>(loop))) {
    return loop->emitOpError("expected no shareRest: it is for steps of the "
                             "model whose iterations a run counts");
  }
  bool isOneAlone = parts.size() == 1 &&
                    strategy.withSharedRest(false) ==
                        StrategyAttr::getForParts(
                            loop.getContext(), ClusterStrategy::SplitOverHeight,
                            parts, FusedNeighbours::none, strategy.getGrain());
  if (match.isOpen()) {
    return isOneAlone && ShapedType::isDynamic(parts.front())
               ? success()
               : loop->emitOpError("expected multiCluster = SplitOverHeight, "
                                   "parts = [?] and a grain alone, as a "
                                   "size is dynamic, or "
                                   "#VPU.strategy<> for none");
  }
  if (!isOneAlone || parts.front() < 2 || parts.front() > extent) {
    return loop->emitOpError("expected multiCluster = SplitOverHeight and a "
                             "number of parts from 2 to ")
           << extent << " alone, or #VPU.strategy<> for none";
  }
  if (int64_t count = match.countParts(parts.front()); count != parts.front()) {
    return loop->emitOpError("expected ")
           << count << " parts, as many as " << extent
           << " iterations make whose parts are of one size, but for the last; "
              "found "
           << parts.front();
  }
  return success();
}

LogicalResult VPU::verifyLoopParts(scf::ForOp loop) {
  StrategyAttr strategy = StrategyAttr::lookup(loop);
  MLIRContext *context = loop.getContext();
  if (!strategy || strategy == StrategyAttr::getDefault(context) ||
      (strategy.getGroup() != 0 &&
       strategy == StrategyAttr::getForGroup(context, strategy.getGroup()))) {
    return success();
  }
  std::optional<IndependentLoop> match = IndependentLoop::match(loop);
  bool isOutside = isa_and_present<FunctionOpInterface>(loop->getParentOp());
  if (!match || !isOutside || !ArchAttr::lookup(loop).hasCores()) {
    return loop->emitOpError("expected no parts: cores share loops with "
                             "nacre.independent that write a part at a time, "
                             "outside of others, on architectures with "
                             "cores");
  }
  return verifyCounts(loop, *match, strategy);
}

LogicalResult VPU::verifySoftware(FunctionOpInterface function) {
  bool failedAny = false;
  function->walk(
      [&](scf::ForOp loop) { failedAny |= failed(verifyLoopParts(loop)); });
  function->walk([&](TilingInterface op) {
    failedAny |= isSoftware(op) && failed(verifyKernel(op));
  });
  return failure(failedAny);
}
