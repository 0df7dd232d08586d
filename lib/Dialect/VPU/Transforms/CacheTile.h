//===- CacheTile.h - Tiles that a CPU's cache holds -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tile of an op uses, with what is computed along with it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_CACHETILE_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_CACHETILE_H

#include "TilingUtils.h"

namespace nacre::VPU {

/// The bytes that a tile may use besides its weights: the cache. Every tile
/// reads all weights, so where these exceed the cache by far, so may the tile.
/// Of weights that are split into `parts`, it reads one.
int64_t getTileBudget(NCEOpInterface op, ArchAttr arch, int64_t parts = 1);

/// Bytes that a tile of `op` uses besides weights, with those of as many rows
/// of `producer`, if given, and of what `widening`, if given, computes at a
/// time for that one or for `op`; nothing when the op cannot be tiled so.
std::optional<int64_t> getTileBytes(NCEOpInterface op, NCEOpInterface producer,
                                    NCEConvolutionOp widening,
                                    llvm::ArrayRef<int64_t> tile);

/// The bytes of a tile of rows whose number is computed at run time: some
/// whatever the number, and some for each row.
struct RowBytes {
  int64_t fixed, perRow;
};

/// Those of `op`, with `producer`, if given, and kTypicalSize for dynamic
/// sizes; nothing when the op cannot be tiled so.
std::optional<RowBytes> getRowBytes(NCEOpInterface op, NCEOpInterface producer);

/// The part of `producer` that a part of `op` of this shape needs.
llvm::SmallVector<int64_t> getProducerPart(NCEOpInterface op,
                                           NCEOpInterface producer,
                                           llvm::ArrayRef<int64_t> part);

/// How an op is computed tile by tile.
struct CacheTile {
  llvm::SmallVector<int64_t> shape;
  /// How many blocks at a time of the block producer of the depthwise
  /// convolution among the ops of a tile; zero where it is not worth computing
  /// it for each tile.
  int64_t wideningBlocks;
};

/// For a part of `op` of this shape, with `producer` and `widening`, if given:
/// so many rows that they fit the cache, or the fewest; nothing where these are
/// too few for a register tile.
std::optional<CacheTile> chooseCacheTile(NCEOpInterface op,
                                         NCEOpInterface producer,
                                         NCEConvolutionOp widening,
                                         llvm::ArrayRef<int64_t> shape,
                                         ArchAttr arch);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_CACHETILE_H
