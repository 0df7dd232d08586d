//===- RegisterTileChooser.cpp - The best register tile -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries all tiles that fit.
//
//===----------------------------------------------------------------------===//

#include "RegisterTileChooser.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

TileSize VPU::chooseRegisterTile(const ContractionShape &shape,
                                 VectorRegisters registers) {
  constexpr int64_t kMostVectors = 8;
  bool isKnown = !ShapedType::isDynamic(shape.columns);
  int64_t columns = isKnown ? shape.columns : registers.count;
  int64_t rows = ShapedType::isDynamic(shape.rows) ? kMostTileRows : shape.rows;
  int64_t vectors = std::min(shape.vectors, kMostVectors);
  // What a larger tile must gain: on a tie the smaller is better, whose code is
  // shorter. Of unknown columns, each tile brings others for what it leaves
  // over, which is less where it is small.
  double enough = isKnown ? 0.999 : 0.98;
  TileSize best{1, 1, shape.leastVectors};
  double bestTime = std::numeric_limits<double>::max();
  for (int64_t v = shape.leastVectors; v <= vectors; ++v) {
    for (int64_t c = 1; c <= columns && c * v < registers.count; ++c) {
      for (int64_t r = 1; r <= std::min(rows, kMostTileRows); ++r) {
        // Rows are only worth joining where one row is a whole tile.
        if (r > 1 && (!isKnown || c < columns)) {
          break;
        }
        TileSize tile{r, c, v};
        if (!fitsRegisters(tile, shape.isFused, registers.count)) {
          break;
        }
        double time = estimateTiles(tile, shape, registers.bytes);
        if (time < bestTime * enough) {
          best = tile;
          bestTime = time;
        }
      }
    }
  }
  return best;
}
