//===- ShuffleChannels.cpp - Kernel of VPU.ShuffleChannels ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector of the destination is put together from the vectors of the source
// that have its lanes. What says which lanes is the same for all pixels.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace nacre;

namespace {

struct ShuffleChannelsKernel final : OpRewritePattern<VPU::ShuffleChannelsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::ShuffleChannelsOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    ArrayRef<int64_t> out = getShape(op.getInit());
    kernel.loop(out[0] / op.getPeriod(), [&](Value repeat) {
      for (int64_t vector = 0; vector < op.getPeriod() * out[1]; ++vector) {
        emitVector(op, kernel, repeat, vector);
      }
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// All pixels of a block of channels.
  static void emitVector(VPU::ShuffleChannelsOp op, KernelBuilder &kernel,
                         Value repeat, int64_t vector) {
    ArrayRef<int64_t> in = getShape(op.getSource()),
                      out = getShape(op.getInit());
    ArrayRef<int64_t> channels =
        op.getChannels().slice(vector * out[4], out[4]);
    llvm::SetVector<int64_t> parts; // vectors of the source
    for (int64_t channel : channels) {
      if (channel >= 0) {
        parts.insert(channel / in[4]);
      }
    }
    Value image =
        kernel.add(kernel.mul(repeat, op.getPeriod()), vector / out[1]);
    Value block = kernel.index(vector % out[1]);
    Lanes read{in[4], in[4]}, written{out[4], out[4]};
    SmallVector<OpFoldResult> pixels = {kernel.getSize(op.getInit(), 2),
                                        kernel.getSize(op.getInit(), 3)};
    // LLVM knows all shuffles of integers and of f32.
    Type type = getElementType(op.getInit());
    Type bits =
        type.isF32()
            ? type
            : kernel.builder.getIntegerType(type.getIntOrFloatBitWidth());
    auto castTo = [&](Type element, Value vector) -> Value {
      auto from = cast<VectorType>(vector.getType());
      return from.getElementType() == element
                 ? vector
                 : vector::BitCastOp::create(kernel.builder, kernel.loc,
                                             from.clone(element), vector);
    };
    kernel.nest(pixels, [&](ValueRange at) {
      Value result = castTo(bits, kernel.splat(0, written, type));
      for (int64_t source : parts) {
        Value from = kernel.add(kernel.mul(repeat, op.getSourcePeriod()),
                                source / in[1]);
        Value part =
            castTo(bits, kernel.load(op.getSource(),
                                     {from, kernel.index(source % in[1]), at[0],
                                      at[1], kernel.index(0)},
                                     read));
        SmallVector<int64_t> mask;
        for (auto [lane, channel] : llvm::enumerate(channels)) {
          bool isHere = channel >= 0 && channel / in[4] == source;
          mask.push_back(isHere ? out[4] + channel % in[4]
                                : static_cast<int64_t>(lane));
        }
        result = vector::ShuffleOp::create(kernel.builder, kernel.loc, result,
                                           part, mask);
      }
      kernel.store(castTo(type, result), op.getInit(),
                   {image, block, at[0], at[1], kernel.index(0)}, written);
    });
  }
};

} // namespace

void nacre::populateShuffleChannelsKernels(RewritePatternSet &patterns) {
  patterns.add<ShuffleChannelsKernel>(patterns.getContext());
}
