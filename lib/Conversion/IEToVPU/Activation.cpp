//===- Activation.cpp - Lower activations to the engine -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An activation of an engine op's result is an elementwise engine op that does
// nothing but post-processing: the maximum of a value with itself. vpu-fuse-ppe
// merges it into the op that produces the value.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"
#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace nacre;

using VPU::PPEAttr;
using VPU::PPEMode;

//===----------------------------------------------------------------------===//
// The post-processing that an op is; null when the engine has none for it
//===----------------------------------------------------------------------===//

static PPEAttr getPPE(IE::ReluOp op) {
  return PPEAttr::get(op.getContext(), PPEMode::RELU);
}

static PPEAttr getPPE(IE::SigmoidOp op) {
  return PPEAttr::get(op.getContext(), PPEMode::SIGMOID);
}

static PPEAttr getPPE(IE::TanhOp op) {
  return PPEAttr::get(op.getContext(), PPEMode::TANH);
}

static PPEAttr getPPE(IE::HardSwishOp op) {
  return PPEAttr::get(op.getContext(), PPEMode::HSWISH);
}

static PPEAttr getPPE(IE::MishOp op) {
  return PPEAttr::get(op.getContext(), PPEMode::MISH);
}

static PPEAttr getPPE(IE::SwishOp op) {
  return PPEAttr::getSloped(op.getContext(), PPEMode::SWISH,
                            op.getAlpha().convertToFloat());
}

static PPEAttr getPPE(IE::EluOp op) {
  return PPEAttr::getSloped(op.getContext(), PPEMode::ELU,
                            op.getAlpha().convertToFloat());
}

static PPEAttr getPPE(IE::LeakyReluOp op) {
  return PPEAttr::getSloped(op.getContext(), PPEMode::LRELU,
                            op.getAlpha().convertToFloat());
}

static PPEAttr getPPE(IE::HardSigmoidOp op) {
  if (op.getBeta().convertToFloat() != 0.5f) {
    return {};
  }
  return PPEAttr::getSloped(op.getContext(), PPEMode::HSIGMOID,
                            op.getAlpha().convertToFloat());
}

static PPEAttr getPPE(IE::GeluOp op) {
  return PPEAttr::get(op.getContext(), op.getApproximate() == "none"
                                           ? PPEMode::GELU
                                           : PPEMode::GELU_TANH);
}

static PPEAttr getPPE(IE::ClipOp op) {
  std::optional<double> low, high;
  for (auto [bound, value] : {std::pair(&low, Value(op.getMin())),
                              std::pair(&high, Value(op.getMax()))}) {
    if (!value) {
      continue;
    }
    std::optional<SmallVector<double>> constant = IE::getConstantFloats(value);
    if (!constant || constant->size() != 1) {
      return {};
    }
    *bound = constant->front();
  }
  // Crossing bounds are legal in ONNX; the engine wants an interval.
  if ((!low && !high) ||
      low.value_or(-std::numeric_limits<double>::max()) >
          high.value_or(std::numeric_limits<double>::max())) {
    return {};
  }
  return PPEAttr::getClamp(cast<FloatType>(getElementTypeOrSelf(op.getType())),
                           low, high);
}

PPEAttr nacre::getActivation(Operation *op) {
  return llvm::TypeSwitch<Operation *, PPEAttr>(op)
      .Case<IE::ReluOp, IE::SigmoidOp, IE::TanhOp, IE::HardSwishOp, IE::SwishOp,
            IE::MishOp, IE::EluOp, IE::LeakyReluOp, IE::HardSigmoidOp,
            IE::GeluOp, IE::ClipOp>(
          [](auto activation) { return getPPE(activation); })
      .Default(PPEAttr());
}

namespace {

template <typename Op> struct ActivationToVPU final : VPUPattern<Op> {
  using VPUPattern<Op>::VPUPattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0);
    RankedTensorType type = getRowsType(this->arch, input);
    RankedTensorType imageType = getImageType(this->arch, input);
    if (!type && !imageType) {
      return rewriter.notifyMatchFailure(
          op, "needs rows of known length or an image of an element type of "
              "the engine");
    }
    PPEAttr ppe = getPPE(op);
    if (!ppe) {
      return rewriter.notifyMatchFailure(
          op, "no post-processing mode has these parameters");
    }
    Location loc = op.getLoc();
    // In the layout of the op that produced the value.
    BlockedImage blocked = imageType ? getBlockedImage(input) : BlockedImage();
    if (blocked) {
      Value result = build(rewriter, loc, blocked.value, ppe);
      replaceByImage(rewriter, op, {result, blocked.layout},
                     imageType.getDimSize(1));
      return success();
    }
    Value matrix = type ? getMatrices(input) : Value();
    if (matrix) {
      Value result = build(rewriter, loc, matrix, ppe);
      rewriter.replaceOp(op,
                         buildFromMatricesLike(rewriter, loc, result, input));
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "its operand does not come from the engine");
  }

private:
  static Value build(OpBuilder &builder, Location loc, Value value,
                     PPEAttr ppe) {
    Value init = buildEmptyLike(builder, loc, value);
    return VPU::NCEEltwiseOp::create(builder, loc, value, value, init,
                                     VPU::EltwiseKind::MAX, ppe)
        ->getResult(0);
  }
};

} // namespace

void nacre::populateActivationToVPUPatterns(VPU::ArchAttr arch,
                                            RewritePatternSet &patterns) {
  patterns.add<ActivationToVPU<IE::ReluOp>, ActivationToVPU<IE::SigmoidOp>,
               ActivationToVPU<IE::TanhOp>, ActivationToVPU<IE::HardSwishOp>,
               ActivationToVPU<IE::SwishOp>, ActivationToVPU<IE::MishOp>,
               ActivationToVPU<IE::EluOp>, ActivationToVPU<IE::LeakyReluOp>,
               ActivationToVPU<IE::HardSigmoidOp>, ActivationToVPU<IE::GeluOp>,
               ActivationToVPU<IE::ClipOp>>(arch, patterns.getContext());
}
