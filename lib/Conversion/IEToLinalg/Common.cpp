//===- Common.cpp - Helpers of the lowering to linalg ---------------------===//
//
// Builders that the operator families share.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace mlir;
using namespace nacre;

Value nacre::buildEmpty(OpBuilder &builder, Location loc,
                        RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

Value nacre::buildFilled(OpBuilder &builder, Location loc,
                         RankedTensorType type, Value scalar) {
  Value empty = buildEmpty(builder, loc, type);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value nacre::buildScalar(OpBuilder &builder, Location loc, Type type,
                         double value) {
  TypedAttr attr;
  if (isa<FloatType>(type)) {
    attr = builder.getFloatAttr(type, value);
  } else {
    attr = builder.getIntegerAttr(type, static_cast<int64_t>(value));
  }
  return arith::ConstantOp::create(builder, loc, attr);
}

Value nacre::buildElementwise(OpBuilder &builder, Location loc,
                              RankedTensorType resultType, ValueRange operands,
                              ScalarBuilder body) {
  int64_t rank = resultType.getRank();
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps;
  for (Value operand : operands) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    SmallVector<AffineExpr> exprs;
    int64_t missing = rank - static_cast<int64_t>(shape.size());
    for (auto [i, dim] : llvm::enumerate(shape)) {
      int64_t position = missing + static_cast<int64_t>(i);
      bool broadcasts =
          dim == 1 && (position < 0 || resultType.getDimSize(position) != 1);
      exprs.push_back(broadcasts ? getAffineConstantExpr(0, context)
                                 : getAffineDimExpr(position, context));
    }
    maps.push_back(AffineMap::get(rank, 0, exprs, context));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value empty = buildEmpty(builder, loc, resultType);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(resultType), operands, ValueRange(empty),
             maps, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange scalars) {
               Value result = body(nested, nestedLoc, scalars.drop_back());
               linalg::YieldOp::create(nested, nestedLoc, result);
             })
      .getResult(0);
}

Value nacre::widenHalf(OpBuilder &builder, Location loc, Value value) {
  if (!value.getType().isF16() && !value.getType().isBF16()) {
    return value;
  }
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
}

Value nacre::narrowHalf(OpBuilder &builder, Location loc, Value value,
                        Type type) {
  bool isHalf = type.isF16() || type.isBF16();
  if (!isHalf || value.getType() == type) {
    return value;
  }
  return arith::TruncFOp::create(builder, loc, type, value);
}

RankedTensorType nacre::getStaticType(const TypeConverter &converter,
                                      Value value) {
  auto type = converter.convertType<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

bool nacre::isUnsignedElement(Value ieValue) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(ieValue.getType()));
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}
