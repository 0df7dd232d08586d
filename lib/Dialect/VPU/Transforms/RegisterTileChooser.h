//===- RegisterTileChooser.h - The best register tile -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is chosen from numbers alone: no op, no attribute.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_REGISTERTILECHOOSER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_REGISTERTILECHOOSER_H

#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

namespace nacre::VPU {

/// The most rows of pixels in a tile.
constexpr int64_t kMostTileRows = 4;

/// The tile of least estimated time among those that fit the registers; one
/// pixel times the fewest vectors where none does.
TileSize chooseRegisterTile(const ContractionShape &shape,
                            VectorRegisters registers);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_REGISTERTILECHOOSER_H
