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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

WideRows::WideRows(KernelBuilder &kernel, ArrayRef<int64_t> shape)
    : kernel(&kernel), buffer(kernel, shape, kernel.builder.getI16Type()) {}

/// `position` with `offset` added to one of its dimensions.
static SmallVector<Value> advance(KernelBuilder &kernel,
                                  ArrayRef<Value> position, size_t dim,
                                  int64_t offset) {
  SmallVector<Value> at(position);
  at[dim] = kernel.add(at[dim], offset);
  return at;
}

void WideRows::fill(Value tensor, ArrayRef<Value> first, ArrayRef<Value> place,
                    int64_t rows) const {
  OpBuilder &b = kernel->builder;
  Location loc = kernel->loc;
  auto extend = [&](int64_t row, Value byte, int64_t width) {
    SmallVector<Value> from = advance(*kernel, first, first.size() - 2, row);
    from.back() = kernel->add(from.back(), byte);
    Value bytes = vector::LoadOp::create(
        b, loc, VectorType::get({width}, b.getI8Type()), tensor, from);
    Value words = arith::ExtUIOp::create(
        b, loc, VectorType::get({width}, b.getI16Type()), bytes);
    SmallVector<Value> to = advance(*kernel, place, place.size() - 1, row);
    to.push_back(byte);
    vector::StoreOp::create(b, loc, words, buffer.getMemRef(), to);
  };
  // As many words as a vector has, then of the powers of two below.
  int64_t bytes = getShape().back(), width = 2 * kernel->machine.lanes;
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

Value WideRows::load(ArrayRef<Value> place, Value step, int64_t pack) const {
  SmallVector<Value> at(place);
  at.push_back(kernel->mul(step, pack));
  return kernel->loadLeft(buffer.getMemRef(), at, pack);
}

ArrayRef<int64_t> WideRows::getShape() const {
  return nacre::getShape(buffer.getMemRef());
}

void WideRows::release() { buffer.release(*kernel); }
