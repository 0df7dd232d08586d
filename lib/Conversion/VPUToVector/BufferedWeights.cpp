//===- BufferedWeights.cpp - Weights ready to be multiplied ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector that is extended, or packed, takes as many issue slots as one that
// multiplies.
//
//===----------------------------------------------------------------------===//

#include "BufferedWeights.h"

using namespace mlir;
using namespace nacre;

/// `extents` between vectors and their elements.
static SmallVector<int64_t>
getBufferShape(int64_t vectors, ArrayRef<int64_t> extents, VectorType type) {
  SmallVector<int64_t> shape = {vectors};
  llvm::append_range(shape, extents);
  shape.push_back(type.getNumElements());
  return shape;
}

BufferedWeights::BufferedWeights(KernelBuilder &kernel,
                                 ArrayRef<int64_t> extents, int64_t vectors,
                                 VectorType type)
    : kernel(&kernel), buffer(kernel, getBufferShape(vectors, extents, type),
                              type.getElementType()) {}

Lanes BufferedWeights::getLanes() const {
  int64_t elements = getShape(buffer.getMemRef()).back();
  return {elements, elements};
}

void BufferedWeights::fill(
    int64_t vectors, llvm::function_ref<Value(int64_t, ValueRange)> load) {
  ArrayRef<int64_t> extents =
      getShape(buffer.getMemRef()).drop_front().drop_back();
  kernel->nest(
      kernel->extents(extents),
      [&](ValueRange step) {
        for (int64_t v = 0; v < vectors; ++v) {
          SmallVector<Value> at = {kernel->index(v)};
          llvm::append_range(at, step);
          at.push_back(kernel->index(0));
          kernel->store(load(v, step), buffer.getMemRef(), at, getLanes());
        }
      },
      /*rolled=*/true);
}

void BufferedWeights::fillTransposed(
    int64_t vectors,
    llvm::function_ref<Value(Value, int64_t, Value, Lanes)> load) {
  int64_t depth = getShape(buffer.getMemRef())[1],
          lanes = kernel->machine.lanes;
  kernel->rolledLoop(vectors, [&](Value v) {
    kernel->vectors(depth, [&](Value step, Lanes steps) {
      kernel->transposeTile(
          lanes, steps,
          [&](int64_t column) { return load(v, column, step, steps); },
          [&](int64_t i, Value x) {
            kernel->store(x, buffer.getMemRef(),
                          {v, kernel->add(step, i), kernel->index(0)},
                          kernel->fullLanes());
          });
    });
  });
}

Value BufferedWeights::load(int64_t vector, ValueRange step) const {
  SmallVector<Value> at = {kernel->index(vector)};
  llvm::append_range(at, step);
  at.push_back(kernel->index(0));
  return kernel->load(buffer.getMemRef(), at, getLanes());
}

void BufferedWeights::release() { buffer.release(*kernel); }
