//===- Winograd.cpp - Kernel of VPU.NCE.WinogradConvolution ---------------===//
//
// Chunk after chunk of tiles: inputs into planes of scratch, one for each
// point, one register tiled product per plane, and back. Tiles at the right and
// bottom edge that are only partly needed have code of their own.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

namespace {

/// Tiles that are worked on together: `rows` rows of `columns` tiles and, where
/// `lastRows` or `lastColumns` are not zero, one more row or column of tiles of
/// that height or width at the end.
struct Chunk {
  Value image;
  Value row;    // the first tile row
  Value column; // the first tile column
  int64_t rows;
  int64_t lastRows;
  int64_t columns;
  int64_t lastColumns;

  int64_t getRows() const { return rows + (lastRows > 0 ? 1 : 0); }
  int64_t getColumns() const { return columns + (lastColumns > 0 ? 1 : 0); }
  int64_t getTiles() const { return getRows() * getColumns(); }
};

/// One tile: its number in the chunk, its first output and how many it has.
struct Tile {
  Value number;
  Value row;
  Value column;
  int64_t rows;
  int64_t columns;
};

/// Where transformed columns wait for their rows: one vector for each point.
struct Staging {
  Value memref;
  llvm::function_ref<SmallVector<Value>(Value row, Value column)> at;
};

class WinogradEmitter {
public:
  WinogradEmitter(KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op);
  void emit();

private:
  void emitChunk(const Chunk &chunk);
  void transformInputs(const Chunk &chunk);
  void multiply(const Chunk &chunk);
  void transformOutputs(const Chunk &chunk);
  /// Transforms the columns of a tile, then calls visitRow(row, values of all
  /// columns) for each row. No registers hold all points of a tile: columns
  /// that would be spilled are stored where `staging` says.
  void
  transformTile(int64_t columns, int64_t rows, const Staging &staging,
                llvm::function_ref<SmallVector<Value>(Value)> transformColumn,
                llvm::function_ref<void(int64_t, ArrayRef<Value>)> visitRow);
  /// Calls visit(block, tile) for each tile of a chunk.
  void forEachTile(const Chunk &chunk, int64_t blocks,
                   llvm::function_ref<void(Value, const Tile &)> visit);

  /// Scratch as planes (blocks, tiles, lanes), `pitch` elements apart.
  Value viewPlanes(Value scratch, int64_t blocks, int64_t tiles, int64_t pitch,
                   int64_t lanes);

  /// The number of a point of a tile.
  Value getPoint(Value row, Value column) {
    return kernel.add(kernel.mul(row, inputTileSize), column);
  }

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
  ArrayRef<double> points;
  Value inputPlanes, outputPlanes;
};

} // namespace

WinogradEmitter::WinogradEmitter(KernelBuilder &kernel,
                                 VPU::NCEWinogradConvolutionOp op)
    : kernel(kernel), op(op), tileSize(op.getTileSize()),
      inputTileSize(op.getInputTileSize(tileSize)), pack(op.getPack()),
      points(op.getSignedPoints(tileSize)) {
  int64_t tiles = op.getChunk()[0] * op.getChunk()[1];
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  inputPlanes = viewPlanes(op.getInputPlanes(), weights[2], tiles,
                           op.getInputPitch(tiles), weights[3] * pack);
  outputPlanes = viewPlanes(op.getOutputPlanes(), weights[1], tiles,
                            op.getOutputPitch(tiles), weights[4]);
}

Value WinogradEmitter::viewPlanes(Value scratch, int64_t blocks, int64_t tiles,
                                  int64_t pitch, int64_t lanes) {
  SmallVector<int64_t> sizes = {op.getNumPoints(), blocks, tiles, lanes};
  SmallVector<int64_t> strides = {pitch, tiles * lanes, lanes, 1};
  auto type = MemRefType::get(
      sizes, getElementType(scratch),
      StridedLayoutAttr::get(kernel.builder.getContext(), 0, strides));
  return memref::ReinterpretCastOp::create(kernel.builder, kernel.loc, type,
                                           scratch, 0, sizes, strides);
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
  ArrayRef<int64_t> out = getShape(op.getInit());
  int64_t fullRows = out[2] / tileSize, lastRows = out[2] % tileSize;
  int64_t fullColumns = out[3] / tileSize, lastColumns = out[3] % tileSize;
  int64_t allColumns = fullColumns + (lastColumns > 0 ? 1 : 0);
  // Every chunk reads all weights: a last row that is not full shares one with
  // the rows before it.
  int64_t chunkRows = op.getChunk()[0];
  int64_t fullChunks = fullRows / chunkRows;
  int64_t restRows = fullRows % chunkRows;
  auto emitRows = [&](Value image, Value row, int64_t rows, int64_t last) {
    if (op.getChunk()[1] >= allColumns) {
      emitChunk(
          {image, row, kernel.index(0), rows, last, fullColumns, lastColumns});
      return;
    }
    kernel.tiles(fullColumns, op.getChunk()[1],
                 [&](Value column, int64_t columns) {
                   emitChunk({image, row, column, rows, last, columns, 0});
                 });
    if (lastColumns > 0) {
      emitChunk(
          {image, row, kernel.index(fullColumns), rows, last, 0, lastColumns});
    }
  };
  kernel.loop(out[0], [&](Value image) {
    kernel.loop(fullChunks * chunkRows, chunkRows,
                [&](Value row) { emitRows(image, row, chunkRows, 0); });
    if (restRows + lastRows > 0) {
      emitRows(image, kernel.index(fullChunks * chunkRows), restRows, lastRows);
    }
  });
}

void WinogradEmitter::emitChunk(const Chunk &chunk) {
  transformInputs(chunk);
  multiply(chunk);
  transformOutputs(chunk);
}

void WinogradEmitter::forEachTile(
    const Chunk &chunk, int64_t blocks,
    llvm::function_ref<void(Value, const Tile &)> visit) {
  kernel.loop(blocks, [&](Value block) {
    auto visitRow = [&](Value r, int64_t rowsPerTile) {
      Value row = kernel.mul(kernel.add(chunk.row, r), tileSize);
      Value firstTile = kernel.mul(r, chunk.getColumns());
      auto visitColumn = [&](Value c, int64_t columnsPerTile) {
        Value column = kernel.mul(kernel.add(chunk.column, c), tileSize);
        visit(block, {kernel.add(firstTile, c), row, column, rowsPerTile,
                      columnsPerTile});
      };
      kernel.loop(chunk.columns, [&](Value c) { visitColumn(c, tileSize); });
      if (chunk.lastColumns > 0) {
        visitColumn(kernel.index(chunk.columns), chunk.lastColumns);
      }
    };
    kernel.loop(chunk.rows, [&](Value r) { visitRow(r, tileSize); });
    if (chunk.lastRows > 0) {
      visitRow(kernel.index(chunk.rows), chunk.lastRows);
    }
  });
}

void WinogradEmitter::transformTile(
    int64_t columns, int64_t rows, const Staging &staging,
    llvm::function_ref<SmallVector<Value>(Value)> transformColumn,
    llvm::function_ref<void(int64_t, ArrayRef<Value>)> visitRow) {
  // Registers for what a row's transform computes on the way.
  constexpr int64_t kSpare = 8;
  Lanes lanes = kernel.fullLanes();
  int64_t held = std::clamp<int64_t>((kernel.machine.registers - kSpare) / rows,
                                     0, columns);
  int64_t staged = columns - held;
  auto at = [&](int64_t r, Value c) { return staging.at(kernel.index(r), c); };
  // A loop that LLVM unrolled would be in registers again.
  kernel.rolledLoop(staged, [&](Value c) {
    for (auto [r, value] : llvm::enumerate(transformColumn(c))) {
      kernel.store(value, staging.memref, at(r, c), lanes);
    }
  });
  SmallVector<SmallVector<Value>> transformed;
  for (int64_t c = staged; c < columns; ++c) {
    transformed.push_back(transformColumn(kernel.index(c)));
  }
  for (int64_t r = 0; r < rows; ++r) {
    SmallVector<Value> values;
    for (int64_t c = 0; c < staged; ++c) {
      values.push_back(
          kernel.load(staging.memref, at(r, kernel.index(c)), lanes));
    }
    for (ArrayRef<Value> column : transformed) {
      values.push_back(column[r]);
    }
    visitRow(r, values);
  }
}

void WinogradEmitter::transformInputs(const Chunk &chunk) {
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.splat(0, lanes), first = kernel.index(0);
  // What a tile needs of its input beyond what it produces.
  int64_t overlap = inputTileSize - tileSize;
  // Products are yet to come: the memory of the first is free.
  auto at = [&](Value r, Value c) {
    return SmallVector<Value>{getPoint(r, c), first, first, first};
  };
  Staging staging{
      viewPlanes(op.getOutputPlanes(), 1, 1, lanes.width, lanes.width), at};
  forEachTile(
      chunk, getShape(op.getWeights())[2], [&](Value block, const Tile &tile) {
        auto transformColumn = [&](Value c) {
          SmallVector<Value> values(inputTileSize, zero);
          for (int64_t r = 0; r < tile.rows + overlap; ++r) {
            values[r] =
                kernel.loadFloats(op.getInput(),
                                  {chunk.image, block, kernel.add(tile.row, r),
                                   kernel.add(tile.column, c), first},
                                  lanes);
          }
          return transformInput(values);
        };
        auto visitRow = [&](int64_t r, ArrayRef<Value> row) {
          SmallVector<Value> values(row);
          values.resize(inputTileSize, zero);
          for (auto [c, value] : llvm::enumerate(transformInput(values))) {
            kernel.store(value, inputPlanes,
                         {kernel.index(r * inputTileSize + c), block,
                          tile.number, first},
                         lanes);
          }
        };
        transformTile(tile.columns + overlap, inputTileSize, staging,
                      transformColumn, visitRow);
      });
}

void WinogradEmitter::multiply(const Chunk &chunk) {
  ArrayRef<int64_t> shape = getShape(op.getWeights());
  Value weights =
      pack == 1 ? op.getWeights() : collapse(kernel, op.getWeights(), 4, 5);
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.index(0);
  auto type = cast<MemRefType>(op.getWeights().getType());
  bool streams = type.getNumElements() * type.getElementTypeBitWidth() / 8 >
                 kernel.machine.cacheBytes;
  // Weights that no cache holds are read once for as many tiles as possible.
  constexpr int64_t kStreamedVectors = 2;
  RegisterTile tile = chooseRegisterTile(
      1, chunk.getTiles(),
      streams ? std::min(shape[1], kStreamedVectors) : shape[1],
      kernel.machine);
  // They are asked for one register tile of channels ahead, by all tiles that
  // share the current ones in turn: at once they would be waited for.
  int64_t turns = llvm::divideCeilSigned(chunk.getTiles(), tile.columns);
  kernel.loop(op.getNumPoints(), [&](Value point) {
    kernel.tiles(shape[1], tile.vectors, [&](Value block, int64_t vectors) {
      kernel.tiles(
          chunk.getTiles(), tile.columns, [&](Value first, int64_t tiles) {
            auto loadTile = [&](int64_t, int64_t c, ValueRange k) {
              return kernel.loadLeft(
                  inputPlanes,
                  {point, k[0], kernel.add(first, c), kernel.mul(k[1], pack)},
                  pack);
            };
            auto loadWeights = [&](int64_t v, ValueRange k) {
              int64_t perTurn = llvm::divideCeilSigned(vectors, turns);
              if (streams && v < perTurn) {
                Value turn = kernel.div(first, tile.columns);
                Value ahead =
                    kernel.add(kernel.mul(turn, perTurn), v + vectors);
                kernel.prefetch(weights, {point, kernel.add(block, ahead), k[0],
                                          k[1], zero});
              }
              return kernel.loadRight(
                  weights, {point, kernel.add(block, v), k[0], k[1], zero},
                  pack, lanes);
            };
            RegisterTile current{1, tiles, vectors};
            SmallVector<Value> init(current.getAccumulators(),
                                    kernel.splat(0, lanes));
            SmallVector<Value> results = buildContraction(
                kernel, current,
                {kernel.extents({shape[2], shape[3]}), loadTile, loadWeights},
                init);
            for (auto [i, result] : llvm::enumerate(results)) {
              kernel.store(result, outputPlanes,
                           {point, kernel.add(block, i % vectors),
                            kernel.add(first, i / vectors), zero},
                           lanes);
            }
          });
    });
  });
}

void WinogradEmitter::transformOutputs(const Chunk &chunk) {
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.index(0);
  forEachTile(
      chunk, getShape(op.getWeights())[1], [&](Value block, const Tile &tile) {
        // A transformed column has its place among the products it is made of.
        auto place = [&](Value r, Value c) {
          return SmallVector<Value>{getPoint(r, c), block, tile.number, zero};
        };
        Staging staging{outputPlanes, place};
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
        Value bias = op.getBias()
                         ? kernel.load(op.getBias(), {block, zero}, lanes)
                         : Value();
        auto visitRow = [&](int64_t r, ArrayRef<Value> row) {
          SmallVector<Value> outputs = transformOutput(row);
          for (int64_t c = 0; c < tile.columns; ++c) {
            SmallVector<Value> at = {chunk.image, block,
                                     kernel.add(tile.row, r),
                                     kernel.add(tile.column, c), zero};
            Value result = outputs[c];
            if (bias) {
              result = kernel.addVectors(result, bias);
            }
            if (op.getResidual()) {
              result = kernel.addVectors(
                  result, kernel.loadFloats(op.getResidual(), at, lanes));
            }
            kernel.storeResult(op.getPpe(), result, op.getInit(), at, lanes);
          }
        };
        transformTile(inputTileSize, tile.rows, staging, transformColumn,
                      visitRow);
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
