//===- DataMovement.cpp - Lower the DataMovement family to linalg ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family DataMovement. What the tensor
// dialect expresses stays there, so that bufferization can avoid the copy;
// repetition is expressed in indexing maps. Slice and Pad are in
// DataMovementSections.cpp.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

static int64_t normalize(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// True for a type that cannot have elements.
static bool isEmpty(RankedTensorType type) {
  return llvm::is_contained(type.getShape(), 0);
}

namespace {

struct TransposeToLinalg final : OpConversionPattern<IE::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*getTypeConverter(), op->getResult(0));
    Value transposed = buildTranspose(rewriter, op.getLoc(), adaptor.getData(),
                                      op.getPermutation());
    rewriter.replaceOp(op, buildCast(rewriter, op.getLoc(), transposed, type));
    return success();
  }
};

struct ConcatToTensor final : OpConversionPattern<IE::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*getTypeConverter(), op.getConcatResult());
    Location loc = op.getLoc();
    int64_t axis = normalize(op.getAxis(), type.getRank());
    Sizes sizes = getResultSize(rewriter, op);
    OpFoldResult sum = rewriter.getIndexAttr(0);
    SmallVector<Value> parts;
    SmallVector<OpFoldResult> positions;
    for (Value input : adaptor.getInputs()) {
      if (!isEmpty(getTensorType(input))) {
        parts.push_back(input);
        positions.push_back(sum);
      }
      sum = addSizes(rewriter, loc, sum, getSize(rewriter, loc, input, axis));
    }
    // What writes a part can write it into the result, which bufferization
    // finds out for each part in a time that grows with the cube of their
    // number. Many are copied: a bound of the time to compile.
    constexpr size_t kMostInPlace = 32;
    if (parts.size() > kMostInPlace) {
      for (Value &part : parts) {
        part = buildKnown(rewriter, loc, part, getSizes(rewriter, loc, part));
      }
      Value result = tensor::ConcatOp::create(rewriter, loc, axis, parts);
      rewriter.replaceOp(op, buildCast(rewriter, loc, result, type));
      return success();
    }
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    Value result = buildEmpty(rewriter, loc, type, sizes);
    for (auto [part, position] : llvm::zip_equal(parts, positions)) {
      offsets[axis] = position;
      Sizes own = getSizes(rewriter, loc, part);
      result = tensor::InsertSliceOp::create(
          rewriter, loc, buildKnown(rewriter, loc, part, own), result, offsets,
          own, strides);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct SplitToTensor final : OpConversionPattern<IE::SplitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t rank = getTensorType(adaptor.getInput()).getRank();
    int64_t axis = normalize(op.getAxis(), rank);
    Sizes offsets(rank, rewriter.getIndexAttr(0));
    Sizes strides(rank, rewriter.getIndexAttr(1));
    FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
    if (failed(sizes)) {
      return failure();
    }
    SmallVector<Value> parts;
    for (auto [output, size] : llvm::zip_equal(op.getOutputs(), *sizes)) {
      RankedTensorType type = getRankedType(*getTypeConverter(), output);
      // An empty part at the end would start outside the operand.
      if (isEmpty(type)) {
        parts.push_back(buildEmpty(rewriter, loc, type, size));
      } else {
        Value part = tensor::ExtractSliceOp::create(
            rewriter, loc, adaptor.getInput(), offsets, size, strides);
        parts.push_back(buildCast(rewriter, loc, part, type));
      }
      offsets[axis] = addSizes(rewriter, loc, offsets[axis], size[axis]);
    }
    assertSameSize(rewriter, loc, offsets[axis],
                   getSize(rewriter, loc, adaptor.getInput(), axis),
                   "parts that do not make up what is split");
    rewriter.replaceOp(op, parts);
    return success();
  }
};

struct ExpandToLinalg final : OpConversionPattern<IE::ExpandOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ExpandOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    RankedTensorType inputType = getTensorType(adaptor.getInput());
    auto broadcast =
        IE::broadcastShapes({inputType.getShape(), type.getShape()});
    // What is unknown of the operand, a run compares.
    auto contradicts = [](auto sizes) {
      auto [known, declared] = sizes;
      return !ShapedType::isDynamic(known) &&
             !ShapedType::isDynamic(declared) && known != declared;
    };
    if (failed(broadcast) ||
        llvm::any_of(llvm::zip_equal(*broadcast, type.getShape()),
                     contradicts)) {
      return rewriter.notifyMatchFailure(
          op, "operand does not broadcast to the declared type");
    }
    rewriter.replaceOp(
        op, buildElementwise(rewriter, op.getLoc(), type,
                             getResultSize(rewriter, op), adaptor.getInput(),
                             [](OpBuilder &, Location, ValueRange elements) {
                               return elements[0];
                             }));
    return success();
  }
};

/// Over (repeat, element) pairs per dimension, merged afterwards: affine,
/// unlike an index modulo the size.
struct TileToLinalg final : OpConversionPattern<IE::TileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::TileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op), pairs;
    Sizes dims = getSizes(rewriter, loc, adaptor.getInput());
    for (auto [size, dim] : llvm::zip_equal(sizes, dims)) {
      std::optional<int64_t> to = getConstantIntValue(size);
      std::optional<int64_t> from = getConstantIntValue(dim);
      if (to && from && (*from == 0 ? *to != 0 : *to % *from != 0)) {
        return rewriter.notifyMatchFailure(
            op, "declared size is no multiple of the operand's");
      }
    }
    SmallVector<ReassociationIndices> groups;
    SmallVector<AffineExpr> elements;
    for (auto [i, dim] : llvm::enumerate(dims)) {
      OpFoldResult repeat = getRepeat(rewriter, op, i, dim, sizes[i]);
      if (getConstantIntValue(sizes[i])) {
        assertSameSize(rewriter, loc,
                       multiplySizes(rewriter, loc, {repeat, dim}), sizes[i],
                       "repeats that do not make the declared size");
      }
      ReassociationIndices &group = groups.emplace_back();
      if (!isOneInteger(repeat)) {
        group.push_back(static_cast<int64_t>(pairs.size()));
        pairs.push_back(repeat);
      }
      elements.push_back(rewriter.getAffineDimExpr(pairs.size()));
      group.push_back(static_cast<int64_t>(pairs.size()));
      pairs.push_back(dim);
    }
    int64_t rank = pairs.size();
    auto pairType =
        RankedTensorType::get(getShape(pairs), type.getElementType());
    SmallVector<AffineMap> maps = {
        AffineMap::get(rank, 0, elements, rewriter.getContext()),
        rewriter.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    Value empty = buildEmpty(rewriter, loc, pairType, pairs);
    Value tiled = linalg::GenericOp::create(
                      rewriter, loc, TypeRange(pairType), adaptor.getInput(),
                      ValueRange(empty), maps, iterators,
                      [](OpBuilder &b, Location nested, ValueRange scalars) {
                        linalg::YieldOp::create(b, nested, scalars.front());
                      })
                      .getResult(0);
    if (rank > type.getRank()) {
      tiled = tensor::CollapseShapeOp::create(rewriter, loc, tiled, groups);
    }
    rewriter.replaceOp(op, buildCast(rewriter, loc, tiled, type));
    return success();
  }

private:
  /// How often elements of `dim` are repeated, which become `size`.
  static OpFoldResult getRepeat(ConversionPatternRewriter &rewriter,
                                IE::TileOp op, int64_t i, OpFoldResult dim,
                                OpFoldResult size) {
    std::optional<int64_t> to = getConstantIntValue(size);
    std::optional<int64_t> from = getConstantIntValue(dim);
    if (to && from) {
      return rewriter.getIndexAttr(*from == 0 ? 1 : *to / *from);
    }
    return TracingSizeBuilder(rewriter, op.getLoc())
        .getElement(op.getRepeats(), i);
  }
};

} // namespace

/// Replaces `op` by: view as `shape`, permute, view as the result type.
template <typename OpT>
static LogicalResult replaceByPermutation(OpT op, Value input,
                                          RankedTensorType type,
                                          ArrayRef<OpFoldResult> shape,
                                          ArrayRef<int64_t> permutation,
                                          ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Sizes sizes = getResultSize(rewriter, op);
  auto viewType = RankedTensorType::get(getShape(shape), type.getElementType());
  Value view = buildReshape(rewriter, loc, input, viewType, shape);
  Value permuted = buildTranspose(rewriter, loc, view, permutation);
  rewriter.replaceOp(op, buildReshape(rewriter, loc, permuted, type, sizes));
  return success();
}

namespace {

struct DepthToSpaceToLinalg final : OpConversionPattern<IE::DepthToSpaceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::DepthToSpaceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes in = getSizes(rewriter, op.getLoc(), adaptor.getInput());
    auto size = static_cast<int64_t>(op.getBlocksize());
    OpFoldResult block = rewriter.getIndexAttr(size);
    OpFoldResult channels = IE::divideSizeDown(
        rewriter, op.getLoc(), in[1], rewriter.getIndexAttr(size * size));
    if (op.getMode() == "DCR") {
      return replaceByPermutation(op, adaptor.getInput(), type,
                                  {in[0], block, block, channels, in[2], in[3]},
                                  {0, 3, 4, 1, 5, 2}, rewriter);
    }
    return replaceByPermutation(op, adaptor.getInput(), type,
                                {in[0], channels, block, block, in[2], in[3]},
                                {0, 1, 4, 2, 5, 3}, rewriter);
  }
};

struct SpaceToDepthToLinalg final : OpConversionPattern<IE::SpaceToDepthOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SpaceToDepthOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes in = getSizes(rewriter, loc, adaptor.getInput());
    OpFoldResult block =
        rewriter.getIndexAttr(static_cast<int64_t>(op.getBlocksize()));
    return replaceByPermutation(
        op, adaptor.getInput(), type,
        {in[0], in[1], IE::divideSizeDown(rewriter, loc, in[2], block), block,
         IE::divideSizeDown(rewriter, loc, in[3], block), block},
        {0, 3, 5, 1, 2, 4}, rewriter);
  }
};

struct TriluToLinalg final : OpConversionPattern<IE::TriluOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::TriluOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    int64_t rank = type.getRank();
    Value k = buildDiagonal(rewriter, op, adaptor);
    if (VPU::getAlgorithm(op) == VPU::Algorithm::cutRows) {
      rewriter.replaceOp(op, cutRows(rewriter, op, adaptor, type, k));
      return success();
    }
    auto predicate = op.getUpper() != 0 ? arith::CmpIPredicate::sge
                                        : arith::CmpIPredicate::sle;
    SmallVector<Value> operands = {adaptor.getInput()};
    Type narrow = getNarrowType(rewriter, type);
    if (narrow) {
      operands.push_back(
          buildNumbers(rewriter, loc, type.getShape().back(), narrow));
    }
    rewriter.replaceOp(
        op, buildElementwise(
                rewriter, loc, type, operands,
                [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
                  Value row = linalg::IndexOp::create(b, loc, rank - 2);
                  Value bound = arith::AddIOp::create(b, loc, row, k);
                  Value column;
                  if (narrow) {
                    column = elements[1];
                    bound = arith::IndexCastOp::create(b, loc, narrow, bound);
                  } else {
                    column = linalg::IndexOp::create(b, loc, rank - 1);
                  }
                  Value keep =
                      arith::CmpIOp::create(b, loc, predicate, column, bound);
                  Value zero = buildScalar(b, loc, type.getElementType(), 0);
                  return arith::SelectOp::create(b, loc, keep, elements[0],
                                                 zero);
                }));
    return success();
  }

private:
  /// The result row by row: what is left of a row's cut and what is right of
  /// it, of which one is copied and the other one zeroes. Rows are shared by
  /// cores before matrices, of which there may be one.
  static Value cutRows(ConversionPatternRewriter &builder, IE::TriluOp op,
                       OpAdaptor adaptor, RankedTensorType type, Value k) {
    Location loc = op.getLoc();
    bool isUpper = op.getUpper() != 0;
    Value zero = buildIndex(builder, loc, 0), one = buildIndex(builder, loc, 1);
    Sizes sizes = getResultSize(builder, op);
    SmallVector<Value> ends =
        llvm::map_to_vector(sizes, [&](OpFoldResult size) {
          return getValueOrCreateConstantIndexOp(builder, loc, size);
        });
    Value columns = ends.pop_back_val();
    Value none = buildScalar(builder, loc, type.getElementType(), 0);
    std::rotate(ends.begin(), std::prev(ends.end()), ends.end());
    SmallVector<Value> firsts(ends.size(), zero), steps(ends.size(), one);
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, firsts, ends, steps,
        buildEmpty(builder, loc, type, sizes),
        [&](OpBuilder &b, Location loc, ValueRange loops,
            ValueRange result) -> scf::ValueVector {
          SmallVector<Value> row(loops);
          std::rotate(row.begin(), std::next(row.begin()), row.end());
          Value cut = arith::AddIOp::create(b, loc, row.back(), k);
          if (!isUpper) {
            cut = arith::AddIOp::create(b, loc, cut, one);
          }
          cut = clampIndex(b, loc, cut, zero, columns);
          auto fill = [&](Value first, Value end, bool isCopied,
                          Value to) -> Value {
            SmallVector<OpFoldResult> offsets(getAsOpFoldResult(row));
            offsets.push_back(first);
            SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1)),
                extents = ones;
            extents.back() =
                arith::SubIOp::create(b, loc, end, first).getResult();
            auto part = RankedTensorType::get(ShapedType::kDynamic,
                                              type.getElementType());
            auto take = [&](Value from) -> Value {
              return tensor::ExtractSliceOp::create(b, loc, part, from, offsets,
                                                    extents, ones);
            };
            Value elements =
                isCopied
                    ? take(adaptor.getInput())
                    : linalg::FillOp::create(b, loc, none, take(to)).result();
            return tensor::InsertSliceOp::create(b, loc, elements, to, offsets,
                                                 extents, ones);
          };
          Value left = fill(zero, cut, !isUpper, result[0]);
          return {fill(cut, columns, isUpper, left)};
        });
    markIndependent(nest.loops.front(), type.getRank() - 2);
    for (auto [dim, loop] : llvm::enumerate(llvm::drop_begin(nest.loops))) {
      markIndependent(loop, dim);
    }
    return nest.results.front();
  }

  /// The number of the diagonal, within one of those there are and their
  /// neighbours: others keep all or nothing, too.
  static Value buildDiagonal(OpBuilder &builder, IE::TriluOp op,
                             OpAdaptor adaptor) {
    Location loc = op.getLoc();
    if (!adaptor.getK()) {
      return buildIndex(builder, loc, 0);
    }
    int64_t rank = getTensorType(adaptor.getInput()).getRank();
    auto getExtent = [&](int64_t dim) {
      return getValueOrCreateConstantIndexOp(
          builder, loc, getSize(builder, loc, adaptor.getInput(), dim));
    };
    Value lowest = arith::SubIOp::create(
        builder, loc, buildIndex(builder, loc, 0), getExtent(rank - 2));
    return clampIndex(builder, loc,
                      extractIndex(builder, loc, adaptor.getK(), 0), lowest,
                      getExtent(rank - 1));
  }

  /// The type of 16 bits, where elements have no more and it holds all
  /// positions in a matrix and where a row is cut; else null. It never takes
  /// longer.
  static Type getNarrowType(OpBuilder &builder, RankedTensorType type) {
    constexpr unsigned kNarrow = 16;
    ArrayRef<int64_t> matrix = type.getShape().take_back(2);
    bool fits = !llvm::is_contained(matrix, ShapedType::kDynamic) &&
                llvm::isIntN(kNarrow, matrix.front() + matrix.back());
    bool isSmall = type.getElementTypeBitWidth() <= kNarrow;
    return fits && isSmall ? builder.getIntegerType(kNarrow) : Type();
  }

  /// The numbers below `count`. What is computed LLVM compares as 64 bits, of
  /// which a vector holds an eighth of what it does of bytes.
  static Value buildNumbers(OpBuilder &builder, Location loc, int64_t count,
                            Type type) {
    SmallVector<APInt> numbers;
    for (int64_t i = 0; i < count; ++i) {
      numbers.emplace_back(type.getIntOrFloatBitWidth(), i);
    }
    return arith::ConstantOp::create(
        builder, loc,
        DenseIntElementsAttr::get(RankedTensorType::get(count, type), numbers));
  }
};

struct ReverseSequenceToLinalg final
    : OpConversionPattern<IE::ReverseSequenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ReverseSequenceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Sizes sizes = getResultSize(rewriter, op);
    int64_t time = op.getTimeAxis(), batch = op.getBatchAxis();
    assertSameSize(rewriter, op.getLoc(), sizes[batch],
                   getSize(rewriter, op.getLoc(), adaptor.getSequenceLens(), 0),
                   "another number of lengths than sequences");
    Value available =
        getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), sizes[time]);
    rewriter.replaceOp(
        op,
        buildFromIndices(
            rewriter, op.getLoc(), type,
            [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
              Value element = buildExtract(b, loc, adaptor.getSequenceLens(),
                                           indices[batch]);
              Value length =
                  arith::IndexCastOp::create(b, loc, b.getIndexType(), element);
              // A length beyond the axis would leave the tensor.
              length =
                  clampIndex(b, loc, length, buildIndex(b, loc, 0), available);
              Value last =
                  arith::SubIOp::create(b, loc, length, buildIndex(b, loc, 1));
              Value mirrored =
                  arith::SubIOp::create(b, loc, last, indices[time]);
              Value reversed = arith::CmpIOp::create(
                  b, loc, arith::CmpIPredicate::slt, indices[time], length);
              SmallVector<Value> source(indices);
              source[time] = arith::SelectOp::create(b, loc, reversed, mirrored,
                                                     indices[time]);
              return buildExtract(b, loc, adaptor.getInput(), source);
            },
            sizes));
    return success();
  }
};

} // namespace

void nacre::populateDataMovementToLinalgPatterns(const TypeConverter &converter,
                                                 RewritePatternSet &patterns) {
  patterns.add<TransposeToLinalg, ConcatToTensor, SplitToTensor, ExpandToLinalg,
               TileToLinalg, DepthToSpaceToLinalg, SpaceToDepthToLinalg,
               TriluToLinalg, ReverseSequenceToLinalg>(converter,
                                                       patterns.getContext());
  populateCompressToLinalgPatterns(converter, patterns);
  populateSectionToLinalgPatterns(converter, patterns);
}
