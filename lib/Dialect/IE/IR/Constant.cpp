//===- Constant.cpp - Constants and generated tensors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family: constants
// and generated tensors.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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
  std::optional<SmallVector<int64_t>> shape = getKnownInts(adaptor.getInput());
  FailureOr<int64_t> rank = getRankOf(location, adaptor.getInput());
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

LogicalResult
ConstantOfShapeOp::buildSizes(SizeBuilder &sizes,
                              ReifiedRankedShapedTypeDims &results) {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  sizes.requireEqual(sizes.getSize(getInput(), 0), sizes.number(rank),
                     "a shape of another rank than the model declares");
  Sizes &result = results.emplace_back();
  for (int64_t i = 0; i < rank; ++i) {
    result.push_back(sizes.getElement(getInput(), i));
  }
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

static constexpr StringLiteral kBadRange =
    "expected a delta other than 0 and finite bounds";

/// The length of a progression of doubles.
static Value buildRangeSize(SizeBuilder &sizes, ArrayRef<Value> bounds) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  Type f64 = builder.getF64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(f64, static_cast<double>(value)));
  };
  Value extent = arith::SubFOp::create(builder, loc, bounds[1], bounds[0]);
  Value size = math::CeilOp::create(
      builder, loc, arith::DivFOp::create(builder, loc, extent, bounds[2]));
  sizes.require(
      [&]() -> Value {
        // False for the NaN and infinity of a zero delta, too.
        return arith::CmpFOp::create(
            builder, loc, arith::CmpFPredicate::OLT,
            math::AbsFOp::create(builder, loc, size).getResult(),
            constant(kMaxElements));
      },
      kBadRange);
  Value length =
      arith::MaxNumFOp::create(builder, loc, size, constant(0)).getResult();
  return arith::FPToSIOp::create(builder, loc, builder.getI64Type(), length);
}

/// The same of 64-bit integers.
static OpFoldResult buildRangeSize(SizeBuilder &sizes, OpFoldResult first,
                                   OpFoldResult end, OpFoldResult step) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  OpFoldResult zero = sizes.number(0), one = sizes.number(1);
  OpFoldResult extent = sizes.subtract(end, first);
  if (isConstantIntValue(first, 0) && isConstantIntValue(step, 1)) {
    // The numbers below a size are as many as that says.
    OpFoldResult size = sizes.max(end, zero);
    sizes.requireAtMost(size, sizes.number(kMaxElements - 1), kBadRange);
    return size;
  }
  auto compare = [&](arith::CmpIPredicate predicate, OpFoldResult a,
                     OpFoldResult b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, sizes.toValue(a),
                                 sizes.toValue(b));
  };
  sizes.require(
      [&]() -> Value {
        Value isMoving = compare(arith::CmpIPredicate::ne, step, zero);
        // A difference that does not fit has the wrong sign.
        Value fits = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq,
            compare(arith::CmpIPredicate::slt, end, first),
            compare(arith::CmpIPredicate::slt, extent, zero));
        return arith::AndIOp::create(builder, loc, isMoving, fits);
      },
      kBadRange);
  OpFoldResult distance =
      sizes.ifLess(step, zero, sizes.subtract(zero, extent), extent);
  OpFoldResult stride = sizes.max(
      sizes.ifLess(step, zero, sizes.subtract(zero, step), step), one);
  // Upwards, one more than how often the step fits below the last place.
  OpFoldResult last = sizes.subtract(sizes.max(distance, one), one);
  OpFoldResult count = sizes.add(sizes.divideDown(last, stride), 1);
  OpFoldResult size = sizes.ifLess(zero, distance, count, zero);
  sizes.requireAtMost(size, sizes.number(kMaxElements - 1), kBadRange);
  return size;
}

LogicalResult RangeOp::buildSizes(SizeBuilder &sizes,
                                  ReifiedRankedShapedTypeDims &results) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  Type type = getElementTypeOrSelf(getType());
  if (!isa<FloatType>(type)) {
    results.push_back({buildRangeSize(sizes, sizes.getElement(getStart(), 0),
                                      sizes.getElement(getLimit(), 0),
                                      sizes.getElement(getDelta(), 0))});
    return success();
  }
  SmallVector<Value> bounds;
  for (Value operand : getOperands()) {
    Value bound = sizes.getScalar(operand);
    bounds.push_back(
        type.isF64()
            ? bound
            : arith::ExtFOp::create(builder, loc, builder.getF64Type(), bound)
                  .getResult());
  }
  results.push_back(
      {arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                  buildRangeSize(sizes, bounds))
           .getResult()});
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
