//===- Random.cpp - Random tensors ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference of the IE operator family: random tensors.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Random.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Random.cpp.inc"

void IEDialect::registerRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Random.cpp.inc"
      >();
}

/// The type that `dtype` names, by default `otherwise`.
static Type getTypeOr(TypeAttr dtype, Type otherwise) {
  return dtype ? dtype.getValue() : otherwise;
}

template <typename AdaptorT>
static LogicalResult
inferFromShape(MLIRContext *context, std::optional<Location> location,
               AdaptorT adaptor, SmallVectorImpl<Type> &inferred) {
  if (!adaptor.getShapeAttr()) {
    return emitOptionalError(location, "expected a shape");
  }
  FailureOr<RankedTensorType> type = getCheckedType(
      location, adaptor.getShape(),
      getTypeOr(adaptor.getDtypeAttr(), Float32Type::get(context)));
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

template <typename AdaptorT>
static LogicalResult inferLike(AdaptorT adaptor,
                               SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  inferred.push_back(
      type.clone(getTypeOr(adaptor.getDtypeAttr(), type.getElementType())));
  return success();
}

LogicalResult RandomUniformOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferFromShape(context, location, adaptor, inferred);
}

LogicalResult RandomNormalOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  return inferFromShape(context, location, adaptor, inferred);
}

LogicalResult
RandomUniformLikeOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  return inferLike(adaptor, inferred);
}

LogicalResult
RandomNormalLikeOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                     Adaptor adaptor,
                                     SmallVectorImpl<Type> &inferred) {
  return inferLike(adaptor, inferred);
}

LogicalResult BernoulliOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  return inferLike(adaptor, inferred);
}

LogicalResult MultinomialOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (input.getRank() != 2) {
    return emitOptionalError(
        location, "expected an input (batch, classes), found ", input);
  }
  FailureOr<RankedTensorType> type = getCheckedType(
      location,
      {input.getDimSize(0), static_cast<int64_t>(adaptor.getSampleSize())},
      getTypeOr(adaptor.getDtypeAttr(), IntegerType::get(context, 32)));
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult MultinomialOp::buildSizes(SizeBuilder &sizes,
                                        ReifiedRankedShapedTypeDims &results) {
  results.push_back({sizes.getSize(getInput(), 0),
                     sizes.number(static_cast<int64_t>(getSampleSize()))});
  return success();
}

LogicalResult
RandomUniformOp::buildSizes(SizeBuilder &,
                            ReifiedRankedShapedTypeDims &results) {
  results.push_back(getAsIndexOpFoldResult(getContext(), getShape()));
  return success();
}

LogicalResult RandomNormalOp::buildSizes(SizeBuilder &,
                                         ReifiedRankedShapedTypeDims &results) {
  results.push_back(getAsIndexOpFoldResult(getContext(), getShape()));
  return success();
}
