//===- Selection.cpp - Results as large as the data say -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: selection.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Selection.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Selection.cpp.inc"

void IEDialect::registerSelectionOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Selection.cpp.inc"
      >();
}

LogicalResult NonZeroOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  inferred.push_back(RankedTensorType::get(
      {type.getRank(), ShapedType::kDynamic}, IntegerType::get(context, 64)));
  return success();
}

LogicalResult UniqueOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  Type i64 = IntegerType::get(context, 64);
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  int64_t count = ShapedType::kDynamic;
  if (std::optional<uint64_t> given = adaptor.getAxis()) {
    FailureOr<int64_t> axis =
        normalizeAxis(location, static_cast<int64_t>(*given), type.getRank());
    if (failed(axis)) {
      return failure();
    }
    shape.assign(type.getShape().begin(), type.getShape().end());
    count = shape[*axis];
    shape[*axis] = ShapedType::kDynamic;
  } else if (type.hasStaticShape()) {
    count = type.getNumElements();
  }
  auto distinct = RankedTensorType::get({ShapedType::kDynamic}, i64);
  inferred.push_back(type.clone(shape));
  inferred.push_back(distinct);
  inferred.push_back(RankedTensorType::get({count}, i64));
  inferred.push_back(distinct);
  return success();
}

LogicalResult
NonMaxSuppressionOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location>, Adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get({ShapedType::kDynamic, 3},
                                           IntegerType::get(context, 64)));
  return success();
}

LogicalResult NonMaxSuppressionOp::verify() {
  auto boxes = cast<RankedTensorType>(getBoxes().getType());
  auto scores = cast<RankedTensorType>(getScores().getType());
  auto mayEqual = [](int64_t a, int64_t b) {
    return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
  };
  if (boxes.getRank() != 3 || !mayEqual(boxes.getDimSize(2), 4)) {
    return emitOpError("expected boxes (B, N, 4), found ") << boxes;
  }
  if (scores.getRank() != 3 ||
      !mayEqual(scores.getDimSize(0), boxes.getDimSize(0)) ||
      !mayEqual(scores.getDimSize(2), boxes.getDimSize(1))) {
    return emitOpError("expected scores (B, C, N) of the boxes ")
           << boxes << ", found " << scores;
  }
  for (Value scalar :
       {getMaxOutputBoxesPerClass(), getIouThreshold(), getScoreThreshold()}) {
    auto type =
        scalar ? cast<RankedTensorType>(scalar.getType()) : RankedTensorType();
    if (type && type.hasStaticShape() && type.getNumElements() != 1) {
      return emitOpError("expected limits of one element, found ") << type;
    }
  }
  return success();
}
