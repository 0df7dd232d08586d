//===- WideWeights.cpp - Weights of 16 bits as f32 ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector that is extended takes as many issue slots as one that multiplies.
//
//===----------------------------------------------------------------------===//

#include "WideWeights.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nacre;

WideWeights::WideWeights(KernelBuilder &kernel, ArrayRef<int64_t> extents,
                         int64_t vectors)
    : kernel(&kernel) {
  OpBuilder &b = kernel.builder;
  stack = LLVM::StackSaveOp::create(b, kernel.loc,
                                    LLVM::LLVMPointerType::get(b.getContext()));
  SmallVector<int64_t> shape = {vectors};
  llvm::append_range(shape, extents);
  shape.push_back(kernel.machine.lanes);
  memref = memref::AllocaOp::create(
      b, kernel.loc, MemRefType::get(shape, kernel.machine.floats),
      b.getI64IntegerAttr(VPU::kCacheLineBytes));
}

void WideWeights::fill(int64_t vectors,
                       llvm::function_ref<Value(int64_t, ValueRange)> load) {
  ArrayRef<int64_t> extents = getShape(memref).drop_front().drop_back();
  kernel->nest(
      kernel->extents(extents),
      [&](ValueRange step) {
        for (int64_t v = 0; v < vectors; ++v) {
          SmallVector<Value> at = {kernel->index(v)};
          llvm::append_range(at, step);
          at.push_back(kernel->index(0));
          kernel->store(load(v, step), memref, at, kernel->fullLanes());
        }
      },
      /*rolled=*/true);
}

void WideWeights::fillTransposed(
    int64_t vectors,
    llvm::function_ref<Value(Value, int64_t, Value, Lanes)> load) {
  int64_t depth = getShape(memref)[1], lanes = kernel->machine.lanes;
  kernel->rolledLoop(vectors, [&](Value v) {
    kernel->vectors(depth, [&](Value step, Lanes steps) {
      kernel->transposeTile(
          lanes, steps,
          [&](int64_t column) { return load(v, column, step, steps); },
          [&](int64_t i, Value x) {
            kernel->store(x, memref,
                          {v, kernel->add(step, i), kernel->index(0)},
                          kernel->fullLanes());
          });
    });
  });
}

Value WideWeights::load(int64_t vector, ValueRange step) const {
  SmallVector<Value> at = {kernel->index(vector)};
  llvm::append_range(at, step);
  at.push_back(kernel->index(0));
  return kernel->load(memref, at, kernel->fullLanes());
}

void WideWeights::release() {
  LLVM::StackRestoreOp::create(kernel->builder, kernel->loc, stack);
}
