//===- Pooling.cpp - Kernels of the NCE pooling ops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows over blocked activations, a vector of channels at a time.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

namespace {

/// The first element of the window of a tile's first pixel.
struct Place {
  Value image, block, row, column, channel;
};

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

  /// What each window has instead, null where all have the same.
  static Value getShares(VPU::NCEAveragePoolOp op) { return op.getShares(); }
  static Value getShares(VPU::NCEMaxPoolOp /*op*/) { return {}; }

  /// That of one window, in all lanes.
  static Value loadShare(KernelBuilder &kernel, Value shares, Value row,
                         Value column, Lanes lanes) {
    Value share = memref::LoadOp::create(kernel.builder, kernel.loc, shares,
                                         ValueRange{row, column});
    return vector::BroadcastOp::create(
        kernel.builder, kernel.loc,
        VectorType::get({lanes.width}, kernel.machine.floats), share);
  }

  /// An element of a window joined to those before.
  static Value combine(KernelBuilder &kernel, Value before, Value x) {
    // To tell zeros apart takes longer than all the rest of a comparison.
    // Whether an element is NaN does not wait for those before it.
    return isMax ? arith::MaximumFOp::create(kernel.builder, kernel.loc, x,
                                             before, arith::FastMathFlags::nsz)
                       .getResult()
                 : kernel.addVectors(before, x);
  }

  static Value buildNeutral(KernelBuilder &kernel, Lanes lanes) {
    return kernel.splat(isMax ? -std::numeric_limits<double>::infinity() : 0,
                        lanes);
  }

  /// What is left of the window of each pixel, in turn.
  static SmallVector<Value> reduceWindows(PoolOp op, KernelBuilder &kernel,
                                          ArrayRef<OpFoldResult> window,
                                          const Place &place, int64_t pixels,
                                          Lanes lanes) {
    SmallVector<Value> init(pixels, buildNeutral(kernel, lanes));
    return kernel.reduce(
        window[0], init,
        [&](Value kh, ValueRange rowCarried) {
          Value h = kernel.add(place.row, kernel.mul(kh, op.getDilations()[0]));
          return kernel.reduce(
              window[1], rowCarried,
              [&](Value kw, ValueRange carried) {
                SmallVector<Value> values(carried);
                Value w = kernel.add(place.column,
                                     kernel.mul(kw, op.getDilations()[1]));
                for (int64_t p = 0; p < pixels; ++p) {
                  Value column = kernel.add(w, p * op.getStrides()[1]);
                  Value x = kernel.loadFloats(
                      op.getInput(),
                      {place.image, place.block, h, column, place.channel},
                      lanes, op.getInputQuantAttr());
                  values[p] = combine(kernel, values[p], x);
                }
                return values;
              },
              /*rolled=*/kernel.keepsNoWindow());
        },
        /*rolled=*/true);
  }

  /// The same: of the columns that windows share first, once for all of them.
  static SmallVector<Value> reduceColumns(PoolOp op, KernelBuilder &kernel,
                                          const Place &place, int64_t pixels,
                                          Lanes lanes) {
    int64_t count = VPU::countMet(pixels, op.getStrides()[1], op.getKernel()[1],
                                  /*dilation=*/1);
    SmallVector<Value> init(count, buildNeutral(kernel, lanes));
    SmallVector<Value> columns = kernel.reduce(
        kernel.builder.getIndexAttr(op.getKernel()[0]), init,
        [&](Value kh, ValueRange carried) {
          SmallVector<Value> values(carried);
          Value h = kernel.add(place.row, kernel.mul(kh, op.getDilations()[0]));
          for (int64_t c = 0; c < count; ++c) {
            Value x =
                kernel.loadFloats(op.getInput(),
                                  {place.image, place.block, h,
                                   kernel.add(place.column, c), place.channel},
                                  lanes, op.getInputQuantAttr());
            values[c] = combine(kernel, values[c], x);
          }
          return values;
        },
        /*rolled=*/true);
    SmallVector<Value> results;
    for (int64_t p = 0; p < pixels; ++p) {
      ArrayRef<Value> own =
          ArrayRef(columns).slice(p * op.getStrides()[1], op.getKernel()[1]);
      Value result = own.front();
      for (Value column : own.drop_front()) {
        result = combine(kernel, result, column);
      }
      results.push_back(result);
    }
    return results;
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
    Place place = {image, block, kernel.mul(row, op.getStrides()[0]),
                   kernel.mul(column, op.getStrides()[1]), channel};
    SmallVector<Value> results =
        VPU::reducesColumnsFirst(op.getKernel(), op.getStrides(),
                                 op.getDilations(), pixels)
            ? reduceColumns(op, kernel, place, pixels, lanes)
            : reduceWindows(op, kernel, window, place, pixels, lanes);
    Value shares = getShares(op);
    Value share = isMax || shares ? Value() : buildShare(kernel, window, lanes);
    for (int64_t p = 0; p < pixels; ++p) {
      Value result = results[p], at = kernel.add(column, p);
      Value own = shares ? loadShare(kernel, shares, row, at, lanes) : share;
      if (own) {
        result = arith::MulFOp::create(builder, kernel.loc, result, own);
      }
      kernel.storeResult(op.getPpe(), result, op.getInit(),
                         {image, block, row, at, channel}, lanes);
    }
  }
};

} // namespace

void nacre::populatePoolingKernels(RewritePatternSet &patterns) {
  patterns
      .add<PoolKernel<VPU::NCEMaxPoolOp>, PoolKernel<VPU::NCEAveragePoolOp>>(
          patterns.getContext());
}
