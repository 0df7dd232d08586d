//===- MatMul.cpp - Lower matrix products to the engine -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant right operand is packed late, by vpu-pack-weights; a computed one
// is packed at run time by VPU.Copy, or for few rows read as it is. Leading
// dimensions of the left operand that share one right operand are rows.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"
#include "Quantization.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/ProductUtils.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"
#include "nacre/Dialect/Nacre/IR/LoweringInterface.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

/// A product of matrices (B, M, K) and (1 or B, K, N). The rows may be dynamic.
struct Product {
  int64_t batches;
  int64_t rows;
  int64_t reduction;
  int64_t columns;
  int64_t rhsBatches;
};

} // namespace

/// True if an NPU's scratchpad holds the least that a tile needs: a row and a
/// panel, whose sums are not cut, and vectors of parameters and results.
static bool fitsScratchpad(VPU::ArchAttr arch, const Product &product,
                           Type elementType) {
  constexpr int64_t kVectors = 5, kSumBytes = 4;
  int64_t lanes = arch.getLanes();
  int64_t elementBytes = elementType.getIntOrFloatBitWidth() / 8;
  return !arch.hasScratchpad() ||
         product.reduction * (1 + lanes) * elementBytes +
                 kVectors * lanes * kSumBytes <=
             arch.getCmxBytes();
}

/// True where memory has room for the right operand as panels, the last of
/// which is filled with zeroes.
static bool canHoldPanels(VPU::ArchAttr arch, const Product &product,
                          Type elementType) {
  auto columns = static_cast<int64_t>(
      llvm::alignTo(product.columns, arch.getLanes(elementType)));
  return fitsMemory(countBytes({product.rhsBatches, product.reduction, columns},
                               elementType.getIntOrFloatBitWidth() / 8));
}

static constexpr StringLiteral kTooLarge = "memory has no room for its panels";

namespace {
/// A right operand, and whether it is the transpose of what it is to be.
struct Panels {
  Value value;
  bool areTransposed = false;
};
} // namespace

/// A constant right operand of this shape, scaled.
static Value buildScaled(OpBuilder &builder, Location loc, Value rhs,
                         ArrayRef<int64_t> shape, double scale) {
  if (scale == 1) {
    return buildConstantView(builder, loc, rhs, shape);
  }
  ConstantFloats constant(rhs);
  return withFloatType(constant.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = constant.getAll<T>();
    for (T &value : values) {
      value = static_cast<T>(value * scale);
    }
    return buildConstant(builder, loc, shape, std::move(values));
  });
}

/// The right operand as panels: packed late when constant, else by a copy, or
/// a single one, as it is, where its strategy says so.
static Panels buildPanels(OpBuilder &builder, Location loc, VPU::ArchAttr arch,
                          Value rhs, const Product &product, bool transposed,
                          double scale, VPU::Algorithm algorithm) {
  Type element = getElementTypeOrSelf(rhs.getType());
  int64_t width = arch.getLanes(element);
  SmallVector<int64_t> matrices = {product.rhsBatches, product.reduction,
                                   product.columns};
  if (transposed) {
    std::swap(matrices[1], matrices[2]);
  }
  if (ConstantFloats(rhs)) {
    Value scaled = buildScaled(builder, loc, rhs, matrices, scale);
    auto form = transposed ? VPU::WeightForm::TRANSPOSED_PANELS
                           : VPU::WeightForm::PANELS;
    return {VPU::PackWeightsOp::create(builder, loc, scaled,
                                       VPU::WeightPacking{form, width})};
  }
  if (algorithm == VPU::Algorithm::rowMajor) {
    matrices.insert(matrices.begin() + 1, 1);
    return {buildReshape(builder, loc, rhs, matrices), transposed};
  }
  Value source = buildReshape(builder, loc, rhs, matrices);
  Value init = buildEmpty(builder, loc,
                          {product.rhsBatches,
                           llvm::divideCeilSigned(product.columns, width),
                           product.reduction, width},
                          element);
  return {
      VPU::CopyOp::create(builder, loc, source, init,
                          transposed ? VPU::DimsOrder::NK : VPU::DimsOrder::KN,
                          VPU::DimsOrder::KNn)
          ->getResult(0)};
}

/// The product as a value of the model's `type`.
static Value buildProduct(OpBuilder &builder, Location loc,
                          const Product &product, Value lhs,
                          const Panels &panels, Value bias,
                          RankedTensorType type) {
  // In front of the product, which may be computed where they are asked for.
  MixedSizes result =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  if (!type.hasStaticShape()) {
    result = getMixedSizes(builder, loc, lhs);
    result.back() = builder.getIndexAttr(product.columns);
  }
  Value matrices = buildMatrices(builder, loc, lhs, product.batches);
  MixedSizes sizes = getMixedSizes(builder, loc, matrices);
  sizes.back() = builder.getIndexAttr(product.columns);
  Value init = tensor::EmptyOp::create(
      builder, loc, sizes,
      cast<RankedTensorType>(lhs.getType()).getElementType());
  auto op = VPU::NCEMatMulOp::create(
      builder, loc, init.getType(), matrices, panels.value, /*offset=*/Value(),
      /*scale=*/Value(), bias, /*residual=*/Value(), init);
  op.setTransposed(panels.areTransposed);
  return buildFromMatrices(builder, loc, op->getResult(0), result, type);
}

/// How many rows a left operand has, if that is known.
static int64_t countRows(RankedTensorType lhs) {
  return lhs.hasStaticShape() ? lhs.getNumElements() / lhs.getShape().back()
                              : ShapedType::kDynamic;
}

/// True where the engine can multiply rows of such an operand by `rhs`: a
/// number of them that only a run knows by one constant matrix.
static bool canMultiplyRows(RankedTensorType lhs, Value rhs) {
  auto rhsType = cast<RankedTensorType>(rhs.getType());
  return lhs.hasStaticShape() ||
         (rhsType.getRank() == 2 && ConstantFloats(rhs));
}

namespace {

struct MatMulToVPU final : VPUPattern<IE::MatMulOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhsType = getRowsType(arch, op.getLhs());
    RankedTensorType rhsType = getEngineType(arch, op.getRhs());
    RankedTensorType type = getRowsType(arch, op.getOutput());
    if (!lhsType || !rhsType || !type || lhsType.getRank() < 2 ||
        rhsType.getRank() < 2 || !canMultiplyRows(lhsType, op.getRhs())) {
      return rewriter.notifyMatchFailure(
          op, "needs matrices of known size and of an element type of the "
              "engine, but for the rows that are multiplied by a constant");
    }
    ArrayRef<int64_t> lhsBatch = lhsType.getShape().drop_back(2);
    ArrayRef<int64_t> rhsBatch = rhsType.getShape().drop_back(2);
    Product sizes{/*batches=*/1, countRows(lhsType), lhsType.getShape().back(),
                  rhsType.getShape().back(),
                  ShapedType::getNumElements(rhsBatch)};
    // All matrices of the left operand that are multiplied by one right matrix
    // are rows of one.
    if (sizes.rhsBatches != 1) {
      if (!IE::readsMatricesInOrder(lhsBatch, rhsBatch)) {
        return rewriter.notifyMatchFailure(
            op, "needs one right matrix, or one per left matrix");
      }
      sizes.batches = sizes.rhsBatches;
      sizes.rows /= sizes.batches;
    }
    Type element = type.getElementType();
    if (!fitsScratchpad(arch, sizes, element)) {
      return rewriter.notifyMatchFailure(op,
                                         "its panels exceed the scratchpad");
    }
    if (!canHoldPanels(arch, sizes, element)) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    // A transposition that moves the last dimension is part of packing, which
    // leaves one that moves whole rows, if any.
    Value rhs = op.getRhs();
    IE::TransposeOp transpose = IE::getColumnTranspose(op);
    bool transposed = static_cast<bool>(transpose);
    if (transposed) {
      SmallVector<int64_t> permutation = transpose.getPermutation();
      std::swap(permutation.back(), permutation[permutation.size() - 2]);
      rhs = buildTransposed(rewriter, op.getLoc(), transpose->getOperand(0),
                            permutation);
    }
    Location loc = op.getLoc();
    Panels panels = buildPanels(rewriter, loc, arch, rhs, sizes, transposed,
                                /*scale=*/1, VPU::getAlgorithm(op));
    rewriter.replaceOp(op, buildProduct(rewriter, loc, sizes, op.getLhs(),
                                        panels, /*bias=*/Value(), type));
    return success();
  }

private:
  static Value buildTransposed(OpBuilder &builder, Location loc, Value value,
                               ArrayRef<int64_t> permutation) {
    if (llvm::is_sorted(permutation)) {
      return value;
    }
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = llvm::map_to_vector(
        permutation, [&](int64_t dim) { return type.getDimSize(dim); });
    return IE::TransposeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, builder.getDenseI64ArrayAttr(permutation));
  }
};

struct GemmToVPU final : VPUPattern<IE::GemmOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::GemmOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhsType = getRowsType(arch, op.getLhs());
    RankedTensorType rhsType = getEngineType(arch, op.getRhs(), 2);
    if (!lhsType || !rhsType || !canMultiplyRows(lhsType, op.getRhs())) {
      return rewriter.notifyMatchFailure(
          op, "needs matrices of known size and of an element type of the "
              "engine, but for the rows that are multiplied by a constant");
    }
    if (op.getTransA()) {
      return rewriter.notifyMatchFailure(op, "the left operand is transposed");
    }
    float alpha = op.getAlpha().convertToFloat();
    ConstantFloats weights(op.getRhs());
    if (!weights && alpha != 1.0f) {
      return rewriter.notifyMatchFailure(
          op, "alpha only scales constant right operands");
    }
    bool transposed = op.getTransB() != 0;
    Product sizes{1, countRows(lhsType), lhsType.getDimSize(1),
                  rhsType.getDimSize(transposed ? 0 : 1), 1};
    Type element = lhsType.getElementType();
    if (!fitsScratchpad(arch, sizes, element)) {
      return rewriter.notifyMatchFailure(op,
                                         "its panels exceed the scratchpad");
    }
    if (!canHoldPanels(arch, sizes, element)) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    ConstantFloats addend(op.getAddend());
    SmallVector<double> bias;
    if (op.getAddend()) {
      constexpr StringLiteral kReason =
          "the addend is not one constant per column";
      if (!addend) {
        return rewriter.notifyMatchFailure(op, kReason);
      }
      auto type = cast<RankedTensorType>(op.getAddend().getType());
      // One value per column, or one for all.
      bool perColumn = type.getNumElements() == sizes.columns &&
                       type.getRank() > 0 &&
                       type.getShape().back() == sizes.columns;
      if (!perColumn && type.getNumElements() != 1) {
        return rewriter.notifyMatchFailure(op, kReason);
      }
      double beta = op.getBeta().convertToFloat();
      for (int64_t i = 0; i < sizes.columns; ++i) {
        bias.push_back(addend[perColumn ? i : 0] * beta);
      }
    }
    Location loc = op.getLoc();
    Panels panels = buildPanels(rewriter, loc, arch, op.getRhs(), sizes,
                                transposed, alpha, VPU::getAlgorithm(op));
    auto type = cast<RankedTensorType>(panels.value.getType());
    int64_t width = type.getDimSize(panels.areTransposed ? 2 : 3);
    Value packedBias =
        bias.empty() ? Value()
                     : buildPackedBias(rewriter, loc, bias, {width}, element);
    auto outputType = cast<RankedTensorType>(op.getOutput().getType());
    rewriter.replaceOp(op, buildProduct(rewriter, loc, sizes, op.getLhs(),
                                        panels, packedBias, outputType));
    return success();
  }
};

} // namespace

/// The sums of each column of a matrix of `columns`.
static SmallVector<int32_t> sumColumns(ArrayRef<int8_t> matrix,
                                       int64_t columns) {
  SmallVector<int32_t> sums(columns, 0);
  for (auto [i, element] : llvm::enumerate(matrix)) {
    sums[i % columns] += element;
  }
  return sums;
}

namespace {

/// A product of 8-bit integers and what follows its sums.
struct MatMulIntegerToVPU final : VPUPattern<IE::MatMulIntegerOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulIntegerOp op,
                                PatternRewriter &rewriter) const override {
    auto lhsType = cast<RankedTensorType>(op.getLhs().getType());
    auto rhsType = cast<RankedTensorType>(op.getRhs().getType());
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    bool mayBeComputed = !arch.hasFixedFunctionNCE();
    std::optional<ZeroPoint> zeroPoint =
        ZeroPoint::get(op.getAZeroPoint(), op.getLhs(), mayBeComputed);
    std::optional<SmallVector<int8_t, 0>> weights =
        getConstantWeights(op.getRhs(), op.getBZeroPoint());
    int64_t rank = lhsType.getRank();
    if (rank < 2 || !isEngineBytes(arch, op.getLhs(), /*dim=*/rank - 1) ||
        !zeroPoint) {
      return rewriter.notifyMatchFailure(
          op, "needs a left operand of one zero point and known columns, on an "
              "NPU a constant one and of known size");
    }
    if (isLeftToSoftware(op)) {
      return rewriter.notifyMatchFailure(
          op, "its strategy leaves it to a software kernel");
    }
    bool isShared = weights && rhsType.getRank() == 2;
    std::optional<Product> sizes =
        isShared ? getSharedSizes(lhsType, rhsType)
                 : getBatchedSizes(op, *zeroPoint, weights.has_value());
    if (!sizes) {
      return rewriter.notifyMatchFailure(
          op, "needs one constant right matrix around zero, or on a CPU "
              "operands around zero, and one right matrix of known size for "
              "all rows, or one for each left matrix of known size");
    }
    std::optional<SumsEpilogue> epilogue =
        collectEpilogue(op, type.getRank() - 1, mayBeComputed);
    if (!fitsScratchpad(arch, *sizes, rewriter.getI8Type())) {
      return rewriter.notifyMatchFailure(op,
                                         "its panels exceed the scratchpad");
    }
    if (!canHoldPanels(arch, *sizes, rewriter.getI8Type())) {
      return rewriter.notifyMatchFailure(op, kTooLarge);
    }
    if (!epilogue) {
      return rewriter.notifyMatchFailure(op, "needs sums that become floats");
    }
    rewriter.setInsertionPoint(epilogue->last);
    Location loc = op.getLoc();
    bool isRowMajor =
        !weights && VPU::getAlgorithm(op) == VPU::Algorithm::rowMajor;
    BlockedLayout layout{isRowMajor ? sizes->columns : arch.getLanes()};
    SmallVector<int32_t> sums = isShared
                                    ? sumColumns(*weights, sizes->columns)
                                    : SmallVector<int32_t>(sizes->columns, 0);
    Value panels;
    if (weights) {
      panels = buildConstantBytes(rewriter, loc, *weights, *sizes);
    } else if (isRowMajor) {
      panels =
          buildBytes(rewriter, loc, op.getRhs(),
                     {sizes->rhsBatches, 1, sizes->reduction, sizes->columns});
    } else {
      panels = buildComputedPanels(rewriter, loc, op.getRhs(), *sizes);
    }
    Value offset =
        zeroPoint->buildOffset(rewriter, loc, sums, epilogue->addends, layout);
    MixedSizes shape = getMixedSizes(rewriter, loc, op.getLhs());
    Value lhs = buildMatrices(rewriter, loc, op.getLhs(), sizes->batches);
    lhs = buildWholePacks(rewriter, loc, lhs, /*dim=*/2,
                          isRowMajor ? buildByte(rewriter, loc, 0) : Value());
    shape.back() = rewriter.getIndexAttr(sizes->columns);
    MixedSizes matrix = getMixedSizes(rewriter, loc, lhs);
    matrix.back() = shape.back();
    Value init =
        tensor::EmptyOp::create(rewriter, loc, matrix, epilogue->elementType);
    auto product = VPU::NCEMatMulOp::create(
        rewriter, loc, init.getType(), lhs, panels, offset,
        epilogue->scale.build(rewriter, loc, layout),
        epilogue->bias.build(rewriter, loc, layout),
        /*residual=*/Value(), init, epilogue->ppe, /*transposed=*/false);
    product.setUnsignedRhs(isRowMajor && isUnsigned(op.getRhs()));
    Type element = getElementTypeOrSelf(epilogue->last->getResult(0));
    Value result = buildFromMatrices(rewriter, loc, product->getResult(0),
                                     shape, type.clone(element));
    rewriter.replaceOp(epilogue->last,
                       epilogue->buildResult(rewriter, loc, result));
    return success();
  }

private:
  static Product getSharedSizes(RankedTensorType lhs, RankedTensorType rhs) {
    return {1, countRows(lhs), rhs.getDimSize(0), rhs.getDimSize(1), 1};
  }

  /// The same where the right operand is computed at run time, or there are
  /// several.
  std::optional<Product> getBatchedSizes(IE::MatMulIntegerOp op,
                                         const ZeroPoint &zeroPoint,
                                         bool isConstant) const {
    auto lhs = cast<RankedTensorType>(op.getLhs().getType());
    auto rhs = cast<RankedTensorType>(op.getRhs().getType());
    constexpr int64_t kHalfRange = 128;
    // As the engine's unsigned bytes have it.
    bool isAroundZero = isConstant || getZeroPoint(op.getBZeroPoint(),
                                                   op.getRhs()) == kHalfRange;
    if (arch.hasFixedFunctionNCE() || !isAroundZero || !zeroPoint.isZero() ||
        !rhs.hasStaticShape() || rhs.getNumElements() == 0 ||
        rhs.getRank() < 2) {
      return std::nullopt;
    }
    if (rhs.getRank() == 2) {
      return getSharedSizes(lhs, rhs);
    }
    if (!lhs.hasStaticShape()) {
      return std::nullopt;
    }
    ArrayRef<int64_t> lhsBatch = lhs.getShape().drop_back(2);
    ArrayRef<int64_t> rhsBatch = rhs.getShape().drop_back(2);
    Product sizes{ShapedType::getNumElements(lhsBatch),
                  lhs.getDimSize(lhs.getRank() - 2), lhs.getShape().back(),
                  rhs.getShape().back(), ShapedType::getNumElements(rhsBatch)};
    if (sizes.rhsBatches == 1 && rhs.getRank() <= lhs.getRank()) {
      sizes.rows *= sizes.batches;
      sizes.batches = 1;
      return sizes;
    }
    return lhsBatch == rhsBatch ? std::optional(sizes) : std::nullopt;
  }

  /// A batch of matrices with as many more rows or columns as make whole packs,
  /// which hold `fill`, or anything where that is null.
  Value buildWholePacks(OpBuilder &builder, Location loc, Value value,
                        unsigned dim, Value fill) const {
    int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
    int64_t whole = llvm::alignTo(size, arch.getPack(builder.getI8Type()));
    return buildEnlarged(builder, loc, value, dim, whole, fill);
  }

  SmallVector<int64_t> getPanelsShape(Builder &builder,
                                      const Product &sizes) const {
    int64_t width = arch.getLanes(), pack = arch.getPack(builder.getI8Type());
    SmallVector<int64_t> shape = {
        sizes.rhsBatches, llvm::divideCeilSigned(sizes.columns, width),
        llvm::divideCeilSigned(sizes.reduction, pack), width};
    if (pack > 1) {
      shape.push_back(pack);
    }
    return shape;
  }

  Value buildConstantBytes(OpBuilder &builder, Location loc,
                           ArrayRef<int8_t> weights,
                           const Product &sizes) const {
    VPU::WeightPacking packing{VPU::WeightForm::PANELS, arch.getLanes()};
    packing.pack = arch.getPack(builder.getI8Type());
    return VPU::PackWeightsOp::create(
        builder, loc,
        buildConstant(builder, loc,
                      {sizes.rhsBatches, sizes.reduction, sizes.columns},
                      weights),
        packing);
  }

  static Value buildByte(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI8IntegerAttr(value));
  }

  /// True for bytes that differ from the engine's right operands, which are
  /// signed, by the sign bit.
  static bool isUnsigned(Value rhs) {
    return getElementTypeOrSelf(rhs.getType()).isUnsignedInteger();
  }

  /// Matrices of bytes as they lie.
  static Value buildBytes(OpBuilder &builder, Location loc, Value rhs,
                          ArrayRef<int64_t> shape) {
    if (isUnsigned(rhs)) {
      auto type = cast<RankedTensorType>(rhs.getType());
      rhs = tensor::BitcastOp::create(builder, loc,
                                      type.clone(builder.getI8Type()), rhs);
    }
    return buildReshape(builder, loc, rhs, shape);
  }

  Value buildComputedPanels(OpBuilder &builder, Location loc, Value rhs,
                            const Product &sizes) const {
    Value source = buildBytes(
        builder, loc, rhs, {sizes.rhsBatches, sizes.reduction, sizes.columns});
    // So that what the left operand has there does not count.
    Value filler = buildByte(builder, loc, isUnsigned(rhs) ? kSignBit : 0);
    source = buildWholePacks(builder, loc, source, /*dim=*/1, filler);
    Value init = buildEmpty(builder, loc, getPanelsShape(builder, sizes),
                            builder.getI8Type());
    return VPU::CopyOp::create(builder, loc, source, init, VPU::DimsOrder::KN,
                               VPU::DimsOrder::KNn, /*pads=*/{0, 0, 0, 0},
                               /*padValue=*/0, /*fill=*/{}, isUnsigned(rhs))
        ->getResult(0);
  }
};

} // namespace

Value nacre::buildConstantPanels(OpBuilder &builder, Location loc,
                                 VPU::ArchAttr arch, Value matrix,
                                 bool transposed) {
  auto type = cast<RankedTensorType>(matrix.getType());
  ConstantFloats constant(matrix);
  if (!constant || type.getRank() != 2) {
    return {};
  }
  Product product{/*batches=*/1, /*rows=*/1,
                  type.getDimSize(transposed ? 1 : 0),
                  type.getDimSize(transposed ? 0 : 1), /*rhsBatches=*/1};
  if (!canHoldPanels(arch, product, type.getElementType())) {
    return {};
  }
  return buildPanels(builder, loc, arch, matrix, product, transposed,
                     /*scale=*/1, VPU::Algorithm::panels)
      .value;
}

void nacre::populateMatMulToVPUPatterns(VPU::ArchAttr arch,
                                        RewritePatternSet &patterns) {
  patterns.add<MatMulToVPU, GemmToVPU, MatMulIntegerToVPU>(
      arch, patterns.getContext());
}
