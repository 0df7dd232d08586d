//===- WinogradChunk.cpp - Tiles that are worked on together --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of images of known size, chunks are rows of tiles. Where the size is dynamic,
// tiles are counted through, from image to image. There is one code for
// all tiles: those at the right and bottom edge that are only partly needed
// take the last row or column again. Code of their own would do less, but be
// most of a kernel.
//
//===----------------------------------------------------------------------===//

#include "WinogradChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Known sizes
//===----------------------------------------------------------------------===//

namespace {

/// `rows` rows of `columns` tiles. All of them are one group.
struct KnownChunk final : WinogradChunk {
  int64_t tileSize;
  Value image;
  Value row;    // the first tile row
  Value column; // the first tile column
  int64_t rows;
  int64_t columns;
  Value lastRow;    // of the image, if tiles of the chunk reach beyond it
  Value lastColumn; // the same

  KnownChunk(int64_t tileSize, Value image, Value row, Value column,
             int64_t rows, int64_t columns, Value lastRow, Value lastColumn)
      : tileSize(tileSize), image(image), row(row), column(column), rows(rows),
        columns(columns), lastRow(lastRow), lastColumn(lastColumn) {}

  int64_t getTilesPerGroup() const override { return rows * columns; }
  int64_t getTurns(const RegisterTile &tile) const override {
    return llvm::divideCeilSigned(getTilesPerGroup(), tile.columns);
  }
  void forEachTile(KernelBuilder &kernel, int64_t blocks,
                   llvm::function_ref<void(Value, const WinogradTile &)> visit)
      const override;
  void forEachStrip(
      KernelBuilder &kernel, const RegisterTile &tile,
      llvm::function_ref<void(const WinogradStrip &)> body) const override;
};

} // namespace

void KnownChunk::forEachTile(
    KernelBuilder &kernel, int64_t blocks,
    llvm::function_ref<void(Value, const WinogradTile &)> visit) const {
  kernel.loop(blocks, [&](Value block) {
    kernel.loop(rows, [&](Value r) {
      Value firstRow = kernel.mul(kernel.add(row, r), tileSize);
      Value firstTile = kernel.mul(r, columns);
      kernel.loop(columns, [&](Value c) {
        Value firstColumn = kernel.mul(kernel.add(column, c), tileSize);
        visit(block,
              {kernel.index(int64_t(0)), kernel.add(firstTile, c), image,
               firstRow, firstColumn, tileSize, tileSize, lastRow, lastColumn});
      });
    });
  });
}

void KnownChunk::forEachStrip(
    KernelBuilder &kernel, const RegisterTile &tile,
    llvm::function_ref<void(const WinogradStrip &)> body) const {
  kernel.tiles(getTilesPerGroup(), tile.columns,
               [&](Value first, int64_t count) {
                 body({kernel.index(int64_t(0)), first, count,
                       kernel.div(first, tile.columns)});
               });
}

static void
forEachKnownChunk(KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op,
                  llvm::function_ref<void(const WinogradChunk &)> body) {
  ArrayRef<int64_t> out = getShape(op.getInit());
  int64_t tileSize = op.getTileSize();
  int64_t tileRows = llvm::divideCeilSigned(out[2], tileSize);
  int64_t tileColumns = llvm::divideCeilSigned(out[3], tileSize);
  int64_t chunkRows = op.getChunk()[0], chunkColumns = op.getChunk()[1];
  // The last of so many rows or columns, if `tiles` tiles are more.
  auto getLast = [&](int64_t tiles, int64_t extent) {
    return tiles * tileSize > extent ? kernel.index(extent - 1) : Value();
  };
  auto emitRows = [&](Value image, Value row, int64_t rows, Value lastRow) {
    kernel.tiles(tileColumns, chunkColumns, [&](Value column, int64_t columns) {
      body(KnownChunk(tileSize, image, row, column, rows, columns, lastRow,
                      getLast(tileColumns, out[3])));
    });
  };
  // Rows that need not be clamped are not.
  int64_t fullChunks = out[2] / tileSize / chunkRows;
  kernel.loop(out[0], [&](Value image) {
    kernel.loop(fullChunks * chunkRows, chunkRows, [&](Value row) {
      emitRows(image, row, chunkRows, /*lastRow=*/Value());
    });
    if (int64_t rest = tileRows - fullChunks * chunkRows) {
      emitRows(image, kernel.index(fullChunks * chunkRows), rest,
               getLast(tileRows, out[2]));
    }
  });
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

namespace {

/// How many rows, columns and tiles of each there are.
struct OpenImages {
  int64_t tileSize;
  int64_t tilesPerGroup;
  Value rows;
  Value columns;
  Value tileRows;
  Value tileColumns;
};

/// `count` tiles of all that there are, from `first` on.
struct OpenChunk final : WinogradChunk {
  const OpenImages &images;
  Value first;
  Value count;

  OpenChunk(const OpenImages &images, Value first, Value count)
      : images(images), first(first), count(count) {}

  int64_t getTilesPerGroup() const override { return images.tilesPerGroup; }
  // A vector is asked for at a time, whatever the number of turns.
  int64_t getTurns(const RegisterTile &tile) const override {
    return tile.vectors;
  }
  void forEachTile(KernelBuilder &kernel, int64_t blocks,
                   llvm::function_ref<void(Value, const WinogradTile &)> visit)
      const override;
  void forEachStrip(
      KernelBuilder &kernel, const RegisterTile &tile,
      llvm::function_ref<void(const WinogradStrip &)> body) const override;
};

} // namespace

void OpenChunk::forEachTile(
    KernelBuilder &kernel, int64_t blocks,
    llvm::function_ref<void(Value, const WinogradTile &)> visit) const {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value zero = kernel.index(int64_t(0));
  Value lastRow = kernel.sub(images.rows, kernel.index(1));
  Value lastColumn = kernel.sub(images.columns, kernel.index(1));
  // The first tile; the others are found by steps from there.
  Value tileRow = arith::DivUIOp::create(b, loc, first, images.tileColumns);
  Value tileColumn = arith::RemUIOp::create(b, loc, first, images.tileColumns);
  Value image = arith::DivUIOp::create(b, loc, tileRow, images.tileRows);
  tileRow = arith::RemUIOp::create(b, loc, tileRow, images.tileRows);
  SmallVector<Value> start = {image, kernel.mul(tileRow, images.tileSize),
                              kernel.mul(tileColumn, images.tileSize)};
  kernel.loop(blocks, [&](Value block) {
    kernel.reduce(count, start, [&](Value i, ValueRange at) {
      Value group = kernel.div(i, images.tilesPerGroup);
      visit(block,
            {group, kernel.rem(i, images.tilesPerGroup), at[0], at[1], at[2],
             images.tileSize, images.tileSize, lastRow, lastColumn});
      auto isBeyond = [&](Value value, Value end) {
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, value,
                                     end);
      };
      auto select = [&](Value condition, Value yes, Value no) -> Value {
        return arith::SelectOp::create(b, loc, condition, yes, no);
      };
      Value column = kernel.add(at[2], images.tileSize);
      Value endsRow = isBeyond(column, images.columns);
      column = select(endsRow, zero, column);
      Value row = select(endsRow, kernel.add(at[1], images.tileSize), at[1]);
      Value endsImage = isBeyond(row, images.rows);
      row = select(endsImage, zero, row);
      Value next = select(endsImage, kernel.add(at[0], 1), at[0]);
      return SmallVector<Value>{next, row, column};
    });
  });
}

void OpenChunk::forEachStrip(
    KernelBuilder &kernel, const RegisterTile &tile,
    llvm::function_ref<void(const WinogradStrip &)> body) const {
  int64_t size = images.tilesPerGroup;
  Value groups = kernel.div(count, size);
  auto emit = [&](Value group, Value number, int64_t tiles, bool isRemainder) {
    body({group, number, tiles, kernel.rem(group, tile.vectors), isRemainder});
  };
  kernel.loop(OpFoldResult(groups), [&](Value group) {
    kernel.tiles(size, tile.columns, [&](Value number, int64_t tiles) {
      emit(group, number, tiles, /*isRemainder=*/false);
    });
  });
  if (size == 1) {
    return;
  }
  // Of the last group, which is not full, what powers of two add up to.
  auto largest =
      static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(size - 1)));
  kernel.tiles(OpFoldResult(kernel.rem(count, size)),
               std::min(largest, tile.columns),
               [&](Value number, int64_t tiles) {
                 emit(groups, number, tiles, /*isRemainder=*/true);
               });
}

static void
forEachOpenChunk(KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op,
                 llvm::function_ref<void(const WinogradChunk &)> body) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  auto getSize = [&](unsigned dim) {
    return kernel.index(kernel.getSize(op.getInit(), dim));
  };
  int64_t tileSize = op.getTileSize(), groupSize = op.getTilesPerGroup();
  auto ceilDiv = [&](Value a, int64_t divisor) {
    return kernel.div(kernel.add(a, divisor - 1), divisor);
  };
  Value rows = getSize(2), columns = getSize(3);
  OpenImages images{tileSize,
                    groupSize,
                    rows,
                    columns,
                    ceilDiv(rows, tileSize),
                    ceilDiv(columns, tileSize)};
  Value tiles = arith::MulIOp::create(
      b, loc, getSize(0),
      arith::MulIOp::create(b, loc, images.tileRows, images.tileColumns));
  // As even chunks as their number allows, of whole groups.
  Value one = kernel.index(1);
  Value chunks = arith::MaxUIOp::create(
      b, loc, ceilDiv(tiles, op.getNumGroups() * groupSize), one);
  Value groups =
      arith::CeilDivUIOp::create(b, loc, ceilDiv(tiles, groupSize), chunks);
  Value step =
      kernel.mul(arith::MaxUIOp::create(b, loc, groups, one), groupSize);
  auto loop = scf::ForOp::create(b, loc, kernel.index(int64_t(0)), tiles, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value first = loop.getInductionVar();
  Value count = arith::MinUIOp::create(b, loc, step, kernel.sub(tiles, first));
  body(OpenChunk(images, first, count));
}

void nacre::forEachWinogradChunk(
    KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op,
    llvm::function_ref<void(const WinogradChunk &)> body) {
  if (op.isOpen()) {
    forEachOpenChunk(kernel, op, body);
  } else {
    forEachKnownChunk(kernel, op, body);
  }
}
