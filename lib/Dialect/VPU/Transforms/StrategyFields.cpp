//===- StrategyFields.cpp - Which fields mean something where -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person writes where nobody reads it would be ignored in silence.
//
//===----------------------------------------------------------------------===//

#include "StrategyFields.h"

#include "KernelTiles.h"
#include "ReductionSets.h"
#include "RowGroup.h"
#include "RowGroupChooser.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Names of fields, as a strategy is written.
using Names = SmallVector<StringRef>;

static constexpr StringRef kAlgorithm[] = {"algorithm", "winogradTile"};
/// What clusters share.
static constexpr StringRef kParts[] = {"multiCluster", "parts", "grain"};
static constexpr StringRef kTiles[] = {"rest", "tiles", "fused",
                                       "wideningBlocks", "limits"};
/// Of a member of a group, and of its last one, which says how.
static constexpr StringRef kGroup[] = {"group", "pointCost"};
static constexpr StringRef kGroupLoops[] = {"block", "fewSteps", "limits"};
static constexpr StringRef kBuffers[] = {"chunk", "prefetchInput"};
static constexpr StringRef kEngineKernel[] = {
    "kernel",      "registers",     "prefetchWeights", "prefetchBytes",
    "skipBorder",  "stagedColumns", "rollWindow",      "lowBitTile",
    "matrixTiles", "prefetchPixels"};
static constexpr StringRef kKernelLoops[] = {
    "kernel", "loops", "innermost", "unrolled", "blockEdge", "byteProduct"};

/// The ops that have a field, and when.
static StringRef describePlace(StringRef field) {
  auto isOneOf = [&](ArrayRef<StringRef> names) {
    return llvm::is_contained(names, field);
  };
  if (isOneOf(kAlgorithm)) {
    return "operators of the model with decide=operators, and for convolutions "
           "with decide=algorithms";
  }
  if (field == "blockParts") {
    return "an IE.MatMulNBits with decide=operators";
  }
  if (isOneOf(kParts)) {
    return "ops of the engine on tensors with decide=loops, for the last op of "
           "a group with decide=groups, and, outside of others, for copies, "
           "structured ops and independent loops with decide=software, or, of "
           "steps of the model, with decide=concurrency, and for an IE.Scan "
           "that keeps rows apart with decide=operators";
  }
  if (field == "limits" || field == "fewSteps") {
    return "ops of the engine on tensors with decide=loops, and for the last "
           "op of a group with decide=groups";
  }
  if (isOneOf(kTiles)) {
    return "ops of the engine on tensors with decide=loops";
  }
  if (field == "padInPlace") {
    return "copies that pad an image with decide=loops";
  }
  if (field == "group") {
    return "structured ops, products and reshapes with decide=groups, and for "
           "loops with decide=concurrency";
  }
  if (isOneOf(kGroup) || isOneOf(kGroupLoops)) {
    return "the ops of a group with decide=groups";
  }
  if (field == "shareRest") {
    return "loops of steps of the model with decide=concurrency";
  }
  if (field == "merge") {
    return "reductions on tensors with decide=groups";
  }
  if (isOneOf(kBuffers) || field == "lowBitTile") {
    return "ops of the engine on buffers with decide=buffers";
  }
  if (field == "joinStored") {
    return "reductions of stored rows with decide=joins";
  }
  if (isOneOf(kEngineKernel) && field != "kernel") {
    return "ops of the engine on buffers with decide=registers";
  }
  return "ops on buffers with decide=registers";
}

/// The fields that are not as they are in a strategy that decides nothing. Of
/// those that have others inside, only an empty one counts itself.
static Names getGivenFields(StrategyAttr strategy) {
  Names names;
  auto add = [&](StringRef name, bool isGiven) {
    if (isGiven) {
      names.push_back(name);
    }
  };
  add("algorithm", strategy.getAlgorithm() != Algorithm::undecided);
  add("winogradTile", strategy.getWinogradTile() != 0);
  add("blockParts", strategy.getBlockParts() != 0);
  add("parts", !strategy.getParts().empty());
  add("multiCluster",
      strategy.getMultiCluster() != ClusterStrategy::Clustering);
  add("grain", strategy.getGrain() != 0);
  add("rest", strategy.getRest() != 0);
  add("tiles", !strategy.getTiles().empty());
  add("fused", strategy.getFused() != FusedNeighbours::none);
  add("wideningBlocks", strategy.getWideningBlocks() != 0);
  add("padInPlace", strategy.getPadInPlace());
  add("group", strategy.getGroup() != 0);
  add("block", !strategy.getBlock().empty());
  add("pointCost", strategy.getPointCost() != 0);
  add("fewSteps", strategy.getFewSteps() != 0);
  add("shareRest", strategy.getShareRest());
  add("merge", strategy.getMerge() != 0);
  add("limits", static_cast<bool>(strategy.getLimits()));
  add("chunk", !strategy.getChunk().empty());
  add("prefetchInput", strategy.getPrefetchInput());
  KernelStrategyAttr kernel = strategy.getKernel();
  if (!kernel) {
    return names;
  }
  size_t numOutside = names.size();
  add("registers", !kernel.getRegisters().empty());
  add("prefetchWeights", kernel.getPrefetchWeights());
  add("prefetchBytes", kernel.getPrefetchBytes() != 0);
  add("prefetchPixels", kernel.getPrefetchPixels());
  add("stagedColumns", static_cast<bool>(kernel.getStagedColumns()));
  add("skipBorder", kernel.getSkipBorder() != BorderDims::none);
  add("rollWindow", kernel.getRollWindow());
  add("matrixTiles", static_cast<bool>(kernel.getMatrixTiles()));
  add("lowBitTile", static_cast<bool>(kernel.getLowBitTile()));
  if (KernelLoopsAttr loops = kernel.getLoops()) {
    add("innermost", loops.getInnermost() != KernelLoopsAttr::kNone);
    add("unrolled", loops.getUnrolled() != KernelLoopsAttr::kNone);
    add("blockEdge", loops.getBlockEdge() != 0);
    add("byteProduct", static_cast<bool>(loops.getByteProduct()));
    add("joinStored", loops.getJoinStored());
    add("loops", names.size() == numOutside);
  }
  add("kernel", names.size() == numOutside);
  return names;
}

static Names join(std::initializer_list<ArrayRef<StringRef>> lists) {
  Names names;
  for (ArrayRef<StringRef> list : lists) {
    llvm::append_range(names, list);
  }
  return names;
}

static bool isBefore(Decision decided, Decision later) {
  return static_cast<uint32_t>(decided) < static_cast<uint32_t>(later);
}

/// Of an operator of the model.
static Names getFieldsOfOperator(Operation *op) {
  if (countBlockWords(op) > 0) {
    return {"blockParts"};
  }
  if (canShareRows(op)) {
    return join({kParts});
  }
  return getAlgorithms(op).empty() ? Names() : Names{"algorithm"};
}

/// Of an op of the engine. What is decided later may be given earlier, as it
/// is the same op still.
static Names getFieldsOfEngine(Operation *op, Decision decided) {
  if (op->getNumResults() == 0) {
    Names kernel = hasKernelStrategy(op) ? join({kEngineKernel}) : Names();
    return isBefore(Decision::buffers, decided) ? kernel
                                                : join({kBuffers, kernel});
  }
  // Strategies of loops are applied by then.
  if (isBefore(Decision::software, decided)) {
    return {};
  }
  Names loops = join({kParts, kTiles});
  loops.push_back("fewSteps");
  if (!isBefore(decided, Decision::loops)) {
    return loops;
  }
  if (isa<NCEConvolutionOp>(op)) {
    return join({kAlgorithm, loops});
  }
  if (canJoinRows(op)) {
    // Tiles have the same limits, and parts the same steps.
    llvm::append_range(loops, kGroup);
    loops.push_back("block");
  }
  return loops;
}

/// Of a structured op.
static Names getFieldsOfStructured(Operation *op, Decision decided) {
  if (!cast<linalg::LinalgOp>(op).hasPureBufferSemantics()) {
    if (!isBefore(decided, Decision::loops)) {
      return join({kParts});
    }
    Names group =
        canJoinRows(op) ? join({kGroup, kGroupLoops, kParts}) : Names();
    if (isTensorReduction(op)) {
      group.push_back("merge");
    }
    return group;
  }
  if (decided == Decision::joins) {
    return {"joinStored"};
  }
  return decided == Decision::registers ? join({kKernelLoops}) : join({kParts});
}

/// The fields of the strategy of `op` that mean something when this is decided.
static Names getFields(Operation *op, Decision decided) {
  if (decided == Decision::operators) {
    return getFieldsOfOperator(op);
  }
  if (isa<NCEOpInterface>(op)) {
    return getFieldsOfEngine(op, decided);
  }
  if (isa<linalg::LinalgOp>(op)) {
    return getFieldsOfStructured(op, decided);
  }
  if (isReshape(op)) {
    return isBefore(decided, Decision::loops) ? join({kGroup}) : Names();
  }
  // Kernels on buffers have no others.
  if (isBefore(Decision::buffers, decided)) {
    return {};
  }
  if (isa<scf::ForOp>(op)) {
    Names names = join({kParts});
    names.push_back("group");
    if (isBefore(decided, Decision::loops)) {
      names.push_back("shareRest");
    }
    return names;
  }
  if (!isa<CopyOp, ShuffleChannelsOp>(op) || op->getNumResults() == 0) {
    return {};
  }
  bool mayPad = isa<CopyOp>(op) && isBefore(decided, Decision::software);
  return mayPad ? Names{"padInPlace"} : join({kParts});
}

LogicalResult VPU::verifyFields(Operation *op, Decision decided) {
  Attribute attr = op->getAttr(StrategyAttr::attrName);
  if (!attr) {
    return success();
  }
  auto strategy = dyn_cast<StrategyAttr>(attr);
  if (!strategy) {
    return op->emitOpError("expected ")
           << StrategyAttr::attrName << " to be a #VPU.strategy<…>, found "
           << attr;
  }
  Names known = getFields(op, decided);
  for (StringRef field : getGivenFields(strategy)) {
    if (llvm::is_contained(known, field)) {
      continue;
    }
    InFlightDiagnostic error =
        op->emitOpError("expected no ")
        << field << " with decide=" << stringifyDecision(decided)
        << ": it is for " << describePlace(field) << "; leave it out";
    if (known.empty()) {
      return error << ", as nothing is decided about this op";
    }
    error << "; this op may have ";
    llvm::interleave(
        known, error, [&](StringRef name) { error << name; }, " or ");
    return error << " here";
  }
  return success();
}
