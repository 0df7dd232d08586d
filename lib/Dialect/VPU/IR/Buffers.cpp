//===- Buffers.cpp - How elements of buffers lie --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads strides of memref types.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/Buffers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

int64_t VPU::getStrideBytes(Value memref, unsigned dim) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t stride = type.getStridesAndOffset().first[dim];
  return ShapedType::isDynamic(stride)
             ? 0
             : stride * type.getElementTypeBitWidth() / 8;
}

bool VPU::isContiguous(Value memref, unsigned first, unsigned last) {
  auto type = cast<MemRefType>(memref.getType());
  // Strides that follow from sizes are not known where those are not.
  if (type.getLayout().isIdentity()) {
    return true;
  }
  // Which of several strides merged dimensions have is not known where one of
  // them may turn out to be of one element.
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isOpen = ShapedType::isDynamicShape(
      type.getShape().slice(first, last - first + 1));
  if ((isOpen && first != last) ||
      failed(type.getStridesAndOffset(strides, offset))) {
    return false;
  }
  for (unsigned i = first; i < last; ++i) {
    // A dimension of one element is contiguous with anything.
    if (type.getDimSize(i) != 1 &&
        (ShapedType::isDynamic(strides[i]) ||
         ShapedType::isDynamic(strides[i + 1]) ||
         strides[i] != strides[i + 1] * type.getDimSize(i + 1))) {
      return false;
    }
  }
  if (last + 1 < strides.size()) {
    return true;
  }
  // Of innermost dimensions, neighbours are what vectors load. The stride of a
  // dimension of one element, which may be any, must not hide a gap.
  for (unsigned i = last + 1; i-- > first;) {
    if (type.getDimSize(i) != 1) {
      return strides[i] == 1;
    }
  }
  return true;
}

RowMerging VPU::getRowMerging(NCEConvolutionOp op) {
  if (!op.isPointwise()) {
    return RowMerging::none;
  }
  SmallVector<Value> images = {op.getInput(), op.getInit()};
  if (op.getResidual()) {
    images.push_back(op.getResidual());
  }
  int64_t inputColumns =
      cast<ShapedType>(op.getInput().getType()).getDimSize(3);
  int64_t rows = op.getInitType().getDimSize(2);
  int64_t columns = op.getInitType().getDimSize(3);
  bool isKnown = !ShapedType::isDynamic(columns) && inputColumns == columns &&
                 llvm::all_of(images, [](Value image) {
                   return isContiguous(image, 2, 3);
                 });
  if (isKnown) {
    return RowMerging::always;
  }
  bool isOpen = ShapedType::isDynamic(columns) ||
                ShapedType::isDynamic(inputColumns) ||
                ShapedType::isDynamic(rows);
  return isOpen ? RowMerging::atRunTime : RowMerging::none;
}
