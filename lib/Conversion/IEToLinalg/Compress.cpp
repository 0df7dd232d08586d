//===- Compress.cpp - Lower Compress to a loop ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernel for IE.Compress: which slices are kept is found first, then
// these are gathered.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "Loops.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace nacre;

/// Of the first `end` slices those whose condition holds: how many they are,
/// and their numbers. All are written and stay where they count, without a
/// branch, which nothing could predict.
static Values findKept(OpBuilder &builder, Location loc, Value condition,
                       Value end) {
  Value zero = buildIndex(builder, loc, 0);
  Value room = buildRoom(builder, loc, getSizes(builder, loc, condition),
                         builder.getI64Type());
  return buildFor(
      builder, loc, zero, end, ValueRange{zero, room},
      [&](OpBuilder &b, Value i, ValueRange state) -> Values {
        Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), i);
        Value written =
            tensor::InsertOp::create(b, loc, number, state[1], state[0]);
        Value counts = arith::IndexCastUIOp::create(
            b, loc, b.getIndexType(), buildExtract(b, loc, condition, i));
        return {arith::AddIOp::create(b, loc, state[0], counts), written};
      });
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
    Sizes sizes = getSizes(rewriter, loc, input);
    // What the condition leaves out is left out.
    auto toIndex = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, size);
    };
    Value end =
        arith::MinSIOp::create(rewriter, loc, toIndex(sizes[axis]),
                               toIndex(getSize(rewriter, loc, condition, 0)));
    Values kept = findKept(rewriter, loc, condition, end);
    auto type = getTypeConverter()->convertType<RankedTensorType>(
        op.getOutput().getType());
    assertDeclaredLength(rewriter, loc, type, axis, kept.front());
    sizes[axis] = kept.front();
    rewriter.replaceOp(
        op, buildFromIndices(
                rewriter, loc, type,
                [&](OpBuilder &b, Location, ValueRange indices) -> Value {
                  Values at(indices);
                  at[axis] = arith::IndexCastOp::create(
                      b, loc, b.getIndexType(),
                      buildExtract(b, loc, kept.back(), indices[axis]));
                  return buildExtract(b, loc, input, at);
                },
                sizes));
    return success();
  }
};
} // namespace

void nacre::populateCompressToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<CompressToSCF>(converter, patterns.getContext());
}
