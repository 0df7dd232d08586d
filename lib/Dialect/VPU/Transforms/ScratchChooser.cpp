//===- ScratchChooser.cpp - What is computed at a time in scratch ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses chunks of results, and of rows that are made integers, whose scratch
// memory fits the cache.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/LowBitCost.h"
#include "nacre/Dialect/VPU/IR/LowBitTiles.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Winograd's algorithm
//===----------------------------------------------------------------------===//

/// The bytes that the scratch of a chunk may take: the cache. Every chunk reads
/// all weights, so where these exceed the cache by far, so may the scratch.
static int64_t getBudget(NCEWinogradConvolutionOp op, int64_t cacheBytes) {
  constexpr int64_t kWeightsPerScratch = 4;
  auto type = cast<ShapedType>(op.getWeights().getType());
  int64_t weights = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  return std::max(cacheBytes, weights / kWeightsPerScratch);
}

/// Rows and columns of tiles of an image of known size.
static std::array<int64_t, 2> countTiles(NCEWinogradConvolutionOp op) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  return {llvm::divideCeilSigned(out[2], op.getTileSize()),
          llvm::divideCeilSigned(out[3], op.getTileSize())};
}

/// The most groups of tiles at a time, whatever memory there is.
static constexpr int64_t kManyGroups = 1 << 16;

/// Groups of tiles, as many as fit, of which as many are filled at run time as
/// are needed.
static std::array<int64_t, 2> chooseGroups(NCEWinogradConvolutionOp op,
                                           int64_t budget) {
  // What a register tile takes at a time: by four vectors of channels it fills
  // 32 registers, by two it fills 16. Of a larger one more would be left over.
  constexpr int64_t kTilesPerGroup = 6;
  int64_t groups = budget / op.getScratchBytes(kTilesPerGroup);
  return {std::clamp<int64_t>(groups, 1, kManyGroups), kTilesPerGroup};
}

/// The largest chunk of whole tile rows, else of one row's columns, whose
/// scratch fits; at least one tile.
static std::array<int64_t, 2> chooseTiles(NCEWinogradConvolutionOp op,
                                          int64_t budget) {
  auto [rows, columns] = countTiles(op);
  auto fits = [&](int64_t tiles) {
    return op.getScratchBytes(tiles) <= budget;
  };
  // As even chunks as their number allows.
  for (int64_t chunks = 1; chunks <= rows; ++chunks) {
    int64_t size = llvm::divideCeilSigned(rows, chunks);
    if (fits(size * columns)) {
      return {size, columns};
    }
  }
  for (int64_t chunks = 2; chunks <= columns; ++chunks) {
    int64_t size = llvm::divideCeilSigned(columns, chunks);
    if (fits(size)) {
      return {1, size};
    }
  }
  return {1, 1};
}

static SmallVector<int64_t> chooseChunk(NCEWinogradConvolutionOp op,
                                        ArchAttr arch) {
  int64_t budget = getBudget(op, arch.getCmxBytes());
  return llvm::to_vector(op.isOpen() ? chooseGroups(op, budget)
                                     : chooseTiles(op, budget));
}

//===----------------------------------------------------------------------===//
// Weights of few bits
//===----------------------------------------------------------------------===//

/// The most rows that are integers at a time, whatever memory there is.
static constexpr int64_t kManyRows = 1 << 20;

/// How many of any number of rows are integers at a time: of many, as many as
/// the cache holds, in even parts. All weights are read for each part.
static SmallVector<int64_t> chooseIntegerRows(NCEMatMulNBitsOp op,
                                              ArchAttr arch) {
  constexpr int64_t kFloatBytes = 4;
  // What a register tile takes at a time where there are 32 registers.
  constexpr int64_t kTileRows = 6;
  int64_t rows = op.getInitType().getDimSize(1);
  bool isOpen = ShapedType::isDynamic(rows);
  if (!isOpen && rows <= NCEMatMulNBitsOp::kFewRows) {
    return {rows};
  }
  int64_t fitting = std::min(
      arch.getCmxBytes() / (op.getRowElements() * kFloatBytes), kManyRows);
  int64_t most = std::max(fitting / kTileRows * kTileRows, 2 * kTileRows);
  if (isOpen) {
    return {most};
  }
  int64_t parts = llvm::divideCeilSigned(rows, most);
  int64_t part = llvm::divideCeilSigned(rows, parts);
  return {std::min(static_cast<int64_t>(llvm::alignTo<kTileRows>(part)), rows)};
}

/// How many rows are integers at a time; none where floats are faster. Where
/// many rows of a dynamic number are multiplied otherwise, few are integers.
static SmallVector<int64_t> chooseChunk(NCEMatMulNBitsOp op, ArchAttr arch) {
  if (!op.fitsMatrixUnit(arch) && savesByIntegers(op, arch)) {
    return chooseIntegerRows(op, arch);
  }
  return ShapedType::isDynamic(op.getInitType().getDimSize(1))
             ? SmallVector<int64_t>{NCEMatMulNBitsOp::kFewRows}
             : SmallVector<int64_t>();
}

/// The largest divisor of `value` that is at most `most`, at least 1.
static int64_t getDivisor(int64_t value, int64_t most) {
  int64_t divisor = std::max<int64_t>(std::min(value, most), 1);
  while (value % divisor != 0) {
    --divisor;
  }
  return divisor;
}

/// Words of the longest column of a tile that a matrix unit takes.
static int64_t getMostStepWords(NCEMatMulNBitsOp op, MatrixUnitAttr unit) {
  constexpr int64_t kWordBytes = 4;
  int64_t pairs = std::min(unit.getRows(), unit.getRowBytes() / kWordBytes);
  return pairs * LowBitTiles::kPair / op.getPerWord();
}

/// Sizes by what caches hold: tiles of weights and totals lie in the first,
/// those of rows in the second.
static LowBitTileAttr chooseLowBitTile(NCEMatMulNBitsOp op, ArchAttr arch) {
  constexpr int64_t kPair = LowBitTiles::kPair, kWordBytes = 4;
  // Of longer blocks, pieces are scaled one by one.
  constexpr int64_t kPieceElements = 128;
  MatrixUnitAttr unit = arch.getMatrixUnit();
  int64_t words = op.getWeightsShape()[2];
  int64_t pieceWords = getDivisor(words, kPieceElements / op.getPerWord());
  int64_t stepWords = getDivisor(pieceWords, getMostStepWords(op, unit));
  // Weights become bf16 once for so many rows. An even number of tiles has
  // them, the fewer rows each.
  constexpr int64_t kRowTiles = 4, kPanels = 4;
  int64_t rows = op.getInitType().getDimSize(1);
  int64_t rowTiles =
      ShapedType::isDynamic(rows)
          ? kRowTiles
          : std::min(kRowTiles, kPair * llvm::divideCeilSigned(
                                            rows, kPair * unit.getRows()));
  int64_t panels =
      std::min<int64_t>(kPanels, llvm::alignTo(op.getWeightsShape()[0], kPair));
  int64_t pieces = op.getWeightsShape()[1] * (words / pieceWords);
  auto getTile = [&](int64_t chunkPieces) {
    return LowBitTileAttr::get(op.getContext(), stepWords, pieceWords, rowTiles,
                               panels, chunkPieces);
  };
  if (!op.getInitType().getElementType().isF32()) {
    return getTile(pieces);
  }
  // Where rows take more than the cache, they are split for some pieces at a
  // time, and results are sums on their way: if they are f32.
  LowBitTiles tiles = LowBitTiles::get(op, getTile(pieces), unit);
  int64_t pieceBytes = tiles.steps * tiles.rowTiles * tiles.parts *
                       tiles.getLeftTile() * kWordBytes;
  int64_t chunks = llvm::divideCeilSigned(
      pieces * pieceBytes, std::max(arch.getCmxBytes(), pieceBytes));
  return getTile(llvm::divideCeilSigned(pieces, chunks));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool VPU::hasLowBitTile(Operation *op, ArchAttr arch) {
  auto product = dyn_cast<NCEMatMulNBitsOp>(op);
  return product && product.hasPureBufferSemantics() && !product.getScratch() &&
         product.getInitType().getDimSize(1) != 0 &&
         product.fitsMatrixUnit(arch);
}

bool VPU::hasChunk(Operation *op, ArchAttr arch) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](NCEWinogradConvolutionOp op) {
        return op.hasPureBufferSemantics() && !op.getInputPlanes();
      })
      .Case([&](NCEMatMulNBitsOp op) {
        // Of a known number of rows, the matrix unit multiplies all.
        return op.hasPureBufferSemantics() && !op.getScratch() &&
               op.getInitType().getDimSize(1) != 0 && op.canSumIntegers(arch) &&
               (ShapedType::isDynamic(op.getInitType().getDimSize(1)) ||
                !op.fitsMatrixUnit(arch));
      })
      .Default(false);
}

void VPU::chooseScratch(FunctionOpInterface function,
                        const ChooserInput &input) {
  function->walk([&](Operation *op) {
    if (input.isGiven(op)) {
      return;
    }
    KernelStrategyAttr kernel;
    if (hasLowBitTile(op, input.arch)) {
      auto tile = chooseLowBitTile(cast<NCEMatMulNBitsOp>(op), input.arch);
      kernel = KernelStrategyAttr::get(
          op->getContext(), /*registers=*/{}, /*prefetchWeights=*/false,
          /*prefetchBytes=*/0, /*prefetchPixels=*/false,
          /*stagedColumns=*/nullptr, BorderDims::none,
          /*rollWindow=*/false, /*matrixTiles=*/nullptr, tile,
          /*loops=*/nullptr);
    }
    SmallVector<int64_t> chunk;
    if (hasChunk(op, input.arch)) {
      chunk = llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
                  .Case<NCEWinogradConvolutionOp, NCEMatMulNBitsOp>(
                      [&](auto op) { return chooseChunk(op, input.arch); });
    }
    if (kernel || !chunk.empty()) {
      StrategyAttr::getForKernel(op->getContext(), kernel, chunk).attachTo(op);
    }
  });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// What the numbers of a chunk count.
static StringRef describeChunk(NCEWinogradConvolutionOp op) {
  return op.isOpen() ? "groups and of tiles of each"
                     : "rows and of columns of tiles";
}
static StringRef describeChunk(NCEMatMulNBitsOp /*op*/) { return "rows"; }

/// The most that each number of a chunk can be.
static SmallVector<int64_t> getLargestChunk(NCEWinogradConvolutionOp op) {
  if (op.isOpen()) {
    return {kManyGroups, kManyGroups};
  }
  auto [rows, columns] = countTiles(op);
  return {std::max<int64_t>(rows, 1), std::max<int64_t>(columns, 1)};
}

static SmallVector<int64_t> getLargestChunk(NCEMatMulNBitsOp op) {
  int64_t rows = op.getInitType().getDimSize(1);
  return {ShapedType::isDynamic(rows) ? kManyRows : rows};
}

LogicalResult VPU::verifyLowBitTile(NCEMatMulNBitsOp op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  LowBitTileAttr tile = strategy && strategy.getKernel()
                            ? strategy.getKernel().getLowBitTile()
                            : LowBitTileAttr();
  if (!tile) {
    return op.emitOpError("expected a strategy with a lowBitTile, as "
                          "vpu-choose-strategies gives it with decide=buffers");
  }
  int64_t words = op.getWeightsShape()[2];
  if (words % tile.getPieceWords() != 0) {
    return op.emitOpError("expected pieceWords to divide the ")
           << words << " words of a block, found " << tile.getPieceWords();
  }
  int64_t most = getMostStepWords(op, arch.getMatrixUnit());
  if (tile.getStepWords() > most) {
    return op.emitOpError("expected at most ")
           << most
           << " stepWords, which a tile of the matrix unit holds, found "
           << tile.getStepWords();
  }
  int64_t pieces = op.getWeightsShape()[1] * (words / tile.getPieceWords());
  bool isWhole = tile.getPieces() == pieces;
  if (tile.getPieces() > pieces ||
      (!isWhole && !op.getInitType().getElementType().isF32())) {
    return op.emitOpError("expected ")
           << (tile.getPieces() > pieces ? "at most " : "all ") << pieces
           << " pieces at a time, found " << tile.getPieces();
  }
  if (!op.getScratch()) {
    return success();
  }
  // It was allocated for the tile that was decided then.
  auto scratch = cast<ShapedType>(op.getScratch().getType());
  int64_t needed =
      LowBitTiles::get(op, tile, arch.getMatrixUnit()).getElements();
  if (scratch.getDimSize(0) < needed) {
    return op.emitOpError("expected a lowBitTile for the scratch that it has, "
                          "which is ")
           << scratch << ", found one of " << needed << " elements";
  }
  return success();
}

LogicalResult VPU::verifyScratch(Operation *op, ArchAttr arch) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  bool hasGivenChunk = strategy && !strategy.getChunk().empty();
  if (hasLowBitTile(op, arch) &&
      failed(verifyLowBitTile(cast<NCEMatMulNBitsOp>(op), arch))) {
    return failure();
  }
  if (!hasChunk(op, arch)) {
    return hasGivenChunk
               ? op->emitOpError("expected no chunk: nothing of it is computed "
                                 "in scratch memory at a time")
               : success();
  }
  // Rows may stay floats.
  auto product = dyn_cast<NCEMatMulNBitsOp>(op);
  if (product && !hasGivenChunk) {
    return success();
  }
  SmallVector<int64_t> largest =
      llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
          .Case<NCEWinogradConvolutionOp, NCEMatMulNBitsOp>(
              [](auto op) { return getLargestChunk(op); });
  if (!strategy || strategy.getChunk().size() != largest.size()) {
    StringRef counted = llvm::TypeSwitch<Operation *, StringRef>(op)
                            .Case<NCEWinogradConvolutionOp, NCEMatMulNBitsOp>(
                                [](auto op) { return describeChunk(op); });
    return op->emitOpError("expected a strategy with a chunk of a number of ")
           << counted << ", as vpu-choose-strategies gives it with "
           << "decide=buffers";
  }
  for (auto [size, most] : llvm::zip_equal(strategy.getChunk(), largest)) {
    if (size > most) {
      return op->emitOpError("expected at most ")
             << most << " in a chunk, found " << size;
    }
  }
  if (product && ShapedType::isDynamic(product.getInitType().getDimSize(1)) &&
      strategy.getChunk().front() < NCEMatMulNBitsOp::kFewRows) {
    return op->emitOpError("expected at least ")
           << NCEMatMulNBitsOp::kFewRows
           << " of a dynamic number of rows in a chunk, found "
           << strategy.getChunk().front();
  }
  return success();
}
