//===- RowGroupStrategy.cpp - What strategies say of groups ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads groups from strategies, and checks them: a person may have written
// them.
//
//===----------------------------------------------------------------------===//

#include "RowGroupStrategy.h"

#include "RowGroupChooser.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Loops of the model are in groups of another kind.
static int64_t getGroup(Operation *op) {
  StrategyAttr strategy =
      isa<scf::ForOp>(op) ? StrategyAttr() : StrategyAttr::lookup(op);
  return strategy ? strategy.getGroup() : 0;
}

SmallVector<SmallVector<Operation *>> VPU::collectRowGroups(Block &block) {
  SmallVector<SmallVector<Operation *>> groups;
  llvm::DenseMap<int64_t, size_t> positions;
  for (Operation &op : llvm::reverse(block)) {
    if (int64_t group = getGroup(&op)) {
      auto [found, isNew] = positions.try_emplace(group, groups.size());
      if (isNew) {
        groups.emplace_back();
      }
      groups[found->second].push_back(&op);
    }
  }
  return groups;
}

RowGroup VPU::getRowGroup(ArrayRef<Operation *> members,
                          StrategyAttr strategy) {
  SmallVector<unsigned> dims;
  for (auto [dim, size] : llvm::enumerate(strategy.getBlock())) {
    if (size != kWhole) {
      dims.push_back(dim);
    }
  }
  return RowGroup(members, dims);
}

/// True for a loop of which clusters may get parts that tiles of `size` do not
/// cut evenly.
static bool isUneven(StrategyAttr strategy, unsigned dim, int64_t size) {
  ArrayRef<int64_t> parts = strategy.getParts();
  if (parts.empty() || parts[dim] == 1) {
    return false;
  }
  return !ShapedType::isDynamic(parts[dim]) || size != 1;
}

bool VPU::cutsEvenly(const RowGroup &group, StrategyAttr strategy,
                     unsigned dim) {
  int64_t size = strategy.getBlock()[dim];
  int64_t extent = getLoopExtents(group.getRoot())[dim];
  return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(extent) &&
         extent % size == 0 && !isUneven(strategy, dim, size);
}

std::optional<SmallVector<int64_t>> VPU::getEvenPart(const RowGroup &group,
                                                     StrategyAttr strategy) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  SmallVector<int64_t> part(extents.size(), kWhole);
  for (auto [size, extent, count] :
       llvm::zip(part, extents, strategy.getParts())) {
    if (count == 1) {
      continue;
    }
    if (ShapedType::isDynamic(count) || ShapedType::isDynamic(extent) ||
        extent % count != 0) {
      return std::nullopt;
    }
    size = extent / count;
  }
  RowGroup trial = group;
  bool isBox = strategy.getParts().empty() || trial.setTile(part);
  return isBox ? std::optional(part) : std::nullopt;
}

bool VPU::hasRunTimeRows(const RowGroup &group, StrategyAttr strategy) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  return llvm::any_of(group.getDims(),
                      [&](unsigned dim) {
                        return ShapedType::isDynamic(extents[dim]);
                      }) ||
         (group.isDynamic() &&
          llvm::any_of(strategy.getBlock(), ShapedType::isDynamic)) ||
         !getEvenPart(group, strategy);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that numbers are there for each loop of the root, or none.
static LogicalResult verifyCount(Operation *root, StringRef name,
                                 ArrayRef<int64_t> numbers) {
  size_t loops = getLoopExtents(root).size();
  if (!numbers.empty() && numbers.size() != loops) {
    return root->emitOpError("expected ")
           << loops << " numbers of " << name
           << ", one for each loop of the last op of its group, found "
           << numbers.size();
  }
  return success();
}

/// Checks that the loops which are shared and have tiles are over rows.
static LogicalResult verifyLoops(TilingInterface root, StrategyAttr strategy) {
  ArrayRef<int64_t> parts = strategy.getParts();
  ClusterStrategy split = strategy.getMultiCluster();
  if (split != ClusterStrategy::SplitOverHeight &&
      split != ClusterStrategy::Clustering) {
    return root->emitOpError(
               "expected multiCluster = SplitOverHeight with the "
               "parts of a group, whichever loop is split, found ")
           << stringifyClusterStrategy(split);
  }
  // A loop over clusters has two dimensions.
  if (llvm::count_if(parts, [](int64_t count) { return count != 1; }) > 2) {
    return root->emitOpError("expected parts of two loops at most");
  }
  if (strategy.hasRunTimeParts() &&
      llvm::any_of(parts, [](int64_t count) { return count > 1; })) {
    return root->emitOpError("expected parts that are computed at run time, or "
                             "numbers of parts, not both");
  }
  SmallVector<utils::IteratorType> kinds = root.getLoopIteratorTypes();
  for (auto [dim, kind] : llvm::enumerate(kinds)) {
    bool hasTiles =
        !strategy.getBlock().empty() && strategy.getBlock()[dim] != 0;
    bool isShared =
        !strategy.getParts().empty() && strategy.getParts()[dim] != 1;
    if (!isRowLoop(root, dim) && (hasTiles || isShared)) {
      bool reduces = kind != utils::IteratorType::parallel;
      return root->emitOpError("expected all of loop ")
             << dim
             << (reduces ? ", which reduces," : ", over columns of a product,")
             << " in a block";
    }
  }
  return success();
}

/// Checks parts whose sizes are computed at run time, or which differ in size:
/// their loops have tiles.
static LogicalResult verifyRunTimeSizes(const RowGroup &group,
                                        StrategyAttr strategy) {
  Operation *root = group.getRoot();
  ArrayRef<int64_t> parts = strategy.getParts(), block = strategy.getBlock();
  int64_t shared =
      llvm::count_if(parts, [](int64_t count) { return count != 1; });
  if (!strategy.hasRunTimeParts() && shared > 1) {
    return root->emitOpError("expected parts that cut the loops evenly, or of "
                             "one loop alone");
  }
  for (auto [dim, count] : llvm::enumerate(parts)) {
    if (count != 1 && (block.empty() || block[dim] == kWhole)) {
      return root->emitOpError("expected a block of loop ")
             << dim << ", whose parts differ in size";
    }
  }
  SmallVector<int64_t> tile(group.getTile());
  for (unsigned dim : group.getDims()) {
    int64_t size = block[dim], extent = getLoopExtents(root)[dim];
    bool isKnown = !ShapedType::isDynamic(size);
    if (isKnown && !ShapedType::isDynamic(extent) && size > extent) {
      return root->emitOpError("expected a block of at most ")
             << extent << " steps of loop " << dim << ", found " << size;
    }
    bool isStatic = isKnown && (size == 1 || cutsEvenly(group, strategy, dim));
    tile[dim] = isStatic ? size : ShapedType::kDynamic;
  }
  RowGroup trial = group;
  if (!block.empty() && !trial.setTile(tile)) {
    return root->emitOpError("expected a block that is one box of each op of "
                             "its group");
  }
  return success();
}

/// Checks that parts and blocks of known sizes cut loops of known extents.
static LogicalResult verifySizes(const RowGroup &group, StrategyAttr strategy) {
  Operation *root = group.getRoot();
  ArrayRef<int64_t> block = strategy.getBlock();
  if (hasRunTimeRows(group, strategy)) {
    return verifyRunTimeSizes(group, strategy);
  }
  SmallVector<int64_t> part = *getEvenPart(group, strategy);
  for (auto [size, extent] : llvm::zip_equal(part, getLoopExtents(root))) {
    size = size == kWhole ? extent : size;
  }
  SmallVector<int64_t> tile(part.size(), kWhole);
  for (auto [dim, size] : llvm::enumerate(block)) {
    if (ShapedType::isDynamic(size) ||
        (size != kWhole && part[dim] % size != 0)) {
      return root->emitOpError("expected a block that cuts the ")
             << part[dim] << " steps of loop " << dim << " evenly";
    }
    tile[dim] = size;
  }
  RowGroup trial = group;
  if (!block.empty() && !trial.setTile(tile)) {
    return root->emitOpError("expected a block that is one box of each op of "
                             "its group");
  }
  return success();
}

/// Checks that numbers of parts which are computed at run time have something
/// to be computed from.
static LogicalResult verifyCosts(ArrayRef<Operation *> members,
                                 StrategyAttr strategy) {
  bool hasCosts = llvm::any_of(members, [](Operation *op) {
    return StrategyAttr::lookup(op).getPointCost() != 0;
  });
  if (hasCosts != strategy.hasRunTimeParts()) {
    return members.front()->emitOpError(
        "expected a pointCost on ops of its group exactly where parts are "
        "computed at run time");
  }
  return success();
}

static LogicalResult verifyRowGroup(ArrayRef<Operation *> members) {
  Operation *root = members.front();
  StrategyAttr strategy = StrategyAttr::lookup(root);
  for (Operation *op : members) {
    if (!canJoinRows(op) || (op == root && isReshape(op))) {
      return op->emitOpError(
          "expected no group: it does not compute rows of its "
          "result from rows of operands");
    }
    StrategyAttr own = StrategyAttr::lookup(op);
    StrategyAttr none =
        StrategyAttr::getForGroup(op->getContext(), own.getGroup());
    if (op != root && own != none.withPointCost(own.getPointCost())) {
      InFlightDiagnostic error = op->emitOpError(
          "expected parts and a block on the last op of its group alone");
      error.attachNote(root->getLoc()) << "the last op is here";
      return error;
    }
  }
  if (members.size() < 2) {
    return root->emitOpError("expected more members of group ")
           << strategy.getGroup() << " than this one";
  }
  if (failed(verifyCosts(members, strategy)) ||
      failed(verifyCount(root, "parts", strategy.getParts())) ||
      failed(verifyCount(root, "a block", strategy.getBlock())) ||
      failed(verifyLoops(cast<TilingInterface>(root), strategy))) {
    return failure();
  }
  RowGroup group = getRowGroup(members, strategy);
  if (Operation *misfit = group.getMisfit()) {
    InFlightDiagnostic error = misfit->emitOpError(
        "expected each block of its group's result to need one part of it, and "
        "nothing else to read it");
    error.attachNote(root->getLoc()) << "the last op is here";
    return error;
  }
  return verifySizes(group, strategy);
}

/// True for a software kernel with a strategy for what only the engine has.
static bool hasOnlyOtherDecisions(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return isa<linalg::LinalgOp>(op) && strategy && strategy.getGroup() == 0 &&
         strategy.getMerge() == 0 &&
         strategy != StrategyAttr::getDefault(op->getContext());
}

LogicalResult VPU::verifyRowGroups(FunctionOpInterface function) {
  if (function.isExternal()) {
    return success();
  }
  Block &block = function.getFunctionBody().front();
  WalkResult walk = function->walk([&](Operation *op) {
    if (op->getBlock() != &block && getGroup(op) != 0) {
      op->emitOpError("expected no group inside of a loop or a branch");
      return WalkResult::interrupt();
    }
    if (hasOnlyOtherDecisions(op)) {
      op->emitOpError("expected a group, merge, or #VPU.strategy<> for none");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted()) {
    return failure();
  }
  ArchAttr arch = ArchAttr::lookup(function);
  for (ArrayRef<Operation *> members : collectRowGroups(block)) {
    if (arch && !arch.hasCores()) {
      return members.front()->emitOpError("expected no group: ")
             << arch.getName() << " has no cache that kernels share";
    }
    if (failed(verifyRowGroup(members))) {
      return failure();
    }
  }
  return success();
}
