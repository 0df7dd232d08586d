//===- NacreAttributes.cpp - Attributes of the nacre dialect --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the attributes and verifies what ODS cannot say.
//
//===----------------------------------------------------------------------===//

#include "Verifier.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::abi;

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/Nacre/IR/NacreAttributes.cpp.inc"

void NacreDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nacre/Dialect/Nacre/IR/NacreAttributes.cpp.inc"
      >();
}

/// Verifies the attributes of what one side of a signature holds.
static LogicalResult
verifySide(llvm::function_ref<InFlightDiagnostic()> emitError, ArrayAttr side,
           StringRef name, size_t size, Place place) {
  if (side.size() != size ||
      !llvm::all_of(side, llvm::IsaPred<DictionaryAttr>)) {
    return emitError() << "expected " << name << " of the interface to be "
                       << size << " dictionaries, found " << side;
  }
  for (auto attributes : side.getAsRange<DictionaryAttr>()) {
    for (NamedAttribute attribute : attributes) {
      bool isOwn = attribute.getName().strref().split('.').first ==
                   NacreDialect::getDialectNamespace();
      if (isOwn && failed(verifyAttribute(emitError, place, "the interface",
                                          attribute))) {
        return failure();
      }
    }
  }
  return success();
}

LogicalResult
InterfaceAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      FunctionType signature, ArrayAttr inputs,
                      ArrayAttr outputs) {
  return success(
      succeeded(verifySide(emitError, inputs, "inputs",
                           signature.getNumInputs(), Place::Input)) &&
      succeeded(verifySide(emitError, outputs, "outputs",
                           signature.getNumResults(), Place::Output)));
}

LogicalResult
StepAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 LocationAttr name, StringAttr kernel, int64_t flops,
                 int64_t cycles, int64_t predicted, int64_t bytes,
                 DenseI64ArrayAttr buffers, ArrayAttr shapes,
                 ArrayAttr operands) {
  if (buffers.size() % 2 != 0) {
    return emitError() << "expected an offset and a size of each buffer, found "
                       << buffers.size() << " numbers";
  }
  if (!llvm::all_of(shapes, llvm::IsaPred<StringAttr>)) {
    return emitError() << "expected texts as shapes, found " << shapes;
  }
  if (operands && !llvm::all_of(operands, llvm::IsaPred<StepOperandAttr>)) {
    return emitError() << "expected #nacre.step_operand as operands, found "
                       << operands;
  }
  return success();
}

LogicalResult
TapsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 StringAttr graph, int64_t groups, ArrayAttr values) {
  if (!llvm::all_of(values, llvm::IsaPred<TapAttr>)) {
    return emitError() << "expected #nacre.tap as values, found " << values;
  }
  return success();
}
