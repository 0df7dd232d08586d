//===- GettingStarted.cpp - The tutorial's ops ----------------------------===//
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

LogicalResult GettingStartedTensorType::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
    Type elementType) {
  if (!RankedTensorType::isValidElementType(elementType)) {
    return emitError() << "expected an element type of tensors, found "
                       << elementType;
  }
  for (int64_t dim : shape) {
    if (dim < 0) {
      return emitError() << "expected a shape without negative sizes, found "
                         << dim;
    }
  }
  return success();
}

RankedTensorType GettingStartedTensorType::getTensorType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

LogicalResult IE::detail::verifyGettingStarted(Operation *op) {
  auto counting = cast<GettingStartedInterface>(op);
  if (counting.getCounter() < 0) {
    return op->emitOpError("expected a counter that is not negative, found ")
           << counting.getCounter();
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
  build(builder, state, input, /*custom=*/Value(),
        builder.getI64IntegerAttr(myInt),
        builder.getDenseI64ArrayAttr({1, 2, 3}),
        /*myOptionalFloat=*/FloatAttr(),
        builder.getI64IntegerAttr(getDefaultInt()),
        /*myCustomAttr=*/GettingStartedAttr());
}

LogicalResult
GettingStartedOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                   Adaptor adaptor,
                                   SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getInput().getType());
  return success();
}

int64_t GettingStartedOp::getSum() {
  int64_t sum = getMyInt();
  for (int64_t value : getMyIntArray()) {
    sum += value;
  }
  return sum;
}

int64_t GettingStartedOp::getCounter() { return getMyInt(); }

StringRef GettingStartedOp::getCounted() { return "myInt"; }

namespace {
/// Counts down by one; the driver applies it until it fails.
struct CountDown final : OpRewritePattern<GettingStartedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GettingStartedOp op,
                                PatternRewriter &rewriter) const override {
    int64_t myInt = op.getMyInt();
    if (myInt <= 0) {
      return rewriter.notifyMatchFailure(op, "nothing left to count");
    }
    rewriter.modifyOpInPlace(op, [&] { op.setMyInt(myInt - 1); });
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
