//===- FillBorder.cpp - Kernel of VPU.FillBorder --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole rows above and below, some columns of those between.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace nacre;

namespace {

struct FillBorderKernel final : OpRewritePattern<VPU::FillBorderOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::FillBorderOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    Value init = op.getInit();
    SmallVector<OpFoldResult> shape = kernel.getSizes(init);
    ArrayRef<int64_t> pads = op.getPads();
    double padValue = op.getPadValue().convertToDouble();
    // `rows` rows from row `first` on, of each `columns` columns.
    auto fill = [&](ValueRange block, Value firstRow, OpFoldResult rows,
                    Value firstColumn, OpFoldResult columns) {
      kernel.nest({rows, columns}, [&](ValueRange at) {
        Value row = kernel.add(firstRow, at[0]);
        Value column = kernel.add(firstColumn, at[1]);
        kernel.vectors(shape[4], [&](Value channel, Lanes lanes) {
          kernel.store(kernel.splat(padValue, lanes, getElementType(init)),
                       init, {block[0], block[1], row, column, channel}, lanes);
        });
      });
    };
    auto count = [&](int64_t size) -> OpFoldResult {
      return rewriter.getIndexAttr(size);
    };
    Value rows = kernel.index(shape[2]), columns = kernel.index(shape[3]);
    Value zero = kernel.index(0), top = kernel.index(pads[0]);
    OpFoldResult between = kernel.add(rows, -(pads[0] + pads[2]));
    kernel.nest(ArrayRef(shape).take_front(2), [&](ValueRange block) {
      fill(block, zero, count(pads[0]), zero, shape[3]);
      fill(block, top, between, zero, count(pads[1]));
      fill(block, top, between, kernel.add(columns, -pads[3]), count(pads[3]));
      fill(block, kernel.add(rows, -pads[2]), count(pads[2]), zero, shape[3]);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nacre::populateFillBorderKernels(RewritePatternSet &patterns) {
  patterns.add<FillBorderKernel>(patterns.getContext());
}
