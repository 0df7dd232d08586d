//===- String.cpp - Lower strings -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IE operator family: strings, and what other families' ops do to them
// beyond moving them. Strings are pointers in tensors of integers as wide; the
// runtime computes with them.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/String.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;

static bool hasStrings(Value value) {
  return isa<IE::StringType>(getElementTypeOrSelf(value));
}

namespace {

struct LowerStringConstant final : OpConversionPattern<IE::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto value = dyn_cast<DenseStringElementsAttr>(op.getValue());
    RankedTensorType type = getStaticType(*getTypeConverter(), op.getOutput());
    if (!value || !type || type.getNumElements() == 0) {
      return rewriter.notifyMatchFailure(op, "holds no strings");
    }
    SmallVector<StringRef> texts(value.getRawStringData());
    if (llvm::any_of(texts,
                     [](StringRef text) { return text.contains('\0'); })) {
      return op.emitError("unsupported string with a zero in it, where strings "
                          "end in compiled code; use --backend=interpreter");
    }
    if (value.isSplat()) {
      texts.resize(type.getNumElements(), texts.front());
    }
    RuntimeBuilder runtime(rewriter, op);
    Value handle =
        runtime.create<rt::StringConstantOp>(rewriter.getStrArrayAttr(texts));
    Sizes sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    rewriter.replaceOp(
        op, runtime.toTensor(handle, op.getOutput().getType(), sizes));
    return success();
  }
};

/// Cast from and to strings.
struct LowerStringCast final : OpConversionPattern<IE::CastOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Of a small number, a cast becomes two, of which one has strings.
  void initialize() { setHasBoundedRewriteRecursion(); }

  LogicalResult
  matchAndRewrite(IE::CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool reads = hasStrings(op.getInput()), writes = hasStrings(op.getOutput());
    if (reads == writes) {
      return rewriter.notifyMatchFailure(op, "converts no strings");
    }
    Type number = getElementTypeOrSelf(reads ? op.getOutput() : op.getInput());
    if (IE::isSmallNumber(number)) {
      // The runtime reads and writes wider ones.
      Type wide = isa<FloatType>(number) ? Type(rewriter.getF32Type())
                                         : rewriter.getI64Type();
      auto middle = IE::CastOp::create(
          rewriter, op.getLoc(), cast<ShapedType>(op.getType()).clone(wide),
          op.getInput(), TypeAttr::get(wide), op.getSaturateAttr(),
          op.getRoundModeAttr());
      rewriter.replaceOpWithNewOp<IE::CastOp>(
          op, op.getType(), middle, op.getToAttr(), op.getSaturateAttr(),
          op.getRoundModeAttr());
      return success();
    }
    RuntimeBuilder runtime(rewriter, op);
    Sizes sizes = getSizes(rewriter, op.getLoc(), adaptor.getInput());
    Value input = runtime.toHandle(op.getInput(), adaptor.getInput());
    Value result = writes ? runtime.create<rt::StringWriteOp>(input)
                          : runtime.create<rt::StringReadOp>(input, op.getTo());
    rewriter.replaceOp(
        op, runtime.toTensor(result, op.getOutput().getType(), sizes));
    return success();
  }
};

/// An op of two operands that broadcast.
template <typename OpT, typename RuntimeOpT>
struct LowerBroadcast final : OpConversionPattern<OpT> {
  LowerBroadcast(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpT>(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!hasStrings(op.getLhs())) {
      return rewriter.notifyMatchFailure(op, "has no strings");
    }
    RuntimeBuilder runtime(rewriter, op);
    Value lhs = runtime.toHandle(op.getLhs(), adaptor.getLhs());
    Value rhs = runtime.toHandle(op.getRhs(), adaptor.getRhs());
    Value result = runtime.create<RuntimeOpT>(lhs, rhs);
    rewriter.replaceOp(op, runtime.toTensor(result, op.getOutput().getType()));
    return success();
  }
};

struct LowerStringNormalizer final
    : OpConversionPattern<IE::StringNormalizerOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::StringNormalizerOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    SmallVector<StringRef> words;
    if (op.getStopwords()) {
      llvm::append_range(words,
                         op.getStopwords()->getAsValueRange<StringAttr>());
    }
    int64_t action = llvm::StringSwitch<int64_t>(op.getCaseChangeAction())
                         .Case("LOWER", 1)
                         .Case("UPPER", 2)
                         .Default(0);
    Value stopwords =
        runtime.create<rt::StringConstantOp>(rewriter.getStrArrayAttr(words));
    Value result = runtime.create<rt::StringNormalizeOp>(
        runtime.toHandle(op.getX(), adaptor.getX()), action,
        int64_t(op.getIsCaseSensitive() != 0), stopwords);
    rewriter.replaceOp(op, runtime.toTensor(result, op.getY().getType()));
    return success();
  }
};

struct LowerRegexFullMatch final : OpConversionPattern<IE::RegexFullMatchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RegexFullMatchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    Value matches = runtime.create<rt::StringMatchOp>(
        runtime.toHandle(op.getX(), adaptor.getX()), op.getPattern());
    rewriter.replaceOp(op, runtime.toTensor(matches, op.getType()));
    return success();
  }
};

struct LowerStringSplit final : OpConversionPattern<IE::StringSplitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::StringSplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RuntimeBuilder runtime(rewriter, op);
    StringRef delimiter = op.getDelimiter().value_or("");
    int64_t limit =
        op.getMaxsplit() ? static_cast<int64_t>(*op.getMaxsplit()) : -1;
    Value both = runtime.create<rt::StringSplitOp>(
        runtime.toHandle(op.getX(), adaptor.getX()), delimiter, limit);
    rewriter.replaceOp(op, runtime.toTensors(both, op->getResultTypes()));
    return success();
  }
};

} // namespace

void nacre::populateStringToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  // Ahead of the patterns for numbers, which would see integers.
  patterns.add<LowerStringCast, LowerStringConstant>(converter, context,
                                                     /*benefit=*/2);
  patterns.add<LowerBroadcast<IE::EqualOp, rt::StringEqualOp>,
               LowerBroadcast<IE::StringConcatOp, rt::StringConcatOp>>(
      converter, context);
  patterns.add<LowerRegexFullMatch, LowerStringNormalizer, LowerStringSplit>(
      converter, context);
}
