//===- MatMul.cpp - Kernel of VPU.NCE.MatMul ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register tiles over rows of the left matrix and panels of the right. Few rows
// take many panels, so that even a vector times a matrix has enough independent
// accumulators. Of a transposed right matrix the columns of a tile are packed
// in front of it, in registers, into memory that stays in the cache: it is read
// once, and at the speed of memory even for one row.
//
//===----------------------------------------------------------------------===//

#include "BufferedWeights.h"
#include "ByteMatrix.h"
#include "Epilogue.h"
#include "MatrixTile.h"
#include "RegisterTile.h"
#include "WeightSweep.h"
#include "WideRows.h"
#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;

namespace {

struct MatMulKernel final : OpRewritePattern<VPU::NCEMatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEMatMulOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    if (op.getPanelWidth() % kernel.machine.lanes != 0 && !isMatrix(op)) {
      return rewriter.notifyMatchFailure(
          op, "panels must be whole machine vectors wide");
    }
    ArrayRef<VPU::RegisterTileAttr> tiles =
        getKernelStrategy(op).getRegisters();
    if (op.getTransposed() && tiles.empty()) {
      return rewriter.notifyMatchFailure(
          op, "a transposed matrix must have a short reduction of known size");
    }
    Value rhs =
        op.getPack() == 1 ? op.getRhs() : collapse(kernel, op.getRhs(), 3, 4);
    if (getKernelStrategy(op).getMatrixTiles()) {
      emitMatrix(op, rhs, kernel);
      rewriter.eraseOp(op);
      return success();
    }
    if (tiles.size() == 1) {
      emitTiles(op, rhs, kernel, tiles.front());
      rewriter.eraseOp(op);
      return success();
    }
    // A run may have few rows, for which no weights are worth storing again.
    Value areMany = arith::CmpIOp::create(
        rewriter, op.getLoc(), arith::CmpIPredicate::ugt,
        kernel.index(kernel.getSize(op.getInit(), 1)),
        kernel.index(VPU::kFewBufferedTiles * tiles.front().getColumns()));
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), areMany,
                                    /*withElse=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    emitTiles(op, rhs, kernel, tiles.front());
    rewriter.setInsertionPointToStart(branch.elseBlock());
    emitTiles(op, rhs, kernel, tiles.back());
    rewriter.setInsertionPointAfter(branch);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The whole product by such tiles. Weights that are buffered become f32, and
  /// are transposed where they have to be, before they are multiplied with all
  /// rows. What packs rows of bytes has a kernel of its own.
  static void emitTiles(VPU::NCEMatMulOp op, Value rhs, KernelBuilder &kernel,
                        VPU::RegisterTileAttr chosen) {
    if (op.packsRows(VPU::ArchAttr::lookup(op))) {
      emitByteMatrix(op, kernel, chosen);
      return;
    }
    RegisterTile tile = chosen.getTile();
    std::optional<BufferedWeights> wide;
    if (chosen.getBufferWeights()) {
      wide.emplace(
          kernel, getShape(rhs).slice(op.getDepthDim(), 1), tile.vectors,
          VectorType::get({kernel.machine.lanes}, kernel.machine.floats));
    }
    std::optional<WideRows> wideRows;
    if (chosen.getWidenRows()) {
      int64_t bytes = getShape(rhs)[op.getDepthDim()] * op.getPack();
      wideRows.emplace(kernel, ArrayRef<int64_t>{tile.columns, bytes});
    }
    OpFoldResult numRows = kernel.getSize(op.getInit(), 1);
    kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
      cutColumns(op, kernel, [&](Value first, OpFoldResult count, Lanes valid) {
        auto rows = [&](Value vector, int64_t vectors) {
          if (op.getTransposed()) {
            packColumns(op, rhs, *wide, kernel, batch, vector, vectors, valid);
          } else if (wide) {
            wide->fill(vectors, [&](int64_t v, ValueRange k) {
              return loadPanel(op, rhs, kernel, batch, kernel.add(vector, v),
                               k[0], valid);
            });
          }
          kernel.evenTiles(
              numRows, tile.columns, VPU::getMostRowsOfTail(tile),
              [&](Value row, int64_t tileRows) {
                if (wideRows) {
                  wideRows->fill(op.getLhs(), {batch, row, kernel.index(0)},
                                 kernel.index(0), tileRows);
                }
                emitTile(op, rhs, wideRows, wide, kernel, batch, row, vector,
                         {1, tileRows, vectors}, tile.columns, valid);
              });
        };
        if (!valid.isFull()) {
          kernel.loop(count, [&](Value) { rows(first, 1); });
          return;
        }
        kernel.tiles(count, tile.vectors, [&](Value base, int64_t vectors) {
          rows(kernel.add(first, base), vectors);
        });
      });
    });
    if (wideRows) {
      wideRows->release();
    }
    if (wide) {
      wide->release();
    }
  }

  /// Vectors of columns of a transposed matrix. Those beyond the last column
  /// are the last one: nobody stores what they give.
  static void packColumns(VPU::NCEMatMulOp op, Value rhs, BufferedWeights &wide,
                          KernelBuilder &kernel, Value batch, Value first,
                          int64_t vectors, Lanes valid) {
    bool isShared = getShape(op.getRhs())[0] == 1;
    Value last = kernel.add(kernel.index(kernel.getSize(op.getInit(), 2)), -1);
    wide.fillTransposed(vectors, [&](Value v, int64_t i, Value step,
                                     Lanes steps) {
      Value column = kernel.mul(kernel.add(first, v), kernel.machine.lanes);
      column = kernel.add(column, i);
      if (!valid.isFull()) {
        column =
            arith::MinUIOp::create(kernel.builder, kernel.loc, column, last);
      }
      return kernel.loadFloats(
          rhs,
          {isShared ? kernel.index(0) : batch, kernel.index(0), column, step},
          steps);
    });
  }

  /// Calls `body` for the vectors of whole columns, and for the one that is
  /// left over: with the first of them, their number, which may be 0, and their
  /// lanes.
  static void
  cutColumns(VPU::NCEMatMulOp op, KernelBuilder &kernel,
             llvm::function_ref<void(Value, OpFoldResult, Lanes)> body) {
    int64_t lanes = kernel.machine.lanes;
    OpFoldResult extent = kernel.getSize(op.getInit(), 2);
    if (std::optional<int64_t> known = getConstantIntValue(extent)) {
      int64_t whole = *known / lanes;
      if (whole > 0) {
        body(kernel.index(0), kernel.builder.getIndexAttr(whole),
             kernel.fullLanes());
      }
      if (int64_t rest = *known % lanes) {
        body(kernel.index(whole), kernel.builder.getIndexAttr(1),
             Lanes{lanes, rest});
      }
      return;
    }
    Value whole = kernel.div(kernel.index(extent), lanes);
    Value rest = kernel.rem(kernel.index(extent), lanes);
    body(kernel.index(0), whole, kernel.fullLanes());
    // Once, or not at all.
    body(whole, kernel.div(kernel.add(rest, lanes - 1), lanes),
         Lanes{lanes, 0, rest});
  }

  /// The panel of a vector of columns, and the first of these in it.
  static std::pair<Value, Value> locate(VPU::NCEMatMulOp op,
                                        KernelBuilder &kernel, Value vector) {
    int64_t lanes = kernel.machine.lanes;
    if (isMatrix(op)) {
      return {kernel.index(0), kernel.mul(vector, lanes)};
    }
    int64_t vectors = op.getPanelWidth() / lanes;
    return {kernel.div(vector, vectors),
            kernel.mul(kernel.rem(vector, vectors), lanes)};
  }

  /// The right operand is the matrix itself: a single panel of any width.
  static bool isMatrix(VPU::NCEMatMulOp op) {
    int64_t width = op.getPanelWidth();
    return getShape(op.getRhs())[1] == 1 && op.getPack() == 1 &&
           (ShapedType::isDynamic(width) ||
            width % getVectorMachine(op).lanes != 0);
  }

  static void emitMatrix(VPU::NCEMatMulOp op, Value rhs,
                         KernelBuilder &kernel) {
    int64_t lanes = kernel.machine.lanes;
    int64_t steps = getShape(op.getRhs())[2];
    int64_t depth = kernel.machine.matrixUnit.getDepth(steps);
    RowPointer left(kernel, op.getLhs()), right(kernel, rhs);
    MatrixContraction contraction;
    contraction.epilogue = Epilogue::get(op, getElementType(op.getLhs()));
    contraction.images = kernel.getSize(op.getInit(), 0);
    contraction.rows = kernel.builder.getIndexAttr(1);
    contraction.columns = kernel.getSize(op.getInit(), 1);
    MatrixReduction &part = contraction.parts.emplace_back();
    part.depth = depth;
    part.steps = kernel.extents({steps / depth});
    contraction.leftStride = left.getStride(1);
    contraction.rightStride = right.getStride(2);
    part.left = [&](Value batch, Value, Value row, ValueRange k) {
      return left.at({batch, row, kernel.mul(k[0], depth * op.getPack())});
    };
    bool sharedRhs = getShape(op.getRhs())[0] == 1;
    part.right = [&](Value batch, Value vector, ValueRange k) {
      auto [panel, column] = locate(op, kernel, vector);
      return right.at({sharedRhs ? kernel.index(0) : batch, panel,
                       kernel.mul(k[0], depth),
                       kernel.mul(column, op.getPack())});
    };
    contraction.channel = [&](Value vector) -> SmallVector<Value> {
      auto [panel, column] = locate(op, kernel, vector);
      return {panel, column};
    };
    contraction.pixel = [&](Value batch, Value, Value row,
                            Value vector) -> SmallVector<Value> {
      return {batch, row, kernel.mul(vector, lanes)};
    };
    VPU::MatrixTilesAttr tiles = getKernelStrategy(op).getMatrixTiles();
    cutColumns(op, kernel, [&](Value first, OpFoldResult count, Lanes valid) {
      contraction.lanes = valid;
      contraction.pixelsFirst = valid.isFull() && tiles.getPixelsFirst();
      // A single vector after those pushes nothing out of the cache.
      contraction.streamRight =
          tiles.getStreamRight() &&
          contraction.pixelsFirst == tiles.getPixelsFirst();
      buildMatrixContraction(kernel, contraction, first, count);
    });
  }

  /// Lanes of a panel's vector. Panels hold whole vectors, zero-padded; only
  /// the result may be narrower.
  static Lanes getPanelLanes(VPU::NCEMatMulOp op, KernelBuilder &kernel,
                             Lanes valid) {
    return isMatrix(op) ? valid : kernel.fullLanes();
  }

  /// Where a vector of the right matrix's columns is at a step.
  static SmallVector<Value> locatePanel(VPU::NCEMatMulOp op,
                                        KernelBuilder &kernel, Value batch,
                                        Value vector, Value step) {
    auto [panel, column] = locate(op, kernel, vector);
    bool isShared = getShape(op.getRhs())[0] == 1;
    return {isShared ? kernel.index(0) : batch, panel, step, column};
  }

  /// That vector.
  static Value loadPanel(VPU::NCEMatMulOp op, Value rhs, KernelBuilder &kernel,
                         Value batch, Value vector, Value step, Lanes valid) {
    Value x =
        kernel.loadRight(rhs, locatePanel(op, kernel, batch, vector, step),
                         op.getPack(), getPanelLanes(op, kernel, valid));
    if (!op.getUnsignedRhs()) {
      return x;
    }
    // 128 less is the other sign bit, which all bits above a byte repeat.
    Value sign = kernel.splat(-128, kernel.fullLanes(),
                              cast<VectorType>(x.getType()).getElementType());
    return arith::XOrIOp::create(kernel.builder, kernel.loc, x, sign);
  }

  /// The panels after those of a tile.
  static WeightSweep sweepNext(VPU::NCEMatMulOp op, Value rhs,
                               KernelBuilder &kernel, Value batch, Value row,
                               Value vector, RegisterTile tile) {
    Value later = kernel.add(vector, tile.vectors);
    WeightRun next{rhs, locatePanel(op, kernel, batch, later, kernel.index(0)),
                   getShape(op.getRhs())[op.getDepthDim()],
                   kernel.machine.lanes * op.getPack(), tile.vectors};
    Value tiles =
        kernel.div(kernel.index(kernel.getSize(op.getInit(), 1)), tile.columns);
    return WeightSweep(kernel, next,
                       {row, kernel.mul(tiles, tile.columns), tile.columns});
  }

  /// One tile: rows from `row`, vectors of columns from number `vector` on. It
  /// may be left over from tiles of `wholeRows`.
  static void emitTile(VPU::NCEMatMulOp op, Value rhs,
                       const std::optional<WideRows> &wideRows,
                       const std::optional<BufferedWeights> &wide,
                       KernelBuilder &kernel, Value batch, Value row,
                       Value vector, RegisterTile tile, int64_t wholeRows,
                       Lanes valid) {
    int64_t lanes = kernel.machine.lanes, pack = op.getPack();
    Lanes full = getPanelLanes(op, kernel, valid);
    auto locate = [&](int64_t v) {
      return MatMulKernel::locate(op, kernel, kernel.add(vector, v));
    };
    std::optional<WeightSweep> sweep;
    // A few rows that are left over multiply too little by each vector.
    if (getKernelStrategy(op).getPrefetchWeights() &&
        tile.columns == wholeRows) {
      sweep = sweepNext(op, rhs, kernel, batch, row, vector, tile);
    }
    Epilogue epilogue = Epilogue::get(op, getElementType(op.getLhs()));
    SmallVector<Value> init;
    for (int64_t i = 0; i < tile.getAccumulators(); ++i) {
      int64_t v = i % tile.vectors;
      if (i >= tile.vectors) {
        init.push_back(init[v]);
      } else {
        auto [panel, column] = locate(v);
        init.push_back(epilogue.loadStart(kernel, {panel, column}, full));
      }
    }
    auto loadPixel = [&](int64_t, int64_t r, ValueRange k) {
      if (wideRows) {
        return wideRows->load(kernel.index(r), k[0], pack);
      }
      return kernel.loadLeft(
          op.getLhs(), {batch, kernel.add(row, r), kernel.mul(k[0], pack)},
          pack);
    };
    auto loadWeights = [&](int64_t v, ValueRange k) {
      if (v == 0 && sweep) {
        sweep->prefetch(k[0]);
      }
      return wide ? wide->load(v, k)
                  : loadPanel(op, rhs, kernel, batch, kernel.add(vector, v),
                              k[0], valid);
    };
    // Counted in packs, and known where the weights are.
    OpFoldResult steps = kernel.getSize(op.getRhs(), op.getDepthDim());
    ContractionOperands operands{{steps}, loadPixel, loadWeights};
    SmallVector<Value> results = buildContraction(kernel, tile, operands, init);
    SmallVector<Epilogue::Factors> factors;
    for (int64_t v = 0; v < tile.vectors; ++v) {
      auto [panel, column] = locate(v);
      factors.push_back(epilogue.loadFactors(kernel, {panel, column}, full));
    }
    unsigned position = 0;
    for (int64_t r = 0; r < tile.columns; ++r) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        SmallVector<Value> at = {batch, kernel.add(row, r),
                                 kernel.mul(kernel.add(vector, v), lanes)};
        epilogue.store(kernel, results[position++], factors[v], at, valid);
      }
    }
  }
};

} // namespace

void nacre::populateMatMulKernels(RewritePatternSet &patterns) {
  patterns.add<MatMulKernel>(patterns.getContext());
}
