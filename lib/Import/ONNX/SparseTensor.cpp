//===- SparseTensor.cpp - Sparse tensors of ONNX --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE has dense tensors only: what a sparse one leaves out is zeros.
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"

#include "nacre/Interpreter/Tensor.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using interpreter::Tensor;

// Zeros take memory here, and a few bytes of a file can name any number.
static constexpr int64_t kMaxBytes = int64_t(1) << 32;

/// Where the element that row `i` of `indices` names lies; nothing where the
/// tensor has no such element.
static std::optional<int64_t> getPosition(const Tensor &indices, int64_t i,
                                          ArrayRef<int64_t> shape) {
  if (indices.getRank() == 1) {
    int64_t position = indices.getInt(i);
    bool isInside =
        position >= 0 && position < ShapedType::getNumElements(shape);
    return isInside ? std::optional(position) : std::nullopt;
  }
  int64_t position = 0;
  for (auto [axis, dim] : llvm::enumerate(shape)) {
    int64_t index = indices.getInt(i * indices.getDim(1) + axis);
    if (index < 0 || index >= dim) {
      return std::nullopt;
    }
    position = position * dim + index;
  }
  return position;
}

FailureOr<ElementsAttr> onnx_import::importSparseTensor(
    Location loc, const onnx::SparseTensorProto &sparse,
    std::shared_ptr<const void> owner, StringRef folder) {
  SmallVector<int64_t> shape(sparse.dims().begin(), sparse.dims().end());
  for (int64_t dim : shape) {
    if (dim < 0) {
      return emitError(loc)
             << "expected non-negative dimensions, found " << dim;
    }
  }
  FailureOr<ElementsAttr> given =
      importTensor(loc, sparse.values(), owner, folder);
  FailureOr<ElementsAttr> where =
      importTensor(loc, sparse.indices(), owner, folder);
  FailureOr<RankedTensorType> type =
      getTensorType(loc, sparse.values().data_type(), shape);
  if (failed(given) || failed(where) || failed(type)) {
    return failure();
  }
  FailureOr<Tensor> values = Tensor::fromAttr(*given);
  FailureOr<Tensor> indices = Tensor::fromAttr(*where);
  if (failed(values) || failed(indices)) {
    return failure();
  }
  int64_t count = values->getNumElements(), rank = indices->getRank();
  bool fits =
      indices->getElementType().isInteger(64) && rank > 0 &&
      indices->getDim(0) == count &&
      (rank == 1 || (rank == 2 && indices->getDim(1) == type->getRank()));
  if (!fits) {
    return emitError(loc) << "expected an index of each of " << count
                          << " values of a sparse " << *type << ", found "
                          << indices->getType();
  }
  int64_t bytes = interpreter::getElementBytes(type->getElementType());
  if (type->getNumElements() > kMaxBytes / bytes) {
    return emitError(loc) << "expected a sparse tensor of at most " << kMaxBytes
                          << " bytes, found " << *type;
  }
  Tensor dense(*type);
  for (int64_t i = 0; i < count; ++i) {
    std::optional<int64_t> position = getPosition(*indices, i, shape);
    if (!position) {
      return emitError(loc) << "expected indices within a sparse " << *type
                            << ", found others for value " << i;
    }
    llvm::copy(values->getBytes().slice(i * bytes, bytes),
               dense.getMutableBytes().begin() + *position * bytes);
  }
  return dense.toAttr();
}
