//===- Conversions.cpp - Floats of 16 bits around the engine --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion of a whole tensor next to an op of VPU that reads or writes each
// element once is done by that op.
//
//===----------------------------------------------------------------------===//

#include "Conversions.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;

static bool isNarrow(Type element) {
  return element.isF16() || element.isBF16();
}

/// True for a kernel that only converts each element where it is.
template <typename ConversionOp>
static bool isConversion(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  auto conversion = dyn_cast<ConversionOp>(body.front());
  return op.getNumDpsInputs() == 1 && op.getNumResults() == 1 &&
         op.hasPureTensorSemantics() && conversion &&
         conversion.getIn() == body.getArgument(0) &&
         body.getTerminator()->getOperand(0) == conversion->getResult(0) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

/// `reshape` of `source`, with elements of another type.
static Value rebuildReshape(RewriterBase &rewriter, Operation *reshape,
                            Value source) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(reshape);
  RankedTensorType type = getTensorType(reshape->getResult(0));
  IRMapping mapping;
  mapping.map(reshape->getOperand(0), source);
  Operation *moved = rewriter.clone(*reshape, mapping);
  moved->getResult(0).setType(
      type.clone(getTensorType(source).getElementType()));
  return moved->getResult(0);
}

static bool isReshape(Operation *op) {
  return isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

Value nacre::getNarrow(Value value) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  bool isExtended = generic && isConversion<arith::ExtFOp>(generic) &&
                    getTensorType(value).getElementType().isF32();
  Value source = isExtended ? generic.getInputs()[0] : Value();
  return source && isNarrow(getTensorType(source).getElementType()) ? source
                                                                    : Value();
}

namespace {

/// copy(extend(x)) to copy(x).
struct ExtendInCopy final : OpRewritePattern<VPU::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::CopyOp op,
                                PatternRewriter &rewriter) const override {
    Operation *reshape = op.getSource().getDefiningOp();
    Value source = isReshape(reshape) ? reshape->getOperand(0) : op.getSource();
    Value narrow = getNarrow(source);
    if (!narrow) {
      return rewriter.notifyMatchFailure(
          op, "copies nothing extended from 16 bits to f32");
    }
    if (isReshape(reshape)) {
      narrow = rebuildReshape(rewriter, reshape, narrow);
    }
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(narrow); });
    return success();
  }
};

/// truncate(op(x)) to op(x) that writes 16 bits.
struct TruncateInResult final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isConversion<arith::TruncFOp>(op) ||
        !isNarrow(getTensorType(op.getResult(0)).getElementType())) {
      return rewriter.notifyMatchFailure(op, "truncates nothing");
    }
    Value input = op.getInputs()[0];
    Operation *reshape = input.getDefiningOp();
    Value source = isReshape(reshape) ? reshape->getOperand(0) : input;
    Operation *producer = source.getDefiningOp();
    if (!isa_and_present<VPU::CopyOp, VPU::NCEMatMulOp>(producer) ||
        !input.hasOneUse() || !source.hasOneUse() ||
        !getTensorType(source).getElementType().isF32()) {
      return rewriter.notifyMatchFailure(
          op, "only what the engine writes as it is can be of 16 bits");
    }
    Type element = getTensorType(op.getResult(0)).getElementType();
    rewriter.setInsertionPoint(producer);
    auto destination = cast<DestinationStyleOpInterface>(producer);
    Value init = tensor::EmptyOp::create(
        rewriter, producer->getLoc(),
        tensor::getMixedSizes(rewriter, producer->getLoc(),
                              destination.getDpsInitOperand(0)->get()),
        element);
    rewriter.modifyOpInPlace(producer, [&] {
      destination.setDpsInitOperand(0, init);
      producer->getResult(0).setType(init.getType());
    });
    Value result = producer->getResult(0);
    if (isReshape(reshape)) {
      result = rebuildReshape(rewriter, reshape, result);
    }
    rewriter.replaceOp(op, result);
    if (isReshape(reshape)) {
      rewriter.eraseOp(reshape);
    }
    return success();
  }
};

} // namespace

void nacre::populateConversionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExtendInCopy, TruncateInResult>(patterns.getContext());
}
