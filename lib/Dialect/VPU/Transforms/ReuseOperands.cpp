//===- ReuseOperands.cpp - Results in place of operands -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax scales exponentials that nothing reads afterwards. Where they are
// in a buffer of their own, a loop over rows reads one row and writes another
// one, which the cache does not have yet. Scaled in place, the exponentials are
// computed in the row of the result, and the wait for it is hidden behind them.
//
//===----------------------------------------------------------------------===//

#include "ReuseOperands.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;

/// True for an op that computes each element of its only result from those of
/// its inputs, whatever the destination holds.
static bool isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1 && op.getRegionOutputArgs()[0].use_empty() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

/// True where `last` is the last op to read `value`, or a view of it, and none
/// of those before it is of the engine, which needs buffers of its own.
static bool isLastUser(Value value, Operation *last) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (user == last) {
      return true;
    }
    Operation *neighbour = last->getBlock()->findAncestorOpInBlock(*user);
    if (!neighbour || !neighbour->isBeforeInBlock(last)) {
      return false;
    }
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
            tensor::ExtractSliceOp>(user)) {
      return isLastUser(user->getResult(0), last);
    }
    return isa<linalg::LinalgOp, tensor::DimOp>(user);
  });
}

/// True for a destination that holds nothing, all or, of blocks that are
/// computed at run time, a part of a tensor that does.
static bool isEmpty(Value destination) {
  auto slice = destination.getDefiningOp<tensor::ExtractSliceOp>();
  Value whole = slice && slice->hasOneUse() ? slice.getSource() : destination;
  return static_cast<bool>(whole.getDefiningOp<tensor::EmptyOp>());
}

/// The input of `op` that it may write over: a value of the same loop, as large
/// as the result, in a buffer that is nobody else's.
static OpOperand *findReusable(linalg::GenericOp op) {
  OpOperand *destination = op.getDpsInitOperand(0);
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    auto producer = value.getDefiningOp<linalg::GenericOp>();
    if (producer && producer->getBlock() == op->getBlock() &&
        isElementwise(producer) && isEmpty(producer.getDpsInits()[0]) &&
        value.getType() == destination->get().getType() &&
        op.getMatchingIndexingMap(input) ==
            op.getMatchingIndexingMap(destination) &&
        llvm::count(op->getOperands(), value) == 1 && isLastUser(value, op)) {
      return input;
    }
  }
  return nullptr;
}

/// True where the elements of the slice follow each other: behind the first
/// dimension of which it has several elements, it has all.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride()) {
    return false;
  }
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  bool isWhole = true;
  for (int64_t dim = slice.getSourceType().getRank() - 1; dim >= 0; --dim) {
    if (!isWhole && getConstantIntValue(sizes[dim]) != 1) {
      return false;
    }
    isWhole = isWhole &&
              ValueBoundsConstraintSet::areEqual(
                  ValueBoundsConstraintSet::Variable(sizes[dim]),
                  ValueBoundsConstraintSet::Variable(slice.getSource(), dim))
                  .value_or(false);
  }
  return true;
}

/// True for a slice of what a loop computes that is written there alone.
static bool isOwnSlice(Value destination) {
  auto slice = destination.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice->hasOneUse() && isContiguous(slice) &&
         llvm::all_of(slice.getSource().getUsers(), [&](Operation *user) {
           return user == slice ||
                  isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp,
                      tensor::DimOp>(user);
         });
}

/// Has the producer of `value` compute it where `op` was to write its result;
/// fails where that is a buffer which others need.
static LogicalResult moveToDestination(RewriterBase &rewriter, Value value,
                                       linalg::GenericOp op) {
  Value destination = op.getDpsInits()[0];
  if (destination.getDefiningOp<tensor::EmptyOp>()) {
    return success();
  }
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  if (!isOwnSlice(destination) ||
      failed(
          moveValueDefinitions(rewriter, ValueRange(destination), producer))) {
    return failure();
  }
  rewriter.modifyOpInPlace(
      producer, [&] { producer.getDpsInitsMutable().assign(destination); });
  return success();
}

/// `op` with `input` as its destination.
static void writeOver(RewriterBase &rewriter, linalg::GenericOp op,
                      OpOperand *input) {
  unsigned number = input->getOperandNumber();
  Value value = input->get();
  SmallVector<Value> inputs(op.getInputs());
  inputs.erase(inputs.begin() + number);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.erase(maps.begin() + number);
  rewriter.setInsertionPoint(op);
  auto inPlace = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(op.getResultTypes()), inputs, value,
      maps, op.getIteratorTypesArray());
  inPlace->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  // The element that was an input is that of the destination now.
  Block *body = op.getBody();
  body->getArgument(number).replaceAllUsesWith(body->getArguments().back());
  body->eraseArgument(number);
  rewriter.inlineRegionBefore(op.getRegion(), inPlace.getRegion(),
                              inPlace.getRegion().begin());
  rewriter.replaceOp(op, inPlace);
}

int64_t nacre::VPU::reuseOperands(RewriterBase &rewriter, Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (isa<LoopLikeOpInterface>(op->getParentOp()) && isElementwise(op)) {
      ops.push_back(op);
    }
  });
  int64_t numReused = 0;
  for (linalg::GenericOp op : ops) {
    OpOperand *input = findReusable(op);
    if (input && succeeded(moveToDestination(rewriter, input->get(), op))) {
      writeOver(rewriter, op, input);
      ++numReused;
    }
  }
  return numReused;
}
