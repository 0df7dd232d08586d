//===- Concat.cpp - Join activations in the engine's layout ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Concatenation along channels stays blocked where each operand fills whole
// blocks, so that its producers can write into the joined value.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/TensorSizes.h"

using namespace mlir;
using namespace nacre;

namespace {

struct ConcatToBlocked final : VPUPattern<IE::ConcatOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    bool areBytes = isByte(type.getElementType());
    auto isImage = [&](Value value) {
      return areBytes ? isImageOfBytes(arch, value)
                      : static_cast<bool>(getImageType(arch, value));
    };
    bool areImages =
        isImage(op->getResult(0)) && llvm::all_of(op.getInputs(), isImage);
    if (!areImages || type.getRank() < 4) {
      return rewriter.notifyMatchFailure(
          op, "needs images of known channels of an element type of the "
              "engine, and volumes or those of an NPU of known size");
    }
    int64_t axis = op.getAxis();
    if (axis != 1 && axis + type.getRank() != 1) {
      return rewriter.notifyMatchFailure(op, "does not join channels");
    }
    // Blocks of one channel count each only join when that is the count of the
    // whole: NHWC joins innermost.
    bool innermost = !arch.getBlockedChannels();
    Type element = areBytes ? rewriter.getI8Type() : type.getElementType();
    int64_t width = innermost ? type.getDimSize(1)
                              : arch.getBlockSize(type.getDimSize(1), element);
    bool anyBlocked = false;
    for (Value input : op.getInputs()) {
      anyBlocked |= static_cast<bool>(getBlockedImage(input));
      int64_t channels = cast<RankedTensorType>(input.getType()).getDimSize(1);
      if (!innermost && channels % width != 0) {
        return rewriter.notifyMatchFailure(
            op, "an operand ends in the middle of a block");
      }
    }
    if (!anyBlocked) {
      return rewriter.notifyMatchFailure(op,
                                         "no operand comes from the engine");
    }
    Location loc = op.getLoc();
    MixedSizes sizes = getImageSizes(rewriter, loc, op.getInputs().front());
    sizes[1] = rewriter.getIndexAttr(type.getDimSize(1));
    for (Value input : op.getInputs().drop_front()) {
      MixedSizes others = getImageSizes(rewriter, loc, input);
      for (unsigned dim : {0, 2, 3}) {
        if (!areComputedAlike(sizes[dim], others[dim])) {
          IE::assertSameSize(rewriter, loc, sizes[dim], others[dim],
                             "the images to join differ in size");
        }
      }
    }
    Value joined = buildBlockedEmpty(rewriter, loc, sizes, {width}, element);
    OpFoldResult zero = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> offsets(5, zero);
    SmallVector<OpFoldResult> strides(5, rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> partSizes = {sizes[0], zero, sizes[2], sizes[3],
                                           rewriter.getIndexAttr(width)};
    int64_t position = 0;
    for (Value input : op.getInputs()) {
      int64_t channels = cast<RankedTensorType>(input.getType()).getDimSize(1);
      Value part =
          buildBlocked(rewriter, loc, input, {innermost ? channels : width});
      unsigned dim = innermost ? 4 : 1;
      offsets[dim] = rewriter.getIndexAttr(position);
      auto partType = cast<RankedTensorType>(part.getType());
      position += partType.getDimSize(dim);
      partSizes[1] = rewriter.getIndexAttr(partType.getDimSize(1));
      partSizes[4] = rewriter.getIndexAttr(partType.getDimSize(4));
      // Where one operand knows a size, all have it.
      auto sliceType = partType.clone(IE::getShape(partSizes));
      if (partType != sliceType) {
        part = tensor::CastOp::create(rewriter, loc, sliceType, part);
      }
      joined = tensor::InsertSliceOp::create(rewriter, loc, part, joined,
                                             offsets, partSizes, strides);
    }
    replaceByImage(rewriter, op, {joined, {width}}, type.getDimSize(1));
    return success();
  }
};

} // namespace

void nacre::populateConcatToVPUPatterns(VPU::ArchAttr arch,
                                        RewritePatternSet &patterns) {
  patterns.add<ConcatToBlocked>(arch, patterns.getContext());
}
