//===- Indices.cpp - Computed element access ------------------------------===//
//
// Builders for kernels that extract elements at computed indices.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace nacre;

Value nacre::buildFromIndices(OpBuilder &builder, Location loc,
                              RankedTensorType type, ScalarBuilder body,
                              ArrayRef<OpFoldResult> sizes) {
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps = {builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), ValueRange(),
             ValueRange(buildEmpty(builder, loc, type, sizes)), maps, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange) {
               SmallVector<Value> indices;
               for (int64_t i = 0; i < rank; ++i) {
                 indices.push_back(
                     linalg::IndexOp::create(nested, nestedLoc, i));
               }
               Value element = body(nested, nestedLoc, indices);
               linalg::YieldOp::create(nested, nestedLoc, element);
             })
      .getResult(0);
}

Value nacre::buildIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value nacre::buildExtract(OpBuilder &builder, Location loc, Value tensor,
                          ValueRange indices) {
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

Value nacre::extractScalar(OpBuilder &builder, Location loc, Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < rank; ++i) {
    zeros.push_back(buildIndex(builder, loc, 0));
  }
  return buildExtract(builder, loc, tensor, zeros);
}

Value nacre::extractIndex(OpBuilder &builder, Location loc, Value tensor,
                          int64_t position) {
  SmallVector<Value> indices;
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 1) {
    indices.push_back(buildIndex(builder, loc, position));
  }
  return arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      buildExtract(builder, loc, tensor, indices));
}

Value nacre::clampIndex(OpBuilder &builder, Location loc, Value index,
                        Value low, Value high) {
  Value below = arith::MinSIOp::create(builder, loc, index, high);
  return arith::MaxSIOp::create(builder, loc, below, low);
}

Value nacre::buildSafeIndex(OpBuilder &builder, Location loc, Value element,
                            int64_t dim) {
  return buildSafeIndex(builder, loc, element, buildIndex(builder, loc, dim));
}

Value nacre::buildSafeIndex(OpBuilder &builder, Location loc, Value element,
                            Value size) {
  Value index =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), element);
  Value zero = buildIndex(builder, loc, 0);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(builder, loc, index, size);
  Value position =
      arith::SelectOp::create(builder, loc, isNegative, fromEnd, index);
  Value last =
      arith::SubIOp::create(builder, loc, size, buildIndex(builder, loc, 1));
  return clampIndex(builder, loc, position, zero, last);
}

void nacre::assertElements(OpBuilder &builder, Location loc, Value data,
                           ArrayRef<OpFoldResult> sizes) {
  if (cast<RankedTensorType>(data.getType()).hasStaticShape()) {
    return;
  }
  OpFoldResult available =
      multiplySizes(builder, loc, getSizes(builder, loc, data));
  OpFoldResult wanted = multiplySizes(builder, loc, sizes);
  if (isEqualConstantIntOrValue(available, wanted)) {
    return;
  }
  auto isZero = [&](arith::CmpIPredicate predicate, OpFoldResult size) {
    return arith::CmpIOp::create(
        builder, loc, predicate,
        getValueOrCreateConstantIndexOp(builder, loc, size),
        buildIndex(builder, loc, 0));
  };
  Value fits = arith::OrIOp::create(builder, loc,
                                    isZero(arith::CmpIPredicate::ne, available),
                                    isZero(arith::CmpIPredicate::eq, wanted));
  cf::AssertOp::create(builder, loc, fits,
                       "elements of a tensor that has none");
}

/// One group of all dimensions; none for rank 0, as the reshape ops want it.
static SmallVector<ReassociationIndices> getLinearGroup(int64_t rank) {
  if (rank == 0) {
    return {};
  }
  return {
      ReassociationIndices(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)))};
}

/// A reshape between shapes of which a run knows the sizes.
static Value buildDynamicReshape(OpBuilder &builder, Location loc, Value input,
                                 RankedTensorType type,
                                 ArrayRef<OpFoldResult> given) {
  auto inputType = cast<RankedTensorType>(input.getType());
  Sizes sizes = refineSizes(
      builder, type,
      type.hasStaticShape()
          ? getAsIndexOpFoldResult(builder.getContext(), type.getShape())
          : Sizes(given));
  Sizes inputSizes = getSizes(builder, loc, input);
  if (llvm::equal(sizes, inputSizes, [](OpFoldResult a, OpFoldResult b) {
        return isEqualConstantIntOrValue(a, b);
      })) {
    return buildCast(builder, loc, input, type);
  }
  assertSameProduct(builder, loc, inputSizes, sizes,
                    "a reshape to another number of elements");
  Type element = type.getElementType();
  Value linear = input;
  if (inputType.getRank() == 0) {
    linear = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get({1}, element), input,
        ArrayRef<ReassociationIndices>());
  } else if (inputType.getRank() > 1) {
    linear = tensor::CollapseShapeOp::create(
        builder, loc, input, getLinearGroup(inputType.getRank()));
  }
  int64_t count =
      type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
  linear =
      buildCast(builder, loc, linear, RankedTensorType::get({count}, element));
  if (type.getRank() == 0) {
    return tensor::CollapseShapeOp::create(builder, loc, type, linear,
                                           getLinearGroup(0));
  }
  if (type.getRank() == 1) {
    return linear;
  }
  return tensor::ExpandShapeOp::create(builder, loc, type, linear,
                                       getLinearGroup(type.getRank()), sizes);
}

Value nacre::buildReshape(OpBuilder &builder, Location loc, Value input,
                          RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  auto inputType = cast<RankedTensorType>(input.getType());
  if (!inputType.hasStaticShape() || !type.hasStaticShape()) {
    return buildDynamicReshape(builder, loc, input, type, sizes);
  }
  if (inputType == type) {
    return input;
  }
  // One op where dimensions only merge or only split.
  if (inputType.getRank() != type.getRank()) {
    if (auto groups = getReassociationIndicesForReshape(inputType, type)) {
      if (inputType.getRank() > type.getRank()) {
        return tensor::CollapseShapeOp::create(builder, loc, type, input,
                                               *groups);
      }
      return tensor::ExpandShapeOp::create(builder, loc, type, input, *groups);
    }
  }
  auto linearType =
      RankedTensorType::get(inputType.getNumElements(), type.getElementType());
  Value linear = input;
  if (inputType.getRank() == 0) {
    linear = tensor::ExpandShapeOp::create(builder, loc, linearType, input,
                                           getLinearGroup(0));
  } else if (inputType.getRank() > 1) {
    linear = tensor::CollapseShapeOp::create(
        builder, loc, linearType, input, getLinearGroup(inputType.getRank()));
  }
  if (type.getRank() == 0) {
    return tensor::CollapseShapeOp::create(builder, loc, type, linear,
                                           getLinearGroup(0));
  }
  if (type.getRank() == 1) {
    return linear;
  }
  return tensor::ExpandShapeOp::create(builder, loc, type, linear,
                                       getLinearGroup(type.getRank()));
}

Value nacre::buildTranspose(OpBuilder &builder, Location loc, Value input,
                            ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(input.getType());
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, type.getRank()))) {
    return input;
  }
  SmallVector<int64_t> shape;
  Sizes sizes;
  for (int64_t axis : permutation) {
    shape.push_back(type.getDimSize(axis));
    sizes.push_back(getSize(builder, loc, input, axis));
  }
  Value empty = buildEmpty(builder, loc, type.clone(shape), sizes);
  return linalg::TransposeOp::create(builder, loc, input, empty, permutation)
      ->getResult(0);
}
