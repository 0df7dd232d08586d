//===- LowBitTiles.cpp - Weights of few bits on a matrix unit -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses sizes by what caches hold: tiles of weights and totals lie in the
// first, those of rows in the second.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/LowBitTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// The largest divisor of `value` that is at most `most`, at least 1.
static int64_t getDivisor(int64_t value, int64_t most) {
  int64_t divisor = std::max<int64_t>(std::min(value, most), 1);
  while (value % divisor != 0) {
    --divisor;
  }
  return divisor;
}

std::optional<LowBitTiles> LowBitTiles::get(NCEMatMulNBitsOp op,
                                            ArchAttr arch) {
  MatrixUnitAttr unit = arch.getMatrixUnit();
  Type part = BFloat16Type::get(op.getContext());
  constexpr int64_t kWordBytes = 4;
  int64_t rows = op.getInitType().getDimSize(1);
  bool areFew = !ShapedType::isDynamic(rows) && rows <= op.kFewRows;
  if (!unit || !unit.multiplies(part) || areFew ||
      unit.getRowBytes() != op.getPanelWidth() * kWordBytes) {
    return std::nullopt;
  }
  LowBitTiles tiles;
  // A bf16 is one of its parts.
  bool areParts =
      cast<ShapedType>(op.getLhs().getType()).getElementType().isBF16();
  tiles.parts = areParts ? 1 : static_cast<int64_t>(op.getRowParts());
  tiles.rows = unit.getRows();
  tiles.lanes = op.getPanelWidth();
  // Of longer blocks, pieces are scaled one by one.
  constexpr int64_t kPieceElements = 128;
  int64_t perWord = op.getPerWord(), words = op.getWeightsShape()[2];
  int64_t pieceWords = getDivisor(words, kPieceElements / perWord);
  int64_t pairs = std::min(unit.getRows(), unit.getRowBytes() / kWordBytes);
  tiles.stepWords = getDivisor(pieceWords, pairs * kPair / perWord);
  tiles.stepPairs = tiles.stepWords * perWord / kPair;
  tiles.steps = pieceWords / tiles.stepWords;
  tiles.piecesPerBlock = words / pieceWords;
  tiles.numPieces = op.getWeightsShape()[1] * tiles.piecesPerBlock;
  // Weights become bf16 once for so many rows. An even number of tiles has
  // them, the fewer rows each.
  constexpr int64_t kRowTiles = 4, kPanels = 4;
  tiles.rowTiles =
      ShapedType::isDynamic(rows)
          ? kRowTiles
          : std::min(kRowTiles,
                     kPair * llvm::divideCeilSigned(rows, kPair * tiles.rows));
  tiles.panels =
      std::min<int64_t>(kPanels, llvm::alignTo(op.getWeightsShape()[0], kPair));
  Type zeroPoint =
      op.getZeroPoint() ? shapedType(op.getZeroPoint()).getElementType() : part;
  tiles.sumsRows = op.getZeroPoint() && isa<FloatType>(zeroPoint);
  // Where rows take more than the cache, they are split for some pieces at a
  // time, and results are sums on their way: if they are f32.
  int64_t pieceBytes = tiles.steps * tiles.rowTiles * tiles.parts *
                       tiles.getLeftTile() * kWordBytes;
  int64_t chunks = 1;
  if (op.getInitType().getElementType().isF32()) {
    chunks = llvm::divideCeilSigned(tiles.numPieces * pieceBytes,
                                    std::max(arch.getCmxBytes(), pieceBytes));
  }
  tiles.chunkPieces = llvm::divideCeilSigned(tiles.numPieces, chunks);
  return tiles;
}
