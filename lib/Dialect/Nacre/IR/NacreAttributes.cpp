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
#include "llvm/ADT/SmallBitVector.h"
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

/// Each state is an output, and each output the state of one input.
static LogicalResult
verifyStates(llvm::function_ref<InFlightDiagnostic()> emitError,
             ArrayAttr inputs, size_t numOutputs) {
  llvm::SmallBitVector taken(numOutputs);
  for (auto [i, input] : llvm::enumerate(inputs.getAsRange<DictionaryAttr>())) {
    auto state = get<State>(input);
    if (!state) {
      continue;
    }
    auto output = static_cast<size_t>(state.getInt());
    if (output >= numOutputs) {
      return emitError() << "expected the state of input " << i
                         << " of the interface to be the number of an output, "
                            "found "
                         << output;
    }
    if (taken.test(output)) {
      return emitError() << "expected one state per output of the interface, "
                            "found several for output "
                         << output;
    }
    taken.set(output);
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
                           signature.getNumResults(), Place::Output)) &&
      succeeded(verifyStates(emitError, inputs, outputs.size())));
}

LogicalResult
IntegersAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     FloatAttr scale, int64_t zeroPoint) {
  bool isScale = scale.getType().isF32() && scale.getValue().isFinite() &&
                 !scale.getValue().isNegative() && !scale.getValue().isZero();
  return isScale ? success()
                 : LogicalResult(emitError() << "expected an f32 above 0 as "
                                                "scale of integers, found "
                                             << scale);
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
