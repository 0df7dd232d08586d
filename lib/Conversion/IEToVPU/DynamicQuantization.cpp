//===- DynamicQuantization.cpp - Quantization of the engine's images ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The range of an image that is quantized at run time is found by software
// kernels, and so is the image quantized. They work as well on the engine's
// layout, so that an image need not leave it.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

static bool isOneElement(Value value) {
  return !value || (getTensorType(value).hasStaticShape() &&
                    getTensorType(value).getNumElements() == 1);
}

namespace {

/// Bytes of an image that is in blocks, by one scale and zero point.
struct QuantizeInBlocks final : VPUPattern<IE::QuantizeLinearOp> {
  // After those that make it part of what computes the image.
  QuantizeInBlocks(VPU::ArchAttr arch, MLIRContext *context)
      : VPUPattern(arch, context, /*benefit=*/0) {}

  LogicalResult matchAndRewrite(IE::QuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    RankedTensorType type = getTensorType(op.getOutput());
    BlockedImage blocked =
        getImageType(arch, input) ? getBlockedImage(input) : BlockedImage();
    if (arch.hasFixedFunctionNCE() || !blocked ||
        !isByte(type.getElementType()) || !isOneElement(op.getScale()) ||
        !isOneElement(op.getZeroPoint())) {
      return rewriter.notifyMatchFailure(
          op, "needs an image of the engine, one scale and one zero point, and "
              "bytes");
    }
    Location loc = op.getLoc();
    Operation *quantize = rewriter.clone(*op);
    quantize->setOperand(0, blocked.value);
    Value bytes = quantize->getResult(0);
    bytes.setType(getTensorType(blocked.value).clone(type.getElementType()));
    replaceByImage(rewriter, op,
                   {buildBytes(rewriter, loc, bytes), blocked.layout},
                   type.getDimSize(1));
    return success();
  }
};

/// The least or largest element of an image that is in blocks, whichever op it
/// is that combines two candidates.
template <typename ReduceOp, typename CombineOp>
struct ReduceBlocks final : VPUPattern<ReduceOp> {
  using VPUPattern<ReduceOp>::VPUPattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    RankedTensorType imageType = getImageType(this->arch, input);
    BlockedImage blocked = imageType ? getBlockedImage(input) : BlockedImage();
    RankedTensorType type = getTensorType(op.getOutput());
    std::optional<SmallVector<int64_t>> axes = op.getReducedAxes();
    if (this->arch.hasFixedFunctionNCE() || !blocked || !axes ||
        static_cast<int64_t>(axes->size()) != imageType.getRank()) {
      return rewriter.notifyMatchFailure(op, "reduces no image of the engine");
    }
    int64_t channels = imageType.getDimSize(1);
    int64_t width = blocked.layout.width, rest = channels % width;
    if (blocked.layout.groups != 1 &&
        channels / blocked.layout.groups % width != 0) {
      return rewriter.notifyMatchFailure(op, "groups have gaps between them");
    }
    Location loc = op.getLoc();
    Value result;
    auto add = [&](Value part) {
      auto scalar = RankedTensorType::get({}, imageType.getElementType());
      Value found = ReduceOp::create(rewriter, loc, TypeRange(scalar), part,
                                     Value(), rewriter.getI64IntegerAttr(0),
                                     rewriter.getI64IntegerAttr(0))
                        ->getResult(0);
      result = result ? CombineOp::create(rewriter, loc, TypeRange(scalar),
                                          ValueRange{result, found})
                            ->getResult(0)
                      : found;
    };
    // What a block holds beyond the last channel is anything.
    if (channels >= width) {
      add(buildVector(
          rewriter, loc,
          slice(rewriter, loc, blocked.value, 0, channels / width, width)));
    }
    if (rest != 0) {
      add(slice(rewriter, loc, blocked.value, channels / width, 1, rest));
    }
    rewriter.replaceOp(op,
                       buildReshape(rewriter, loc, result, type.getShape()));
    return success();
  }

private:
  /// The first `lanes` lanes of `count` blocks.
  static Value slice(OpBuilder &builder, Location loc, Value image,
                     int64_t first, int64_t count, int64_t lanes) {
    MixedSizes sizes = getMixedSizes(builder, loc, image);
    if (getConstantIntValue(sizes[1]) == count &&
        getConstantIntValue(sizes[4]) == lanes) {
      return image;
    }
    MixedSizes offsets(5, builder.getIndexAttr(0));
    MixedSizes strides(5, builder.getIndexAttr(1));
    offsets[1] = builder.getIndexAttr(first);
    sizes[1] = builder.getIndexAttr(count);
    sizes[4] = builder.getIndexAttr(lanes);
    return tensor::ExtractSliceOp::create(builder, loc, image, offsets, sizes,
                                          strides);
  }

  /// A whole image as one row of elements, over which a kernel is one loop.
  static Value buildVector(OpBuilder &builder, Location loc, Value image) {
    if (image.getDefiningOp<tensor::ExtractSliceOp>()) {
      return image;
    }
    return tensor::CollapseShapeOp::create(
        builder, loc, image,
        SmallVector<ReassociationIndices>{{0, 1, 2, 3, 4}});
  }
};

} // namespace

void nacre::populateDynamicQuantizationToVPUPatterns(
    VPU::ArchAttr arch, RewritePatternSet &patterns) {
  patterns.add<QuantizeInBlocks, ReduceBlocks<IE::ReduceMaxOp, IE::MaxOp>,
               ReduceBlocks<IE::ReduceMinOp, IE::MinOp>>(arch,
                                                         patterns.getContext());
}
