//===- SizeOrigin.cpp - Where sizes of tensors come from ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step from a tensor to what it has its sizes from.
//
//===----------------------------------------------------------------------===//

#include "nacre/Analysis/SizeOrigin.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;

Value nacre::getDestination(OpResult result) {
  Operation *op = result.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    return destination.getTiedOpOperand(result)->get();
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    return insert.getDest();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    return insert.getDest();
  }
  return {};
}

static SizeOrigin getProduct(tensor::CollapseShapeOp collapse, int64_t dim) {
  SizeOrigin origin;
  ReassociationIndices group = collapse.getReassociationIndices()[dim];
  for (int64_t i : group) {
    origin.factors.push_back({collapse.getSrc(), i});
  }
  return origin;
}

/// The sizes of dimensions that a slice keeps.
static SmallVector<OpFoldResult> getKeptSizes(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> kept;
  for (auto [i, size] : llvm::enumerate(slice.getMixedSizes())) {
    if (!dropped[i]) {
      kept.push_back(size);
    }
  }
  return kept;
}

SizeOrigin nacre::getSizeOrigin(OpBuilder &builder, Value tensor, int64_t dim) {
  auto number = [](OpFoldResult size) {
    SizeOrigin origin;
    origin.number = size;
    return origin;
  };
  auto sameAs = [&](Value other) {
    SizeOrigin origin;
    origin.factors.push_back({other, dim});
    return origin;
  };
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim)) {
    return number(builder.getIndexAttr(type.getDimSize(dim)));
  }
  auto result = dyn_cast<OpResult>(tensor);
  if (!result) {
    return {};
  }
  if (Value destination = getDestination(result)) {
    return sameAs(destination);
  }
  return llvm::TypeSwitch<Operation *, SizeOrigin>(result.getOwner())
      .Case([&](tensor::EmptyOp op) { return number(op.getMixedSizes()[dim]); })
      .Case([&](bufferization::AllocTensorOp op) {
        return op.getCopy() ? sameAs(op.getCopy())
                            : number(op.getDynamicSize(builder, dim));
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return number(getKeptSizes(op)[dim]);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return number(op.getMixedOutputShape()[dim]);
      })
      .Case([&](tensor::CollapseShapeOp op) { return getProduct(op, dim); })
      .Case([&](tensor::CastOp op) {
        return isa<RankedTensorType>(op.getSource().getType())
                   ? sameAs(op.getSource())
                   : SizeOrigin();
      })
      .Case([&](tensor::BitcastOp op) { return sameAs(op.getSource()); })
      // What the caller gives is a view of so and so many elements.
      .Case([&](bufferization::ToTensorOp op) {
        auto view = op.getBuffer().getDefiningOp<memref::ViewOp>();
        return view ? number(view.getSizes()[type.getDynamicDimIndex(dim)])
                    : SizeOrigin();
      })
      .Default(SizeOrigin());
}
