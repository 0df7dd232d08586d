//===- ColumnSort.cpp - Sorting many columns side by side -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batcher's network for merging odd and even elements (The Art of Computer
// Programming, volume 3, algorithm 5.2.2M), which compares elements in an order
// that does not depend on them: those of several columns at once, as vectors.
// What is compared is an integer of the order key above and the position below,
// so that of equal elements the first comes first and one minimum and one
// maximum exchange both.
//
//===----------------------------------------------------------------------===//

#include "ColumnSort.h"
#include "Indices.h"
#include "RadixSort.h"
#include "RunTimeLength.h"
#include "ScalarEmitter.h"

#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

class ColumnSortEmitter {
public:
  ColumnSortEmitter(OpBuilder &builder, Location loc, Value input, int64_t k,
                    ElementOrder order)
      : loc(loc), input(input), k(k), order(order),
        type(cast<RankedTensorType>(input.getType())),
        length(type.getDimSize(1)), columns(type.getDimSize(2)),
        width(VPU::countSortedColumns(columns, length, type.getElementType())),
        entryType(builder.getIntegerType(
            VPU::getSortedEntryBits(length, type.getElementType()))),
        positionBits(llvm::Log2_64_Ceil(length)), zero(index(builder, 0)),
        one(index(builder, 1)) {}

  Values build(OpBuilder &builder, ValueRange outputs) const {
    Values state(outputs);
    state.push_back(
        buildRoom(builder, loc,
                  {builder.getIndexAttr(length), builder.getIndexAttr(width)},
                  entryType));
    Value rows = getValueOrCreateConstantIndexOp(
        builder, loc, getSize(builder, loc, input, 0));
    Values results = buildFor(
        builder, loc, zero, rows, state,
        [&](OpBuilder &b, Value row, ValueRange carried) {
          return buildFor(
              b, loc, zero, index(b, columns), carried,
              [&](OpBuilder &inner, Value first, ValueRange last) {
                // The last block overlaps the one before it: all are of one
                // width.
                Value start = arith::MinSIOp::create(
                    inner, loc, first, index(inner, columns - width));
                Value entries = sort(inner, fill(inner, row, start, last[2]));
                Values next =
                    write(inner, row, start, last.take_front(2), entries);
                next.push_back(entries);
                return next;
              },
              index(b, width));
        });
    markIndependent(results.front().getDefiningOp(), /*dim=*/0);
    return {results[0], results[1]};
  }

private:
  Value index(OpBuilder &b, int64_t value) const {
    return buildIndex(b, loc, value);
  }

  Value add(OpBuilder &b, Value x, Value y) const {
    return arith::AddIOp::create(b, loc, x, y);
  }

  Value subtract(OpBuilder &b, Value x, Value y) const {
    return arith::SubIOp::create(b, loc, x, y);
  }

  Value constant(OpBuilder &b, uint64_t value) const {
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(entryType, static_cast<int64_t>(value)));
  }

  /// The entries of the columns from `start`.
  Value fill(OpBuilder &builder, Value row, Value start, Value entries) const {
    return buildFor(
        builder, loc, zero, index(builder, length), entries,
        [&](OpBuilder &nested, Value i, ValueRange filled) {
          Value position =
              arith::IndexCastOp::create(nested, loc, entryType, i);
          return buildFor(
              nested, loc, zero, index(nested, width), filled,
              [&](OpBuilder &b, Value c, ValueRange carried) -> Values {
                ScalarEmitter e(b, loc, order.isUnsigned);
                Value element =
                    buildExtract(b, loc, input, {row, i, add(b, start, c)});
                Value key = buildOrderKey(e, element, order.descending);
                if (key.getType() != entryType) {
                  key = arith::ExtUIOp::create(b, loc, entryType, key);
                }
                Value entry = arith::OrIOp::create(
                    b, loc,
                    arith::ShLIOp::create(b, loc, key,
                                          constant(b, positionBits)),
                    position);
                return {tensor::InsertOp::create(b, loc, entry, carried[0],
                                                 ValueRange{i, c})};
              });
        })[0];
  }

  /// The entries in ascending order. Runs of 1, 2, 4, ... are sorted, two of
  /// which are merged: first each element of one with that of the other, which
  /// is as far away as a run is long, then elements half as far away, and so
  /// on, those at the ends of both runs but in the first step excepted.
  Value sort(OpBuilder &builder, Value entries) const {
    Value stages = index(builder, positionBits);
    return buildFor(builder, loc, zero, stages, entries,
                    [&](OpBuilder &b, Value stage, ValueRange ofStage) {
                      Value run = arith::ShLIOp::create(b, loc, one, stage);
                      Values merged = mergeAt(b, run, run, zero, ofStage);
                      return buildFor(
                          b, loc, zero, stage, merged,
                          [&](OpBuilder &inner, Value step, ValueRange ofStep) {
                            Value distance = arith::ShRUIOp::create(
                                inner, loc, run, add(inner, step, one));
                            return mergeAt(inner, run, distance, distance,
                                           ofStep);
                          });
                    })[0];
  }

  /// Compares elements `distance` apart in each pair of runs, those from
  /// `first` in it.
  Values mergeAt(OpBuilder &builder, Value run, Value distance, Value first,
                 ValueRange entries) const {
    Value two = index(builder, 2);
    Value end = subtract(builder, index(builder, length), distance);
    Value pair = arith::MulIOp::create(builder, loc, run, two);
    Value step = arith::MulIOp::create(builder, loc, distance, two);
    return buildFor(
        builder, loc, zero, end, entries,
        [&](OpBuilder &inPair, Value start, ValueRange ofPair) {
          Value last = subtract(inPair, add(inPair, start, pair), distance);
          return buildFor(
              inPair, loc, add(inPair, start, first),
              arith::MinSIOp::create(inPair, loc, last, end), ofPair,
              [&](OpBuilder &inGroup, Value group, ValueRange ofGroup) {
                Value behind = arith::MinSIOp::create(
                    inGroup, loc, add(inGroup, group, distance), end);
                return buildFor(
                    inGroup, loc, group, behind, ofGroup,
                    [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                      return {exchange(b, carried[0], i, add(b, i, distance))};
                    });
              },
              step);
        },
        pair);
  }

  /// Has the less of two rows of entries in front.
  Value exchange(OpBuilder &b, Value entries, Value front, Value back) const {
    auto vectorType = VectorType::get({width}, entryType);
    auto load = [&](Value i) -> Value {
      return vector::TransferReadOp::create(
          b, loc, vectorType, entries, ValueRange{i, zero},
          /*padding=*/constant(b, 0), ArrayRef<bool>{true});
    };
    Value x = load(front), y = load(back);
    for (auto [i, value] :
         {std::pair<Value, Value>{front, arith::MinUIOp::create(b, loc, x, y)},
          {back, arith::MaxUIOp::create(b, loc, x, y)}}) {
      entries = vector::TransferWriteOp::create(b, loc, value, entries,
                                                ValueRange{i, zero},
                                                ArrayRef<bool>{true})
                    .getResult();
    }
    return entries;
  }

  Values write(OpBuilder &builder, Value row, Value start, ValueRange outputs,
               Value entries) const {
    auto getPosition = [&](OpBuilder &b, Value place, Value c) -> Value {
      return arith::AndIOp::create(
          b, loc, buildExtract(b, loc, entries, {place, c}),
          constant(b, (uint64_t(1) << positionBits) - 1));
    };
    return writeBest(builder, loc, input, {row, start, width, k, getPosition},
                     outputs);
  }

  Location loc;
  Value input;
  int64_t k;
  ElementOrder order;
  RankedTensorType type;
  int64_t length, columns, width;
  Type entryType;
  int64_t positionBits;
  Value zero, one;
};

} // namespace

Values nacre::buildColumnSort(OpBuilder &builder, Location loc, Value input,
                              int64_t k, ElementOrder order,
                              ValueRange outputs) {
  ColumnSortEmitter emitter(builder, loc, input, k, order);
  return emitter.build(builder, outputs);
}
