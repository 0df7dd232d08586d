//===- MatrixTileCost.h - What tiles of a matrix unit take ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates of kernels on a unit that multiplies two tiles of pixels by two
// vectors of channels at a time.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_COST_MATRIXTILECOST_H
#define NACRE_DIALECT_VPU_COST_MATRIXTILECOST_H

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/WindowStrip.h"

namespace nacre::VPU {

/// Estimated cycles of a step for two vectors and all left tiles, of so many
/// pixels each. The vectors' right tiles of all steps are `rightBytes`.
int64_t estimateMatrixStep(int64_t tiles, int64_t pixels, int64_t rightBytes);

/// The bytes of left tiles of so many steps, one beside the other.
int64_t getPackedBytes(MatrixUnitAttr unit, int64_t steps, int64_t tiles);

/// True where a pointwise convolution to so many vectors saves more by rows of
/// left tiles that hold several blocks of channels than it takes to copy these
/// beside each other, `stripBytes` for a pair of tiles. A square of as many
/// pixels as pieces is copied at a time, or one pixel.
bool savesByPieces(int64_t pieces, int64_t vectors, int64_t stripBytes,
                   bool isSquare);

/// What a convolution with a window copies, and whether that pays.
struct WindowCopies {
  /// Vectors of channels, the bytes of a core's cache, and whether weights come
  /// from further away whatever they take of it.
  int64_t vectors = 0, cacheBytes = 0;
  bool weightsAreDistant = false;

  void take(const WindowStrip &strip);
  void take(const RowStrip &strip);

  /// How often pixels and weights are copied, the cycles for the pixels of a
  /// strip, and the tiles of a reduction and words of a vector's weights.
  int64_t strips = 0, stripCycles = 0, steps = 0, words = 0;

  /// True where the copies had better be made: without them there are so many
  /// steps, of so many cycles each for all pixels.
  bool pay(int64_t otherSteps, int64_t stepCycles) const;
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_MATRIXTILECOST_H
