//===- RunTimeLength.cpp - Results as long as their values say ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders of results whose length is known last.
//
//===----------------------------------------------------------------------===//

#include "RunTimeLength.h"
#include "Indices.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

Value nacre::buildRoom(OpBuilder &builder, Location loc,
                       ArrayRef<OpFoldResult> sizes, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, sizes, elementType);
}

void nacre::assertDeclaredLength(OpBuilder &builder, Location loc,
                                 RankedTensorType type, int64_t axis,
                                 OpFoldResult length) {
  if (!type.isDynamicDim(axis)) {
    assertSameSize(builder, loc, length,
                   builder.getIndexAttr(type.getDimSize(axis)),
                   "a result has another length than the model declares");
  }
}

Value nacre::takeFront(OpBuilder &builder, Location loc, Value room,
                       int64_t axis, Value count, RankedTensorType type) {
  assertDeclaredLength(builder, loc, type, axis, count);
  Sizes sizes = getSizes(builder, loc, room);
  sizes[axis] = count;
  auto roomType = cast<RankedTensorType>(room.getType());
  if (llvm::is_contained(roomType.getShape(), 0)) {
    // No slice begins in a dimension known to have no elements.
    Value empty = buildRoom(builder, loc, sizes, roomType.getElementType());
    return buildCast(builder, loc, empty, type);
  }
  Sizes offsets(sizes.size(), builder.getIndexAttr(0));
  Sizes strides(sizes.size(), builder.getIndexAttr(1));
  Value front = tensor::ExtractSliceOp::create(builder, loc, room, offsets,
                                               sizes, strides);
  return buildCast(builder, loc, front, type);
}

Value nacre::flatten(OpBuilder &builder, Location loc, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getRank() == 0) {
    return buildReshape(builder, loc, input,
                        RankedTensorType::get(1, type.getElementType()));
  }
  if (type.getRank() == 1) {
    return input;
  }
  ReassociationIndices all =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::CollapseShapeOp::create(
      builder, loc, input, SmallVector<ReassociationIndices>{all});
}
