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

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace nacre;

static bool hasStrings(Value value) {
  return isa<IE::StringType>(getElementTypeOrSelf(value));
}

/// All texts, one after the other, each with a zero at its end.
static std::string joinTexts(llvm::iterator_range<const StringRef *> texts) {
  std::string joined;
  for (StringRef text : texts) {
    joined += text;
    joined += '\0';
  }
  return joined;
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
    Value address = runtime.buildText(joinTexts({texts.begin(), texts.end()}));
    Value handle =
        runtime.call("nacre_string_constant",
                     {address, runtime.buildInt(type.getNumElements())});
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
    Value result =
        writes ? runtime.call("nacre_string_write", input)
               : runtime.call(
                     "nacre_string_read",
                     {input, runtime.buildInt(getRuntimeType(op.getTo()))});
    rewriter.replaceOp(
        op, runtime.toTensor(result, op.getOutput().getType(), sizes));
    return success();
  }
};

/// An op of two operands that broadcast.
template <typename OpT> struct LowerBroadcast final : OpConversionPattern<OpT> {
  LowerBroadcast(const TypeConverter &converter, MLIRContext *context,
                 StringRef function)
      : OpConversionPattern<OpT>(converter, context, /*benefit=*/2),
        function(function) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!hasStrings(op.getLhs())) {
      return rewriter.notifyMatchFailure(op, "has no strings");
    }
    RuntimeBuilder runtime(rewriter, op);
    Value result = runtime.call(
        function, {runtime.toHandle(op.getLhs(), adaptor.getLhs()),
                   runtime.toHandle(op.getRhs(), adaptor.getRhs())});
    rewriter.replaceOp(op, runtime.toTensor(result, op.getOutput().getType()));
    return success();
  }

private:
  StringRef function;
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
    Value text = runtime.buildText(joinTexts({words.begin(), words.end()}));
    Value stopwords = runtime.call(
        "nacre_string_constant",
        {text, runtime.buildInt(static_cast<int64_t>(words.size()))});
    Value result = runtime.call(
        "nacre_string_normalize",
        {runtime.toHandle(op.getX(), adaptor.getX()), runtime.buildInt(action),
         runtime.buildInt(op.getIsCaseSensitive() != 0), stopwords});
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
    Value matches =
        runtime.call("nacre_string_match",
                     {runtime.toHandle(op.getX(), adaptor.getX()),
                      runtime.buildText(op.getPattern().str() + '\0')});
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
    std::string delimiter = op.getDelimiter().value_or("").str();
    int64_t limit =
        op.getMaxsplit() ? static_cast<int64_t>(*op.getMaxsplit()) : -1;
    Value both = runtime.call("nacre_string_split",
                              {runtime.toHandle(op.getX(), adaptor.getX()),
                               runtime.buildText(delimiter + '\0'),
                               runtime.buildInt(limit)});
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
  patterns.add<LowerBroadcast<IE::EqualOp>>(converter, context,
                                            "nacre_string_equal");
  patterns.add<LowerBroadcast<IE::StringConcatOp>>(converter, context,
                                                   "nacre_string_concat");
  patterns.add<LowerRegexFullMatch, LowerStringNormalizer, LowerStringSplit>(
      converter, context);
}
