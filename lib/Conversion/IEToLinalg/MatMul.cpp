//===- MatMul.cpp - Lower the MatMul family to linalg ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the IE operator family MatMul. Broadcasting batches,
// missing dimensions and transposition are all in the indexing maps.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/MatMul.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// Sums of products over `maps` (lhs, rhs, output) in the accumulator type.
static Value buildProducts(OpBuilder &builder, Location loc, Value lhs,
                           Value rhs, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes,
                           ArrayRef<AffineMap> maps) {
  Type accumulatorType = getAccumulatorType(type.getElementType());
  Value init =
      buildFilled(builder, loc, type.clone(accumulatorType),
                  buildScalar(builder, loc, accumulatorType, 0), sizes);
  return buildAccumulation(
      builder, loc, {lhs, rhs}, init, maps, /*isUnsigned=*/false,
      [](const ScalarEmitter &e, Value sum, ValueRange elements) {
        return e.add(sum, e.mul(elements[0], elements[1]));
      });
}

namespace {

/// One side of a product by NumPy's rules.
class Factor {
public:
  Factor(OpBuilder &builder, Location loc, Value tensor)
      : tensor(tensor), sizes(getSizes(builder, loc, tensor)) {}

  /// True with a dimension besides the batch's and the summed one.
  bool hasOwn() const { return sizes.size() > 1; }
  int64_t getBatchRank() const {
    return std::max<int64_t>(static_cast<int64_t>(sizes.size()) - 2, 0);
  }
  /// How its batch dimensions follow from the output's. Those of dynamic size,
  /// which may broadcast, do so here.
  SmallVector<AffineExpr> getBatchExprs(OpBuilder &builder, Location loc,
                                        ArrayRef<OpFoldResult> batch) {
    SmallVector<AffineExpr> exprs;
    Sizes wanted(sizes);
    for (int64_t i = 0; i < getBatchRank(); ++i) {
      int64_t position = batch.size() - getBatchRank() + i;
      bool isOne = getConstantIntValue(sizes[i]) == 1 &&
                   getConstantIntValue(batch[position]) != 1;
      exprs.push_back(isOne ? builder.getAffineConstantExpr(0)
                            : builder.getAffineDimExpr(position));
      wanted[i] = isOne ? sizes[i] : batch[position];
    }
    if (!llvm::equal(wanted, sizes, [](OpFoldResult a, OpFoldResult b) {
          return isEqualConstantIntOrValue(a, b);
        })) {
      auto type = cast<RankedTensorType>(tensor.getType());
      RankedTensorType wantedType = type.clone(getShape(wanted));
      Value shape = buildEmpty(builder, loc, wantedType, wanted);
      tensor = buildElementwise(builder, loc, wantedType, {tensor, shape},
                                [](OpBuilder &, Location, ValueRange elements) {
                                  return elements[0];
                                });
    }
    return exprs;
  }

  Value tensor;
  Sizes sizes;
};

} // namespace

/// The product by NumPy's rules, of `type`'s shape and in the accumulator type.
static Value buildMatMul(OpBuilder &builder, Location loc, Value lhs, Value rhs,
                         RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  // Loops: the output's dimensions, then the sum. Of integers, the columns come
  // last, whose sums are side by side in vectors.
  Factor left(builder, loc, lhs), right(builder, loc, rhs);
  bool hasRow = left.hasOwn(), hasColumn = right.hasOwn();
  int64_t rank = type.getRank(), batchRank = rank - hasRow - hasColumn;
  ArrayRef<OpFoldResult> batch = sizes.take_front(batchRank);
  bool columnsLast = hasColumn && isa<IntegerType>(type.getElementType());
  int64_t sumLoop = columnsLast ? rank - 1 : rank;
  AffineExpr sum = builder.getAffineDimExpr(sumLoop);
  SmallVector<AffineExpr> lhsExprs = left.getBatchExprs(builder, loc, batch);
  SmallVector<AffineExpr> rhsExprs = right.getBatchExprs(builder, loc, batch);
  if (hasRow) {
    lhsExprs.push_back(builder.getAffineDimExpr(batchRank));
  }
  lhsExprs.push_back(sum);
  rhsExprs.push_back(sum);
  if (hasColumn) {
    rhsExprs.push_back(builder.getAffineDimExpr(columnsLast ? rank : rank - 1));
  }
  MLIRContext *context = builder.getContext();
  return buildProducts(builder, loc, left.tensor, right.tensor, type, sizes,
                       {AffineMap::get(rank + 1, 0, lhsExprs, context),
                        AffineMap::get(rank + 1, 0, rhsExprs, context),
                        AffineMap::getMultiDimIdentityMap(rank + 1, context)
                            .dropResult(sumLoop)});
}

/// `value * factor`; integers are scaled in f64 and truncated.
static Value buildScaled(const ScalarEmitter &e, Value value, double factor) {
  if (factor == 1) {
    return value;
  }
  if (isa<FloatType>(value.getType())) {
    return e.mul(value, e.constant(value, factor));
  }
  Value wide = e.convert(value, e.getBuilder().getF64Type(), false);
  return e.convert(e.mul(wide, e.constant(wide, factor)), value.getType(),
                   e.isUnsigned());
}

namespace {

struct MatMulToLinalg final : OpConversionPattern<IE::MatMulOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MatMulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Value sums =
        buildMatMul(rewriter, op.getLoc(), adaptor.getLhs(), adaptor.getRhs(),
                    type, getResultSize(rewriter, op));
    rewriter.replaceOp(op, buildConverted(rewriter, op.getLoc(), sums,
                                          type.getElementType(),
                                          /*isUnsigned=*/false));
    return success();
  }
};

struct MatMulIntegerToLinalg final : OpConversionPattern<IE::MatMulIntegerOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MatMulIntegerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes lhsZero, rhsZero;
    if (Value zero = adaptor.getAZeroPoint()) {
      lhsZero = getZeroSizes(rewriter, loc, zero, op.getLhsZeroShape());
    }
    if (Value zero = adaptor.getBZeroPoint()) {
      rhsZero = getZeroSizes(rewriter, loc, zero, op.getRhsZeroShape());
    }
    Value lhs = buildDifference(rewriter, loc, adaptor.getLhs(),
                                adaptor.getAZeroPoint(), lhsZero,
                                isUnsignedElement(op.getLhs()));
    Value rhs = buildDifference(rewriter, loc, adaptor.getRhs(),
                                adaptor.getBZeroPoint(), rhsZero,
                                isUnsignedElement(op.getRhs()));
    rewriter.replaceOp(op, buildMatMul(rewriter, loc, lhs, rhs, type,
                                       getResultSize(rewriter, op)));
    return success();
  }

private:
  /// `shape` with the sizes of the zero points, in their order.
  static Sizes getZeroSizes(OpBuilder &builder, Location loc, Value zeroPoint,
                            ArrayRef<int64_t> shape) {
    Sizes own = getSizes(builder, loc, zeroPoint), sizes;
    for (auto [i, dim] : llvm::enumerate(shape)) {
      // A vector has one dimension, others have those of the matrix.
      sizes.push_back(ShapedType::isDynamic(dim)
                          ? own[own.size() == 1 ? 0 : i]
                          : OpFoldResult(builder.getIndexAttr(dim)));
    }
    return sizes;
  }
};

/// The weights become floats, then it is a product like others.
struct MatMulNBitsToLinalg final : OpConversionPattern<IE::MatMulNBitsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::MatMulNBitsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    Type element = type.getElementType();
    auto weightsType = RankedTensorType::get(
        {static_cast<int64_t>(op.getK()), op.getN()}, element);
    Value weights = buildElementwise(
        rewriter, loc, weightsType, /*inputs=*/{},
        [&](OpBuilder &b, Location at, ValueRange) {
          return emitWeight(op, adaptor, ScalarEmitter(b, at, true), element);
        });
    Value result =
        buildMatMul(rewriter, loc, adaptor.getInput(), weights, type, sizes);
    result = buildConverted(rewriter, loc, result, element,
                            /*isUnsigned=*/false);
    if (adaptor.getBias()) {
      result = buildElementwise(
          rewriter, loc, type, sizes, {result, adaptor.getBias()},
          [](OpBuilder &b, Location at, ValueRange x) {
            return ScalarEmitter(b, at, /*isUnsigned=*/false).add(x[0], x[1]);
          });
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// The weight of the row and column that linalg.index gives.
  static Value emitWeight(IE::MatMulNBitsOp op, OpAdaptor adaptor,
                          const ScalarEmitter &e, Type element) {
    OpBuilder &b = e.getBuilder();
    Location loc = e.getLoc();
    Value row = linalg::IndexOp::create(b, loc, 0);
    Value column = linalg::IndexOp::create(b, loc, 1);
    auto constant = [&](int64_t value) { return buildIndex(b, loc, value); };
    auto quotient = [&](Value a, int64_t c) {
      return e.create<arith::DivUIOp>(a, constant(c));
    };
    auto rest = [&](Value a, int64_t c) {
      return e.create<arith::RemUIOp>(a, constant(c));
    };
    constexpr int64_t kByteBits = 8;
    int64_t bits = op.getBits(), perByte = kByteBits / bits;
    // Of a byte, the integer with this number.
    auto unpack = [&](Value byte, Value number) {
      Value places =
          e.create<arith::MulIOp>(rest(number, perByte), constant(bits));
      Value shift = e.create<arith::IndexCastOp>(byte.getType(), places);
      Value low = e.create<arith::ShRUIOp>(byte, shift);
      Value mask = buildScalar(b, loc, byte.getType(), (1 << bits) - 1);
      return e.convert(e.create<arith::AndIOp>(low, mask), element,
                       /*isTargetUnsigned=*/false);
    };
    Value block = quotient(row, op.getBlockSize());
    Value inBlock = rest(row, op.getBlockSize());
    Value byte = buildExtract(b, loc, adaptor.getWeights(),
                              {column, block, quotient(inBlock, perByte)});
    Value weight = unpack(byte, inBlock);
    Value zero = buildScalar(b, loc, element, 1 << (bits - 1));
    if (op.hasPackedZeroPoints()) {
      zero = unpack(buildExtract(b, loc, adaptor.getZeroPoints(),
                                 {column, quotient(block, perByte)}),
                    block);
    } else if (adaptor.getZeroPoints()) {
      zero = buildExtract(b, loc, adaptor.getZeroPoints(), {column, block});
    }
    Value scale = buildExtract(b, loc, adaptor.getScales(), {column, block});
    return e.mul(e.sub(weight, zero), scale);
  }
};

struct GemmToLinalg final : OpConversionPattern<IE::GemmOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::GemmOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Sizes sizes = getResultSize(rewriter, op);
    MLIRContext *context = rewriter.getContext();
    AffineExpr m, n, k;
    bindDims(context, m, n, k);
    auto getMap = [&](AffineExpr rows, AffineExpr columns, bool transposed) {
      return transposed ? AffineMap::get(3, 0, {columns, rows}, context)
                        : AffineMap::get(3, 0, {rows, columns}, context);
    };
    Value result = buildProducts(
        rewriter, loc, adaptor.getLhs(), adaptor.getRhs(), type, sizes,
        {getMap(m, k, op.getTransA() != 0), getMap(k, n, op.getTransB() != 0),
         getMap(m, n, false)});
    double alpha = op.getAlpha().convertToDouble();
    double beta = op.getBeta().convertToDouble();
    bool isUnsigned = isUnsignedElement(op.getOutput());
    SmallVector<Value> terms = {result};
    if (adaptor.getAddend()) {
      terms.push_back(adaptor.getAddend());
    }
    if (terms.size() > 1 || alpha != 1) {
      result = buildElementwise(
          rewriter, loc, type, sizes, terms,
          [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
            ScalarEmitter e(b, nestedLoc, isUnsigned);
            Value value = buildScaled(e, elements[0], alpha);
            if (elements.size() > 1) {
              Value addend = widenHalf(b, nestedLoc, elements[1]);
              value = e.add(value, buildScaled(e, addend, beta));
            }
            return narrowHalf(b, nestedLoc, value, type.getElementType());
          });
    }
    rewriter.replaceOp(op, buildConverted(rewriter, loc, result,
                                          type.getElementType(), isUnsigned));
    return success();
  }
};

/// Gaussian elimination with the largest element of each column as its pivot,
/// in a copy of the matrices.
struct DetToLinalg final : OpConversionPattern<IE::DetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::DetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Type element = getAccumulatorType(type.getElementType());
    Sizes sizes = getResultSize(rewriter, op);
    int64_t rank = type.getRank();
    OpFoldResult size = getSize(rewriter, loc, adaptor.getInput(), rank);
    OpFoldResult total = multiplySizes(rewriter, loc, sizes);
    Value n = getValueOrCreateConstantIndexOp(rewriter, loc, size);
    Value count = getValueOrCreateConstantIndexOp(rewriter, loc, total);
    Sizes flat = {total, size, size};
    Value matrices = buildConverted(rewriter, loc, adaptor.getInput(), element,
                                    /*isUnsigned=*/false);
    matrices =
        buildReshape(rewriter, loc, matrices,
                     RankedTensorType::get(getShape(flat), element), flat);
    Value empty = buildEmpty(
        rewriter, loc, RankedTensorType::get(getShape(total), element), total);
    Value first = buildIndex(rewriter, loc, 0);
    SmallVector<Value> results = buildLoop(
        rewriter, loc, first, count, {matrices, empty},
        [&](OpBuilder &b, Value matrix, ValueRange state) {
          Value one = buildScalar(b, loc, element, 1);
          SmallVector<Value> eliminated =
              buildLoop(b, loc, buildIndex(b, loc, 0), n, {state[0], one},
                        [&](OpBuilder &inner, Value step, ValueRange now) {
                          return eliminate(inner, loc, matrix, step, n, now);
                        });
          Value determinants =
              tensor::InsertOp::create(b, loc, eliminated[1], state[1], matrix);
          return SmallVector<Value>{eliminated[0], determinants};
        });
    Value converted =
        buildConverted(rewriter, loc, results[1], type.getElementType(),
                       /*isUnsigned=*/false);
    rewriter.replaceOp(op, buildReshape(rewriter, loc, converted, type, sizes));
    return success();
  }

private:
  using LoopBuilder =
      llvm::function_ref<SmallVector<Value>(OpBuilder &, Value, ValueRange)>;

  static SmallVector<Value> buildLoop(OpBuilder &builder, Location loc,
                                      Value first, Value end, ValueRange init,
                                      LoopBuilder body) {
    auto loop = scf::ForOp::create(
        builder, loc, first, end, buildIndex(builder, loc, 1), init,
        [&](OpBuilder &b, Location, Value i, ValueRange carried) {
          scf::YieldOp::create(b, loc, body(b, i, carried));
        });
    return SmallVector<Value>(loop.getResults());
  }

  /// One step for one matrix: `state` is all matrices and the determinant so
  /// far.
  static SmallVector<Value> eliminate(OpBuilder &builder, Location loc,
                                      Value matrix, Value step, Value n,
                                      ValueRange state) {
    auto load = [&](OpBuilder &b, Value matrices, Value row, Value column) {
      return buildExtract(b, loc, matrices, {matrix, row, column});
    };
    auto store = [&](OpBuilder &b, Value value, Value matrices, Value row,
                     Value column) -> Value {
      return tensor::InsertOp::create(b, loc, value, matrices,
                                      ValueRange{matrix, row, column});
    };
    ScalarEmitter e(builder, loc, /*isUnsigned=*/false);
    Value next =
        arith::AddIOp::create(builder, loc, step, buildIndex(builder, loc, 1));
    // The row of the pivot, and its magnitude.
    Value start = load(builder, state[0], step, step);
    SmallVector<Value> pivot = buildLoop(
        builder, loc, next, n, {step, e.create<math::AbsFOp>(start)},
        [&](OpBuilder &b, Value row, ValueRange best) {
          ScalarEmitter inner(b, loc, /*isUnsigned=*/false);
          Value size = inner.create<math::AbsFOp>(load(b, state[0], row, step));
          Value isLarger = inner.less(best[1], size);
          return SmallVector<Value>{inner.select(isLarger, row, best[0]),
                                    inner.select(isLarger, size, best[1])};
        });
    SmallVector<Value> swapped = buildLoop(
        builder, loc, step, n, state[0],
        [&](OpBuilder &b, Value column, ValueRange now) {
          Value upper = load(b, now[0], step, column);
          Value lower = load(b, now[0], pivot[0], column);
          Value written = store(b, lower, now[0], step, column);
          return SmallVector<Value>{store(b, upper, written, pivot[0], column)};
        });
    Value value = load(builder, swapped[0], step, step);
    Value stays =
        e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, pivot[0], step);
    Value product = e.mul(state[1], value);
    product = e.select(stays, product, e.neg(product));
    // Without a pivot the column is zero already, and so is the determinant.
    Value isZero = e.equal(value, e.constant(value, 0));
    Value divisor = e.select(isZero, e.constant(value, 1), value);
    SmallVector<Value> eliminated =
        buildLoop(builder, loc, next, n, swapped,
                  [&](OpBuilder &b, Value row, ValueRange now) {
                    ScalarEmitter outer(b, loc, /*isUnsigned=*/false);
                    Value factor =
                        outer.div(load(b, now[0], row, step), divisor);
                    return buildLoop(
                        b, loc, next, n, now,
                        [&](OpBuilder &deep, Value column, ValueRange state) {
                          ScalarEmitter inner(deep, loc, /*isUnsigned=*/false);
                          Value above = load(deep, state[0], step, column);
                          Value own = load(deep, state[0], row, column);
                          Value rest = inner.sub(own, inner.mul(factor, above));
                          return SmallVector<Value>{
                              store(deep, rest, state[0], row, column)};
                        });
                  });
    return {eliminated[0], product};
  }
};

} // namespace

void nacre::populateMatMulToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<DetToLinalg, MatMulToLinalg, MatMulIntegerToLinalg,
               MatMulNBitsToLinalg, GemmToLinalg>(converter,
                                                  patterns.getContext());
  populateEinsumToLinalgPatterns(converter, patterns);
}
