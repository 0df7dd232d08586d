//===- Unique.cpp - Lower Unique to loops ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the positions of the elements by their bits, or those of the slices
// along an axis by comparing them. Equal ones are neighbours then, and form
// groups in ascending order; `sorted` = 0 numbers the groups anew, by where
// they first appear.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"
#include "MergeSort.h"
#include "RadixSort.h"
#include "RunTimeLength.h"
#include "RuntimeValues.h"

#include "nacre/Dialect/IE/IR/Selection.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Compares slices of a tensor along one axis, their elements in row-major
/// order.
class SliceComparator {
public:
  SliceComparator(OpBuilder &builder, Location loc, Value input, int64_t axis,
                  bool isUnsigned)
      : loc(loc), view(input), isUnsigned(isUnsigned) {
    int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
    hasOuter = axis > 0;
    hasInner = axis < rank - 1;
    // At most one dimension on either side of the axis.
    SmallVector<ReassociationIndices> groups;
    auto addGroup = [&](int64_t first, int64_t end) {
      if (first < end) {
        groups.push_back(llvm::to_vector<2>(llvm::seq(first, end)));
      }
    };
    addGroup(0, axis);
    addGroup(axis, axis + 1);
    addGroup(axis + 1, rank);
    if (static_cast<int64_t>(groups.size()) < rank) {
      view = tensor::CollapseShapeOp::create(builder, loc, input, groups);
    }
    auto getDim = [&](int64_t dim) {
      return getValueOrCreateConstantIndexOp(builder, loc,
                                             getSize(builder, loc, view, dim));
    };
    if (hasInner) {
      count = inner = getDim(hasOuter ? 2 : 1);
    }
    if (hasOuter) {
      Value outer = getDim(0);
      count =
          hasInner ? arith::MulIOp::create(builder, loc, outer, inner) : outer;
    }
  }

  /// True where each slice is one element of a vector.
  bool areElements() const { return !count; }

  Type getElementType() const { return getElementTypeOrSelf(view); }

  /// The order key of an element of a vector.
  Value getKey(OpBuilder &builder, Value position) const {
    ScalarEmitter e(builder, loc, isUnsigned);
    return buildOrderKey(e, buildExtract(builder, loc, view, position),
                         /*descending=*/false);
  }

  /// True when slice `a`, of several elements, is less than slice `b`.
  Value isLess(OpBuilder &builder, Value a, Value b) const {
    Value zero = buildIndex(builder, loc, 0);
    Value no =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    // The element, whether it decides, and how.
    return buildWhile(
        builder, loc, ValueRange{zero, no, no},
        [&](OpBuilder &n, ValueRange carried) -> Value {
          Value isInside = arith::CmpIOp::create(
              n, loc, arith::CmpIPredicate::slt, carried[0], count);
          Value isTrue = arith::ConstantOp::create(n, loc, n.getBoolAttr(true));
          Value isOpen = arith::XOrIOp::create(n, loc, carried[1], isTrue);
          return arith::AndIOp::create(n, loc, isInside, isOpen);
        },
        [&](OpBuilder &n, ValueRange carried) -> Values {
          ScalarEmitter e(n, loc, isUnsigned);
          Value x = load(n, a, carried[0]), y = load(n, b, carried[0]);
          Value less = isLessInOrder(e, x, y);
          Value greater = isLessInOrder(e, y, x);
          return {
              arith::AddIOp::create(n, loc, carried[0], buildIndex(n, loc, 1)),
              arith::OrIOp::create(n, loc, less, greater), less};
        })[2];
  }

private:
  /// Element `number` of a slice.
  Value load(OpBuilder &b, Value slice, Value number) const {
    Values indices = {slice};
    if (hasOuter && hasInner) {
      indices = {arith::DivUIOp::create(b, loc, number, inner), slice,
                 arith::RemUIOp::create(b, loc, number, inner)};
    } else if (hasOuter) {
      indices = {number, slice};
    } else if (hasInner) {
      indices = {slice, number};
    }
    return widenHalf(b, loc, buildExtract(b, loc, view, indices));
  }

  Location loc;
  Value view;
  bool isUnsigned, hasOuter, hasInner;
  Value inner; // the elements behind the axis
  Value count; // the elements of a slice; null where that is one of a vector
};

/// Groups of equal slices: how many there are; per group where it first appears
/// and how often; per slice its group.
struct Groups {
  Value count, first, sizes, members;
};

class GroupEmitter {
public:
  GroupEmitter(Location loc, Value length, OpFoldResult room)
      : loc(loc), length(length), room(room) {}

  /// The groups in ascending order.
  Groups build(OpBuilder &builder, const SliceComparator &comparator) const {
    return comparator.areElements() ? groupElements(builder, comparator)
                                    : groupSlices(builder, comparator);
  }

  /// The same groups in the order in which they first appear.
  Groups renumber(OpBuilder &builder, const Groups &groups) const {
    Value zero = buildIndex(builder, loc, 0);
    Values state = {zero, buildVector(builder), buildVector(builder),
                    groups.members, buildVector(builder)};
    Values result = buildFor(
        builder, loc, zero, length, state,
        [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
          Value group = get(b, carried[3], i);
          Value position = toElement(b, i);
          Value isNew = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::eq,
              buildExtract(b, loc, groups.first, group), position);
          Values without = {carried[0], carried[1], carried[2], carried[4]};
          Values next =
              buildIf(b, loc, isNew, without, [&](OpBuilder &n) -> Values {
                Value size = buildExtract(n, loc, groups.sizes, group);
                return {increment(n, carried[0]),
                        set(n, carried[1], carried[0], position),
                        set(n, carried[2], carried[0], size),
                        set(n, carried[4], group, toElement(n, carried[0]))};
              });
          Value number = buildExtract(b, loc, next[3], group);
          return {next[0], next[1], next[2], set(b, carried[3], i, number),
                  next[3]};
        });
    return {result[0], result[1], result[2], result[3]};
  }

private:
  Groups groupElements(OpBuilder &builder,
                       const SliceComparator &comparator) const {
    RadixSorter sorter(loc, getOrderKeyType(comparator.getElementType()));
    Value zero = buildIndex(builder, loc, 0);
    Values vectors =
        buildFor(builder, loc, zero, length, sorter.buildVectors(builder, room),
                 [&](OpBuilder &b, Value i, ValueRange carried) {
                   return sorter.set(b, carried, i, comparator.getKey(b, i), i);
                 });
    Values sorted = sorter.sort(builder, vectors, length);
    return groupNeighbours(
        builder,
        [&](OpBuilder &b, Value i) { return sorter.getPosition(b, sorted, i); },
        [&](OpBuilder &b, Value i, Value j) {
          return isKeyLess(b, loc, sorter.getKey(b, sorted, i),
                           sorter.getKey(b, sorted, j));
        });
  }

  Groups groupSlices(OpBuilder &builder,
                     const SliceComparator &comparator) const {
    Value zero = buildIndex(builder, loc, 0);
    Value positions =
        buildFor(builder, loc, zero, length, buildVector(builder),
                 [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                   return {set(b, carried[0], i, toElement(b, i))};
                 })[0];
    Value order = buildMergeSort(builder, loc, positions, buildVector(builder),
                                 length, [&](OpBuilder &b, Value x, Value y) {
                                   return comparator.isLess(b, x, y);
                                 });
    return groupNeighbours(
        builder, [&](OpBuilder &b, Value i) { return get(b, order, i); },
        [&](OpBuilder &b, Value i, Value j) {
          return comparator.isLess(b, get(b, order, i), get(b, order, j));
        });
  }

  using GetPosition = llvm::function_ref<Value(OpBuilder &, Value i)>;
  using IsLess = llvm::function_ref<Value(OpBuilder &, Value i, Value j)>;

  /// The groups of slices in an order: `getPosition` gives slice i of it.
  Groups groupNeighbours(OpBuilder &builder, GetPosition getPosition,
                         IsLess isLess) const {
    Value zero = buildIndex(builder, loc, 0);
    Values state = {zero, buildVector(builder), buildVector(builder),
                    buildVector(builder)};
    Values result =
        buildFor(builder, loc, zero, length, state,
                 [&](OpBuilder &b, Value i, ValueRange carried) {
                   return addToGroups(b, getPosition, isLess, i, carried);
                 });
    return {result[0], result[1], result[2], result[3]};
  }

  /// Adds slice `i` of the order to the last group or, where it differs from
  /// its predecessor, to a new one.
  Values addToGroups(OpBuilder &builder, GetPosition getPosition, IsLess isLess,
                     Value i, ValueRange carried) const {
    Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
    Value position = getPosition(builder, i);
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, i, zero);
    Value before =
        arith::SelectOp::create(builder, loc, isFirst, zero,
                                arith::SubIOp::create(builder, loc, i, one));
    Value isNew =
        arith::OrIOp::create(builder, loc, isFirst, isLess(builder, before, i));
    Values next = buildIf(
        builder, loc, isNew, carried.take_front(3),
        [&](OpBuilder &b) -> Values {
          Value none = buildScalar(b, loc, b.getI64Type(), 0);
          return {increment(b, carried[0]),
                  set(b, carried[1], carried[0], toElement(b, position)),
                  set(b, carried[2], carried[0], none)};
        });
    Value group = arith::SubIOp::create(builder, loc, next[0], one);
    Value size = buildExtract(builder, loc, next[2], group);
    Value larger = arith::AddIOp::create(
        builder, loc, size, buildScalar(builder, loc, size.getType(), 1));
    return {next[0], next[1], set(builder, next[2], group, larger),
            set(builder, carried[3], position, toElement(builder, group))};
  }

  Value buildVector(OpBuilder &b) const {
    return buildRoom(b, loc, {room}, b.getI64Type());
  }
  Value toElement(OpBuilder &b, Value index) const {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  }
  Value get(OpBuilder &b, Value vector, Value i) const {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                      buildExtract(b, loc, vector, i));
  }
  Value set(OpBuilder &b, Value vector, Value i, Value element) const {
    return tensor::InsertOp::create(b, loc, element, vector, i);
  }
  Value increment(OpBuilder &b, Value index) const {
    return arith::AddIOp::create(b, loc, index, buildIndex(b, loc, 1));
  }

  Location loc;
  Value length;
  OpFoldResult room;
};

struct UniqueToSCF final : OpConversionPattern<IE::UniqueOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::UniqueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getX();
    auto inputType = cast<RankedTensorType>(input.getType());
    int64_t axis = 0;
    if (std::optional<uint64_t> given = op.getAxis()) {
      axis = static_cast<int64_t>(*given);
      axis += axis < 0 ? inputType.getRank() : 0;
    } else {
      input = flatten(rewriter, loc, input);
    }
    Sizes sizes = getSizes(rewriter, loc, input);
    Value length = getValueOrCreateConstantIndexOp(rewriter, loc, sizes[axis]);
    Value compared = input;
    if (isa<IE::StringType>(getElementTypeOrSelf(op.getX()))) {
      // Numbers that are in the order of the strings.
      RuntimeBuilder runtime(rewriter, op);
      Value ranks = runtime.create<rt::StringRanksOp>(
          runtime.toHandle(input, getElementTypeOrSelf(op.getX())));
      compared = runtime.toTensor(ranks, input.getType(), sizes);
    }
    SliceComparator comparator(rewriter, loc, compared, axis,
                               isUnsignedElement(op.getX()));
    GroupEmitter emitter(loc, length, sizes[axis]);
    Groups groups = emitter.build(rewriter, comparator);
    if (op.getSorted() == 0) {
      groups = emitter.renumber(rewriter, groups);
    }
    Value distinct = gather(rewriter, loc, input, sizes, axis, groups);
    auto take = [&](Value room, int64_t dim, Value result) {
      auto type =
          getTypeConverter()->convertType<RankedTensorType>(result.getType());
      return takeFront(rewriter, loc, room, dim, groups.count, type);
    };
    auto membersType = cast<RankedTensorType>(op.getInverseIndices().getType());
    assertDeclaredLength(rewriter, loc, membersType, /*axis=*/0, sizes[axis]);
    Value members = buildCast(rewriter, loc, groups.members, membersType);
    rewriter.replaceOp(op, {take(distinct, axis, op.getY()),
                            take(groups.first, 0, op.getIndices()), members,
                            take(groups.sizes, 0, op.getCounts())});
    return success();
  }

private:
  /// The first slice of each group.
  static Value gather(OpBuilder &builder, Location loc, Value input,
                      ArrayRef<OpFoldResult> sizes, int64_t axis,
                      const Groups &groups) {
    Values lower, upper, step;
    for (OpFoldResult size : sizes) {
      lower.push_back(buildIndex(builder, loc, 0));
      upper.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
      step.push_back(buildIndex(builder, loc, 1));
    }
    upper[axis] = groups.count;
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, lower, upper, step,
        buildRoom(builder, loc, sizes, element),
        [&](OpBuilder &b, Location, ValueRange at, ValueRange state) {
          Values source(at);
          source[axis] = arith::IndexCastOp::create(
              b, loc, b.getIndexType(),
              buildExtract(b, loc, groups.first, at[axis]));
          Value value = buildExtract(b, loc, input, source);
          return scf::ValueVector{
              tensor::InsertOp::create(b, loc, value, state[0], at)};
        });
    return nest.results.front();
  }
};

} // namespace

void nacre::populateUniqueToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<UniqueToSCF>(converter, patterns.getContext());
}
