//===- PackedWindow.cpp - Operands of windows, copied ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedWindow.h"

#include "PieceCopies.h"

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nacre;

static constexpr int64_t kWordBytes = VPU::kTileWordBytes;

/// Bytes on the stack.
static Value allocate(KernelBuilder &kernel, ArrayRef<int64_t> shape) {
  OpBuilder &b = kernel.builder;
  return memref::AllocaOp::create(
      b, kernel.loc, MemRefType::get(shape, b.getI8Type()),
      b.getI64IntegerAttr(kernel.machine.matrixUnit.getRowBytes()));
}

static void copy(KernelBuilder &kernel, Value from, Value to, int64_t bytes) {
  OpBuilder &b = kernel.builder;
  auto type = VectorType::get({bytes}, b.getI8Type());
  Value elements = LLVM::LoadOp::create(b, kernel.loc, type, from,
                                        /*alignment=*/1);
  LLVM::StoreOp::create(b, kernel.loc, elements, to, /*alignment=*/1);
}

//===----------------------------------------------------------------------===//
// Blocks of channels
//===----------------------------------------------------------------------===//

PackedWindow::PackedWindow(KernelBuilder &kernel, Value input, Value weights,
                           const VPU::WindowStrip &strip)
    : kernel(kernel), strip(strip),
      input(kernel, collapse(kernel, input, 2, 3)), filter(kernel, weights),
      pixels(kernel,
             allocate(kernel, {strip.sets, strip.pixels,
                               kernel.machine.matrixUnit.getRowBytes()})),
      packed(kernel,
             allocate(kernel, {VPU::kTileVectors, strip.sets, strip.windowRows,
                               strip.windowColumns, strip.getDepth(),
                               kernel.machine.matrixUnit.getRowBytes()})) {}

void PackedWindow::packPixels(Value image, Value firstBlock, Value pixel) {
  OpBuilder &b = kernel.builder;
  firstPixel = pixel;
  PieceCopies copies{strip.pieces, strip.blockWords * kWordBytes,
                     input.getStride(1), input.getStride(2)};
  Value rest = kernel.sub(kernel.index(strip.imagePixels), pixel);
  Value count = b.createOrFold<arith::MinUIOp>(kernel.loc, rest,
                                               kernel.index(strip.pixels));
  Value zero = kernel.index(0);
  kernel.rolledLoop(strip.sets, [&](Value set) {
    Value block = kernel.add(firstBlock, kernel.mul(set, strip.pieces));
    copies.emit(kernel, input.at({image, block, pixel, zero}),
                pixels.at({set, zero, zero}), count);
  });
}

void PackedWindow::packWeights(Value vector, int64_t vectors,
                               bool prefetchesNext) {
  firstVector = vector;
  SmallVector<OpFoldResult> steps = kernel.extents(
      {vectors, strip.sets, strip.windowRows, strip.windowColumns});
  Value zero = kernel.index(0);
  auto body = [&](ValueRange k) {
    Value current = kernel.add(vector, k[0]);
    Value block = kernel.mul(k[1], strip.pieces);
    for (int64_t word = 0; word < strip.getDepth(); ++word) {
      auto address = [&](Value of) {
        return filter.at({of, kernel.add(block, word / strip.blockWords), k[2],
                          k[3], kernel.index(word % strip.blockWords), zero});
      };
      copy(kernel, address(current),
           packed.at({k[0], k[1], k[2], k[3], kernel.index(word), zero}),
           kernel.machine.matrixUnit.getRowBytes());
      if (prefetchesNext) {
        // Into the second cache: the first keeps these.
        constexpr int64_t kRead = 0, kSecondCache = 2, kData = 1;
        LLVM::Prefetch::create(kernel.builder, kernel.loc,
                               address(kernel.add(current, vectors)), kRead,
                               kSecondCache, kData);
      }
    }
  };
  kernel.nest(steps, body, /*rolled=*/true);
}

Value PackedWindow::pixel(Value set, Value pixel) {
  return pixels.at({set, kernel.sub(pixel, firstPixel), kernel.index(0)});
}

Value PackedWindow::weights(Value vector, ValueRange step) {
  return packed.at({kernel.sub(vector, firstVector), step[0], step[1], step[2],
                    kernel.index(0), kernel.index(0)});
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

PackedRows::PackedRows(KernelBuilder &kernel, Value input, Value weights,
                       const VPU::RowStrip &strip, int64_t columnStride)
    : kernel(kernel), strip(strip), columnStride(columnStride),
      input(kernel, input),
      // Words of a kernel's rows follow each other.
      filter(kernel, collapse(kernel, weights, 1, 4)),
      rows(kernel, allocate(kernel, {strip.rows, strip.columns,
                                     kernel.machine.matrixUnit.getRowBytes()})),
      packed(kernel,
             allocate(kernel,
                      {VPU::kTileVectors, strip.getSteps(), strip.getDepth(),
                       kernel.machine.matrixUnit.getRowBytes()})) {}

void PackedRows::copyWords(Value from, Value to) {
  OpBuilder &b = kernel.builder;
  int64_t width = kernel.machine.matrixUnit.getRowBytes() / kWordBytes;
  auto type = VectorType::get({width}, b.getI32Type());
  SmallVector<bool> lanes(width, false);
  std::fill_n(lanes.begin(), strip.rowWords, true);
  Value mask = arith::ConstantOp::create(
      b, kernel.loc,
      DenseElementsAttr::get(VectorType::get({width}, b.getI1Type()), lanes));
  Value none = LLVM::PoisonOp::create(b, kernel.loc, type);
  Value words = LLVM::MaskedLoadOp::create(b, kernel.loc, type, from, mask,
                                           none, /*alignment=*/1);
  LLVM::MaskedStoreOp::create(b, kernel.loc, words, to, mask, /*alignment=*/1);
}

void PackedRows::packRows(Value image, Value block, Value row) {
  OpBuilder &b = kernel.builder;
  firstRow = row;
  Value zero = kernel.index(0), last = kernel.index(strip.inputRows - 1);
  kernel.rolledLoop(strip.rows, [&](Value i) {
    SmallVector<Value> sources;
    for (int64_t r = 0; r < strip.together; ++r) {
      // Below the last row there is nothing to read; its weights are zero.
      Value wanted =
          kernel.add(kernel.add(row, kernel.mul(i, strip.rowStep)), r);
      sources.push_back(
          b.createOrFold<arith::MinUIOp>(kernel.loc, wanted, last));
    }
    kernel.rolledLoop(strip.columns, [&](Value column) {
      for (auto [r, source] : llvm::enumerate(sources)) {
        Value start =
            kernel.index(static_cast<int64_t>(r) * strip.rowWords * kWordBytes);
        copyWords(input.at({image, block, source,
                            kernel.mul(column, columnStride), zero}),
                  rows.at({i, column, start}));
      }
    });
  });
}

void PackedRows::packWeights(Value vector, int64_t vectors) {
  OpBuilder &b = kernel.builder;
  firstVector = vector;
  int64_t rowBytes = kernel.machine.matrixUnit.getRowBytes();
  Value zero = kernel.index(0);
  kernel.rolledLoop(vectors, [&](Value v) {
    for (int64_t word = 0; word < strip.getSteps() * strip.getDepth(); ++word) {
      Value to = packed.at({v, kernel.index(word / strip.getDepth()),
                            kernel.index(word % strip.getDepth()), zero});
      if (word < strip.windowRows * strip.rowWords) {
        copy(kernel,
             filter.at({kernel.add(vector, v), kernel.index(word), zero}), to,
             rowBytes);
        continue;
      }
      Value nothing = arith::ConstantOp::create(
          b, kernel.loc,
          b.getZeroAttr(VectorType::get({rowBytes}, b.getI8Type())));
      LLVM::StoreOp::create(b, kernel.loc, nothing, to, /*alignment=*/1);
    }
  });
}

Value PackedRows::row(Value row, Value column) {
  return rows.at({kernel.div(kernel.sub(row, firstRow), strip.rowStep), column,
                  kernel.index(0)});
}

Value PackedRows::weights(Value vector, Value step) {
  return packed.at({kernel.sub(vector, firstVector), step, kernel.index(0),
                    kernel.index(0)});
}
