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
