//===- DepthConvolution.cpp - Kernel of VPU.NCE.DepthConvolution ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each channel has its own kernel, so a vector of channels is multiplied
// elementwise. Bound by loads: neighbouring pixels share theirs, which shows
// once the window is unrolled.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

namespace {

struct DepthConvolutionKernel final
    : OpRewritePattern<VPU::NCEDepthConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEDepthConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    SmallVector<OpFoldResult> out = kernel.getSizes(op.getInit());
    int64_t pixels = getTile(op).getColumns();
    kernel.nest(ArrayRef(out).take_front(2), [&](ValueRange imageAndBlock) {
      kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
        kernel.loop(out[2], [&](Value row) {
          kernel.tiles(out[3], pixels, [&](Value column, int64_t count) {
            emitTile(op, kernel, imageAndBlock, row, column, channel, count,
                     lanes);
          });
        });
      });
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  static VPU::RegisterTileAttr getTile(VPU::NCEDepthConvolutionOp op) {
    return getKernelStrategy(op).getRegisters().front();
  }

  static void emitTile(VPU::NCEDepthConvolutionOp op, KernelBuilder &kernel,
                       ValueRange imageAndBlock, Value row, Value column,
                       Value channel, int64_t pixels, Lanes lanes) {
    Value image = imageAndBlock[0], block = imageAndBlock[1];
    ArrayRef<int64_t> window = getShape(op.getWeights()).slice(1, 2);
    auto loadParameter = [&](Value parameter) {
      return parameter ? kernel.loadFloats(parameter, {block, channel}, lanes)
                       : Value();
    };
    Value start = loadParameter(op.getOffset());
    Value scale = loadParameter(op.getScale());
    Value bias = loadParameter(op.getBias());
    // Without a scale in between, sums start from the bias.
    if (bias && !scale && !start) {
      std::swap(start, bias);
    }
    Value init = start ? start : kernel.splat(0, lanes);
    Value firstRow = kernel.mul(row, op.getStrides()[0]);
    Value firstColumn = kernel.mul(column, op.getStrides()[1]);
    SmallVector<Value> accumulators(pixels, init);
    SmallVector<Value> results = kernel.reduce(
        window[0], accumulators,
        [&](Value kh, ValueRange carried) {
          SmallVector<Value> sums(carried);
          Value h = kernel.add(firstRow, kernel.mul(kh, op.getDilations()[0]));
          for (int64_t kw = 0; kw < window[1]; ++kw) {
            Value weight = kernel.loadFloats(
                op.getWeights(), {block, kh, kernel.index(kw), channel}, lanes);
            for (int64_t p = 0; p < pixels; ++p) {
              int64_t shift =
                  p * op.getStrides()[1] + kw * op.getDilations()[1];
              Value x = kernel.loadFloats(
                  op.getInput(),
                  {image, block, h, kernel.add(firstColumn, shift), channel},
                  lanes, op.getInputQuantAttr());
              sums[p] = vector::FMAOp::create(kernel.builder, kernel.loc, x,
                                              weight, sums[p]);
            }
          }
          return sums;
        },
        getKernelStrategy(op).getRollWindow());
    for (int64_t p = 0; p < pixels; ++p) {
      SmallVector<Value> at = {image, block, row, kernel.add(column, p),
                               channel};
      Value result = kernel.scaleSums(results[p], scale, bias);
      kernel.storeResult(op.getPpe(), result, op.getInit(), at, lanes,
                         op.getResidual());
    }
  }
};

} // namespace

void nacre::populateDepthConvolutionKernels(RewritePatternSet &patterns) {
  patterns.add<DepthConvolutionKernel>(patterns.getContext());
}
