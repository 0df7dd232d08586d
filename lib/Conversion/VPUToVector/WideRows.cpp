//===- WideRows.cpp - Bytes of rows as 16-bit words -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pack of bytes that goes to all lanes takes two shuffles to be extended; one
// of words is read into all lanes by the load itself. Machines shuffle in half
// as many ports as they multiply in, or fewer.
//
//===----------------------------------------------------------------------===//

#include "WideRows.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

WideRows::WideRows(KernelBuilder &kernel, int64_t rows, int64_t bytes)
    : kernel(&kernel) {
  OpBuilder &b = kernel.builder;
  stack = LLVM::StackSaveOp::create(b, kernel.loc,
                                    LLVM::LLVMPointerType::get(b.getContext()));
  memref = memref::AllocaOp::create(
      b, kernel.loc, MemRefType::get({rows, bytes}, b.getI16Type()),
      b.getI64IntegerAttr(VPU::kCacheLineBytes));
}

void WideRows::fill(Value matrix, ArrayRef<Value> first, int64_t rows) {
  OpBuilder &b = kernel->builder;
  Location loc = kernel->loc;
  auto extend = [&](int64_t row, Value byte, int64_t width) {
    SmallVector<Value> at(first);
    at[at.size() - 2] = kernel->add(at[at.size() - 2], row);
    at.back() = kernel->add(at.back(), byte);
    Value bytes = vector::LoadOp::create(
        b, loc, VectorType::get({width}, b.getI8Type()), matrix, at);
    Value words = arith::ExtUIOp::create(
        b, loc, VectorType::get({width}, b.getI16Type()), bytes);
    vector::StoreOp::create(b, loc, words, memref,
                            ValueRange{kernel->index(row), byte});
  };
  // As many words as a vector has, then of the powers of two below.
  int64_t bytes = getShape(memref)[1], width = 2 * kernel->machine.lanes;
  int64_t whole = bytes / width * width;
  kernel->loop(whole, width, [&](Value byte) {
    for (int64_t row = 0; row < rows; ++row) {
      extend(row, byte, width);
    }
  });
  for (int64_t byte = whole; byte < bytes; byte += width) {
    while (width > bytes - byte) {
      width /= 2;
    }
    for (int64_t row = 0; row < rows; ++row) {
      extend(row, kernel->index(byte), width);
    }
  }
}

Value WideRows::load(int64_t row, Value step, int64_t pack) const {
  return kernel->loadLeft(memref, {kernel->index(row), kernel->mul(step, pack)},
                          pack);
}

void WideRows::release() {
  LLVM::StackRestoreOp::create(kernel->builder, kernel->loc, stack);
}
