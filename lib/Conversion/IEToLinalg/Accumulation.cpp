//===- Accumulation.cpp - Kernels that sum over windows and axes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg.generic ops with reduction loops.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

Type nacre::getAccumulatorType(Type elementType) {
  bool isHalf = elementType.isF16() || elementType.isBF16();
  return isHalf ? Float32Type::get(elementType.getContext()) : elementType;
}

/// One end of the range of `type`.
static Value buildBound(OpBuilder &builder, Location loc, Type type,
                        bool isUnsigned, bool isLowest) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat bound = APFloat::getInf(floatType.getFloatSemantics(), isLowest);
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, bound));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt bound;
  if (isUnsigned) {
    bound = isLowest ? APInt::getMinValue(width) : APInt::getMaxValue(width);
  } else {
    bound = isLowest ? APInt::getSignedMinValue(width)
                     : APInt::getSignedMaxValue(width);
  }
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, bound));
}

Value nacre::buildLowest(OpBuilder &builder, Location loc, Type type,
                         bool isUnsigned) {
  return buildBound(builder, loc, type, isUnsigned, /*isLowest=*/true);
}

Value nacre::buildHighest(OpBuilder &builder, Location loc, Type type,
                          bool isUnsigned) {
  return buildBound(builder, loc, type, isUnsigned, /*isLowest=*/false);
}

SmallVector<utils::IteratorType> nacre::getIteratorTypes(AffineMap outputMap) {
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0; dim < outputMap.getNumDims(); ++dim) {
    iterators.push_back(outputMap.isFunctionOfDim(dim)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  }
  return iterators;
}

Value nacre::buildAccumulation(OpBuilder &builder, Location loc,
                               ValueRange inputs, Value init,
                               ArrayRef<AffineMap> maps, bool isUnsigned,
                               AccumulateBuilder body) {
  return linalg::GenericOp::create(
             builder, loc, TypeRange(init.getType()), inputs, ValueRange(init),
             maps, getIteratorTypes(maps.back()),
             [&](OpBuilder &nested, Location nestedLoc, ValueRange scalars) {
               ScalarEmitter emitter(nested, nestedLoc, isUnsigned);
               Value accumulator = scalars.back();
               SmallVector<Value> elements;
               for (Value scalar : scalars.drop_back()) {
                 elements.push_back(emitter.convert(
                     scalar, accumulator.getType(), isUnsigned));
               }
               Value next = body(emitter, accumulator, elements);
               linalg::YieldOp::create(nested, nestedLoc, next);
             })
      .getResult(0);
}

Value nacre::buildNumber(const ScalarEmitter &e, Type type,
                         OpFoldResult count) {
  OpBuilder &builder = e.getBuilder();
  if (std::optional<int64_t> known = getConstantIntValue(count)) {
    return buildScalar(builder, e.getLoc(), type, static_cast<double>(*known));
  }
  Value number =
      e.create<arith::IndexCastOp>(builder.getI64Type(), cast<Value>(count));
  return e.convert(number, type, /*isTargetUnsigned=*/false);
}

ReductionShape nacre::getReductionShape(OpBuilder &builder, Location loc,
                                        Value input, ArrayRef<int64_t> axes) {
  int64_t rank = getTensorType(input).getRank();
  ReductionShape shape;
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i) {
    if (llvm::is_contained(axes, i)) {
      shape.kept.push_back(builder.getIndexAttr(1));
      continue;
    }
    exprs.push_back(builder.getAffineDimExpr(i));
    shape.reduced.push_back(getSize(builder, loc, input, i));
    shape.kept.push_back(shape.reduced.back());
  }
  shape.inputMap = builder.getMultiDimIdentityMap(rank);
  shape.outputMap = AffineMap::get(rank, 0, exprs, builder.getContext());
  return shape;
}

Value nacre::buildReduction(OpBuilder &builder, Location loc, Value input,
                            ArrayRef<int64_t> axes, Value init, bool isUnsigned,
                            AccumulateBuilder combine) {
  ReductionShape shape = getReductionShape(builder, loc, input, axes);
  Value filled = buildFilled(
      builder, loc,
      RankedTensorType::get(getShape(shape.reduced), init.getType()), init,
      shape.reduced);
  Value result =
      buildAccumulation(builder, loc, input, filled,
                        {shape.inputMap, shape.outputMap}, isUnsigned, combine);
  return buildReshape(
      builder, loc, result,
      RankedTensorType::get(getShape(shape.kept), init.getType()), shape.kept);
}

Value nacre::buildScatteredReduction(OpBuilder &builder, Location loc,
                                     Value input, Value accumulators,
                                     ScalarBuilder position, bool isUnsigned,
                                     AccumulateBuilder combine) {
  SmallVector<Value> lower, upper, step;
  for (OpFoldResult size : getSizes(builder, loc, input)) {
    lower.push_back(buildIndex(builder, loc, 0));
    upper.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
    step.push_back(buildIndex(builder, loc, 1));
  }
  Type type = getTensorType(accumulators).getElementType();
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lower, upper, step, accumulators,
      [&](OpBuilder &b, Location nestedLoc, ValueRange indices,
          ValueRange state) -> scf::ValueVector {
        ScalarEmitter e(b, nestedLoc, isUnsigned);
        Value element = e.convert(buildExtract(b, nestedLoc, input, indices),
                                  type, isUnsigned);
        Value at = position(b, nestedLoc, indices);
        Value present = buildExtract(b, nestedLoc, state[0], at);
        return {tensor::InsertOp::create(
            b, nestedLoc, combine(e, present, {element, at}), state[0], at)};
      });
  return nest.results.front();
}

Value nacre::buildConverted(OpBuilder &builder, Location loc, Value input,
                            Type elementType, bool isUnsigned) {
  RankedTensorType type = getTensorType(input);
  if (type.getElementType() == elementType) {
    return input;
  }
  return buildElementwise(
      builder, loc, type.clone(elementType), input,
      [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
        ScalarEmitter emitter(b, nestedLoc, isUnsigned);
        return emitter.convert(elements[0], elementType, isUnsigned);
      });
}

Value nacre::buildDifference(OpBuilder &builder, Location loc, Value input,
                             Value zeroPoint, ArrayRef<OpFoldResult> zeroSizes,
                             bool isUnsigned) {
  Type i32 = builder.getI32Type();
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<Value> operands = {input};
  if (zeroPoint) {
    auto zeroType = cast<RankedTensorType>(zeroPoint.getType());
    bool isOne = zeroType.hasStaticShape() && zeroType.getNumElements() == 1;
    operands.push_back(isOne ? zeroPoint
                             : buildReshape(builder, loc, zeroPoint,
                                            zeroType.clone(getShape(zeroSizes)),
                                            zeroSizes));
  }
  return buildElementwise(
      builder, loc, type.clone(i32), operands,
      [&](OpBuilder &b, Location nested, ValueRange elements) {
        ScalarEmitter e(b, nested, isUnsigned);
        Value value = e.convert(elements[0], i32, /*isTargetUnsigned=*/false);
        if (elements.size() == 1) {
          return value;
        }
        return e.sub(value, e.convert(elements[1], i32,
                                      /*isTargetUnsigned=*/false));
      });
}

Value nacre::buildEmbedded(OpBuilder &builder, Location loc, Value input,
                           ArrayRef<OpFoldResult> sizes,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> strides, Value fill) {
  Sizes own = getSizes(builder, loc, input);
  if (llvm::equal(own, sizes, [](OpFoldResult a, OpFoldResult b) {
        return isEqualConstantIntOrValue(a, b);
      })) {
    return input;
  }
  auto type = RankedTensorType::get(getShape(sizes),
                                    getTensorType(input).getElementType());
  Value filled = buildFilled(builder, loc, type, fill, sizes);
  return tensor::InsertSliceOp::create(builder, loc,
                                       buildKnown(builder, loc, input, own),
                                       filled, offsets, own, strides);
}

Value nacre::buildPerChannel(OpBuilder &builder, Location loc, Value parameters,
                             int64_t rank, OpFoldResult channels) {
  assertSameSize(builder, loc, getSize(builder, loc, parameters, 0), channels,
                 "another number of parameters than channels");
  Sizes sizes(rank - 1, builder.getIndexAttr(1));
  sizes.front() = channels;
  return buildReshape(builder, loc, parameters,
                      getTensorType(parameters).clone(getShape(sizes)), sizes);
}
