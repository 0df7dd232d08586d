//===- Builders.cpp - Ops that rewrites create ----------------------------===//
//
// Builders that the graph-level passes share.
//
//===----------------------------------------------------------------------===//

#include "Builders.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Value IE::buildInts(OpBuilder &builder, Location loc,
                    ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getI64Type());
  return IE::ConstantOp::create(builder, loc,
                                DenseElementsAttr::get(type, values));
}

Value IE::reshapeTo(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> shape) {
  return IE::ReshapeOp::create(builder, loc,
                               TypeRange(getTensorType(value).clone(shape)),
                               value, buildInts(builder, loc, shape))
      ->getResult(0);
}

Value IE::reshapeChannels(OpBuilder &builder, Location loc, Value value,
                          int64_t rank, int64_t dim) {
  int64_t count = getTensorType(value).getNumElements();
  SmallVector<int64_t> shape;
  if (count != 1) {
    shape.assign(rank - dim, 1);
    shape.front() = count;
  }
  return reshapeTo(builder, loc, value, shape);
}

Value IE::buildScalar(OpBuilder &builder, Location loc, Type type,
                      double value) {
  Attribute attr;
  if (isa<FloatType>(type)) {
    attr = builder.getFloatAttr(type, value);
  } else {
    attr = builder.getIntegerAttr(type, static_cast<int64_t>(value));
  }
  return IE::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, type), attr));
}

Value IE::castTo(OpBuilder &builder, Location loc, Value value,
                 Type elementType) {
  RankedTensorType type = getTensorType(value);
  if (type.getElementType() == elementType) {
    return value;
  }
  return IE::CastOp::create(builder, loc, TypeRange(type.clone(elementType)),
                            value, TypeAttr::get(elementType))
      ->getResult(0);
}

Value IE::castToF32(OpBuilder &builder, Location loc, Value value) {
  return castTo(builder, loc, value, builder.getF32Type());
}
