//===- Indices.cpp - Computed element access ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders for kernels that extract elements at computed indices.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
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
  Value isNegative =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index,
                            buildIndex(builder, loc, 0));
  Value fromEnd = arith::AddIOp::create(builder, loc, index, size);
  Value position =
      arith::SelectOp::create(builder, loc, isNegative, fromEnd, index);
  // Of nothing, the first one.
  Value one = buildIndex(builder, loc, 1);
  Value last = arith::SubIOp::create(
      builder, loc, arith::MaxUIOp::create(builder, loc, size, one), one);
  // Without a sign, what is still negative is the largest of numbers.
  return arith::MinUIOp::create(builder, loc, position, last);
}

/// True if constant indices are known to be in range.
static bool areInRange(Value indices, ArrayRef<OpFoldResult> sizes) {
  DenseIntElementsAttr known;
  if (!matchPattern(indices, m_Constant(&known))) {
    return false;
  }
  return llvm::all_of(
      llvm::enumerate(known.getValues<APInt>()), [&](auto entry) {
        std::optional<int64_t> size =
            getConstantIntValue(sizes[entry.index() % sizes.size()]);
        int64_t value = entry.value().getSExtValue();
        return size && value >= -*size && value < *size;
      });
}

void nacre::assertIndices(OpBuilder &builder, Operation *op, Value indices,
                          ArrayRef<OpFoldResult> sizes) {
  auto function = op->getParentOfType<func::FuncOp>();
  bool isKnown = llvm::all_of(function.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
  if (isKnown || sizes.empty() || areInRange(indices, sizes)) {
    return;
  }
  Location loc = op->getLoc();
  SmallVector<Value> limits;
  for (OpFoldResult size : sizes) {
    limits.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  }
  int64_t rank = cast<RankedTensorType>(indices.getType()).getRank();
  Type i64 = builder.getI64Type();
  auto sumType = RankedTensorType::get({}, i64);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, builder.getContext())};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  // What is negative for an index that is too small or too large is "or"ed,
  // which keeps the sign and vectorises.
  Value signs =
      linalg::GenericOp::create(
          builder, loc, sumType, indices,
          buildFilled(builder, loc, sumType, zero), maps, iterators,
          [&](OpBuilder &b, Location loc, ValueRange arguments) {
            Value limit = limits.front();
            for (size_t i = 1; i < limits.size(); ++i) {
              Value isThis = arith::CmpIOp::create(
                  b, loc, arith::CmpIPredicate::eq,
                  linalg::IndexOp::create(b, loc, rank - 1),
                  buildIndex(b, loc, i));
              limit = arith::SelectOp::create(b, loc, isThis, limits[i], limit);
            }
            limit = arith::IndexCastOp::create(b, loc, i64, limit);
            Value index = arguments.front();
            if (index.getType() != i64) {
              index = arith::ExtSIOp::create(b, loc, i64, index);
            }
            Value one =
                arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
            Value last = arith::SubIOp::create(b, loc, limit, one);
            Value low = arith::AddIOp::create(b, loc, index, limit);
            Value high = arith::SubIOp::create(b, loc, last, index);
            Value own = arith::OrIOp::create(b, loc, low, high);
            linalg::YieldOp::create(
                b, loc,
                arith::OrIOp::create(b, loc, arguments.back(), own)
                    .getResult());
          })
          .getResult(0);
  cf::AssertOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                            extractScalar(builder, loc, signs), zero),
      "an index out of range");
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

namespace {
/// Dimensions of a shape that together are as many elements as those of another
/// shape.
struct ReshapeGroup {
  ReassociationIndices from, to;
};
} // namespace

/// Pairs the smallest groups of dimensions of two shapes, of rank one or more,
/// that certainly have the same number of elements; what is left is one group.
static SmallVector<ReshapeGroup> pairDims(ArrayRef<OpFoldResult> from,
                                          ArrayRef<OpFoldResult> to) {
  SmallVector<ReshapeGroup> groups;
  size_t i = 0, j = 0;
  auto take = [&](size_t numFrom, size_t numTo) {
    ReshapeGroup group;
    for (; numFrom != 0; --numFrom) {
      group.from.push_back(i++);
    }
    for (; numTo != 0; --numTo) {
      group.to.push_back(j++);
    }
    groups.push_back(std::move(group));
  };
  auto takeNext = [&] {
    size_t most = (from.size() - i) + (to.size() - j);
    for (size_t total = 2; total <= most; ++total) {
      for (size_t count = 1; count < total; ++count) {
        if (i + count <= from.size() && j + total - count <= to.size() &&
            IE::haveSameProduct(from.slice(i, count),
                                to.slice(j, total - count))) {
          take(count, total - count);
          return;
        }
      }
    }
    take(from.size() - i, to.size() - j);
  };
  while (i < from.size() && j < to.size()) {
    takeNext();
  }
  // Dimensions of size 1 at the end.
  for (; i < from.size(); ++i) {
    groups.back().from.push_back(i);
  }
  for (; j < to.size(); ++j) {
    groups.back().to.push_back(j);
  }
  return groups;
}

/// What the dimensions of `type` make together, if all are known.
static int64_t multiplyDims(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (type.isDynamicDim(dim)) {
      return ShapedType::kDynamic;
    }
    product *= type.getDimSize(dim);
  }
  return product;
}

/// A reshape between shapes of rank one or more: dimensions merge, then split,
/// as few as possible, so that others can see what stays apart.
static Value buildGroupedReshape(OpBuilder &builder, Location loc, Value input,
                                 ArrayRef<OpFoldResult> inputSizes,
                                 RankedTensorType type,
                                 ArrayRef<OpFoldResult> given) {
  auto inputType = cast<RankedTensorType>(input.getType());
  // Sizes may know more than the type does.
  RankedTensorType known = type.clone(getShape(given));
  Sizes sizes = refineSizes(builder, known, given);
  SmallVector<ReshapeGroup> groups = pairDims(inputSizes, sizes);
  bool isPossible = llvm::all_of(groups, [&](const ReshapeGroup &group) {
    int64_t from = multiplyDims(inputType, group.from);
    int64_t to = multiplyDims(known, group.to);
    return ShapedType::isDynamic(from) || ShapedType::isDynamic(to) ||
           from == to;
  });
  if (!isPossible) {
    // A run will not get here, but the op has to be a valid one.
    groups = {{getLinearGroup(inputType.getRank()).front(),
               getLinearGroup(type.getRank()).front()}};
    known = type;
    sizes.assign(given.begin(), given.end());
  }
  SmallVector<ReassociationIndices> from, to;
  SmallVector<int64_t> middle;
  for (const ReshapeGroup &group : groups) {
    from.push_back(group.from);
    to.push_back(group.to);
    middle.push_back(multiplyDims(known, group.to));
  }
  Value merged = input;
  if (static_cast<int64_t>(groups.size()) < inputType.getRank()) {
    merged = tensor::CollapseShapeOp::create(builder, loc, input, from);
  }
  merged = buildCast(builder, loc, merged, known.clone(middle));
  if (static_cast<int64_t>(groups.size()) < type.getRank()) {
    merged =
        tensor::ExpandShapeOp::create(builder, loc, known, merged, to, sizes);
  }
  return buildCast(builder, loc, merged, type);
}

/// A reshape between shapes of dynamic sizes.
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
  // Of no elements, dimensions of equal sizes say nothing about the others.
  if (llvm::any_of(sizes,
                   [](OpFoldResult size) { return isZeroInteger(size); })) {
    return buildEmpty(builder, loc, type, sizes);
  }
  if (inputType.getRank() != 0 && type.getRank() != 0) {
    return buildGroupedReshape(builder, loc, input, inputSizes, type, sizes);
  }
  // From or to a scalar.
  Type element = type.getElementType();
  if (inputType.getRank() == 0) {
    Value vector = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get({1}, element), input,
        ArrayRef<ReassociationIndices>());
    Sizes one = {builder.getIndexAttr(1)};
    return buildGroupedReshape(builder, loc, vector, one, type, sizes);
  }
  RankedTensorType vectorType = RankedTensorType::get({1}, element);
  Sizes one = {builder.getIndexAttr(1)};
  Value vector =
      buildGroupedReshape(builder, loc, input, inputSizes, vectorType, one);
  return tensor::CollapseShapeOp::create(builder, loc, type, vector,
                                         getLinearGroup(0));
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
