//===- Constant.cpp - Constants and generated tensors ---------------------===//
//
// Type inference, verification and folding of the IE operator family: constants
// and generated tensors.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Constant.cpp.inc"

void IEDialect::registerConstantOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Constant.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor adaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// ConstantOfShape
//===----------------------------------------------------------------------===//

LogicalResult ConstantOfShapeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  Type elementType = adaptor.getValueAttr()
                         ? adaptor.getValueAttr().getElementType()
                         : Float32Type::get(context);
  std::optional<SmallVector<int64_t>> shape =
      getConstantInts(adaptor.getInput());
  FailureOr<int64_t> rank = getVectorLength(location, adaptor.getInput());
  if (failed(rank)) {
    return failure();
  }
  if (!shape) {
    if (ShapedType::isDynamic(*rank)) {
      inferred.push_back(UnrankedTensorType::get(elementType));
      return success();
    }
    shape.emplace(*rank, ShapedType::kDynamic);
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location, *shape, elementType);
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult ConstantOfShapeOp::verify() {
  if (getValueAttr() && getValueAttr().getNumElements() != 1) {
    return emitOpError("expected a value of one element, found ")
           << getValueAttr().getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

/// The size of the progression, dynamic unless every operand is a constant;
/// nothing for operands that describe no progression.
static std::optional<int64_t> inferRangeSize(Value start, Value limit,
                                             Value delta) {
  if (isa<FloatType>(getElementTypeOrSelf(start.getType()))) {
    auto s = getConstantFloats(start), l = getConstantFloats(limit),
         d = getConstantFloats(delta);
    return s && l && d ? getRangeSize(s->front(), l->front(), d->front())
                       : ShapedType::kDynamic;
  }
  auto s = getConstantInts(start), l = getConstantInts(limit),
       d = getConstantInts(delta);
  return s && l && d ? getRangeSize(s->front(), l->front(), d->front())
                     : ShapedType::kDynamic;
}

LogicalResult RangeOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  for (Value operand : adaptor.getOperands()) {
    if (failed(checkScalar(location, operand))) {
      return failure();
    }
  }
  std::optional<int64_t> size = inferRangeSize(
      adaptor.getStart(), adaptor.getLimit(), adaptor.getDelta());
  if (!size) {
    return emitOptionalError(location, "expected a delta other than 0 and "
                                       "finite bounds");
  }
  FailureOr<RankedTensorType> type = getCheckedType(
      location, *size, getElementTypeOrSelf(adaptor.getStart().getType()));
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

//===----------------------------------------------------------------------===//
// EyeLike
//===----------------------------------------------------------------------===//

LogicalResult EyeLikeOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  inferred.push_back(
      type.clone(adaptor.getDtype().value_or(type.getElementType())));
  return success();
}
