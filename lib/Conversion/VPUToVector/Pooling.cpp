//===- Pooling.cpp - Kernels of the NCE pooling ops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows over blocked activations, a vector of channels at a time.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
    SmallVector<OpFoldResult> out = kernel.getSizes(op.getInit());
    int64_t pixels = getKernelStrategy(op).getRegisters().front().getColumns();
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
  /// One divided by the number of elements of a window, in all lanes.
  static Value buildShare(KernelBuilder &kernel, ArrayRef<OpFoldResult> window,
                          Lanes lanes) {
    std::optional<int64_t> rows = getConstantIntValue(window[0]);
    std::optional<int64_t> columns = getConstantIntValue(window[1]);
    if (rows && columns) {
      return kernel.splat(1.0 / static_cast<double>(*rows * *columns), lanes);
    }
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    Value count = arith::MulIOp::create(b, loc, kernel.index(window[0]),
                                        kernel.index(window[1]));
    count = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    count = arith::SIToFPOp::create(b, loc, kernel.machine.floats, count);
    Value all = vector::BroadcastOp::create(
        b, loc, VectorType::get({lanes.width}, kernel.machine.floats), count);
    return arith::DivFOp::create(b, loc, kernel.splat(1, lanes), all);
  }

  static void emitTile(PoolOp op, KernelBuilder &kernel,
                       ValueRange imageAndBlock, Value row, Value column,
                       Value channel, int64_t pixels, Lanes lanes) {
    OpBuilder &builder = kernel.builder;
    Value image = imageAndBlock[0], block = imageAndBlock[1];
    SmallVector<OpFoldResult> window =
        op.getKernel().empty()
            ? SmallVector<OpFoldResult>{kernel.getSize(op.getInput(), 2),
                                        kernel.getSize(op.getInput(), 3)}
            : kernel.extents(op.getKernel());
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
                  // To tell zeros apart takes longer than all the rest of a
                  // comparison. Whether an element is NaN does not wait for
                  // those before it.
                  values[p] = isMax ? arith::MaximumFOp::create(
                                          builder, kernel.loc, x, values[p],
                                          arith::FastMathFlags::nsz)
                                          .getResult()
                                    : kernel.addVectors(values[p], x);
                }
                return values;
              },
              /*rolled=*/kernel.keepsNoWindow());
        },
        /*rolled=*/true);
    Value share = isMax ? Value() : buildShare(kernel, window, lanes);
    for (int64_t p = 0; p < pixels; ++p) {
      Value result = results[p];
      if (share) {
        result = arith::MulFOp::create(builder, kernel.loc, result, share);
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
