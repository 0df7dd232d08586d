//===- Normalization.cpp - Normalisation and softmax ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// normalisation and softmax.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Normalization.cpp.inc"

void IEDialect::registerNormalizationOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Normalization.cpp.inc"
      >();
}

/// Infers the input's type for an op with per-channel parameters, which must be
/// vectors of the channel count, the input's second dimension.
static LogicalResult inferPerChannel(std::optional<Location> location,
                                     ValueRange operands,
                                     SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(operands.front().getType());
  if (input.getRank() < 2) {
    return emitOptionalError(
        location, "expected an input of rank 2 or more, found ", input);
  }
  for (Value parameter : operands.drop_front()) {
    auto type = cast<RankedTensorType>(parameter.getType());
    if (type.getRank() != 1 ||
        failed(verifyCompatibleShape(type.getShape(),
                                     input.getShape().slice(1, 1)))) {
      return emitOptionalError(location, "expected parameters of shape [",
                               input.getDimSize(1), "], found ", type);
    }
  }
  inferred.push_back(input);
  return success();
}

LogicalResult BatchNormalizationOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferPerChannel(location, adaptor.getOperands(), inferred);
}

LogicalResult InstanceNormalizationOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferPerChannel(location, adaptor.getOperands(), inferred);
}

LogicalResult LRNOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  return inferPerChannel(location, adaptor.getInput(), inferred);
}

LogicalResult LRNOp::verify() {
  if (getSize() < 1 || getSize() > (int64_t(1) << 31)) {
    return emitOpError("expected a positive 'size', found ") << getSize();
  }
  return success();
}

static LogicalResult inferAlongAxis(std::optional<Location> location,
                                    Value input, int64_t axis,
                                    SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(input.getType());
  // A scalar has no axis but is its own only element along any.
  if (type.getRank() > 0 &&
      failed(normalizeAxis(location, axis, type.getRank()))) {
    return failure();
  }
  inferred.push_back(type);
  return success();
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  return inferAlongAxis(location, adaptor.getInput(), adaptor.getAxis(),
                        inferred);
}

LogicalResult LogSoftmaxOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> location,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  return inferAlongAxis(location, adaptor.getInput(), adaptor.getAxis(),
                        inferred);
}

LogicalResult HardmaxOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  return inferAlongAxis(location, adaptor.getInput(), adaptor.getAxis(),
                        inferred);
}

//===----------------------------------------------------------------------===//
// LayerNormalization
//===----------------------------------------------------------------------===//

/// The type of statistics of elements of this type.
static Type getStatisticsElement(Type element, int64_t stashType) {
  constexpr int64_t kFloat = 1; // ONNX's number for f32
  return stashType == kFloat && !element.isF64()
             ? Float32Type::get(element.getContext())
             : element;
}

LogicalResult LayerNormalizationOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), input.getRank());
  // What the input leaves open, the scale may know.
  if (failed(axis) ||
      failed(inferBroadcastType(location, adaptor.getOperands(),
                                input.getElementType(), inferred))) {
    return failure();
  }
  SmallVector<int64_t> shape(input.getShape());
  std::fill(shape.begin() + *axis, shape.end(), 1);
  Type statistics = RankedTensorType::get(
      shape,
      getStatisticsElement(input.getElementType(), adaptor.getStashType()));
  inferred.append(2, statistics);
  return success();
}

LogicalResult LayerNormalizationOp::verify() {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getInput().getType()).getShape();
  for (Value parameter : getOperands().drop_front()) {
    auto type = cast<RankedTensorType>(parameter.getType());
    auto grows = [](auto sizes) {
      auto [size, other] = sizes;
      return size == 1 && other != 1 && !ShapedType::isDynamic(other);
    };
    if (type.getRank() > static_cast<int64_t>(shape.size()) ||
        llvm::any_of(
            llvm::zip(shape.take_back(type.getRank()), type.getShape()),
            grows)) {
      return emitOpError("expected scale and bias that broadcast to the "
                         "input's shape, found ")
             << type << " for " << getInput().getType();
    }
  }
  return success();
}

int64_t LayerNormalizationOp::getFirstDim() {
  int64_t axis = getAxis();
  return axis < 0 ? axis + cast<ShapedType>(getInput().getType()).getRank()
                  : axis;
}

SamplesOfResults
LayerNormalizationOp::followSamples(ArrayRef<MaybeSamples> operands) {
  SamplesOfResults results = followFirst(getOperation(), operands);
  if (failed(results) || operands[0]->dim >= getFirstDim()) {
    return failure();
  }
  int64_t rank = cast<ShapedType>(getInput().getType()).getRank();
  bool areCommon =
      llvm::all_of(getOperands().drop_front(), [&](Value parameter) {
        return isBroadcastAlong(parameter, rank - operands[0]->dim);
      });
  if (!areCommon) {
    return failure();
  }
  return results;
}

LogicalResult
LayerNormalizationOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  Sizes output = sizes.getSizes(getInput());
  Sizes statistics = output;
  std::fill(statistics.begin() + getFirstDim(), statistics.end(),
            sizes.number(1));
  results = {output, statistics, statistics};
  return success();
}
