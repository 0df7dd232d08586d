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
/// beside each other, `stripBytes` for a pair of tiles.
bool savesByPieces(int64_t pieces, int64_t vectors, int64_t stripBytes);

/// Estimated cycles to copy the pixels, or rows, of a strip and, for it, the
/// weights of so many vectors. A core's cache has `cacheBytes`.
int64_t estimateCopies(const WindowStrip &strip, int64_t vectors,
                       int64_t cacheBytes);
int64_t estimateCopies(const RowStrip &strip, int64_t vectors);

/// True where copies of so many cycles had better be made, as they save
/// products of so many.
bool savesByCopies(int64_t productCycles, int64_t copyCycles);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_MATRIXTILECOST_H
