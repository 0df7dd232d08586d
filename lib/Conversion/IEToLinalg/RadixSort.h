//===- RadixSort.h - Sorting by the bits of keys ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps numbers to unsigned integers in the same order, and sorts by those
// without comparing them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_RADIXSORT_H
#define NACRE_LIB_CONVERSION_IETOLINALG_RADIXSORT_H

#include "Loops.h"
#include "ScalarEmitter.h"

namespace nacre {

/// The type of the order keys of elements of a type.
mlir::Type getOrderKeyType(mlir::Type elementType);

/// `element` as an unsigned integer: less where the element is, equal where it
/// is. The key of a NaN, of either sign, is larger than those of all numbers,
/// or less where `leastNaN`. No float has the key 0, or that of which all bits
/// are set. With `descending` keys are the less the larger the element.
mlir::Value buildOrderKey(const ScalarEmitter &emitter, mlir::Value element,
                          bool descending, bool leastNaN = false);

/// The float, of 32 bits for half precision, that has the order key.
mlir::Value buildOrderedFloat(const ScalarEmitter &emitter, mlir::Value key,
                              bool descending);

/// a < b for order keys.
mlir::Value isKeyLess(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);

/// Vectors of order keys and of what moves with them when they are sorted.
class RadixSorter {
public:
  /// As many entries as it pays to compare with each other. More are sorted by
  /// digits, which takes longer for each of them. A detail of how to sort: both
  /// ways are in every kernel, as a run may have either.
  static constexpr int64_t kFew = 64;

  RadixSorter(mlir::Location loc, mlir::Type keyType)
      : loc(loc), keyType(keyType) {}

  /// The vectors without values, for at most `room` keys: the keys, their i64
  /// positions, and room to sort in. What loops change they have to carry.
  Values buildVectors(mlir::OpBuilder &builder, mlir::OpFoldResult room) const;

  /// The vectors with entry `at` set to a key and its position, an index.
  Values set(mlir::OpBuilder &builder, mlir::ValueRange vectors, mlir::Value at,
             mlir::Value key, mlir::Value position) const;

  mlir::Value getKey(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                     mlir::Value at) const;
  /// An index.
  mlir::Value getPosition(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                          mlir::Value at) const;

  /// A key that at least `wanted` of the first `count` keys do not exceed, and
  /// not many more: the largest key of all if there are fewer.
  mlir::Value findBound(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                        mlir::Value count, mlir::Value wanted) const;

  /// The same of keys that are not in the vectors, of which `getKey` gives each
  /// below `end`, a multiple of kFew: none but the largest of all numbers is
  /// sure not to be exceeded where they are few. Then the vectors, in which
  /// nothing is left. Takes a few steps for each of vectors of keys.
  Values
  findBoundOf(mlir::OpBuilder &builder, mlir::ValueRange vectors,
              mlir::Value end, mlir::Value wanted,
              llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)>
                  getKey) const;

  /// `list`, the length of a list and the vectors with it, with an entry behind
  /// it, which is part of it if it `enters`: without a branch, which nothing
  /// could predict.
  Values append(mlir::OpBuilder &builder, mlir::ValueRange list,
                mlir::Value key, mlir::Value position,
                mlir::Value enters) const;

  /// A list, the length first, of those of `list` whose keys do not exceed
  /// `bound`, in their order.
  Values keepUpTo(mlir::OpBuilder &builder, mlir::ValueRange list,
                  mlir::Value bound) const;

  /// The vectors with their first `count` entries in ascending order of keys;
  /// equal ones stay in order. Takes a multiple of `count` steps.
  Values sort(mlir::OpBuilder &builder, mlir::ValueRange vectors,
              mlir::Value count) const;

private:
  /// A digit of the distance of keys from the least one, which begins at bit
  /// `shift`, an index.
  struct Digit {
    mlir::Value least, shift;
  };

  Values findRange(mlir::OpBuilder &builder, mlir::Value keys,
                   mlir::Value count) const;
  mlir::Value countBits(mlir::OpBuilder &builder, mlir::ValueRange range) const;
  Values sortFew(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                 mlir::Value count) const;
  mlir::Value loadFewKeys(mlir::OpBuilder &builder,
                          mlir::ValueRange vectors) const;
  mlir::Value countKeys(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                        mlir::Value count,
                        mlir::arith::CmpIPredicate predicate) const;
  mlir::Value clearCounts(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                          mlir::Value number) const;
  Values sortByDigit(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                     mlir::Value count, const Digit &digit) const;
  mlir::Value countDigits(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                          mlir::Value count, const Digit &digit) const;
  Values distribute(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                    mlir::Value count, const Digit &digit) const;
  Values move(mlir::OpBuilder &builder, mlir::ValueRange vectors,
              mlir::Value from, mlir::Value to) const;
  Values copyBack(mlir::OpBuilder &builder, mlir::ValueRange vectors,
                  mlir::Value count) const;
  mlir::Value getDigit(mlir::OpBuilder &builder, mlir::Value key,
                       const Digit &digit) const;

  mlir::Location loc;
  mlir::Type keyType;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_RADIXSORT_H
