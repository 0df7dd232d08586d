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
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

namespace nacre::VPU {

/// Tiles of pixels, and vectors of channels, that are multiplied at a time.
constexpr int64_t kPixelTiles = 2, kTileVectors = 2;

/// A tile's elements are summed in words.
constexpr int64_t kTileWordBytes = 4;

/// Estimated cycles of a step for two vectors and all left tiles, of so many
/// pixels each. The vectors' right tiles of all steps are `rightBytes`.
int64_t estimateMatrixStep(int64_t tiles, int64_t pixels, int64_t rightBytes);

/// The bytes of left tiles of so many steps, one beside the other.
int64_t getPackedBytes(MatrixUnitAttr unit, int64_t steps, int64_t tiles);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_COST_MATRIXTILECOST_H
