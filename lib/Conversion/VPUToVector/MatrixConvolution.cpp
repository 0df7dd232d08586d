//===- MatrixConvolution.cpp - Convolution by a matrix unit ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of pixels times tiles of output channels, read where they lie, or from
// copies in which blocks of channels or rows of a window lie beside each other.
//
//===----------------------------------------------------------------------===//

#include "MatrixConvolution.h"
#include "MatrixTile.h"
#include "PackedWindow.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

namespace {

class MatrixConvolutionEmitter {
public:
  MatrixConvolutionEmitter(KernelBuilder &kernel, const Convolution &conv)
      : kernel(kernel), conv(conv) {}

  /// The outputs of a group from the block `firstBlock` on.
  void emit(Value group, Value firstBlock);

private:
  /// Takes all rows of the image as one, with what lies between those of the
  /// padded input.
  void joinRows(MatrixContraction &contraction);
  /// The same contraction of copies, in which blocks of channels lie beside
  /// each other.
  void reducePackedWindow(MatrixContraction &contraction, PackedWindow &window,
                          Value firstInputBlock);
  /// The same for rows of the window.
  void reducePackedRows(MatrixContraction &contraction, PackedRows &rows,
                        Value inputBlock);

  KernelBuilder &kernel;
  const Convolution &conv;
};

} // namespace

void MatrixConvolutionEmitter::joinRows(MatrixContraction &contraction) {
  ArrayRef<int64_t> out = getShape(conv.epilogue.output);
  int64_t pitch = getShape(conv.input)[3];
  int64_t pixels = (out[2] - 1) * pitch + out[3];
  contraction.rows = kernel.builder.getIndexAttr(1);
  contraction.columns = kernel.builder.getIndexAttr(pixels);
  contraction.pitch = pitch;
  contraction.validColumns = out[3];
}

void MatrixConvolutionEmitter::reducePackedWindow(
    MatrixContraction &contraction, PackedWindow &window,
    Value firstInputBlock) {
  const VPU::WindowStrip &strip = *conv.strip;
  // The pixel of the padded input, its rows as one, that a result's window
  // starts at.
  auto locate = [&](Value row, Value column) {
    return kernel.add(kernel.mul(row, conv.strideH * strip.pitch),
                      kernel.mul(column, conv.strideW));
  };
  bool prefetchesNext = contraction.prefetchesNext;
  contraction.prefetchesNext = false;
  contraction.leftStride = window.getPixelStride(conv.strideW);
  contraction.rightStride = window.getWeightsStride();
  contraction.packPixels = [&, locate, firstInputBlock](Value image, Value row,
                                                        Value column) {
    window.packPixels(image, firstInputBlock, locate(row, column));
  };
  contraction.packWeights = [&, prefetchesNext](Value vector, int64_t vectors) {
    window.packWeights(vector, vectors, prefetchesNext);
  };
  MatrixReduction &part = contraction.parts.emplace_back();
  part.depth = strip.getDepth();
  part.steps =
      kernel.extents({strip.sets, strip.windowRows, strip.windowColumns});
  part.left = [&, locate](Value, Value row, Value column, ValueRange k) {
    Value tap = kernel.add(kernel.mul(k[1], conv.dilationH * strip.pitch),
                           kernel.mul(k[2], conv.dilationW));
    return window.pixel(k[0], kernel.add(locate(row, column), tap));
  };
  part.right = [&](Value, Value vector, ValueRange k) {
    return window.weights(vector, k);
  };
}

void MatrixConvolutionEmitter::reducePackedRows(MatrixContraction &contraction,
                                                PackedRows &rows,
                                                Value inputBlock) {
  const VPU::RowStrip &strip = *conv.rowStrip;
  contraction.prefetchesNext = false;
  contraction.leftStride = rows.getColumnStride();
  contraction.rightStride = rows.getWeightsStride();
  contraction.packPixels = [&, inputBlock](Value image, Value row, Value) {
    rows.packRows(image, inputBlock, kernel.mul(row, conv.strideH));
  };
  contraction.packWeights = [&](Value vector, int64_t vectors) {
    rows.packWeights(vector, vectors);
  };
  MatrixReduction &part = contraction.parts.emplace_back();
  part.depth = strip.getDepth();
  part.steps = kernel.extents({strip.getSteps()});
  part.left = [&](Value, Value row, Value column, ValueRange k) {
    Value first = kernel.add(kernel.mul(row, conv.strideH),
                             kernel.mul(k[0], strip.together));
    return rows.row(first, column);
  };
  part.right = [&](Value, Value vector, ValueRange k) {
    return rows.weights(vector, k[0]);
  };
}

void MatrixConvolutionEmitter::emit(Value group, Value firstBlock) {
  ArrayRef<int64_t> weights = getShape(conv.weights);
  RowPointer input(kernel, conv.input), filter(kernel, conv.weights);
  MatrixContraction contraction;
  contraction.epilogue = conv.epilogue;
  contraction.lanes = kernel.fullLanes();
  contraction.images = kernel.getSize(conv.epilogue.output, 0);
  contraction.rows = kernel.getSize(conv.epilogue.output, 2);
  contraction.columns = kernel.getSize(conv.epilogue.output, 3);
  VPU::MatrixTilesAttr tiles = conv.strategy.getMatrixTiles();
  if (tiles.getJoinRows()) {
    joinRows(contraction);
  }
  contraction.stripTiles = tiles.getStripTiles();
  contraction.pixelsFirst = tiles.getPixelsFirst();
  contraction.streamRight = tiles.getStreamRight();
  contraction.leftStride = input.getStride(3, conv.strideW);
  contraction.rightStride = filter.getStride(4);
  Value firstInputBlock = kernel.mul(group, weights[1]);
  int64_t pieces = tiles.getPieces();
  // `count` blocks from `first` on, of which so many packs of channels hold
  // data.
  auto reduce = [&](int64_t first, int64_t count, int64_t packs, bool joins) {
    int64_t length = packs * (joins ? weights[3] : 1);
    int64_t depth = kernel.machine.matrixUnit.getDepth(length);
    MatrixReduction &part = contraction.parts.emplace_back();
    part.depth = depth;
    // Input block, kernel row, kernel column, tile.
    part.steps = kernel.extents(
        {count, weights[2], joins ? 1 : weights[3], length / depth});
    part.left = [&, first, depth](Value image, Value row, Value column,
                                  ValueRange k) {
      Value h = kernel.add(kernel.mul(row, conv.strideH),
                           kernel.mul(k[1], conv.dilationH));
      Value w = kernel.add(kernel.mul(column, conv.strideW),
                           kernel.mul(k[2], conv.dilationW));
      Value block = kernel.add(firstInputBlock, kernel.add(k[0], first));
      return input.at(
          {image, block, h, w, kernel.mul(k[3], depth * conv.pack)});
    };
    part.right = [&, first, depth](Value, Value block, ValueRange k) {
      return filter.at({block, kernel.add(k[0], first), k[1], k[2],
                        kernel.mul(k[3], depth)});
    };
  };
  contraction.channel = [&](Value block) -> SmallVector<Value> {
    return {block, kernel.index(0)};
  };
  contraction.pixel = [&](Value image, Value row, Value column,
                          Value block) -> SmallVector<Value> {
    return {image, block, row, column, kernel.index(0)};
  };
  contraction.prefetchesNext = conv.strategy.getPrefetchWeights();
  if (conv.strip || conv.rowStrip) {
    OpBuilder &b = kernel.builder;
    // The copies are here.
    Value stack = LLVM::StackSaveOp::create(
        b, kernel.loc, LLVM::LLVMPointerType::get(b.getContext()));
    std::optional<PackedWindow> blocks;
    std::optional<PackedRows> rows;
    if (conv.strip) {
      blocks.emplace(kernel, conv.input, conv.weights, *conv.strip);
      reducePackedWindow(contraction, *blocks, firstInputBlock);
    } else {
      rows.emplace(kernel, conv.input, conv.weights, *conv.rowStrip,
                   conv.strideW);
      reducePackedRows(contraction, *rows, firstInputBlock);
    }
    buildMatrixContraction(kernel, contraction, firstBlock,
                           b.getIndexAttr(conv.vectors.whole));
    LLVM::StackRestoreOp::create(b, kernel.loc, stack);
    return;
  }
  int64_t packs = llvm::divideCeilSigned(conv.channels, conv.pack);
  int64_t fullBlocks = packs / weights[4];
  if (pieces > 1) {
    MatrixReduction &part = contraction.parts.emplace_back();
    part.depth = pieces * weights[4];
    part.pieces = pieces;
    part.pieceStride = input.getStride(1);
    part.steps = kernel.extents({fullBlocks / pieces});
    part.left = [&, pieces](Value image, Value row, Value column,
                            ValueRange k) {
      return input.at(
          {image, kernel.add(firstInputBlock, kernel.mul(k[0], pieces)),
           kernel.mul(row, conv.strideH), kernel.mul(column, conv.strideW)});
    };
    part.right = [&, pieces](Value, Value block, ValueRange k) {
      return filter.at({block, kernel.mul(k[0], pieces)});
    };
    fullBlocks = packs = 0;
  }
  if (fullBlocks > 0) {
    // Pixels that follow each other in the window may do so in memory.
    auto strides =
        cast<MemRefType>(conv.input.getType()).getStridesAndOffset().first;
    reduce(0, fullBlocks, weights[4],
           conv.dilationW == 1 && strides[3] == getShape(conv.input)[4] &&
               isContiguous(conv.weights, 3, 5));
  }
  if (int64_t rest = packs % weights[4]) {
    reduce(fullBlocks, 1, rest, /*joins=*/false);
  }
  buildMatrixContraction(kernel, contraction, firstBlock,
                         kernel.builder.getIndexAttr(conv.vectors.whole));
}

void nacre::emitMatrixConvolution(KernelBuilder &kernel,
                                  const Convolution &conv, Value group,
                                  Value block) {
  MatrixConvolutionEmitter(kernel, conv).emit(group, block);
}
