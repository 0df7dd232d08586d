//===- WeightSweep.cpp - Weights that are on their way --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor foresees lines that follow each other within a page. The vectors
// of a tile are pages apart, and none goes on for long.
//
//===----------------------------------------------------------------------===//

#include "WeightSweep.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

static int64_t getElementBytes(Value memref) {
  return getElementType(memref).getIntOrFloatBitWidth() / 8;
}

/// `indices` with `elements` more in the last.
static SmallVector<Value> shift(KernelBuilder &kernel, ArrayRef<Value> indices,
                                Value elements) {
  SmallVector<Value> result(indices);
  result.back() = kernel.add(result.back(), elements);
  return result;
}

WeightSweep::WeightSweep(KernelBuilder &kernel, const WeightRun &next,
                         const TilePlace &tile)
    : kernel(&kernel), weights(next.weights) {
  OpBuilder &b = kernel.builder;
  int64_t perLine = VPU::kCacheLineBytes / getElementBytes(weights);
  int64_t perStep = next.vectors * next.elements;
  int64_t share = perStep * tile.pixels; // of all pixels
  int64_t numLines = 1;
  if (std::optional<int64_t> all = getConstantIntValue(tile.all)) {
    int64_t known = llvm::divideCeilSigned(share, std::max<int64_t>(*all, 1));
    stride = kernel.index(known);
    numLines = llvm::divideCeilSigned(known, perLine);
  } else {
    Value even = arith::CeilDivUIOp::create(b, kernel.loc, kernel.index(share),
                                            tile.all);
    stride = arith::MinUIOp::create(b, kernel.loc, even, kernel.index(perLine));
  }
  Value before = b.createOrFold<arith::DivUIOp>(
      kernel.loc, kernel.mul(tile.before, perStep * next.steps), tile.all);
  for (int64_t line = 0; line < numLines; ++line) {
    lines.push_back(
        shift(kernel, next.begin, kernel.add(before, line * perLine)));
  }
}

void WeightSweep::prefetch(Value step) const {
  Value reached =
      kernel->builder.createOrFold<arith::MulIOp>(kernel->loc, step, stride);
  for (ArrayRef<Value> line : lines) {
    kernel->prefetch(weights, shift(*kernel, line, reached), /*cache=*/2);
  }
}
