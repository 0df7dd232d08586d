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

/// True for a pointwise convolution whose blocks of channels can be copied.
static bool canPack(NCEConvolutionOp op) {
  auto type = shapedType(op.getWeights());
  ArrayRef<int64_t> weights = type.getShape();
  std::array<int64_t, 3> images = getKernelImages(op);
  return weights[2] == 1 && weights[3] == 1 &&
         countPacks(op) == weights[1] * weights[4] &&
         !ShapedType::isDynamic(images[0]) &&
         !ShapedType::isDynamic(images[1]) &&
         !ShapedType::isDynamic(images[2]) &&
         isContiguous(op.getWeights(), 1, type.getRank() - 1);
}

/// Of how many blocks of channels a pointwise convolution had better pack the
/// pixels of a left tile, so that its rows are full; 1 for none.
static int64_t choosePieces(NCEConvolutionOp op, MatrixUnitAttr unit) {
  ArrayRef<int64_t> weights = shapedType(op.getWeights()).getShape();
  if (!canPack(op)) {
    return 1;
  }
  int64_t depth = unit.getDepth(countPacks(op));
  int64_t pieces = std::max<int64_t>(depth / weights[4], 1);
  while (weights[1] % pieces != 0) {
    --pieces;
  }
  int64_t stripBytes = getPackedBytes(unit, weights[1] / pieces, kPixelTiles);
  if (stripBytes > kMostStackBytes) {
    return 1;
  }
  // Each vector of channels saves products of rows that are not full. Copying
  // takes as long as so many of them, where it does not push tiles out of the
  // first cache.
  constexpr int64_t kNearCost = 8, kDistantCost = 20;
  bool isNear = stripBytes <= kNearBytes;
  int64_t vectors = weights[0] / static_cast<int64_t>(op.getGroups());
  return (pieces - 1) * vectors > (isNear ? kNearCost : kDistantCost) ? pieces
                                                                      : 1;
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
  int64_t pieces = convolution ? choosePieces(convolution, unit) : 1;
  std::optional<int64_t> tiles = countTiles(shape, unit);
  if (pieces == 1 || !tiles || *tiles == 0) {
    bool pixelsFirst = takesPixelsFirst(shape, prefetches, arch);
    return MatrixTilesAttr::get(op->getContext(), joinsRows, /*pieces=*/1,
                                /*stripTiles=*/0, pixelsFirst,
                                streamsRight(shape, pixelsFirst, arch));
  }
  int64_t steps = shapedType(convolution.getWeights()).getDimSize(1) / pieces;
  return MatrixTilesAttr::get(op->getContext(), joinsRows, pieces,
                              chooseStrip(*tiles, steps, prefetches, unit),
                              /*pixelsFirst=*/false, /*streamRight=*/false);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult VPU::verifyMatrixTiles(Operation *op, MatrixTilesAttr tiles,
                                     ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (tiles.getJoinRows() && !(convolution && canJoinRows(convolution))) {
    return op->emitOpError(
        "expected no joinRows: it is for windows of stride 1 "
        "over an image of known size, whose rows lie one "
        "behind the other");
  }
  int64_t pieces = tiles.getPieces();
  if (pieces == 1) {
    return success();
  }
  if (!convolution || !canPack(convolution)) {
    return op->emitOpError("expected pieces = 1: it is for pointwise "
                           "convolutions of known size with whole blocks of "
                           "channels, found ")
           << pieces;
  }
  ArrayRef<int64_t> weights = shapedType(convolution.getWeights()).getShape();
  MatrixUnitAttr unit = arch.getMatrixUnit();
  int64_t most = std::min(unit.getRows(), unit.getRowBytes() / kTileWordBytes);
  if (weights[1] % pieces != 0 || pieces * weights[4] > most) {
    return op->emitOpError("expected pieces that divide the ")
           << weights[1] << " blocks of channels and make rows of at most "
           << most << " words, found " << pieces;
  }
  if (getPackedBytes(unit, weights[1] / pieces, tiles.getStripTiles()) >
      kMostStackBytes) {
    return op->emitOpError("expected stripTiles that take at most ")
           << kMostStackBytes << " bytes, found " << tiles.getStripTiles();
  }
  return success();
}
