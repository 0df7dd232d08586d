//===- ExtractZeroPoints.cpp - The ie-extract-zero-points pass ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine multiplies bytes, unsigned on the left and signed on the right:
// what is left of zero points there are those in the middle of the model's
// range, and one for all of the left operand where the right one is constant.
// Others leave the product, in which they are sums of rows or columns, modulo
// 2^32:
//
//   (a - p) * (b - q) = a * (b - q) - p * colsums(b - q)
//                     = (a - p) * b - q * rowsums(a - p)
//
//===----------------------------------------------------------------------===//

#include "FoldConstants.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/Nacre/IR/LoweringInterface.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <limits>

namespace nacre::IE {
#define GEN_PASS_DEF_EXTRACTZEROPOINTS
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

static bool isUnsigned(Value bytes) {
  return getTensorType(bytes).getElementType().isUnsignedInteger();
}

static bool isEmpty(RankedTensorType type) {
  return llvm::is_contained(type.getShape(), 0);
}

/// What an engine's zero is for a left operand like `bytes`.
static int64_t getLeftMiddle(Value bytes) {
  return isUnsigned(bytes) ? 0 : -128;
}

/// The same for a right one.
static int64_t getRightMiddle(Value bytes) {
  return isUnsigned(bytes) ? 128 : 0;
}

/// True when `zeroPoint`, null for zero, is `middle`, all of it.
static bool isAll(Value zeroPoint, int64_t middle) {
  if (!zeroPoint) {
    return middle == 0;
  }
  std::optional<SmallVector<int64_t>> numbers = IE::getConstantInts(zeroPoint);
  return numbers && llvm::all_of(*numbers, [&](int64_t number) {
           return number == middle;
         });
}

/// A zero point for `bytes`; null for zero.
static Value buildMiddle(OpBuilder &builder, Location loc, Value bytes,
                         int64_t middle) {
  return middle == 0 ? Value()
                     : IE::buildScalar(builder, loc,
                                       getTensorType(bytes).getElementType(),
                                       static_cast<double>(middle));
}

static Value buildOnes(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> shape, bool isUnsigned) {
  Type byte = IntegerType::get(builder.getContext(), 8,
                               isUnsigned ? IntegerType::Unsigned
                                          : IntegerType::Signless);
  auto type = RankedTensorType::get(shape, byte);
  return IE::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getIntegerAttr(byte, 1)));
}

/// `sums - (zeroPoint - middle) * factors`, where the zero point, null for
/// zero, is in `shape`.
static Value correct(OpBuilder &builder, Location loc, Value sums,
                     Value zeroPoint, int64_t middle, ArrayRef<int64_t> shape,
                     Value factors) {
  Type i32 = builder.getI32Type();
  Value difference;
  if (zeroPoint) {
    difference = IE::castTo(builder, loc, zeroPoint, i32);
    if (getTensorType(zeroPoint).getShape() != shape) {
      difference = IE::reshapeTo(builder, loc, difference, shape);
    }
    if (middle != 0) {
      difference = IE::SubOp::create(
          builder, loc, difference,
          IE::buildScalar(builder, loc, i32, static_cast<double>(middle)));
    }
  } else {
    difference =
        IE::buildScalar(builder, loc, i32, -static_cast<double>(middle));
  }
  Value correction = IE::MulOp::create(builder, loc, factors, difference);
  return IE::SubOp::create(builder, loc, sums, correction);
}

/// Constant weights minus their constant zero point, null for zero, one or one
/// for each index of the first dimension or the last, as signed bytes; null
/// where they are not all such, or not constant.
static Value buildDifferences(OpBuilder &builder, Location loc, Value weights,
                              Value zeroPoint, bool isOfLastDim) {
  std::optional<SmallVector<int64_t>> numbers = IE::getConstantInts(weights);
  std::optional<SmallVector<int64_t>> zeros =
      zeroPoint ? IE::getConstantInts(zeroPoint) : SmallVector<int64_t>{0};
  if (!numbers || !zeros || zeros->empty() ||
      numbers->size() % zeros->size() != 0) {
    return {};
  }
  size_t count = zeros->size(), perZero = numbers->size() / count;
  SmallVector<int8_t> bytes;
  for (auto [i, number] : llvm::enumerate(*numbers)) {
    int64_t difference =
        number - (*zeros)[isOfLastDim ? i % count : i / perZero];
    if (difference < std::numeric_limits<int8_t>::min() ||
        difference > std::numeric_limits<int8_t>::max()) {
      return {};
    }
    bytes.push_back(static_cast<int8_t>(difference));
  }
  auto type = getTensorType(weights).clone(builder.getI8Type());
  return IE::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
}

/// Matrices that an engine can multiply, and is to: static ones, or rows of any
/// number by one matrix.
static bool canMultiply(IE::MatMulIntegerOp op) {
  RankedTensorType lhs = getTensorType(op.getLhs());
  RankedTensorType rhs = getTensorType(op.getRhs());
  if (lhs.getRank() < 2 || rhs.getRank() < 2 ||
      lhs.isDynamicDim(lhs.getRank() - 1) || isEmpty(lhs) || isEmpty(rhs)) {
    return false;
  }
  bool isOne = rhs.getRank() == 2;
  if (isOne && IE::getConstantElements(op.getRhs())) {
    return true;
  }
  return rhs.hasStaticShape() && (isOne || lhs.hasStaticShape()) &&
         !isLeftToSoftware(op);
}

/// A product by the right operand of `op` instead of it, which is computed by
/// the same algorithm.
template <typename... Args>
static Value buildInstead(IE::MatMulIntegerOp op, OpBuilder &builder,
                          Args &&...args) {
  auto product = IE::MatMulIntegerOp::create(builder, op.getLoc(),
                                             std::forward<Args>(args)...);
  product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return product;
}

namespace {

/// Zero points of the right operand, unless they are in the middle.
struct ExtractRight final : OpRewritePattern<IE::MatMulIntegerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MatMulIntegerOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs(), zero = op.getBZeroPoint();
    int64_t middle = getRightMiddle(rhs);
    if (!canMultiply(op) || isAll(zero, middle)) {
      return rewriter.notifyMatchFailure(
          op, "needs matrices for an engine and a right zero point for none");
    }
    Location loc = op.getLoc();
    RankedTensorType type = getTensorType(op.getOutput());
    if (getTensorType(rhs).getRank() == 2) {
      if (Value weights = buildDifferences(rewriter, loc, rhs, zero,
                                           /*isOfLastDim=*/true)) {
        rewriter.replaceOpWithNewOp<IE::MatMulIntegerOp>(
            op, type, lhs, weights, op.getAZeroPoint(), Value());
        return success();
      }
    }
    int64_t depth = getTensorType(lhs).getShape().back();
    Value sums = buildInstead(op, rewriter, type, lhs, rhs, op.getAZeroPoint(),
                              buildMiddle(rewriter, loc, rhs, middle));
    SmallVector<int64_t> shape(getTensorType(lhs).getShape());
    shape.back() = 1;
    Value rowSums = IE::MatMulIntegerOp::create(
        rewriter, loc, type.clone(shape), lhs,
        buildOnes(rewriter, loc, {depth, 1}, /*isUnsigned=*/false),
        op.getAZeroPoint(), Value());
    SmallVector<int64_t> zeroShape =
        zero ? op.getRhsZeroShape() : SmallVector<int64_t>();
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc,
                                        correct(rewriter, loc, sums, zero,
                                                middle, zeroShape, rowSums),
                                        type));
    return success();
  }
};

/// Zero points of the left operand, unless they are in the middle, or one for
/// all of it where the right operand is constant.
struct ExtractLeft final : OpRewritePattern<IE::MatMulIntegerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MatMulIntegerOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs(), zero = op.getAZeroPoint();
    int64_t middle = getLeftMiddle(lhs);
    RankedTensorType rhsType = getTensorType(rhs);
    bool isOne = !zero || (getTensorType(zero).hasStaticShape() &&
                           getTensorType(zero).getNumElements() == 1);
    bool isConstant = IE::getConstantElements(rhs) && rhsType.getRank() == 2;
    if (!canMultiply(op) || isAll(zero, middle) || (isConstant && isOne)) {
      return rewriter.notifyMatchFailure(
          op, "needs matrices for an engine and a left zero point for none");
    }
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    int64_t depth = getTensorType(lhs).getShape().back();
    Value sums = buildInstead(op, rewriter, type, lhs, rhs,
                              buildMiddle(rewriter, loc, lhs, middle),
                              op.getBZeroPoint());
    SmallVector<int64_t> shape(rhsType.getShape());
    shape[rhsType.getRank() - 2] = 1;
    Value columnSums =
        buildInstead(op, rewriter, type.clone(shape),
                     buildOnes(rewriter, loc, {1, depth}, /*isUnsigned=*/true),
                     rhs, Value(), op.getBZeroPoint());
    SmallVector<int64_t> zeroShape =
        zero ? op.getLhsZeroShape() : SmallVector<int64_t>();
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc,
                                        correct(rewriter, loc, sums, zero,
                                                middle, zeroShape, columnSums),
                                        type));
    return success();
  }
};

/// Zero points of weights, unless they are in the middle. Those of a depthwise
/// convolution are floats for an engine.
struct ExtractWeights final : OpRewritePattern<IE::ConvIntegerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ConvIntegerOp op,
                                PatternRewriter &rewriter) const override {
    Value weights = op.getWeights(), zero = op.getWZeroPoint();
    RankedTensorType type = getTensorType(op.getOutput());
    RankedTensorType inputType = getTensorType(op.getInput());
    RankedTensorType weightsType = getTensorType(weights);
    int64_t middle = getRightMiddle(weights);
    auto groups = static_cast<int64_t>(op.getGroup());
    if (!IE::getConstantElements(weights) || isAll(zero, middle) ||
        inputType.isDynamicDim(1) || isEmpty(inputType) || isEmpty(type) ||
        inputType.getRank() > 4 ||
        (zero && !getTensorType(zero).hasStaticShape())) {
      return rewriter.notifyMatchFailure(
          op, "needs images and constant weights whose zero point is for no "
              "engine");
    }
    Location loc = op.getLoc();
    bool isDepthwise = groups > 1 && groups == inputType.getDimSize(1) &&
                       groups == weightsType.getDimSize(0);
    bool isConstant = !zero || IE::getConstantElements(zero);
    if (isDepthwise && isConstant) {
      return rewriter.notifyMatchFailure(op, "floats have any zero point");
    }
    if (isConstant) {
      if (Value differences = buildDifferences(rewriter, loc, weights, zero,
                                               /*isOfLastDim=*/false)) {
        rewriter.replaceOp(op,
                           convolve(rewriter, op, type, differences, Value()));
        return success();
      }
    }
    if (groups > 1 && !type.hasStaticShape()) {
      return rewriter.notifyMatchFailure(op, "groups are of known sizes only");
    }
    Value sums = convolve(rewriter, op, type, weights,
                          buildMiddle(rewriter, loc, weights, middle));
    // What each window holds of a group, for all of its outputs.
    SmallVector<int64_t> onesShape(weightsType.getShape());
    onesShape[0] = groups;
    SmallVector<int64_t> windowShape(type.getShape());
    windowShape[1] = groups;
    Value windows = convolve(
        rewriter, op, type.clone(windowShape),
        buildOnes(rewriter, loc, onesShape, /*isUnsigned=*/false), Value());
    SmallVector<int64_t> zeroShape;
    bool hasMany = zero && getTensorType(zero).getNumElements() != 1;
    if (hasMany) {
      zeroShape.assign(type.getRank() - 1, 1);
      zeroShape[0] = weightsType.getDimSize(0);
    }
    if (groups > 1) {
      // (N, G, M / G, …)
      int64_t perGroup = weightsType.getDimSize(0) / groups;
      SmallVector<int64_t> shape(type.getShape());
      shape[1] = groups;
      shape.insert(shape.begin() + 2, perGroup);
      sums = IE::reshapeTo(rewriter, loc, sums, shape);
      shape[2] = 1;
      windows = IE::reshapeTo(rewriter, loc, windows, shape);
      if (hasMany) {
        zeroShape.insert(zeroShape.begin(), groups);
        zeroShape[1] = perGroup;
      }
    }
    Value result =
        correct(rewriter, loc, sums, zero, middle, zeroShape, windows);
    if (groups > 1) {
      result = IE::reshapeTo(rewriter, loc, result, type.getShape());
    }
    rewriter.replaceOp(op, IE::refineTo(rewriter, loc, result, type));
    return success();
  }

private:
  /// `op` with other weights.
  static Value convolve(PatternRewriter &rewriter, IE::ConvIntegerOp op,
                        Type type, Value weights, Value zero) {
    return IE::ConvIntegerOp::create(rewriter, op.getLoc(), type, op.getInput(),
                                     weights, op.getXZeroPoint(), zero,
                                     op.getAutoPadAttr(), op.getDilationsAttr(),
                                     op.getGroupAttr(), op.getKernelShapeAttr(),
                                     op.getPadsAttr(), op.getStridesAttr())
        ->getResult(0);
  }
};

struct ExtractZeroPointsPass final
    : nacre::IE::impl::ExtractZeroPointsBase<ExtractZeroPointsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExtractLeft, ExtractRight, ExtractWeights>(&getContext());
    if (failed(IE::applyAndFold(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};

} // namespace
