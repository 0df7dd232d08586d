//===- Pooling.cpp - Kernels of the NCE pooling ops -----------------------===//
//
// Windows over blocked activations, a vector of channels at a time.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nacre;

namespace {

template <typename PoolOp> struct PoolKernel final : OpRewritePattern<PoolOp> {
  using OpRewritePattern<PoolOp>::OpRewritePattern;
  static constexpr bool isMax = std::is_same_v<PoolOp, VPU::NCEMaxPoolOp>;

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t pixels = std::min<int64_t>(out[3], kernel.machine.registers / 4);
    kernel.nest({out[0], out[1]}, [&](ValueRange imageAndBlock) {
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
  static void emitTile(PoolOp op, KernelBuilder &kernel,
                       ValueRange imageAndBlock, Value row, Value column,
                       Value channel, int64_t pixels, Lanes lanes) {
    OpBuilder &builder = kernel.builder;
    Value image = imageAndBlock[0], block = imageAndBlock[1];
    ArrayRef<int64_t> window = op.getKernel();
    double neutral = isMax ? -std::numeric_limits<double>::infinity() : 0;
    Value firstRow = kernel.mul(row, op.getStrides()[0]);
    Value firstColumn = kernel.mul(column, op.getStrides()[1]);
    SmallVector<Value> init(pixels, kernel.splat(neutral, lanes));
    SmallVector<Value> results = kernel.reduce(
        window[0], init,
        [&](Value kh, ValueRange rowCarried) {
          Value h = kernel.add(firstRow, kernel.mul(kh, op.getDilations()[0]));
          return kernel.reduce(
              window[1], rowCarried,
              [&](Value kw, ValueRange carried) {
                SmallVector<Value> values(carried);
                Value w = kernel.add(firstColumn,
                                     kernel.mul(kw, op.getDilations()[1]));
                for (int64_t p = 0; p < pixels; ++p) {
                  Value x = kernel.loadFloats(
                      op.getInput(),
                      {image, block, h, kernel.add(w, p * op.getStrides()[1]),
                       channel},
                      lanes, op.getInputQuantAttr());
                  values[p] = isMax ? arith::MaximumFOp::create(
                                          builder, kernel.loc, values[p], x)
                                          .getResult()
                                    : kernel.addVectors(values[p], x);
                }
                return values;
              },
              /*rolled=*/kernel.keepsNoWindow());
        },
        /*rolled=*/true);
    for (int64_t p = 0; p < pixels; ++p) {
      Value result = results[p];
      if (!isMax) {
        result = arith::MulFOp::create(
            builder, kernel.loc, result,
            kernel.splat(1.0 / (window[0] * window[1]), lanes));
      }
      kernel.storeResult(op.getPpe(), result, op.getInit(),
                         {image, block, row, kernel.add(column, p), channel},
                         lanes);
    }
  }
};

} // namespace

void nacre::populatePoolingKernels(RewritePatternSet &patterns) {
  patterns
      .add<PoolKernel<VPU::NCEMaxPoolOp>, PoolKernel<VPU::NCEAveragePoolOp>>(
          patterns.getContext());
}
