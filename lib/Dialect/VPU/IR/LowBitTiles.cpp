//===- LowBitTiles.cpp - Weights of few bits on a matrix unit -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives all sizes from those that the strategy has.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/LowBitTiles.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

LowBitTiles LowBitTiles::get(NCEMatMulNBitsOp op, LowBitTileAttr tile,
                             MatrixUnitAttr unit) {
  LowBitTiles tiles;
  // A bf16 is one of its parts.
  bool areParts = shapedType(op.getLhs()).getElementType().isBF16();
  tiles.parts = areParts ? 1 : static_cast<int64_t>(op.getRowParts());
  tiles.rows = unit.getRows();
  tiles.lanes = op.getPanelWidth();
  tiles.stepWords = tile.getStepWords();
  tiles.stepPairs = tiles.stepWords * op.getPerWord() / kPair;
  tiles.steps = tile.getPieceWords() / tiles.stepWords;
  tiles.piecesPerBlock = op.getWeightsShape()[2] / tile.getPieceWords();
  tiles.numPieces = op.getWeightsShape()[1] * tiles.piecesPerBlock;
  tiles.rowTiles = tile.getRowTiles();
  tiles.panels = tile.getPanels();
  tiles.sumsRows =
      op.getZeroPoint() &&
      isa<FloatType>(shapedType(op.getZeroPoint()).getElementType());
  tiles.chunkPieces = tile.getPieces();
  return tiles;
}
