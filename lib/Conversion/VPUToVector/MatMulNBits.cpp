//===- MatMulNBits.cpp - Kernel of VPU.NCE.MatMulNBits --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few rows are multiplied by one panel after the other, whose integers become
// floats in registers and are read once, in the order in which they lie; the
// sums of a block are scaled. For many rows a few panels become scaled floats
// in scratch memory, and the rest is the product of floats.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "LowBitWeights.h"
#include "RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

namespace {

class ProductEmitter {
public:
  ProductEmitter(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel)
      : op(op), kernel(kernel), weights(op, kernel),
        epilogue(Epilogue::getOfFloats(op)) {}

  /// All rows, few at a time.
  void emitFewRows();
  /// All rows for some panels at a time.
  void emitManyRows();

private:
  /// Calls `body` for panels, at most `most` at a time: with the first, their
  /// number, and which of their columns the result has.
  void forEachPanels(int64_t most,
                     llvm::function_ref<void(Value, int64_t, Lanes)> body);
  /// The product of a few rows and a panel, without what follows.
  SmallVector<Value> multiply(Value batch, Value row, int64_t rows,
                              Value panel);
  /// Makes floats of some panels.
  void unpack(Value panel, int64_t panels);
  void store(ValueRange sums, Value batch, Value row, int64_t rows, Value panel,
             int64_t panels, Lanes lanes);

  VPU::NCEMatMulNBitsOp op;
  KernelBuilder &kernel;
  LowBitWeights weights;
  Epilogue epilogue;
  /// The scratch memory as (panels, G * S, n).
  Value floats;
};

} // namespace

void ProductEmitter::forEachPanels(
    int64_t most, llvm::function_ref<void(Value, int64_t, Lanes)> body) {
  int64_t columns = getShape(op.getInit())[2], lanes = kernel.machine.lanes;
  kernel.tiles(columns / lanes, most, [&](Value panel, int64_t panels) {
    body(panel, panels, kernel.fullLanes());
  });
  if (int64_t rest = columns % lanes) {
    body(kernel.index(columns / lanes), 1, Lanes{lanes, rest});
  }
}

SmallVector<Value> ProductEmitter::multiply(Value batch, Value row,
                                            int64_t rows, Value panel) {
  // As many sums as do not wait for each other.
  constexpr int64_t kEnough = 4;
  int64_t chains = llvm::divideCeilSigned(kEnough, rows);
  int64_t words = op.getWeightsShape()[2], perWord = op.getPerWord();
  Value start =
      epilogue.loadStart(kernel, {panel, kernel.index(0)}, kernel.fullLanes());
  SmallVector<Value> totals(rows, start);
  return kernel.reduce(
      op.getWeightsShape()[1], totals,
      [&](Value block, ValueRange carried) {
        weights.prefetch(panel, block);
        Value zeroPoint = weights.loadZeroPoint(panel, block);
        Value first = kernel.mul(block, op.getBlockSize());
        SmallVector<Value> zeroes(rows * chains,
                                  kernel.zeroSums(epilogue.elementType));
        SmallVector<Value> sums = kernel.reduce(
            words, zeroes, [&](Value word, ValueRange accumulators) {
              SmallVector<Value> next(accumulators);
              Value packed = weights.loadWords(panel, block, word);
              Value depth = kernel.add(first, kernel.mul(word, perWord));
              for (int64_t i = 0; i < perWord; ++i) {
                Value weight = weights.unpack(packed, i, zeroPoint);
                for (int64_t r = 0; r < rows; ++r) {
                  Value pixel = kernel.loadLeft(
                      op.getLhs(),
                      {batch, kernel.add(row, r), kernel.add(depth, i)},
                      /*pack=*/1);
                  Value &sum = next[r * chains + i % chains];
                  sum = kernel.multiplyAdd(pixel, weight, sum);
                }
              }
              return next;
            });
        Value scale = weights.loadScale(panel, block);
        SmallVector<Value> results;
        for (int64_t r = 0; r < rows; ++r) {
          Value sum = sums[r * chains];
          for (int64_t i = 1; i < chains; ++i) {
            sum = kernel.addVectors(sum, sums[r * chains + i]);
          }
          results.push_back(kernel.multiplyAdd(sum, scale, carried[r]));
        }
        return results;
      },
      /*rolled=*/true);
}

void ProductEmitter::store(ValueRange sums, Value batch, Value row,
                           int64_t rows, Value panel, int64_t panels,
                           Lanes lanes) {
  unsigned position = 0;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t p = 0; p < panels; ++p) {
      Value column = kernel.mul(kernel.add(panel, p), kernel.machine.lanes);
      epilogue.store(kernel, sums[position++], /*factors=*/{},
                     {batch, kernel.add(row, r), column}, lanes);
    }
  }
}

void ProductEmitter::emitFewRows() {
  // Each row has two vectors of sums and loads a number for each weight.
  int64_t most =
      std::min(VPU::NCEMatMulNBitsOp::kFewRows, kernel.machine.registers / 4);
  kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
    forEachPanels(/*most=*/1, [&](Value panel, int64_t, Lanes lanes) {
      kernel.tiles(kernel.getSize(op.getInit(), 1), most,
                   [&](Value row, int64_t rows) {
                     store(multiply(batch, row, rows, panel), batch, row, rows,
                           panel, /*panels=*/1, lanes);
                   });
    });
  });
}

void ProductEmitter::unpack(Value panel, int64_t panels) {
  ArrayRef<int64_t> shape = op.getWeightsShape();
  int64_t perWord = op.getPerWord();
  for (int64_t p = 0; p < panels; ++p) {
    Value from = kernel.add(panel, p);
    kernel.rolledLoop(shape[1], [&](Value block) {
      Value zeroPoint = weights.loadZeroPoint(from, block);
      Value scale = weights.loadScale(from, block);
      Value first = kernel.mul(block, op.getBlockSize());
      kernel.rolledLoop(shape[2], [&](Value word) {
        Value packed = weights.loadWords(from, block, word);
        Value depth = kernel.add(first, kernel.mul(word, perWord));
        for (int64_t i = 0; i < perWord; ++i) {
          Value weight = arith::MulFOp::create(
              kernel.builder, kernel.loc, weights.unpack(packed, i, zeroPoint),
              scale);
          kernel.store(weight, floats,
                       {kernel.index(p), kernel.add(depth, i), kernel.index(0)},
                       kernel.fullLanes());
        }
      });
    });
  }
}

void ProductEmitter::emitManyRows() {
  int64_t lanes = kernel.machine.lanes, depth = op.getDepth();
  int64_t panels = getShape(op.getScratch())[0] / (depth * lanes);
  auto type =
      MemRefType::get({panels, depth, lanes}, kernel.builder.getF32Type());
  floats = memref::ExpandShapeOp::create(
      kernel.builder, kernel.loc, type, op.getScratch(),
      ArrayRef<ReassociationIndices>{{0, 1, 2}});
  OpFoldResult numRows = kernel.getSize(op.getInit(), 1);
  auto multiplyRows = [&](Value batch, Value panel, int64_t count,
                          Lanes valid) {
    RegisterTile tile = chooseRegisterTile(kernel.builder.getIndexAttr(1),
                                           numRows, count, kernel.machine,
                                           /*isFused=*/true, count);
    SmallVector<Value> starts;
    for (int64_t p = 0; p < count; ++p) {
      starts.push_back(epilogue.loadStart(
          kernel, {kernel.add(panel, p), kernel.index(0)}, kernel.fullLanes()));
    }
    kernel.tiles(numRows, tile.columns, [&](Value row, int64_t rows) {
      SmallVector<Value> init;
      for (int64_t r = 0; r < rows; ++r) {
        llvm::append_range(init, starts);
      }
      auto loadPixel = [&](int64_t, int64_t r, ValueRange k) {
        return kernel.loadLeft(op.getLhs(), {batch, kernel.add(row, r), k[0]},
                               /*pack=*/1);
      };
      auto loadWeights = [&](int64_t p, ValueRange k) {
        return kernel.load(floats, {kernel.index(p), k[0], kernel.index(0)},
                           kernel.fullLanes());
      };
      ContractionOperands operands{kernel.extents({depth}), loadPixel,
                                   loadWeights};
      store(buildContraction(kernel, {1, rows, count}, operands, init), batch,
            row, rows, panel, count, valid);
    });
  };
  forEachPanels(panels, [&](Value panel, int64_t count, Lanes valid) {
    unpack(panel, count);
    kernel.loop(kernel.getSize(op.getInit(), 0),
                [&](Value batch) { multiplyRows(batch, panel, count, valid); });
  });
}

namespace {

struct MatMulNBitsKernel final : OpRewritePattern<VPU::NCEMatMulNBitsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::NCEMatMulNBitsOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    if (op.getPanelWidth() != kernel.machine.lanes) {
      return rewriter.notifyMatchFailure(
          op, "panels must be a machine vector wide");
    }
    ProductEmitter emitter(op, kernel);
    OpFoldResult rows = kernel.getSize(op.getInit(), 1);
    if (!op.getScratch()) {
      emitter.emitFewRows();
    } else if (getConstantIntValue(rows)) {
      emitter.emitManyRows();
    } else {
      Value areFew = arith::CmpIOp::create(
          rewriter, op.getLoc(), arith::CmpIPredicate::ule, kernel.index(rows),
          kernel.index(VPU::NCEMatMulNBitsOp::kFewRows));
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), areFew,
                                      /*withElse=*/true);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      emitter.emitFewRows();
      rewriter.setInsertionPointToStart(branch.elseBlock());
      emitter.emitManyRows();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nacre::populateMatMulNBitsKernels(RewritePatternSet &patterns) {
  patterns.add<MatMulNBitsKernel>(patterns.getContext());
}
