//===- Convolution.cpp - Kernel of VPU.NCE.Convolution --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register tiles over pixels and output channels; MatrixConvolution.cpp has the
// tiles of a matrix unit. A 1×1 convolution of contiguous rows runs over one
// long row of pixels. Of a border of zeros, register tiles can leave out what
// is multiplied with it.
//
//===----------------------------------------------------------------------===//

#include "BufferedWeights.h"
#include "MatrixConvolution.h"
#include "RegisterTile.h"
#include "WeightSweep.h"
#include "WideRows.h"
#include "WindowTaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

/// A run of output-channel vectors within one group: `count` vectors from
/// channel block `block` on, or, when a block holds several vectors, within it.
struct ChannelRange {
  Value group;
  Value block;   // the first block
  Value channel; // the first channel in the block
  bool blockIsVector;
  Lanes lanes;
  std::optional<BufferedWeights> wide = {};
  std::optional<WideRows> wideRows = {};
};

/// The pixels of the input that a tile meets, row by row.
struct TileImage {
  int64_t rows, columns;
  int64_t getPixels() const { return rows * columns; }
};

class ConvolutionEmitter {
public:
  ConvolutionEmitter(KernelBuilder &kernel, const Convolution &conv)
      : kernel(kernel), conv(conv) {}

  void emit();

private:
  void emitVectors(ChannelRange channels, int64_t count);
  void emitTile(const ChannelRange &channels, RegisterTile tile, Value image,
                Value row, Value column);
  /// The taps along rows (0) or columns (1), less those that meet zeros where
  /// these are left out.
  WindowTaps getTaps(unsigned dim);
  /// The tiles of an image, those at its edges apart where taps are left out.
  void forEachTile(RegisterTile tile,
                   llvm::function_ref<void(Value, Value, RegisterTile)> body);
  TileImage getImage(RegisterTile tile) const;
  /// Widens the pixels of a tile's image from the position of one on.
  void widen(const WideRows &room, TileImage image, ArrayRef<Value> first);
  /// The weights of the range's v-th vector at a step of the reduction.
  Value loadWeights(const ChannelRange &channels, int64_t v, ValueRange step);
  /// How many steps of the reduction come before one.
  Value getLinearStep(ValueRange step);
  /// Asks for a share of the pixels behind a tile, which begins at `pixel`, as
  /// large a one with each step of a block of channels: of what lies side by
  /// side, or of pixels that are apart.
  void prefetchPixels(RegisterTile tile, ArrayRef<Value> pixel, Value step);
  /// The blocks behind the range's.
  WeightSweep sweepNext(const ChannelRange &channels, RegisterTile tile,
                        Value image, Value row, Value column);
  /// The block and channel of the range's v-th vector.
  std::pair<Value, Value> locate(const ChannelRange &channels, int64_t v);

  KernelBuilder &kernel;
  const Convolution &conv;
};

} // namespace

std::pair<Value, Value> ConvolutionEmitter::locate(const ChannelRange &channels,
                                                   int64_t v) {
  if (channels.blockIsVector) {
    return {kernel.add(channels.block, v), channels.channel};
  }
  return {channels.block,
          kernel.add(channels.channel, v * kernel.machine.lanes)};
}

void ConvolutionEmitter::emit() {
  int64_t blocksPerGroup = getShape(conv.epilogue.output)[1] / conv.groups;
  Lanes full = kernel.fullLanes();
  kernel.loop(conv.groups, [&](Value group) {
    Value firstBlock = kernel.mul(group, blocksPerGroup);
    if (conv.vectors.areBlocks) {
      ChannelRange channels{group, firstBlock, kernel.index(0), true, full};
      if (conv.strategy.getMatrixTiles()) {
        emitMatrixConvolution(kernel, conv, group, firstBlock);
      } else {
        emitVectors(channels, conv.vectors.whole);
      }
      return;
    }
    // Blocks of several vectors, the last possibly partly filled.
    kernel.loop(blocksPerGroup, [&](Value block) {
      Value current = kernel.add(firstBlock, block);
      int64_t lanes = kernel.machine.lanes, vectors = conv.vectors.whole;
      if (vectors > 0) {
        emitVectors({group, current, kernel.index(0), false, full}, vectors);
      }
      if (int64_t rest = conv.vectors.rest) {
        emitVectors({group, current, kernel.index(vectors * lanes), false,
                     Lanes{lanes, rest}},
                    1);
      }
    });
  });
}

void ConvolutionEmitter::emitVectors(ChannelRange channels, int64_t count) {
  // That of a vector which is partly filled is the last.
  ArrayRef<VPU::RegisterTileAttr> tiles = conv.strategy.getRegisters();
  VPU::RegisterTileAttr chosen =
      channels.lanes.isFull() ? tiles.front() : tiles.back();
  RegisterTile tile = chosen.getTile();
  std::optional<BufferedWeights> wide;
  if (chosen.getBufferWeights()) {
    wide.emplace(
        kernel, getShape(conv.weights).slice(1, 4), tile.vectors,
        VectorType::get({kernel.machine.lanes}, kernel.machine.floats));
  }
  std::optional<WideRows> wideRows;
  if (chosen.getWidenRows()) {
    ArrayRef<int64_t> weights = getShape(conv.weights);
    wideRows.emplace(kernel,
                     ArrayRef<int64_t>{weights[1], getImage(tile).getPixels(),
                                       weights[4] * conv.pack});
  }
  kernel.tiles(count, tile.vectors, [&](Value base, int64_t vectors) {
    ChannelRange current = channels;
    current.wide = wide;
    current.wideRows = wideRows;
    if (channels.blockIsVector) {
      current.block = kernel.add(channels.block, base);
    } else {
      current.channel =
          kernel.add(channels.channel, kernel.mul(base, kernel.machine.lanes));
    }
    if (wide) {
      wide->fill(vectors, [&](int64_t v, ValueRange k) {
        return loadWeights(current, v, k);
      });
    }
    kernel.loop(kernel.getSize(conv.epilogue.output, 0), [&](Value image) {
      forEachTile({tile.rows, tile.columns, vectors},
                  [&](Value row, Value column, RegisterTile part) {
                    emitTile(current, part, image, row, column);
                  });
    });
  });
  if (wideRows) {
    wideRows->release();
  }
  if (wide) {
    wide->release();
  }
}

TileImage ConvolutionEmitter::getImage(RegisterTile tile) const {
  ArrayRef<int64_t> window = getShape(conv.weights).slice(2, 2);
  return {VPU::countMet(tile.rows, conv.strideH, window[0], conv.dilationH),
          VPU::countMet(tile.columns, conv.strideW, window[1], conv.dilationW)};
}

void ConvolutionEmitter::widen(const WideRows &room, TileImage image,
                               ArrayRef<Value> first) {
  // Each pixel is code.
  constexpr int64_t kUnrolled = 8;
  kernel.loop(getShape(conv.weights)[1], [&](Value block) {
    kernel.loop(image.rows, [&](Value row) {
      Value place = kernel.mul(row, image.columns);
      kernel.tiles(image.columns, kUnrolled, [&](Value column, int64_t count) {
        SmallVector<Value> from(first);
        from[1] = kernel.add(from[1], block);
        from[2] = kernel.add(from[2], row);
        from[3] = kernel.add(from[3], column);
        room.fill(conv.input, from, {block, kernel.add(place, column)}, count);
      });
    });
  });
}

WindowTaps ConvolutionEmitter::getTaps(unsigned dim) {
  int64_t taps = getShape(conv.weights)[2 + dim];
  constexpr VPU::BorderDims kDims[] = {VPU::BorderDims::rows,
                                       VPU::BorderDims::columns};
  if (!bitEnumContainsAll(conv.strategy.getSkipBorder(), kDims[dim])) {
    return {kernel, taps};
  }
  return {kernel,
          taps,
          dim == 0 ? conv.strideH : conv.strideW,
          dim == 0 ? conv.dilationH : conv.dilationW,
          kernel.getSize(conv.input, 2 + dim),
          conv.zeroBorder[dim],
          conv.zeroBorder[2 + dim]};
}

void ConvolutionEmitter::forEachTile(
    RegisterTile tile,
    llvm::function_ref<void(Value, Value, RegisterTile)> body) {
  OpFoldResult rows = kernel.getSize(conv.epilogue.output, 2);
  OpFoldResult columns = kernel.getSize(conv.epilogue.output, 3);
  if (conv.strategy.getSkipBorder() == VPU::BorderDims::none ||
      !getConstantIntValue(columns)) {
    nacre::forEachTile(kernel, rows, columns, tile, body);
    return;
  }
  getTaps(0).tiles(rows, tile.rows, [&](Value row, int64_t tileRows) {
    getTaps(1).tiles(columns, tile.columns,
                     [&](Value column, int64_t tileColumns) {
                       body(row, column, {tileRows, tileColumns, tile.vectors});
                     });
  });
}

Value ConvolutionEmitter::loadWeights(const ChannelRange &channels, int64_t v,
                                      ValueRange step) {
  auto [block, channel] = locate(channels, v);
  return kernel.loadRight(conv.weights,
                          {block, step[0], step[1], step[2], step[3], channel},
                          conv.pack, channels.lanes);
}

Value ConvolutionEmitter::getLinearStep(ValueRange step) {
  ArrayRef<int64_t> extents = getShape(conv.weights).slice(1, 4);
  Value linear = step.front();
  for (auto [extent, index] :
       llvm::zip_equal(extents.drop_front(), step.drop_front())) {
    linear = kernel.add(kernel.mul(linear, extent), index);
  }
  return linear;
}

WeightSweep ConvolutionEmitter::sweepNext(const ChannelRange &channels,
                                          RegisterTile tile, Value image,
                                          Value row, Value column) {
  auto mul = [&](Value x, Value y) {
    return kernel.builder.createOrFold<arith::MulIOp>(kernel.loc, x, y);
  };
  auto getSize = [&](unsigned dim) {
    return kernel.index(kernel.getSize(conv.epilogue.output, dim));
  };
  Value columns = getSize(3), pixels = mul(getSize(2), columns);
  // Pixels of tiles before, some rows of which are computed at a time.
  Value before = kernel.add(kernel.add(mul(image, pixels), mul(row, columns)),
                            kernel.mul(column, tile.rows));
  ArrayRef<int64_t> weights = getShape(conv.weights);
  SmallVector<Value> begin(weights.size(), kernel.index(0));
  begin.front() = kernel.add(channels.block, tile.vectors);
  WeightRun next{conv.weights, begin,
                 ShapedType::getNumElements(weights.slice(1, 4)),
                 weights.back(), tile.vectors};
  return WeightSweep(kernel, next,
                     {before, mul(getSize(0), pixels), tile.getPixels()});
}

void ConvolutionEmitter::prefetchPixels(RegisterTile tile,
                                        ArrayRef<Value> pixel, Value step) {
  int64_t perLine = VPU::kCacheLineBytes /
                    llvm::divideCeilSigned(
                        getElementType(conv.input).getIntOrFloatBitWidth(), 8);
  int64_t steps = getShape(conv.weights)[4];
  bool areApart = conv.strideW > 1;
  int64_t share = areApart ? llvm::divideCeilSigned(tile.columns, steps)
                           : tile.columns * conv.pack;
  Value behind = kernel.add(pixel[3], tile.columns * conv.strideW);
  Value begin = kernel.mul(step, share);
  SmallVector<Value> next(pixel);
  for (int64_t row = 0; row < tile.rows; ++row) {
    next[2] = kernel.add(pixel[2], row * conv.strideH);
    for (int64_t first = 0; first < share; first += areApart ? 1 : perLine) {
      Value place = kernel.add(begin, first);
      next[3] = areApart ? kernel.add(behind, kernel.mul(place, conv.strideW))
                         : behind;
      next[4] = areApart ? kernel.index(0) : place;
      kernel.prefetch(conv.input, next, /*cache=*/1);
    }
  }
}

void ConvolutionEmitter::emitTile(const ChannelRange &channels,
                                  RegisterTile tile, Value image, Value row,
                                  Value column) {
  ArrayRef<int64_t> weights = getShape(conv.weights);
  Lanes lanes = channels.lanes;
  std::optional<WeightSweep> sweep;
  if (conv.strategy.getPrefetchWeights()) {
    sweep = sweepNext(channels, tile, image, row, column);
  }
  SmallVector<Value> init;
  for (int64_t pixel = 0; pixel < tile.getPixels(); ++pixel) {
    for (int64_t v = 0; v < tile.vectors; ++v) {
      if (pixel > 0) {
        init.push_back(init[v]);
      } else {
        auto [block, channel] = locate(channels, v);
        init.push_back(
            conv.epilogue.loadStart(kernel, {block, channel}, lanes));
      }
    }
  }
  Value firstInputBlock = kernel.mul(channels.group, weights[1]);
  Value inputRow = kernel.mul(row, conv.strideH);
  Value inputColumn = kernel.mul(column, conv.strideW);
  SmallVector<TapRange> rowTaps = getTaps(0).getRanges(row, tile.rows);
  SmallVector<TapRange> columnTaps = getTaps(1).getRanges(column, tile.columns);
  // Tiles that are left over may meet more pixels than there is room for.
  TileImage met = getImage(tile);
  bool isWide =
      channels.wideRows && met.getPixels() <= channels.wideRows->getShape()[1];
  if (isWide) {
    widen(*channels.wideRows, met,
          {image, firstInputBlock, inputRow, inputColumn, kernel.index(0)});
  }
  // Reduction indices: input block, kernel row, kernel column, input channel.
  SmallVector<Value> results = std::move(init);
  auto reduceBlocks = [&](int64_t first, int64_t count, int64_t channelCount) {
    auto loadPixel = [&](int64_t r, int64_t c, ValueRange k) {
      if (isWide) {
        Value h =
            kernel.add(kernel.mul(k[1], conv.dilationH), r * conv.strideH);
        Value w =
            kernel.add(kernel.mul(k[2], conv.dilationW), c * conv.strideW);
        return channels.wideRows->load(
            {kernel.add(k[0], first),
             kernel.add(kernel.mul(h, met.columns), w)},
            k[3], conv.pack);
      }
      Value h =
          kernel.add(kernel.add(inputRow, kernel.mul(k[1], conv.dilationH)),
                     r * conv.strideH);
      Value w =
          kernel.add(kernel.add(inputColumn, kernel.mul(k[2], conv.dilationW)),
                     c * conv.strideW);
      Value block = kernel.add(firstInputBlock, kernel.add(k[0], first));
      return kernel.loadLeft(conv.input,
                             {image, block, h, w, kernel.mul(k[3], conv.pack)},
                             conv.pack);
    };
    auto loadWeights = [&](int64_t v, ValueRange k) {
      SmallVector<Value> step = {kernel.add(k[0], first), k[1], k[2], k[3]};
      if (v == 0 && sweep) {
        sweep->prefetch(getLinearStep(step));
      }
      if (v == 0 && conv.strategy.getPrefetchPixels()) {
        Value block = kernel.add(firstInputBlock, step.front());
        prefetchPixels(tile, {image, block, inputRow, inputColumn, Value()},
                       step.back());
      }
      return channels.wide ? channels.wide->load(v, step)
                           : this->loadWeights(channels, v, step);
    };
    results = buildWindowContraction(kernel, tile,
                                     {rowTaps, columnTaps, count, channelCount},
                                     {loadPixel, loadWeights}, results);
  };
  // Steps of `pack` channels each.
  int64_t width = weights[4];
  int64_t steps = llvm::divideCeilSigned(conv.channels, conv.pack);
  int64_t fullBlocks = steps / width;
  if (fullBlocks > 0) {
    reduceBlocks(0, fullBlocks, width);
  }
  if (int64_t rest = steps % width) {
    reduceBlocks(fullBlocks, 1, rest);
  }
  SmallVector<Epilogue::Factors> factors;
  for (int64_t v = 0; v < tile.vectors; ++v) {
    auto [block, channel] = locate(channels, v);
    factors.push_back(
        conv.epilogue.loadFactors(kernel, {block, channel}, lanes));
  }
  unsigned position = 0;
  for (int64_t r = 0; r < tile.rows; ++r) {
    for (int64_t c = 0; c < tile.columns; ++c) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        auto [block, channel] = locate(channels, v);
        SmallVector<Value> at = {image, block, kernel.add(row, r),
                                 kernel.add(column, c), channel};
        conv.epilogue.store(kernel, results[position++], factors[v], at, lanes);
      }
    }
  }
}

namespace {

struct ConvolutionKernel final : OpRewritePattern<VPU::NCEConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    Convolution conv{op.getInput(),
                     op.getWeights(),
                     Epilogue::get(op, getElementType(op.getInput())),
                     op.getStrides()[0],
                     op.getStrides()[1],
                     op.getDilations()[0],
                     op.getDilations()[1],
                     static_cast<int64_t>(op.getGroups()),
                     getInputChannels(op),
                     op.getPack(),
                     op.getZeroBorder().value_or(ArrayRef<int64_t>()),
                     getKernelStrategy(op),
                     VPU::getChannelVectors(op, kernel.machine.lanes),
                     /*strip=*/std::nullopt,
                     /*rowStrip=*/std::nullopt};
    if (conv.pack > 1) {
      conv.weights = collapse(kernel, conv.weights, 5, 6);
    }
    VPU::MatrixTilesAttr tiles = conv.strategy.getMatrixTiles();
    if (tiles && tiles.getPieces() > 1 && VPU::hasWindow(op)) {
      conv.strip = VPU::WindowStrip::get(op, tiles, kernel.machine.matrixUnit);
    }
    if (tiles && tiles.getWindowRows() > 0) {
      conv.rowStrip = VPU::RowStrip::get(op, tiles, kernel.machine.matrixUnit);
    }
    mergeRows(op, kernel, conv);
    ConvolutionEmitter(kernel, conv).emit();
    rewriter.eraseOp(op);
    return success();
  }

private:
  static int64_t getInputChannels(VPU::NCEConvolutionOp op) {
    ArrayRef<int64_t> weights = getShape(op.getWeights());
    return op.getInputChannels().value_or(weights[1] * op.getInputBlockSize());
  }

  /// Lets a pointwise convolution run over one long row where rows follow each
  /// other: known here, or found out at run time.
  static void mergeRows(VPU::NCEConvolutionOp op, KernelBuilder &kernel,
                        Convolution &conv) {
    SmallVector<Value *> images = {&conv.input, &conv.epilogue.output};
    if (conv.epilogue.residual) {
      images.push_back(&conv.epilogue.residual);
    }
    switch (VPU::getRowMerging(op)) {
    case VPU::RowMerging::none:
      return;
    case VPU::RowMerging::always:
      for (Value *image : images) {
        *image =
            expandUnit(kernel, collapse(kernel, *image, 2, 3), /*position=*/2);
      }
      return;
    case VPU::RowMerging::atRunTime:
      mergeRowsAtRunTime(op, kernel, images);
    }
  }

  /// Each image as (N, CB, 1, H*W, c) in runs in which all of them can be that,
  /// else as it is.
  static void mergeRowsAtRunTime(VPU::NCEConvolutionOp op,
                                 KernelBuilder &kernel,
                                 ArrayRef<Value *> images) {
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    Value rows = kernel.index(kernel.getSize(op.getInit(), 2));
    Value columns = kernel.index(kernel.getSize(op.getInit(), 3));
    Value all = arith::MulIOp::create(b, loc, rows, columns);
    auto isEqual = [&](Value lhs, Value rhs) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
    };
    Value merges =
        isEqual(kernel.index(kernel.getSize(op.getInput(), 3)), columns);
    SmallVector<memref::ExtractStridedMetadataOp> parts;
    for (Value *image : images) {
      auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, *image);
      SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
      Value row =
          arith::MulIOp::create(b, loc, columns, kernel.index(strides[3]));
      merges = arith::AndIOp::create(b, loc, merges,
                                     isEqual(kernel.index(strides[2]), row));
      parts.push_back(metadata);
    }
    Value one = kernel.index(1);
    Value numRows = arith::SelectOp::create(b, loc, merges, one, rows);
    Value numColumns = arith::SelectOp::create(b, loc, merges, all, columns);
    for (auto [image, metadata] : llvm::zip_equal(images, parts)) {
      SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
      sizes[2] = numRows;
      sizes[3] = numColumns;
      *image = memref::ReinterpretCastOp::create(
          b, loc, metadata.getBaseBuffer(), metadata.getConstifiedMixedOffset(),
          sizes, metadata.getConstifiedMixedStrides());
    }
  }
};

} // namespace

void nacre::populateConvolutionKernels(RewritePatternSet &patterns) {
  patterns.add<ConvolutionKernel>(patterns.getContext());
}
