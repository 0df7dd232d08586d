//===- Frame.cpp - A tensor within a larger one ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before and after the tensor in its first dimension are parts of the whole
// result, in the next one parts of what is left of it, and so on: the outer
// ones lie in one piece, and no element is written twice.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "Common.h"

using namespace mlir;
using namespace nacre;

namespace {
struct Part {
  SmallVector<int64_t> offsets, sizes;
};
} // namespace

/// The parts around a tensor of `shape` at `low` in one of `whole`.
static SmallVector<Part> getParts(ArrayRef<int64_t> shape,
                                  ArrayRef<int64_t> whole,
                                  ArrayRef<int64_t> low) {
  SmallVector<Part> parts;
  Part rest{SmallVector<int64_t>(shape.size(), 0), SmallVector<int64_t>(whole)};
  for (auto [d, size] : llvm::enumerate(shape)) {
    int64_t end = low[d] + size;
    for (auto [from, to] : {std::pair(int64_t{0}, low[d]), {end, whole[d]}}) {
      if (from == to) {
        continue;
      }
      Part part = rest;
      part.offsets[d] = from;
      part.sizes[d] = to - from;
      parts.push_back(std::move(part));
    }
    rest.offsets[d] = low[d];
    rest.sizes[d] = size;
  }
  return parts;
}

Value nacre::buildFramed(OpBuilder &builder, Location loc, Value data,
                         RankedTensorType type, ArrayRef<int64_t> low,
                         FramePartBuilder buildPart) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(data.getType()).getShape();
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  Value result = buildEmpty(builder, loc, type);
  auto insert = [&](Value part, ArrayRef<int64_t> offsets,
                    ArrayRef<int64_t> sizes) {
    MLIRContext *context = builder.getContext();
    result = tensor::InsertSliceOp::create(
        builder, loc, part, result, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes), strides);
  };
  insert(data, low, shape);
  for (const Part &part : getParts(shape, type.getShape(), low)) {
    insert(buildPart(type.clone(part.sizes), part.offsets), part.offsets,
           part.sizes);
  }
  return result;
}
