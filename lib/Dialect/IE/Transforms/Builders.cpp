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

Value IE::castToF32(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type();
  RankedTensorType type = getTensorType(value);
  if (type.getElementType() == f32) {
    return value;
  }
  return IE::CastOp::create(builder, loc, TypeRange(type.clone(f32)), value,
                            TypeAttr::get(f32))
      ->getResult(0);
}
