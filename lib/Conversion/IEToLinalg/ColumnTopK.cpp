//===- ColumnTopK.cpp - The best few of many columns ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TopK along an axis that is not the last one, of a few results: the best so
// far of a block of columns are kept in order, and a row of elements goes
// through them, each taking the place of the first that is worse, which moves
// on. LLVM vectorises that over the columns. Rows in which nothing is better
// than the last of the best are passed over. Blocks beside each other take a
// row one after the other, so that rows are read as they lie.
//
//===----------------------------------------------------------------------===//

#include "ColumnTopK.h"
#include "Indices.h"
#include "RadixSort.h"
#include "RunTimeLength.h"
#include "ScalarEmitter.h"
#include "nacre/Dialect/VPU/Cost/Constants.h"

using namespace mlir;
using namespace nacre;

// The bits of the keys of a row that are looked at together: two vectors of the
// widest machine, and few enough that a row in which none is better is common.
static constexpr int64_t kRowBits = 2 * VPU::kWidestVectorBytes * 8;
// The most columns of a block, so that a row is looked at in one step: narrower
// keys would make blocks in which one is better more often than not.
static constexpr int64_t kMostColumns = 32;
// What the best of blocks beside each other may take of a first-level cache.
static constexpr int64_t kStateBits = VPU::kNearBytes * 8;

namespace {

class ColumnTopKEmitter {
public:
  ColumnTopKEmitter(OpBuilder &builder, Location loc, Value input, int64_t k,
                    ElementOrder order)
      : loc(loc), input(input), k(k), order(order),
        keyType(getOrderKeyType(getElementTypeOrSelf(input))),
        columns(cast<RankedTensorType>(input.getType()).getDimSize(2)),
        width(std::min({columns, kMostColumns,
                        kRowBits / keyType.getIntOrFloatBitWidth()})),
        zero(buildIndex(builder, loc, 0)) {
    int64_t length = cast<RankedTensorType>(input.getType()).getDimSize(1);
    bool isShort = !ShapedType::isDynamic(length) &&
                   length <= std::numeric_limits<int32_t>::max();
    positionType = builder.getIntegerType(isShort ? 32 : 64);
  }

  Values build(OpBuilder &builder, ValueRange outputs) const {
    int64_t blocks = llvm::divideCeilSigned(columns, width);
    int64_t bits =
        keyType.getIntOrFloatBitWidth() + positionType.getIntOrFloatBitWidth();
    int64_t group = std::clamp<int64_t>(kStateBits / (bits * k * width),
                                        /*lo=*/1, /*hi=*/blocks);
    Values state(outputs);
    Sizes room = {builder.getIndexAttr(group), builder.getIndexAttr(k),
                  builder.getIndexAttr(width)};
    state.push_back(buildRoom(builder, loc, room, keyType));
    state.push_back(buildRoom(builder, loc, room, positionType));
    Values results = buildFor(
        builder, loc, zero, sizeOf(builder, 0), state,
        [&](OpBuilder &b, Value row, ValueRange carried) {
          return buildFor(
              b, loc, zero, buildIndex(b, loc, blocks), carried,
              [&](OpBuilder &inner, Value first, ValueRange last) {
                Value end = arith::MinSIOp::create(
                    inner, loc, at(inner, first, buildIndex(inner, loc, group)),
                    buildIndex(inner, loc, blocks));
                return selectBlocks(inner, row, first, end, last);
              },
              buildIndex(b, loc, group));
        });
    markIndependent(results.front().getDefiningOp(), /*dim=*/0);
    return {results[0], results[1]};
  }

private:
  /// A block of columns: its first one, and where its best are.
  struct Block {
    Value start, slot;
  };

  Value sizeOf(OpBuilder &b, int64_t dim) const {
    return getValueOrCreateConstantIndexOp(b, loc, getSize(b, loc, input, dim));
  }

  Value loadKey(OpBuilder &b, Value row, Value i, Value column) const {
    ScalarEmitter e(b, loc, order.isUnsigned);
    return buildOrderKey(e, buildExtract(b, loc, input, {row, i, column}),
                         order.descending);
  }

  /// The results of the blocks of columns from `first` to before `end`.
  Values selectBlocks(OpBuilder &builder, Value row, Value first, Value end,
                      ValueRange state) const {
    Values best = buildFor(
        builder, loc, zero, sizeOf(builder, 1), state.drop_front(2),
        [&](OpBuilder &nested, Value i, ValueRange rowBest) {
          return forBlocks(
              nested, first, end, rowBest,
              [&](OpBuilder &b, const Block &block, ValueRange carried) {
                return buildIf(b, loc, areAnyBetter(b, row, i, block, carried),
                               carried, [&](OpBuilder &inner) {
                                 return insertRow(inner, row, i, block,
                                                  carried);
                               });
              });
        });
    Values next =
        forBlocks(builder, first, end, state.take_front(2),
                  [&](OpBuilder &b, const Block &block, ValueRange outputs) {
                    return writeBlock(b, row, block, outputs, best);
                  });
    next.append(best);
    return next;
  }

  Values
  forBlocks(OpBuilder &builder, Value first, Value end, ValueRange init,
            llvm::function_ref<Values(OpBuilder &, const Block &, ValueRange)>
                body) const {
    return buildFor(
        builder, loc, first, end, init,
        [&](OpBuilder &b, Value number, ValueRange carried) {
          // The last block overlaps the one before it: all are of one width.
          Value start = arith::MinSIOp::create(
              b, loc,
              arith::MulIOp::create(b, loc, number, buildIndex(b, loc, width)),
              buildIndex(b, loc, columns - width));
          Value slot = arith::SubIOp::create(b, loc, number, first);
          return body(b, {start, slot}, carried);
        });
  }

  Values forColumns(OpBuilder &builder, ValueRange init, ForBody body) const {
    return buildFor(builder, loc, zero, buildIndex(builder, loc, width), init,
                    body);
  }

  Value at(OpBuilder &b, Value start, Value c) const {
    return arith::AddIOp::create(b, loc, start, c);
  }

  /// The first rows fill the places; later ones have to be better than the
  /// last of the best.
  Value areAnyBetter(OpBuilder &builder, Value row, Value i, const Block &block,
                     ValueRange best) const {
    Type i32 = builder.getI32Type();
    Value none = buildScalar(builder, loc, i32, 0);
    Value last = buildIndex(builder, loc, k - 1);
    Value number =
        forColumns(builder, none,
                   [&](OpBuilder &b, Value c, ValueRange carried) -> Values {
                     Value key = loadKey(b, row, i, at(b, block.start, c));
                     Value worst =
                         buildExtract(b, loc, best[0], {block.slot, last, c});
                     Value isBetter = isKeyLess(b, loc, key, worst);
                     return {arith::AddIOp::create(
                         b, loc, carried[0],
                         arith::ExtUIOp::create(b, loc, i32, isBetter))};
                   })[0];
    Value areAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         number, none);
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, i, last);
    return arith::OrIOp::create(builder, loc, areAny, isFirst);
  }

  /// Each element of row `i` takes the first place with a worse one, or that
  /// nothing is in yet; what was there goes on.
  Values insertRow(OpBuilder &builder, Value row, Value i, const Block &block,
                   ValueRange best) const {
    Values places, isFree;
    for (int64_t place = 0; place < k; ++place) {
      places.push_back(buildIndex(builder, loc, place));
      isFree.push_back(arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sle, i, places.back()));
    }
    return forColumns(
        builder, best,
        [&](OpBuilder &b, Value c, ValueRange carried) -> Values {
          ScalarEmitter e(b, loc, /*isUnsigned=*/true);
          Value key = loadKey(b, row, i, at(b, block.start, c));
          Value position = arith::IndexCastOp::create(b, loc, positionType, i);
          Value keys = carried[0], positions = carried[1];
          // Where one took a place, all behind it move on.
          Value isBetter;
          for (auto [place, isOpen] : llvm::zip_equal(places, isFree)) {
            Values where = {block.slot, place, c};
            Value ownKey = buildExtract(b, loc, keys, where);
            Value own = buildExtract(b, loc, positions, where);
            Value isHere = arith::OrIOp::create(b, loc, isOpen,
                                                isKeyLess(b, loc, key, ownKey));
            isBetter = isBetter ? arith::OrIOp::create(b, loc, isBetter, isHere)
                                : isHere;
            keys = tensor::InsertOp::create(
                b, loc, e.select(isBetter, key, ownKey), keys, where);
            positions = tensor::InsertOp::create(
                b, loc, e.select(isBetter, position, own), positions, where);
            key = e.select(isBetter, ownKey, key);
            position = e.select(isBetter, own, position);
          }
          return {keys, positions};
        });
  }

  Values writeBlock(OpBuilder &builder, Value row, const Block &block,
                    ValueRange outputs, ValueRange best) const {
    auto getPosition = [&](OpBuilder &b, Value place, Value c) -> Value {
      return buildExtract(b, loc, best[1], {block.slot, place, c});
    };
    return writeBest(builder, loc, input,
                     {row, block.start, width, k, getPosition}, outputs);
  }

  Location loc;
  Value input;
  int64_t k;
  ElementOrder order;
  Type keyType, positionType;
  int64_t columns, width;
  Value zero;
};

} // namespace

/// Writes an element of `input` and its position to the rank `place` of its row
/// and column.
static Values writeElement(OpBuilder &builder, Location loc, Value input,
                           ArrayRef<Value> target, Value position,
                           ValueRange outputs) {
  Value i = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                         position);
  Value element =
      buildExtract(builder, loc, input, {target.front(), i, target.back()});
  if (position.getType() != builder.getI64Type()) {
    position =
        arith::ExtUIOp::create(builder, loc, builder.getI64Type(), position);
  }
  return {tensor::InsertOp::create(builder, loc, element, outputs[0], target),
          tensor::InsertOp::create(builder, loc, position, outputs[1], target)};
}

Values nacre::writeBest(OpBuilder &builder, Location loc, Value input,
                        const FoundColumns &found, ValueRange outputs) {
  Value zero = buildIndex(builder, loc, 0);
  return buildFor(
      builder, loc, zero, buildIndex(builder, loc, found.k), outputs,
      [&](OpBuilder &nested, Value place, ValueRange filled) {
        return buildFor(
            nested, loc, zero, buildIndex(nested, loc, found.width), filled,
            [&](OpBuilder &b, Value c, ValueRange carried) -> Values {
              Value column = arith::AddIOp::create(b, loc, found.start, c);
              Value position = found.getPosition(b, place, c);
              return writeElement(b, loc, input, {found.row, place, column},
                                  position, carried);
            });
      });
}

Values nacre::buildColumnTopK(OpBuilder &builder, Location loc, Value input,
                              int64_t k, ElementOrder order,
                              ValueRange outputs) {
  ColumnTopKEmitter emitter(builder, loc, input, k, order);
  return emitter.build(builder, outputs);
}
