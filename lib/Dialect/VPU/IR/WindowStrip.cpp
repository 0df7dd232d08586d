//===- WindowStrip.cpp - Copies for windows on a matrix unit --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/WindowStrip.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

bool VPU::hasWindow(NCEConvolutionOp op) {
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  return weights[2] > 1 || weights[3] > 1;
}

int64_t VPU::countTilesOfRow(NCEConvolutionOp op, MatrixTilesAttr tiles,
                             MatrixUnitAttr unit) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  int64_t columns = out[3];
  if (tiles.getJoinRows()) {
    columns += (out[2] - 1) * getShape(op.getInput())[3];
  }
  return llvm::divideCeilSigned(columns, unit.getRows());
}

WindowStrip WindowStrip::get(NCEConvolutionOp op, MatrixTilesAttr tiles,
                             MatrixUnitAttr unit) {
  ArrayRef<int64_t> in = getShape(op.getInput());
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  ArrayRef<int64_t> out = op.getInitType().getShape();
  WindowStrip strip;
  strip.pieces = tiles.getPieces();
  strip.sets = weights[1] / strip.pieces;
  strip.blockWords = weights[4];
  strip.windowRows = weights[2];
  strip.windowColumns = weights[3];
  strip.pitch = in[3];
  strip.imagePixels = in[2] * in[3];
  int64_t tilesOfRow = countTilesOfRow(op, tiles, unit);
  int64_t windowPixels = (weights[2] - 1) * op.getDilations()[0] * strip.pitch +
                         (weights[3] - 1) * op.getDilations()[1];
  // Of rows as one, whose stride is 1, so many columns; else whole rows.
  int64_t rows = tiles.getJoinRows() ? 1 : out[2];
  int64_t length = tiles.getStripTiles();
  int64_t outputs =
      tiles.getJoinRows()
          ? length * unit.getRows()
          : (length / tilesOfRow - 1) * op.getStrides()[0] * strip.pitch +
                (out[3] - 1) * op.getStrides()[1] + 1;
  strip.pixels = std::min(outputs + windowPixels, strip.imagePixels);
  strip.strips = llvm::divideCeilSigned(rows * tilesOfRow, length);
  return strip;
}

int64_t WindowStrip::getPixelBytes(MatrixUnitAttr unit) const {
  return sets * pixels * unit.getRowBytes();
}

int64_t WindowStrip::getVectorBytes(MatrixUnitAttr unit) const {
  return getSteps() * getDepth() * unit.getRowBytes();
}

int64_t WindowStrip::getBytes(MatrixUnitAttr unit) const {
  return getPixelBytes(unit) + kTileVectors * getVectorBytes(unit);
}

RowStrip RowStrip::get(NCEConvolutionOp op, MatrixTilesAttr tiles,
                       MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  ArrayRef<int64_t> out = op.getInitType().getShape();
  RowStrip strip;
  strip.windowRows = weights[2];
  strip.together = tiles.getWindowRows();
  strip.rowWords = weights[3] * weights[4];
  strip.inputRows = getShape(op.getInput())[2];
  int64_t stride = op.getStrides()[0];
  strip.rowStep = std::gcd(stride, strip.together);
  strip.columns = out[3];
  int64_t length = tiles.getStripTiles() / countTilesOfRow(op, tiles, unit);
  strip.rows =
      ((length - 1) * stride + (strip.getSteps() - 1) * strip.together) /
          strip.rowStep +
      1;
  strip.strips = llvm::divideCeilSigned(out[2], length);
  return strip;
}

int64_t RowStrip::getSteps() const {
  return llvm::divideCeilSigned(windowRows, together);
}

int64_t RowStrip::getBytes(MatrixUnitAttr unit) const {
  return unit.getRowBytes() *
         (rows * columns + kTileVectors * getSteps() * getDepth());
}
