//===- MatMul.cpp - Kernel of VPU.NCE.MatMul ------------------------------===//
//
// Register tiles over rows of the left matrix and panels of the right. Few rows
// take many panels, so that even a vector times a matrix has enough independent
// accumulators.
//
//===----------------------------------------------------------------------===//

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
    Type element = getElementType(op.getLhs());
    bool isFloat = isa<FloatType>(element);
    // Sums of floats start from the bias, those of integers from their offset.
    Value start = isFloat ? op.getBias() : op.getOffset();
    SmallVector<Value> init;
    for (int64_t i = 0; i < tile.getAccumulators(); ++i) {
      int64_t v = i % tile.vectors;
      if (i >= tile.vectors) {
        init.push_back(init[v]);
      } else if (start) {
        auto [panel, column] = locate(v);
        init.push_back(kernel.load(start, {panel, column}, full));
      } else {
        init.push_back(kernel.zeroSums(element));
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
    SmallVector<Value> scales(tile.vectors), biases(tile.vectors);
    for (int64_t v = 0; v < tile.vectors && !isFloat; ++v) {
      auto [panel, column] = locate(v);
      if (op.getScale()) {
        scales[v] = kernel.load(op.getScale(), {panel, column}, full);
      }
      if (op.getBias()) {
        biases[v] = kernel.load(op.getBias(), {panel, column}, full);
      }
    }
    unsigned position = 0;
    for (int64_t r = 0; r < tile.columns; ++r) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        SmallVector<Value> at = {batch, kernel.add(row, r),
                                 kernel.mul(kernel.add(vector, v), lanes)};
        Value result =
            kernel.scaleSums(results[position++], scales[v], biases[v]);
        kernel.storeResult(op.getPpe(), result, op.getInit(), at, valid,
                           op.getResidual());
      }
    }
  }
};

} // namespace

void nacre::populateMatMulKernels(RewritePatternSet &patterns) {
  patterns.add<MatMulKernel>(patterns.getContext());
}
