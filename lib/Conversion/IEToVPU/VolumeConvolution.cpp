//===- VolumeConvolution.cpp - Volumes that are images in one step --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of volumes that one convolution of images computes, where those
// do not come from the engine, whose order of images all others go on with: the
// images that a window meets are channels, too, or single elements are taken as
// they lie. A strategy says where that had better be done.
//
//===----------------------------------------------------------------------===//

#include "Volume.h"
#include "Weights.h"

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

using namespace mlir;
using namespace nacre;

/// Weights in another shape, which are constants where they were.
static Value buildReshapedWeights(OpBuilder &builder, Location loc,
                                  Value weights, ArrayRef<int64_t> shape) {
  return ConstantFloats(weights)
             ? buildConstantView(builder, loc, weights, shape)
             : buildReshape(builder, loc, weights, shape);
}

/// The convolution of `images` by the weights of `op` in the shape of a kernel
/// of rows and columns; its window is that of `op` without depth.
static Value buildImageConvolution(PatternRewriter &rewriter, IE::ConvOp op,
                                   Value images, const IE::Window &window) {
  Location loc = op.getLoc();
  int64_t group = op.getGroup();
  auto type = cast<RankedTensorType>(images.getType());
  auto weightsType = cast<RankedTensorType>(op.getWeights().getType());
  Value weights = buildReshapedWeights(rewriter, loc, op.getWeights(),
                                       {weightsType.getDimSize(0),
                                        type.getDimSize(1) / group,
                                        window.kernel[0], window.kernel[1]});
  SmallVector<int64_t> pads(window.padsBegin);
  llvm::append_range(pads, window.padsEnd);
  auto numbers = [&](ArrayRef<int64_t> values) {
    return rewriter.getDenseI64ArrayAttr(values);
  };
  return IE::ConvOp::create(rewriter, loc, images, weights, op.getBias(),
                            rewriter.getStringAttr("NOTSET"),
                            numbers(window.dilations), op.getGroupAttr(),
                            /*kernel_shape=*/DenseI64ArrayAttr(), numbers(pads),
                            numbers(window.strides));
}

/// What both patterns ask for: a volume in ONNX's order, of which the engine
/// computes the convolution.
static std::optional<IE::Window> getForeignWindow(VPU::ArchAttr arch,
                                                  IE::ConvOp op) {
  RankedTensorType type = getImageType(arch, op.getInput());
  bool isVolume = type && type.getRank() == 5 &&
                  getImageType(arch, op.getOutput()) &&
                  !getBlockedImage(op.getInput()) &&
                  canPack(arch, op.getWeights(), op.getBias());
  FailureOr<IE::Window> window = op.getWindow();
  auto isNegative = [](int64_t pad) { return pad < 0; };
  if (!isVolume || failed(window) ||
      llvm::any_of(window->padsBegin, isNegative) ||
      llvm::any_of(window->padsEnd, isNegative)) {
    return std::nullopt;
  }
  return *window;
}

namespace {

/// The images that windows over depth meet, as channels: those of channel c are
/// next to each other, as their weights are.
struct DepthAsChannels final : VPUPattern<IE::ConvOp> {
  DepthAsChannels(VPU::ArchAttr arch, MLIRContext *context)
      : VPUPattern(arch, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<IE::Window> window = getForeignWindow(arch, op);
    if (!window) {
      return rewriter.notifyMatchFailure(
          op, "needs a volume that does not come from the engine");
    }
    auto type = cast<RankedTensorType>(op.getInput().getType());
    Depth depth = Depth::take(*window);
    if (VPU::getAlgorithm(op) != VPU::Algorithm::atOnce ||
        type.getDimSize(0) * depth.kernel > kMaxVolumeOps) {
      return rewriter.notifyMatchFailure(
          op, "takes images of a window in turn, or has too many volumes");
    }
    Location loc = op.getLoc();
    Value images = forEachVolume(
        rewriter, loc, buildVolumeImages(rewriter, loc, op.getInput()),
        type.getDimSize(0), [&](Value volume) {
          return buildStacked(rewriter, loc, depth,
                              buildPaddedVolume(rewriter, loc, volume,
                                                depth.padsBegin,
                                                depth.padsEnd));
        });
    Value result = buildImageConvolution(rewriter, op, images, *window);
    // The layout in which the engine computes it.
    int64_t outputs = cast<RankedTensorType>(result.getType()).getDimSize(1);
    BlockedLayout layout{arch.getBlockSize(outputs, type.getElementType())};
    replaceByImage(rewriter, op,
                   {buildBlocked(rewriter, loc, result, layout), layout},
                   outputs);
    return success();
  }

private:
  /// (D, C, H, W) as (OD, C * KD, H, W).
  static Value buildStacked(OpBuilder &builder, Location loc,
                            const Depth &depth, Value volume) {
    auto type = cast<RankedTensorType>(volume.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[0] = depth.output;
    SmallVector<int64_t> shape(sizes), offsets(4, 0), strides(4, 1);
    shape[1] *= depth.kernel;
    strides[1] = depth.kernel;
    auto get = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(builder.getContext(), values);
    };
    Value stacked = buildEmpty(builder, loc, shape, type.getElementType());
    for (int64_t k = 0; k < depth.kernel; ++k) {
      offsets[1] = k;
      stacked = tensor::InsertSliceOp::create(
          builder, loc, depth.buildTap(builder, loc, volume, k), stacked,
          get(offsets), get(sizes), get(strides));
    }
    return stacked;
  }
};

/// Single elements where they lie: depth and rows are rows.
struct DepthAsRows final : VPUPattern<IE::ConvOp> {
  DepthAsRows(VPU::ArchAttr arch, MLIRContext *context)
      : VPUPattern(arch, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(IE::ConvOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<IE::Window> window = getForeignWindow(arch, op);
    if (!window || VPU::getAlgorithm(op) != VPU::Algorithm::rowMajor) {
      return rewriter.notifyMatchFailure(
          op, "needs single elements, decided to be taken as they lie, of a "
              "volume that does not come from the engine");
    }
    Depth::take(*window);
    const SmallVector<ReassociationIndices> rows = {{0}, {1}, {2, 3}, {4}};
    Location loc = op.getLoc();
    Value images =
        tensor::CollapseShapeOp::create(rewriter, loc, op.getInput(), rows);
    Value result = buildImageConvolution(rewriter, op, images, *window);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op.getOutput().getType(), result, rows);
    return success();
  }
};

} // namespace

void nacre::populateVolumeToVPUPatterns(VPU::ArchAttr arch,
                                        RewritePatternSet &patterns) {
  patterns.add<DepthAsChannels, DepthAsRows>(arch, patterns.getContext());
}
