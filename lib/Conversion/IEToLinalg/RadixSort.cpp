//===- RadixSort.cpp - Sorting by the bits of keys ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A radix sort by bytes, the lowest first: each pass counts how often every
// byte occurs, which says where the entries with it begin, and moves all
// entries there. The bytes are those of the distance from the least key, of
// which close keys have few. Of few entries each finds its place by counting
// those before it, for all of them at once, which LLVM vectorises.
//
//===----------------------------------------------------------------------===//

#include "RadixSort.h"
#include "Indices.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

static constexpr int64_t kDigitBits = 8, kDigitValues = 1 << kDigitBits;

namespace {
/// The vectors of a sorter.
enum Vector {
  kKeys,
  kPositions,
  kSortedKeys,
  kSortedPositions,
  kCounts,
  kRanks
};
} // namespace

Type nacre::getOrderKeyType(Type elementType) {
  return IntegerType::get(elementType.getContext(),
                          VPU::getOrderKeyBits(elementType));
}

Value nacre::buildOrderKey(const ScalarEmitter &e, Value element,
                           bool descending, bool leastNaN) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Type type = getOrderKeyType(element.getType());
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(type, value));
  };
  unsigned width = type.getIntOrFloatBitWidth();
  Value sign = constant(APInt::getSignMask(width));
  Value ones = constant(APInt::getAllOnes(width));
  Value key;
  if (isa<FloatType>(element.getType())) {
    Value wide = widenHalf(builder, loc, element);
    // Adding zero makes a zero of either sign a positive one. Of negative
    // numbers all bits turn around, of others the sign.
    Value bits =
        e.create<arith::BitcastOp>(type, e.add(wide, e.constant(wide, 0)));
    // Chosen before the rest: LLVM would take a constant key for a branch.
    auto floatType = cast<FloatType>(wide.getType());
    Value ofNaN = constant(
        APFloat::getNaN(floatType.getFloatSemantics(), /*Negative=*/leastNaN)
            .bitcastToAPInt());
    Value isNaN =
        e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, wide, wide);
    bits = e.select(isNaN, ofNaN, bits);
    Value shift = constant(APInt(width, width - 1));
    Value turned =
        e.create<arith::OrIOp>(e.create<arith::ShRSIOp>(bits, shift), sign);
    key = e.create<arith::XOrIOp>(bits, turned);
  } else if (element.getType() != type) {
    key = e.create<arith::ExtUIOp>(type, element);
  } else {
    key = e.isUnsigned() ? element : e.create<arith::XOrIOp>(element, sign);
  }
  return descending ? e.create<arith::XOrIOp>(key, ones) : key;
}

Value nacre::buildOrderedFloat(const ScalarEmitter &e, Value key,
                               bool descending) {
  auto type = cast<IntegerType>(key.getType());
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(e.getBuilder(), e.getLoc(),
                                     IntegerAttr::get(type, value));
  };
  unsigned width = type.getWidth();
  Value ones = constant(APInt::getAllOnes(width));
  if (descending) {
    key = e.create<arith::XOrIOp>(key, ones);
  }
  // The sign of a positive number's key is set.
  Value isNegative = e.create<arith::CmpIOp>(arith::CmpIPredicate::sge, key,
                                             constant(APInt::getZero(width)));
  Value bits = e.create<arith::XOrIOp>(
      key, e.select(isNegative, ones, constant(APInt::getSignMask(width))));
  Type floatType = width == 64 ? Type(e.getBuilder().getF64Type())
                               : Type(e.getBuilder().getF32Type());
  return e.create<arith::BitcastOp>(floatType, bits);
}

Value nacre::isKeyLess(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}

static Value toI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

Values RadixSorter::buildVectors(OpBuilder &builder, OpFoldResult room) const {
  room = IE::maximizeSizes(builder, loc, room, builder.getIndexAttr(kFew));
  Type i64 = builder.getI64Type();
  return {buildRoom(builder, loc, {room}, keyType),
          buildRoom(builder, loc, {room}, i64),
          buildRoom(builder, loc, {room}, keyType),
          buildRoom(builder, loc, {room}, i64),
          buildRoom(builder, loc, {builder.getIndexAttr(kDigitValues)}, i64),
          // Numbers up to kFew, in a type whose vectors are as long as those of
          // the keys.
          buildRoom(builder, loc, {builder.getIndexAttr(kFew)}, keyType)};
}

Values RadixSorter::set(OpBuilder &builder, ValueRange vectors, Value at,
                        Value key, Value position) const {
  Values next(vectors);
  next[kKeys] = tensor::InsertOp::create(builder, loc, key, vectors[kKeys], at);
  next[kPositions] = tensor::InsertOp::create(
      builder, loc, toI64(builder, loc, position), vectors[kPositions], at);
  return next;
}

Value RadixSorter::getKey(OpBuilder &builder, ValueRange vectors,
                          Value at) const {
  return buildExtract(builder, loc, vectors[kKeys], at);
}

Value RadixSorter::getPosition(OpBuilder &builder, ValueRange vectors,
                               Value at) const {
  return arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      buildExtract(builder, loc, vectors[kPositions], at));
}

Values RadixSorter::sort(OpBuilder &builder, ValueRange vectors,
                         Value count) const {
  if (cast<RankedTensorType>(vectors[kKeys].getType()).getDimSize(0) == kFew) {
    return sortFew(builder, vectors, count);
  }
  Value few = buildIndex(builder, loc, kFew);
  Value areFew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                       count, few);
  Values sorted = buildIf(builder, loc, areFew, vectors, [&](OpBuilder &b) {
    return sortFew(b, vectors, count);
  });
  Value zero = buildIndex(builder, loc, 0);
  // Then there is nothing left to do in the passes.
  Value left = arith::SelectOp::create(builder, loc, areFew, zero, count);
  Values range = findRange(builder, sorted[kKeys], left);
  return buildFor(
      builder, loc, zero, countBits(builder, range), sorted,
      [&](OpBuilder &b, Value shift, ValueRange carried) {
        return sortByDigit(b, carried, count, {range[0], shift});
      },
      buildIndex(builder, loc, kDigitBits));
}

Values RadixSorter::append(OpBuilder &builder, ValueRange list, Value key,
                           Value position, Value enters) const {
  Values next = set(builder, list.drop_front(), list[0], key, position);
  Value number = arith::IndexCastUIOp::create(builder, loc,
                                              builder.getIndexType(), enters);
  next.insert(next.begin(),
              arith::AddIOp::create(builder, loc, list[0], number));
  return next;
}

Values RadixSorter::keepUpTo(OpBuilder &builder, ValueRange list,
                             Value bound) const {
  Values kept(list);
  kept[0] = buildIndex(builder, loc, 0);
  return buildFor(builder, loc, kept[0], list[0], kept,
                  [&](OpBuilder &b, Value i, ValueRange carried) {
                    ValueRange vectors = carried.drop_front();
                    Value key = getKey(b, vectors, i);
                    Value isKept = arith::CmpIOp::create(
                        b, loc, arith::CmpIPredicate::ule, key, bound);
                    return append(b, carried, key, getPosition(b, vectors, i),
                                  isKept);
                  });
}

/// By the highest digit of the keys' distances from the least one: the bound is
/// the last key that has the digit with which there are enough.
Value RadixSorter::findBound(OpBuilder &builder, ValueRange vectors,
                             Value count, Value wanted) const {
  Value zero = buildIndex(builder, loc, 0);
  Values range = findRange(builder, vectors[kKeys], count);
  Value shift = arith::MaxSIOp::create(
      builder, loc, zero,
      arith::SubIOp::create(builder, loc, countBits(builder, range),
                            buildIndex(builder, loc, kDigitBits)));
  Value counts = countDigits(builder, vectors, count, {range[0], shift});
  Value last = buildIndex(builder, loc, kDigitValues - 1);
  Value needed = toI64(builder, loc, wanted);
  // The digit, and how many keys have it or a lower one.
  Value first = buildExtract(builder, loc, counts, zero);
  Value digit = buildWhile(
      builder, loc, {zero, first},
      [&](OpBuilder &b, ValueRange carried) -> Value {
        return arith::AndIOp::create(
            b, loc,
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, carried[0],
                                  last),
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, carried[1],
                                  needed));
      },
      [&](OpBuilder &b, ValueRange carried) -> Values {
        Value next =
            arith::AddIOp::create(b, loc, carried[0], buildIndex(b, loc, 1));
        return {next,
                arith::AddIOp::create(b, loc, carried[1],
                                      buildExtract(b, loc, counts, next))};
      })[0];
  auto toKey = [&](Value index) -> Value {
    return arith::IndexCastOp::create(builder, loc, keyType, index);
  };
  // One less than the first key of the next digit, which may be beyond all
  // keys: the distance is no larger than that of the largest.
  Value one = buildScalar(builder, loc, keyType, 1);
  Value bits = toKey(shift);
  Value distance = arith::OrIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, toKey(digit), bits),
      arith::SubIOp::create(
          builder, loc, arith::ShLIOp::create(builder, loc, one, bits), one));
  Value most = arith::SubIOp::create(builder, loc, range[1], range[0]);
  return arith::AddIOp::create(
      builder, loc, range[0],
      arith::MinUIOp::create(builder, loc, distance, most));
}

/// Of keys in a row, as long as few are, the least in each column: that many
/// keys do not exceed these, and few others do not exceed the first of them.
Values RadixSorter::findBoundOf(
    OpBuilder &builder, ValueRange vectors, Value end, Value wanted,
    llvm::function_ref<Value(OpBuilder &, Value)> getKey) const {
  Value zero = buildIndex(builder, loc, 0),
        few = buildIndex(builder, loc, kFew);
  Value largest = arith::ConstantOp::create(
      builder, loc,
      IntegerAttr::get(keyType,
                       APInt::getAllOnes(keyType.getIntOrFloatBitWidth())));
  Values least(vectors);
  auto forColumns = [&](OpBuilder &b, ValueRange init, ForBody body) {
    return buildFor(b, loc, zero, few, init, body);
  };
  least[kKeys] = forColumns(
      builder, vectors[kKeys],
      [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
        return {tensor::InsertOp::create(b, loc, largest, carried[0], i)};
      })[0];
  least[kKeys] = buildFor(
      builder, loc, zero, end, least[kKeys],
      [&](OpBuilder &nested, Value first, ValueRange rows) {
        return forColumns(
            nested, rows,
            [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
              Value key = getKey(b, arith::AddIOp::create(b, loc, first, i));
              Value next = arith::MinUIOp::create(
                  b, loc, key, buildExtract(b, loc, carried[0], i));
              return {tensor::InsertOp::create(b, loc, next, carried[0], i)};
            });
      },
      few)[0];
  Value counts = countKeys(builder, least, few, arith::CmpIPredicate::ule);
  // More are wanted than there can be where they are not few.
  Value needed = arith::IndexCastOp::create(
      builder, loc, keyType,
      arith::MinUIOp::create(builder, loc, wanted,
                             buildIndex(builder, loc, kFew + 1)));
  Value keys = loadFewKeys(builder, least);
  auto splat = [&](Value scalar) -> Value {
    return vector::BroadcastOp::create(builder, loc, keys.getType(), scalar);
  };
  Value areEnough = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge, counts, splat(needed));
  Value bounds =
      arith::SelectOp::create(builder, loc, areEnough, keys, splat(largest));
  least.insert(least.begin(),
               vector::ReductionOp::create(builder, loc,
                                           vector::CombiningKind::MINUI, bounds)
                   .getResult());
  return least;
}

/// The least and the largest of the first `count` keys, which of none are
/// equal.
Values RadixSorter::findRange(OpBuilder &builder, Value keys,
                              Value count) const {
  Value first = buildExtract(builder, loc, keys, buildIndex(builder, loc, 0));
  return buildFor(builder, loc, buildIndex(builder, loc, 0), count,
                  {first, first},
                  [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                    Value key = buildExtract(b, loc, keys, i);
                    return {arith::MinUIOp::create(b, loc, carried[0], key),
                            arith::MaxUIOp::create(b, loc, carried[1], key)};
                  });
}

/// How many bits the distance between keys of a range can have.
Value RadixSorter::countBits(OpBuilder &builder, ValueRange range) const {
  Value distance = arith::SubIOp::create(builder, loc, range[1], range[0]);
  Value zeros = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(),
      math::CountLeadingZerosOp::create(builder, loc, distance).getResult());
  return arith::SubIOp::create(
      builder, loc, buildIndex(builder, loc, keyType.getIntOrFloatBitWidth()),
      zeros);
}

/// Each entry goes behind those with a lower key, and those with an equal one
/// that have been moved before.
Values RadixSorter::sortFew(OpBuilder &builder, ValueRange vectors,
                            Value count) const {
  Value zero = buildIndex(builder, loc, 0);
  Values ranked(vectors);
  ranked[kRanks] =
      vector::TransferWriteOp::create(
          builder, loc,
          countKeys(builder, vectors, count, arith::CmpIPredicate::ult),
          vectors[kRanks], ValueRange{zero}, ArrayRef{true})
          .getResult();
  ranked[kCounts] =
      clearCounts(builder, vectors, buildIndex(builder, loc, kFew));
  Values moved = buildFor(
      builder, loc, zero, count, ranked,
      [&](OpBuilder &b, Value i, ValueRange carried) {
        Value rank = arith::IndexCastUIOp::create(
            b, loc, b.getIndexType(), buildExtract(b, loc, carried[kRanks], i));
        Value equal = buildExtract(b, loc, carried[kCounts], rank);
        Value to = arith::AddIOp::create(
            b, loc, rank,
            arith::IndexCastOp::create(b, loc, b.getIndexType(), equal));
        Values next = move(b, carried, i, to);
        next[kCounts] = tensor::InsertOp::create(
            b, loc,
            arith::AddIOp::create(b, loc, equal,
                                  buildScalar(b, loc, equal.getType(), 1)),
            next[kCounts], rank);
        return next;
      });
  return copyBack(builder, moved, count);
}

/// The first keys, as many as few are, in one vector.
Value RadixSorter::loadFewKeys(OpBuilder &builder, ValueRange vectors) const {
  return vector::TransferReadOp::create(
      builder, loc, VectorType::get({kFew}, keyType), vectors[kKeys],
      ValueRange{buildIndex(builder, loc, 0)},
      buildScalar(builder, loc, keyType, 0), ArrayRef{true});
}

/// A vector of how many of the first `count` keys are less than each of the
/// first ones, or not greater. What nothing is in has some number.
Value RadixSorter::countKeys(OpBuilder &builder, ValueRange vectors,
                             Value count,
                             arith::CmpIPredicate predicate) const {
  Value keys = loadFewKeys(builder, vectors);
  Value none = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(keys.getType()));
  return buildFor(
      builder, loc, buildIndex(builder, loc, 0), count, none,
      [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
        Value key = vector::BroadcastOp::create(b, loc, keys.getType(),
                                                getKey(b, vectors, i));
        Value counts = arith::CmpIOp::create(b, loc, predicate, key, keys);
        return {arith::AddIOp::create(
            b, loc, carried[0],
            arith::ExtUIOp::create(b, loc, keys.getType(), counts))};
      })[0];
}

/// One pass; nothing happens where all keys have the same digit.
Values RadixSorter::sortByDigit(OpBuilder &builder, ValueRange vectors,
                                Value count, const Digit &digit) const {
  Values counted(vectors);
  counted[kCounts] = countDigits(builder, vectors, count, digit);
  Value first = getDigit(
      builder, getKey(builder, vectors, buildIndex(builder, loc, 0)), digit);
  Value ofFirst = buildExtract(builder, loc, counted[kCounts], first);
  Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       ofFirst, toI64(builder, loc, count));
  return buildIf(builder, loc, differ, counted, [&](OpBuilder &b) {
    return copyBack(b, distribute(b, counted, count, digit), count);
  });
}

/// The first `number` counts set to zero.
Value RadixSorter::clearCounts(OpBuilder &builder, ValueRange vectors,
                               Value number) const {
  Value none = buildScalar(builder, loc, builder.getI64Type(), 0);
  return buildFor(
      builder, loc, buildIndex(builder, loc, 0), number, vectors[kCounts],
      [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
        return {tensor::InsertOp::create(b, loc, none, carried[0], i)};
      })[0];
}

/// How often each value of a digit occurs.
Value RadixSorter::countDigits(OpBuilder &builder, ValueRange vectors,
                               Value count, const Digit &digit) const {
  Value zero = buildIndex(builder, loc, 0);
  Value one = buildScalar(builder, loc, builder.getI64Type(), 1);
  Value cleared =
      clearCounts(builder, vectors, buildIndex(builder, loc, kDigitValues));
  return buildFor(builder, loc, zero, count, cleared,
                  [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                    Value at = getDigit(b, getKey(b, vectors, i), digit);
                    Value before = buildExtract(b, loc, carried[0], at);
                    Value next = arith::AddIOp::create(b, loc, before, one);
                    return {
                        tensor::InsertOp::create(b, loc, next, carried[0], at)};
                  })[0];
}

/// Moves the entries into the order of a digit, the numbers of whose values are
/// known.
Values RadixSorter::distribute(OpBuilder &builder, ValueRange vectors,
                               Value count, const Digit &digit) const {
  Value zero = buildIndex(builder, loc, 0);
  Values starts(vectors);
  starts[kCounts] = buildFor(
      builder, loc, zero, buildIndex(builder, loc, kDigitValues),
      {vectors[kCounts], buildScalar(builder, loc, builder.getI64Type(), 0)},
      [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
        Value size = buildExtract(b, loc, carried[0], i);
        return {tensor::InsertOp::create(b, loc, carried[1], carried[0], i),
                arith::AddIOp::create(b, loc, carried[1], size)};
      })[0];
  return buildFor(builder, loc, zero, count, starts,
                  [&](OpBuilder &b, Value i, ValueRange carried) {
                    Value at = getDigit(b, getKey(b, carried, i), digit);
                    Value to = arith::IndexCastOp::create(
                        b, loc, b.getIndexType(),
                        buildExtract(b, loc, carried[kCounts], at));
                    Value next = arith::AddIOp::create(b, loc, to,
                                                       buildIndex(b, loc, 1));
                    Values moved = move(b, carried, i, to);
                    moved[kCounts] = tensor::InsertOp::create(
                        b, loc, toI64(b, loc, next), moved[kCounts], at);
                    return moved;
                  });
}

/// Copies entry `from` to entry `to` of those sorted.
Values RadixSorter::move(OpBuilder &builder, ValueRange vectors, Value from,
                         Value to) const {
  Values next(vectors);
  auto moveOne = [&](Vector source, Vector target) {
    next[target] = tensor::InsertOp::create(
        builder, loc, buildExtract(builder, loc, vectors[source], from),
        vectors[target], to);
  };
  moveOne(kKeys, kSortedKeys);
  moveOne(kPositions, kSortedPositions);
  return next;
}

/// Back, since what a loop carries stays in its buffer.
Values RadixSorter::copyBack(OpBuilder &builder, ValueRange vectors,
                             Value count) const {
  Values next(vectors);
  auto copy = [&](Vector source, Vector target) {
    next[target] = buildFor(
        builder, loc, buildIndex(builder, loc, 0), count, vectors[target],
        [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
          Value entry = buildExtract(b, loc, vectors[source], i);
          return {tensor::InsertOp::create(b, loc, entry, carried[0], i)};
        })[0];
  };
  copy(kSortedKeys, kKeys);
  copy(kSortedPositions, kPositions);
  return next;
}

Value RadixSorter::getDigit(OpBuilder &builder, Value key,
                            const Digit &digit) const {
  Value distance = arith::SubIOp::create(builder, loc, key, digit.least);
  Value shift = arith::IndexCastOp::create(builder, loc, keyType, digit.shift);
  Value shifted = arith::ShRUIOp::create(builder, loc, distance, shift);
  Value mask = arith::ConstantOp::create(
      builder, loc,
      IntegerAttr::get(
          keyType,
          APInt::getLowBitsSet(keyType.getIntOrFloatBitWidth(), kDigitBits)));
  return arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(),
      arith::AndIOp::create(builder, loc, shifted, mask).getResult());
}
