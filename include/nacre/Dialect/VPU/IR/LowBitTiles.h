//===- LowBitTiles.h - Weights of few bits on a matrix unit -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a matrix unit multiplies many rows by weights of few bits, and where the
// scratch memory of VPU.NCE.MatMulNBits has what for that.
//
// Integers of up to eight bits, less their zero point, are bf16 numbers, and
// each element of a row is the sum of some such: of three, and none of its bits
// lost, unless the model asks for less. Their products are summed in tiles for
// a piece of a block, then scaled and added to totals of f32.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_LOWBITTILES_H
#define NACRE_DIALECT_VPU_IR_LOWBITTILES_H

#include "nacre/Dialect/VPU/IR/VPUOps.h"

namespace nacre::VPU {

struct LowBitTiles {
  /// What follows from a tile that fits `op` and the matrix unit that it fits.
  static LowBitTiles get(NCEMatMulNBitsOp op, LowBitTileAttr tile,
                         MatrixUnitAttr unit);

  /// Two tiles of rows are multiplied by two panels at a time.
  static constexpr int64_t kPair = 2, kTilesOfPair = kPair * kPair;

  /// The bf16 numbers, of eight bits each, that an element of a row is the sum
  /// of.
  int64_t parts;

  /// Words of weights, and pairs of elements in them, that a tile has.
  int64_t stepWords, stepPairs;
  /// Tiles of weights that a piece of a block has, and pieces of a block.
  int64_t steps, piecesPerBlock;
  /// All pieces, and those for which rows are split at a time.
  int64_t numPieces, chunkPieces;
  /// At a time: tiles of rows, and panels.
  int64_t rowTiles, panels;
  /// Rows of a tile, and lanes of one of sums.
  int64_t rows, lanes;
  /// Where zero points are no integers, rows of each piece are summed, too.
  bool sumsRows;

  int64_t getPieceWords() const { return steps * stepWords; }
  int64_t getPieceElements() const { return kPair * steps * stepPairs; }
  int64_t getRows() const { return rowTiles * rows; }

  // What follows is counted in f32 numbers, of which a pair of bf16 numbers is
  // as large.
  int64_t getLeftTile() const { return rows * stepPairs; }
  int64_t getRightTile() const { return stepPairs * lanes; }
  int64_t getSumTile() const { return rows * lanes; }
  /// Where each region starts: rows as tiles, weights as tiles, sums, totals
  /// with a set to which nothing is added, sums of rows.
  int64_t getLeftStart() const { return 0; }
  int64_t getRightStart() const {
    return getLeftStart() +
           chunkPieces * steps * rowTiles * parts * getLeftTile();
  }
  int64_t getSumsStart() const {
    return getRightStart() + panels * steps * getRightTile();
  }
  int64_t getTotalsStart() const {
    return getSumsStart() + kTilesOfPair * getSumTile();
  }
  int64_t getUnusedTotals() const {
    return getTotalsStart() + rowTiles * panels * getSumTile();
  }
  int64_t getRowSumsStart() const {
    return getUnusedTotals() + kTilesOfPair * getSumTile();
  }
  int64_t getElements() const {
    return getRowSumsStart() + (sumsRows ? chunkPieces * rowTiles * rows : 0);
  }
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_LOWBITTILES_H
