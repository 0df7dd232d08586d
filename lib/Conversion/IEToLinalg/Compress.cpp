//===- Compress.cpp - Lower Compress to a loop ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernel for IE.Compress: slices whose condition holds move to the
// front one after the other.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace nacre;

/// Slice `from` of `input` as slice `to` of `target`, both along `axis`.
static Value moveSlice(OpBuilder &builder, Location loc, Value input,
                       Value target, int64_t axis, ArrayRef<OpFoldResult> whole,
                       Value from, Value to) {
  if (whole.size() == 1) {
    return tensor::InsertOp::create(
        builder, loc, buildExtract(builder, loc, input, from), target, to);
  }
  if (llvm::is_contained(whole, OpFoldResult(builder.getIndexAttr(0)))) {
    return target;
  }
  Sizes sizes(whole), offsets(whole.size(), builder.getIndexAttr(0));
  Sizes strides(whole.size(), builder.getIndexAttr(1));
  sizes[axis] = builder.getIndexAttr(1);
  offsets[axis] = from;
  Value slice = tensor::ExtractSliceOp::create(builder, loc, input, offsets,
                                               sizes, strides);
  offsets[axis] = to;
  return tensor::InsertSliceOp::create(builder, loc, slice, target, offsets,
                                       sizes, strides);
}

namespace {
struct CompressToSCF final : OpConversionPattern<IE::CompressOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::CompressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput(), condition = adaptor.getCondition();
    int64_t axis = 0;
    if (op.getAxis()) {
      axis = *op.getAxis();
      axis += axis < 0 ? cast<RankedTensorType>(input.getType()).getRank() : 0;
    } else {
      input = flatten(rewriter, loc, input);
    }
    auto inputType = cast<RankedTensorType>(input.getType());
    Sizes sizes = getSizes(rewriter, loc, input);
    Value room = buildRoom(rewriter, loc, sizes, inputType.getElementType());
    // What the condition leaves out is left out.
    auto toIndex = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, size);
    };
    Value end =
        arith::MinSIOp::create(rewriter, loc, toIndex(sizes[axis]),
                               toIndex(getSize(rewriter, loc, condition, 0)));
    Value zero = buildIndex(rewriter, loc, 0);
    Values moved = buildFor(
        rewriter, loc, zero, end, ValueRange{zero, room},
        [&](OpBuilder &b, Value i, ValueRange state) {
          Value holds = buildExtract(b, loc, condition, i);
          return buildIf(b, loc, holds, state, [&](OpBuilder &n) -> Values {
            return {
                arith::AddIOp::create(n, loc, state[0], buildIndex(n, loc, 1)),
                moveSlice(n, loc, input, state[1], axis, sizes, i, state[0])};
          });
        });
    auto type = getTypeConverter()->convertType<RankedTensorType>(
        op.getOutput().getType());
    rewriter.replaceOp(
        op, takeFront(rewriter, loc, moved[1], axis, moved[0], type));
    return success();
  }
};
} // namespace

void nacre::populateCompressToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<CompressToSCF>(converter, patterns.getContext());
}
