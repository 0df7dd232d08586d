//===- Winograd.cpp - Kernel of VPU.NCE.WinogradConvolution ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunk after chunk of tiles: inputs into planes of scratch, one for each
// point, one register tiled product per plane, and back.
//
//===----------------------------------------------------------------------===//

#include "WinogradChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

namespace {

/// How many transformed columns wait for their rows in memory, and where: one
/// vector for each point.
struct Staging {
  int64_t columns;
  Value memref;
  llvm::function_ref<SmallVector<Value>(Value row, Value column)> at;
};

class WinogradEmitter {
public:
  WinogradEmitter(KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op);
  void emit();

private:
  void transformInputs(const WinogradChunk &chunk);
  void multiply(const WinogradChunk &chunk);
  void transformOutputs(const WinogradChunk &chunk);
  /// Transforms the columns of a tile, then calls visitRow(row, values of all
  /// columns) for each row. The first `staging.columns` wait in memory, the
  /// others in registers. The last row comes first on request.
  void
  transformTile(int64_t columns, int64_t rows, const Staging &staging,
                llvm::function_ref<SmallVector<Value>(Value)> transformColumn,
                llvm::function_ref<void(int64_t, ArrayRef<Value>)> visitRow,
                bool backwards = false);

  /// Scratch as groups of planes (blocks, tiles, lanes), `pitch` elements
  /// apart.
  Value viewPlanes(Value scratch, int64_t groups, int64_t blocks, int64_t tiles,
                   int64_t pitch, int64_t lanes);

  /// The number of a point of a tile.
  Value getPoint(Value row, Value column) {
    return kernel.add(kernel.mul(row, inputTileSize), column);
  }

  /// The smaller of both; `index` where there is no `last`.
  Value clamp(Value index, Value last);
  Value sub(Value a, Value b);
  /// a * factor + b; a * factor where b is null.
  Value fma(Value a, double factor, Value b);
  /// The polynomial in x² with these coefficients, the last of them 1, times
  /// x^first, where d[i] stands for x^i.
  Value evaluate(ArrayRef<double> coefficients, ArrayRef<Value> d,
                 int64_t first);
  SmallVector<Value> transformInput(ArrayRef<Value> d);
  SmallVector<Value> transformOutput(ArrayRef<Value> m);

  KernelBuilder &kernel;
  VPU::NCEWinogradConvolutionOp op;
  /// Outputs and inputs of a tile per row and column.
  int64_t tileSize, inputTileSize;
  int64_t pack;
  VPU::StagedColumnsAttr staged;
  ArrayRef<double> points;
  Value inputPlanes, outputPlanes;
};

} // namespace

WinogradEmitter::WinogradEmitter(KernelBuilder &kernel,
                                 VPU::NCEWinogradConvolutionOp op)
    : kernel(kernel), op(op), tileSize(op.getTileSize()),
      inputTileSize(op.getInputTileSize(tileSize)), pack(op.getPack()),
      staged(getKernelStrategy(op).getStagedColumns()),
      points(op.getSignedPoints(tileSize)) {
  int64_t groups = op.getNumGroups(), tiles = op.getTilesPerGroup();
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  inputPlanes = viewPlanes(op.getInputPlanes(), groups, weights[2], tiles,
                           op.getInputPitch(tiles), weights[3] * pack);
  outputPlanes = viewPlanes(op.getOutputPlanes(), groups, weights[1], tiles,
                            op.getOutputPitch(tiles), weights[4]);
}

Value WinogradEmitter::viewPlanes(Value scratch, int64_t groups, int64_t blocks,
                                  int64_t tiles, int64_t pitch, int64_t lanes) {
  int64_t points = op.getNumPoints();
  SmallVector<int64_t> sizes = {groups, points, blocks, tiles, lanes};
  SmallVector<int64_t> strides = {points * pitch, pitch, tiles * lanes, lanes,
                                  1};
  auto type = MemRefType::get(
      sizes, getElementType(scratch),
      StridedLayoutAttr::get(kernel.builder.getContext(), 0, strides));
  return memref::ReinterpretCastOp::create(kernel.builder, kernel.loc, type,
                                           scratch, 0, sizes, strides);
}

Value WinogradEmitter::clamp(Value index, Value last) {
  return last ? arith::MinUIOp::create(kernel.builder, kernel.loc, index, last)
              : index;
}

Value WinogradEmitter::sub(Value a, Value b) {
  return arith::SubFOp::create(kernel.builder, kernel.loc, a, b);
}

Value WinogradEmitter::fma(Value a, double factor, Value b) {
  if (factor == 1) {
    return b ? kernel.addVectors(a, b) : a;
  }
  if (factor == -1 && b) {
    return sub(b, a);
  }
  Value c = kernel.splat(factor, kernel.fullLanes());
  if (!b) {
    return arith::MulFOp::create(kernel.builder, kernel.loc, a, c);
  }
  return vector::FMAOp::create(kernel.builder, kernel.loc, a, c, b);
}

/// The product of x² - p² over `points` but the one at `except`, as
/// coefficients of powers of x².
static SmallVector<double> multiplyFactors(ArrayRef<double> points,
                                           size_t except) {
  SmallVector<double> product = {1};
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == except) {
      continue;
    }
    product.insert(product.begin(), 0);
    for (size_t k = 0; k + 1 < product.size(); ++k) {
      product[k] -= points[i] * points[i] * product[k + 1];
    }
  }
  return product;
}

Value WinogradEmitter::evaluate(ArrayRef<double> coefficients,
                                ArrayRef<Value> d, int64_t first) {
  size_t last = coefficients.size() - 1;
  Value sum = d[first + 2 * last];
  for (size_t k = 0; k < last; ++k) {
    sum = fma(d[first + 2 * k], coefficients[k], sum);
  }
  return sum;
}

/// One dimension of a tile of inputs, at the points 0, p, -p, …, infinity. The
/// value at a point is that of the polynomial which is zero at all others.
SmallVector<Value> WinogradEmitter::transformInput(ArrayRef<Value> d) {
  SmallVector<double> all = multiplyFactors(points, points.size());
  SmallVector<Value> values = {evaluate(all, d, 0)};
  for (auto [i, point] : llvm::enumerate(points)) {
    SmallVector<double> others = multiplyFactors(points, i);
    Value even = evaluate(others, d, 2), odd = evaluate(others, d, 1);
    values.push_back(fma(odd, point, even));
    values.push_back(fma(odd, -point, even));
  }
  values.push_back(evaluate(all, d, 1));
  return values;
}

/// One dimension of a tile of products back to outputs: output i is the sum of
/// p^(i-1) times the product at p, since the weights at p and -p are p times
/// too large.
SmallVector<Value> WinogradEmitter::transformOutput(ArrayRef<Value> m) {
  SmallVector<Value> sums, differences;
  for (size_t i = 0; i < points.size(); ++i) {
    Value plus = m[2 * i + 1], minus = m[2 * i + 2];
    sums.push_back(kernel.addVectors(plus, minus));
    differences.push_back(sub(plus, minus));
  }
  SmallVector<Value> outputs;
  for (int64_t i = 0; i < tileSize; ++i) {
    Value output;
    if (i == 0) {
      output = m.front();
    } else if (i == tileSize - 1) {
      output = m.back();
    }
    for (auto [k, point] : llvm::enumerate(points)) {
      output = fma(i % 2 ? differences[k] : sums[k],
                   std::pow(point, static_cast<double>(i - 1)), output);
    }
    outputs.push_back(output);
  }
  return outputs;
}

void WinogradEmitter::emit() {
  forEachWinogradChunk(kernel, op, [&](const WinogradChunk &chunk) {
    transformInputs(chunk);
    multiply(chunk);
    transformOutputs(chunk);
  });
}

void WinogradEmitter::transformTile(
    int64_t columns, int64_t rows, const Staging &staging,
    llvm::function_ref<SmallVector<Value>(Value)> transformColumn,
    llvm::function_ref<void(int64_t, ArrayRef<Value>)> visitRow,
    bool backwards) {
  Lanes lanes = kernel.fullLanes();
  auto at = [&](int64_t r, Value c) { return staging.at(kernel.index(r), c); };
  // A loop that LLVM unrolled would be in registers again.
  kernel.rolledLoop(staging.columns, [&](Value c) {
    for (auto [r, value] : llvm::enumerate(transformColumn(c))) {
      kernel.store(value, staging.memref, at(r, c), lanes);
    }
  });
  SmallVector<SmallVector<Value>> transformed;
  for (int64_t c = staging.columns; c < columns; ++c) {
    transformed.push_back(transformColumn(kernel.index(c)));
  }
  for (int64_t i = 0; i < rows; ++i) {
    int64_t r = backwards ? rows - 1 - i : i;
    SmallVector<Value> values;
    for (int64_t c = 0; c < staging.columns; ++c) {
      values.push_back(
          kernel.load(staging.memref, at(r, kernel.index(c)), lanes));
    }
    for (ArrayRef<Value> column : transformed) {
      values.push_back(column[r]);
    }
    visitRow(r, values);
  }
}

void WinogradEmitter::transformInputs(const WinogradChunk &chunk) {
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.splat(0, lanes), first = kernel.index(0);
  // What a tile needs of its input beyond what it produces.
  int64_t overlap = inputTileSize - tileSize;
  // Products are yet to come: the memory of the first is free.
  auto at = [&](Value r, Value c) {
    return SmallVector<Value>{first, getPoint(r, c), first, first, first};
  };
  Staging staging{
      staged ? staged.getInputs() : 0,
      viewPlanes(op.getOutputPlanes(), 1, 1, 1, lanes.width, lanes.width), at};
  chunk.forEachTile(
      kernel, getShape(op.getWeights())[2],
      [&](Value block, const WinogradTile &tile) {
        Value lastRow, lastColumn;
        if (tile.lastRow) {
          lastRow = kernel.add(tile.lastRow, overlap);
        }
        if (tile.lastColumn) {
          lastColumn = kernel.add(tile.lastColumn, overlap);
        }
        SmallVector<Value> rows;
        for (int64_t r = 0; r < tile.rows + overlap; ++r) {
          // What the first output needs is there.
          rows.push_back(
              clamp(kernel.add(tile.row, r), r > overlap ? lastRow : Value()));
        }
        auto transformColumn = [&](Value c) {
          SmallVector<Value> values(inputTileSize, zero);
          Value column = clamp(kernel.add(tile.column, c), lastColumn);
          for (auto [r, row] : llvm::enumerate(rows)) {
            values[r] = kernel.loadFloats(
                op.getInput(), {tile.image, block, row, column, first}, lanes);
          }
          return transformInput(values);
        };
        auto visitRow = [&](int64_t r, ArrayRef<Value> row) {
          SmallVector<Value> values(row);
          values.resize(inputTileSize, zero);
          for (auto [c, value] : llvm::enumerate(transformInput(values))) {
            kernel.store(value, inputPlanes,
                         {tile.group, kernel.index(r * inputTileSize + c),
                          block, tile.number, first},
                         lanes);
          }
        };
        transformTile(tile.columns + overlap, inputTileSize, staging,
                      transformColumn, visitRow);
      });
}

void WinogradEmitter::multiply(const WinogradChunk &chunk) {
  ArrayRef<int64_t> shape = getShape(op.getWeights());
  Value weights =
      pack == 1 ? op.getWeights() : collapse(kernel, op.getWeights(), 4, 5);
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.index(0);
  VPU::KernelStrategyAttr strategy = getKernelStrategy(op);
  bool prefetches = strategy.getPrefetchWeights();
  // One for each number of tiles next to each other.
  SmallVector<int64_t> sizes = op.getTilesOfChunks();
  auto *size = llvm::find(sizes, chunk.getTilesPerGroup());
  RegisterTile tile = strategy.getRegisters()[size - sizes.begin()].getTile();
  kernel.loop(op.getNumPoints(), [&](Value point) {
    kernel.tiles(shape[1], tile.vectors, [&](Value block, int64_t vectors) {
      RegisterTile current{1, tile.columns, vectors};
      // They are asked for one register tile of channels ahead, by all strips
      // that share the current ones in turn: at once they would be waited for.
      int64_t perTurn =
          llvm::divideCeilSigned(vectors, chunk.getTurns(current));
      chunk.forEachStrip(kernel, current, [&](const WinogradStrip &strip) {
        auto loadTile = [&](int64_t, int64_t c, ValueRange k) {
          return kernel.loadLeft(inputPlanes,
                                 {strip.group, point, k[0],
                                  kernel.add(strip.first, c),
                                  kernel.mul(k[1], pack)},
                                 pack);
        };
        auto loadWeights = [&](int64_t v, ValueRange k) {
          if (prefetches && v < perTurn) {
            Value ahead =
                kernel.add(kernel.mul(strip.turn, perTurn), v + vectors);
            kernel.prefetch(
                weights, {point, kernel.add(block, ahead), k[0], k[1], zero});
          }
          return kernel.loadRight(
              weights, {point, kernel.add(block, v), k[0], k[1], zero}, pack,
              lanes);
        };
        RegisterTile part{1, strip.count, vectors, strip.isRemainder};
        SmallVector<Value> init(part.getAccumulators(), kernel.splat(0, lanes));
        SmallVector<Value> results = buildContraction(
            kernel, part,
            {kernel.extents({shape[2], shape[3]}), loadTile, loadWeights},
            init);
        for (auto [i, result] : llvm::enumerate(results)) {
          kernel.store(result, outputPlanes,
                       {strip.group, point, kernel.add(block, i % vectors),
                        kernel.add(strip.first, i / vectors), zero},
                       lanes);
        }
      });
    });
  });
}

void WinogradEmitter::transformOutputs(const WinogradChunk &chunk) {
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.index(0);
  chunk.forEachTile(
      kernel, getShape(op.getWeights())[1],
      [&](Value block, const WinogradTile &tile) {
        // A transformed column has its place among the products it is made of.
        auto place = [&](Value r, Value c) {
          return SmallVector<Value>{tile.group, getPoint(r, c), block,
                                    tile.number, zero};
        };
        Staging staging{staged ? staged.getOutputs() : 0, outputPlanes, place};
        auto transformColumn = [&](Value c) {
          SmallVector<Value> values;
          for (int64_t r = 0; r < inputTileSize; ++r) {
            values.push_back(
                kernel.load(outputPlanes, place(kernel.index(r), c), lanes));
          }
          SmallVector<Value> outputs = transformOutput(values);
          outputs.resize(tile.rows);
          return outputs;
        };
        // What is beyond an edge is written first, where the last row and
        // column then are.
        bool backwards = tile.isClamped();
        Value bias = op.getBias()
                         ? kernel.load(op.getBias(), {block, zero}, lanes)
                         : Value();
        auto visitRow = [&](int64_t r, ArrayRef<Value> row) {
          SmallVector<Value> outputs = transformOutput(row);
          auto place = [&](Value start, int64_t i, Value last) {
            return clamp(kernel.add(start, i), i > 0 ? last : Value());
          };
          for (int64_t i = 0; i < tile.columns; ++i) {
            int64_t c = backwards ? tile.columns - 1 - i : i;
            SmallVector<Value> at = {
                tile.image, block, place(tile.row, r, tile.lastRow),
                place(tile.column, c, tile.lastColumn), zero};
            Value result = outputs[c];
            if (bias) {
              result = kernel.addVectors(result, bias);
            }
            kernel.storeResult(op.getPpe(), result, op.getInit(), at, lanes,
                               op.getResidual());
          }
        };
        transformTile(inputTileSize, tile.rows, staging, transformColumn,
                      visitRow, backwards);
      });
}

namespace {

struct WinogradKernel final : OpRewritePattern<VPU::NCEWinogradConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEWinogradConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    ArrayRef<int64_t> weights = getShape(op.getWeights());
    if (weights[3] * op.getPack() != kernel.machine.lanes ||
        weights[4] != kernel.machine.lanes) {
      return rewriter.notifyMatchFailure(op, "needs blocks of one vector");
    }
    if (!op.getInputPlanes()) {
      return rewriter.notifyMatchFailure(
          op, "needs scratch: run vpu-allocate-scratch");
    }
    WinogradEmitter(kernel, op).emit();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nacre::populateWinogradKernels(RewritePatternSet &patterns) {
  patterns.add<WinogradKernel>(patterns.getContext());
}
