//===- ControlFlow.cpp - Lower branches and loops to scf ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IE operator family: control flow. The scf ops get IE's types, which
// upstream's structural conversion changes together with their bodies.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"

using namespace mlir;
using namespace nacre;

SmallVector<Value> nacre::inlineBody(ConversionPatternRewriter &rewriter,
                                     Region &body, Block *block,
                                     ValueRange arguments) {
  Operation *yield = body.front().getTerminator();
  SmallVector<Value> yielded(yield->getOperands());
  for (Value &value : yielded) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &body.front()) {
      value = arguments[argument.getArgNumber()];
    }
  }
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&body.front(), block, block->end(), arguments);
  return yielded;
}

void nacre::markSteps(Operation *loop) { abi::mark<abi::HasSteps>(loop); }

namespace {

/// The slice of `whole` at `position` of `axis`, as the arguments of the
/// slicing ops.
struct SliceAt {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  SliceAt(OpBuilder &builder, Value whole, int64_t axis, OpFoldResult position)
      : sizes(getSizes(builder, whole.getLoc(), whole)) {
    offsets.assign(sizes.size(), builder.getIndexAttr(0));
    strides.assign(sizes.size(), builder.getIndexAttr(1));
    offsets[axis] = position;
    sizes[axis] = builder.getIndexAttr(1);
  }
};

} // namespace

/// No slice begins in a dimension known to have no elements.
static bool hasNoSlices(Value whole) {
  return llvm::is_contained(cast<RankedTensorType>(whole.getType()).getShape(),
                            0);
}

/// True if a slice without `axis` has the shape of one without the first
/// dimension of size 1. Upstream's canonicalization takes it for that one, also
/// where only a later pass finds that a size is 1.
static bool losesFirstUnit(RankedTensorType whole, int64_t axis) {
  ArrayRef<int64_t> before = whole.getShape().take_front(axis);
  before = before.drop_while(
      [](int64_t dim) { return dim != 1 && !ShapedType::isDynamic(dim); });
  return before.empty() || llvm::all_of(before.drop_front(),
                                        [](int64_t dim) { return dim == 1; });
}

Value nacre::extractPart(OpBuilder &builder, Location loc, Value whole,
                         int64_t axis, Value position) {
  SliceAt slice(builder, whole, axis, position);
  auto type = cast<RankedTensorType>(whole.getType());
  RankedTensorType part = IE::getPartType(type, axis);
  if (hasNoSlices(whole)) {
    slice.sizes.erase(slice.sizes.begin() + axis);
    return buildEmpty(builder, loc, part, slice.sizes);
  }
  if (losesFirstUnit(type, axis)) {
    return tensor::ExtractSliceOp::create(
        builder, loc, part, whole, slice.offsets, slice.sizes, slice.strides);
  }
  Value row = tensor::ExtractSliceOp::create(builder, loc, whole, slice.offsets,
                                             slice.sizes, slice.strides);
  llvm::SmallBitVector gone(type.getRank());
  gone.set(axis);
  return tensor::dropGivenUnitDims(builder, loc, row, gone);
}

Value nacre::insertPart(OpBuilder &builder, Location loc, Value part,
                        Value whole, int64_t axis, Value position) {
  if (hasNoSlices(whole)) {
    return whole;
  }
  SliceAt slice(builder, whole, axis, position);
  part = buildCast(builder, loc, part, IE::getPartType(whole.getType(), axis));
  return tensor::InsertSliceOp::create(builder, loc, part, whole, slice.offsets,
                                       slice.sizes, slice.strides);
}

void nacre::assertSameSizes(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<OpFoldResult> sizes, StringRef message) {
  for (auto [i, size] : llvm::enumerate(sizes)) {
    assertSameSize(builder, loc, getSize(builder, loc, value, i), size,
                   message);
  }
}

void nacre::castTo(OpBuilder &builder, Location loc,
                   MutableArrayRef<Value> values, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      value = buildCast(builder, loc, value, tensor);
    }
  }
}

namespace {

struct LowerRequire final : OpConversionPattern<IE::RequireOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RequireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value condition =
        extractScalar(rewriter, op.getLoc(), adaptor.getCondition());
    cf::AssertOp::create(rewriter, op.getLoc(), condition, op.getMessage());
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    rewriter.replaceOp(
        op, buildCast(rewriter, op.getLoc(), adaptor.getInput(), type));
    return success();
  }
};

struct IfToSCF final : OpConversionPattern<IE::IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::IfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value condition = extractScalar(rewriter, loc, adaptor.getCondition());
    auto branch =
        scf::IfOp::create(rewriter, loc, op->getResultTypes(), condition,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    for (auto [from, block] :
         {std::pair(&op.getThenBranch(), branch.thenBlock()),
          std::pair(&op.getElseBranch(), branch.elseBlock())}) {
      SmallVector<Value> yielded = inlineBody(rewriter, *from, block, {});
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(block);
      castTo(rewriter, loc, yielded, op->getResultTypes());
      scf::YieldOp::create(rewriter, loc, yielded);
    }
    rewriter.replaceOp(op, branch);
    return success();
  }
};

/// What control flow slices and inserts in the types of IE.
struct ConvertElementTypes final : ConversionPattern {
  ConvertElementTypes(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::DimOp,
             tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(
            op) ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), types))) {
      return rewriter.notifyMatchFailure(op, "only its types may change");
    }
    Operation *converted =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                        types, op->getAttrDictionary().getValue());
    rewriter.replaceOp(op, converted);
    return success();
  }
};

} // namespace

void nacre::populateControlFlowToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<ConvertElementTypes, IfToSCF, LowerRequire>(
      converter, patterns.getContext());
  populateLoopToLinalgPatterns(converter, patterns);
  populateScanToLinalgPatterns(converter, patterns);
}
