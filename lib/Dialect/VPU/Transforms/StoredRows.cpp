//===- StoredRows.cpp - Rows that are stored and then reduced -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises reductions of rows that a loop before them stores, for who chooses
// where they are computed, who checks it and who applies it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/StoredRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// What a buffer is a view of, if that is known to overlap no other such value.
static Value getOwnBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    buffer = view.getViewSource();
  }
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    bool isOwn = function &&
                 function.getArgAttr(argument.getArgNumber(),
                                     LLVM::LLVMDialect::getNoAliasAttrName());
    return isOwn ? buffer : Value();
  }
  return buffer.getDefiningOp<memref::AllocOp>() ||
                 buffer.getDefiningOp<memref::AllocaOp>()
             ? buffer
             : Value();
}

static bool areApart(Value one, Value other) {
  Value own = getOwnBuffer(one), others = getOwnBuffer(other);
  return own && others && own != others;
}

static bool isBuffer(Value value) { return isa<MemRefType>(value.getType()); }

/// True where each buffer of `operands` is apart from `buffer`.
static bool areAllApart(ValueRange operands, Value buffer) {
  return llvm::all_of(operands, [&](Value operand) {
    return !isBuffer(operand) || areApart(operand, buffer);
  });
}

/// For each dimension of what `view` expands the one of the view that has its
/// elements; none where two of a group are longer than 1.
static std::optional<SmallVector<unsigned>>
getLongDims(memref::ExpandShapeOp view) {
  SmallVector<unsigned> dims;
  for (const ReassociationIndices &group : view.getReassociationIndices()) {
    SmallVector<int64_t> longOnes(
        llvm::make_filter_range(group, [&](int64_t dim) {
          return view.getResultType().getDimSize(dim) != 1;
        }));
    if (longOnes.size() > 1) {
      return std::nullopt;
    }
    dims.push_back(longOnes.empty() ? group.back() : longOnes.front());
  }
  return dims;
}

/// True where the body reads what the op's operands hand to it, and no memory
/// of its own accord.
static bool readsOperandsOnly(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(),
      [](Operation &inner) { return isMemoryEffectFree(&inner); });
}

/// True for an op that writes each element of one buffer, and reads none of it.
static bool isProducer(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
         readsOperandsOnly(op) && op.getRegionOutputArgs()[0].use_empty() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// True where the body's last op takes the total so far and an element as they
/// are: LLVM vectorises such loops, and would do so with none that it does not
/// know how to reduce.
static bool accumulates(linalg::GenericOp op) {
  BlockArgument total = op.getRegionOutputArgs()[0];
  Operation *last =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return last && total.hasOneUse() && *total.user_begin() == last &&
         isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp>(last);
}

/// True for an op that reduces rows.
static bool isReduction(linalg::GenericOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() == 1 &&
         op.getNumDpsInits() == 1 && !op.hasIndexSemantics() &&
         readsOperandsOnly(op) &&
         op.getIteratorTypesArray().back() == utils::IteratorType::reduction &&
         accumulates(op);
}

/// True where `producer` may run after `op` as well as before it.
static bool mayRunBefore(Operation *op, linalg::GenericOp producer) {
  if (isMemoryEffectFree(op)) {
    return true;
  }
  auto other = dyn_cast<linalg::LinalgOp>(op);
  Value stored = producer.getDpsInits()[0];
  return other && other.hasPureBufferSemantics() && readsOperandsOnly(other) &&
         areAllApart(other->getOperands(), stored) &&
         llvm::all_of(other.getDpsInits(), [&](Value written) {
           return areAllApart(producer.getInputs(), written);
         });
}

/// True where the producer may run as late as the reduction, and each of its
/// steps beside one of that.
static bool mayRunTogether(const StoredRows &pair, const JoinedOps *joined) {
  linalg::GenericOp producer = pair.producer;
  Value stored = producer.getDpsInits()[0];
  linalg::GenericOp reduction = pair.reduction;
  Value total = reduction.getDpsInits()[0];
  if (!areAllApart(producer->getOperands(), total) ||
      !areAllApart(producer.getInputs(), stored)) {
    return false;
  }
  for (auto [i, input] : llvm::enumerate(reduction.getInputs())) {
    if (i != pair.input && isBuffer(input) && !areApart(input, stored)) {
      return false;
    }
  }
  for (Operation *op = producer->getNextNode(); op != reduction;
       op = op->getNextNode()) {
    if (!mayRunBefore(op, producer)) {
      return false;
    }
    // With this op, what it is joined to will be here.
    if (joined && joined->contains(op) &&
        !mayRunBefore(joined->lookup(op), producer)) {
      return false;
    }
  }
  return true;
}

std::optional<StoredRows> StoredRows::find(linalg::GenericOp reduction,
                                           const JoinedOps *joined) {
  if (!isReduction(reduction)) {
    return std::nullopt;
  }
  for (OpOperand *input : reduction.getDpsInputOperands()) {
    if (!reduction.getMatchingIndexingMap(input).isIdentity()) {
      continue;
    }
    Value stored = input->get();
    SmallVector<unsigned> loops =
        llvm::to_vector(llvm::seq<unsigned>(reduction.getNumLoops()));
    if (auto view = stored.getDefiningOp<memref::ExpandShapeOp>()) {
      std::optional<SmallVector<unsigned>> dims = getLongDims(view);
      if (!dims) {
        continue;
      }
      loops = *dims;
      stored = view.getSrc();
    }
    for (Operation *user : stored.getUsers()) {
      auto producer = dyn_cast<linalg::GenericOp>(user);
      if (!producer || producer->getBlock() != reduction->getBlock() ||
          !producer->isBeforeInBlock(reduction) || !isProducer(producer) ||
          (joined && joined->isTaken(producer)) ||
          producer.getDpsInits()[0] != stored || loops.empty() ||
          loops.back() + 1 != reduction.getNumLoops()) {
        continue;
      }
      StoredRows pair{producer, reduction, input->getOperandNumber(), loops};
      if (mayRunTogether(pair, joined)) {
        return pair;
      }
    }
  }
  return std::nullopt;
}

bool VPU::isJoined(Operation *op) {
  KernelLoopsAttr loops = getKernelLoops(op);
  return loops && loops.getJoinStored();
}

LogicalResult VPU::verifyJoins(Operation *root) {
  JoinedOps joined;
  WalkResult walk = root->walk([&](linalg::LinalgOp op) {
    if (!isJoined(op)) {
      return WalkResult::advance();
    }
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    std::optional<StoredRows> rows =
        generic ? StoredRows::find(generic, &joined) : std::nullopt;
    if (!rows) {
      op->emitOpError("expected no joinStored: it does not reduce rows that an "
                      "elementwise op before it stores and could store here");
      return WalkResult::interrupt();
    }
    joined.add(*rows);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
