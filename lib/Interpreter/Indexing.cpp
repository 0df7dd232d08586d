//===- Indexing.cpp - Interpreter kernels: Indexing family ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Indexing. An index out of range is an
// error.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "nacre/Dialect/IE/IR/Indexing.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Every index of `indices`, mapped into [0, dim).
static FailureOr<SmallVector<int64_t>>
normalizeIndices(Operation *op, const Tensor &indices,
                 llvm::function_ref<int64_t(int64_t)> dimOf) {
  SmallVector<int64_t> values = *getInts(&indices);
  for (auto [i, index] : llvm::enumerate(values)) {
    int64_t dim = dimOf(i);
    if (index < -dim || index >= dim) {
      op->emitError("expected an index in [")
          << -dim << ", " << dim - 1 << "], found " << index;
      return failure();
    }
    index = index < 0 ? index + dim : index;
  }
  return values;
}

static int64_t normalize(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

static LogicalResult evalGather(IE::GatherOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  const Tensor &data = operands[0];
  int64_t axis = normalize(op.getAxis(), data.getRank());
  auto indices = normalizeIndices(op, operands[1],
                                  [&](int64_t) { return data.getDim(axis); });
  if (failed(indices)) {
    return failure();
  }
  // The result is outer × indices × inner.
  int64_t inner =
      ShapedType::getNumElements(data.getShape().drop_front(axis + 1));
  int64_t count = indices->size();
  gatherElements(data, results[0], [&](int64_t linear, ArrayRef<int64_t>) {
    int64_t outer = linear / (inner * count);
    int64_t which = linear / inner % count;
    return (outer * data.getDim(axis) + (*indices)[which]) * inner +
           linear % inner;
  });
  return success();
}

/// The position in `data` of the element that entry `linear`, at `index`, of
/// element-wise indices addresses.
static int64_t getElementPosition(ArrayRef<int64_t> indices, int64_t linear,
                                  ArrayRef<int64_t> index, int64_t axis,
                                  ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    bool isAxis = static_cast<int64_t>(d) == axis;
    position += (isAxis ? indices[linear] : index[d]) * strides[d];
  }
  return position;
}

static LogicalResult evalGatherElements(IE::GatherElementsOp op,
                                        ArrayRef<Tensor> operands,
                                        MutableArrayRef<Tensor> results) {
  const Tensor &data = operands[0];
  int64_t axis = normalize(op.getAxis(), data.getRank());
  auto indices = normalizeIndices(op, operands[1],
                                  [&](int64_t) { return data.getDim(axis); });
  if (failed(indices)) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(data.getShape());
  gatherElements(
      data, results[0], [&](int64_t linear, ArrayRef<int64_t> index) {
        return getElementPosition(*indices, linear, index, axis, strides);
      });
  return success();
}

/// The position that tuple `which` of `indices` addresses, `strides` being
/// those of the dimensions that it addresses.
static int64_t getTuplePosition(ArrayRef<int64_t> indices, int64_t which,
                                ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (auto [d, stride] : llvm::enumerate(strides)) {
    position += indices[which * strides.size() + d] * stride;
  }
  return position;
}

static LogicalResult evalGatherND(IE::GatherNDOp op, ArrayRef<Tensor> operands,
                                  MutableArrayRef<Tensor> results) {
  const Tensor &data = operands[0];
  int64_t batchDims = op.getBatchDims();
  int64_t tuple = operands[1].getShape().back();
  auto indices = normalizeIndices(op, operands[1], [&](int64_t i) {
    return data.getDim(batchDims + i % tuple);
  });
  if (failed(indices)) {
    return failure();
  }
  ArrayRef<int64_t> shape = data.getShape();
  SmallVector<int64_t> allStrides = computeStrides(shape);
  ArrayRef<int64_t> strides =
      ArrayRef<int64_t>(allStrides).slice(batchDims, tuple);
  int64_t slice =
      ShapedType::getNumElements(shape.drop_front(batchDims + tuple));
  int64_t perBatch = ShapedType::getNumElements(shape.drop_front(batchDims));
  int64_t tuplesPerBatch = ShapedType::getNumElements(
      operands[1].getShape().drop_back().drop_front(batchDims));
  gatherElements(data, results[0], [&](int64_t linear, ArrayRef<int64_t>) {
    int64_t which = linear / slice;
    return which / tuplesPerBatch * perBatch +
           getTuplePosition(*indices, which, strides) + linear % slice;
  });
  return success();
}

/// Combines the element at `out` with an update.
template <typename T>
static T reduce(StringRef reduction, T present, T update) {
  if (reduction == "add") {
    return T(present + update);
  }
  if (reduction == "mul") {
    return T(present * update);
  }
  if (reduction == "max") {
    return present < update ? update : present;
  }
  if (reduction == "min") {
    return update < present ? update : present;
  }
  return update;
}

/// The result is `data` with update i combined into the element at
/// `position(i, index)`.
static void scatter(const Tensor &data, const Tensor &updates, Tensor &result,
                    StringRef reduction, SourceFn position) {
  copyElements(data, result);
  if (reduction == "none") {
    dispatchWidth(result.getElementType(), [&](auto tag) {
      using T = decltype(tag);
      ArrayRef<T> in = updates.values<T>();
      MutableArrayRef<T> out = result.mutableValues<T>();
      forEachIndex(updates.getShape(),
                   [&](int64_t linear, ArrayRef<int64_t> index) {
                     out[position(linear, index)] = in[linear];
                   });
    });
    return;
  }
  dispatch(result.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = updates.values<T>();
    MutableArrayRef<T> out = result.mutableValues<T>();
    forEachIndex(updates.getShape(),
                 [&](int64_t linear, ArrayRef<int64_t> index) {
                   T &element = out[position(linear, index)];
                   element = reduce<T>(reduction, element, in[linear]);
                 });
  });
}

static LogicalResult evalScatterElements(IE::ScatterElementsOp op,
                                         ArrayRef<Tensor> operands,
                                         MutableArrayRef<Tensor> results) {
  const Tensor &data = operands[0];
  int64_t axis = normalize(op.getAxis(), data.getRank());
  auto indices = normalizeIndices(op, operands[1],
                                  [&](int64_t) { return data.getDim(axis); });
  if (failed(indices)) {
    return failure();
  }
  SmallVector<int64_t> strides = computeStrides(data.getShape());
  scatter(data, operands[2], results[0], op.getReduction(),
          [&](int64_t linear, ArrayRef<int64_t> index) {
            return getElementPosition(*indices, linear, index, axis, strides);
          });
  return success();
}

static LogicalResult evalScatterND(IE::ScatterNDOp op,
                                   ArrayRef<Tensor> operands,
                                   MutableArrayRef<Tensor> results) {
  const Tensor &data = operands[0];
  int64_t tuple = operands[1].getShape().back();
  auto indices = normalizeIndices(
      op, operands[1], [&](int64_t i) { return data.getDim(i % tuple); });
  if (failed(indices)) {
    return failure();
  }
  SmallVector<int64_t> allStrides = computeStrides(data.getShape());
  ArrayRef<int64_t> strides = ArrayRef<int64_t>(allStrides).take_front(tuple);
  int64_t slice = ShapedType::getNumElements(data.getShape().drop_front(tuple));
  scatter(data, operands[2], results[0], op.getReduction(),
          [&](int64_t linear, ArrayRef<int64_t>) {
            return getTuplePosition(*indices, linear / slice, strides) +
                   linear % slice;
          });
  return success();
}

static LogicalResult evalOneHot(IE::OneHotOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  const Tensor &indices = operands[0];
  int64_t rank = results[0].getRank();
  int64_t axis = normalize(op.getAxis(), rank);
  int64_t depth = results[0].getDim(axis);
  if (operands[1].getInt(0) != depth) {
    return op.emitError("expected a depth of ")
           << depth << ", found " << operands[1].getInt(0);
  }
  // The result is outer × depth × inner, the indices outer × inner.
  int64_t inner =
      ShapedType::getNumElements(results[0].getShape().drop_front(axis + 1));
  gatherElements(
      operands[2], results[0], [&](int64_t linear, ArrayRef<int64_t> position) {
        int64_t outer = linear / (inner * depth);
        int64_t index = indices.getInt(outer * inner + linear % inner);
        index = index < 0 ? index + depth : index;
        return index == position[axis] ? 1 : 0;
      });
  return success();
}

void interpreter::registerIndexingKernels(MLIRContext *context) {
  attachKernel<IE::GatherOp, evalGather>(context);
  attachKernel<IE::GatherElementsOp, evalGatherElements>(context);
  attachKernel<IE::GatherNDOp, evalGatherND>(context);
  attachKernel<IE::ScatterElementsOp, evalScatterElements>(context);
  attachKernel<IE::ScatterNDOp, evalScatterND>(context);
  attachKernel<IE::OneHotOp, evalOneHot>(context);
}
