//===- Sorting.cpp - Interpreter kernels: sorting -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family: sorting.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "nacre/Dialect/IE/IR/Sorting.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// A total order, in which NaN is the largest number.
template <typename T> static bool isLess(T a, T b) {
  return a < b || (b != b && a == a);
}

static LogicalResult evalTopK(IE::TopKOp op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  const Tensor &input = operands[0];
  int64_t axis = op.getAxis();
  axis += axis < 0 ? input.getRank() : 0;
  SmallVector<int64_t> shape(input.getShape());
  shape[axis] = operands[1].getInt(0);
  if (failed(checkShape(op, shape, results[0]))) {
    return failure();
  }
  bool largest = op.getLargest() != 0;
  int64_t length = input.getDim(axis), k = shape[axis];
  int64_t inner =
      ShapedType::getNumElements(input.getShape().drop_front(axis + 1));
  int64_t outer = ShapedType::getNumElements(input.getShape().take_front(axis));
  MutableArrayRef<int64_t> positions = results[1].mutableValues<int64_t>();
  dispatch(input.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = input.values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (int64_t line = 0; line < outer * inner; ++line) {
      int64_t row = line / inner, column = line % inner;
      auto at = [&](int64_t i) {
        return in[(row * length + i) * inner + column];
      };
      auto order = llvm::to_vector(llvm::seq<int64_t>(0, length));
      llvm::sort(order, [&](int64_t i, int64_t j) {
        T low = largest ? at(j) : at(i), high = largest ? at(i) : at(j);
        return isLess(low, high) || (!isLess(high, low) && i < j);
      });
      for (int64_t i = 0; i < k; ++i) {
        int64_t to = (row * k + i) * inner + column;
        out[to] = at(order[i]);
        positions[to] = order[i];
      }
    }
  });
  return success();
}

void interpreter::registerSortingKernels(MLIRContext *context) {
  attachKernel<IE::TopKOp, evalTopK>(context);
}
