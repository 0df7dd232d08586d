//===- TileRegisters.cpp - Registers of a matrix unit ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics, and addresses for them.
//
//===----------------------------------------------------------------------===//

#include "TileRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value nacre::toI64(KernelBuilder &kernel, Value index) {
  return kernel.builder.createOrFold<arith::IndexCastOp>(
      kernel.loc, kernel.builder.getI64Type(), index);
}

RowPointer::RowPointer(KernelBuilder &kernel, Value memref)
    : kernel(kernel),
      elementBytes(getElementType(memref).getIntOrFloatBitWidth() / 8) {
  OpBuilder &b = kernel.builder;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, kernel.loc, memref);
  strides = metadata.getConstifiedMixedStrides();
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(
      b, kernel.loc, metadata.getBaseBuffer());
  Value offset = kernel.index(metadata.getConstifiedMixedOffset());
  start = kernel.add(start, kernel.mul(offset, elementBytes));
  base = LLVM::IntToPtrOp::create(b, kernel.loc,
                                  LLVM::LLVMPointerType::get(b.getContext()),
                                  toI64(kernel, start));
}

Value RowPointer::scale(Value index, unsigned dim) {
  Value stride = kernel.index(strides[dim]);
  Value elements =
      kernel.builder.createOrFold<arith::MulIOp>(kernel.loc, index, stride);
  return kernel.mul(elements, elementBytes);
}

Value RowPointer::at(ValueRange indices) {
  Value bytes = kernel.index(0);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    bytes = kernel.add(bytes, scale(index, dim));
  }
  OpBuilder &b = kernel.builder;
  return LLVM::GEPOp::create(b, kernel.loc, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{toI64(kernel, bytes)});
}

Value RowPointer::getStride(unsigned dim, int64_t step) {
  return toI64(kernel, scale(kernel.index(step), dim));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void TileRegisters::call(StringRef name, ValueRange operands) {
  OpBuilder &b = kernel.builder;
  LLVM::CallIntrinsicOp::create(b, kernel.loc, b.getStringAttr(name), operands);
}

Value TileRegisters::number(int64_t tile) {
  OpBuilder &b = kernel.builder;
  return LLVM::ConstantOp::create(b, kernel.loc, b.getI8Type(), tile);
}

void TileRegisters::configure(ArrayRef<TileShape> shapes, Value pixels) {
  OpBuilder &b = kernel.builder;
  // Intel's Software Developer's Manual, LDTILECFG: byte 0 is the palette, the
  // 16-bit numbers from byte 16 on are bytes of a row, the bytes from 48 on are
  // numbers of rows.
  constexpr int64_t kBytes = 64, kRowBytes = 16, kRows = 48;
  SmallVector<int8_t> known(kBytes, 0), hasPixels(kBytes, 0);
  known[0] = 1;
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    known[kRowBytes + 2 * i] = static_cast<int8_t>(shape.rowBytes);
    if (shape.isOfPixels) {
      hasPixels[kRows + i] = 1;
    } else {
      known[kRows + i] = static_cast<int8_t>(shape.rows);
    }
  }
  Location loc = kernel.loc;
  auto type = VectorType::get({kBytes}, b.getI8Type());
  auto constant = [&](ArrayRef<int8_t> values) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, values));
  };
  Value count = arith::IndexCastOp::create(b, loc, b.getI8Type(), pixels);
  Value rows = arith::MulIOp::create(
      b, loc, vector::BroadcastOp::create(b, loc, type, count),
      constant(hasPixels));
  Value config =
      memref::AllocaOp::create(b, loc, MemRefType::get({kBytes}, b.getI8Type()),
                               b.getI64IntegerAttr(kBytes));
  vector::StoreOp::create(b, loc,
                          arith::AddIOp::create(b, loc, constant(known), rows),
                          config, kernel.index(0));
  call("llvm.x86.ldtilecfg", RowPointer(kernel, config).at(kernel.index(0)));
}

void TileRegisters::release() { call("llvm.x86.tilerelease", {}); }

void TileRegisters::zero(int64_t tile) {
  call("llvm.x86.tilezero", number(tile));
}

void TileRegisters::load(int64_t tile, Value address, Value stride,
                         bool passes) {
  call(passes ? "llvm.x86.tileloaddt164" : "llvm.x86.tileloadd64",
       {number(tile), address, stride});
}

void TileRegisters::store(int64_t tile, Value address, Value stride) {
  call("llvm.x86.tilestored64", {number(tile), address, stride});
}

void TileRegisters::multiply(Type elementType, int64_t sums, int64_t left,
                             int64_t right) {
  call(elementType.isBF16() ? "llvm.x86.tdpbf16ps" : "llvm.x86.tdpbusd",
       {number(sums), number(left), number(right)});
}
