//===- FuseLowBitWeights.cpp - Weights that stay of few bits --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of the ie-fuse-quantization pass. ONNX has weights of few bits in
// DequantizeLinear, from which their users get floats. Products and gathers
// read the integers instead, so that a model's weights are never larger than
// the model.
//
//===----------------------------------------------------------------------===//

#include "LowBitMatrix.h"
#include "QuantizationFusions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;
using interpreter::Tensor;

static Value buildConstant(OpBuilder &builder, Location loc,
                           const Tensor &tensor) {
  return ConstantOp::create(builder, loc, tensor.toAttr());
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// How the rows (K) of a weight matrix (K, N) are cut into blocks.
struct Blocks {
  int64_t size, count;
};

/// What IE.MatMulNBits has of a weight matrix.
struct ProductWeights {
  Value weights, scales, zeroPoints;
  int64_t depth, bits, blockSize;
};

/// Reads the parameters of a matrix (K, N) that `op` dequantizes, or of its
/// transpose.
class BlockParameters {
public:
  /// Nothing where they are no constants, or not those of blocks of K that are
  /// whole words.
  static std::optional<BlockParameters>
  get(DequantizeLinearOp op, const LowBitMatrix &matrix, bool isTransposed);

  Blocks getBlocks() const { return blocks; }
  /// (N, blocks) of the operator's type.
  Tensor getScales() const;
  /// (N, bytes), packed as the weights are; nothing where they are half the
  /// range. Fails where they are no integers of so many bits.
  FailureOr<std::optional<Tensor>> getZeroPoints() const;

private:
  int64_t locate(int64_t column, int64_t block) const {
    return column * columnStep + block * blockStep;
  }

  Blocks blocks = {0, 0};
  int64_t columns = 0, bits = 0, shift = 0;
  int64_t columnStep = 0, blockStep = 0;
  Tensor scale;
  std::optional<Tensor> zeroPoint;
};

} // namespace

/// The blocks of the matrix (K, N) or, transposed, (N, K) that `op`
/// dequantizes; nothing where its parameters belong to others.
static std::optional<Blocks> findBlocks(DequantizeLinearOp op, int64_t depth,
                                        int64_t bits, bool isTransposed) {
  constexpr int64_t kWordBits = 32;
  bool isAlongDepth = op.getDim() == (isTransposed ? 1 : 0);
  int64_t size = op.getBlockSize();
  if (op.isBlocked() && isAlongDepth && size < depth) {
    return size * bits % kWordBits == 0
               ? std::optional<Blocks>({size, ceilDiv(depth, size)})
               : std::nullopt;
  }
  // One scale for each column.
  return isPerTensor(op) || op.isBlocked() == isAlongDepth
             ? std::optional<Blocks>({static_cast<int64_t>(llvm::alignTo(
                                          depth, kWordBits / bits)),
                                      1})
             : std::nullopt;
}

std::optional<BlockParameters> BlockParameters::get(DequantizeLinearOp op,
                                                    const LowBitMatrix &matrix,
                                                    bool isTransposed) {
  std::optional<Blocks> blocks =
      findBlocks(op, matrix.getColumns(), matrix.getBits(), isTransposed);
  FailureOr<Tensor> scale = failure();
  if (blocks) {
    scale = interpreter::evaluateConstant(op.getScale());
  }
  if (failed(scale)) {
    return std::nullopt;
  }
  BlockParameters result;
  if (op.getZeroPoint()) {
    FailureOr<Tensor> zeroPoint =
        interpreter::evaluateConstant(op.getZeroPoint());
    if (failed(zeroPoint)) {
      return std::nullopt;
    }
    result.zeroPoint = *zeroPoint;
  }
  result.blocks = *blocks;
  result.columns = matrix.getRows();
  result.bits = matrix.getBits();
  result.shift = matrix.getShift();
  result.scale = *scale;
  if (!isPerTensor(op)) {
    result.columnStep = isTransposed ? blocks->count : 1;
    result.blockStep = isTransposed ? 1 : result.columns;
  }
  return result;
}

Tensor BlockParameters::getScales() const {
  Tensor result(
      RankedTensorType::get({columns, blocks.count}, scale.getElementType()));
  interpreter::dispatch(scale.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> from = scale.values<T>();
    T *to = result.mutableValues<T>().data();
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t block = 0; block < blocks.count; ++block) {
        *to++ = from[locate(column, block)];
      }
    }
  });
  return result;
}

FailureOr<std::optional<Tensor>> BlockParameters::getZeroPoints() const {
  constexpr int64_t kByteBits = 8;
  int64_t perByte = kByteBits / bits, bytes = ceilDiv(blocks.count, perByte);
  Type byte = IntegerType::get(scale.getType().getContext(), kByteBits,
                               IntegerType::Unsigned);
  Tensor result(RankedTensorType::get({columns, bytes}, byte));
  MutableArrayRef<uint8_t> to = result.mutableValues<uint8_t>();
  int64_t halfRange = int64_t(1) << (bits - 1);
  bool isHalfRange = true;
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t block = 0; block < blocks.count; ++block) {
      int64_t zero =
          shift + (zeroPoint ? zeroPoint->getInt(locate(column, block)) : 0);
      if (zero < 0 || zero >= 2 * halfRange) {
        return failure();
      }
      isHalfRange &= zero == halfRange;
      to[column * bytes + block / perByte] |=
          static_cast<uint8_t>(zero << block % perByte * bits);
    }
  }
  return isHalfRange ? std::optional<Tensor>() : result;
}

/// The matrix that `op` dequantizes, or its transpose, as weights of products.
static std::optional<ProductWeights>
buildProductWeights(OpBuilder &builder, DequantizeLinearOp op,
                    const LowBitMatrix &matrix, bool isTransposed) {
  // A row for each column of the weights.
  LowBitMatrix columns = isTransposed ? matrix : matrix.getTransposed();
  std::optional<BlockParameters> parameters =
      BlockParameters::get(op, columns, isTransposed);
  FailureOr<std::optional<Tensor>> zeroPoints = failure();
  if (parameters) {
    zeroPoints = parameters->getZeroPoints();
  }
  if (failed(zeroPoints)) {
    return std::nullopt;
  }
  Location loc = op.getLoc();
  Blocks blocks = parameters->getBlocks();
  ProductWeights result;
  result.weights =
      buildConstant(builder, loc,
                    columns.pack({columns.getRows(), blocks.count,
                                  blocks.size / columns.getPerByte()}));
  result.scales = buildConstant(builder, loc, parameters->getScales());
  if (*zeroPoints) {
    result.zeroPoints = buildConstant(builder, loc, **zeroPoints);
  }
  result.depth = columns.getColumns();
  result.bits = columns.getBits();
  result.blockSize = blocks.size;
  return result;
}

/// True for rows whose length is known to be that of the weights' columns.
static bool hasKnownRows(Value lhs, int64_t depth) {
  RankedTensorType type = getTensorType(lhs);
  return type.getRank() > 0 && type.getShape().back() == depth;
}

static Value buildProduct(OpBuilder &builder, Location loc, Type type,
                          Value lhs, const ProductWeights &w) {
  return MatMulNBitsOp::create(
      builder, loc, type, lhs, w.weights, w.scales, w.zeroPoints,
      /*bias=*/Value(), builder.getI64IntegerAttr(w.depth),
      builder.getI64IntegerAttr(w.bits), builder.getI64IntegerAttr(w.blockSize),
      /*accuracy_level=*/builder.getI64IntegerAttr(0));
}

/// `value` times a number other than 1.
static Value scaleBy(OpBuilder &builder, Location loc, Value value,
                     const APFloat &factor) {
  if (factor.isExactlyValue(1.0)) {
    return value;
  }
  Type element = getTensorType(value).getElementType();
  return MulOp::create(
      builder, loc, value,
      buildScalar(builder, loc, element, factor.convertToDouble()));
}

namespace {

/// All products of a matrix share its weights.
struct FuseProducts final : OpRewritePattern<DequantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DequantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Operation *> products, transposedProducts;
    collect(op.getOutput(), products, transposedProducts);
    if (products.empty() && transposedProducts.empty()) {
      return rewriter.notifyMatchFailure(op, "is no weights of a product");
    }
    std::optional<LowBitMatrix> matrix = LowBitMatrix::get(op);
    if (!matrix) {
      return rewriter.notifyMatchFailure(
          op, "needs a constant matrix of integers of 2, 4 or 8 bits");
    }
    bool isFused =
        fuse(op, *matrix, products, /*isTransposed=*/false, rewriter);
    isFused |=
        fuse(op, *matrix, transposedProducts, /*isTransposed=*/true, rewriter);
    return isFused ? success()
                   : rewriter.notifyMatchFailure(
                         op, "needs constant parameters of blocks of the rows "
                             "or of columns");
  }

private:
  /// The products whose right operand is `value`, or its transpose.
  static void collect(Value value, SmallVectorImpl<Operation *> &products,
                      SmallVectorImpl<Operation *> &transposedProducts) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto transpose = dyn_cast<TransposeOp>(user)) {
        if (transpose.getPermutation().front() != 0) {
          collect(transpose.getTransposed(), transposedProducts, products);
        }
      } else if (auto gemm = dyn_cast<GemmOp>(user)) {
        if (use == gemm.getRhsMutable() && gemm.getLhs() != value &&
            gemm.getAddend() != value) {
          (gemm.getTransB() != 0 ? transposedProducts : products)
              .push_back(user);
        }
      } else if (auto product = dyn_cast<MatMulOp>(user)) {
        if (use == product.getRhsMutable() && product.getLhs() != value) {
          products.push_back(user);
        }
      }
    }
  }

  static bool fuse(DequantizeLinearOp op, const LowBitMatrix &matrix,
                   ArrayRef<Operation *> products, bool isTransposed,
                   PatternRewriter &rewriter) {
    int64_t depth = isTransposed ? matrix.getColumns() : matrix.getRows();
    SmallVector<Operation *> fitting =
        llvm::filter_to_vector(products, [&](Operation *product) {
          auto gemm = dyn_cast<GemmOp>(product);
          return (gemm && gemm.getTransA() != 0) ||
                 hasKnownRows(product->getOperand(0), depth);
        });
    if (fitting.empty()) {
      return false;
    }
    rewriter.setInsertionPoint(op);
    std::optional<ProductWeights> weights =
        buildProductWeights(rewriter, op, matrix, isTransposed);
    if (!weights) {
      return false;
    }
    for (Operation *product : fitting) {
      rewriter.setInsertionPoint(product);
      if (auto gemm = dyn_cast<GemmOp>(product)) {
        rewriter.replaceOp(gemm, buildGemm(rewriter, gemm, *weights));
      } else {
        rewriter.replaceOp(product,
                           buildProduct(rewriter, product->getLoc(),
                                        product->getResult(0).getType(),
                                        product->getOperand(0), *weights));
      }
    }
    return true;
  }

  static Value buildGemm(OpBuilder &builder, GemmOp op,
                         const ProductWeights &weights) {
    Location loc = op.getLoc();
    Value lhs = op.getLhs();
    if (op.getTransA() != 0) {
      lhs = TransposeOp::create(builder, loc, lhs,
                                builder.getDenseI64ArrayAttr({1, 0}));
    }
    Value result =
        buildProduct(builder, loc, op.getOutput().getType(), lhs, weights);
    result = scaleBy(builder, loc, result, op.getAlpha());
    return op.getAddend() ? AddOp::create(builder, loc, result,
                                          scaleBy(builder, loc, op.getAddend(),
                                                  op.getBeta()))
                                .getResult()
                          : result;
  }
};

/// What is added to each row is a bias.
struct FuseBias final : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override {
    Value bias = op.getRhs();
    auto product = op.getLhs().getDefiningOp<MatMulNBitsOp>();
    if (!product) {
      bias = op.getLhs();
      product = op.getRhs().getDefiningOp<MatMulNBitsOp>();
    }
    if (!product || product.getBias() || !product->hasOneUse() ||
        product.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(
          op, "needs a product of weights of few bits without a bias, of no "
              "other use");
    }
    RankedTensorType type = getTensorType(bias);
    int64_t columns = product.getN();
    if (!type.hasStaticShape() || type.getNumElements() != columns ||
        type.getRank() < 1 || type.getShape().back() != columns) {
      return rewriter.notifyMatchFailure(op,
                                         "needs an element for each column");
    }
    if (type.getRank() != 1) {
      bias = reshapeTo(rewriter, op.getLoc(), bias, {columns});
    }
    rewriter.replaceOpWithNewOp<MatMulNBitsOp>(
        op, op.getType(), product.getInput(), product.getWeights(),
        product.getScales(), product.getZeroPoints(), bias, product.getKAttr(),
        product.getBitsAttr(), product.getBlockSizeAttr(),
        product.getAccuracyLevelAttr());
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The rows of `table` with these indices. What a table of constants is
/// converted from is gathered rather than the result.
static Value gatherRows(OpBuilder &builder, GatherOp op, Value table) {
  auto cast = table.getDefiningOp<CastOp>();
  Value source = cast ? cast.getInput() : table;
  SmallVector<int64_t> shape(getTensorType(op.getIndices()).getShape());
  llvm::append_range(shape, getTensorType(source).getShape().drop_front());
  Value rows =
      GatherOp::create(builder, op.getLoc(),
                       TypeRange(getTensorType(source).clone(shape)), source,
                       op.getIndices(), builder.getI64IntegerAttr(0))
          ->getResult(0);
  return castTo(builder, op.getLoc(), rows,
                getTensorType(table).getElementType());
}

namespace {

/// The rows that a Gather picks are dequantized, not the table.
struct FuseGather final : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto table = op.getData().getDefiningOp<DequantizeLinearOp>();
    int64_t axis = op.getAxis();
    if (!table || getTensorType(table.getInput()).getRank() != 2 ||
        (axis != 0 && axis != -2)) {
      return rewriter.notifyMatchFailure(op, "picks no rows of a dequantized "
                                             "matrix");
    }
    bool isOfRows = !isPerTensor(table) && table.getDim() == 0;
    if (table.isBlocked() && isOfRows) {
      return rewriter.notifyMatchFailure(op, "rows share scales");
    }
    std::optional<LowBitMatrix> matrix = LowBitMatrix::get(table);
    if (!matrix || matrix->getColumns() % matrix->getPerByte() != 0) {
      return rewriter.notifyMatchFailure(
          op, "needs a constant table of rows of whole bytes");
    }
    Location loc = op.getLoc();
    Value packed = buildConstant(
        rewriter, loc,
        matrix->pack(
            {matrix->getRows(), matrix->getColumns() / matrix->getPerByte()}));
    Value integers = unpackIntegers(
        rewriter, loc, gatherRows(rewriter, op, packed), matrix->getBits());
    Type element = getTensorType(table.getInput()).getElementType();
    integers = castTo(rewriter, loc, integers, element);
    if (int64_t shift = matrix->getShift()) {
      integers = SubOp::create(
          rewriter, loc, integers,
          buildScalar(rewriter, loc, element, static_cast<double>(shift)));
    }
    int64_t last = getTensorType(integers).getRank() - 1;
    auto getParameter = [&](Value value) {
      if (!value || isPerTensor(table) || !(isOfRows || table.isBlocked())) {
        return value;
      }
      Value rows = gatherRows(rewriter, op, value);
      return isOfRows ? unsqueeze(rewriter, loc, rows, last) : rows;
    };
    // Each row has its own scale, or one for each of its blocks or columns.
    int64_t blockSize = isOfRows ? matrix->getColumns() : table.getBlockSize();
    rewriter.replaceOpWithNewOp<DequantizeLinearOp>(
        op, op.getType(), integers, getParameter(table.getScale()),
        getParameter(table.getZeroPoint()), rewriter.getI64IntegerAttr(last),
        rewriter.getI64IntegerAttr(isPerTensor(table) ? 0 : blockSize));
    return success();
  }
};

} // namespace

void IE::populateFuseLowBitWeightsPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseProducts, FuseBias, FuseGather>(patterns.getContext());
}
