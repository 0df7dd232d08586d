//===- PieceCopies.cpp - Pieces of pixels beside each other ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceCopies.h"

#include "TileRegisters.h"

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

Value nacre::moveAddress(KernelBuilder &kernel, Value address, Value bytes) {
  OpBuilder &b = kernel.builder;
  return LLVM::GEPOp::create(b, kernel.loc, address.getType(), b.getI8Type(),
                             address, ArrayRef<LLVM::GEPArg>{bytes});
}

/// `count` steps of so many bytes.
static Value scale(KernelBuilder &kernel, Value count, Value bytes) {
  return kernel.builder.createOrFold<arith::MulIOp>(
      kernel.loc, toI64(kernel, count), bytes);
}

static Value load(KernelBuilder &kernel, Value from, int64_t words) {
  OpBuilder &b = kernel.builder;
  return LLVM::LoadOp::create(b, kernel.loc,
                              VectorType::get({words}, b.getI32Type()), from,
                              /*alignment=*/1);
}

static void store(KernelBuilder &kernel, Value vector, Value to) {
  LLVM::StoreOp::create(kernel.builder, kernel.loc, vector, to,
                        /*alignment=*/1);
}

void PieceCopies::transpose(KernelBuilder &kernel, Value from, Value to) const {
  OpBuilder &b = kernel.builder;
  int64_t pieceWords = pieceBytes / VPU::kTileWordBytes;
  SmallVector<Value> rows;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    Value row =
        piece == 0
            ? from
            : moveAddress(kernel, from,
                          scale(kernel, kernel.index(piece), pieceStride));
    rows.push_back(load(kernel, row, pieces * pieceWords));
  }
  // Each round swaps two of four quadrants, those off the diagonal.
  for (int64_t half = pieces / 2; half > 0; half /= 2) {
    for (int64_t i = 0; i < pieces; ++i) {
      if (i & half) {
        continue;
      }
      SmallVector<int64_t> upper, lower;
      for (int64_t word = 0; word < pieces * pieceWords; ++word) {
        bool isRight = (word / pieceWords) & half;
        int64_t other = pieces * pieceWords, distance = half * pieceWords;
        upper.push_back(isRight ? other + word - distance : word);
        lower.push_back(isRight ? other + word : word + distance);
      }
      Value first = rows[i], second = rows[i + half];
      rows[i] = vector::ShuffleOp::create(b, kernel.loc, first, second, upper);
      rows[i + half] =
          vector::ShuffleOp::create(b, kernel.loc, first, second, lower);
    }
  }
  Value rowBytes =
      toI64(kernel, kernel.index(kernel.machine.matrixUnit.getRowBytes()));
  for (auto [i, row] : llvm::enumerate(rows)) {
    Value place = kernel.index(static_cast<int64_t>(i));
    store(kernel, row, moveAddress(kernel, to, scale(kernel, place, rowBytes)));
  }
}

void PieceCopies::emit(KernelBuilder &kernel, Value from, Value to,
                       Value pixels) const {
  OpBuilder &b = kernel.builder;
  int64_t tileRowBytes = kernel.machine.matrixUnit.getRowBytes();
  Value rowBytes = toI64(kernel, kernel.index(tileRowBytes));
  auto at = [&](Value pixel) {
    return std::pair(
        moveAddress(kernel, from, scale(kernel, pixel, pixelStride)),
        moveAddress(kernel, to, scale(kernel, pixel, rowBytes)));
  };
  auto copyPixel = [&](Value pixel) {
    auto [source, target] = at(pixel);
    for (int64_t piece = 0; piece < pieces; ++piece) {
      Value number = kernel.index(piece);
      Value elements =
          load(kernel,
               moveAddress(kernel, source, scale(kernel, number, pieceStride)),
               pieceBytes / VPU::kTileWordBytes);
      Value start = toI64(kernel, kernel.mul(number, pieceBytes));
      store(kernel, elements, moveAddress(kernel, target, start));
    }
  };
  bool isSquare = pieces * pieceBytes == tileRowBytes &&
                  llvm::isPowerOf2_64(pieces) &&
                  getConstantIntValue(pixelStride) == pieceBytes;
  if (!isSquare) {
    kernel.loop(getAsOpFoldResult(pixels), copyPixel);
    return;
  }
  auto transposeAt = [&](Value pixel) {
    auto [source, target] = at(pixel);
    transpose(kernel, source, target);
  };
  std::optional<int64_t> known = getConstantIntValue(pixels);
  if (known && *known >= pieces) {
    // The last ones again, of which some are there.
    kernel.loop(llvm::divideCeilSigned(*known, pieces), [&](Value square) {
      transposeAt(
          b.createOrFold<arith::MinUIOp>(kernel.loc, kernel.mul(square, pieces),
                                         kernel.index(*known - pieces)));
    });
    return;
  }
  Value squares = kernel.div(pixels, pieces);
  kernel.loop(getAsOpFoldResult(squares),
              [&](Value square) { transposeAt(kernel.mul(square, pieces)); });
  Value first = kernel.mul(squares, pieces);
  Value rest = kernel.sub(pixels, first);
  kernel.loop(getAsOpFoldResult(rest),
              [&](Value i) { copyPixel(kernel.add(first, i)); });
}
