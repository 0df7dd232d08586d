//===- Elementwise.cpp - Elementwise arithmetic and math ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// elementwise arithmetic and math. Folds of floats hold for every value, the
// negative zero and NaN included; where that is not so, there is no fold.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Elementwise.cpp.inc"

void IEDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Elementwise.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Binary arithmetic
//===----------------------------------------------------------------------===//

/// True for a constant whose every element is `expected`. A float's sign
/// counts: 0.0 is not -0.0.
static bool isSplatOf(Attribute attr, double expected) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat()) {
    return false;
  }
  if (isa<FloatType>(dense.getElementType())) {
    APFloat wanted(expected);
    bool lossy;
    wanted.convert(cast<FloatType>(dense.getElementType()).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &lossy);
    return dense.getSplatValue<APFloat>().bitwiseIsEqual(wanted);
  }
  if (!isa<IntegerType>(dense.getElementType())) {
    return false;
  }
  APInt value = dense.getSplatValue<APInt>();
  return value == APInt(value.getBitWidth(), static_cast<uint64_t>(expected),
                        /*isSigned=*/false, /*implicitTrunc=*/true);
}

/// `lhs` when it is a legal replacement of the op and `rhs` is the constant
/// that leaves it unchanged.
static OpFoldResult foldNeutral(Value lhs, Attribute rhs, Type resultType,
                                double neutral) {
  // A broadcast of the left operand is more than the operand itself.
  return lhs.getType() == resultType && isSplatOf(rhs, neutral)
             ? OpFoldResult(lhs)
             : OpFoldResult();
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + 0.0 turns -0.0 into 0.0; only x + -0.0 is x for every float.
  double zero = isa<FloatType>(getElementTypeOrSelf(getType())) ? -0.0 : 0.0;
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), zero);
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), 0.0);
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), 1.0);
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return foldNeutral(getLhs(), adaptor.getRhs(), getType(), 1.0);
}

LogicalResult ModOp::verify() {
  if (getFmod() != 0 && getFmod() != 1) {
    return emitOpError("expected fmod to be 0 or 1, found ") << getFmod();
  }
  Type element = getElementTypeOrSelf(getLhs());
  if (isa<FloatType>(element) && getFmod() == 0) {
    return emitOpError("expected fmod = 1 for elements of type ") << element;
  }
  return success();
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  return foldNeutral(getBase(), adaptor.getExponent(), getType(), 1.0);
}

namespace {
/// x ^ 2 -> x * x, which is correctly rounded and needs no library call.
struct SquareToMul final : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PowOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getBase().getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "the base is broadcast");
    }
    if (!isSplatOf(getConstantElements(op.getExponent()), 2.0)) {
      return rewriter.notifyMatchFailure(op, "the exponent is not constant 2");
    }
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getBase(),
                                       op.getBase());
    return success();
  }
};

/// The sum of two is an addition, the form that later passes look for.
struct SumOfTwoToAdd final : OpRewritePattern<SumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SumOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 2) {
      return rewriter.notifyMatchFailure(op, "expected two operands");
    }
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), op.getInputs()[0],
                                       op.getInputs()[1]);
    return success();
  }
};
} // namespace

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<SquareToMul>(context);
}

void SumOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<SumOfTwoToAdd>(context);
}

//===----------------------------------------------------------------------===//
// Unary math
//===----------------------------------------------------------------------===//

/// f(f(x)) -> x
template <typename OpT> static OpFoldResult foldInvolution(OpT op) {
  auto inner = op.getInput().template getDefiningOp<OpT>();
  if (inner && inner.getInput().getType() == op.getType()) {
    return inner.getInput();
  }
  return {};
}

/// f(f(x)) -> f(x)
template <typename OpT> static OpFoldResult foldIdempotent(OpT op) {
  if (op.getInput().template getDefiningOp<OpT>() &&
      op.getInput().getType() == op.getType()) {
    return op.getInput();
  }
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult BitwiseNotOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult AbsOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult SignOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult FloorOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult CeilOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult RoundOp::fold(FoldAdaptor) { return foldIdempotent(*this); }

//===----------------------------------------------------------------------===//
// Identity and Cast
//===----------------------------------------------------------------------===//

OpFoldResult IdentityOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? OpFoldResult(getInput())
                                           : OpFoldResult();
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  TypeAttr to = adaptor.getToAttr();
  if (!to) {
    return emitOptionalError(location, "expected an attribute 'to'");
  }
  if (!to.getValue().isIntOrFloat() && !isa<StringType>(to.getValue())) {
    return emitOptionalError(location,
                             "expected 'to' to be a number, bool or string, ",
                             "found ", to.getValue());
  }
  inferred.push_back(
      cast<ShapedType>(adaptor.getInput().getType()).clone(to.getValue()));
  return success();
}

/// True when every value of `narrow` has an exact image in `wide`, so that the
/// way there and back changes nothing.
static bool holdsExactly(Type wide, Type narrow) {
  if (isa<StringType>(wide) || isa<StringType>(narrow)) {
    return false;
  }
  if (isSmallNumber(wide) || isSmallNumber(narrow)) {
    if (!isSmallNumber(narrow) || isSmallNumber(wide)) {
      return false;
    }
    if (isa<Float8E8M0FNUType>(narrow)) {
      return isa<FloatType>(wide) && !wide.isF16();
    }
    if (isa<FloatType>(narrow)) {
      // Infinity saturates on its way back.
      return isa<FloatType>(wide) && !getSmallFloatFormat(narrow).hasInfinity;
    }
    auto wideInt = dyn_cast<IntegerType>(wide);
    return !wideInt || (wideInt.getWidth() >= 8 &&
                        wide.isUnsignedInteger() == narrow.isUnsignedInteger());
  }
  if (auto narrowInt = dyn_cast<IntegerType>(narrow)) {
    unsigned bits = narrowInt.getWidth();
    bool narrowUnsigned = narrowInt.isUnsigned() || bits == 1;
    if (auto wideFloat = dyn_cast<FloatType>(wide)) {
      // The significand of bf16 to f64 covers 8 to 53 bits; a signed integer's
      // magnitude needs a bit less than its width.
      return bits - (narrowUnsigned ? 0 : 1) <= wideFloat.getFPMantissaWidth();
    }
    auto wideInt = cast<IntegerType>(wide);
    bool wideUnsigned = wideInt.isUnsigned() || wideInt.getWidth() == 1;
    if (narrowUnsigned == wideUnsigned) {
      return wideInt.getWidth() >= bits;
    }
    return narrowUnsigned && wideInt.getWidth() > bits;
  }
  auto wideFloat = dyn_cast<FloatType>(wide);
  auto narrowFloat = cast<FloatType>(narrow);
  return wideFloat && (wideFloat == narrowFloat ||
                       wideFloat.getWidth() > narrowFloat.getWidth());
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType()) {
    return getInput();
  }
  auto inner = getInput().getDefiningOp<CastOp>();
  if (inner && inner.getInput().getType() == getType() &&
      holdsExactly(inner.getTo(), getTo())) {
    return inner.getInput();
  }
  return {};
}

/// How many bits an element has in a tensor of ONNX; 0 for what has no bits.
static unsigned countBits(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  }
  if (element.isInteger(1)) {
    return 8;
  }
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

LogicalResult BitCastOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  TypeAttr to = adaptor.getToAttr();
  if (!to) {
    return emitOptionalError(location, "expected an attribute 'to'");
  }
  auto type = cast<ShapedType>(adaptor.getInput().getType());
  unsigned bits = countBits(type.getElementType());
  if (bits == 0) {
    return emitOptionalError(location, "expected elements with bits, found ",
                             type);
  }
  if (countBits(to.getValue()) != bits) {
    return emitOptionalError(location, "expected 'to' to be a type of ", bits,
                             " bits like ", type.getElementType(), ", found ",
                             to.getValue());
  }
  inferred.push_back(type.clone(to.getValue()));
  return success();
}

OpFoldResult BitCastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType()) {
    return getInput();
  }
  // A bool keeps only whether there are bits.
  auto inner = getInput().getDefiningOp<BitCastOp>();
  if (inner && inner.getInput().getType() == getType() &&
      !inner.getTo().isInteger(1)) {
    return inner.getInput();
  }
  return {};
}

LogicalResult CastLikeOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location>,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  inferred.push_back(cast<ShapedType>(adaptor.getInput().getType())
                         .clone(getElementTypeOrSelf(adaptor.getTargetType())));
  return success();
}

namespace {
struct CastLikeToCast final : OpRewritePattern<CastLikeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastLikeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<CastOp>(
        op, op.getType(), op.getInput(),
        TypeAttr::get(getElementTypeOrSelf(op.getTargetType())),
        op.getSaturateAttr(), op.getRoundModeAttr());
    return success();
  }
};
} // namespace

void CastLikeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<CastLikeToCast>(context);
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

LogicalResult DropoutOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto data = cast<ShapedType>(adaptor.getData().getType());
  inferred.push_back(data);
  inferred.push_back(data.clone(IntegerType::get(context, 1)));
  return success();
}

/// Fails unless `operand` is missing or may be a single element.
static LogicalResult verifyScalar(Operation *op, Value operand,
                                  StringRef name) {
  if (!operand) {
    return success();
  }
  auto type = cast<RankedTensorType>(operand.getType());
  // ONNX asks for rank 0; models of old exporters have one dimension of 1.
  if (!type.hasStaticShape() || type.getNumElements() == 1) {
    return success();
  }
  return op->emitOpError("expected ")
         << name << " to be a scalar, found " << type;
}

LogicalResult DropoutOp::verify() {
  return success(
      succeeded(verifyScalar(*this, getRatio(), "ratio")) &&
      succeeded(verifyScalar(*this, getTrainingMode(), "training_mode")));
}

bool DropoutOp::isInference() {
  std::optional<SmallVector<int64_t>> training =
      getConstantInts(getTrainingMode());
  std::optional<SmallVector<double>> ratio = getConstantFloats(getRatio());
  return !getTrainingMode() ||
         (training && training->size() == 1 && training->front() == 0) ||
         (ratio && ratio->size() == 1 && ratio->front() == 0.0);
}

namespace {
struct RemoveInferenceDropout final : OpRewritePattern<DropoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DropoutOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.isInference()) {
      return rewriter.notifyMatchFailure(op, "not known to be inference");
    }
    if (op.getData().getType() != op.getOutput().getType()) {
      return rewriter.notifyMatchFailure(op, "the result's type is refined");
    }
    Value mask;
    if (!op.getMask().use_empty()) {
      auto type = cast<RankedTensorType>(op.getMask().getType());
      // The model may declare more of the mask than holds.
      if (!type.hasStaticShape() ||
          !cast<RankedTensorType>(op.getData().getType()).hasStaticShape()) {
        return rewriter.notifyMatchFailure(op, "the mask's shape is dynamic");
      }
      mask = ConstantOp::create(rewriter, op.getLoc(),
                                DenseElementsAttr::get(type, true));
    }
    // An unused result may be replaced by nothing.
    rewriter.replaceOp(op, {op.getData(), mask});
    return success();
  }
};
} // namespace

void DropoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<RemoveInferenceDropout>(context);
}

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

LogicalResult ClipOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getInput().getType());
  return success();
}

LogicalResult ClipOp::verify() {
  return success(succeeded(verifyScalar(*this, getMin(), "min")) &&
                 succeeded(verifyScalar(*this, getMax(), "max")));
}

OpFoldResult ClipOp::fold(FoldAdaptor) {
  if (!getMin() && !getMax() && getInput().getType() == getType()) {
    return getInput();
  }
  return {};
}

/// The constant interval of a Clip of floats; a missing bound is infinite.
/// Nothing when a bound is not constant, is NaN, or the bounds cross.
static std::optional<std::pair<double, double>> getInterval(Value min,
                                                            Value max) {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  for (auto [bound, value] : {std::pair(min, &lower), std::pair(max, &upper)}) {
    if (!bound) {
      continue;
    }
    std::optional<SmallVector<double>> constant = getConstantFloats(bound);
    if (!constant || constant->size() != 1) {
      return std::nullopt;
    }
    *value = constant->front();
  }
  if (!(lower <= upper)) {
    return std::nullopt;
  }
  return std::pair(lower, upper);
}

namespace {
/// Clip(Relu(x)) and Clip(Clip(x)) -> Clip(x) for constant bounds.
struct MergeIntoClip final : OpRewritePattern<ClipOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ClipOp op,
                                PatternRewriter &rewriter) const override {
    auto outer = getInterval(op.getMin(), op.getMax());
    if (!outer) {
      return rewriter.notifyMatchFailure(op, "no constant float interval");
    }
    std::optional<std::pair<double, double>> inner;
    Value input;
    if (auto relu = op.getInput().getDefiningOp<ReluOp>()) {
      input = relu.getInput();
      inner = std::pair(0.0, std::numeric_limits<double>::infinity());
    } else if (auto clip = op.getInput().getDefiningOp<ClipOp>()) {
      input = clip.getInput();
      inner = getInterval(clip.getMin(), clip.getMax());
    }
    if (!inner) {
      return rewriter.notifyMatchFailure(op, "no Relu or constant Clip before");
    }
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!element) {
      return rewriter.notifyMatchFailure(op, "elements are not floats");
    }
    // The image of the inner interval under the outer limits.
    auto limit = [&](double value) {
      return std::clamp(value, outer->first, outer->second);
    };
    auto bound = [&](double value) -> Value {
      if (std::isinf(value)) {
        return {};
      }
      return buildScalar(rewriter, op.getLoc(), element, value);
    };
    double lower = limit(inner->first), upper = limit(inner->second);
    if (lower == std::numeric_limits<double>::infinity() ||
        upper == -std::numeric_limits<double>::infinity()) {
      return rewriter.notifyMatchFailure(op, "the interval is one infinity");
    }
    Value min = bound(lower), max = bound(upper);
    rewriter.replaceOpWithNewOp<ClipOp>(op, op.getType(), input, min, max);
    return success();
  }
};

/// Clip(x, 0, none) -> Relu(x), the form that later passes look for.
struct ClipAtZeroToRelu final : OpRewritePattern<ClipOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ClipOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getMax() || !isSplatOf(getConstantElements(op.getMin()), 0.0)) {
      return rewriter.notifyMatchFailure(op, "expected the interval [0, inf]");
    }
    rewriter.replaceOpWithNewOp<ReluOp>(op, op.getType(), op.getInput());
    return success();
  }
};
} // namespace

void ClipOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<MergeIntoClip, ClipAtZeroToRelu>(context);
}
