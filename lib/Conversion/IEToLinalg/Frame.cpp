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
#include "Sizes.h"

using namespace mlir;
using namespace nacre;

namespace {
struct Part {
  Sizes offsets, sizes;
};
} // namespace

/// The parts around a tensor of `shape` with `low` elements before and `high`
/// after it.
static SmallVector<Part> getParts(OpBuilder &builder, Location loc,
                                  const Sizes &shape, ArrayRef<int64_t> low,
                                  ArrayRef<int64_t> high) {
  Part rest;
  for (auto [size, before, after] : llvm::zip_equal(shape, low, high)) {
    rest.offsets.push_back(builder.getIndexAttr(0));
    rest.sizes.push_back(
        addSizes(builder, loc, size, builder.getIndexAttr(before + after)));
  }
  SmallVector<Part> parts;
  for (auto [d, size] : llvm::enumerate(shape)) {
    OpFoldResult begin = builder.getIndexAttr(low[d]);
    auto addPart = [&, d = d](OpFoldResult offset, int64_t count) {
      if (count > 0) {
        Part part = rest;
        part.offsets[d] = offset;
        part.sizes[d] = builder.getIndexAttr(count);
        parts.push_back(std::move(part));
      }
    };
    addPart(builder.getIndexAttr(0), low[d]);
    addPart(addSizes(builder, loc, begin, size), high[d]);
    rest.offsets[d] = begin;
    rest.sizes[d] = size;
  }
  return parts;
}

Value nacre::buildFramed(OpBuilder &builder, Location loc, Value data,
                         ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                         FramePartBuilder buildPart) {
  auto type = cast<RankedTensorType>(data.getType());
  Sizes shape = getSizes(builder, loc, data);
  Sizes whole, begin;
  for (auto [size, before, after] : llvm::zip_equal(shape, low, high)) {
    begin.push_back(builder.getIndexAttr(before));
    whole.push_back(
        addSizes(builder, loc, size, builder.getIndexAttr(before + after)));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  Value result = buildEmpty(builder, loc, type.clone(getShape(whole)), whole);
  auto insert = [&](Value part, const Sizes &offsets, const Sizes &sizes) {
    result = tensor::InsertSliceOp::create(builder, loc, part, result, offsets,
                                           sizes, strides);
  };
  insert(buildKnown(builder, loc, data, shape), begin, shape);
  for (const Part &part : getParts(builder, loc, shape, low, high)) {
    insert(
        buildPart(type.clone(getShape(part.sizes)), part.offsets, part.sizes),
        part.offsets, part.sizes);
  }
  return result;
}
