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
RegisterTile chooseRegisterTile(const ContractionShape &shape,
                                VectorRegisters registers);

/// How many of a tile's `columns`, which Winograd's algorithm has transformed,
/// wait in memory for a row's transform: those for whose `rows` elements each
/// there are no registers beside the `inUse` that all rows need.
int64_t chooseStagedColumns(int64_t columns, int64_t rows, int64_t inUse,
                            int64_t registers);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_REGISTERTILECHOOSER_H
