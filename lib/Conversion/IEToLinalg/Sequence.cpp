//===- Sequence.cpp - Lower sequences and optionals -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IE operator family: sequences and optionals. Both are values of the
// runtime, which computes the operators on them.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"

#include "nacre/Dialect/IE/IR/Sequence.h"

using namespace mlir;
using namespace nacre;

/// Replaces `op` by what `handle` stands for: itself, or the tensor in it.
static LogicalResult replaceBy(Operation *op, Value handle,
                               RuntimeBuilder &runtime,
                               ConversionPatternRewriter &rewriter) {
  Type type = op->getResult(0).getType();
  if (isa<TensorType>(type)) {
    handle = runtime.toTensor(handle, type);
  }
  if (!handle) {
    return rewriter.notifyMatchFailure(op, "needs a known rank");
  }
  rewriter.replaceOp(op, handle);
  return success();
}

namespace {

struct LowerSequenceEmpty final : OpConversionPattern<IE::SequenceEmptyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceEmptyOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    return replaceBy(op, runtime.create<rt::SequenceEmptyOp>(), runtime,
                     rewriter);
  }
};

struct LowerSequenceConstruct final
    : OpConversionPattern<IE::SequenceConstructOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceConstructOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value sequence = runtime.create<rt::SequenceEmptyOp>();
    for (auto [value, converted] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs())) {
      Value element = runtime.toHandle(value, converted);
      sequence = runtime.create<rt::SequenceAppendOp>(sequence, element);
    }
    return replaceBy(op, sequence, runtime, rewriter);
  }
};

struct LowerSequenceAt final : OpConversionPattern<IE::SequenceAtOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value element = runtime.create<rt::SequenceAtOp>(
        adaptor.getInputSequence(),
        runtime.buildPosition(adaptor.getPosition()));
    return replaceBy(op, element, runtime, rewriter);
  }
};

struct LowerSequenceInsert final : OpConversionPattern<IE::SequenceInsertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceInsertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value sequence = adaptor.getInputSequence();
    Value element = runtime.toHandle(op.getTensor(), adaptor.getTensor());
    Value longer =
        op.getPosition()
            ? runtime.create<rt::SequenceInsertOp>(
                  sequence, element,
                  runtime.buildPosition(adaptor.getPosition()))
            : runtime.create<rt::SequenceAppendOp>(sequence, element);
    return replaceBy(op, longer, runtime, rewriter);
  }
};

struct LowerSequenceErase final : OpConversionPattern<IE::SequenceEraseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceEraseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value sequence = adaptor.getInputSequence();
    Value shorter =
        op.getPosition()
            ? runtime.create<rt::SequenceEraseOp>(
                  sequence, runtime.buildPosition(adaptor.getPosition()))
            : runtime.create<rt::SequenceEraseLastOp>(sequence);
    return replaceBy(op, shorter, runtime, rewriter);
  }
};

struct LowerSequenceLength final : OpConversionPattern<IE::SequenceLengthOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SequenceLengthOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value length = runtime.create<rt::LengthOp>(adaptor.getInputSequence());
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(
        op, RankedTensorType::get({}, length.getType()), length);
    return success();
  }
};

struct LowerSplitToSequence final : OpConversionPattern<IE::SplitToSequenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::SplitToSequenceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    auto axis = static_cast<int64_t>(op.getAxis());
    Value input = runtime.toHandle(op.getInput(), adaptor.getInput());
    Value parts;
    if (!op.getSplit()) {
      parts = runtime.create<rt::SequenceSplitEachOp>(
          input, axis, static_cast<int64_t>(op.getKeepdims()));
    } else if (cast<ShapedType>(op.getSplit().getType()).getRank() == 0) {
      parts = runtime.create<rt::SequenceSplitEvenlyOp>(
          input, axis, runtime.buildPosition(adaptor.getSplit()));
    } else {
      parts = runtime.create<rt::SequenceSplitOp>(
          input, axis, runtime.toHandle(op.getSplit(), adaptor.getSplit()));
    }
    return replaceBy(op, parts, runtime, rewriter);
  }
};

struct LowerConcatFromSequence final
    : OpConversionPattern<IE::ConcatFromSequenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConcatFromSequenceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value sequence = adaptor.getInputSequence();
    auto axis = static_cast<int64_t>(op.getAxis());
    Value whole = op.getNewAxis() != 0
                      ? runtime.create<rt::SequenceStackOp>(sequence, axis)
                      : runtime.create<rt::SequenceConcatOp>(sequence, axis);
    return replaceBy(op, whole, runtime, rewriter);
  }
};

struct LowerOptional final : OpConversionPattern<IE::OptionalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::OptionalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    if (!op.getInput()) {
      return replaceBy(op, runtime.create<rt::OptionalNoneOp>(), runtime,
                       rewriter);
    }
    Value held = runtime.toHandle(op.getInput(), adaptor.getInput());
    return replaceBy(op, runtime.create<rt::OptionalNewOp>(held), runtime,
                     rewriter);
  }
};

struct LowerOptionalGetElement final
    : OpConversionPattern<IE::OptionalGetElementOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::OptionalGetElementOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<IE::OptionalType>(op.getInput().getType())) {
      rewriter.replaceOp(op, adaptor.getInput());
      return success();
    }
    RuntimeBuilder runtime(rewriter, op);
    return replaceBy(op, runtime.create<rt::OptionalGetOp>(adaptor.getInput()),
                     runtime, rewriter);
  }
};

struct LowerOptionalHasElement final
    : OpConversionPattern<IE::OptionalHasElementOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::OptionalHasElementOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = RankedTensorType::get({}, rewriter.getI1Type());
    if (!op.getInput() || !isa<IE::OptionalType>(op.getInput().getType())) {
      bool has = static_cast<bool>(op.getInput());
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, DenseElementsAttr::get(type, has));
      return success();
    }
    RuntimeBuilder runtime(rewriter, op);
    Value length = runtime.create<rt::LengthOp>(adaptor.getInput());
    Value none =
        arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
    Value has = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                      length, none);
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, has);
    return success();
  }
};

} // namespace

void nacre::populateSequenceToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<LowerConcatFromSequence, LowerOptional, LowerOptionalGetElement,
               LowerOptionalHasElement, LowerSequenceAt, LowerSequenceConstruct,
               LowerSequenceEmpty, LowerSequenceErase, LowerSequenceInsert,
               LowerSequenceLength, LowerSplitToSequence>(
      converter, patterns.getContext());
}
