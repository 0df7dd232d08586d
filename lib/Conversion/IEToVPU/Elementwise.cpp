//===- Elementwise.cpp - Lower arithmetic to the engine -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of two equal shapes, where it saves leaving the engine's layout,
// and the addition of a bias to a matrix product.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"
#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

template <typename Op, VPU::EltwiseKind kind>
struct ArithmeticToVPU final : VPUPattern<Op> {
  using VPUPattern<Op>::VPUPattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumOperands() != 2) {
      return rewriter.notifyMatchFailure(op, "needs two operands");
    }
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    RankedTensorType type = getRowsType(this->arch, lhs);
    RankedTensorType imageType = getImageType(this->arch, lhs);
    if ((!type && !imageType) || lhs.getType() != rhs.getType()) {
      return rewriter.notifyMatchFailure(
          op, "needs operands of one type, of rows of known length or images, "
              "of an element type of the engine");
    }
    Location loc = op.getLoc();
    BlockedImage blocked = imageType ? getBlockedImage(lhs) : BlockedImage();
    if (imageType && !blocked) {
      blocked = getBlockedImage(rhs);
    }
    Value matrix = type ? getMatrices(lhs) : Value();
    if (type && !matrix) {
      matrix = getMatrices(rhs);
    }
    if ((blocked || matrix) && !haveSameSizes(op, lhs, rhs)) {
      return rewriter.notifyMatchFailure(
          op, "needs operands whose dynamic sizes are known to be equal");
    }
    if (blocked) {
      Value left = buildBlocked(rewriter, loc, lhs, blocked.layout);
      Value right = buildBlocked(rewriter, loc, rhs, blocked.layout);
      Value result = build(rewriter, loc, left, right);
      replaceByImage(rewriter, op, {result, blocked.layout},
                     imageType.getDimSize(1));
      return success();
    }
    if (matrix) {
      // The engine's own results where they are such matrices, so that the
      // addition can become their residual.
      int64_t batches = cast<RankedTensorType>(matrix.getType()).getDimSize(0);
      Value left = buildMatrices(rewriter, loc, lhs, batches);
      Value right = buildMatrices(rewriter, loc, rhs, batches);
      Value result = build(rewriter, loc, left, right);
      rewriter.replaceOp(op, buildFromMatricesLike(rewriter, loc, result, lhs));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand comes from the engine");
  }

private:
  static Value build(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
    Value init = buildEmptyLike(builder, loc, lhs);
    return VPU::NCEEltwiseOp::create(builder, loc, lhs, rhs, init, kind,
                                     VPU::PPEAttr::get(builder.getContext()))
        ->getResult(0);
  }
};

/// A constant added to every row of a matrix product is its bias.
struct AddToMatMulBias final : VPUPattern<IE::AddOp> {
  // Before the addition becomes an op of its own.
  AddToMatMulBias(VPU::ArchAttr arch, MLIRContext *context)
      : VPUPattern(arch, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(IE::AddOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [product, constant] : {std::pair(op.getLhs(), op.getRhs()),
                                     std::pair(op.getRhs(), op.getLhs())}) {
      Value matrix = getMatrices(product);
      auto matmul = matrix ? matrix.getDefiningOp<VPU::NCEMatMulOp>()
                           : VPU::NCEMatMulOp();
      if (!matmul || matmul.getBias() || matmul.getResidual() ||
          !matmul.getPpe().isNoop() || !matmul->hasOneUse() ||
          !product.hasOneUse() || product.getType() != op.getType()) {
        continue;
      }
      // One value per column, broadcast over everything else.
      int64_t columns = matmul.getInitType().getDimSize(2);
      auto type = cast<RankedTensorType>(constant.getType());
      ConstantFloats bias(constant);
      if (!bias || type.getNumElements() != columns || type.getRank() == 0 ||
          type.getShape().back() != columns) {
        continue;
      }
      rewriter.setInsertionPoint(matmul);
      Value packed =
          buildPackedBias(rewriter, op.getLoc(), bias.getAll<double>(),
                          {matmul.getPanelWidth()}, bias.getElementType());
      // Bias spans whole panels even where the last one is partly used.
      rewriter.modifyOpInPlace(matmul,
                               [&] { matmul.getBiasMutable().assign(packed); });
      rewriter.replaceOp(op, product);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is a constant added to a matrix product's columns");
  }
};

} // namespace

/// What `value` is the activation of, and by which PPE; or itself, by one that
/// does nothing.
static std::pair<Value, VPU::PPEAttr> splitActivation(Value value) {
  Operation *producer = value.getDefiningOp();
  if (VPU::PPEAttr activation =
          producer ? getActivation(producer) : VPU::PPEAttr()) {
    return {producer->getOperand(0), activation};
  }
  return {value, VPU::PPEAttr::get(value.getContext())};
}

namespace {

/// The quantized sum of two dequantized images, rectified or not.
struct QuantizedAddToVPU final : VPUPattern<IE::QuantizeLinearOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> zeroPoint = getRoundingZeroPoint(op);
    auto [value, ppe] = splitActivation(op.getInput());
    auto add = value.getDefiningOp<IE::AddOp>();
    if (!zeroPoint || !add ||
        add.getLhs().getType() != add.getRhs().getType()) {
      return rewriter.notifyMatchFailure(
          op, "does not round the sum of two tensors");
    }
    auto lhs = add.getLhs().getDefiningOp<IE::DequantizeLinearOp>();
    auto rhs = add.getRhs().getDefiningOp<IE::DequantizeLinearOp>();
    VPU::QuantAttr lhsQuant = lhs ? getQuant(lhs) : VPU::QuantAttr();
    VPU::QuantAttr rhsQuant = rhs ? getQuant(rhs) : VPU::QuantAttr();
    if (!lhsQuant || !rhsQuant || !isImageOfBytes(arch, lhs.getInput())) {
      return rewriter.notifyMatchFailure(
          op, "the operands are not dequantized bytes");
    }
    BlockedImage blocked = getBlockedImage(lhs.getInput());
    if (!blocked) {
      blocked = getBlockedImage(rhs.getInput());
    }
    if (!blocked) {
      return rewriter.notifyMatchFailure(op,
                                         "no operand comes from the engine");
    }
    if (!haveSameSizes(op, add.getLhs(), add.getRhs())) {
      return rewriter.notifyMatchFailure(
          op, "needs operands whose dynamic sizes are known to be equal");
    }
    Location loc = op.getLoc();
    Value left = buildBlocked(rewriter, loc, lhs.getInput(), blocked.layout);
    Value right = buildBlocked(rewriter, loc, rhs.getInput(), blocked.layout);
    Value init = buildEmptyLike(rewriter, loc, left);
    Value result = VPU::NCEEltwiseOp::create(
                       rewriter, loc, left, right, init, VPU::EltwiseKind::ADD,
                       ppe.getQuantizing(*zeroPoint), lhsQuant, rhsQuant)
                       ->getResult(0);
    auto type = cast<RankedTensorType>(op.getType());
    replaceByImage(rewriter, op, {result, blocked.layout}, type.getDimSize(1));
    return success();
  }
};

/// Bytes of the engine that become bytes of another scale, rectified or not.
struct RescaledBytesToVPU final : VPUPattern<IE::QuantizeLinearOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> zeroPoint = getRoundingZeroPoint(op);
    auto [value, ppe] = splitActivation(op.getInput());
    auto source = value.getDefiningOp<IE::DequantizeLinearOp>();
    VPU::QuantAttr quant = source ? getQuant(source) : VPU::QuantAttr();
    if (!zeroPoint || !quant || !isImageOfBytes(arch, source.getInput())) {
      return rewriter.notifyMatchFailure(op,
                                         "does not round dequantized bytes");
    }
    BlockedImage blocked = getBlockedImage(source.getInput());
    if (!blocked) {
      return rewriter.notifyMatchFailure(
          op, "its operand does not come from the engine");
    }
    Location loc = op.getLoc();
    Value init = buildEmptyLike(rewriter, loc, blocked.value);
    Value result =
        VPU::NCEEltwiseOp::create(rewriter, loc, blocked.value, blocked.value,
                                  init, VPU::EltwiseKind::MAX,
                                  ppe.getQuantizing(*zeroPoint), quant, quant)
            ->getResult(0);
    auto type = cast<RankedTensorType>(op.getType());
    replaceByImage(rewriter, op, {result, blocked.layout}, type.getDimSize(1));
    return success();
  }
};

} // namespace

void nacre::populateElementwiseToVPUPatterns(VPU::ArchAttr arch,
                                             RewritePatternSet &patterns) {
  patterns.add<ArithmeticToVPU<IE::AddOp, VPU::EltwiseKind::ADD>,
               ArithmeticToVPU<IE::SumOp, VPU::EltwiseKind::ADD>,
               ArithmeticToVPU<IE::SubOp, VPU::EltwiseKind::SUB>,
               ArithmeticToVPU<IE::MulOp, VPU::EltwiseKind::MUL>,
               ArithmeticToVPU<IE::MaxOp, VPU::EltwiseKind::MAX>,
               ArithmeticToVPU<IE::MinOp, VPU::EltwiseKind::MIN>,
               AddToMatMulBias, QuantizedAddToVPU, RescaledBytesToVPU>(
      arch, patterns.getContext());
}
