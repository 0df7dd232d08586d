//===- GroupConvolution.cpp - Kernel of VPU.NCE.GroupConvolution ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector holds several groups of g channels, and each channel of the result
// needs all g of its group. Rather than bring them to its lane for every tap of
// the window, the vector is multiplied as it is, by g vectors of weights, and
// their sums are exchanged within groups once the window is through. Where the
// machine multiplies p elements at once for each lane, a pixel's packs of p
// channels fill a p-th of the lanes; repeated p times they fill all, and g/p
// vectors of weights are enough.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

/// The vector whose lane i is lane `i xor distance` of this one. A distance
/// that is a power of two takes one instruction and no register.
static Value exchangeLanes(KernelBuilder &kernel, Value vector,
                           int64_t distance) {
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < kernel.machine.lanes; ++i) {
    lanes.push_back(i ^ distance);
  }
  return vector::ShuffleOp::create(kernel.builder, kernel.loc, vector, vector,
                                   lanes);
}

/// The sum over d of sums[d], lanes exchanged over distance d.
static Value addExchanged(KernelBuilder &kernel, ArrayRef<Value> sums) {
  SmallVector<Value> left(sums);
  for (int64_t distance = 1; left.size() > 1; distance *= 2) {
    SmallVector<Value> next;
    for (size_t i = 0; i < left.size(); i += 2) {
      next.push_back(kernel.addVectors(
          left[i], exchangeLanes(kernel, left[i + 1], distance)));
    }
    left = std::move(next);
  }
  return left.front();
}

/// The packs of a pixel's channels, as often as they find room in the lanes.
static Value loadRepeated(KernelBuilder &kernel, Value memref,
                          ValueRange indices, int64_t pack) {
  OpBuilder &b = kernel.builder;
  int64_t lanes = kernel.machine.lanes;
  Type element = getElementType(memref);
  Type word = b.getIntegerType(pack * element.getIntOrFloatBitWidth());
  Value pixel = vector::LoadOp::create(
      b, kernel.loc, VectorType::get({lanes}, element), memref, indices);
  Value words = vector::BitCastOp::create(
      b, kernel.loc, VectorType::get({lanes / pack}, word), pixel);
  SmallVector<int64_t> from;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    from.push_back(lane % (lanes / pack));
  }
  words = vector::ShuffleOp::create(b, kernel.loc, words, words, from);
  return vector::BitCastOp::create(
      b, kernel.loc, VectorType::get({lanes * pack}, element), words);
}

namespace {

struct GroupConvolutionKernel final
    : OpRewritePattern<VPU::NCEGroupConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEGroupConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    if (kernel.machine.lanes % op.getGroupSize() != 0) {
      return rewriter.notifyMatchFailure(op, "needs vectors of whole groups");
    }
    SmallVector<OpFoldResult> out = kernel.getSizes(op.getInit());
    constexpr int64_t kPack = 2;
    bool isPair = op.getPack() == kPack &&
                  getElementType(op.getInput()).isBF16() &&
                  getConstantIntValue(out[4]) == kernel.machine.lanes;
    if (op.getPack() > 1 && !isPair) {
      return rewriter.notifyMatchFailure(
          op, "needs packs that are pairs of bf16 and fill a vector");
    }
    RegisterTile tile = getKernelStrategy(op).getRegisters().front().getTile();
    kernel.nest(ArrayRef(out).take_front(2), [&](ValueRange imageAndBlock) {
      kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
        forEachTile(kernel, out[2], out[3], tile,
                    [&](Value row, Value column, RegisterTile part) {
                      emitTile(op, kernel, imageAndBlock, row, column, channel,
                               part, lanes);
                    });
      });
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// For each lane the output channel that its sums are of, or for each channel
  /// the lane. Without packs, every channel has a lane of its own.
  static Value permute(VPU::NCEGroupConvolutionOp op, KernelBuilder &kernel,
                       Value vector, bool toLanes) {
    int64_t lanes = kernel.machine.lanes;
    SmallVector<int64_t> from(lanes);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t channel =
          op.getOutputChannel(lane, lanes, op.getNumExchanged(), op.getPack());
      from[toLanes ? lane : channel] = toLanes ? channel : lane;
    }
    return op.getPack() == 1
               ? vector
               : vector::ShuffleOp::create(kernel.builder, kernel.loc, vector,
                                           vector, from)
                     .getResult();
  }

  static void emitTile(VPU::NCEGroupConvolutionOp op, KernelBuilder &kernel,
                       ValueRange imageAndBlock, Value row, Value column,
                       Value channel, RegisterTile tile, Lanes lanes) {
    Value image = imageAndBlock[0], block = imageAndBlock[1];
    ArrayRef<int64_t> window = getShape(op.getWeights()).slice(1, 2);
    ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();
    // The bias is added to what is exchanged with nothing.
    SmallVector<Value> init(tile.getAccumulators(), kernel.splat(0, lanes));
    if (op.getBias()) {
      Value bias = kernel.loadFloats(op.getBias(), {block, channel}, lanes);
      bias = permute(op, kernel, bias, /*toLanes=*/true);
      for (int64_t i = 0; i < tile.getAccumulators(); i += tile.vectors) {
        init[i] = bias;
      }
    }
    int64_t pack = op.getPack();
    Value weights = pack > 1 ? collapse(kernel, op.getWeights(), 4, 5)
                             : Value(op.getWeights());
    Value firstRow = kernel.mul(row, strides[0]);
    Value firstColumn = kernel.mul(column, strides[1]);
    auto loadPixel = [&](int64_t r, int64_t c, ValueRange k) {
      Value h = kernel.add(kernel.add(firstRow, kernel.mul(k[0], dilations[0])),
                           r * strides[0]);
      Value w =
          kernel.add(kernel.add(firstColumn, kernel.mul(k[1], dilations[1])),
                     c * strides[1]);
      SmallVector<Value> at = {image, block, h, w, channel};
      return pack > 1 ? loadRepeated(kernel, op.getInput(), at, pack)
                      : kernel.loadFloats(op.getInput(), at, lanes);
    };
    auto loadWeights = [&](int64_t distance, ValueRange k) {
      SmallVector<Value> at = {block, k[0], k[1], kernel.index(distance),
                               channel};
      return pack > 1 ? kernel.loadRight(weights, at, pack, lanes)
                      : kernel.loadFloats(weights, at, lanes);
    };
    // A pixel's vector of channels is one step.
    SmallVector<Value> results = buildContraction(
        kernel, tile,
        {kernel.extents({window[0], window[1], 1}), loadPixel, loadWeights,
         /*isRolled=*/true},
        init);
    for (int64_t pixel = 0; pixel < tile.getPixels(); ++pixel) {
      SmallVector<Value> at = {
          image, block, kernel.add(row, pixel / tile.columns),
          kernel.add(column, pixel % tile.columns), channel};
      Value result = addExchanged(
          kernel, ArrayRef(results).slice(pixel * tile.vectors, tile.vectors));
      result = permute(op, kernel, result, /*toLanes=*/false);
      kernel.storeResult(op.getPpe(), result, op.getInit(), at, lanes,
                         op.getResidual());
    }
  }
};

} // namespace

void nacre::populateGroupConvolutionKernels(RewritePatternSet &patterns) {
  patterns.add<GroupConvolutionKernel>(patterns.getContext());
}
