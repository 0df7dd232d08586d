//===- Builders.cpp - Constants, casts and shapes as IE ops ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer, the passes on IE and its conversions build alike.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/Builders.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Support/TensorTypes.h"

using namespace mlir;
using namespace nacre;

Value IE::buildInts(OpBuilder &builder, Location loc,
                    ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getI64Type());
  return IE::ConstantOp::create(builder, loc,
                                DenseElementsAttr::get(type, values));
}

Value IE::reshapeTo(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> shape) {
  auto sizes = llvm::map_to_vector(shape, [](int64_t size) {
    return ShapedType::isDynamic(size) ? int64_t(-1) : size;
  });
  return IE::ReshapeOp::create(builder, loc,
                               TypeRange(getTensorType(value).clone(shape)),
                               value, buildInts(builder, loc, sizes))
      ->getResult(0);
}

Value IE::reshapeChannels(OpBuilder &builder, Location loc, Value value,
                          int64_t rank, int64_t dim) {
  RankedTensorType type = getTensorType(value);
  int64_t count =
      type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
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

Value IE::unsqueeze(OpBuilder &builder, Location loc, Value value,
                    int64_t axis) {
  RankedTensorType type = getTensorType(value);
  if (type.hasStaticShape()) {
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin() + axis, 1);
    return reshapeTo(builder, loc, value, shape);
  }
  return IE::UnsqueezeOp::create(builder, loc, value,
                                 buildInts(builder, loc, axis));
}

Value IE::shapeOf(OpBuilder &builder, Location loc, Value value, int64_t first,
                  int64_t last) {
  ArrayRef<int64_t> sizes =
      getTensorType(value).getShape().slice(first, last - first);
  if (!ShapedType::isDynamicShape(sizes)) {
    return buildInts(builder, loc, sizes);
  }
  return IE::ShapeOp::create(builder, loc, value,
                             builder.getI64IntegerAttr(first),
                             builder.getI64IntegerAttr(last));
}

Value IE::sizeOf(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  int64_t size = getTensorType(value).getDimSize(dim);
  if (!ShapedType::isDynamic(size)) {
    return buildScalar(builder, loc, builder.getI64Type(),
                       static_cast<double>(size));
  }
  return reshapeTo(builder, loc, shapeOf(builder, loc, value, dim, dim + 1),
                   {});
}

Value IE::refineTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : IE::IdentityOp::create(builder, loc, TypeRange(type), value)
                   ->getResult(0);
}
