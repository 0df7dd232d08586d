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

// What follows was measured on a Xeon with AMX, kernels of several
// `--strategies` against each other (those of `bench_onednn.py --more=32`),
// while it was quiet and while others used its cores' second threads. These
// take turns in the matrix unit: products took 1.5 to 4 times as long then, and
// copies not much longer than else. A core may have such a neighbour or none.

bool VPU::savesByPieces(int64_t pieces, int64_t vectors, int64_t stripBytes,
                        bool isSquare) {
  // Each vector of channels saves products of rows that are not full. To copy a
  // piece takes as long as so many halves of such a product: more where the
  // copies push tiles out of the first cache, or pixels are copied one by one.
  constexpr int64_t kNear = 3, kDistant = 7, kNearPixels = 8,
                    kDistantPixels = 20;
  bool isNear = stripBytes <= kNearBytes;
  int64_t halves = isSquare ? (isNear ? kNear : kDistant)
                            : (isNear ? kNearPixels : kDistantPixels);
  return 2 * (pieces - 1) * vectors > pieces * halves;
}

void WindowCopies::take(const WindowStrip &strip) {
  strips = strip.strips;
  steps = strip.getSteps();
  words = steps * strip.getDepth();
  int64_t imageBytes =
      strip.sets * strip.getDepth() * kTileWordBytes * strip.imagePixels;
  // Half as long again as the store of a piece takes, and twice that from a
  // distant cache.
  int64_t halves = imageBytes <= cacheBytes ? 3 : 6;
  stripCycles = strip.sets * strip.pieces * strip.pixels * halves / 2;
}

void WindowCopies::take(const RowStrip &strip) {
  constexpr int64_t kRow = 2;
  strips = strip.strips;
  steps = strip.getSteps();
  words = steps * strip.getDepth();
  stripCycles = strip.together * strip.rows * strip.columns * kRow;
}

bool WindowCopies::pay(int64_t otherSteps, int64_t stepCycles) const {
  // A word of all lanes, from the second cache or from further away. Weights
  // that do not stay there had better be read once.
  constexpr int64_t kNearWord = 2, kDistantWord = 6;
  int64_t bytes = vectors * words * kCacheLineBytes;
  bool areNear = !weightsAreDistant && bytes <= cacheBytes;
  if (!areNear && strips > 1) {
    return false;
  }
  int64_t copies =
      strips *
      (stripCycles + vectors * words * (areNear ? kNearWord : kDistantWord));
  // With a neighbour that takes turns, products take half as long again at the
  // least. Without one, the kernel may lose a tenth.
  int64_t saved = (otherSteps - steps) * stepCycles;
  return 2 * copies < 3 * saved &&
         copies < saved + otherSteps * stepCycles / 10;
}
