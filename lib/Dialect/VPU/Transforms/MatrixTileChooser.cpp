//===- MatrixTileChooser.cpp - Tiles of a matrix unit ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses what fills tiles, and what the first cache keeps.
//
//===----------------------------------------------------------------------===//

#include "MatrixTileChooser.h"

#include "KernelTiles.h"

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"
#include "nacre/Dialect/VPU/IR/Buffers.h"
#include "nacre/Dialect/VPU/IR/WindowStrip.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

bool VPU::usesMatrixTiles(Operation *op, ArchAttr arch) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NCEConvolutionOp, NCEMatMulOp>(
          [&](auto op) { return op.fitsMatrixUnit(arch); })
      .Default(false);
}

namespace {

/// A contraction on a matrix unit; sizes can be dynamic.
struct MatrixShape {
  /// Of pixels.
  int64_t rows, columns;
  /// Vectors of channels.
  int64_t vectors;
  /// Words of the reduction.
  int64_t depth;
  /// No element of the left operand is in two of its tiles.
  bool readsLeftOnce;
};

} // namespace

/// Packs of input channels.
static int64_t countPacks(NCEConvolutionOp op) {
  int64_t blocks = shapedType(op.getWeights()).getDimSize(1);
  auto channels = static_cast<int64_t>(
      op.getInputChannels().value_or(blocks * op.getInputBlockSize()));
  return llvm::divideCeilSigned(channels, op.getPack());
}

static MatrixShape getMatrixShape(NCEConvolutionOp op, ArchAttr /*arch*/) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  std::array<int64_t, 3> images = getKernelImages(op);
  int64_t window = weights[2] * weights[3];
  return {images[1], images[2],
          weights[0] / static_cast<int64_t>(op.getGroups()),
          window * countPacks(op), window == 1};
}

static MatrixShape getMatrixShape(NCEMatMulOp op, ArchAttr arch) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  return {1, out[1],
          ShapedType::isDynamic(out[2]) ? out[2] : out[2] / arch.getLanes(),
          shapedType(op.getRhs()).getDimSize(2), true};
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// True where blocks of channels can be copied: all are full, and numbers of
/// pixels are known.
static bool canPack(NCEConvolutionOp op) {
  auto type = shapedType(op.getWeights());
  ArrayRef<int64_t> weights = type.getShape();
  if (countPacks(op) != weights[1] * weights[4] || countPacks(op) == 0) {
    return false;
  }
  if (hasWindow(op)) {
    ShapedType in = shapedType(op.getInput());
    return in.hasStaticShape() && op.getInitType().hasStaticShape() &&
           op.getInitType().getNumElements() > 0 &&
           isContiguous(op.getInput(), 2, 4);
  }
  return llvm::none_of(getKernelImages(op), ShapedType::isDynamic) &&
         isContiguous(op.getWeights(), 1, type.getRank() - 1);
}

/// The most words of a row of a left tile, each of which meets a row of a right
/// one.
static int64_t getMostWords(MatrixUnitAttr unit) {
  return std::min(unit.getRows(), unit.getRowBytes() / kTileWordBytes);
}

/// As many blocks of channels as make a row of a left tile.
static int64_t getMostPieces(NCEConvolutionOp op, MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  int64_t depth = unit.getDepth(countPacks(op));
  int64_t pieces = std::max<int64_t>(depth / weights[4], 1);
  while (weights[1] % pieces != 0) {
    --pieces;
  }
  return pieces;
}

/// Of how many blocks of channels a pointwise convolution had better pack the
/// pixels of a left tile, so that its rows are full; 1 for none.
static int64_t choosePieces(NCEConvolutionOp op, MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  if (hasWindow(op) || !canPack(op)) {
    return 1;
  }
  int64_t pieces = getMostPieces(op, unit);
  int64_t stripBytes = getPackedBytes(unit, weights[1] / pieces, kPixelTiles);
  if (stripBytes > kMostStackBytes) {
    return 1;
  }
  int64_t vectors = weights[0] / static_cast<int64_t>(op.getGroups());
  // Else one pixel is copied after the other.
  bool isSquare = pieces * weights[4] == getMostWords(unit) &&
                  llvm::isPowerOf2_64(pieces) && op.getStrides()[1] == 1;
  return savesByPieces(pieces, vectors, stripBytes, isSquare) ? pieces : 1;
}

/// True where the pixels between rows of the padded input lie beside theirs,
/// and there are some.
static bool canJoinRows(NCEConvolutionOp op) {
  ShapedType in = shapedType(op.getInput()), out = op.getInitType();
  return getRowMerging(op) == RowMerging::none && in.hasStaticShape() &&
         out.hasStaticShape() && out.getNumElements() > 0 &&
         op.getStrides()[0] == 1 && op.getStrides()[1] == 1 &&
         isContiguous(op.getInput(), 2, 3);
}

/// True where all rows as one need fewer tiles.
static bool choosesJoinedRows(NCEConvolutionOp op, ArchAttr arch) {
  if (!canJoinRows(op)) {
    return false;
  }
  int64_t pitch = shapedType(op.getInput()).getDimSize(3);
  ArrayRef<int64_t> out = op.getInitType().getShape();
  int64_t pixels = (out[2] - 1) * pitch + out[3];
  int64_t rightBytes = kTileVectors * kTileWordBytes * arch.getLanes() *
                       ShapedType::getNumElements(
                           shapedType(op.getWeights()).getShape().slice(1, 4));
  // Rows of `columns` pixels, in even tiles.
  auto estimate = [&](int64_t rows, int64_t columns) {
    int64_t tiles =
        llvm::divideCeilSigned(columns, arch.getMatrixUnit().getRows());
    return estimateMatrixStep(
        rows * tiles, llvm::divideCeilSigned(columns, tiles), rightBytes);
  };
  return estimate(1, pixels) < estimate(out[2], out[3]);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Left tiles of all pixels; nothing where their number is dynamic.
static std::optional<int64_t> countTiles(const MatrixShape &shape,
                                         MatrixUnitAttr unit) {
  if (ShapedType::isDynamic(shape.rows) ||
      ShapedType::isDynamic(shape.columns)) {
    return std::nullopt;
  }
  return shape.rows * llvm::divideCeilSigned(shape.columns, unit.getRows());
}

// The left tiles of a pair take as many bytes as the right ones of two vectors.
// If one of both stays in the first cache and the other passes it by, it had
// better be the left one: results are written row by row then. But the operand
// that is read again and again had better be the smaller one, and pixels of a
// window are in many left tiles, of which the next ones find most.
static bool takesPixelsFirst(const MatrixShape &shape, bool prefetches,
                             ArchAttr arch) {
  std::optional<int64_t> tiles = countTiles(shape, arch.getMatrixUnit());
  if (!tiles || ShapedType::isDynamic(shape.vectors)) {
    return false;
  }
  int64_t bytes = shape.depth * arch.getLanes() * kTileWordBytes;
  return *tiles >= shape.vectors && shape.readsLeftOnce && !prefetches &&
         bytes * kTileVectors <= kFirstCacheBytes &&
         bytes * shape.vectors > kNearBytes &&
         bytes * shape.vectors <= arch.getCmxBytes();
}

/// How many left tiles are packed at a time.
static int64_t chooseStrip(int64_t tiles, int64_t steps, bool prefetches,
                           MatrixUnitAttr unit) {
  // Right tiles that come from memory had better be read once. A pair of left
  // ones always fits.
  int64_t bytes = prefetches ? kMostStackBytes : kNearBytes;
  int64_t most =
      std::max(bytes / getPackedBytes(unit, steps, /*tiles=*/1), kPixelTiles);
  int64_t strips = llvm::divideCeilSigned(tiles, most);
  // Of even length, and of whole pairs of tiles.
  return std::min(most,
                  static_cast<int64_t>(llvm::alignTo(
                      llvm::divideCeilSigned(tiles, strips), kPixelTiles)));
}

/// Tiles whose pixels, or other copies, are `stripTiles` at a time.
static MatrixTilesAttr getCopies(NCEConvolutionOp op, bool joinsRows,
                                 int64_t pieces, int64_t windowRows,
                                 int64_t stripTiles) {
  return MatrixTilesAttr::get(op->getContext(), joinsRows, pieces, windowRows,
                              stripTiles, /*pixelsFirst=*/false,
                              /*streamRight=*/false);
}

/// The bytes of the stack that the copies of a window take.
static int64_t getStripBytes(NCEConvolutionOp op, MatrixTilesAttr tiles,
                             MatrixUnitAttr unit) {
  return tiles.getWindowRows() > 0
             ? RowStrip::get(op, tiles, unit).getBytes(unit)
             : WindowStrip::get(op, tiles, unit).getBytes(unit);
}

/// Tiles with so many pieces or rows of a window, as many as possible at a time
/// of those whose copies fit on the stack, in strips of even length; nothing if
/// not even the fewest do. Strips are of whole rows, unless these are one, and
/// then of pairs of tiles.
static std::optional<MatrixTilesAttr>
chooseWindowStrip(NCEConvolutionOp op, bool joinsRows, int64_t pieces,
                  int64_t windowRows, MatrixUnitAttr unit) {
  int64_t tilesOfRow = countTilesOfRow(
      op, getCopies(op, joinsRows, pieces, windowRows, 1), unit);
  int64_t parts = joinsRows ? llvm::divideCeilSigned(tilesOfRow, kPixelTiles)
                            : op.getInitType().getDimSize(2);
  int64_t partTiles = joinsRows ? kPixelTiles : tilesOfRow;
  for (int64_t strips = 1; strips <= parts; ++strips) {
    MatrixTilesAttr tiles =
        getCopies(op, joinsRows, pieces, windowRows,
                  llvm::divideCeilSigned(parts, strips) * partTiles);
    if (getStripBytes(op, tiles, unit) <= kMostStackBytes) {
      return tiles;
    }
  }
  return std::nullopt;
}

/// The tiles of a reduction without copies: pixels of a row of the window are a
/// row of a tile where they follow each other, else an element of each block of
/// channels.
static int64_t countSteps(NCEConvolutionOp op, int64_t depth,
                          MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  int64_t rowWords = weights[4];
  if (op.getDilations()[1] == 1) {
    rowWords *= weights[3];
  }
  return llvm::divideCeilSigned(depth, unit.getDepth(rowWords));
}

/// True where rows of a window can be copied beside each other: there is one
/// full block of channels, and numbers of pixels are known.
static bool canPackRows(NCEConvolutionOp op) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  return hasWindow(op) && weights[1] == 1 && canPack(op) &&
         op.getDilations() == ArrayRef<int64_t>{1, 1} &&
         isContiguous(op.getWeights(), 1, 4);
}

/// Whether so many rows of a window are a row of a tile. Those that the last
/// one lacks meet weights of zero, by which no float may be multiplied: it
/// could be infinite.
static bool fitsRows(NCEConvolutionOp op, int64_t windowRows,
                     MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  return windowRows <= weights[2] &&
         windowRows * weights[3] * weights[4] <= getMostWords(unit) &&
         (weights[2] % windowRows == 0 ||
          shapedType(op.getInput()).getElementType().isInteger());
}

/// The tiles of a window for which blocks of channels, or rows, are copied
/// beside each other, if that had better be done.
static std::optional<MatrixTilesAttr>
choosePackedWindow(NCEConvolutionOp op, const MatrixShape &shape,
                   bool joinsRows, bool prefetches, ArchAttr arch) {
  MatrixUnitAttr unit = arch.getMatrixUnit();
  if (!hasWindow(op) || !canPack(op)) {
    return std::nullopt;
  }
  WindowCopies copies;
  copies.vectors = shape.vectors;
  copies.cacheBytes = arch.getCmxBytes();
  copies.weightsAreDistant = prefetches;
  auto choose = [&](int64_t pieces, int64_t windowRows) {
    return chooseWindowStrip(op, joinsRows, pieces, windowRows, unit);
  };
  std::optional<MatrixTilesAttr> tiles;
  if (int64_t pieces = getMostPieces(op, unit); pieces > 1) {
    if ((tiles = choose(pieces, /*windowRows=*/0))) {
      copies.take(WindowStrip::get(op, *tiles, unit));
    }
  } else if (!joinsRows && !prefetches && canPackRows(op)) {
    int64_t rows = shapedType(op.getWeights()).getDimSize(2);
    while (rows > 0 && !fitsRows(op, rows, unit)) {
      --rows;
    }
    if (rows > 0 && (tiles = choose(/*pieces=*/1, rows))) {
      copies.take(RowStrip::get(op, *tiles, unit));
    }
  }
  if (!tiles) {
    return std::nullopt;
  }
  copies.strips *= op.getInitType().getDimSize(0);
  int64_t tilesOfRow = llvm::divideCeilSigned(shape.columns, unit.getRows());
  int64_t rightBytes =
      kTileVectors * kTileWordBytes * arch.getLanes() * shape.depth;
  int64_t step =
      op.getInitType().getDimSize(0) *
      llvm::divideCeilSigned(shape.vectors, kTileVectors) *
      estimateMatrixStep(shape.rows * tilesOfRow,
                         llvm::divideCeilSigned(shape.columns, tilesOfRow),
                         rightBytes);
  return copies.pay(countSteps(op, shape.depth, unit), step) ? tiles
                                                             : std::nullopt;
}

/// True where the right tiles of all vectors that meet the same left ones would
/// push these out of the first cache.
static bool streamsRight(const MatrixShape &shape, bool pixelsFirst,
                         ArchAttr arch) {
  int64_t vectors = pixelsFirst ? shape.vectors : kTileVectors;
  return shape.depth * arch.getLanes() * kTileWordBytes * vectors >
         kFirstCacheBytes;
}

MatrixTilesAttr VPU::chooseMatrixTiles(Operation *op, bool prefetches,
                                       ArchAttr arch) {
  MatrixUnitAttr unit = arch.getMatrixUnit();
  MatrixShape shape = llvm::TypeSwitch<Operation *, MatrixShape>(op)
                          .Case<NCEConvolutionOp, NCEMatMulOp>([&](auto op) {
                            return getMatrixShape(op, arch);
                          });
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  bool joinsRows = convolution && choosesJoinedRows(convolution, arch);
  if (joinsRows) {
    int64_t pitch = shapedType(convolution.getInput()).getDimSize(3);
    shape.columns += (shape.rows - 1) * pitch;
    shape.rows = 1;
  }
  if (convolution) {
    if (std::optional<MatrixTilesAttr> packed = choosePackedWindow(
            convolution, shape, joinsRows, prefetches, arch)) {
      return *packed;
    }
  }
  int64_t pieces = convolution ? choosePieces(convolution, unit) : 1;
  std::optional<int64_t> tiles = countTiles(shape, unit);
  if (pieces == 1 || !tiles || *tiles == 0) {
    bool pixelsFirst = takesPixelsFirst(shape, prefetches, arch);
    return MatrixTilesAttr::get(op->getContext(), joinsRows, /*pieces=*/1,
                                /*windowRows=*/0, /*stripTiles=*/0, pixelsFirst,
                                streamsRight(shape, pixelsFirst, arch));
  }
  int64_t steps = shapedType(convolution.getWeights()).getDimSize(1) / pieces;
  return getCopies(convolution, joinsRows, pieces, /*windowRows=*/0,
                   chooseStrip(*tiles, steps, prefetches, unit));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks how many tiles of a window's copies are made at a time.
static LogicalResult verifyStrip(NCEConvolutionOp op, MatrixTilesAttr tiles,
                                 MatrixUnitAttr unit) {
  if (!tiles.getJoinRows()) {
    int64_t tilesOfRow = countTilesOfRow(op, tiles, unit);
    if (tiles.getStripTiles() % tilesOfRow != 0) {
      return op.emitOpError("expected stripTiles of whole rows, which have ")
             << tilesOfRow << ", found " << tiles.getStripTiles();
    }
  }
  if (getStripBytes(op, tiles, unit) > kMostStackBytes) {
    return op.emitOpError("expected stripTiles that take at most ")
           << kMostStackBytes << " bytes, found " << tiles.getStripTiles();
  }
  return success();
}

LogicalResult VPU::verifyMatrixTiles(Operation *op, MatrixTilesAttr tiles,
                                     ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (tiles.getJoinRows() && !(convolution && canJoinRows(convolution))) {
    return op->emitOpError(
        "expected no joinRows: it is for windows of stride 1 "
        "over an image of known size, whose rows lie one "
        "behind the other");
  }
  MatrixUnitAttr unit = arch.getMatrixUnit();
  if (int64_t rows = tiles.getWindowRows(); rows > 0) {
    if (!convolution || !canPackRows(convolution)) {
      return op->emitOpError(
                 "expected no windowRows: they are for convolutions "
                 "of known size with one full block of channels "
                 "and dilations of 1, found ")
             << rows;
    }
    if (!fitsRows(convolution, rows, unit)) {
      return op->emitOpError("expected windowRows that the window has, of at "
                             "most a tile's row of words, and of floats a "
                             "divisor of its rows, found ")
             << rows;
    }
    return verifyStrip(convolution, tiles, unit);
  }
  int64_t pieces = tiles.getPieces();
  if (pieces == 1) {
    return success();
  }
  if (!convolution || !canPack(convolution)) {
    return op->emitOpError(
               "expected pieces = 1: it is for convolutions of "
               "known size with whole blocks of channels, and if "
               "they have a window, of rows that lie one behind the "
               "other, found ")
           << pieces;
  }
  ArrayRef<int64_t> weights = shapedType(convolution.getWeights()).getShape();
  int64_t most = getMostWords(unit);
  if (weights[1] % pieces != 0 || pieces * weights[4] > most) {
    return op->emitOpError("expected pieces that divide the ")
           << weights[1] << " blocks of channels and make rows of at most "
           << most << " words, found " << pieces;
  }
  if (hasWindow(convolution)) {
    return verifyStrip(convolution, tiles, unit);
  }
  if (getPackedBytes(unit, weights[1] / pieces, tiles.getStripTiles()) >
      kMostStackBytes) {
    return op->emitOpError("expected stripTiles that take at most ")
           << kMostStackBytes << " bytes, found " << tiles.getStripTiles();
  }
  return success();
}
