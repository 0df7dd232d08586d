//===- VPULayout.cpp - Changes of layout ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, folding and verification of the ops that change layouts.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPULayout.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPULayout.cpp.inc"

static constexpr int64_t kRowRank = 3, kVolumeRank = 5;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type VPU::getEngineElementType(Type element) {
  return element.isInteger(8) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

RankedTensorType VPU::getBlockedType(RankedTensorType value,
                                     BlockedLayout layout) {
  SmallVector<int64_t> shape(value.getShape());
  if (value.getRank() == kRowRank) {
    shape.insert(shape.begin() + 2, 1);
  } else if (value.getRank() == kVolumeRank) {
    shape[0] *= shape[2];
    shape.erase(shape.begin() + 2);
  }
  shape[1] = layout.getBlocks(shape[1]);
  shape.push_back(layout.width);
  return RankedTensorType::get(shape,
                               getEngineElementType(value.getElementType()));
}

/// The type of the model's value that an image is of, of the rank and the
/// elements of `like`, which has the sizes of volumes, too.
static RankedTensorType getValueType(RankedTensorType image, int64_t channels,
                                     RankedTensorType like) {
  if (like.getRank() == kVolumeRank) {
    return like;
  }
  SmallVector<int64_t> shape(image.getShape().drop_back());
  shape[1] = channels;
  if (like.getRank() == kRowRank) {
    shape.erase(shape.begin() + 2);
  }
  return RankedTensorType::get(shape, like.getElementType());
}

std::pair<Value, int64_t> VPU::getSameDim(Value result, int64_t dim) {
  // Volumes are of known size, and rows are missing in a value of columns.
  if (auto op = result.getDefiningOp<ToBlockedOp>()) {
    int64_t missing = 4 - op.getValue().getType().getRank();
    return {op.getValue(), dim == 0 ? 0 : dim - missing};
  }
  if (auto op = result.getDefiningOp<FromBlockedOp>()) {
    int64_t missing = 4 - op.getValue().getType().getRank();
    return {op.getImage(), dim == 0 ? 0 : dim + missing};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Building and folding
//===----------------------------------------------------------------------===//

void ToBlockedOp::build(OpBuilder &builder, OperationState &state, Value value,
                        BlockedLayout layout) {
  auto type = cast<RankedTensorType>(value.getType());
  build(builder, state, getBlockedType(type, layout), value, layout.groups);
}

void FromBlockedOp::build(OpBuilder &builder, OperationState &state,
                          Value image, BlockedLayout layout, int64_t channels,
                          RankedTensorType like) {
  auto type = cast<RankedTensorType>(image.getType());
  build(builder, state, getValueType(type, channels, like), image,
        layout.groups);
}

OpFoldResult ToBlockedOp::fold(FoldAdaptor) {
  auto from = getValue().getDefiningOp<FromBlockedOp>();
  bool isUndone = from && from.getGroups() == getGroups() &&
                  from.getImage().getType() == getImage().getType();
  return isUndone ? from.getImage() : Value();
}

OpFoldResult FromBlockedOp::fold(FoldAdaptor) {
  auto to = getImage().getDefiningOp<ToBlockedOp>();
  bool isUndone = to && to.getGroups() == getGroups() &&
                  to.getValue().getType() == getValue().getType();
  return isUndone ? to.getValue() : Value();
}

OpFoldResult ToMatricesOp::fold(FoldAdaptor) {
  // Sizes of the value are the same in every run, as it has them from the
  // matrices.
  auto from = getValue().getDefiningOp<FromMatricesOp>();
  bool isUndone =
      from && from.getMatrices().getType() == getMatrices().getType();
  return isUndone ? from.getMatrices() : Value();
}

OpFoldResult FromMatricesOp::fold(FoldAdaptor) {
  auto to = getMatrices().getDefiningOp<ToMatricesOp>();
  bool isUndone = to && to.getValue().getType() == getValue().getType() &&
                  getValue().getType().hasStaticShape();
  return isUndone ? to.getValue() : Value();
}

SmallVector<OpFoldResult> FromMatricesOp::getMixedSizes() {
  return mlir::getMixedValues(getValue().getType().getShape(), getSizes(),
                              getContext());
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult verifyLayout(Op op) {
  RankedTensorType value = op.getValue().getType();
  RankedTensorType image = op.getImage().getType();
  if (value.isDynamicDim(1) ||
      (value.getRank() == kVolumeRank && !value.hasStaticShape())) {
    return op.emitOpError("expected known channels, and volumes of known size, "
                          "found ")
           << value;
  }
  auto groups = static_cast<int64_t>(op.getGroups());
  if (groups < 1 || value.getDimSize(1) % groups != 0) {
    return op.emitOpError("expected groups that divide ")
           << value.getDimSize(1) << " channels, found " << groups;
  }
  if (image.isDynamicDim(4) || image.getDimSize(4) == 0) {
    return op.emitOpError("expected blocks of a known number of channels, "
                          "found ")
           << image;
  }
  RankedTensorType expected = getBlockedType(value, op.getLayout());
  if (image != expected) {
    return op.emitOpError("expected the image of ")
           << value << " to be " << expected << ", found " << image;
  }
  return success();
}

LogicalResult ToBlockedOp::verify() { return verifyLayout(*this); }

LogicalResult FromBlockedOp::verify() { return verifyLayout(*this); }

/// True where matrices have the elements of a value, in the same order, and
/// rows as long as its own.
static bool haveSameRows(RankedTensorType value, RankedTensorType matrices) {
  if (value.getRank() == 0 || matrices.isDynamicDim(2) ||
      value.getShape().back() != matrices.getDimSize(2) ||
      value.hasStaticShape() != matrices.hasStaticShape()) {
    return false;
  }
  return value.hasStaticShape()
             ? value.getNumElements() == matrices.getNumElements()
             : matrices.getDimSize(0) == 1;
}

template <typename Op> static LogicalResult verifyMatrices(Op op) {
  RankedTensorType value = op.getValue().getType();
  RankedTensorType matrices = op.getMatrices().getType();
  if (!haveSameRows(value, matrices) ||
      getEngineElementType(value.getElementType()) !=
          matrices.getElementType()) {
    return op.emitOpError("expected matrices of the value's rows, a single one "
                          "where their number is dynamic, found ")
           << value << " and " << matrices;
  }
  return success();
}

LogicalResult ToMatricesOp::verify() { return verifyMatrices(*this); }

LogicalResult FromMatricesOp::verify() {
  auto found = static_cast<int64_t>(getSizes().size());
  int64_t expected = getValue().getType().getNumDynamicDims();
  if (found != expected) {
    return emitOpError("expected ")
           << expected << " dynamic sizes of " << getValue().getType()
           << ", found " << found;
  }
  return verifyMatrices(*this);
}
