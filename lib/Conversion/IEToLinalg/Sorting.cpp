//===- Sorting.cpp - Lower sorting to loops -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family: sorting. Of each line along the
// axis, a list of candidates is filled with what does not exceed a bound, which
// its first elements give and the k-th best does not exceed. Most elements do,
// which is found out for blocks of them, vectorised. Where the list is full,
// the bound is lowered and what exceeds it is dropped. What is left in the end
// is sorted.
// Many short lines are transposed, and searched side by side, or sorted so
// where most of their elements are wanted.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "ColumnSort.h"
#include "ColumnTopK.h"
#include "Indices.h"
#include "RadixSort.h"

#include "nacre/Dialect/IE/IR/Sorting.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

// Details of this one algorithm, whose time hardly changes with them: how many
// elements are compared at once, and how many of those that may be better are
// bits of one number.
static constexpr int64_t kBlock = 64, kWord = 32;
// How many of a line's elements say what the best are like, at most: of more,
// hardly fewer would be candidates.
static constexpr int64_t kAhead = 2048;
// How many times as many candidates as results there can be before the list is
// full, and how many are left of a list at most that is not sorted then.
static constexpr int64_t kListFactor = 4, kLeftFactor = 2;

namespace {

/// The kernel of one TopK op along the last axis.
class TopKEmitter {
public:
  /// `k` is of index type.
  TopKEmitter(OpBuilder &builder, IE::TopKOp op, Value input, OpFoldResult k)
      : loc(op.getLoc()), input(input),
        isUnsigned(isUnsignedElement(op.getInput())),
        descending(op.getLargest() != 0),
        sorter(loc, getOrderKeyType(getElementTypeOrSelf(input))),
        sizes(getSizes(builder, loc, input)),
        limit(IE::multiplySizes(builder, loc,
                                {k, builder.getIndexAttr(kListFactor)})),
        mostLeft(IE::multiplySizes(builder, loc,
                                   {k, builder.getIndexAttr(kLeftFactor)})),
        k(toValue(builder, k)), length(toValue(builder, sizes.back())),
        zero(buildIndex(builder, loc, 0)), one(buildIndex(builder, loc, 1)) {}

  /// Fills `outputs`, the values and their positions.
  Values build(OpBuilder &builder, ValueRange outputs) const {
    // A block more than where the list counts as full. It never has more than
    // all elements.
    OpFoldResult room = IE::minimizeSizes(
        builder, loc, sizes.back(),
        IE::addSizes(builder, loc, limit, builder.getIndexAttr(kBlock)));
    Values state(outputs);
    llvm::append_range(state, sorter.buildVectors(builder, room));
    Values lower(sizes.size(), zero), step(sizes.size(), one), upper;
    for (OpFoldResult size : ArrayRef(sizes).drop_back()) {
      upper.push_back(toValue(builder, size));
    }
    // Without elements to choose there are no lines either.
    upper.push_back(arith::MinSIOp::create(builder, loc, k, one));
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, lower, upper, step, state,
        [&](OpBuilder &b, Location, ValueRange line, ValueRange carried) {
          Values vectors = selectLine(b, line, carried.drop_front(2));
          Values next = writeLine(b, line, carried.take_front(2), vectors);
          llvm::append_range(next, vectors);
          return scf::ValueVector(next.begin(), next.end());
        });
    for (auto [dim, loop] : llvm::enumerate(ArrayRef(nest.loops).drop_back())) {
      markIndependent(loop, dim);
    }
    return {nest.results[0], nest.results[1]};
  }

private:
  Value toValue(OpBuilder &builder, OpFoldResult size) const {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  }

  Value isBelow(OpBuilder &b, Value x, Value bound) const {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, bound);
  }

  Value load(OpBuilder &b, ValueRange line, Value position) const {
    Values at(line);
    at.back() = position;
    return buildExtract(b, loc, input, at);
  }

  Value loadKey(OpBuilder &b, ValueRange line, Value position) const {
    ScalarEmitter e(b, loc, isUnsigned);
    return buildOrderKey(e, load(b, line, position), descending);
  }

  /// The sorter's vectors with the best elements of a line in front.
  Values selectLine(OpBuilder &builder, ValueRange line,
                    ValueRange vectors) const {
    std::optional<int64_t> known = getConstantIntValue(sizes.back());
    bool isShort = known && *known <= RadixSorter::kFew;
    // What keys of candidates do not exceed, the next element, how many
    // candidates there are, and these.
    Values state = {getLargestKey(builder)};
    llvm::append_range(state, vectors);
    if (!isShort) {
      state = lookAhead(builder, line, state);
    }
    state.insert(state.begin() + 1, {zero, zero});
    Values result = buildWhile(
        builder, loc, state,
        [&](OpBuilder &b, ValueRange carried) {
          return isBelow(b, carried[1], length);
        },
        [&](OpBuilder &b, ValueRange carried) {
          Values next = fillList(b, line, carried[0], carried.drop_front());
          Value position = next.front();
          next.front() = carried[0];
          // Lines so short are sorted whole.
          if (!isShort) {
            next = lowerBound(b, next, isBelow(b, position, length));
            position = exceedBound(b, next, position);
          }
          next.insert(next.begin() + 1, position);
          return next;
        });
    return sorter.sort(builder, ArrayRef(result).drop_front(3), result[2]);
  }

  Value getLargestKey(OpBuilder &b) const {
    auto type = cast<IntegerType>(getOrderKeyType(getElementTypeOrSelf(input)));
    return arith::ConstantOp::create(
        b, loc, IntegerAttr::get(type, APInt::getAllOnes(type.getWidth())));
  }

  /// A key that the k best of a line do not exceed, of which there are few
  /// others, from its first elements: all lists together have little more than
  /// the results then. `state` is a key that none exceeds, and the vectors.
  Values lookAhead(OpBuilder &builder, ValueRange line,
                   ValueRange state) const {
    std::optional<int64_t> wanted = getConstantIntValue(k);
    if (wanted && *wanted > RadixSorter::kFew) {
      return Values(state);
    }
    Value few = buildIndex(builder, loc, RadixSorter::kFew);
    Value end = arith::MinSIOp::create(builder, loc, length,
                                       buildIndex(builder, loc, kAhead));
    end = arith::SubIOp::create(builder, loc, end,
                                arith::RemUIOp::create(builder, loc, end, few));
    Value areEnough = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, k, few),
        isBelow(builder, zero, end));
    return buildIf(builder, loc, areEnough, state, [&](OpBuilder &b) {
      return sorter.findBoundOf(
          b, state.drop_front(), end, k,
          [&](OpBuilder &inner, Value i) { return loadKey(inner, line, i); });
    });
  }

  /// Of later elements, the best are those that are better than the bound of
  /// `state`, which is lowered to the key before it. Gives the position to go
  /// on from, which is the end of a line where none can be.
  Value exceedBound(OpBuilder &b, Values &state, Value position) const {
    Type type = state.front().getType();
    Value isLeast =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, state.front(),
                              buildScalar(b, loc, type, 0));
    state.front() = arith::SubIOp::create(b, loc, state.front(),
                                          buildScalar(b, loc, type, 1));
    return arith::SelectOp::create(b, loc, isLeast, length, position);
  }

  /// The bound and a list with fewer candidates than are in `state`, the bound
  /// and a full list, or the rest of a line. Where that leaves too many, which
  /// are nearly equal, or few are not worth it, candidates are sorted and the
  /// best k left, if another list follows.
  Values lowerBound(OpBuilder &builder, ValueRange state,
                    Value isFollowed) const {
    auto areMoreThan = [&](ValueRange values, Value number) {
      return isBelow(builder, number, values[1]);
    };
    Value least = toValue(
        builder, IE::maximizeSizes(builder, loc, mostLeft,
                                   builder.getIndexAttr(RadixSorter::kFew)));
    Values left = buildIf(
        builder, loc, areMoreThan(state, least), state, [&](OpBuilder &b) {
          ValueRange list = state.drop_front();
          Values next = {
              sorter.findBound(b, list.drop_front(), list.front(), k)};
          next.append(sorter.keepUpTo(b, list, next.front()));
          return next;
        });
    Value sorts =
        arith::AndIOp::create(builder, loc, isFollowed,
                              areMoreThan(left, toValue(builder, mostLeft)));
    return buildIf(builder, loc, sorts, left, [&](OpBuilder &b) {
      Values sorted = sorter.sort(b, ArrayRef(left).drop_front(2), left[1]);
      Value last = arith::SubIOp::create(b, loc, k, one);
      Values next = {sorter.getKey(b, sorted, last), k};
      next.append(sorted);
      return next;
    });
  }

  /// Goes through blocks of a line until it ends or the list is full: `state`
  /// is the next element, the list's length and the list.
  Values fillList(OpBuilder &builder, ValueRange line, Value bound,
                  ValueRange state) const {
    auto isCandidate = [&](OpBuilder &b, Value key) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, key,
                                   bound);
    };
    return buildWhile(
        builder, loc, state,
        [&](OpBuilder &b, ValueRange carried) -> Value {
          Value full = isBelow(b, toValue(b, limit), carried[1]);
          Value isOpen = arith::XOrIOp::create(
              b, loc, full,
              arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
          return arith::AndIOp::create(b, loc, isBelow(b, carried[0], length),
                                       isOpen);
        },
        [&](OpBuilder &b, ValueRange carried) {
          return addBlock(b, line, carried, isCandidate);
        });
  }

  using IsCandidate = llvm::function_ref<Value(OpBuilder &, Value)>;

  /// Adds the candidates among a block of elements.
  Values addBlock(OpBuilder &builder, ValueRange line, ValueRange state,
                  IsCandidate isCandidate) const {
    Value start = state[0];
    Value end = arith::MinSIOp::create(
        builder, loc, length,
        arith::AddIOp::create(builder, loc, start,
                              buildIndex(builder, loc, kBlock)));
    Type i32 = builder.getI32Type();
    Value none = buildScalar(builder, loc, i32, 0);
    Value number =
        buildFor(builder, loc, start, end, none,
                 [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
                   Value found = arith::ExtUIOp::create(
                       b, loc, i32, isCandidate(b, loadKey(b, line, i)));
                   return {arith::AddIOp::create(b, loc, carried[0], found)};
                 })[0];
    Value areAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         number, none);
    Values next = buildIf(
        builder, loc, areAny, state.drop_front(), [&](OpBuilder &inner) {
          return buildFor(
              inner, loc, start, end, state.drop_front(),
              [&](OpBuilder &b, Value first, ValueRange carried) {
                Value bits = findCandidates(b, line, first, end, isCandidate);
                return append(b, line, first, bits, carried);
              },
              buildIndex(inner, loc, kWord));
        });
    next.insert(next.begin(), end);
    return next;
  }

  /// A number whose bits say which of the elements from `first` are candidates.
  Value findCandidates(OpBuilder &builder, ValueRange line, Value first,
                       Value end, IsCandidate isCandidate) const {
    Type word = builder.getIntegerType(kWord);
    Value behind = arith::MinSIOp::create(
        builder, loc, end,
        arith::AddIOp::create(builder, loc, first,
                              buildIndex(builder, loc, kWord)));
    return buildFor(
        builder, loc, first, behind, buildScalar(builder, loc, word, 0),
        [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
          Value found = arith::ExtUIOp::create(
              b, loc, word, isCandidate(b, loadKey(b, line, i)));
          Value place = arith::IndexCastOp::create(
              b, loc, word, arith::SubIOp::create(b, loc, i, first));
          return {arith::OrIOp::create(
              b, loc, carried[0], arith::ShLIOp::create(b, loc, found, place))};
        })[0];
  }

  /// Writes the elements that have a bit behind the list.
  Values append(OpBuilder &builder, ValueRange line, Value first, Value bits,
                ValueRange state) const {
    Values init = {bits};
    llvm::append_range(init, state);
    Values result = buildWhile(
        builder, loc, init,
        [&](OpBuilder &b, ValueRange carried) -> Value {
          return arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ne, carried[0],
              buildScalar(b, loc, carried[0].getType(), 0));
        },
        [&](OpBuilder &b, ValueRange carried) {
          Value left = carried[0], length = carried[1];
          Value place = arith::IndexCastUIOp::create(
              b, loc, b.getIndexType(),
              math::CountTrailingZerosOp::create(b, loc, left));
          Value position = arith::AddIOp::create(b, loc, first, place);
          Values next = sorter.set(b, carried.drop_front(2), length,
                                   loadKey(b, line, position), position);
          Value lower = arith::SubIOp::create(
              b, loc, left, buildScalar(b, loc, left.getType(), 1));
          next.insert(next.begin(),
                      {arith::AndIOp::create(b, loc, left, lower),
                       arith::AddIOp::create(b, loc, length, one)});
          return next;
        });
    return Values(llvm::drop_begin(result));
  }

  /// Writes the results of a line.
  Values writeLine(OpBuilder &builder, ValueRange line, ValueRange outputs,
                   ValueRange vectors) const {
    return buildFor(
        builder, loc, zero, k, outputs,
        [&](OpBuilder &b, Value i, ValueRange carried) -> Values {
          Values at(line);
          at.back() = i;
          Value position = sorter.getPosition(b, vectors, i);
          Value index =
              arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
          return {tensor::InsertOp::create(b, loc, load(b, line, position),
                                           carried[0], at),
                  tensor::InsertOp::create(b, loc, index, carried[1], at)};
        });
  }

  Location loc;
  Value input;
  bool isUnsigned, descending;
  RadixSorter sorter;
  Sizes sizes;
  OpFoldResult limit;    // the longest list that takes another block
  OpFoldResult mostLeft; // of a list that has been full and is not sorted
  Value k, length, zero, one;
};

struct TopKToLinalg final : OpConversionPattern<IE::TopKOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::TopKOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    RankedTensorType type = getRankedType(converter, op.getValues());
    RankedTensorType indexType = getRankedType(converter, op.getIndices());
    FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
    if (failed(sizes)) {
      return failure();
    }
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    axis += axis < 0 ? type.getRank() : 0;
    OpFoldResult k = sizes->front()[axis];
    Value input = refine(rewriter, loc, adaptor.getInput(), type, axis);
    if (getConstantIntValue(k) == 0) {
      rewriter.replaceOp(op,
                         {buildEmpty(rewriter, loc, type, sizes->front()),
                          buildEmpty(rewriter, loc, indexType, sizes->back())});
      return success();
    }
    VPU::Algorithm algorithm = VPU::getAlgorithm(op);
    if (algorithm == VPU::Algorithm::bestElement) {
      rewriter.replaceOp(op,
                         buildBest(rewriter, op, input, axis, sizes->front()));
      return success();
    }
    if (algorithm == VPU::Algorithm::columns ||
        algorithm == VPU::Algorithm::sortedColumns) {
      bool sorts = algorithm == VPU::Algorithm::sortedColumns;
      rewriter.replaceOp(
          op, buildByColumns(rewriter, op, input, axis, sizes->front(),
                             sorts ? buildColumnSort : buildColumnTopK));
      return success();
    }
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(input.getType()).getShape();
    if (algorithm == VPU::Algorithm::standingLines) {
      rewriter.replaceOp(op, buildByStandingLines(
                                 rewriter, op, input, sizes->front(),
                                 ShapedType::getNumElements(shape.drop_back()),
                                 buildColumnTopK));
      return success();
    }
    if (algorithm == VPU::Algorithm::sortedLines) {
      int64_t lines = ShapedType::getNumElements(shape.drop_back());
      rewriter.replaceOp(op, buildByStandingLines(
                                 rewriter, op, input, sizes->front(),
                                 VPU::countSortedColumns(lines, shape.back(),
                                                         type.getElementType()),
                                 buildColumnSort));
      return success();
    }
    // Lines along other axes would be read across memory.
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::swap(order[axis], order.back());
    input = buildTranspose(rewriter, loc, input, order);
    std::swap(sizes->front()[axis], sizes->front().back());
    Values outputs;
    for (RankedTensorType result : {type, indexType}) {
      SmallVector<int64_t> shape(result.getShape());
      std::swap(shape[axis], shape.back());
      outputs.push_back(
          buildEmpty(rewriter, loc, result.clone(shape), sizes->front()));
    }
    TopKEmitter emitter(rewriter, op, input, k);
    Values results = emitter.build(rewriter, outputs);
    for (Value &result : results) {
      result = buildTranspose(rewriter, loc, result, order);
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// The input as a tensor of the sizes that the results have along all axes
  /// but one: their type may know more of them.
  static Value refine(OpBuilder &builder, Location loc, Value input,
                      RankedTensorType result, int64_t axis) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, size] : llvm::enumerate(result.getShape())) {
      if (static_cast<int64_t>(i) != axis && ShapedType::isDynamic(shape[i])) {
        shape[i] = size;
      }
    }
    return type.clone(shape) == type
               ? input
               : tensor::CastOp::create(builder, loc, type.clone(shape), input);
  }

  static Value reshape(OpBuilder &builder, Location loc, Value value,
                       const Sizes &sizes) {
    return buildReshape(
        builder, loc, value,
        RankedTensorType::get(getShape(sizes), getElementTypeOrSelf(value)),
        sizes);
  }

  /// A kernel that chooses along the middle of three dimensions.
  using Kernel =
      llvm::function_ref<Values(OpBuilder &, Location, Value input, int64_t k,
                                ElementOrder, ValueRange outputs)>;

  /// Those along the middle of three dimensions, as which the input and the
  /// results are taken.
  Values buildInMiddle(OpBuilder &builder, IE::TopKOp op, Value input,
                       const Sizes &inputSizes, const Sizes &sizes,
                       Kernel kernel) const {
    Location loc = op.getLoc();
    Values outputs;
    for (Value result : op->getResults()) {
      Type element =
          getRankedType(*getTypeConverter(), result).getElementType();
      outputs.push_back(
          buildEmpty(builder, loc,
                     RankedTensorType::get(getShape(sizes), element), sizes));
    }
    return kernel(builder, loc, reshape(builder, loc, input, inputSizes),
                  *getConstantIntValue(sizes[1]),
                  {op.getLargest() != 0, isUnsignedElement(op.getInput())},
                  outputs);
  }

  Values restore(OpBuilder &builder, IE::TopKOp op, Values results,
                 ArrayRef<OpFoldResult> sizes) const {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
      value = buildReshape(builder, op.getLoc(), value,
                           getRankedType(*getTypeConverter(), result), sizes);
    }
    return results;
  }

  /// Those along the last axis of lines, `atOnce` of which, or all if these do
  /// not divide them, are columns beside each other.
  Values buildByStandingLines(OpBuilder &builder, IE::TopKOp op, Value input,
                              ArrayRef<OpFoldResult> sizes, int64_t atOnce,
                              Kernel kernel) const {
    Location loc = op.getLoc();
    OpFoldResult k = sizes.back();
    OpFoldResult length = getSizes(builder, loc, input).back();
    int64_t lines = ShapedType::getNumElements(
        cast<RankedTensorType>(input.getType()).getShape().drop_back());
    int64_t columns = lines % atOnce == 0 ? atOnce : lines;
    OpFoldResult all = builder.getIndexAttr(columns);
    OpFoldResult rows = builder.getIndexAttr(lines / columns);
    bool isMatrix = lines == columns;
    auto turn = [&](Value value, OpFoldResult height, OpFoldResult width) {
      Sizes from = {rows, height, width};
      SmallVector<int64_t> order = {0, 2, 1};
      if (isMatrix) {
        from = {height, width};
        order = {1, 0};
      }
      return buildTranspose(builder, loc, reshape(builder, loc, value, from),
                            order);
    };
    Values results = buildInMiddle(builder, op, turn(input, all, length),
                                   {rows, length, all}, {rows, k, all}, kernel);
    for (Value &value : results) {
      value = turn(value, k, all);
    }
    return restore(builder, op, results, sizes);
  }

  /// Those of a tensor of rows by length by columns.
  Values buildByColumns(OpBuilder &builder, IE::TopKOp op, Value input,
                        int64_t axis, ArrayRef<OpFoldResult> sizes,
                        Kernel kernel) const {
    Location loc = op.getLoc();
    auto merge = [&](ArrayRef<OpFoldResult> all) -> Sizes {
      return {IE::multiplySizes(builder, loc, all.take_front(axis)), all[axis],
              IE::multiplySizes(builder, loc, all.drop_front(axis + 1))};
    };
    Values results =
        buildInMiddle(builder, op, input, merge(getSizes(builder, loc, input)),
                      merge(sizes), kernel);
    return restore(builder, op, results, sizes);
  }

  /// The best element along the axis, and its position.
  Values buildBest(OpBuilder &builder, IE::TopKOp op, Value input, int64_t axis,
                   ArrayRef<OpFoldResult> sizes) const {
    Location loc = op.getLoc();
    const TypeConverter &converter = *getTypeConverter();
    BestElement best{op.getLargest() != 0, isUnsignedElement(op.getInput())};
    best.ordersNaN = true;
    RankedTensorType indexType = getRankedType(converter, op.getIndices());
    Value positions = buildReshape(
        builder, loc, buildArgReduction(builder, loc, input, axis, best),
        indexType, sizes);
    Value values = buildFromIndices(
        builder, loc, getRankedType(converter, op.getValues()),
        [&](OpBuilder &b, Location nestedLoc, ValueRange indices) -> Value {
          Values at(indices);
          at[axis] = arith::IndexCastOp::create(
              b, nestedLoc, b.getIndexType(),
              buildExtract(b, nestedLoc, positions, indices));
          return buildExtract(b, nestedLoc, input, at);
        },
        sizes);
    return {values, positions};
  }
};

} // namespace

void nacre::populateSortingToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<TopKToLinalg>(converter, patterns.getContext());
}
