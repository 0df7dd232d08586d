//===- MatMul.cpp - Kernel of VPU.NCE.MatMul ------------------------------===//
//
// Register tiles over rows of the left matrix and panels of the right. Few rows
// take many panels, so that even a vector times a matrix has enough independent
// accumulators.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

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
    if (panel % lanes != 0) {
      return rewriter.notifyMatchFailure(
          op, "panels must be whole machine vectors wide");
    }
    kernel.loop(out[0], [&](Value batch) {
      int64_t full = columns / lanes;
      RegisterTile tile = chooseRegisterTile(
          1, out[1], std::max<int64_t>(full, 1), kernel.machine);
      auto rows = [&](Value vector, int64_t count, Lanes valid) {
        kernel.tiles(out[1], tile.columns, [&](Value row, int64_t tileRows) {
          emitTile(op, kernel, batch, row, vector, {1, tileRows, count}, valid);
        });
      };
      kernel.tiles(full, tile.vectors, [&](Value vector, int64_t count) {
        rows(vector, count, kernel.fullLanes());
      });
      if (int64_t rest = columns % lanes) {
        rows(kernel.index(full), 1, Lanes{lanes, rest});
      }
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// One tile: rows from `row`, vectors of columns from number `vector` on.
  static void emitTile(VPU::NCEMatMulOp op, KernelBuilder &kernel, Value batch,
                       Value row, Value vector, RegisterTile tile,
                       Lanes valid) {
    int64_t lanes = kernel.machine.lanes;
    int64_t vectorsPerPanel = op.getPanelWidth() / lanes;
    // Panels hold whole vectors, zero-padded; only the result may be narrower.
    Lanes full = kernel.fullLanes();
    auto locate = [&](int64_t v) -> std::pair<Value, Value> {
      Value number = kernel.add(vector, v);
      if (vectorsPerPanel == 1) {
        return {number, kernel.index(0)};
      }
      return {kernel.div(number, vectorsPerPanel),
              kernel.mul(kernel.rem(number, vectorsPerPanel), lanes)};
    };
    SmallVector<Value> init;
    for (int64_t i = 0; i < tile.getAccumulators(); ++i) {
      int64_t v = i % tile.vectors;
      if (i >= tile.vectors) {
        init.push_back(init[v]);
      } else if (op.getBias()) {
        auto [panel, column] = locate(v);
        init.push_back(kernel.load(op.getBias(), {panel, column}, full));
      } else {
        init.push_back(kernel.splat(0, full));
      }
    }
    bool sharedRhs = getShape(op.getRhs())[0] == 1;
    Value rhsBatch = sharedRhs ? kernel.index(0) : batch;
    auto loadPixel = [&](int64_t, int64_t r, ValueRange k) {
      return kernel.loadScalar(op.getLhs(), {batch, kernel.add(row, r), k[0]});
    };
    auto loadWeights = [&](int64_t v, ValueRange k) {
      auto [panel, column] = locate(v);
      return kernel.load(op.getRhs(), {rhsBatch, panel, k[0], column}, full);
    };
    ContractionOperands operands{
        {getShape(op.getLhs())[2]}, loadPixel, loadWeights};
    SmallVector<Value> results = buildContraction(kernel, tile, operands, init);
    unsigned position = 0;
    for (int64_t r = 0; r < tile.columns; ++r) {
      for (int64_t v = 0; v < tile.vectors; ++v) {
        SmallVector<Value> at = {batch, kernel.add(row, r),
                                 kernel.mul(kernel.add(vector, v), lanes)};
        Value result = results[position++];
        if (op.getResidual()) {
          result = kernel.addVectors(result,
                                     kernel.load(op.getResidual(), at, valid));
        }
        kernel.store(kernel.applyPPE(op.getPpe(), result, full), op.getInit(),
                     at, valid);
      }
    }
  }
};

} // namespace

void nacre::populateMatMulKernels(RewritePatternSet &patterns) {
  patterns.add<MatMulKernel>(patterns.getContext());
}
