//===- Concat.cpp - Join activations in the engine's layout ---------------===//
//
// Concatenation along channels stays blocked where each operand fills whole
// blocks, so that its producers can write into the joined value.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

using namespace mlir;
using namespace nacre;

namespace {

struct ConcatToBlocked final : VPUPattern<IE::ConcatOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getEngineType(arch, op->getResult(0), 4);
    if (!type) {
      return rewriter.notifyMatchFailure(
          op, "needs static images of an element type of the engine");
    }
    int64_t axis = op.getAxis();
    if (axis != 1 && axis != -3) {
      return rewriter.notifyMatchFailure(op, "does not join channels");
    }
    // Blocks of one channel count each only join when that is the count of the
    // whole: NHWC joins innermost.
    bool innermost = !arch.getBlockedChannels();
    int64_t width =
        innermost ? type.getDimSize(1) : arch.getBlockSize(type.getDimSize(1));
    bool anyBlocked = false;
    for (Value input : op.getInputs()) {
      anyBlocked |= static_cast<bool>(getBlockedSource(input));
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
    Value joined = buildBlockedEmpty(rewriter, loc, type, {width});
    OpFoldResult zero = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> offsets(5, zero);
    SmallVector<OpFoldResult> strides(5, rewriter.getIndexAttr(1));
    int64_t position = 0;
    for (Value input : op.getInputs()) {
      int64_t channels = cast<RankedTensorType>(input.getType()).getDimSize(1);
      Value part =
          buildBlocked(rewriter, loc, input, {innermost ? channels : width});
      unsigned dim = innermost ? 4 : 1;
      offsets[dim] = rewriter.getIndexAttr(position);
      auto partType = cast<RankedTensorType>(part.getType());
      position += partType.getDimSize(dim);
      joined = tensor::InsertSliceOp::create(
          rewriter, loc, part, joined, offsets,
          getAsIndexOpFoldResult(getContext(), partType.getShape()), strides);
    }
    rewriter.replaceOp(op, buildUnblocked(rewriter, loc, {joined, {width}},
                                          type.getDimSize(1)));
    return success();
  }
};

} // namespace

void nacre::populateConcatToVPUPatterns(VPU::ArchAttr arch,
                                        RewritePatternSet &patterns) {
  patterns.add<ConcatToBlocked>(arch, patterns.getContext());
}
