//===- StrategyVerifier.cpp - Strategies that can be applied --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks strategies against the ops that they stand on: a person may have
// written them.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "LoopGroups.h"
#include "ReductionSets.h"
#include "RowGroupStrategy.h"
#include "SoftwareStrategy.h"
#include "StrategyChoosers.h"
#include "StrategyFields.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Dialect/VPU/Transforms/StoredRows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_VERIFYSTRATEGIES
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Checks that numbers of parts or tiles divide sizes of this shape, where they
/// are not dynamic.
static LogicalResult verifyCounts(NCEOpInterface op, StringRef name,
                                  ArrayRef<int64_t> counts,
                                  ArrayRef<int64_t> shape) {
  if (counts.empty()) {
    return success();
  }
  if (counts.size() != shape.size()) {
    return op->emitOpError("expected ") << shape.size() << " numbers of "
                                        << name << ", found " << counts.size();
  }
  for (auto [dim, count, size] : llvm::enumerate(counts, shape)) {
    int64_t step = 1;
    if (dim == op.getRowDim()) {
      step = op.getRowStep();
    } else if (dim == op.getBlockDim()) {
      step = op.getBlockStep();
    }
    bool isKnown = !ShapedType::isDynamic(size);
    // How many of a known number of rows fit a cache is computed at run time,
    // too, where they are of dynamic length.
    bool isLeft = !isKnown || (name == "tiles" && dim == op.getRowDim() &&
                               ShapedType::isDynamicShape(shape));
    bool divides = ShapedType::isDynamic(count)
                       ? isLeft
                       : isKnown && size % count == 0 &&
                             (count == 1 || size / count % step == 0);
    if (count != 1 && !divides) {
      InFlightDiagnostic error = op->emitOpError("expected ")
                                 << name << " of dimension " << dim;
      if (!isKnown) {
        return error << " to be 1 or `?`, as its size is dynamic";
      }
      return error << " to cut " << size
                   << (step == 1 ? StringRef(" evenly")
                                 : StringRef(" evenly between multiples of "))
                   << (step == 1 ? std::string() : std::to_string(step));
    }
  }
  return success();
}

/// Checks that what a strategy splits is what its name says.
static LogicalResult verifySplit(NCEOpInterface op, StrategyAttr strategy) {
  ArrayRef<int64_t> shape = getDestinationShape(op);
  ArrayRef<int64_t> parts = strategy.getParts();
  unsigned rowDim = op.getRowDim();
  bool isImage = shape.size() == 5;
  std::optional<unsigned> dim;
  switch (strategy.getMultiCluster()) {
  case ClusterStrategy::SplitOverHeight:
    dim = rowDim;
    break;
  case ClusterStrategy::SplitOverKernel:
    dim = op.getBlockDim();
    break;
  case ClusterStrategy::SplitOverBatch:
    dim = 0;
    break;
  case ClusterStrategy::SplitOverWidth:
    dim = isImage ? std::optional(rowDim + 1) : std::nullopt;
    break;
  case ClusterStrategy::Clustering:
    return success();
  }
  StringRef name = stringifyClusterStrategy(strategy.getMultiCluster());
  if (!dim || parts[*dim] == 1) {
    return op->emitOpError("expected parts of the dimension that ")
           << name << " splits" << (dim ? "" : ", which it does not have");
  }
  // Two dimensions are split where both are dynamic, and blocks beside rows.
  bool hasRows = strategy.getMultiCluster() == ClusterStrategy::SplitOverHeight;
  for (auto [other, count] : llvm::enumerate(parts)) {
    bool isSecond = ShapedType::isDynamic(count)
                        ? ShapedType::isDynamic(parts[*dim]) &&
                              (other == 0 || other == rowDim || isImage)
                        : hasRows && other == op.getBlockDim() &&
                              !ShapedType::isDynamic(parts[*dim]);
    if (other != *dim && count != 1 && !isSecond) {
      return op->emitOpError("expected parts of dimension ")
             << *dim << " alone with " << name << ", found " << count
             << " of dimension " << other;
    }
  }
  return success();
}

/// Checks that the neighbours which are fused exist.
static LogicalResult verifyNeighbours(NCEOpInterface op,
                                      StrategyAttr strategy) {
  FusedOps others = getFusedOps(op, strategy);
  ArrayRef<int64_t> parts = strategy.getParts();
  if (strategy.getFused() != FusedNeighbours::none && !parts.empty() &&
      parts[op.getBlockDim()] != 1) {
    return op->emitOpError("expected no neighbours in loops over parts of "
                           "dimension ")
           << op.getBlockDim() << ", of which they need all";
  }
  if (strategy.fuses(FusedNeighbours::producer)) {
    if (!others.producer) {
      return op->emitOpError("expected no producer in its loops: there is no "
                             "depthwise convolution that it alone reads");
    }
    StrategyAttr own = StrategyAttr::lookup(others.producer);
    if (own && !own.getParts().empty()) {
      return others.producer->emitOpError(
          "expected no parts: it is computed in the loops of its reader");
    }
  }
  if (strategy.fuses(FusedNeighbours::unblocking) && !others.unblocking) {
    return op->emitOpError("expected no unblocking in its loops: there is no "
                           "copy to the model's order that alone reads it");
  }
  int64_t blocks = strategy.getWideningBlocks();
  if (blocks == 0) {
    return success();
  }
  NCEOpInterface depthwise = others.producer ? others.producer : op;
  if (!getBlockProducer(depthwise)) {
    return op->emitOpError("expected wideningBlocks = 0: there is no 1×1 "
                           "convolution that is padded for it alone");
  }
  int64_t all = getDestinationShape(depthwise)[1];
  if (all % blocks != 0) {
    return op->emitOpError("expected wideningBlocks to divide ")
           << all << ", found " << blocks;
  }
  return success();
}

LogicalResult VPU::verifyStrategy(NCEOpInterface op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (!strategy) {
    return op->emitOpError("expected a strategy, as vpu-choose-strategies "
                           "gives each op of the engine");
  }
  if (strategy.getAlgorithm() != Algorithm::undecided) {
    return op->emitOpError("expected no algorithm: vpu-apply-winograd replaces "
                           "convolutions before their loops are decided about");
  }
  if (strategy.getGroup() != 0) {
    return op->emitOpError(
        "expected no group: vpu-fuse-rows makes loops of "
        "groups before those of single ops are decided about");
  }
  if (strategy.getPadInPlace()) {
    return op->emitOpError("expected padInPlace on copies alone");
  }
  if (!strategy.getChunk().empty()) {
    return op->emitOpError("expected no chunk: it is chosen on buffers");
  }
  if (strategy.getKernel() || strategy.getPrefetchInput()) {
    return op->emitOpError("expected no kernel: it is chosen on buffers");
  }
  if (strategy.getMerge() != 0) {
    return op->emitOpError("expected merge on reductions alone");
  }
  SmallVector<int64_t> whole(getDestinationShape(op));
  unsigned blockDim = op.getBlockDim();
  auto isSplitAtRunTime = [&](unsigned dim) {
    return ShapedType::isDynamic(strategy.getParts()[dim]);
  };
  if (strategy.getFewSteps() != 0 &&
      (whole.size() != 5 || strategy.getParts().size() != whole.size() ||
       !isSplitAtRunTime(0) || !isSplitAtRunTime(op.getRowDim()))) {
    return op->emitOpError("expected no fewSteps: it is for images of which "
                           "the rows and the batch have parts `?`");
  }
  if (strategy.getRest() != 0 && strategy.getRest() >= whole[blockDim]) {
    return op->emitOpError("expected a rest of fewer than ")
           << whole[blockDim] << ", found " << strategy.getRest();
  }
  whole[blockDim] -= strategy.getRest();
  if (failed(verifyCounts(op, "parts", strategy.getParts(), whole)) ||
      failed(verifySplit(op, strategy))) {
    return failure();
  }
  SmallVector<int64_t> part = getClusterPart(op).shape;
  if (failed(verifyCounts(op, "tiles", strategy.getTiles(), part)) ||
      failed(verifyNeighbours(op, strategy))) {
    return failure();
  }
  // Boxes of unknown size are found when loops are made of them.
  if (ShapedType::isDynamicShape(part)) {
    return success();
  }
  std::optional<int64_t> bytes = getWorkingSet(op, strategy.getTile(part));
  bool isCut = !strategy.getParts().empty() || !strategy.getTiles().empty();
  if (!bytes && isCut) {
    return op->emitOpError("expected parts and tiles that need one box of each "
                           "operand");
  }
  if (arch.hasScratchpad() && bytes && *bytes > arch.getCmxBytes()) {
    return op->emitOpError("expected tiles of at most ")
           << arch.getCmxBytes() << " bytes, the CMX of " << arch.getName()
           << ", found " << *bytes;
  }
  return success();
}

LogicalResult VPU::verifyStrategy(CopyOp copy) {
  StrategyAttr strategy = StrategyAttr::lookup(copy);
  if (!strategy || strategy == StrategyAttr::getDefault(copy.getContext())) {
    return success();
  }
  if (!strategy.getPadInPlace()) {
    return copy.emitOpError("expected padInPlace alone on a copy: it is in the "
                            "loops of what reads it");
  }
  if (!canPadInPlace(copy)) {
    return copy.emitOpError("expected no padInPlace: it does more than to pad "
                            "what one op of the engine computes");
  }
  return success();
}

/// Checks what was decided about one op.
static LogicalResult verify(Operation *op, ArchAttr arch, Decision decided) {
  if (decided == Decision::buffers) {
    return failure(failed(verifyScratch(op, arch)) ||
                   failed(verifyPrefetchedInput(op, arch)));
  }
  if (decided == Decision::registers) {
    return verifyKernelStrategy(op);
  }
  if (decided == Decision::algorithms) {
    auto convolution = dyn_cast<NCEConvolutionOp>(op);
    return convolution ? verifyAlgorithm(convolution, arch) : success();
  }
  if (auto copy = dyn_cast<CopyOp>(op)) {
    return verifyStrategy(copy);
  }
  auto engineOp = dyn_cast<NCEOpInterface>(op);
  return engineOp && op->getNumResults() == 1 ? verifyStrategy(engineOp, arch)
                                              : success();
}

/// Checks what was decided, where ops have strategies that it concerns.
static LogicalResult verifyValues(FunctionOpInterface function, ArchAttr arch,
                                  Decision decided) {
  switch (decided) {
  case Decision::operators:
    return verifyOperators(function);
  case Decision::concurrency:
    return verifyLoopGroups(function);
  case Decision::groups:
    return failure(failed(verifyRowGroups(function)) ||
                   failed(verifyMerging(function)));
  case Decision::joins:
    return verifyJoins(function);
  case Decision::software:
    return verifySoftware(function);
  case Decision::buffers:
    if (failed(verifySoftware(function))) {
      return failure();
    }
    break;
  case Decision::algorithms:
  case Decision::loops:
  case Decision::registers:
    break;
  }
  bool failedAny = false;
  function->walk(
      [&](Operation *op) { failedAny |= failed(verify(op, arch, decided)); });
  return failure(failedAny);
}

LogicalResult VPU::verifyDecision(FunctionOpInterface function, ArchAttr arch,
                                  Decision decided) {
  if (failed(verifyValues(function, arch, decided))) {
    return failure();
  }
  bool failedAny = false;
  function->walk(
      [&](Operation *op) { failedAny |= failed(verifyFields(op, decided)); });
  return failure(failedAny);
}

namespace {
struct VerifyStrategiesPass final
    : VPU::impl::VerifyStrategiesBase<VerifyStrategiesPass> {
  using VerifyStrategiesBase::VerifyStrategiesBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verifyDecision(getOperation(), arch, decided))) {
      signalPassFailure();
    }
  }
};
} // namespace
