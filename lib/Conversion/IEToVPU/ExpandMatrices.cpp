//===- ExpandMatrices.cpp - Matrices that several products share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine multiplies by one right matrix, or by one for each left matrix.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Support/Memory.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Where some matrices are multiplied with several others, each product has
/// operands of its own. One right matrix for all left ones needs none. Why an
/// engine cannot multiply is for the pattern that replaces the op to say.
struct ExpandMatrices final : VPUPattern<IE::MatMulOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhs = getEngineType(arch, op.getLhs());
    RankedTensorType rhs = getEngineType(arch, op.getRhs());
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    if (!lhs || !rhs || lhs.getRank() < 2 || rhs.getRank() < 2 ||
        !type.hasStaticShape() || type.getNumElements() == 0) {
      return failure();
    }
    ArrayRef<int64_t> batch = type.getShape().drop_back(2);
    ArrayRef<int64_t> lhsBatch = lhs.getShape().drop_back(2),
                      rhsBatch = rhs.getShape().drop_back(2);
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    auto fits = [&](RankedTensorType matrices) {
      SmallVector<int64_t> shape(batch);
      llvm::append_range(shape, matrices.getShape().take_back(2));
      return fitsMemory(countBytes(shape, bytes));
    };
    if (ShapedType::getNumElements(rhsBatch) == 1 || lhsBatch == rhsBatch ||
        !fits(lhs) || !fits(rhs)) {
      return failure();
    }
    Value left = expand(rewriter, op.getLoc(), op.getLhs(), batch);
    Value right = expand(rewriter, op.getLoc(), op.getRhs(), batch);
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().assign(left);
      op.getRhsMutable().assign(right);
    });
    return success();
  }

private:
  static Value expand(OpBuilder &builder, Location loc, Value matrices,
                      ArrayRef<int64_t> batch) {
    auto type = cast<RankedTensorType>(matrices.getType());
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, type.getShape().take_back(2));
    if (type.getShape() == ArrayRef(shape)) {
      return matrices;
    }
    auto rank = static_cast<int64_t>(shape.size());
    Value sizes = IE::ConstantOp::create(
        builder, loc,
        DenseIntElementsAttr::get(
            RankedTensorType::get(rank, builder.getI64Type()),
            ArrayRef<int64_t>(shape)));
    return IE::ExpandOp::create(
        builder, loc,
        TypeRange(RankedTensorType::get(shape, type.getElementType())),
        matrices, sizes);
  }
};

} // namespace

void nacre::populateExpandMatricesPatterns(VPU::ArchAttr arch,
                                           RewritePatternSet &patterns) {
  patterns.add<ExpandMatrices>(arch, patterns.getContext());
}
