//===- ByteMatrix.cpp - Products by a matrix of bytes as it lies ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To bring a matrix into packs in memory takes longer than to multiply a few
// rows by it. They are made in registers, as many columns at a time as fill a
// vector with their bytes, and for many rows once for each tile of columns.
//
//===----------------------------------------------------------------------===//

#include "ByteMatrix.h"

#include "BufferedWeights.h"
#include "ByteRows.h"
#include "Epilogue.h"
#include "RegisterTile.h"
#include "StackBuffer.h"
#include "WideRows.h"
#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;

namespace {

class ByteMatrixKernel {
public:
  ByteMatrixKernel(VPU::NCEMatMulOp op, KernelBuilder &kernel,
                   VPU::RegisterTileAttr chosen)
      : op(op), kernel(kernel), bytes(kernel, op), tile(chosen.getTile()),
        stepsInTurn(chosen.getSteps()) {
    if (chosen.getBufferWeights()) {
      buffer.emplace(kernel, ArrayRef<int64_t>{bytes.getSteps()}, tile.vectors,
                     bytes.getPacksType());
    }
    if (chosen.getWidenRows()) {
      wideRows.emplace(
          kernel, ArrayRef<int64_t>{tile.columns, getShape(op.getLhs())[2]});
    }
    if (stepsInTurn != 0) {
      int64_t lanes = kernel.machine.lanes;
      int64_t vectors = std::max(VPU::kNearBytes / (kSumBytes * lanes),
                                 tile.columns * tile.vectors);
      sums.emplace(kernel, ArrayRef<int64_t>{vectors, lanes},
                   kernel.builder.getI32Type());
    }
  }

  void emit();

private:
  static constexpr int64_t kSumBytes = 4;

  /// Columns from `first` on, `valid` in the last group of so many.
  struct Columns {
    Value batch, first;
    int64_t groups;
    Lanes valid;
  };

  /// All columns, so many groups at a time.
  void cutColumns(Value batch, int64_t groups,
                  llvm::function_ref<void(const Columns &)> body);
  /// All rows, as many as a tile has at a time.
  void cutRows(Value batch, llvm::function_ref<void(Value, int64_t)> body);
  /// Sums of some steps from `step` on, on top of `init`.
  SmallVector<Value> contract(const Columns &columns, Value row, int64_t rows,
                              Value step, int64_t steps, ArrayRef<Value> init);
  void emitTile(const Columns &columns, Value row, int64_t rows);
  /// The same with sums in memory.
  void emitTileInTurns(const Columns &columns, Value row, int64_t rows);
  /// The groups whose products are added at a time there: fewer rows leave
  /// registers for more.
  int64_t getGroupsInTurn(int64_t rows) const;
  /// Stores a group's sums of all rows.
  void storeGroup(const Columns &columns, Value row, Value group,
                  ArrayRef<SmallVector<Value>> sums);
  /// The lanes of a vector of a group.
  Lanes getLanes(Lanes valid, int64_t vector) const;
  /// Loads packs a vector at a time, in their order.
  std::function<Value(int64_t, ValueRange)> getLoader(const Columns &columns);

  VPU::NCEMatMulOp op;
  KernelBuilder &kernel;
  ByteRows bytes;
  VPU::RegisterTile tile;
  /// Steps at a time; 0 for all.
  int64_t stepsInTurn;
  std::optional<StackBuffer> sums;
  std::optional<BufferedWeights> buffer;
  std::optional<WideRows> wideRows;
};

} // namespace

void ByteMatrixKernel::emit() {
  int64_t pack = bytes.getPack();
  kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
    if (stepsInTurn == 0) {
      cutColumns(batch, tile.vectors / pack, [&](const Columns &columns) {
        if (buffer) {
          buffer->fill(columns.groups * pack, getLoader(columns));
        }
        cutRows(batch,
                [&](Value row, int64_t rows) { emitTile(columns, row, rows); });
      });
      return;
    }
    cutRows(batch, [&](Value row, int64_t rows) {
      int64_t groups = getGroupsInTurn(rows);
      // As many as have their sums in the first cache.
      int64_t most = VPU::kNearBytes / (kSumBytes * rows * bytes.getWidth());
      cutColumns(
          batch, std::max(most / groups * groups, groups),
          [&](const Columns &columns) { emitTileInTurns(columns, row, rows); });
    });
  });
  if (sums) {
    sums->release(kernel);
  }
  if (wideRows) {
    wideRows->release();
  }
  if (buffer) {
    buffer->release();
  }
}

int64_t ByteMatrixKernel::getGroupsInTurn(int64_t rows) const {
  int64_t sumsOfTile = tile.columns * tile.vectors, pack = bytes.getPack();
  int64_t least = tile.vectors / pack;
  return std::clamp(sumsOfTile / (rows * pack), least,
                    std::max(VPU::kMostTileVectors / pack, least));
}

void ByteMatrixKernel::cutColumns(
    Value batch, int64_t groups,
    llvm::function_ref<void(const Columns &)> body) {
  int64_t width = bytes.getWidth();
  OpFoldResult extent = kernel.getSize(op.getInit(), 2);
  auto emitWhole = [&](OpFoldResult count) {
    kernel.tiles(count, groups, [&](Value group, int64_t some) {
      body({batch, kernel.mul(group, width), some, Lanes{width, width}});
    });
  };
  std::optional<int64_t> known = getConstantIntValue(extent);
  if (!known) {
    Value columns = kernel.index(extent);
    Value whole = kernel.div(columns, width);
    Value rest = kernel.rem(columns, width);
    emitWhole(whole);
    // Once, or not at all.
    kernel.loop(kernel.div(kernel.add(rest, width - 1), width), [&](Value) {
      body({batch, kernel.mul(whole, width), 1, Lanes{width, 0, rest}});
    });
    return;
  }
  int64_t whole = *known / width, rest = *known % width;
  emitWhole(kernel.builder.getIndexAttr(whole));
  if (rest == 0) {
    return;
  }
  // The last columns may be computed twice, but not where what is added to them
  // could be what they replace.
  if (whole > 0 && !op.getResidual()) {
    body({batch, kernel.index(*known - width), 1, Lanes{width, width}});
  } else {
    body({batch, kernel.index(whole * width), 1, Lanes{width, rest}});
  }
}

void ByteMatrixKernel::cutRows(Value batch,
                               llvm::function_ref<void(Value, int64_t)> body) {
  kernel.evenTiles(kernel.getSize(op.getInit(), 1), tile.columns,
                   VPU::getMostRowsOfTail(tile), [&](Value row, int64_t rows) {
                     if (wideRows) {
                       wideRows->fill(op.getLhs(),
                                      {batch, row, kernel.index(0)},
                                      kernel.index(0), rows);
                     }
                     body(row, rows);
                   });
}

std::function<Value(int64_t, ValueRange)>
ByteMatrixKernel::getLoader(const Columns &columns) {
  return [this, columns, packs = SmallVector<Value>()](
             int64_t vector, ValueRange step) mutable {
    int64_t pack = bytes.getPack();
    if (vector % pack == 0) {
      Value column =
          kernel.add(columns.first, vector / pack * bytes.getWidth());
      packs = bytes.load(columns.batch, step[0], column, columns.valid);
    }
    return packs[vector % pack];
  };
}

SmallVector<Value> ByteMatrixKernel::contract(const Columns &columns, Value row,
                                              int64_t rows, Value step,
                                              int64_t steps,
                                              ArrayRef<Value> init) {
  int64_t pack = bytes.getPack();
  auto loadPixel = [&](int64_t, int64_t r, ValueRange k) {
    Value at = kernel.add(step, k[0]);
    if (wideRows) {
      return wideRows->load(kernel.index(r), at, pack);
    }
    return kernel.loadLeft(
        op.getLhs(), {columns.batch, kernel.add(row, r), kernel.mul(at, pack)},
        pack);
  };
  auto loadPacks = getLoader(columns);
  auto loadWeights = [&](int64_t v, ValueRange k) {
    Value at = kernel.add(step, k[0]);
    return buffer ? buffer->load(v, at) : loadPacks(v, at);
  };
  ContractionOperands operands{kernel.extents({steps}), loadPixel, loadWeights};
  return buildContraction(kernel, {1, rows, columns.groups * pack}, operands,
                          init);
}

void ByteMatrixKernel::emitTile(const Columns &columns, Value row,
                                int64_t rows) {
  int64_t pack = bytes.getPack(), vectors = columns.groups * pack;
  SmallVector<Value> init(rows * vectors,
                          kernel.zeroSums(getElementType(op.getLhs())));
  SmallVector<Value> results =
      contract(columns, row, rows, kernel.index(0), bytes.getSteps(), init);
  for (int64_t group = 0; group < columns.groups; ++group) {
    SmallVector<SmallVector<Value>> sums;
    for (int64_t r = 0; r < rows; ++r) {
      sums.push_back(bytes.putInOrder(
          ArrayRef(results).slice(r * vectors + group * pack, pack)));
    }
    storeGroup(columns, row, kernel.index(group), sums);
  }
}

void ByteMatrixKernel::emitTileInTurns(const Columns &columns, Value row,
                                       int64_t rows) {
  int64_t pack = bytes.getPack(), vectors = columns.groups * pack;
  Value memref = sums->getMemRef();
  Lanes full = kernel.fullLanes();
  auto locate = [&](Value group, int64_t r, int64_t v) -> SmallVector<Value> {
    return {kernel.add(kernel.mul(group, pack), r * vectors + v),
            kernel.index(0)};
  };
  kernel.rolledLoop(rows * vectors, [&](Value vector) {
    kernel.store(kernel.zeroSums(getElementType(op.getLhs())), memref,
                 {vector, kernel.index(0)}, full);
  });
  auto addProducts = [&](Value step, int64_t steps, Value group,
                         int64_t groups) {
    Value first =
        kernel.add(columns.first, kernel.mul(group, bytes.getWidth()));
    SmallVector<SmallVector<Value>> places;
    SmallVector<Value> init;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t v = 0; v < groups * pack; ++v) {
        places.push_back(locate(group, r, v));
        init.push_back(kernel.load(memref, places.back(), full));
      }
    }
    SmallVector<Value> results =
        contract({columns.batch, first, groups, columns.valid}, row, rows, step,
                 steps, init);
    for (auto [result, place] : llvm::zip_equal(results, places)) {
      kernel.store(result, memref, place, full);
    }
  };
  kernel.tiles(bytes.getSteps(), stepsInTurn, [&](Value step, int64_t steps) {
    kernel.tiles(columns.groups, getGroupsInTurn(rows),
                 [&](Value group, int64_t groups) {
                   addProducts(step, steps, group, groups);
                 });
  });
  kernel.loop(columns.groups, [&](Value group) {
    SmallVector<SmallVector<Value>> inOrder;
    for (int64_t r = 0; r < rows; ++r) {
      SmallVector<Value> sumsOfRow;
      for (int64_t v = 0; v < pack; ++v) {
        sumsOfRow.push_back(kernel.load(memref, locate(group, r, v), full));
      }
      inOrder.push_back(bytes.putInOrder(sumsOfRow));
    }
    storeGroup(columns, row, group, inOrder);
  });
}

Lanes ByteMatrixKernel::getLanes(Lanes valid, int64_t vector) const {
  int64_t lanes = kernel.machine.lanes, before = vector * lanes;
  if (valid.count) {
    // A mask of less than no lanes has none.
    return {lanes, 0, kernel.add(valid.count, -before)};
  }
  return {lanes, std::clamp<int64_t>(valid.valid - before, 0, lanes)};
}

void ByteMatrixKernel::storeGroup(const Columns &columns, Value row,
                                  Value group,
                                  ArrayRef<SmallVector<Value>> sums) {
  Epilogue epilogue = Epilogue::get(op, getElementType(op.getLhs()));
  for (int64_t v = 0; v < bytes.getPack(); ++v) {
    Lanes valid = getLanes(columns.valid, v);
    if (!valid.count && valid.valid == 0) {
      return;
    }
    Value column = kernel.add(kernel.mul(group, bytes.getWidth()),
                              v * kernel.machine.lanes);
    column = kernel.add(columns.first, column);
    SmallVector<Value> channel = {kernel.index(0), column};
    Value start = epilogue.getStart()
                      ? epilogue.loadStart(kernel, channel, valid)
                      : Value();
    Epilogue::Factors factors = epilogue.loadFactors(kernel, channel, valid);
    for (auto [r, vectors] : llvm::enumerate(sums)) {
      Value sum = start ? arith::AddIOp::create(kernel.builder, kernel.loc,
                                                vectors[v], start)
                        : vectors[v];
      epilogue.store(
          kernel, sum, factors,
          {columns.batch, kernel.add(row, static_cast<int64_t>(r)), column},
          valid);
    }
  }
}

void nacre::emitByteMatrix(VPU::NCEMatMulOp op, KernelBuilder &kernel,
                           VPU::RegisterTileAttr chosen) {
  ByteMatrixKernel(op, kernel, chosen).emit();
}
