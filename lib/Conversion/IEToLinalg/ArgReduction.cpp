//===- ArgReduction.cpp - Positions of the best elements ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along an axis with others behind it, lines are compared side by side and
// carry the best element and its position. Along the last one no lanes would be
// left for that: the best element is found first, then where it is, two
// reductions that LLVM vectorises.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "RadixSort.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

class ArgReductionEmitter {
public:
  ArgReductionEmitter(OpBuilder &builder, Location loc, Value input,
                      int64_t axis, BestElement best)
      : loc(loc), input(input), axis(axis), best(best),
        shape(getReductionShape(builder, loc, input, axis)) {}

  Value build(OpBuilder &builder, VPU::Algorithm algorithm) const {
    Value positions = algorithm == VPU::Algorithm::atOnce
                          ? buildAtOnce(builder)
                          : buildInTurn(builder);
    Type i64 = builder.getI64Type();
    return buildReshape(
        builder, loc,
        buildConverted(builder, loc, positions, i64, /*isUnsigned=*/false),
        RankedTensorType::get(getShape(shape.kept), i64), shape.kept);
  }

private:
  using BodyBuilder =
      llvm::function_ref<Values(const ScalarEmitter &, ValueRange)>;

  /// A reduction of `inputs`, of which all but the first have its results'
  /// shape, from `inits`.
  ResultRange reduce(OpBuilder &builder, ValueRange inputs, ValueRange inits,
                     BodyBuilder body) const {
    Values filled;
    SmallVector<Type> types;
    for (Value init : inits) {
      auto type =
          RankedTensorType::get(getShape(shape.reduced), init.getType());
      types.push_back(type);
      filled.push_back(buildFilled(builder, loc, type, init, shape.reduced));
    }
    SmallVector<AffineMap> maps(inputs.size() + inits.size(), shape.outputMap);
    maps.front() = shape.inputMap;
    return linalg::GenericOp::create(
               builder, loc, types, inputs, filled, maps,
               getIteratorTypes(shape.outputMap),
               [&](OpBuilder &b, Location nestedLoc, ValueRange scalars) {
                 ScalarEmitter e(b, nestedLoc, best.isUnsigned);
                 linalg::YieldOp::create(b, nestedLoc, body(e, scalars));
               })
        .getResults();
  }

  /// The best elements and their positions in one pass.
  Value buildAtOnce(OpBuilder &builder) const {
    Type type = getAccumulatorType(getElementTypeOrSelf(input));
    Type positionType = getPositionType(builder);
    return reduce(builder, input,
                  {buildScalar(builder, loc, type, 0),
                   buildScalar(builder, loc, positionType, 0)},
                  [&](const ScalarEmitter &e, ValueRange scalars) -> Values {
                    Value element =
                        e.convert(scalars[0], type, best.isUnsigned);
                    Value here = getPosition(e, positionType);
                    // Not a neutral element to start from: a NaN in front must
                    // win.
                    Value isFirst = e.equal(here, e.constant(here, 0));
                    Value beats = isBetter(e, element, scalars[1]);
                    // A maximum that is stored, and not some elements of a
                    // vector, which the next iteration could not load before
                    // they are in the cache.
                    Value better = e.select(beats, element, scalars[1]);
                    return {e.select(isFirst, element, better),
                            e.select(e.create<arith::OrIOp>(isFirst, beats),
                                     here, scalars[2])};
                  })[1];
  }

  Value isBetter(const ScalarEmitter &e, Value a, Value b) const {
    Value low = best.largest ? b : a, high = best.largest ? a : b;
    return best.takeLast ? e.lessOrEqual(low, high) : e.less(low, high);
  }

  /// The best order keys, then their positions.
  Value buildInTurn(OpBuilder &builder) const {
    Type keyType = getOrderKeyType(getElementTypeOrSelf(input));
    Value worst = buildScalar(builder, loc, keyType, 0);
    Value keys =
        reduce(builder, input, worst,
               [&](const ScalarEmitter &e, ValueRange scalars) -> Values {
                 return {e.create<arith::MaxUIOp>(buildKey(e, scalars[0]),
                                                  scalars[1])};
               })[0];
    // The best rank is that of the position to take. The largest number of all
    // wins, as LLVM takes the least one for a branch.
    Type type = getPositionType(builder);
    OpFoldResult length = getSize(builder, loc, input, axis);
    Value none = buildScalar(builder, loc, type, 0);
    Value ranks = reduce(
        builder, {input, keys}, none,
        [&](const ScalarEmitter &e, ValueRange scalars) -> Values {
          Value count = buildNumber(e, type, length);
          Value here = getPosition(e, type);
          Value rank = best.takeLast ? here : e.sub(count, here);
          Value taken = e.select(hasKey(e, scalars[0], scalars[1]), rank, none);
          if (ranksNaN()) {
            Value isFirst = e.equal(here, e.constant(here, 0));
            Value isNaNInFront =
                e.create<arith::AndIOp>(buildIsNaN(e, scalars[0]), isFirst);
            taken = e.select(isNaNInFront, count, taken);
          }
          return {e.create<arith::MaxSIOp>(taken, scalars[2])};
        })[0];
    return buildElementwise(
        builder, loc, cast<RankedTensorType>(ranks.getType()), ranks,
        [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          ScalarEmitter e(b, nestedLoc, /*isUnsigned=*/false);
          Value count = buildNumber(e, type, length);
          // A NaN in front has the rank of no other position.
          return best.takeLast
                     ? e.select(e.equal(elements[0], count), none, elements[0])
                     : e.sub(count, elements[0]);
        });
  }

  /// Whether a NaN is the best element in front, and the worst elsewhere.
  bool ranksNaN() const {
    return isa<FloatType>(getElementTypeOrSelf(input)) && !best.ordersNaN;
  }

  /// A key that is the larger the better the element is.
  Value buildKey(const ScalarEmitter &e, Value element) const {
    return buildOrderKey(e, element, /*descending=*/!best.largest,
                         /*leastNaN=*/best.largest && !best.ordersNaN);
  }

  /// Whether that of `element` is `key`. Floats are compared as such, which
  /// takes one step for each.
  Value hasKey(const ScalarEmitter &e, Value element, Value key) const {
    if (!ranksNaN()) {
      return e.equal(buildKey(e, element), key);
    }
    Value number = buildOrderedFloat(e, key, /*descending=*/!best.largest);
    // As in a key: a thread may take denormal numbers that it adds for zero.
    Value wide = widenHalf(e.getBuilder(), loc, element);
    return e.equal(e.add(wide, e.constant(wide, 0)), number);
  }

  Value buildIsNaN(const ScalarEmitter &e, Value element) const {
    Value wide = widenHalf(e.getBuilder(), loc, element);
    return e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, wide, wide);
  }

  Value getPosition(const ScalarEmitter &e, Type type) const {
    return e.create<arith::IndexCastOp>(type, e.create<linalg::IndexOp>(axis));
  }

  /// Of 32 bits where all positions fit: twice as many are compared at once.
  Type getPositionType(OpBuilder &builder) const {
    int64_t length = cast<RankedTensorType>(input.getType()).getDimSize(axis);
    bool isShort = !ShapedType::isDynamic(length) && llvm::isInt<32>(length);
    return isShort ? builder.getI32Type() : builder.getI64Type();
  }

  Location loc;
  Value input;
  int64_t axis;
  BestElement best;
  ReductionShape shape;
};

} // namespace

Value nacre::buildArgReduction(OpBuilder &builder, Location loc, Value input,
                               int64_t axis, BestElement best,
                               VPU::Algorithm algorithm) {
  // Keys have the order of NaN, and they alone.
  assert(!(best.ordersNaN && algorithm == VPU::Algorithm::atOnce));
  return ArgReductionEmitter(builder, loc, input, axis, best)
      .build(builder, algorithm);
}
