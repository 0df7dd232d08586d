//===- ExpandMatrices.cpp - Matrices that several products share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine multiplies by one right matrix, or by one for each left matrix.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ProductUtils.h"
#include "nacre/Support/Memory.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace nacre;

namespace {

/// Where some matrices are multiplied with several others, products have
/// operands of their own: left matrices are repeated for all right ones, and
/// these, too, where left ones that read one are not next to each other. Why an
/// engine cannot multiply is for the pattern that replaces the op to say.
struct ExpandMatrices final : VPUPattern<IE::MatMulOp> {
  using VPUPattern::VPUPattern;

  LogicalResult matchAndRewrite(IE::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhs = getEngineType(arch, op.getLhs());
    RankedTensorType rhs = getEngineType(arch, op.getRhs());
    auto type = cast<RankedTensorType>(op.getOutput().getType());
    if (arch.hasFixedFunctionNCE() || !lhs || !rhs || lhs.getRank() < 2 ||
        rhs.getRank() < 2 || !type.hasStaticShape() ||
        type.getNumElements() == 0) {
      return failure();
    }
    ArrayRef<int64_t> batch = type.getShape().drop_back(2);
    ArrayRef<int64_t> rhsBatch = rhs.getShape().drop_back(2);
    if (ShapedType::getNumElements(rhsBatch) == 1 ||
        IE::readsMatricesInOrder(lhs.getShape().drop_back(2), rhsBatch)) {
      return failure();
    }
    bool expandsRight = !IE::readsMatricesInOrder(batch, rhsBatch);
    if (!fits(type, lhs, rhs, expandsRight) ||
        (expandsRight && !isWorthExpanding(op.getRhs(), lhs))) {
      return failure();
    }
    Location loc = op.getLoc();
    Value left = expand(rewriter, loc, op.getLhs(), batch);
    Value right =
        expandsRight ? expand(rewriter, loc, op.getRhs(), batch) : op.getRhs();
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().assign(left);
      op.getRhsMutable().assign(right);
    });
    return success();
  }

private:
  /// Right matrices are read, written and packed for so many rows each, and
  /// constants are packed when they are compiled.
  static bool isWorthExpanding(Value rhs, RankedTensorType lhs) {
    constexpr int64_t kFewRows = 4;
    return !ConstantFloats(rhs) &&
           lhs.getDimSize(lhs.getRank() - 2) >= kFewRows;
  }

  /// True where memory has room for what is expanded, and for panels.
  static bool fits(RankedTensorType type, RankedTensorType lhs,
                   RankedTensorType rhs, bool expandsRight) {
    ArrayRef<int64_t> batch = type.getShape().drop_back(2);
    std::optional<int64_t> bytes = 0;
    auto add = [&](ArrayRef<int64_t> outer, RankedTensorType matrices) {
      SmallVector<int64_t> shape(outer);
      llvm::append_range(shape, matrices.getShape().take_back(2));
      std::optional<int64_t> more =
          countBytes(shape, type.getElementTypeBitWidth() / 8);
      bytes = bytes && more ? llvm::checkedAdd(*bytes, *more) : std::nullopt;
    };
    add(batch, lhs);
    ArrayRef<int64_t> right =
        expandsRight ? batch : rhs.getShape().drop_back(2);
    add(right, rhs);
    add(right, rhs);
    return fitsMemory(bytes);
  }

  static Value expand(OpBuilder &builder, Location loc, Value matrices,
                      ArrayRef<int64_t> batch) {
    auto type = cast<RankedTensorType>(matrices.getType());
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, type.getShape().take_back(2));
    if (type.getShape() == ArrayRef(shape)) {
      return matrices;
    }
    Value sizes = IE::buildInts(builder, loc, shape);
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
