//===- Winograd.cpp - Kernel of VPU.NCE.WinogradConvolution ---------------===//
//
// Chunk after chunk of tiles: inputs into 36 planes of scratch, one register
// tiled product per plane, and back. Tiles at the right and bottom edge that
// are only partly needed have code of their own.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

namespace {

constexpr int64_t kTile = VPU::NCEWinogradConvolutionOp::tileSize;
constexpr int64_t kInputTile = VPU::NCEWinogradConvolutionOp::inputTileSize;
constexpr int64_t kPoints = VPU::NCEWinogradConvolutionOp::numPoints;
/// What a tile needs of its input beyond what it produces.
constexpr int64_t kOverlap = kInputTile - kTile;

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

class WinogradEmitter {
public:
  WinogradEmitter(KernelBuilder &kernel, VPU::NCEWinogradConvolutionOp op);
  void emit();

private:
  void emitChunk(const Chunk &chunk);
  void transformInputs(const Chunk &chunk);
  void multiply(const Chunk &chunk);
  void transformOutputs(const Chunk &chunk);
  /// Calls visit(block, tile) for each tile of a chunk.
  void forEachTile(const Chunk &chunk, int64_t blocks,
                   llvm::function_ref<void(Value, const Tile &)> visit);

  /// Scratch as 36 planes (blocks, tiles, lanes), `pitch` elements apart.
  Value viewPlanes(int64_t offset, int64_t blocks, int64_t tiles,
                   int64_t pitch);

  Value sub(Value a, Value b);
  /// a * factor + b
  Value fma(Value a, double factor, Value b);
  SmallVector<Value> transformInput(ArrayRef<Value> d);
  SmallVector<Value> transformOutput(ArrayRef<Value> m);

  KernelBuilder &kernel;
  VPU::NCEWinogradConvolutionOp op;
  Value inputPlanes, outputPlanes;
};

} // namespace

WinogradEmitter::WinogradEmitter(KernelBuilder &kernel,
                                 VPU::NCEWinogradConvolutionOp op)
    : kernel(kernel), op(op) {
  int64_t tiles = op.getChunk()[0] * op.getChunk()[1];
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  int64_t inputPitch = op.getInputPitch(tiles);
  inputPlanes = viewPlanes(0, weights[2], tiles, inputPitch);
  outputPlanes = viewPlanes(kPoints * inputPitch, weights[1], tiles,
                            op.getOutputPitch(tiles));
}

Value WinogradEmitter::viewPlanes(int64_t offset, int64_t blocks, int64_t tiles,
                                  int64_t pitch) {
  int64_t lanes = kernel.machine.lanes;
  SmallVector<int64_t> sizes = {kPoints, blocks, tiles, lanes};
  SmallVector<int64_t> strides = {pitch, tiles * lanes, lanes, 1};
  auto type = MemRefType::get(
      sizes, kernel.builder.getF32Type(),
      StridedLayoutAttr::get(kernel.builder.getContext(), offset, strides));
  return memref::ReinterpretCastOp::create(kernel.builder, kernel.loc, type,
                                           op.getScratch(), offset, sizes,
                                           strides);
}

Value WinogradEmitter::sub(Value a, Value b) {
  return arith::SubFOp::create(kernel.builder, kernel.loc, a, b);
}

Value WinogradEmitter::fma(Value a, double factor, Value b) {
  return vector::FMAOp::create(kernel.builder, kernel.loc, a,
                               kernel.splat(factor, kernel.fullLanes()), b);
}

/// One dimension of a tile of inputs, at the points 0, 1, -1, 2, -2, infinity.
SmallVector<Value> WinogradEmitter::transformInput(ArrayRef<Value> d) {
  Value even = fma(d[2], -4, d[4]), odd = fma(d[1], -4, d[3]);
  Value far = sub(d[4], d[2]), slope = sub(d[3], d[1]);
  return {fma(d[0], 4, fma(d[2], -5, d[4])),
          kernel.addVectors(even, odd),
          sub(even, odd),
          fma(slope, 2, far),
          fma(slope, -2, far),
          fma(d[1], 4, fma(d[3], -5, d[5]))};
}

/// One dimension of a tile of products back to four outputs.
SmallVector<Value> WinogradEmitter::transformOutput(ArrayRef<Value> m) {
  Value nearSum = kernel.addVectors(m[1], m[2]), nearDiff = sub(m[1], m[2]);
  Value farSum = kernel.addVectors(m[3], m[4]), farDiff = sub(m[3], m[4]);
  return {kernel.addVectors(m[0], kernel.addVectors(nearSum, farSum)),
          fma(farDiff, 2, nearDiff), fma(farSum, 4, nearSum),
          kernel.addVectors(m[5], fma(farDiff, 8, nearDiff))};
}

void WinogradEmitter::emit() {
  ArrayRef<int64_t> out = getShape(op.getInit());
  int64_t fullRows = out[2] / kTile, lastRows = out[2] % kTile;
  int64_t fullColumns = out[3] / kTile, lastColumns = out[3] % kTile;
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
      Value row = kernel.mul(kernel.add(chunk.row, r), kTile);
      Value firstTile = kernel.mul(r, chunk.getColumns());
      auto visitColumn = [&](Value c, int64_t columnsPerTile) {
        Value column = kernel.mul(kernel.add(chunk.column, c), kTile);
        visit(block, {kernel.add(firstTile, c), row, column, rowsPerTile,
                      columnsPerTile});
      };
      kernel.loop(chunk.columns, [&](Value c) { visitColumn(c, kTile); });
      if (chunk.lastColumns > 0) {
        visitColumn(kernel.index(chunk.columns), chunk.lastColumns);
      }
    };
    kernel.loop(chunk.rows, [&](Value r) { visitRow(r, kTile); });
    if (chunk.lastRows > 0) {
      visitRow(kernel.index(chunk.rows), chunk.lastRows);
    }
  });
}

void WinogradEmitter::transformInputs(const Chunk &chunk) {
  Lanes lanes = kernel.fullLanes();
  Value zero = kernel.splat(0, lanes);
  forEachTile(
      chunk, getShape(op.getWeights())[2], [&](Value block, const Tile &tile) {
        // Column by column, then row by row.
        SmallVector<SmallVector<Value>> columns;
        for (int64_t c = 0; c < kInputTile; ++c) {
          SmallVector<Value> values(kInputTile, zero);
          for (int64_t r = 0; r < tile.rows + kOverlap; ++r) {
            if (c < tile.columns + kOverlap) {
              values[r] = kernel.loadFloats(
                  op.getInput(),
                  {chunk.image, block, kernel.add(tile.row, r),
                   kernel.add(tile.column, c), kernel.index(0)},
                  lanes);
            }
          }
          columns.push_back(transformInput(values));
        }
        for (int64_t r = 0; r < kInputTile; ++r) {
          SmallVector<Value> values;
          for (ArrayRef<Value> transformed : columns) {
            values.push_back(transformed[r]);
          }
          for (auto [c, value] : llvm::enumerate(transformInput(values))) {
            kernel.store(value, inputPlanes,
                         {kernel.index(r * kInputTile + c), block, tile.number,
                          kernel.index(0)},
                         lanes);
          }
        }
      });
}

void WinogradEmitter::multiply(const Chunk &chunk) {
  ArrayRef<int64_t> weights = getShape(op.getWeights());
  Lanes lanes = kernel.fullLanes();
  RegisterTile tile =
      chooseRegisterTile(1, chunk.getTiles(), weights[1], kernel.machine);
  Value zero = kernel.index(0);
  // Weights that come from memory are asked for one tile ahead.
  int64_t weightsBytes =
      ShapedType::getNumElements(weights) * int64_t(sizeof(float));
  bool streams = weightsBytes > kernel.machine.cacheBytes;
  kernel.loop(kPoints, [&](Value point) {
    kernel.tiles(weights[1], tile.vectors, [&](Value block, int64_t vectors) {
      kernel.tiles(
          chunk.getTiles(), tile.columns, [&](Value first, int64_t tiles) {
            auto loadTile = [&](int64_t, int64_t c, ValueRange k) {
              return kernel.loadLeft(inputPlanes,
                                     {point, k[0], kernel.add(first, c), k[1]},
                                     /*pack=*/1);
            };
            auto loadWeights = [&](int64_t v, ValueRange k) {
              if (streams) {
                kernel.prefetch(
                    op.getWeights(),
                    {point, kernel.add(block, v + vectors), k[0], k[1], zero});
              }
              return kernel.load(
                  op.getWeights(),
                  {point, kernel.add(block, v), k[0], k[1], zero}, lanes);
            };
            RegisterTile current{1, tiles, vectors};
            SmallVector<Value> init(current.getAccumulators(),
                                    kernel.splat(0, lanes));
            SmallVector<Value> results = buildContraction(
                kernel, current,
                {{weights[2], weights[3]}, loadTile, loadWeights}, init);
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
        SmallVector<SmallVector<Value>> columns;
        for (int64_t c = 0; c < kInputTile; ++c) {
          SmallVector<Value> values;
          for (int64_t r = 0; r < kInputTile; ++r) {
            values.push_back(kernel.load(
                outputPlanes,
                {kernel.index(r * kInputTile + c), block, tile.number, zero},
                lanes));
          }
          columns.push_back(transformOutput(values));
        }
        Value bias = op.getBias()
                         ? kernel.load(op.getBias(), {block, zero}, lanes)
                         : Value();
        for (int64_t r = 0; r < tile.rows; ++r) {
          SmallVector<Value> values;
          for (ArrayRef<Value> transformed : columns) {
            values.push_back(transformed[r]);
          }
          SmallVector<Value> outputs = transformOutput(values);
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
        }
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
    if (weights[3] != kernel.machine.lanes ||
        weights[4] != kernel.machine.lanes) {
      return rewriter.notifyMatchFailure(op, "needs blocks of one vector");
    }
    if (!op.getScratch()) {
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
