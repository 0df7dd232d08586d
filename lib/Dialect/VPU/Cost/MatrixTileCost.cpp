//===- MatrixTileCost.cpp - What tiles of a matrix unit take --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of products and loads of tiles.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t VPU::estimateMatrixStep(int64_t tiles, int64_t pixels,
                                int64_t rightBytes) {
  // Measured: a product takes a cycle for each row of the left tile, and no
  // less than for half of the most rows. A right tile comes from the first
  // cache at two rows a cycle, and from the second at little more than half a
  // row.
  constexpr int64_t kLeastRows = 8, kNearLoad = 8, kDistantLoad = 28;
  int64_t load = rightBytes > kFirstCacheBytes ? kDistantLoad : kNearLoad;
  return llvm::divideCeilSigned(tiles, kPixelTiles) *
         std::max(kPixelTiles * kTileVectors * std::max(pixels, kLeastRows),
                  kTileVectors * load);
}

int64_t VPU::getPackedBytes(MatrixUnitAttr unit, int64_t steps, int64_t tiles) {
  return tiles * steps * unit.getRows() * unit.getRowBytes();
}

// What follows was measured on a Xeon with AMX, kernel against kernel, while it
// was quiet and while others used its cores' second threads. These take turns
// in the matrix unit: products took 1.5 to 4 times as long then, and copies not
// much longer than else. A core may have such a neighbour or none, so a choice
// between products and copies is one that loses a tenth at most without one.

bool VPU::savesByPieces(int64_t pieces, int64_t vectors, int64_t stripBytes) {
  // Each vector of channels saves products of rows that are not full. To copy a
  // piece takes as long as so many halves of such a product, more where the
  // copies push tiles out of the first cache.
  constexpr int64_t kNear = 3, kDistant = 7;
  return 2 * (pieces - 1) * vectors >
         pieces * (stripBytes <= kNearBytes ? kNear : kDistant);
}

bool VPU::savesByCopies(int64_t productCycles, int64_t copyCycles) {
  return 3 * productCycles > 2 * copyCycles;
}

// A word of all lanes, which comes from the second cache at best; a piece of a
// pixel, half as long again as a store takes, and twice that from a distant
// cache; a row of a window.
static constexpr int64_t kWordCycles = 3, kRowCycles = 2;
static int64_t estimatePieces(int64_t count, bool isNear) {
  return count * (isNear ? 3 : 6) / 2;
}

int64_t VPU::estimateCopies(const WindowStrip &strip, int64_t vectors,
                            int64_t cacheBytes) {
  int64_t imageBytes =
      strip.groups * strip.getDepth() * kTileWordBytes * strip.imagePixels;
  return estimatePieces(strip.groups * strip.pieces * strip.pixels,
                        imageBytes <= cacheBytes) +
         vectors * strip.getSteps() * strip.getDepth() * kWordCycles;
}

int64_t VPU::estimateCopies(const RowStrip &strip, int64_t vectors) {
  return strip.together * strip.rows * strip.columns * kRowCycles +
         vectors * strip.getSteps() * strip.getDepth() * kWordCycles;
}
