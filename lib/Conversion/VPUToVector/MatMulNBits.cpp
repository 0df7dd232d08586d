//===- MatMulNBits.cpp - Kernel of VPU.NCE.MatMulNBits --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few rows are multiplied by one panel after the other, which is read once, in
// the order in which it lies: rows that are integers, too, by its integers, and
// others by the floats that these become in registers. The sums of a block are
// scaled. Many rows are integers, too, some of them at a time, where that is
// faster. Else a few panels become scaled floats in scratch memory, and the
// rest is the product of floats, unless a matrix unit multiplies them.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "FixedPointRows.h"
#include "LowBitProduct.h"
#include "LowBitWeights.h"
#include "RegisterTile.h"

#include "nacre/Dialect/VPU/Cost/LowBitCost.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

class ProductEmitter {
public:
  ProductEmitter(VPU::NCEMatMulNBitsOp op, KernelBuilder &kernel)
      : op(op), kernel(kernel), weights(op, kernel),
        epilogue(Epilogue::getOfFloats(op)) {
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(op);
    if (!arch || !op.getScratch()) {
      return;
    }
    if (VPU::LowBitTileAttr tile = getKernelStrategy(op).getLowBitTile()) {
      tiles = VPU::LowBitTiles::get(op, tile, arch.getMatrixUnit());
    }
    if (op.getIntegerRows() > 0) {
      integers.emplace(op, kernel);
    }
  }

  /// All rows, few at a time.
  void emitFewRows();
  /// All rows for some panels at a time.
  void emitManyRows();

private:
  /// Calls `body` with the first row and the number of those that scratch
  /// memory has room for at a time.
  void forEachChunk(llvm::function_ref<void(Value, OpFoldResult)> body);
  /// The register tile of so many panels of floats.
  RegisterTile getTileOfPanels(int64_t panels);
  /// The product of a few rows from one of a chunk on and a panel, without what
  /// follows.
  SmallVector<Value> multiply(Value batch, Value first, Value row, int64_t rows,
                              Value panel);
  /// The sums of a block of them, which are not scaled by its scale.
  SmallVector<Value> sumFloats(Value batch, Value row, int64_t rows,
                               Value panel, Value block);
  SmallVector<Value> sumIntegers(Value row, int64_t rows, Value panel,
                                 Value block);
  /// What some sums of floats or integers add up to.
  Value addChains(ArrayRef<Value> sums);
  /// Makes floats of some panels.
  void unpack(Value panel, int64_t panels);
  void store(ValueRange sums, Value batch, Value row, int64_t rows, Value panel,
             int64_t panels, Lanes lanes);

  VPU::NCEMatMulNBitsOp op;
  KernelBuilder &kernel;
  LowBitWeights weights;
  /// Where few rows are integers, or any number of them.
  std::optional<FixedPointRows> integers;
  /// Where many rows are multiplied by a matrix unit.
  std::optional<VPU::LowBitTiles> tiles;
  Epilogue epilogue;
  /// The scratch memory as (panels, G * S, n).
  Value floats;
};

} // namespace

Value ProductEmitter::addChains(ArrayRef<Value> sums) {
  Value result = sums.front();
  bool areIntegers = getElementTypeOrSelf(result.getType()).isInteger();
  for (Value sum : sums.drop_front()) {
    result = areIntegers ? arith::AddIOp::create(kernel.builder, kernel.loc,
                                                 result, sum)
                               .getResult()
                         : kernel.addVectors(result, sum);
  }
  return result;
}

SmallVector<Value> ProductEmitter::sumFloats(Value batch, Value row,
                                             int64_t rows, Value panel,
                                             Value block) {
  int64_t chains = VPU::countChains(rows);
  int64_t perWord = op.getPerWord();
  Value zeroPoint = weights.loadZeroPoint(panel, block);
  Value first = kernel.mul(block, op.getBlockSize());
  SmallVector<Value> zeroes(rows * chains,
                            kernel.zeroSums(epilogue.elementType));
  SmallVector<Value> sums = kernel.reduce(
      op.getWeightsShape()[2], zeroes,
      [&](Value word, ValueRange carried) {
        SmallVector<Value> next(carried);
        Value packed = weights.loadWords(panel, block, word);
        Value depth = kernel.add(first, kernel.mul(word, perWord));
        for (int64_t i = 0; i < perWord; ++i) {
          Value weight = weights.unpack(packed, i, zeroPoint);
          for (int64_t r = 0; r < rows; ++r) {
            Value pixel = kernel.loadLeft(
                op.getLhs(), {batch, kernel.add(row, r), kernel.add(depth, i)},
                /*pack=*/1);
            Value &sum = next[r * chains + i % chains];
            sum = kernel.multiplyAdd(pixel, weight, sum);
          }
        }
        return next;
      },
      /*rolled=*/kernel.keepsNoWindow());
  SmallVector<Value> results;
  for (int64_t r = 0; r < rows; ++r) {
    results.push_back(addChains(ArrayRef(sums).slice(r * chains, chains)));
  }
  return results;
}

SmallVector<Value> ProductEmitter::sumIntegers(Value row, int64_t rows,
                                               Value panel, Value block) {
  constexpr int64_t kBytes = 4;
  int64_t numDigits = integers->getNumDigits();
  int64_t numSums = rows * numDigits, groups = op.getPerWord() / kBytes;
  int64_t chains =
      VPU::countChains(numSums, groups, op.getWeightsShape()[2] * groups);
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value zeroPoint = weights.loadIntegerZeroPoint(panel, block);
  SmallVector<Value> starts(
      numSums * chains, kernel.splat(0, kernel.fullLanes(), b.getI32Type()));
  for (int64_t i = 0; i < numSums; ++i) {
    starts[i * chains] = integers->loadStart(
        i % numDigits, kernel.add(row, i / numDigits), block, zeroPoint);
  }
  SmallVector<Value> sums = kernel.reduce(
      op.getWeightsShape()[2], starts,
      [&](Value word, ValueRange carried) {
        SmallVector<Value> next(carried);
        Value packed = weights.loadWords(panel, block, word);
        for (int64_t group = 0; group < groups; ++group) {
          Value bytes = weights.unpackBytes(packed, group);
          for (int64_t i = 0; i < numSums; ++i) {
            Value digits = integers->loadDigits(i % numDigits,
                                                kernel.add(row, i / numDigits),
                                                block, word, group);
            Value &sum = next[i * chains + group % chains];
            sum = kernel.multiplyAdd(bytes, digits, sum);
          }
        }
        return next;
      },
      /*rolled=*/kernel.keepsNoWindow());
  Value base = kernel.splat(static_cast<double>(FixedPointRows::kBase),
                            kernel.fullLanes());
  SmallVector<Value> results;
  for (int64_t r = 0; r < rows; ++r) {
    Value result;
    for (int64_t digit = numDigits; digit-- > 0;) {
      Value sum = addChains(
          ArrayRef(sums).slice((r * numDigits + digit) * chains, chains));
      auto type = cast<VectorType>(sum.getType()).clone(b.getF32Type());
      sum = arith::SIToFPOp::create(b, loc, type, sum);
      result = result ? kernel.multiplyAdd(result, base, sum) : sum;
    }
    results.push_back(arith::MulFOp::create(
        b, loc, result, integers->loadScale(kernel.add(row, r), block)));
  }
  return results;
}

SmallVector<Value> ProductEmitter::multiply(Value batch, Value first, Value row,
                                            int64_t rows, Value panel) {
  Value start =
      epilogue.loadStart(kernel, {panel, kernel.index(0)}, kernel.fullLanes());
  SmallVector<Value> totals(rows, start);
  return kernel.reduce(
      op.getWeightsShape()[1], totals,
      [&](Value block, ValueRange carried) {
        weights.prefetch(panel, block);
        SmallVector<Value> sums =
            integers
                ? sumIntegers(row, rows, panel, block)
                : sumFloats(batch, kernel.add(first, row), rows, panel, block);
        Value scale = weights.loadScale(panel, block);
        SmallVector<Value> results;
        for (auto [sum, total] : llvm::zip_equal(sums, carried)) {
          results.push_back(kernel.multiplyAdd(sum, scale, total));
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

void ProductEmitter::forEachChunk(
    llvm::function_ref<void(Value, OpFoldResult)> body) {
  OpFoldResult rows = kernel.getSize(op.getInit(), 1);
  if (!op.sumsIntegersOfAnyRows()) {
    return body(kernel.index(0), rows);
  }
  auto most = static_cast<int64_t>(op.getIntegerRows());
  if (std::optional<int64_t> known = getConstantIntValue(rows)) {
    return kernel.tiles(*known, most, [&](Value first, int64_t count) {
      body(first, kernel.builder.getIndexAttr(count));
    });
  }
  OpBuilder &b = kernel.builder;
  Value end = kernel.index(rows), step = kernel.index(most);
  auto loop = scf::ForOp::create(b, kernel.loc, kernel.index(0), end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value first = loop.getInductionVar();
  Value rest = kernel.sub(end, first);
  body(first, arith::MinUIOp::create(b, kernel.loc, rest, step).getResult());
}

void ProductEmitter::emitFewRows() {
  int64_t most = getKernelStrategy(op).getRegisters().front().getColumns();
  auto multiplyRows = [&](Value batch, Value first, OpFoldResult count) {
    if (integers) {
      integers->fill(batch, first, count);
    }
    weights.forEachPanels(/*most=*/1, [&](Value panel, int64_t, Lanes lanes) {
      kernel.tiles(count, most, [&](Value row, int64_t rows) {
        store(multiply(batch, first, row, rows, panel), batch,
              kernel.add(first, row), rows, panel, /*panels=*/1, lanes);
      });
    });
  };
  kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
    forEachChunk([&](Value first, OpFoldResult count) {
      multiplyRows(batch, first, count);
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

RegisterTile ProductEmitter::getTileOfPanels(int64_t panels) {
  // Behind that of few rows, which a dynamic number of rows has, too.
  bool areMany = !ShapedType::isDynamic(getShape(op.getInit())[1]);
  for (VPU::RegisterTileAttr tile :
       getKernelStrategy(op).getRegisters().drop_front(areMany ? 0 : 1)) {
    if (tile.getVectors() == panels) {
      return tile.getTile();
    }
  }
  llvm_unreachable("expected a tile of each number of panels");
}

void ProductEmitter::emitManyRows() {
  if (tiles) {
    return buildLowBitProduct(kernel, op, *tiles, weights, epilogue);
  }
  int64_t lanes = kernel.machine.lanes, depth = op.getDepth();
  int64_t panels = op.getScratchPanels();
  auto type =
      MemRefType::get({panels, depth, lanes}, kernel.builder.getF32Type());
  floats = memref::ReinterpretCastOp::create(
      kernel.builder, kernel.loc, type, op.getScratch(), /*offset=*/0,
      type.getShape(), ArrayRef<int64_t>{depth * lanes, lanes, 1});
  OpFoldResult numRows = kernel.getSize(op.getInit(), 1);
  auto multiplyRows = [&](Value batch, Value panel, int64_t count,
                          Lanes valid) {
    RegisterTile tile = getTileOfPanels(count);
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
  weights.forEachPanels(panels, [&](Value panel, int64_t count, Lanes valid) {
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
    std::optional<int64_t> known = getConstantIntValue(rows);
    if (VPU::unpacksForAnyRows(op) || op.hasFewRows()) {
      emitter.emitFewRows();
    } else if (known) {
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
