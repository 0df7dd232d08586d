//===- Runtime.cpp - The Runtime dialect ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's type and ops, and verifies what ODS cannot say.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Runtime/IR/Runtime.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::rt;

#include "nacre/Dialect/Runtime/IR/RuntimeBaseDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/Runtime/IR/RuntimeBaseTypes.cpp.inc"

#define GET_OP_CLASSES
#include "nacre/Dialect/Runtime/IR/RuntimeOps.cpp.inc"

void RuntimeDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nacre/Dialect/Runtime/IR/RuntimeBaseTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/Runtime/IR/RuntimeOps.cpp.inc"
      >();
}

LogicalResult CheckMapOp::verify() {
  if (!IE::MapType::isValid(getKey(), getElement())) {
    return emitOpError("expected types that a map may have, found ")
           << getKey() << " and " << getElement();
  }
  return success();
}

LogicalResult TensorPackOp::verify() {
  if (!IE::isPacked(getElement())) {
    return emitOpError("expected a type of four or two bits, found ")
           << getElement();
  }
  return success();
}

LogicalResult StringConstantOp::verify() {
  for (auto text : getTexts().getAsValueRange<StringAttr>()) {
    if (text.contains('\0')) {
      return emitOpError("expected strings without zeros, found ")
             << StringAttr::get(getContext(), text);
    }
  }
  return success();
}

SmallVector<OpFoldResult> StringConstantOp::getCallArguments() {
  Builder builder(getContext());
  std::string joined =
      llvm::join(getTexts().getAsValueRange<StringAttr>(), StringRef("\0", 1));
  return {builder.getStringAttr(joined),
          builder.getI64IntegerAttr(static_cast<int64_t>(getTexts().size()))};
}
