//===- GettingStarted.cpp - The tutorial's ops ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements what docs/Tutorial.md explains: ops, an attribute, a type and an
// interface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/GettingStarted.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/IE/IR/GettingStartedAttributes.cpp.inc"

#include "nacre/Dialect/IE/IR/GettingStartedInterface.cpp.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/GettingStarted.cpp.inc"

void IEDialect::registerGettingStarted() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nacre/Dialect/IE/IR/GettingStartedAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/GettingStarted.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Type
//===----------------------------------------------------------------------===//

/// The product of sizes, where it is one that a tensor can have.
static std::optional<int64_t> multiplySizes(ArrayRef<int64_t> shape) {
  int64_t numElements = 1;
  for (int64_t dim : shape) {
    if (dim < 0 || llvm::MulOverflow(numElements, dim, numElements)) {
      return std::nullopt;
    }
  }
  return numElements;
}

// `[` (integer (`,` integer)*)? `]`
static ParseResult parseShape(AsmParser &parser, int64_t &numElements) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(shape.emplace_back());
      })) {
    return failure();
  }
  std::optional<int64_t> product = multiplySizes(shape);
  if (!product) {
    return parser.emitError(loc, "expected sizes that are not negative and "
                                 "whose product is a 64-bit integer");
  }
  numElements = *product;
  return success();
}

// `<` (`numElements` `=` integer | `shape` `=` shape) `,`
// `elementType` `=` type `>`
Type GettingStartedTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess()) {
    return Type();
  }
  bool isShape = succeeded(parser.parseOptionalKeyword("shape"));
  int64_t numElements = 0;
  Type elementType;
  if ((!isShape && parser.parseKeyword("numElements", " or 'shape'")) ||
      parser.parseEqual() ||
      (isShape ? parseShape(parser, numElements)
               : parser.parseInteger(numElements)) ||
      parser.parseComma() || parser.parseKeyword("elementType") ||
      parser.parseEqual() || parser.parseType(elementType) ||
      parser.parseGreater()) {
    return Type();
  }
  return parser.getChecked<GettingStartedTensorType>(loc, parser.getContext(),
                                                     numElements, elementType);
}

void GettingStartedTensorType::print(AsmPrinter &printer) const {
  printer << "<numElements = " << getNumElements()
          << ", elementType = " << getElementType() << ">";
}

LogicalResult GettingStartedTensorType::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, int64_t numElements,
    Type elementType) {
  if (!RankedTensorType::isValidElementType(elementType)) {
    return emitError() << "expected an element type of tensors, found "
                       << elementType;
  }
  if (numElements < 0) {
    return emitError() << "expected a number of elements that is not negative, "
                          "found "
                       << numElements;
  }
  return success();
}

RankedTensorType GettingStartedTensorType::getTensorType() const {
  return RankedTensorType::get({getNumElements()}, getElementType());
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

// More steps would keep a pass that takes one after the other busy for seconds.
static constexpr int64_t kMaxCounter = 1'000'000;

LogicalResult IE::detail::verifyGettingStarted(Operation *op) {
  auto counting = cast<GettingStartedInterface>(op);
  if (counting.getCounter() > kMaxCounter) {
    return op->emitOpError("expected a counter of at most ")
           << kMaxCounter << ", found " << counting.getCounter();
  }
  return success();
}

namespace {
/// func.call counts its operands.
struct CallCounts final
    : GettingStartedInterface::ExternalModel<CallCounts, func::CallOp> {
  int64_t getCounter(Operation *op) const { return op->getNumOperands(); }
  static StringRef getCounted() { return "operands"; }
};
} // namespace

void IE::registerGettingStartedExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallCounts>(*context);
  });
}

//===----------------------------------------------------------------------===//
// GettingStarted
//===----------------------------------------------------------------------===//

void GettingStartedOp::build(OpBuilder &builder, OperationState &state,
                             Value input, int64_t myInt) {
  // The generated builder without result types asks inferReturnTypes.
  build(builder, state, input, /*secondInput=*/Value(),
        builder.getI64IntegerAttr(myInt), builder.getI64ArrayAttr({1, 2, 3}),
        /*myOptionalFloat=*/FloatAttr(),
        builder.getI64IntegerAttr(getDefaultInt()),
        /*gettingStarted=*/GettingStartedAttr());
}

LogicalResult
GettingStartedOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                   Adaptor adaptor,
                                   SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getInput().getType());
  return success();
}

int64_t GettingStartedOp::getSum() {
  int64_t sum = getCounter();
  if (ArrayAttr array = getMyIntArrayAttr()) {
    for (IntegerAttr value : array.getAsRange<IntegerAttr>()) {
      sum += value.getInt();
    }
  }
  return sum;
}

int64_t GettingStartedOp::getCounter() { return getMyInt().value_or(0); }

StringRef GettingStartedOp::getCounted() { return "myInt"; }

namespace {
/// Counts down by one; the driver applies it until it fails.
struct CountDown final : OpRewritePattern<GettingStartedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GettingStartedOp op,
                                PatternRewriter &rewriter) const override {
    if (op.isFinished()) {
      return rewriter.notifyMatchFailure(op, "nothing left to count");
    }
    rewriter.modifyOpInPlace(op, [&] { op.setMyInt(op.getCounter() - 1); });
    return success();
  }
};
} // namespace

void GettingStartedOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<CountDown>(context);
}

//===----------------------------------------------------------------------===//
// GettingStartedRepeat
//===----------------------------------------------------------------------===//

// operand `times` integer attribute-dict? `:` type
ParseResult GettingStartedRepeatOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  OpAsmParser::UnresolvedOperand input;
  int64_t times;
  Type type;
  if (parser.parseOperand(input) || parser.parseKeyword("times") ||
      parser.parseInteger(times) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(input, type, result.operands)) {
    return failure();
  }
  result.getOrAddProperties<Properties>().times =
      parser.getBuilder().getI64IntegerAttr(times);
  result.addTypes(type);
  return success();
}

void GettingStartedRepeatOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput() << " times " << getTimes();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getTimesAttrName().getValue()});
  printer << " : " << getType();
}

OpFoldResult GettingStartedRepeatOp::fold(FoldAdaptor) {
  return getTimes() == 1 ? getInput() : Value();
}
