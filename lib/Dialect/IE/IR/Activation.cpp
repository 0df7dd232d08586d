//===- Activation.cpp - Activation functions ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// activation functions.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Activation.cpp.inc"

void IEDialect::registerActivationOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Activation.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Relu
//===----------------------------------------------------------------------===//

OpFoldResult ReluOp::fold(FoldAdaptor) {
  if (getInput().getType() != getType()) {
    return {};
  }
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(getType()));
  if (getInput().getDefiningOp<ReluOp>() || (integer && integer.isUnsigned())) {
    return getInput();
  }
  return {};
}

/// True for a constant scalar of at least zero; -0.0, which Relu changes, is
/// not.
static bool isPositive(Value bound) {
  std::optional<SmallVector<double>> constant = getConstantFloats(bound);
  return constant && constant->size() == 1 && constant->front() >= 0.0 &&
         !std::signbit(constant->front());
}

namespace {
/// Relu(Clip(x, lo, hi)) -> Clip(x, lo, hi) for a constant positive lo.
struct RemoveReluAfterClip final : OpRewritePattern<ReluOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReluOp op,
                                PatternRewriter &rewriter) const override {
    auto clip = op.getInput().getDefiningOp<ClipOp>();
    if (!clip || clip.getType() != op.getType()) {
      return rewriter.notifyMatchFailure(op, "no Clip of the same type before");
    }
    // Where the bounds cross, the upper one is the result: it counts too.
    if (!isPositive(clip.getMin()) ||
        (clip.getMax() && !isPositive(clip.getMax()))) {
      return rewriter.notifyMatchFailure(
          op, "the Clip is not known to give positive floats only");
    }
    rewriter.replaceOp(op, clip);
    return success();
  }
};
} // namespace

void ReluOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<RemoveReluAfterClip>(context);
}

//===----------------------------------------------------------------------===//
// Celu
//===----------------------------------------------------------------------===//

LogicalResult CeluOp::verify() {
  if (getAlpha().isZero()) {
    return emitOpError("expected alpha other than zero, which divides");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// PRelu
//===----------------------------------------------------------------------===//

LogicalResult PReluOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  auto input = cast<ShapedType>(adaptor.getInput().getType());
  auto slope = cast<ShapedType>(adaptor.getSlope().getType());
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes({input.getShape(), slope.getShape()});
  // Unidirectional: the broadcast must not outgrow the input. Dynamic sizes may
  // be fine.
  bool fits =
      succeeded(shape) &&
      shape->size() == static_cast<size_t>(input.getRank()) &&
      llvm::all_of(llvm::zip_equal(*shape, input.getShape()), [](auto dims) {
        auto [common, own] = dims;
        return common == own || ShapedType::isDynamic(own) ||
               ShapedType::isDynamic(common);
      });
  if (!fits) {
    return emitOptionalError(location,
                             "expected a slope that broadcasts to the input ",
                             input, ", found ", slope);
  }
  inferred.push_back(input);
  return success();
}
