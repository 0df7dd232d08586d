//===- Common.cpp - Helpers of the lowering to linalg ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders that the operator families share.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

using namespace mlir;
using namespace nacre;

Value nacre::buildEmpty(OpBuilder &builder, Location loc, RankedTensorType type,
                        ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicSizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (type.isDynamicDim(i)) {
      dynamicSizes.push_back(
          getValueOrCreateConstantIndexOp(builder, loc, sizes[i]));
    }
  }
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType(), dynamicSizes);
}

Value nacre::buildFilled(OpBuilder &builder, Location loc,
                         RankedTensorType type, Value scalar,
                         ArrayRef<OpFoldResult> sizes) {
  Value empty = buildEmpty(builder, loc, type, sizes);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value nacre::buildCast(OpBuilder &builder, Location loc, Value tensor,
                       RankedTensorType type) {
  return tensor.getType() == type
             ? tensor
             : tensor::CastOp::create(builder, loc, type, tensor);
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

namespace {

/// How the operands of an elementwise op meet in one iteration domain.
class Broadcast {
public:
  Broadcast(OpBuilder &builder, Location loc, RankedTensorType resultType,
            ArrayRef<OpFoldResult> given, ValueRange operands)
      : sizes(refineSizes(builder, resultType, given)), builder(builder),
        loc(loc), resultType(resultType) {
    for (Value operand : operands) {
      addOperand(operand);
    }
  }

  /// What the op reads elementwise, and how.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  Sizes sizes;

  /// The element of each operand, given those of the inputs.
  SmallVector<Value> getElements(OpBuilder &b, Location nested,
                                 ValueRange scalars) const {
    SmallVector<Value> elements;
    size_t next = 0;
    for (const Operand &operand : operands) {
      elements.push_back(operand.isRead ? scalars[next++]
                                        : extract(b, nested, operand));
    }
    return elements;
  }

private:
  struct Operand {
    Value tensor;
    bool isRead = true;
    /// Of one that is extracted from: a bit per dimension that is of size 1 at
    /// run time; null where that is known not to be.
    SmallVector<Value> isOne;
  };

  static ArrayRef<int64_t> getDims(Value operand) {
    return cast<RankedTensorType>(operand.getType()).getShape();
  }

  void addOperand(Value tensor) {
    Operand operand{tensor, true, {}};
    int64_t rank = resultType.getRank();
    int64_t missing = rank - static_cast<int64_t>(getDims(tensor).size());
    SmallVector<AffineExpr> exprs;
    for (auto [i, dim] : llvm::enumerate(getDims(tensor))) {
      int64_t position = missing + static_cast<int64_t>(i);
      bool broadcasts =
          dim == 1 && (position < 0 || resultType.getDimSize(position) != 1);
      exprs.push_back(broadcasts ? builder.getAffineConstantExpr(0)
                                 : builder.getAffineDimExpr(position));
      operand.isOne.push_back(Value());
      if (broadcasts || position < 0) {
        continue;
      }
      OpFoldResult size = getSize(builder, loc, tensor, i);
      if (!IE::areSameIfBroadcast(size, sizes[position])) {
        operand.isRead = false;
        operand.isOne.back() = buildComparison(size, position);
      }
    }
    if (operand.isRead) {
      inputs.push_back(tensor);
      maps.push_back(AffineMap::get(rank, 0, exprs, builder.getContext()));
    }
    operands.push_back(operand);
  }

  Value buildComparison(OpFoldResult size, int64_t position) {
    // Sizes that decide the result's have been compared already.
    if (!resultType.isDynamicDim(position)) {
      broadcastSizes(builder, loc, {sizes[position], size});
    }
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(builder, loc, size), one);
  }

  Value extract(OpBuilder &b, Location nested, const Operand &operand) const {
    int64_t missing =
        resultType.getRank() - static_cast<int64_t>(operand.isOne.size());
    SmallVector<Value> indices;
    Value zero = arith::ConstantIndexOp::create(b, nested, 0);
    for (auto [i, isOne] : llvm::enumerate(operand.isOne)) {
      int64_t position = missing + static_cast<int64_t>(i);
      if (position < 0 || getDims(operand.tensor)[i] == 1) {
        indices.push_back(zero);
        continue;
      }
      Value index = linalg::IndexOp::create(b, nested, position);
      indices.push_back(
          isOne ? Value(arith::SelectOp::create(b, nested, isOne, zero, index))
                : index);
    }
    return tensor::ExtractOp::create(b, nested, operand.tensor, indices);
  }

  OpBuilder &builder;
  Location loc;
  RankedTensorType resultType;
  SmallVector<Operand> operands;
};

} // namespace

/// The sizes that the operands broadcast to, where `resultType` leaves it open.
static Sizes computeSizes(OpBuilder &builder, Location loc,
                          RankedTensorType resultType, ValueRange operands) {
  Sizes sizes;
  for (auto [i, dim] : llvm::enumerate(resultType.getShape())) {
    if (!ShapedType::isDynamic(dim)) {
      sizes.push_back(builder.getIndexAttr(dim));
      continue;
    }
    Sizes candidates;
    for (Value operand : operands) {
      int64_t missing = resultType.getRank() -
                        cast<RankedTensorType>(operand.getType()).getRank();
      int64_t own = static_cast<int64_t>(i) - missing;
      if (own >= 0) {
        candidates.push_back(getSize(builder, loc, operand, own));
      }
    }
    sizes.push_back(broadcastSizes(builder, loc, candidates));
  }
  return sizes;
}

Value nacre::buildElementwise(OpBuilder &builder, Location loc,
                              RankedTensorType resultType, ValueRange operands,
                              ScalarBuilder body) {
  return buildElementwise(builder, loc, resultType,
                          computeSizes(builder, loc, resultType, operands),
                          operands, body);
}

Value nacre::buildElementwise(OpBuilder &builder, Location loc,
                              RankedTensorType resultType,
                              ArrayRef<OpFoldResult> given, ValueRange operands,
                              ScalarBuilder body) {
  int64_t rank = resultType.getRank();
  Broadcast broadcast(builder, loc, resultType, given, operands);
  SmallVector<AffineMap> maps(broadcast.maps);
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value empty = buildEmpty(builder, loc, resultType, broadcast.sizes);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(resultType), broadcast.inputs,
             ValueRange(empty), maps, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange scalars) {
               SmallVector<Value> elements = broadcast.getElements(
                   nested, nestedLoc, scalars.drop_back());
               Value result = body(nested, nestedLoc, elements);
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

RankedTensorType nacre::getRankedType(const TypeConverter &converter,
                                      Value value) {
  return dyn_cast_if_present<RankedTensorType>(
      converter.convertType(value.getType()));
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
