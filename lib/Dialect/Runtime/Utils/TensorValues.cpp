//===- TensorValues.cpp - Tensors as values of the runtime ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors are viewed where a value has its elements, and copied into new ones.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Runtime/Utils/TensorValues.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;

/// `data`, which points to that many elements, as a buffer of `type`.
static Value buildView(OpBuilder &builder, Location loc, Value data,
                       RankedTensorType type, ValueRange sizes) {
  SmallVector<Value> dynamicSizes;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (type.isDynamicDim(i)) {
      dynamicSizes.push_back(size);
    }
  }
  Value start = arith::ConstantIndexOp::create(builder, loc, 0);
  return memref::ViewOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      data, start, dynamicSizes);
}

Value rt::buildTensor(OpBuilder &builder, Location loc, Value value,
                      RankedTensorType type, ValueRange sizes) {
  Value data = TensorDataOp::create(builder, loc, value);
  Value view = buildView(builder, loc, data, type, sizes);
  return bufferization::ToTensorOp::create(builder, loc, type, view,
                                           /*restrict=*/true,
                                           /*writable=*/false);
}

Value rt::buildValue(OpBuilder &builder, Location loc, Value tensor,
                     Type element, Value place) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (IE::isPacked(element)) {
    Type bytes = builder.getIntegerType(8, /*isSigned=*/false);
    Value unpacked = buildValue(builder, loc, tensor, bytes, place);
    return TensorPackOp::create(builder, loc, unpacked, element);
  }
  Value value, view;
  {
    OpBuilder::InsertionGuard guard(builder);
    tensor::EmptyOp empty;
    if (place) {
      empty = cast<tensor::EmptyOp>(place.getDefiningOp());
      builder.setInsertionPoint(empty);
    }
    value = TensorNewOp::create(builder, loc, element, type.getRank());
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      sizes.push_back(
          empty ? getValueOrCreateConstantIndexOp(builder, loc,
                                                  empty.getMixedSizes()[i])
                : tensor::DimOp::create(builder, loc, tensor, i).getResult());
      TensorSetDimOp::create(builder, loc, value, i, sizes.back());
    }
    Value data = TensorAllocateOp::create(builder, loc, value);
    view = buildView(builder, loc, data, type, sizes);
  }
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), tensor, view, /*restrict=*/true,
      /*writable=*/true);
  if (isa<IE::StringType>(element)) {
    // They belong to another value, or to nobody for long.
    TensorOwnStringsOp::create(builder, loc, value);
  }
  return value;
}
