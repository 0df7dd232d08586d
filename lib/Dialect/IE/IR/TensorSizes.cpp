//===- TensorSizes.cpp - Sizes of tensors, traced -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces dynamic sizes to where they come from, and builds what they are.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/TensorSizes.h"

#include "nacre/Analysis/SizeOrigin.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeElements.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

//===----------------------------------------------------------------------===//
// Sizes of tensors
//===----------------------------------------------------------------------===//

/// The names of the dimensions of an argument; null when it has none.
static ArrayAttr getDimensionNames(func::FuncOp function, unsigned argument) {
  return abi::getOfArgument<abi::Dims>(function, argument);
}

/// The first argument and dimension that are declared to be as large as
/// dimension `dim` of `argument`.
static std::pair<Value, int64_t> findNamesake(BlockArgument argument,
                                              int64_t dim) {
  // None yet for the body of a loop that is being built.
  auto function =
      dyn_cast_if_present<func::FuncOp>(argument.getOwner()->getParentOp());
  ArrayAttr names = function
                        ? getDimensionNames(function, argument.getArgNumber())
                        : ArrayAttr();
  if (!names || static_cast<size_t>(dim) >= names.size() ||
      cast<StringAttr>(names[dim]).empty()) {
    return {argument, dim};
  }
  for (BlockArgument other : argument.getOwner()->getArguments()) {
    if (ArrayAttr list = getDimensionNames(function, other.getArgNumber())) {
      for (auto [i, name] : llvm::enumerate(list)) {
        if (name == names[dim]) {
          return {other, static_cast<int64_t>(i)};
        }
      }
    }
  }
  return {argument, dim};
}

/// True if what `builder` builds next can use the results of `op`, in whose
/// block it builds, or in an op of that block.
static bool canUse(OpBuilder &builder, Operation *op) {
  Block *block = builder.getInsertionBlock();
  if (block == op->getBlock()) {
    Block::iterator position = builder.getInsertionPoint();
    return position == block->end() || op->isBeforeInBlock(&*position);
  }
  // None yet for the body of a loop that is being built.
  Operation *parent = block->getParentOp();
  Operation *around =
      parent ? op->getBlock()->findAncestorOpInBlock(*parent) : nullptr;
  return !around || op->isBeforeInBlock(around);
}

/// tensor.dim right behind the definition of `tensor`, so that all uses share
/// it. Others may have asked further down.
static OpFoldResult askTensor(OpBuilder &builder, Location loc, Value tensor,
                              int64_t dim) {
  for (Operation *user : tensor.getUsers()) {
    auto query = dyn_cast<tensor::DimOp>(user);
    if (query && query.getConstantIndex() == dim &&
        query->getBlock() == tensor.getParentBlock() &&
        canUse(builder, query)) {
      return query.getResult();
    }
  }
  OpBuilder::InsertionGuard guard(builder);
  // The argument of a function whose signature has been converted is in no
  // function any more, and nor would be what asks it there.
  if (tensor.getParentRegion()) {
    builder.setInsertionPointAfterValue(tensor);
  }
  return tensor::DimOp::create(builder, loc, tensor, dim).getResult();
}

/// What a loop starts from that carries a tensor of one shape; null for others.
static Value getLoopInit(OpResult result) {
  auto loop = dyn_cast<scf::ForOp>(result.getOwner());
  if (!loop) {
    return {};
  }
  // As long as each step writes into what the one before gave.
  BlockArgument carried = loop.getRegionIterArg(result.getResultNumber());
  Value written = loop.getTiedLoopYieldedValue(carried)->get();
  while (auto inner = dyn_cast_if_present<OpResult>(written)) {
    Value outer = getDestination(inner);
    written = outer ? outer : getLoopInit(inner);
  }
  return written == carried ? loop.getInitArgs()[result.getResultNumber()]
                            : Value();
}

/// Where the sizes of what the body of a Scan is given as argument `number`
/// come from; see traceThroughLoop.
static std::pair<Value, int64_t> traceArgument(ScanOp scan, unsigned number,
                                               int64_t dim) {
  if (number < scan.getNumStates()) {
    return {scan.getStates()[number], dim};
  }
  number -= scan.getNumStates();
  return {scan.getScannedInputs()[number],
          dim < scan.getInputAxis(number) ? dim : dim + 1};
}

/// Where those of result `number` of a Scan come from.
static std::pair<Value, int64_t> traceResult(ScanOp scan, unsigned number,
                                             int64_t dim) {
  if (number < scan.getNumStates()) {
    return {scan.getStates()[number], dim};
  }
  int64_t axis = scan.getOutputAxis(number - scan.getNumStates());
  if (dim == axis) {
    return {scan.getScannedInputs().front(), scan.getInputAxis(0)};
  }
  // A conversion has moved the body of a Scan that it has replaced.
  if (scan.getBody().empty()) {
    return {};
  }
  return {scan.getBody().front().getTerminator()->getOperand(number),
          dim < axis ? dim : dim - 1};
}

std::pair<Value, int64_t> IE::traceThroughLoop(Value tensor, int64_t dim) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  // None yet for the body of a loop that is being built.
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : tensor.getDefiningOp();
  unsigned number = argument ? argument.getArgNumber()
                             : cast<OpResult>(tensor).getResultNumber();
  if (auto loop = dyn_cast_if_present<scf::ForOp>(op);
      loop && abi::has<abi::KeepsSizes>(loop)) {
    if (!argument) {
      return {loop.getInitArgs()[number], dim};
    }
    OpOperand *init = loop.getTiedLoopInit(argument);
    return {init ? init->get() : Value(), dim};
  }
  auto scan = dyn_cast_if_present<ScanOp>(op);
  if (!scan) {
    return {};
  }
  return argument ? traceArgument(scan, number, dim)
                  : traceResult(scan, number, dim);
}

/// True for what is computed in a region of the op that gives `result`.
static bool isWithin(Value value, Value result) {
  Operation *op = result.getDefiningOp();
  Region *region = value.getParentRegion();
  return op && region && op->isAncestor(region->getParentOp());
}

/// The tensor and its dimension that dimension `dim` of what one element fills
/// is as large as; null for others.
static std::pair<Value, int64_t> findFilled(Value tensor, int64_t dim) {
  Value shape;
  if (auto expand = tensor.getDefiningOp<ExpandOp>()) {
    shape = getTensorType(expand.getInput()).getRank() == 0 ? expand.getShape()
                                                            : Value();
  } else if (auto fill = tensor.getDefiningOp<ConstantOfShapeOp>()) {
    shape = fill.getInput();
  }
  if (!shape) {
    return {};
  }
  ShapeElements elements;
  ElementOrigin origin = elements.getOrigin({shape, dim});
  while (origin.kind == ElementOrigin::Kind::Copy) {
    origin = elements.getOrigin(origin.lhs);
  }
  return origin.kind == ElementOrigin::Kind::Size
             ? std::pair(origin.tensor, origin.number)
             : std::pair(Value(), int64_t());
}

OpFoldResult IE::getSize(OpBuilder &builder, Location loc, Value tensor,
                         int64_t dim, SizeSource source) {
  RankedTensorType type = getTensorType(tensor);
  if (!type.isDynamicDim(dim)) {
    return builder.getIndexAttr(type.getDimSize(dim));
  }
  if (auto [other, position] = traceThroughLoop(tensor, dim);
      other && !isWithin(other, tensor)) {
    return getSize(builder, loc, other, position, source);
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto [first, position] = findNamesake(argument, dim);
    if (!getTensorType(first).isDynamicDim(position)) {
      return builder.getIndexAttr(getTensorType(first).getDimSize(position));
    }
    return askTensor(builder, loc, first, position);
  }
  SizeOrigin origin = getSizeOrigin(builder, tensor, dim);
  if (origin.number) {
    // Another op may have asked an argument of a body that it is in.
    auto number = dyn_cast<Value>(origin.number);
    auto query = number ? number.getDefiningOp<tensor::DimOp>() : nullptr;
    if (query && query.getConstantIndex()) {
      return getSize(builder, loc, query.getSource(), *query.getConstantIndex(),
                     source);
    }
    return origin.number;
  }
  if (origin.factors.size() == 1) {
    auto [other, position] = origin.factors.front();
    return getSize(builder, loc, other, position, source);
  }
  if (!origin.factors.empty()) {
    // Where the operand is defined, its sizes are.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(tensor.getDefiningOp());
    Sizes factors;
    for (auto [other, position] : origin.factors) {
      factors.push_back(getSize(builder, loc, other, position, source));
    }
    return multiplySizes(builder, loc, factors);
  }
  if (auto [other, position] = findFilled(tensor, dim); other) {
    return getSize(builder, loc, other, position, source);
  }
  if (Value init = getLoopInit(cast<OpResult>(tensor))) {
    return getSize(builder, loc, init, dim, source);
  }
  OpFoldResult size = source ? source(tensor, dim) : OpFoldResult();
  return size ? size : askTensor(builder, loc, tensor, dim);
}

IE::Sizes IE::getSizes(OpBuilder &builder, Location loc, Value tensor) {
  Sizes sizes;
  for (int64_t i = 0; i < getTensorType(tensor).getRank(); ++i) {
    sizes.push_back(getSize(builder, loc, tensor, i));
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

void AssertingSizeBuilder::require(llvm::function_ref<Value()> condition,
                                   StringRef message) {
  cf::AssertOp::create(builder, loc, condition(), message);
}

OpFoldResult IE::broadcastSizes(OpBuilder &builder, Location loc,
                                ArrayRef<OpFoldResult> sizes) {
  return AssertingSizeBuilder(builder, loc).broadcast(sizes);
}

void IE::assertSameSize(OpBuilder &builder, Location loc, OpFoldResult a,
                        OpFoldResult b, StringRef message) {
  AssertingSizeBuilder(builder, loc).requireEqual(a, b, message);
}

void IE::assertAtMost(OpBuilder &builder, Location loc, OpFoldResult a,
                      OpFoldResult b, StringRef message) {
  AssertingSizeBuilder(builder, loc).requireAtMost(a, b, message);
}

void IE::assertSameProduct(OpBuilder &builder, Location loc,
                           ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b,
                           StringRef message) {
  auto [left, right] = cancelSizes(builder, loc, a, b);
  assertSameSize(builder, loc, left, right, message);
}
