//===- WinogradChunk.h - Tiles that are worked on together ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tiles of an image Winograd's algorithm transforms, multiplies and
// transforms back at a time, and where their values lie in the scratch.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_WINOGRADCHUNK_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_WINOGRADCHUNK_H

#include "RegisterTile.h"

namespace nacre {

/// One tile: its place in the scratch, its first output and how many it has.
struct WinogradTile {
  mlir::Value group;
  mlir::Value number; // in the group
  mlir::Value image;
  mlir::Value row;
  mlir::Value column;
  int64_t rows;
  int64_t columns;
  /// The last row or column of an image that tiles may reach beyond, which is
  /// then taken again; null where no tile does.
  mlir::Value lastRow = {};
  mlir::Value lastColumn = {};

  bool isClamped() const { return lastRow || lastColumn; }
};

/// A part of a chunk that a register tile multiplies: `count` tiles from
/// `first` on, the `turn`-th time that the same weights are read.
struct WinogradStrip {
  mlir::Value group;
  mlir::Value first; // in the group
  int64_t count;
  mlir::Value turn;
  bool isRemainder = false;
};

class WinogradChunk {
public:
  virtual ~WinogradChunk() = default;

  /// Calls visit(block, tile) for each tile, block after block.
  virtual void
  forEachTile(KernelBuilder &kernel, int64_t blocks,
              llvm::function_ref<void(mlir::Value, const WinogradTile &)> visit)
      const = 0;

  /// The tiles of a group, which lie next to each other.
  virtual int64_t getTilesPerGroup() const = 0;

  /// Turns in which strips read the same weights; more may follow.
  virtual int64_t getTurns(const RegisterTile &tile) const = 0;

  /// Cuts the chunk into strips for a register tile of so many columns.
  virtual void
  forEachStrip(KernelBuilder &kernel, const RegisterTile &tile,
               llvm::function_ref<void(const WinogradStrip &)> body) const = 0;
};

/// Cuts the images of `op` into chunks that its scratch holds.
void forEachWinogradChunk(KernelBuilder &kernel,
                          VPU::NCEWinogradConvolutionOp op,
                          llvm::function_ref<void(const WinogradChunk &)> body);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_WINOGRADCHUNK_H
