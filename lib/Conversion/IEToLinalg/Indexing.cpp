//===- Indexing.cpp - Lower the Indexing family to linalg -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family Indexing. Gathers are parallel
// over the result. Scatters are sequential loops, since indices may repeat.
// Every index is clamped: compiled code never leaves a tensor, even where it
// does not ask whether the indices are in range.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "nacre/Dialect/IE/IR/Indexing.h"

#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

static int64_t normalize(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// True unless an index picks so few elements, of these sizes, that comparing
/// it would take long beside copying them. Says which runs are refused, and is
/// the same for all machines therefore.
static bool areMany(ArrayRef<int64_t> sizes) {
  constexpr int64_t kFew = 32;
  int64_t elements = 1;
  for (int64_t size : sizes) {
    elements *= ShapedType::isDynamic(size) ? kFew : std::min(size, kFew);
  }
  return elements >= kFew;
}

/// Computes the position in `data` of the element at `indices` of the result.
using PositionBuilder = llvm::function_ref<SmallVector<Value>(
    OpBuilder &, Location, ValueRange indices)>;

/// Replaces a gather by a kernel that extracts from `data`.
template <typename OpT>
static LogicalResult replaceGather(OpT op, Value data, RankedTensorType type,
                                   ConversionPatternRewriter &rewriter,
                                   PositionBuilder position) {
  // Clamping cannot save an access to an empty tensor.
  if (llvm::is_contained(getTensorType(data).getShape(), 0) &&
      !llvm::is_contained(type.getShape(), 0)) {
    return rewriter.notifyMatchFailure(op, "gathers from an empty tensor");
  }
  Sizes sizes = getResultSize(rewriter, op);
  assertElements(rewriter, op.getLoc(), data, sizes);
  rewriter.replaceOp(
      op, buildFromIndices(
              rewriter, op.getLoc(), type,
              [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
                return buildExtract(b, loc, data, position(b, loc, indices));
              },
              sizes));
  return success();
}

/// The position that the index tuple at `prefix` of `indices` addresses in
/// dimensions of these `sizes`.
static SmallVector<Value> buildTuple(OpBuilder &b, Location loc, Value indices,
                                     ValueRange prefix,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> tuple;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    SmallVector<Value> at(prefix);
    at.push_back(buildIndex(b, loc, i));
    tuple.push_back(
        buildSafeIndex(b, loc, buildExtract(b, loc, indices, at),
                       getValueOrCreateConstantIndexOp(b, loc, size)));
  }
  return tuple;
}

namespace {

struct GatherToLinalg final : OpConversionPattern<IE::GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType dataType = getTensorType(adaptor.getData());
    int64_t axis = normalize(op.getAxis(), dataType.getRank());
    int64_t count = getTensorType(adaptor.getIndices()).getRank();
    OpFoldResult size = getSize(rewriter, loc, adaptor.getData(), axis);
    SmallVector<int64_t> others(dataType.getShape());
    others.erase(others.begin() + axis);
    if (areMany(others)) {
      assertIndices(rewriter, op, adaptor.getIndices(), size);
    }
    Value length = getValueOrCreateConstantIndexOp(rewriter, loc, size);
    return replaceGather(
        op, adaptor.getData(),
        getRankedType(*getTypeConverter(), op.getOutput()), rewriter,
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          Value element = buildExtract(b, loc, adaptor.getIndices(),
                                       indices.slice(axis, count));
          SmallVector<Value> position(indices.take_front(axis));
          position.push_back(buildSafeIndex(b, loc, element, length));
          llvm::append_range(position, indices.drop_front(axis + count));
          return position;
        });
  }
};

struct GatherElementsToLinalg final
    : OpConversionPattern<IE::GatherElementsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GatherElementsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType dataType = getTensorType(adaptor.getData());
    int64_t axis = normalize(op.getAxis(), dataType.getRank());
    Value length = getValueOrCreateConstantIndexOp(
        rewriter, loc, getSize(rewriter, loc, adaptor.getData(), axis));
    return replaceGather(
        op, adaptor.getData(),
        getRankedType(*getTypeConverter(), op.getOutput()), rewriter,
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          SmallVector<Value> position(indices);
          position[axis] = buildSafeIndex(
              b, loc, buildExtract(b, loc, adaptor.getIndices(), indices),
              length);
          return position;
        });
  }
};

struct GatherNDToLinalg final : OpConversionPattern<IE::GatherNDOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GatherNDOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t indexRank = getTensorType(adaptor.getIndices()).getRank();
    int64_t batchDims = op.getBatchDims(), tuple = op.getTupleLength();
    Sizes dataSizes = getSizes(rewriter, loc, adaptor.getData());
    if (areMany(getTensorType(adaptor.getData())
                    .getShape()
                    .drop_front(batchDims + tuple))) {
      assertIndices(rewriter, op, adaptor.getIndices(),
                    ArrayRef(dataSizes).slice(batchDims, tuple));
    }
    return replaceGather(
        op, adaptor.getData(),
        getRankedType(*getTypeConverter(), op.getOutput()), rewriter,
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          ValueRange prefix = indices.take_front(indexRank - 1);
          SmallVector<Value> position(indices.take_front(batchDims));
          llvm::append_range(
              position,
              buildTuple(b, loc, adaptor.getIndices(), prefix,
                         ArrayRef(dataSizes).slice(batchDims, tuple)));
          llvm::append_range(position, indices.drop_front(prefix.size()));
          return position;
        });
  }
};

} // namespace

/// Combines the element that is there with an update.
static Value buildReduction(OpBuilder &b, Location loc, StringRef reduction,
                            Value present, Value update, bool isUnsigned) {
  Type type = present.getType();
  bool isFloat = isa<FloatType>(type);
  bool isBool = type.isInteger(1);
  // On bool, sum and maximum are "or", product and minimum are "and".
  if (isBool && (reduction == "add" || reduction == "max")) {
    return arith::OrIOp::create(b, loc, present, update);
  }
  if (isBool && (reduction == "mul" || reduction == "min")) {
    return arith::AndIOp::create(b, loc, present, update);
  }
  auto pick = [&](auto floatOp, auto intOp) -> Value {
    if (isFloat) {
      Value combined = decltype(floatOp)::create(
          b, loc, widenHalf(b, loc, present), widenHalf(b, loc, update));
      return narrowHalf(b, loc, combined, type);
    }
    return decltype(intOp)::create(b, loc, present, update);
  };
  if (reduction == "add") {
    return pick(arith::AddFOp(), arith::AddIOp());
  }
  if (reduction == "mul") {
    return pick(arith::MulFOp(), arith::MulIOp());
  }
  if (reduction == "max") {
    return isUnsigned ? pick(arith::MaximumFOp(), arith::MaxUIOp())
                      : pick(arith::MaximumFOp(), arith::MaxSIOp());
  }
  if (reduction == "min") {
    return isUnsigned ? pick(arith::MinimumFOp(), arith::MinUIOp())
                      : pick(arith::MinimumFOp(), arith::MinSIOp());
  }
  return update;
}

/// Replaces a scatter by loops over the updates that insert into a copy of
/// `data`.
template <typename OpT>
static LogicalResult
replaceScatter(OpT op, Value data, Value updates, RankedTensorType type,
               ConversionPatternRewriter &rewriter, PositionBuilder position) {
  RankedTensorType dataType = getTensorType(data);
  RankedTensorType updateType = getTensorType(updates);
  if (llvm::is_contained(dataType.getShape(), 0) &&
      !llvm::is_contained(updateType.getShape(), 0)) {
    return rewriter.notifyMatchFailure(op, "scatters into an empty tensor");
  }
  Location loc = op.getLoc();
  bool isUnsigned = isUnsignedElement(op.getData());
  SmallVector<Value> lower, upper, step;
  Sizes sizes = getSizes(rewriter, loc, updates);
  assertElements(rewriter, loc, data, sizes);
  for (OpFoldResult size : sizes) {
    lower.push_back(buildIndex(rewriter, loc, 0));
    upper.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
    step.push_back(buildIndex(rewriter, loc, 1));
  }
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, lower, upper, step, ValueRange(data),
      [&](OpBuilder &b, Location loc, ValueRange indices,
          ValueRange state) -> scf::ValueVector {
        SmallVector<Value> at = position(b, loc, indices);
        Value present = buildExtract(b, loc, state[0], at);
        Value update = buildExtract(b, loc, updates, indices);
        Value combined = buildReduction(b, loc, op.getReduction(), present,
                                        update, isUnsigned);
        return {tensor::InsertOp::create(b, loc, combined, state[0], at)};
      });
  rewriter.replaceOp(op, buildCast(rewriter, loc, nest.results.front(), type));
  return success();
}

namespace {

struct ScatterElementsToLinalg final
    : OpConversionPattern<IE::ScatterElementsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ScatterElementsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType dataType = getTensorType(adaptor.getData());
    int64_t axis = normalize(op.getAxis(), dataType.getRank());
    Location at = op.getLoc();
    Sizes sizes = getSizes(rewriter, at, adaptor.getData());
    Value length = getValueOrCreateConstantIndexOp(rewriter, at, sizes[axis]);
    Sizes indexSizes = getSizes(rewriter, at, adaptor.getIndices());
    Sizes updateSizes = getSizes(rewriter, at, adaptor.getUpdates());
    for (int64_t i = 0; i < dataType.getRank(); ++i) {
      assertSameSize(rewriter, at, indexSizes[i], updateSizes[i],
                     "indices and updates of different shapes");
      if (i != axis) {
        assertAtMost(rewriter, at, updateSizes[i], sizes[i],
                     "updates beyond the data outside of the axis");
      }
    }
    return replaceScatter(
        op, adaptor.getData(), adaptor.getUpdates(),
        getRankedType(*getTypeConverter(), op.getOutput()), rewriter,
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          SmallVector<Value> position(indices);
          position[axis] = buildSafeIndex(
              b, loc, buildExtract(b, loc, adaptor.getIndices(), indices),
              length);
          return position;
        });
  }
};

struct ScatterNDToLinalg final : OpConversionPattern<IE::ScatterNDOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ScatterNDOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location at = op.getLoc();
    int64_t tuple = op.getTupleLength();
    Sizes addressed = getSizes(rewriter, at, adaptor.getData());
    Sizes prefixes = getSizes(rewriter, at, adaptor.getIndices());
    assertSameSize(rewriter, at, prefixes.pop_back_val(),
                   rewriter.getIndexAttr(tuple),
                   "index tuples of another length than the updates say");
    // One slice of the data for each tuple.
    Sizes expected(prefixes);
    expected.append(addressed.begin() + tuple, addressed.end());
    for (auto [own, wanted] : llvm::zip_equal(
             getSizes(rewriter, at, adaptor.getUpdates()), expected)) {
      assertSameSize(rewriter, at, own, wanted,
                     "updates of another shape than the indices say");
    }
    addressed.truncate(tuple);
    if (areMany(
            getTensorType(adaptor.getData()).getShape().drop_front(tuple))) {
      assertIndices(rewriter, op, adaptor.getIndices(), addressed);
    }
    return replaceScatter(
        op, adaptor.getData(), adaptor.getUpdates(),
        getRankedType(*getTypeConverter(), op.getOutput()), rewriter,
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          ValueRange prefix = indices.take_front(prefixes.size());
          SmallVector<Value> position =
              buildTuple(b, loc, adaptor.getIndices(), prefix, addressed);
          llvm::append_range(position, indices.drop_front(prefix.size()));
          return position;
        });
  }
};

struct OneHotToLinalg final : OpConversionPattern<IE::OneHotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::OneHotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    int64_t axis = normalize(op.getAxis(), type.getRank());
    Sizes sizes = getResultSize(rewriter, op);
    Value depth = getValueOrCreateConstantIndexOp(rewriter, loc, sizes[axis]);
    assertSameSize(rewriter, loc,
                   getSize(rewriter, loc, adaptor.getValues(), 0),
                   rewriter.getIndexAttr(2), "other than two values");
    bool isUnsigned = isUnsignedElement(op.getIndices());
    Value off = buildExtract(rewriter, loc, adaptor.getValues(),
                             buildIndex(rewriter, loc, 0));
    Value on = buildExtract(rewriter, loc, adaptor.getValues(),
                            buildIndex(rewriter, loc, 1));
    rewriter.replaceOp(
        op,
        buildFromIndices(
            rewriter, loc, type,
            [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
              SmallVector<Value> at(indices);
              at.erase(at.begin() + axis);
              Value index = toIndex(
                  b, loc, buildExtract(b, loc, adaptor.getIndices(), at),
                  isUnsigned);
              Value fromEnd = arith::AddIOp::create(b, loc, index, depth);
              auto equals = [&](Value position) -> Value {
                return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             position, indices[axis]);
              };
              // Either spelling of the position; others match nowhere.
              Value isOn =
                  arith::OrIOp::create(b, loc, equals(index), equals(fromEnd));
              return arith::SelectOp::create(b, loc, isOn, on, off);
            },
            sizes));
    return success();
  }

private:
  static Value toIndex(OpBuilder &b, Location loc, Value element,
                       bool isUnsigned) {
    if (isa<FloatType>(element.getType())) {
      element = arith::FPToSIOp::create(b, loc, b.getI64Type(), element);
    }
    if (isUnsigned) {
      return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), element);
    }
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), element);
  }
};

} // namespace

void nacre::populateIndexingToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<GatherToLinalg, GatherElementsToLinalg, GatherNDToLinalg,
               ScatterElementsToLinalg, ScatterNDToLinalg, OneHotToLinalg>(
      converter, patterns.getContext());
}
