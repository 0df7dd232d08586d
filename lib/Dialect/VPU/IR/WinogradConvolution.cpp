//===- WinogradConvolution.cpp - The tiles of Winograd's algorithm --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a tile, and where their values lie in scratch memory.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

ArrayRef<double> NCEWinogradConvolutionOp::getSignedPoints(int64_t tileSize) {
  // Products of points stay near 1. With 1 and 2, the usual points, the errors
  // of rounded tiles and weights are twice as large.
  static constexpr double four[] = {2.0 / 3, 3.0 / 2}, two[] = {1.0};
  switch (tileSize) {
  case 2:
    return two;
  case 4:
    return four;
  default:
    return {};
  }
}

// One vector more than the values need: the points of a tile must not all fall
// into one set of the cache.
static int64_t getPitch(int64_t blocks, int64_t tiles, int64_t width) {
  return (blocks * tiles + 1) * width;
}

int64_t NCEWinogradConvolutionOp::getInputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[2], tiles, weights[3] * getPack());
}

int64_t NCEWinogradConvolutionOp::getOutputPitch(int64_t tiles) {
  ArrayRef<int64_t> weights = shapedType(getWeights()).getShape();
  return getPitch(weights[1], tiles, weights[4]);
}

int64_t NCEWinogradConvolutionOp::getScratchBytes(int64_t tiles) {
  int64_t inputBits = shapedType(getWeights()).getElementTypeBitWidth();
  return getNumPoints() * (getInputPitch(tiles) * inputBits / 8 +
                           getOutputPitch(tiles) * int64_t(sizeof(float)));
}

/// `size` and what is left over of an extent that is cut into pieces of it.
static SmallVector<int64_t> getPieces(int64_t extent, int64_t size) {
  SmallVector<int64_t> pieces;
  for (int64_t piece : {extent >= size ? size : 0, extent % size}) {
    if (piece > 0) {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

SmallVector<int64_t> NCEWinogradConvolutionOp::getTilesOfChunks() {
  if (isOpen()) {
    return {getTilesPerGroup()};
  }
  ArrayRef<int64_t> out = getInitType().getShape(), chunk = getChunk();
  int64_t rows = llvm::divideCeilSigned(out[2], getTileSize());
  // Chunks of rows that need not be clamped, and one of the others.
  int64_t whole = out[2] / getTileSize() / chunk[0] * chunk[0];
  SmallVector<int64_t> rowSizes;
  if (whole > 0) {
    rowSizes.push_back(chunk[0]);
  }
  if (rows > whole) {
    rowSizes.push_back(rows - whole);
  }
  llvm::SmallSetVector<int64_t, 4> sizes;
  int64_t columns = llvm::divideCeilSigned(out[3], getTileSize());
  for (int64_t row : rowSizes) {
    for (int64_t column : getPieces(columns, chunk[1])) {
      sizes.insert(row * column);
    }
  }
  return sizes.takeVector();
}
