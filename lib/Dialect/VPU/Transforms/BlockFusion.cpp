//===- BlockFusion.cpp - Channels computed as they are needed -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The widened image, by far the largest of the three, never exists as a whole:
// a few of its channels do, in the cache.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The copy that pads the input of `op`; null when there is none.
static CopyOp getPadding(NCEDepthConvolutionOp op) {
  CopyOp copy = getFusableCopy(op.getInput());
  bool pads = copy && !copy.getFill() &&
              copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc);
  return pads ? copy : CopyOp();
}

NCEConvolutionOp VPU::getBlockProducer(NCEOpInterface op) {
  auto depthwise = dyn_cast<NCEDepthConvolutionOp>(op.getOperation());
  CopyOp padding = depthwise ? getPadding(depthwise) : CopyOp();
  if (!padding) {
    return {};
  }
  Value source = padding.getSource();
  if (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
      slice && slice->hasOneUse()) {
    source = slice.getSource();
  }
  auto producer = source.getDefiningOp<NCEConvolutionOp>();
  bool isForIt = producer && producer->hasOneUse() && producer.isPointwise() &&
                 producer.getGroups() == 1;
  // One that reads rows of another depthwise convolution is computed with that.
  isForIt =
      isForIt && !getRowProducer(cast<NCEOpInterface>(producer.getOperation()));
  bool isStatic = isForIt && producer.getInitType().hasStaticShape();
  return isStatic && producer.getInitType().getElementType() ==
                         padding.getInitType().getElementType()
             ? producer
             : NCEConvolutionOp();
}

/// How many tiles of `tileRows` rows `op` has, and how many rows of its input,
/// without padding, the one that needs the most of them needs.
static std::pair<int64_t, int64_t>
countRows(NCEDepthConvolutionOp op, int64_t inputRows, int64_t tileRows) {
  ArrayRef<int64_t> pads = getPadding(op).getPads();
  int64_t kernelRows =
      cast<ShapedType>(op.getWeights().getType()).getDimSize(1);
  int64_t stride = op.getStrides()[0];
  int64_t extent = (kernelRows - 1) * op.getDilations()[0] + 1;
  int64_t rows = (pads[0] + inputRows + pads[2] - extent) / stride + 1;
  int64_t most = 0;
  for (int64_t row = 0; row < rows; row += tileRows) {
    int64_t first = row * stride - pads[0];
    int64_t last =
        std::min(first + (tileRows - 1) * stride + extent, inputRows);
    most = std::max(most, last - std::max<int64_t>(first, 0));
  }
  return {rows / tileRows, most};
}

BlockFusion VPU::getBlockFusion(NCEOpInterface op, NCEConvolutionOp producer,
                                ArrayRef<int64_t> tile) {
  auto depthwise = cast<NCEDepthConvolutionOp>(op.getOperation());
  ShapedType wide = producer.getInitType();
  BlockFusion fusion;
  int64_t tiles;
  std::tie(tiles, fusion.rows) =
      countRows(depthwise, wide.getDimSize(2), tile[2]);
  fusion.recomputed = static_cast<double>(tiles * fusion.rows) /
                      static_cast<double>(wide.getDimSize(2));
  // Of fewer vectors of channels, a register tile would load each pixel for too
  // few multiplications.
  constexpr int64_t kFewestBlocks = 2;
  fusion.blocks = tile[1];
  for (int64_t size : getEvenTileSizes(tile[1], 1)) {
    if (size >= kFewestBlocks) {
      fusion.blocks = size;
    }
  }
  ArrayRef<int64_t> pads = getPadding(depthwise).getPads();
  int64_t pixels = (fusion.rows + pads[0] + pads[2]) *
                   (wide.getDimSize(3) + pads[1] + pads[3]);
  fusion.bytes = tile[0] * fusion.blocks * pixels * wide.getDimSize(4) *
                 wide.getElementTypeBitWidth() / 8;
  return fusion;
}

/// The offsets of what `padding` reads in the result that it is a part of.
static SmallVector<OpFoldResult> getSourceOffsets(OpBuilder &builder,
                                                  CopyOp padding) {
  AffineExpr sum = builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1);
  SmallVector<OpFoldResult> offsets(5, builder.getIndexAttr(0));
  Value source = padding.getSource();
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>()) {
    for (auto [offset, more] :
         llvm::zip_equal(offsets, slice.getMixedOffsets())) {
      offset = affine::makeComposedFoldedAffineApply(builder, slice.getLoc(),
                                                     sum, {offset, more});
    }
    source = slice.getSource();
  }
  return offsets;
}

/// Replaces `padding`, of a tile, by the part of `producer` that it pads: its
/// blocks, and `rows` rows, computed where they are padded already.
static LogicalResult fuseProducer(RewriterBase &rewriter, CopyOp padding,
                                  NCEConvolutionOp producer, int64_t rows) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(padding);
  Location loc = padding.getLoc();
  MLIRContext *context = rewriter.getContext();
  ArrayRef<int64_t> pads = padding.getPads();
  OpFoldResult row = rewriter.getIndexAttr(0);
  if (Value offset = padding.getRowOffset()) {
    row = offset;
  }
  // The first of the rows that there are, and from it on as many as the tile
  // with the most of them needs: all have one size.
  AffineExpr d0 = rewriter.getAffineDimExpr(0),
             d1 = rewriter.getAffineDimExpr(1);
  auto limit = [&](int64_t size) {
    return rewriter.getAffineConstantExpr(size);
  };
  OpFoldResult first = affine::makeComposedFoldedAffineMax(
      rewriter, loc, AffineMap::get(1, 0, {d0 - pads[0], limit(0)}, context),
      {row});
  SmallVector<int64_t> shape(padding.getSourceType().getShape());
  int64_t last = shape[2] - rows;
  first = affine::makeComposedFoldedAffineMin(
      rewriter, loc, AffineMap::get(1, 0, {d0, limit(last)}, context), {first});
  SmallVector<OpFoldResult> offsets = getSourceOffsets(rewriter, padding);
  offsets[2] = affine::makeComposedFoldedAffineApply(rewriter, loc, d0 + d1,
                                                     {offsets[2], first});
  shape[2] = rows;
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(context, shape);
  FailureOr<TilingResult> part =
      cast<TilingInterface>(producer.getOperation())
          .getTiledImplementation(rewriter, offsets, sizes);
  if (failed(part)) {
    return failure();
  }

  auto convolution = cast<NCEConvolutionOp>(part->tiledOps.front());
  rewriter.setInsertionPoint(convolution);
  shape[2] += pads[0] + pads[2];
  shape[3] += pads[1] + pads[3];
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape,
                                        padding.getInitType().getElementType());
  Value padded = computeInBorder(
      rewriter, cast<DestinationStyleOpInterface>(convolution.getOperation()),
      empty, sizes, pads, padding.getPadValue());
  SmallVector<OpFoldResult> ones(5, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> window(5, rewriter.getIndexAttr(0));
  window[2] = affine::makeComposedFoldedAffineApply(rewriter, loc, d0 - d1,
                                                    {row, first});
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      padding, padded, window,
      getAsIndexOpFoldResult(context, padding.getInitType().getShape()), ones);
  return success();
}

LogicalResult VPU::fuseBlocks(RewriterBase &rewriter, NCEOpInterface op,
                              NCEConvolutionOp producer, int64_t blocks) {
  SmallVector<int64_t> tile(getDestinationShape(op));
  int64_t rows = getBlockFusion(op, producer, tile).rows;
  FailureOr<NCEOpInterface> part = op;
  if (blocks < tile[1]) {
    tile[1] = blocks;
    part = tileAndFuse(rewriter, op, tile, scf::SCFTilingOptions());
  }
  return failed(part) ? failure()
                      : fuseProducer(rewriter,
                                     getPadding(cast<NCEDepthConvolutionOp>(
                                         part->getOperation())),
                                     producer, rows);
}
