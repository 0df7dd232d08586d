//===- RegisterTile.cpp - The contraction micro-kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits register tiles. The reduction loops are left rolled:
// measured, LLVM's own scheduling of one step reaches the FMA limit, while
// unrolling costs stack spills.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

VPU::KernelStrategyAttr nacre::getKernelStrategy(Operation *op) {
  return VPU::StrategyAttr::lookup(op).getKernel();
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
  SmallVector<Strip> strips =
      cutColumns(kernel, kernel.index(columns), tile.columns);
  auto isWide = [&](const Strip &strip) {
    return strip.width == tile.columns ||
           strip.width * tile.vectors >= VPU::kSumsInFlight;
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
    int64_t count = std::min(
        llvm::divideCeilSigned(VPU::kSumsInFlight, strip.width * tile.vectors),
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
