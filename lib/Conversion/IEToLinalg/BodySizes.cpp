//===- BodySizes.cpp - Sizes of what bodies yield -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the ops of a body for the sizes of their results, from the last one
// back to the arguments. Some may have been lowered already, and are traced one
// step at a time.
//
//===----------------------------------------------------------------------===//

#include "BodySizes.h"

#include "nacre/Analysis/SizeOrigin.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;

void BodySizes::setSizes(Value argument, ArrayRef<OpFoldResult> sizes) {
  known[argument] = Sizes(sizes);
}

FailureOr<Sizes> BodySizes::getSizesOf(Value value) {
  isUnknown = false;
  Sizes sizes = getSizes(value);
  return isUnknown ? FailureOr<Sizes>(failure()) : FailureOr<Sizes>(sizes);
}

bool BodySizes::isOutside(Value value) const {
  // The arguments of a function whose signature has been converted are in none.
  Region *region = value.getParentRegion();
  return !region || !body.isAncestor(region);
}

OpFoldResult BodySizes::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim)) {
    return number(type.getDimSize(dim));
  }
  if (isOutside(tensor)) {
    return outside.getSize(tensor, dim);
  }
  if (auto it = known.find(tensor); it != known.end()) {
    return it->second[dim];
  }
  auto op = tensor.getDefiningOp<IE::SizesOpInterface>();
  if (!op) {
    return trace(tensor, dim);
  }
  ReifiedRankedShapedTypeDims results;
  if (failed(op.buildSizes(*this, results)) || isUnknown) {
    return giveUp();
  }
  for (auto [result, sizes] : llvm::zip_equal(op->getResults(), results)) {
    known[result] = sizes;
  }
  return known[tensor][dim];
}

OpFoldResult BodySizes::trace(Value tensor, int64_t dim) {
  if (auto [other, position] = IE::traceThroughLoop(tensor, dim); other) {
    return getSize(other, position);
  }
  SizeOrigin origin = getSizeOrigin(builder, tensor, dim);
  if (origin.number) {
    return moveOutside(origin.number);
  }
  if (origin.factors.empty()) {
    return giveUp();
  }
  Sizes factors;
  for (auto [other, position] : origin.factors) {
    factors.push_back(getSize(other, position));
  }
  return multiply(factors);
}

OpFoldResult BodySizes::moveOutside(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  if (!value || isOutside(value)) {
    return size;
  }
  Operation *op = value.getDefiningOp();
  if (auto query = dyn_cast_if_present<tensor::DimOp>(op);
      query && query.getConstantIndex()) {
    return getSize(query.getSource(), *query.getConstantIndex());
  }
  if (!op || op->getNumRegions() != 0 || !isPure(op) ||
      !llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isIntOrIndex(); })) {
    return giveUp();
  }
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    OpFoldResult moved = moveOutside(operand);
    if (isUnknown) {
      return moved;
    }
    mapping.map(operand, toValue(moved));
  }
  Operation *moved = builder.clone(*op, mapping);
  return moved->getResult(cast<OpResult>(value).getResultNumber());
}

OpFoldResult BodySizes::giveUp() {
  isUnknown = true;
  return number(0);
}

OpFoldResult BodySizes::getElement(Value tensor, int64_t position) {
  if (std::optional<SmallVector<int64_t>> ints = IE::getConstantInts(tensor)) {
    return number((*ints)[position]);
  }
  if (isOutside(tensor)) {
    return outside.getElement(tensor, position);
  }
  if (auto shape = tensor.getDefiningOp<IE::ShapeOp>()) {
    return getSize(shape.getData(), shape.getBounds().first + position);
  }
  return giveUp();
}

Value BodySizes::getTensor(Value operand) {
  if (isOutside(operand)) {
    return outside.getRemapped(operand);
  }
  // Nobody is going to ask for what is built of it.
  isUnknown = true;
  auto type = cast<RankedTensorType>(operand.getType());
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element)) {
    element = builder.getIntegerType(integer.getWidth());
  }
  SmallVector<int64_t> shape(type.getRank(), 1);
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get(shape, element),
                             builder.getZeroAttr(element)));
}
