//===- MatrixRows.cpp - Values as matrices of all their rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of layout between values of the model and matrices, and the reshapes
// that these are, of sizes that may be dynamic.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"

#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

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

RankedTensorType nacre::getRowsType(VPU::ArchAttr arch, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool hasRows = type && type.getRank() > 0 &&
                 !ShapedType::isDynamic(type.getShape().back()) &&
                 !llvm::is_contained(type.getShape(), 0) &&
                 isEngineFloat(arch, type.getElementType()) &&
                 (type.hasStaticShape() || !arch.hasFixedFunctionNCE());
  return hasRows ? type : RankedTensorType();
}

Value nacre::getMatrices(Value value) {
  auto from = value.getDefiningOp<VPU::FromMatricesOp>();
  return from ? from.getMatrices() : Value();
}

Value nacre::buildMatrices(OpBuilder &builder, Location loc, Value value,
                           int64_t batches) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t columns = type.getShape().back(), rows = ShapedType::kDynamic;
  if (type.hasStaticShape()) {
    rows = type.getNumElements() / columns / batches;
  }
  auto matrices =
      RankedTensorType::get({batches, rows, columns},
                            VPU::getEngineElementType(type.getElementType()));
  return builder.createOrFold<VPU::ToMatricesOp>(loc, matrices, value);
}

Value nacre::buildFromMatrices(OpBuilder &builder, Location loc, Value matrices,
                               ArrayRef<OpFoldResult> sizes,
                               RankedTensorType type) {
  Type element = getElementTypeOrSelf(matrices.getType());
  RankedTensorType wanted = element.isInteger(8) ? type : type.clone(element);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  Value value = VPU::FromMatricesOp::create(builder, loc, wanted.clone(shape),
                                            matrices, dynamicSizes);
  return value.getType() == wanted
             ? value
             : tensor::CastOp::create(builder, loc, wanted, value);
}

Value nacre::buildFromMatrices(OpBuilder &builder, Location loc, Value matrices,
                               RankedTensorType type) {
  return buildFromMatrices(
      builder, loc, matrices,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()), type);
}

Value nacre::buildFromMatricesLike(OpBuilder &builder, Location loc,
                                   Value matrices, Value like) {
  return buildFromMatrices(builder, loc, matrices,
                           getMixedSizes(builder, loc, like),
                           cast<RankedTensorType>(like.getType()));
}

Value nacre::buildRowViews(OpBuilder &builder, Location loc, Value value,
                           RankedTensorType matrices) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape()) {
    return buildReshape(builder, loc, value, matrices.getShape());
  }
  MixedSizes sizes = getMixedSizes(builder, loc, value);
  if (type.getRank() > 2) {
    value = tensor::CollapseShapeOp::create(
        builder, loc, value, groupFront(type.getRank(), type.getRank() - 1));
  }
  // A value, as the type does not tell it, also where it can be traced to a
  // constant.
  Value rows = getValueOrCreateConstantIndexOp(
      builder, loc,
      IE::multiplySizes(builder, loc, ArrayRef(sizes).drop_back()));
  return tensor::ExpandShapeOp::create(
      builder, loc, type.clone(matrices.getShape()), value,
      groupFront(/*rank=*/3, /*count=*/2),
      MixedSizes{builder.getIndexAttr(1), rows, sizes.back()});
}

Value nacre::buildFromRowViews(OpBuilder &builder, Location loc, Value matrices,
                               ArrayRef<OpFoldResult> sizes,
                               ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(matrices.getType());
  if (type.hasStaticShape()) {
    return buildReshape(builder, loc, matrices, shape);
  }
  Value value = tensor::CollapseShapeOp::create(
      builder, loc, matrices, groupFront(/*rank=*/3, /*count=*/2));
  auto rank = static_cast<int64_t>(sizes.size());
  return rank == 2
             ? value
             : tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                             value, groupFront(rank, rank - 1),
                                             sizes)
                   .getResult();
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

namespace {
struct ReshapeMatrices final : OpRewritePattern<IE::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = op->getOperand(0).getDefiningOp<VPU::FromMatricesOp>();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    bool keepsRows =
        from && type.hasStaticShape() && type.getRank() > 0 &&
        from.getValue().getType().hasStaticShape() &&
        type.getShape().back() == from.getValue().getType().getShape().back();
    if (!keepsRows) {
      return rewriter.notifyMatchFailure(
          op, "needs rows of the engine, which stay, of known size");
    }
    rewriter.replaceOp(
        op, buildFromMatrices(rewriter, op.getLoc(), from.getMatrices(), type));
    if (from->use_empty()) {
      rewriter.eraseOp(from);
    }
    return success();
  }
};
} // namespace

void nacre::populateMatrixRowsPatterns(RewritePatternSet &patterns) {
  patterns.add<ReshapeMatrices>(patterns.getContext());
}
