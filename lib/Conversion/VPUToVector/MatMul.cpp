//===- MatMul.cpp - Kernel of VPU.NCE.MatMul ------------------------------===//
//
// Register tiles over rows of the left matrix and panels of the right. Few rows
// take many panels, so that even a vector times a matrix has enough independent
// accumulators.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "MatrixTile.h"
#include "RegisterTile.h"

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
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t columns = out[2], panel = op.getPanelWidth();
    int64_t lanes = kernel.machine.lanes;
    if (panel % lanes != 0 && !isMatrix(op)) {
      return rewriter.notifyMatchFailure(
          op, "panels must be whole machine vectors wide");
    }
    Value rhs =
        op.getPack() == 1 ? op.getRhs() : collapse(kernel, op.getRhs(), 3, 4);
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(op);
    if (arch && op.fitsMatrixUnit(arch)) {
      emitMatrix(op, rhs, kernel);
      rewriter.eraseOp(op);
      return success();
    }
    OpFoldResult numRows = kernel.getSize(op.getInit(), 1);
    kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
      // What only a run knows is taken to be large.
      constexpr int64_t kManyRows = 1024, kManyVectors = 64;
      bool knowsColumns = !ShapedType::isDynamic(columns);
      int64_t full = knowsColumns ? columns / lanes : kManyVectors;
      RegisterTile tile = chooseRegisterTile(
          1, ShapedType::isDynamic(out[1]) ? kManyRows : out[1],
          std::max<int64_t>(full, 1), kernel.machine,
          kernel.isFused(getElementType(op.getLhs()), op.getPack()));
      auto rows = [&](Value vector, int64_t count, Lanes valid) {
        kernel.tiles(numRows, tile.columns, [&](Value row, int64_t tileRows) {
          emitTile(op, rhs, kernel, batch, row, vector, {1, tileRows, count},
                   valid);
        });
      };
      auto fullVectors = [&](Value vector, int64_t count) {
        rows(vector, count, kernel.fullLanes());
      };
      if (!knowsColumns) {
        Value extent = kernel.index(kernel.getSize(op.getInit(), 2));
        Value whole = kernel.div(extent, lanes);
        Value rest = kernel.rem(extent, lanes);
        kernel.tiles(OpFoldResult(whole), tile.vectors, fullVectors);
        // Once, or not at all.
        Value last = kernel.div(kernel.add(rest, lanes - 1), lanes);
        kernel.loop(OpFoldResult(last),
                    [&](Value) { rows(whole, 1, Lanes{lanes, 0, rest}); });
        return;
      }
      kernel.tiles(full, tile.vectors, fullVectors);
      if (int64_t rest = columns % lanes) {
        rows(kernel.index(full), 1, Lanes{lanes, rest});
      }
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
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
    int64_t vectorsPerPanel = op.getPanelWidth() / lanes;
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
    auto locate = [&](Value vector) -> std::pair<Value, Value> {
      Value column = kernel.mul(kernel.rem(vector, vectorsPerPanel), lanes);
      return {kernel.div(vector, vectorsPerPanel), column};
    };
    part.left = [&](Value batch, Value, Value row, ValueRange k) {
      return left.at({batch, row, kernel.mul(k[0], depth * op.getPack())});
    };
    bool sharedRhs = getShape(op.getRhs())[0] == 1;
    part.right = [&](Value batch, Value vector, ValueRange k) {
      auto [panel, column] = locate(vector);
      return right.at({sharedRhs ? kernel.index(0) : batch, panel,
                       kernel.mul(k[0], depth),
                       kernel.mul(column, op.getPack())});
    };
    contraction.channel = [&](Value vector) -> SmallVector<Value> {
      auto [panel, column] = locate(vector);
      return {panel, column};
    };
    contraction.pixel = [&](Value batch, Value, Value row,
                            Value vector) -> SmallVector<Value> {
      return {batch, row, kernel.mul(vector, lanes)};
    };
    auto build = [&](Value first, OpFoldResult count, Lanes valid) {
      contraction.lanes = valid;
      buildMatrixContraction(kernel, contraction, first, count);
    };
    int64_t columns = getShape(op.getInit())[2];
    if (ShapedType::isDynamic(columns)) {
      Value extent = kernel.index(kernel.getSize(op.getInit(), 2));
      Value whole = kernel.div(extent, lanes);
      Value rest = kernel.rem(extent, lanes);
      build(kernel.index(0), whole, kernel.fullLanes());
      // Once, or not at all.
      Value last = kernel.div(kernel.add(rest, lanes - 1), lanes);
      build(whole, last, Lanes{lanes, 0, rest});
      return;
    }
    if (int64_t full = columns / lanes) {
      build(kernel.index(0), kernel.builder.getIndexAttr(full),
            kernel.fullLanes());
    }
    if (int64_t rest = columns % lanes) {
      build(kernel.index(columns / lanes), kernel.builder.getIndexAttr(1),
            Lanes{lanes, rest});
    }
  }

  /// One tile: rows from `row`, vectors of columns from number `vector` on.
  static void emitTile(VPU::NCEMatMulOp op, Value rhs, KernelBuilder &kernel,
                       Value batch, Value row, Value vector, RegisterTile tile,
                       Lanes valid) {
    int64_t lanes = kernel.machine.lanes, pack = op.getPack();
    int64_t vectorsPerPanel = op.getPanelWidth() / lanes;
    // Panels hold whole vectors, zero-padded; only the result may be narrower.
    Lanes full = isMatrix(op) ? valid : kernel.fullLanes();
    auto locate = [&](int64_t v) -> std::pair<Value, Value> {
      Value number = kernel.add(vector, v);
      if (isMatrix(op)) {
        return {kernel.index(0), kernel.mul(number, lanes)};
      }
      if (vectorsPerPanel == 1) {
        return {number, kernel.index(0)};
      }
      return {kernel.div(number, vectorsPerPanel),
              kernel.mul(kernel.rem(number, vectorsPerPanel), lanes)};
    };
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
    bool sharedRhs = getShape(op.getRhs())[0] == 1;
    Value rhsBatch = sharedRhs ? kernel.index(0) : batch;
    auto loadPixel = [&](int64_t, int64_t r, ValueRange k) {
      return kernel.loadLeft(
          op.getLhs(), {batch, kernel.add(row, r), kernel.mul(k[0], pack)},
          pack);
    };
    auto loadWeights = [&](int64_t v, ValueRange k) {
      auto [panel, column] = locate(v);
      return kernel.loadRight(rhs, {rhsBatch, panel, k[0], column}, pack, full);
    };
    // Counted in packs, and known where the weights are.
    OpFoldResult steps = kernel.getSize(op.getRhs(), 2);
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
