//===- MergeSort.cpp - Sorting by a given order ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A merge sort from the bottom up: sorted runs of 1, 2, 4 … positions merge in
// pairs, from one buffer into another and back.
//
//===----------------------------------------------------------------------===//

#include "MergeSort.h"
#include "Indices.h"
#include "Loops.h"

using namespace mlir;
using namespace nacre;

namespace {

class MergeEmitter {
public:
  MergeEmitter(OpBuilder &builder, Location loc, Value count, IsBefore isBefore)
      : loc(loc), count(count), one(buildIndex(builder, loc, 1)),
        zero(buildIndex(builder, loc, 0)),
        last(arith::SubIOp::create(builder, loc, count, one)),
        isBefore(isBefore) {}

  /// Merges pairs of runs of `width` positions from `source` into `target`.
  Value mergeRuns(OpBuilder &builder, Value source, Value target,
                  Value width) const {
    Value step = arith::AddIOp::create(builder, loc, width, width);
    return buildFor(
               builder, loc, zero, count, target,
               [&](OpBuilder &b, Value start, ValueRange carried) -> Values {
                 return {merge(b, source, carried[0], start, width, step)};
               },
               step)
        .front();
  }

  Value copy(OpBuilder &builder, Value source, Value target) const {
    return buildFor(builder, loc, zero, count, target,
                    [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                      Value element = buildExtract(b, loc, source, i);
                      return {tensor::InsertOp::create(b, loc, element,
                                                       carried[0], i)};
                    })
        .front();
  }

  Value isBelow(OpBuilder &b, Value i, Value end) const {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, i, end);
  }

private:
  /// Merges the runs that begin at `start` and `width` behind it.
  Value merge(OpBuilder &builder, Value source, Value target, Value start,
              Value width, Value step) const {
    auto endOf = [&](Value size) -> Value {
      Value end = arith::AddIOp::create(builder, loc, start, size);
      return arith::MinSIOp::create(builder, loc, end, count);
    };
    Value middle = endOf(width), end = endOf(step);
    return buildFor(builder, loc, start, end, ValueRange{start, middle, target},
                    [&](OpBuilder &b, Value i, ValueRange carried) {
                      return mergeOne(b, source, carried, i, middle, end);
                    })
        .back();
  }

  /// Position `i` of the merged run; carries what is next in either run.
  Values mergeOne(OpBuilder &b, Value source, ValueRange carried, Value i,
                  Value middle, Value end) const {
    Value left = carried[0], right = carried[1];
    // A run that is over reads a position that exists, and loses.
    auto load = [&](Value from) -> Value {
      Value inside = arith::MinSIOp::create(b, loc, from, last);
      return buildExtract(b, loc, source, inside);
    };
    auto toIndex = [&](Value position) -> Value {
      return arith::IndexCastOp::create(b, loc, b.getIndexType(), position);
    };
    Value a = load(left), c = load(right);
    Value isLeftOver =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, left, middle);
    Value wins = arith::OrIOp::create(b, loc, isLeftOver,
                                      isBefore(b, toIndex(c), toIndex(a)));
    Value takesRight =
        arith::AndIOp::create(b, loc, isBelow(b, right, end), wins);
    Value taken = arith::SelectOp::create(b, loc, takesRight, c, a);
    auto advance = [&](Value from, bool whenRight) -> Value {
      Value next = arith::AddIOp::create(b, loc, from, one);
      return whenRight
                 ? arith::SelectOp::create(b, loc, takesRight, next, from)
                 : arith::SelectOp::create(b, loc, takesRight, from, next);
    };
    return {advance(left, false), advance(right, true),
            tensor::InsertOp::create(b, loc, taken, carried[2], i)};
  }

  Location loc;
  Value count, one, zero, last;
  IsBefore isBefore;
};

} // namespace

Value nacre::buildMergeSort(OpBuilder &builder, Location loc, Value positions,
                            Value scratch, Value count, IsBefore isBefore) {
  MergeEmitter merger(builder, loc, count, isBefore);
  Value width = buildIndex(builder, loc, 1);
  return buildWhile(
      builder, loc, ValueRange{width, positions, scratch},
      [&](OpBuilder &b, ValueRange carried) {
        return merger.isBelow(b, carried[0], count);
      },
      [&](OpBuilder &b, ValueRange carried) -> Values {
        Value width = carried[0];
        Value merged = merger.mergeRuns(b, carried[1], carried[2], width);
        Value next = arith::AddIOp::create(b, loc, width, width);
        // Back, since what a loop carries stays in its buffer.
        return {next, merger.copy(b, merged, carried[1]), merged};
      })[1];
}

Value nacre::isLessInOrder(const ScalarEmitter &e, Value a, Value b) {
  Value less = e.less(a, b);
  if (!isa<FloatType>(a.getType())) {
    return less;
  }
  Value isNaN = e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, b, b);
  Value isNumber = e.create<arith::CmpFOp>(arith::CmpFPredicate::ORD, a, a);
  return e.create<arith::OrIOp>(less, e.create<arith::AndIOp>(isNaN, isNumber));
}
