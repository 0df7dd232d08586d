//===- ShapeElements.cpp - How models compute shapes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step from an element of a computed shape to what it is made of.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ShapeElements.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

using Kind = ElementOrigin::Kind;

const ShapeElements::Ints &ShapeElements::getConstant(Value value) {
  auto [it, isNew] = constants.try_emplace(value);
  if (isNew) {
    it->second = getConstantInts(value);
  }
  return it->second;
}

/// The type of a tensor whose elements can be followed; null for others.
static RankedTensorType getVectorType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() <= 1 && type.hasStaticShape() &&
                 type.getElementType().isInteger()
             ? type
             : RankedTensorType();
}

static ElementOrigin copyOf(Value tensor, int64_t position) {
  ElementOrigin origin;
  RankedTensorType type = getVectorType(tensor);
  if (type && position >= 0 && position < type.getNumElements()) {
    origin.kind = Kind::Copy;
    origin.lhs = {tensor, position};
  }
  return origin;
}

static ElementOrigin sizeOf(ShapeOp op, int64_t position) {
  ElementOrigin origin;
  if (isa<RankedTensorType>(op.getData().getType())) {
    origin.kind = Kind::Size;
    origin.tensor = op.getData();
    origin.number = op.getBounds().first + position;
  }
  return origin;
}

static ElementOrigin countOf(SizeOp op) {
  ElementOrigin origin;
  origin.kind = Kind::Count;
  origin.tensor = op.getData();
  return origin;
}

static ElementOrigin elementOf(ConcatOp op, int64_t position) {
  for (Value input : op.getInputs()) {
    RankedTensorType type = getVectorType(input);
    if (!type || type.getRank() != 1) {
      return {};
    }
    if (position < type.getDimSize(0)) {
      return copyOf(input, position);
    }
    position -= type.getDimSize(0);
  }
  return {};
}

static ElementOrigin elementOf(GatherOp op, int64_t index) {
  RankedTensorType type = getVectorType(op.getData());
  if (!type || type.getRank() != 1) {
    return {};
  }
  index += index < 0 ? type.getDimSize(0) : 0;
  return index < 0 || index >= type.getDimSize(0) ? ElementOrigin()
                                                  : copyOf(op.getData(), index);
}

static ElementOrigin elementOf(SliceOp op, int64_t position) {
  std::optional<SliceSpec> spec = op.getStaticSpec();
  return spec && spec->offsets.size() == 1
             ? copyOf(op.getData(),
                      spec->offsets[0] + position * spec->strides[0])
             : ElementOrigin();
}

/// Operands of a single element are for all of the other's.
static ElementOrigin combine(Kind kind, Operation *op, int64_t position) {
  ElementOrigin origin;
  RankedTensorType lhs = getVectorType(op->getOperand(0));
  RankedTensorType rhs = getVectorType(op->getOperand(1));
  if (!lhs || !rhs || !lhs.getElementType().isInteger(64)) {
    return origin;
  }
  origin.kind = kind;
  origin.lhs = {op->getOperand(0), lhs.getNumElements() == 1 ? 0 : position};
  origin.rhs = {op->getOperand(1), rhs.getNumElements() == 1 ? 0 : position};
  return origin;
}

ElementOrigin ShapeElements::getOrigin(ShapeElement element) {
  Value tensor = element.tensor;
  int64_t position = element.position;
  if (const Ints &known = getConstant(tensor);
      known && static_cast<size_t>(position) < known->size()) {
    ElementOrigin origin;
    origin.kind = Kind::Constant;
    origin.number = (*known)[position];
    return origin;
  }
  Operation *def = tensor.getDefiningOp();
  if (!def || !getElementTypeOrSelf(tensor).isInteger()) {
    return {};
  }
  return llvm::TypeSwitch<Operation *, ElementOrigin>(def)
      .Case([&](ShapeOp op) { return sizeOf(op, position); })
      .Case([&](SizeOp op) { return countOf(op); })
      .Case([&](ConcatOp op) { return elementOf(op, position); })
      .Case([&](GatherOp op) {
        const Ints &indices = getConstant(op.getIndices());
        return indices && static_cast<size_t>(position) < indices->size()
                   ? elementOf(op, (*indices)[position])
                   : ElementOrigin();
      })
      .Case([&](SliceOp op) { return elementOf(op, position); })
      .Case([&](AddOp op) { return combine(Kind::Add, op, position); })
      .Case([&](SubOp op) { return combine(Kind::Sub, op, position); })
      .Case([&](MulOp op) { return combine(Kind::Mul, op, position); })
      .Case([&](DivOp op) { return combine(Kind::Div, op, position); })
      .Default([&](Operation *op) {
        bool isCopy =
            isa<IdentityOp, CastOp>(op) || op->hasTrait<KeepsElements>();
        return isCopy ? copyOf(op->getOperand(0), position) : ElementOrigin();
      });
}
