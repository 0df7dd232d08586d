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

RegisterTile VPU::chooseRegisterTile(const ContractionShape &shape,
                                     VectorRegisters registers) {
  bool isKnown = !ShapedType::isDynamic(shape.columns);
  int64_t columns = isKnown ? shape.columns : registers.count;
  int64_t rows = ShapedType::isDynamic(shape.rows) ? kMostTileRows : shape.rows;
  int64_t vectors = std::min(shape.vectors, kMostTileVectors);
  // What a larger tile must gain: on a tie the smaller is better, whose code is
  // shorter. Of unknown columns, each tile brings others for what it leaves
  // over, which is less where it is small.
  double enough = isKnown ? 0.999 : 0.98;
  RegisterTile best{1, 1, shape.leastVectors};
  double bestTime = std::numeric_limits<double>::max();
  for (int64_t v = shape.leastVectors; v <= vectors; v += shape.leastVectors) {
    for (int64_t c = 1; c <= columns && c * v < registers.count; ++c) {
      for (int64_t r = 1; r <= std::min(rows, kMostTileRows); ++r) {
        // Rows are only worth joining where one row is a whole tile.
        if (r > 1 && (!isKnown || c < columns)) {
          break;
        }
        RegisterTile tile{r, c, v};
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

int64_t VPU::chooseStagedColumns(int64_t columns, int64_t rows, int64_t inUse,
                                 int64_t registers) {
  // Registers for what a row's transform computes on the way.
  constexpr int64_t kSpare = 8;
  int64_t held =
      std::clamp<int64_t>((registers - kSpare - inUse) / rows, 0, columns);
  int64_t staged = columns - held;
  // They are stored in a loop, and one of one step is none: its columns are in
  // registers after all.
  return staged == 1 ? std::min<int64_t>(2, columns) : staged;
}
