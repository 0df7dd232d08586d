//===- Value.cpp - The --value option -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the value that an input has at compile time: a number, a list of them,
// or a file.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Tensor;

/// `text` as an element of `type`; null where it is none, or out of range.
static Attribute parseElement(StringRef text, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer) {
    const llvm::fltSemantics &kind = cast<FloatType>(type).getFloatSemantics();
    APFloat number(kind);
    auto status = number.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return {};
    }
    return *status & APFloat::opOverflow ? Attribute()
                                         : FloatAttr::get(type, number);
  }
  if (integer.getWidth() == 1 && (text == "true" || text == "false")) {
    return BoolAttr::get(type.getContext(), text == "true");
  }
  bool isNegative = text.consume_front("-");
  bool isSigned = !integer.isUnsigned() && integer.getWidth() > 1;
  APInt digits;
  if (text.empty() || text.getAsInteger(10, digits)) {
    return {};
  }
  // With room for the sign, so that nothing wraps.
  APInt number = digits.zext(digits.getBitWidth() + integer.getWidth() + 1);
  number = isNegative ? -number : number;
  bool fits = isSigned ? number.isSignedIntN(integer.getWidth())
                       : number.isIntN(integer.getWidth());
  return fits ? IntegerAttr::get(type, number.trunc(integer.getWidth()))
              : Attribute();
}

/// What follows "input 'x' is": a scalar, or a list where there is one
/// dimension.
static FailureOr<ElementsAttr> parseLiteral(Session &session, StringRef text,
                                            const ModelTensor &input) {
  auto refuse = [&](const Twine &reason) {
    printError() << "--value=" << input.name << "=" << text << ": " << reason
                 << "\n";
    return session.fail(ExitCode::BadInput);
  };
  std::string wanted;
  llvm::raw_string_ostream(wanted)
      << "input '" << input.name << "' is " << input.type;
  Type element = input.type.getElementType();
  bool isText = isa<IE::StringType>(element);
  if (input.type.getRank() > 1 || IE::isSmallNumber(element) ||
      !(isText || isa<IntegerType, FloatType>(element))) {
    return refuse(wanted + ", whose value is a .npy or .pb file");
  }
  SmallVector<StringRef> parts;
  if (input.type.getRank() == 0) {
    parts.push_back(text);
  } else if (!text.empty()) {
    text.split(parts, ',');
  }
  RankedTensorType type = input.type;
  auto count = static_cast<int64_t>(parts.size());
  if (type.getRank() == 1 && !type.isDynamicDim(0) &&
      type.getDimSize(0) != count) {
    return refuse(wanted + ", found " + Twine(count) + " elements");
  }
  if (type.getRank() == 1) {
    type = type.clone({count});
  }
  if (isText) {
    return ElementsAttr(DenseStringElementsAttr::get(type, parts));
  }
  SmallVector<Attribute> elements;
  for (StringRef part : parts) {
    elements.push_back(parseElement(part.trim(), element));
    if (!elements.back()) {
      return refuse(wanted + ", of which '" + part + "' is no element");
    }
  }
  return ElementsAttr(DenseElementsAttr::get(type, elements));
}

FailureOr<ElementsAttr> driver::readValue(Session &session, StringRef text,
                                          const ModelTensor &input) {
  if (!input.type) {
    printError() << "--value=" << input.name << "=" << text
                 << ": the model gives the input no shape, or it is no "
                    "tensor\n";
    return session.fail(ExitCode::BadInput);
  }
  if (!text.ends_with(".npy") && !text.ends_with(".pb")) {
    return parseLiteral(session, text, input);
  }
  FailureOr<Tensor> value = readInput(session, text, input);
  if (failed(value)) {
    return failure();
  }
  return value->toAttr();
}
