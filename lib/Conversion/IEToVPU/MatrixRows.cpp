//===- MatrixRows.cpp - Values as matrices of all their rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes, of sizes that only a run may know.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace nacre;

/// Dimensions of which the first `count` are one of a view.
static SmallVector<ReassociationIndices> groupFront(int64_t rank,
                                                    int64_t count) {
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim >= count) {
      groups.emplace_back();
    }
    groups.back().push_back(dim);
  }
  return groups;
}

Value nacre::buildRows(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t columns = type.getShape().back();
  if (type.hasStaticShape()) {
    return buildReshape(builder, loc, value,
                        {1, type.getNumElements() / columns, columns});
  }
  if (type.getRank() > 2) {
    value = tensor::CollapseShapeOp::create(
        builder, loc, value, groupFront(type.getRank(), type.getRank() - 1));
  }
  OpFoldResult rows = IE::multiplySizes(builder, loc, sizes.drop_back());
  return tensor::ExpandShapeOp::create(
      builder, loc, type.clone({1, ShapedType::kDynamic, columns}), value,
      groupFront(/*rank=*/3, /*count=*/2),
      MixedSizes{builder.getIndexAttr(1), rows, sizes.back()});
}

Value nacre::buildFromRows(OpBuilder &builder, Location loc, Value matrix,
                           ArrayRef<OpFoldResult> sizes,
                           RankedTensorType type) {
  auto matrixType = cast<RankedTensorType>(matrix.getType());
  if (matrixType.hasStaticShape()) {
    return buildReshape(builder, loc, matrix, type.getShape());
  }
  Value value = tensor::CollapseShapeOp::create(
      builder, loc, matrix, groupFront(/*rank=*/3, /*count=*/2));
  if (type.getRank() > 2) {
    value = tensor::ExpandShapeOp::create(
        builder, loc, matrixType.clone(IE::getShape(sizes)), value,
        groupFront(type.getRank(), type.getRank() - 1), sizes);
  }
  RankedTensorType wanted = matrixType.clone(type.getShape());
  return value.getType() == wanted
             ? value
             : tensor::CastOp::create(builder, loc, wanted, value);
}

Value nacre::buildEnlarged(OpBuilder &builder, Location loc, Value value,
                           unsigned dim, int64_t size, Value fill) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(dim) == size) {
    return value;
  }
  MixedSizes sizes = getMixedSizes(builder, loc, value), padded = sizes;
  padded[dim] = builder.getIndexAttr(size);
  Value init =
      tensor::EmptyOp::create(builder, loc, padded, type.getElementType());
  if (fill) {
    init = linalg::FillOp::create(builder, loc, fill, init).getResult(0);
  }
  MixedSizes offsets(sizes.size(), builder.getIndexAttr(0));
  MixedSizes strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, value, init, offsets,
                                       sizes, strides);
}
