//===- WindowTaps.cpp - Windows that reach into a border of zeros ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the taps that meet an image, for the tiles of a convolution, and sums
// over them.
//
//===----------------------------------------------------------------------===//

#include "WindowTaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nacre;

TapRange WindowTaps::getAll(int64_t count) const {
  return {kernel.index(0), kernel.builder.getIndexAttr(taps), 0, count};
}

SmallVector<TapRange> WindowTaps::getKnownRanges(int64_t first, int64_t count,
                                                 int64_t known) const {
  struct Range {
    int64_t first, count, begin, end;
  };
  SmallVector<Range> ranges;
  for (int64_t tap = 0; tap < taps; ++tap) {
    auto isUsefulTo = [&](int64_t output) {
      return isUseful(first + output, tap, known);
    };
    int64_t begin = 0, end = count;
    while (begin < end && !isUsefulTo(begin)) {
      ++begin;
    }
    while (begin < end && !isUsefulTo(end - 1)) {
      --end;
    }
    if (begin == end) {
      continue;
    }
    Range *last = ranges.empty() ? nullptr : &ranges.back();
    if (last && last->begin == begin && last->end == end &&
        last->first + last->count == tap) {
      ++last->count;
    } else {
      ranges.push_back({tap, 1, begin, end});
    }
  }
  return llvm::map_to_vector(ranges, [&](const Range &range) {
    return TapRange{kernel.index(range.first),
                    kernel.builder.getIndexAttr(range.count), range.begin,
                    range.end};
  });
}

TapRange WindowTaps::getRunTimeRange(Value output) const {
  OpBuilder &b = kernel.builder;
  Value start = kernel.mul(output, stride);
  // The taps before `position`.
  auto count = [&](Value position) {
    Value distance = b.createOrFold<arith::MaxSIOp>(
        kernel.loc, kernel.sub(position, start), kernel.index(0));
    return kernel.div(kernel.add(distance, dilation - 1), dilation);
  };
  Value first = kernel.index(0), end = kernel.index(taps);
  if (before > 0) {
    first = count(kernel.index(before));
  }
  if (after > 0) {
    Value edge = kernel.sub(kernel.index(size), kernel.index(after));
    end = b.createOrFold<arith::MinSIOp>(kernel.loc, count(edge), end);
  }
  return {first, getAsOpFoldResult(kernel.sub(end, first)), 0, 1};
}

SmallVector<TapRange> WindowTaps::getRanges(Value first, int64_t count) const {
  if (!hasBorder()) {
    return {getAll(count)};
  }
  std::optional<int64_t> known = getConstantIntValue(size);
  std::optional<int64_t> position = getConstantIntValue(first);
  if (known && position) {
    return getKnownRanges(*position, count, *known);
  }
  return {count == 1 ? getRunTimeRange(first) : getAll(count)};
}

void WindowTaps::tiles(OpFoldResult extent, int64_t tile,
                       llvm::function_ref<void(Value, int64_t)> body) const {
  std::optional<int64_t> outputs = getConstantIntValue(extent);
  std::optional<int64_t> known = getConstantIntValue(size);
  int64_t full = outputs ? *outputs / tile : 0;
  // A tile of one output computes its range at run time.
  if (!hasBorder() || tile == 1 || !known || full == 0) {
    kernel.tiles(extent, tile, body);
    return;
  }
  VPU::EdgeTiles edges = VPU::countEdgeTiles(getWindow(*known), *outputs, tile);
  int64_t begin = edges.first, end = full - edges.last;
  for (int64_t index = 0; index < begin; ++index) {
    body(kernel.index(index * tile), tile);
  }
  kernel.loop((end - begin) * tile, tile,
              [&](Value base) { body(kernel.add(base, begin * tile), tile); });
  for (int64_t index = end; index < full; ++index) {
    body(kernel.index(index * tile), tile);
  }
  if (int64_t rest = *outputs % tile) {
    body(kernel.index(full * tile), rest);
  }
}

/// Has `reduce` add to the sums of some places of a tile, and returns all sums.
static SmallVector<Value>
reducePlaces(RegisterTile tile, const TapRange &rows, const TapRange &columns,
             ValueRange sums,
             llvm::function_ref<SmallVector<Value>(ArrayRef<Value>)> reduce) {
  SmallVector<int64_t> places;
  for (int64_t r = rows.begin; r < rows.end; ++r) {
    for (int64_t c = columns.begin; c < columns.end; ++c) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        places.push_back((r * tile.columns + c) * tile.vectors + v);
      }
    }
  }
  SmallVector<Value> all(sums);
  SmallVector<Value> some =
      reduce(llvm::map_to_vector(places, [&](int64_t i) { return all[i]; }));
  for (auto [place, sum] : llvm::zip_equal(places, some)) {
    all[place] = sum;
  }
  return all;
}

SmallVector<Value> nacre::buildWindowContraction(KernelBuilder &kernel,
                                                 RegisterTile tile,
                                                 const WindowExtents &extents,
                                                 const WindowOperands &operands,
                                                 ValueRange sums) {
  // The outputs of two ranges, over `blocks` from `block` on.
  auto reduce = [&](Value block, const TapRange &rows, const TapRange &columns,
                    OpFoldResult blocks, OpFoldResult rowCount,
                    ValueRange carried) {
    auto getStep = [&](ValueRange k) -> SmallVector<Value> {
      return {kernel.add(k[0], block), kernel.add(k[1], rows.first),
              kernel.add(k[2], columns.first), k[3]};
    };
    RegisterTile part{rows.end - rows.begin, columns.end - columns.begin,
                      tile.vectors, tile.isRemainder};
    ContractionOperands ofPart;
    ofPart.reduction = {blocks, rowCount, columns.count,
                        kernel.builder.getIndexAttr(extents.channels)};
    auto loadPixel = [&](int64_t r, int64_t c, ValueRange k) {
      return operands.loadPixel(rows.begin + r, columns.begin + c, getStep(k));
    };
    auto loadWeights = [&](int64_t v, ValueRange k) {
      return operands.loadWeights(v, getStep(k));
    };
    ofPart.loadPixel = loadPixel;
    ofPart.loadWeights = loadWeights;
    // The tile's other sums take registers, too.
    ofPart.isRolled = part.getPixels() != tile.getPixels();
    return reducePlaces(tile, rows, columns, carried,
                        [&](ArrayRef<Value> some) {
                          return buildContraction(kernel, part, ofPart, some);
                        });
  };
  OpFoldResult one = kernel.builder.getIndexAttr(1);
  OpFoldResult blocks = kernel.builder.getIndexAttr(extents.blocks);
  if (extents.rows.size() == 1 && extents.columns.size() == 1) {
    const TapRange &rows = extents.rows.front();
    return reduce(kernel.index(0), rows, extents.columns.front(), blocks,
                  rows.count, sums);
  }
  auto reduceBlock = [&](Value block, ValueRange carried) {
    SmallVector<Value> ofBlock(carried);
    for (const TapRange &rows : extents.rows) {
      auto reduceRow = [&](Value tap, ValueRange rowSums) {
        SmallVector<Value> ofRow(rowSums);
        TapRange row = rows;
        row.first = kernel.add(tap, rows.first);
        for (const TapRange &columns : extents.columns) {
          ofRow = reduce(block, row, columns, one, one, ofRow);
        }
        return ofRow;
      };
      ofBlock = kernel.reduce(rows.count, ofBlock, reduceRow, /*rolled=*/true);
    }
    return ofBlock;
  };
  return kernel.reduce(blocks, sums, reduceBlock, /*rolled=*/true);
}
