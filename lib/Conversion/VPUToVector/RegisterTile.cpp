//===- RegisterTile.cpp - The contraction micro-kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses and emits register tiles. The reduction loops are left rolled:
// measured, LLVM's own scheduling of one step reaches the FMA limit, while
// unrolling costs stack spills.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace nacre;

/// True where so many pixels do not stay in the first cache from one step to
/// the next. Lines whose addresses differ by multiples of `kWayBytes` share
/// `kWays` places: 8 in Intel's cores up to Skylake, 12 since and in Zen 5.
static bool collide(int64_t pixels, int64_t stride) {
  constexpr int64_t kWayBytes = 4096, kLineBytes = 64, kWays = 8;
  if (stride <= kLineBytes) {
    return false;
  }
  int64_t places =
      kWayBytes / std::max(std::gcd(stride, kWayBytes), kLineBytes);
  // Weights pass by in one of the ways.
  return llvm::divideCeilSigned(pixels, places) > kWays - 1;
}

/// Estimated cycles of one reduction step of a tile: bound by FMA issue, load
/// issue, or the latency of too few independent accumulators. Loads cost a
/// little even where FMAs bound the step, which favours squarish tiles, and
/// more from the second cache: of a tile's weights, where those of all steps do
/// not fit the first, and of pixels that collide in it.
static double estimateStep(RegisterTile tile, int64_t weightBytes,
                           int64_t pixelStride) {
  constexpr double kPerCycle = 2, kLatency = 4, kLoadWeight = 0.15,
                   kDistantWeight = 0.5, kCollidingLoads = 3;
  constexpr int64_t kFirstCache = int64_t(1) << 15;
  bool areColliding = collide(tile.getPixels(), pixelStride);
  double loads = (areColliding ? kCollidingLoads : 1) * tile.getPixels() +
                 static_cast<double>(tile.vectors);
  bool isDistant = weightBytes * tile.vectors > kFirstCache;
  return std::max({tile.getAccumulators() / kPerCycle, loads / kPerCycle,
                   kLatency}) +
         kLoadWeight * tile.getPixels() +
         (isDistant ? kDistantWeight : kLoadWeight) * tile.vectors;
}

/// Splits `extent` into tiles of `tile` and a tail: calls visit(size, count).
static void forEachTileSize(int64_t extent, int64_t tile,
                            llvm::function_ref<void(int64_t, int64_t)> visit) {
  if (extent / tile > 0) {
    visit(tile, extent / tile);
  }
  if (extent % tile > 0) {
    visit(extent % tile, 1);
  }
}

static double estimateTotal(RegisterTile tile, int64_t rows, int64_t columns,
                            int64_t vectors, int64_t weightBytes,
                            int64_t pixelStride) {
  double total = 0;
  forEachTileSize(rows, tile.rows, [&](int64_t r, int64_t rCount) {
    forEachTileSize(columns, tile.columns, [&](int64_t c, int64_t cCount) {
      forEachTileSize(vectors, tile.vectors, [&](int64_t v, int64_t vCount) {
        total += estimateStep({r, c, v}, weightBytes, pixelStride) * rCount *
                 cCount * vCount;
      });
    });
  });
  return total;
}

RegisterTile nacre::chooseRegisterTile(OpFoldResult openRows,
                                       OpFoldResult openColumns,
                                       int64_t vectors, VectorMachine machine,
                                       TileConditions conditions) {
  // So large that what is left over of it does not count.
  constexpr int64_t kMany = 1 << 16;
  std::optional<int64_t> known = getConstantIntValue(openColumns);
  int64_t rows = getConstantIntValue(openRows).value_or(kMany);
  int64_t columns = known.value_or(kMany);
  int64_t weightBytes = conditions.steps * machine.lanes *
                        machine.floats.getIntOrFloatBitWidth() / 8;
  // What a larger tile must gain: on a tie the smaller is better, whose code is
  // shorter. Of unknown columns, each tile brings others for what it leaves
  // over, which is less where it is small.
  double enough = known ? 0.999 : 0.98;
  int64_t leastVectors = conditions.leastVectors;
  RegisterTile best{1, 1, leastVectors};
  double bestTime = std::numeric_limits<double>::max();
  for (int64_t v = leastVectors; v <= std::min<int64_t>(vectors, 8); ++v) {
    for (int64_t c = 1; c <= columns && c * v < machine.registers; ++c) {
      for (int64_t r = 1; r <= std::min<int64_t>(rows, 4); ++r) {
        // Rows are only worth joining where one row is a whole tile.
        if (r > 1 && c < columns) {
          break;
        }
        RegisterTile tile{r, c, v};
        // Besides accumulators: the weights of a step and one pixel, or all
        // pixels and a product.
        int64_t pixels = conditions.isFused ? 1 : tile.getPixels() + 1;
        if (tile.getAccumulators() + v + pixels > machine.registers) {
          break;
        }
        double time = estimateTotal(tile, rows, columns, vectors, weightBytes,
                                    conditions.pixelStride);
        if (time < bestTime * enough) {
          best = tile;
          bestTime = time;
        }
      }
    }
  }
  return best;
}

namespace {
/// Columns that are cut into tiles of one width.
struct Strip {
  Value first;
  Value end;
  int64_t width;
};
} // namespace

/// As many tiles of `width` as there are, then of the powers of two below.
static SmallVector<Strip> cutColumns(KernelBuilder &kernel, Value columns,
                                     int64_t width) {
  SmallVector<Strip> strips;
  Value first = kernel.index(0);
  while (width > 0) {
    Value rest =
        arith::SubIOp::create(kernel.builder, kernel.loc, columns, first);
    Value end = kernel.add(first, kernel.mul(kernel.div(rest, width), width));
    strips.push_back({first, end, width});
    first = end;
    auto power =
        static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(width)));
    width = power == width ? width / 2 : power;
  }
  return strips;
}

static void loopOver(KernelBuilder &kernel, Value first, Value end,
                     int64_t step, llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(kernel.builder, kernel.loc, first, end,
                                 kernel.index(step));
  OpBuilder::InsertionGuard guard(kernel.builder);
  kernel.builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void nacre::forEachTile(
    KernelBuilder &kernel, OpFoldResult rows, OpFoldResult columns,
    RegisterTile tile,
    llvm::function_ref<void(Value, Value, RegisterTile)> body) {
  if (getConstantIntValue(columns)) {
    kernel.tiles(rows, tile.rows, [&](Value row, int64_t tileRows) {
      kernel.tiles(columns, tile.columns,
                   [&](Value column, int64_t tileColumns) {
                     body(row, column, {tileRows, tileColumns, tile.vectors});
                   });
    });
    return;
  }
  // Fewer independent sums than this wait for each other.
  constexpr int64_t kEnough = 8;
  SmallVector<Strip> strips =
      cutColumns(kernel, kernel.index(columns), tile.columns);
  auto isWide = [&](const Strip &strip) {
    return strip.width == tile.columns || strip.width * tile.vectors >= kEnough;
  };
  kernel.loop(rows, [&](Value row) {
    for (const Strip &strip : strips) {
      if (isWide(strip)) {
        loopOver(kernel, strip.first, strip.end, strip.width,
                 [&](Value column) {
                   body(row, column,
                        {1, strip.width, tile.vectors,
                         /*isRemainder=*/strip.width < tile.columns});
                 });
      }
    }
  });
  for (const Strip &strip : strips) {
    if (isWide(strip)) {
      continue;
    }
    // There is one tile or none in a row.
    int64_t count =
        std::min(llvm::divideCeilSigned(kEnough, strip.width * tile.vectors),
                 tile.columns / strip.width);
    loopOver(kernel, strip.first, strip.end, strip.width, [&](Value column) {
      Value all = kernel.index(rows);
      Value whole = kernel.mul(kernel.div(all, count), count);
      loopOver(kernel, kernel.index(0), whole, count, [&](Value row) {
        body(row, column,
             {count, strip.width, tile.vectors, /*isRemainder=*/true});
      });
      if (count > 1) {
        loopOver(kernel, whole, all, 1, [&](Value row) {
          body(row, column,
               {1, strip.width, tile.vectors, /*isRemainder=*/true});
        });
      }
    });
  }
}

bool nacre::rollsWindow(const KernelBuilder &kernel, RegisterTile tile) {
  // Unrolled, steps through a window share pixels.
  return kernel.keepsNoWindow() || tile.isRemainder ||
         tile.getAccumulators() + tile.vectors + tile.getPixels() >
             kernel.machine.registers;
}

SmallVector<Value> nacre::buildContraction(KernelBuilder &kernel,
                                           RegisterTile tile,
                                           const ContractionOperands &operands,
                                           ArrayRef<Value> init) {
  SmallVector<Value> indices;
  bool isRolled = operands.isRolled || rollsWindow(kernel, tile);
  // LLVM would add what integers it can before it adds to the accumulators. As
  // a loop, two steps are worse than that.
  auto rollsChannels = [&](OpFoldResult extent) {
    return tile.isRemainder ||
           (kernel.keepsNoWindow() && getConstantIntValue(extent) != 2);
  };
  // One reduction loop per level; the innermost does the step.
  std::function<SmallVector<Value>(unsigned, ValueRange)> build =
      [&](unsigned level, ValueRange carried) -> SmallVector<Value> {
    if (level < operands.reduction.size()) {
      bool isInnermost = level + 1 == operands.reduction.size();
      return kernel.reduce(
          operands.reduction[level], carried,
          [&](Value iv, ValueRange accumulators) {
            indices.push_back(iv);
            SmallVector<Value> result = build(level + 1, accumulators);
            indices.pop_back();
            return result;
          },
          isInnermost ? rollsChannels(operands.reduction[level]) : isRolled);
    }
    SmallVector<Value> results(carried);
    SmallVector<Value> weights;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      weights.push_back(operands.loadWeights(v, indices));
    }
    unsigned position = 0;
    for (int64_t r = 0; r < tile.rows; ++r) {
      for (int64_t c = 0; c < tile.columns; ++c) {
        Value pixel = operands.loadPixel(r, c, indices);
        for (Value weight : weights) {
          Value &accumulator = results[position++];
          accumulator = kernel.multiplyAdd(pixel, weight, accumulator,
                                           /*usesLeftOnce=*/tile.vectors == 1);
        }
      }
    }
    return results;
  };
  return build(0, init);
}
