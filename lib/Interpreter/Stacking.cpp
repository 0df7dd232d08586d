//===- Stacking.cpp - Tensors from parts, and parts of tensors ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of runs of bytes, whatever the elements are.
//
//===----------------------------------------------------------------------===//

#include "Stacking.h"
#include "nacre/Interpreter/TensorMemory.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// Visits a section of `whole` along `axis` run by run: the offset in the
/// whole, the offset in the section, and the length, in bytes.
static void
forEachRun(RankedTensorType whole, int64_t axis, int64_t offset, int64_t size,
           llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
  ArrayRef<int64_t> shape = whole.getShape();
  int64_t bytes = ShapedType::getNumElements(shape.drop_front(axis + 1)) *
                  getElementBytes(whole.getElementType());
  int64_t runs = ShapedType::getNumElements(shape.take_front(axis));
  for (int64_t run = 0; run < runs; ++run) {
    visit((run * shape[axis] + offset) * bytes, run * size * bytes,
          size * bytes);
  }
}

Tensor interpreter::takeSection(const Tensor &whole, int64_t axis,
                                int64_t offset, int64_t size) {
  SmallVector<int64_t> shape(whole.getShape());
  shape[axis] = size;
  Tensor section(whole.getType().clone(shape));
  char *to = section.getMutableBytes().data();
  const char *from = whole.getBytes().data();
  forEachRun(whole.getType(), axis, offset, size,
             [&](int64_t outer, int64_t inner, int64_t bytes) {
               std::copy_n(from + outer, bytes, to + inner);
             });
  return section;
}

Tensor interpreter::takeSlice(const Tensor &whole, int64_t axis,
                              int64_t position) {
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + axis);
  return takeSection(whole, axis, position, 1)
      .withType(whole.getType().clone(shape));
}

/// Puts `part` at `offset` of `axis`.
static void putSection(Tensor &whole, const Tensor &part, int64_t axis,
                       int64_t offset, int64_t size) {
  char *to = whole.getMutableBytes().data();
  const char *from = part.getBytes().data();
  forEachRun(whole.getType(), axis, offset, size,
             [&](int64_t outer, int64_t inner, int64_t bytes) {
               std::copy_n(from + inner, bytes, to + outer);
             });
}

FailureOr<Tensor> interpreter::stack(Operation *op, ArrayRef<Datum> elements,
                                     RankedTensorType elementType, int64_t axis,
                                     bool reversed) {
  SmallVector<int64_t> shape;
  if (elements.empty()) {
    for (int64_t dim : elementType.getShape()) {
      shape.push_back(ShapedType::isDynamic(dim) ? 0 : dim);
    }
  } else {
    shape.assign(elements.front().getTensor().getShape().begin(),
                 elements.front().getTensor().getShape().end());
  }
  auto count = static_cast<int64_t>(elements.size());
  SmallVector<int64_t> elementShape = shape;
  shape.insert(shape.begin() + axis, count);
  if (failed(requireMemory(op, elementType.clone(shape)))) {
    return failure();
  }
  Tensor whole(elementType.clone(shape));
  for (auto [i, datum] : llvm::enumerate(elements)) {
    const Tensor &element = datum.getTensor();
    if (element.getShape() != ArrayRef(elementShape)) {
      return op->emitError("expected elements of one shape to put side by "
                           "side, found ")
             << elements.front().getTensor().getType() << " and "
             << element.getType();
    }
    auto position = static_cast<int64_t>(i);
    putSection(whole, element, axis, reversed ? count - 1 - position : position,
               1);
  }
  return whole;
}

FailureOr<Tensor> interpreter::concat(Operation *op, ArrayRef<Datum> elements,
                                      int64_t axis) {
  RankedTensorType type = elements.front().getTensor().getType();
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 0;
  for (const Datum &datum : elements) {
    RankedTensorType other = datum.getTensor().getType();
    bool fits = other.getRank() == type.getRank();
    for (int64_t d = 0; fits && d < type.getRank(); ++d) {
      fits = d == axis || other.getDimSize(d) == type.getDimSize(d);
    }
    if (!fits) {
      return op->emitError("expected tensors that differ along axis ")
             << axis << " only, found " << type << " and " << other;
    }
    shape[axis] += other.getDimSize(axis);
  }
  if (failed(requireMemory(op, type.clone(shape)))) {
    return failure();
  }
  Tensor whole(type.clone(shape));
  int64_t offset = 0;
  for (const Datum &datum : elements) {
    int64_t size = datum.getTensor().getDim(axis);
    putSection(whole, datum.getTensor(), axis, offset, size);
    offset += size;
  }
  return whole;
}
